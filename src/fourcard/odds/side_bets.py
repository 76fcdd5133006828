"""Wagers on the player's own hand, counted exactly: Aces Up and the Six Card Bonus."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.deals import hand_counts, six_card_counts
from fourcard.odds.figures import Distribution, Outcome
from fourcard.odds.printed import TableError
from fourcard.odds.rows import Kind, row_of

LOSES = "loses"
Net = Callable[[Odds], Fraction]


def by_table(
    counts: Mapping[Kind, int], pays: Mapping[str, Odds], net: Net, lost: Fraction = Fraction(-1)
) -> Distribution:
    """Return what a table makes of hands of each kind: one outcome a row, and what no row leads to."""
    found: dict[str | None, int] = dict.fromkeys((*pays, None), 0)
    for kind, count in counts.items():
        found[row_of(pays, kind)] += count
    total = sum(counts.values())
    rows = [Outcome(row, found[row], total, str(odds), net(odds)) for row, odds in pays.items()]
    return Distribution((*rows, Outcome(LOSES, found[None], total, None, lost)))


def on_a_stake(stake: int) -> Net:
    """Return what an award adds on each unit of a stake that its winner keeps."""
    if stake <= 0:
        raise TableError(f"A stake must be more than $0, not {dollars(stake)}.")

    def net(odds: Odds) -> Fraction:
        if odds.kind is OddsKind.TO:
            return odds.value
        if odds.kind is OddsKind.FOR:
            return odds.value - 1
        if odds.kind is OddsKind.FIXED:
            return odds.value / stake
        raise TableError(f"What {odds} is worth depends on a meter, which this wager has not.")

    return net


def aces_up(pays: Mapping[str, Odds]) -> Distribution:
    """Return Aces Up under a table: the best four of the player's five cards, whatever the dealer holds."""
    return by_table(hand_counts(five_cards=False), pays, on_a_stake(1))


def six_card(pays: Mapping[str, Odds], stake: int, *, low_ace: bool = True) -> Distribution:
    """Return the Six Card Bonus at a stake in cents, which a fixed prize leaves to the player (R93)."""
    return by_table(six_card_counts(low_ace=low_ace), pays, on_a_stake(stake))

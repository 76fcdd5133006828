"""Side bets on the player's own hand, counted exactly: Aces Up and the Six Card Bonus."""

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
    """Return the distribution of a paytable: one outcome per row, and one for losing."""
    found: dict[str | None, int] = dict.fromkeys((*pays, None), 0)
    for kind, count in counts.items():
        found[row_of(pays, kind)] += count
    total = sum(counts.values())
    rows = [Outcome(row, found[row], total, str(odds), net(odds)) for row, odds in pays.items()]
    return Distribution((*rows, Outcome(LOSES, found[None], total, None, lost)))


def on_a_stake(stake: int) -> Net:
    """Return a function from an award to the gain per unit of a stake that the winner keeps."""
    if stake <= 0:
        raise TableError(f"A stake must be more than $0, not {dollars(stake)}.")

    def net(odds: Odds) -> Fraction:
        if odds.kind is OddsKind.TO:
            return odds.value
        if odds.kind is OddsKind.FOR:
            return odds.value - 1
        if odds.kind is OddsKind.FIXED:
            return odds.value / stake
        raise TableError(f"The award {odds} needs a meter, and this wager has none.")

    return net


def aces_up(pays: Mapping[str, Odds]) -> Distribution:
    """Return the distribution of Aces Up, which pays the best four of the player's five cards."""
    return by_table(hand_counts(five_cards=False), pays, on_a_stake(1))


def six_card(pays: Mapping[str, Odds], stake: int, *, low_ace: bool = True) -> Distribution:
    """Return the distribution of the Six Card Bonus at a stake in cents; fixed prizes keep it (R93)."""
    return by_table(six_card_counts(low_ace=low_ace), pays, on_a_stake(stake))

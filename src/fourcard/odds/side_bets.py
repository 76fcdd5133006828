"""Side bets, counted exactly: wagers on the player's own cards, the Six Card Bonus and the Bad Beat Bonus.

The Bad Beat award depends on the hand that is beaten (SM-BB-3c). Both ways to win need a player's hand of two
pair or better, which no sensible player folds, so no strategy is needed (R39). A tie loses, or pays as if the
dealer's hand were beaten if the setting says so (R40).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb

import msgspec
import numpy as np

from fourcard.cards import DECK
from fourcard.hands import DEALER_CARDS
from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.base_game import ABOVE, BELOW, TIED, tally_outcomes
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.hand_counting import (
    hand_counts,
    pairs_of_hands,
    player_dealer_pairs,
    six_card_counts,
    strength_counts,
)
from fourcard.odds.hand_kinds import WinnableRows, hand_kinds, kind_of_strength
from fourcard.odds.paytable_lookup import PaytableError
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.state_counts import CLASSES, UP_CARDS
from fourcard.odds.strategies import DecisionPoints
from fourcard.settlers.wager_settler import best_row
from fourcard.wagers import SPECIFICATIONS, WagerName

LOSES = "loses"
Net = Callable[[Odds], Fraction]


def paytable_distribution(
    counts: Mapping[WinnableRows, int], pays: Mapping[str, Odds], net: Net, lost: Fraction = Fraction(-1)
) -> Distribution:
    """Return the distribution of a paytable: one outcome per row, and one for losing."""
    found: dict[str | None, int] = dict.fromkeys((*pays, None), 0)
    for kind, count in counts.items():
        found[best_row(pays, kind)] += count
    total = sum(counts.values())
    rows = [WagerOutcome(row, found[row], total, str(odds), net(odds)) for row, odds in pays.items()]
    return Distribution((*rows, WagerOutcome(LOSES, found[None], total, None, lost)))


def net_per_unit(stake: int) -> Net:
    """Return a function from an award to the net gain per unit staked."""
    if stake <= 0:
        raise PaytableError(f"A stake must be more than $0, not {dollars(stake)}.")

    def net(odds: Odds) -> Fraction:
        if odds.kind is OddsKind.TO:
            return odds.value
        if odds.kind is OddsKind.FOR:
            return odds.value - 1
        if odds.kind is OddsKind.FIXED:
            return odds.value / stake
        raise PaytableError(f"The award {odds} needs a meter, and this wager has none.")

    return net


def own_hand_distribution(
    wager: WagerName, pays: Mapping[str, Odds], stake: int = 1, step: ProgressCallback = no_progress
) -> Distribution:
    """Return the distribution of a wager that pays by the player's own five cards, such as Aces Up."""
    rows_won = SPECIFICATIONS[wager].rows_won
    counts = hand_counts(five_cards=False) if rows_won is None else _counts_of_rows(rows_won, step)
    return paytable_distribution(counts, pays, net_per_unit(stake))


RowsWon = Callable[[tuple[int, ...]], WinnableRows]
_counted: dict[RowsWon, Mapping[WinnableRows, int]] = {}


def _counts_of_rows(rows_won: RowsWon, step: ProgressCallback) -> Mapping[WinnableRows, int]:
    """Return how many of all 2,598,960 hands of five cards win each combination of rows; counted once."""
    if rows_won not in _counted:
        counts: Counter[WinnableRows] = Counter()
        for lowest in DECK:
            counts.update(rows_won((lowest, *others)) for others in combinations(DECK[lowest + 1 :], 4))
            step(comb(len(DECK) - 1 - lowest, 4) / comb(len(DECK), 5))
        _counted[rows_won] = counts
    return _counted[rows_won]


def six_card_distribution(pays: Mapping[str, Odds], stake: int, *, low_ace: bool = True) -> Distribution:
    """Return the distribution of the Six Card Bonus; the winner of a fixed prize keeps the stake (R93)."""
    return paytable_distribution(six_card_counts(low_ace=low_ace), pays, net_per_unit(stake))


PLAYER_BEATEN, DEALER_BEATEN, TIES = "player", "dealer", "tie"


class BeatenHands(msgspec.Struct, frozen=True):
    """The number of pairs of hands by which hand was beaten, for each kind of that hand."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    tied: tuple[int, ...]


def beaten_hands(spots: DecisionPoints) -> BeatenHands:
    """Count the beaten hands, from the states and from the kinds of both hands."""
    contest = tally_outcomes(spots, np.ones((CLASSES, UP_CARDS), np.uint8))[1] // DEALER_CARDS
    pairs = player_dealer_pairs()
    dealer = [0] * len(hand_kinds())
    for mine, lower in enumerate(pairs):
        for theirs in range(mine):
            dealer[theirs] += lower[theirs]
        dealer[mine] += int(contest[mine, BELOW]) - sum(lower[:mine])
    return BeatenHands(tuple(contest[:, ABOVE].tolist()), tuple(dealer), tuple(contest[:, TIED].tolist()))


def bad_beat_distribution(
    spots: DecisionPoints, pays: Mapping[str, Odds], *, tie_wins: bool = False
) -> Distribution:
    """Return the distribution of the Bad Beat Bonus under a paytable."""
    return _bad_beat_outcomes(beaten_hands(spots), pairs_of_hands(DEALER_CARDS), pays, tie_wins=tie_wins)


def two_deck_bad_beat_distribution(pays: Mapping[str, Odds], *, tie_wins: bool) -> Distribution:
    """Return the distribution as if each hand came from its own deck, for comparison."""
    mine, theirs = strength_counts()
    total = sum(mine) * sum(theirs)
    player, dealer, tied = ([0] * len(hand_kinds()) for _ in range(3))
    weaker_mine = weaker_theirs = 0
    for kind, five, six in zip(kind_of_strength().tolist(), mine, theirs, strict=True):
        player[kind] += five * (sum(theirs) - weaker_theirs - six)
        dealer[kind] += six * (sum(mine) - weaker_mine - five)
        tied[kind] += five * six
        weaker_mine, weaker_theirs = weaker_mine + five, weaker_theirs + six
    return _bad_beat_outcomes(
        BeatenHands(tuple(player), tuple(dealer), tuple(tied)), total, pays, tie_wins=tie_wins
    )


def _bad_beat_outcomes(
    beaten: BeatenHands, total: int, pays: Mapping[str, Odds], *, tie_wins: bool
) -> Distribution:
    ways = [(PLAYER_BEATEN, beaten.player), (DEALER_BEATEN, beaten.dealer)]
    if tie_wins:
        ways.append((TIES, beaten.tied))
    net, found = net_per_unit(1), []
    for row, odds in pays.items():
        for way, counts in ways:
            count = sum(
                n for kind, n in zip(hand_kinds(), counts, strict=True) if best_row(pays, kind) == row
            )
            if count:
                found.append(WagerOutcome(row, count, total, str(odds), net(odds), beaten=way))
    paid = sum(each.count for each in found)
    return Distribution((*found, WagerOutcome(LOSES, total - paid, total, None, Fraction(-1))))

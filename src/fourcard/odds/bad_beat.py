"""Bad Beat Bonus, counted exactly over every pair of a player's and a dealer's hand.

The award depends on the hand that is beaten (SM-BB-3c). Both ways to win need a player's hand of two pair or
better, which no sensible player folds, so no strategy is needed (R39). A tie loses, or pays as if the
dealer's hand were beaten if the setting says so (R40).
"""

from collections.abc import Mapping
from fractions import Fraction

import msgspec
import numpy as np

from fourcard.money import Odds
from fourcard.odds.deals import player_and_dealer, strength_counts
from fourcard.odds.figures import Distribution, Outcome
from fourcard.odds.holding import pairs_of_hands
from fourcard.odds.rows import kind_of_strength, kinds, row_of
from fourcard.odds.side_bets import LOSES, on_a_stake
from fourcard.odds.spots import Spots
from fourcard.odds.states import CLASSES, UP_CARDS
from fourcard.odds.tallying import ABOVE, BELOW, TIED, tally

DEALER_CARDS = 6
PLAYER_BEATEN, DEALER_BEATEN, TIES = "player", "dealer", "tie"


class BeatenHands(msgspec.Struct, frozen=True):
    """The number of pairs of hands by which hand was beaten, for each kind of that hand."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    tied: tuple[int, ...]


def beaten_hands(spots: Spots) -> BeatenHands:
    """Count the beaten hands, from the states and from the kinds of both hands."""
    contest = tally(spots, np.ones((CLASSES, UP_CARDS), np.uint8))[1] // DEALER_CARDS
    pairs = player_and_dealer()
    dealer = [0] * len(kinds())
    for mine, lower in enumerate(pairs):
        for theirs in range(mine):
            dealer[theirs] += lower[theirs]
        dealer[mine] += int(contest[mine, BELOW]) - sum(lower[:mine])
    return BeatenHands(tuple(contest[:, ABOVE].tolist()), tuple(dealer), tuple(contest[:, TIED].tolist()))


def bad_beat(spots: Spots, pays: Mapping[str, Odds], *, tie_wins: bool = False) -> Distribution:
    """Return the distribution of the Bad Beat Bonus under a paytable."""
    return _paid(beaten_hands(spots), pairs_of_hands(DEALER_CARDS), pays, tie_wins=tie_wins)


def bad_beat_of_two_decks(pays: Mapping[str, Odds], *, tie_wins: bool) -> Distribution:
    """Return the distribution as if each hand came from its own deck, for comparison."""
    mine, theirs = strength_counts()
    total = sum(mine) * sum(theirs)
    player, dealer, tied = ([0] * len(kinds()) for _ in range(3))
    weaker_mine = weaker_theirs = 0
    for kind, five, six in zip(kind_of_strength().tolist(), mine, theirs, strict=True):
        player[kind] += five * (sum(theirs) - weaker_theirs - six)
        dealer[kind] += six * (sum(mine) - weaker_mine - five)
        tied[kind] += five * six
        weaker_mine, weaker_theirs = weaker_mine + five, weaker_theirs + six
    return _paid(BeatenHands(tuple(player), tuple(dealer), tuple(tied)), total, pays, tie_wins=tie_wins)


def _paid(beaten: BeatenHands, total: int, pays: Mapping[str, Odds], *, tie_wins: bool) -> Distribution:
    ways = [(PLAYER_BEATEN, beaten.player), (DEALER_BEATEN, beaten.dealer)]
    if tie_wins:
        ways.append((TIES, beaten.tied))
    net, found = on_a_stake(1), []
    for row, odds in pays.items():
        for way, counts in ways:
            count = sum(n for kind, n in zip(kinds(), counts, strict=True) if row_of(pays, kind) == row)
            if count:
                found.append(Outcome(row, count, total, str(odds), net(odds), {"beaten": way}))
    paid = sum(each.count for each in found)
    return Distribution((*found, Outcome(LOSES, total - paid, total, None, Fraction(-1))))

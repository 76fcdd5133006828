"""Count one state without the table, by enumerating the dealer's 1,370,754 completions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK
from fourcard.odds.classes import Cards
from fourcard.odds.evaluator import best_of_five, six_strength
from fourcard.odds.kernels import kernel
from fourcard.odds.ranking_tables import RankingTables, ranking_tables
from fourcard.odds.states import StateCounts, check_state


def count_state(hand: Sequence[int], up: int) -> StateCounts:
    """Return the dealer's completions below and equal to a hand, by enumeration."""
    check_state(hand, up)
    strength = int(best_of_five(np.array([hand], np.uint8))[0])
    rest = np.array([card for card in DECK if card not in hand and card != up], np.uint8)
    dealer, found = np.full((1, 6), up, np.uint8), np.zeros(2, np.int64)
    _count_completions(ranking_tables(), rest, strength, dealer, found)
    below, tied = found.tolist()
    return StateCounts(below, tied)


@kernel
def _count_completions(
    tables: RankingTables, rest: Cards, strength: int, dealer: Cards, found: NDArray[np.int64]
) -> None:
    n = tables.numbers
    for a in range(len(rest)):
        dealer[0, 1] = rest[a]
        for b in range(a):
            dealer[0, 2] = rest[b]
            for c in range(b):
                dealer[0, 3] = rest[c]
                three = n[dealer[0, 0]] + n[rest[a]] + n[rest[b]] + n[rest[c]]
                for d in range(c):
                    dealer[0, 4] = rest[d]
                    for e in range(d):
                        dealer[0, 5] = rest[e]
                        dealer_strength = six_strength(tables, three + n[rest[d]] + n[rest[e]], dealer, 0)
                        found[0] += dealer_strength < strength
                        found[1] += dealer_strength == strength

"""Hand kinds: the kinds that a paytable distinguishes, and the kind of each of the 2,535 strengths."""

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK
from fourcard.hands import Hand, rank_four
from fourcard.odds.ranking_tables import rank_patterns, unsuited

WinnableRows = tuple[str, ...]
"""The rows that a hand can win, the most specific first: ``("four_aces", "four_of_a_kind")``."""


@cache
def hands_by_strength() -> tuple[Hand, ...]:
    """Return one hand of every strength, the weakest first."""
    every = [rank_four(unsuited(ranks)) for ranks in rank_patterns(4).tolist()]
    every += [rank_four(cards) for cards in combinations(DECK[::4], 4)]
    by_strength = {hand.strength: hand for hand in every}
    return tuple(by_strength[strength] for strength in range(len(by_strength)))


@cache
def hand_kinds() -> tuple[WinnableRows, ...]:
    """Return every kind of four-card hand, the weakest first."""
    return tuple(dict.fromkeys(hand.rows for hand in hands_by_strength()))


@cache
def kind_of_strength() -> NDArray[np.uint8]:
    """Return the index of the hand kind for every strength."""
    return np.array([hand_kinds().index(hand.rows) for hand in hands_by_strength()], np.uint8)

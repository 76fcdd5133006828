"""Players without a person: each a function from what a player sees to how many Antes go on Play."""

from fourcard.hands import Category, best_hand
from fourcard.table.session import Spot

TENS, THREES = 8, 1
"""Ranks as cards count them: a two is 0."""


def basic(spot: Spot) -> int:
    """Fold under a pair of threes, play once with threes to nines, three times with tens or better.

    The manufacturer's advice for players, which looks at the own cards alone.
    """
    hand = best_hand(spot.cards)
    if hand.category > Category.PAIR or (hand.category is Category.PAIR and hand.ranks[0] >= TENS):
        return 3
    return 1 if hand.category is Category.PAIR and hand.ranks[0] >= THREES else 0

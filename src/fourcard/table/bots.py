"""Bot strategies: functions from what a player sees to the Play wager in Antes, 0 for a fold."""

from fourcard.hands import Category, best_hand
from fourcard.table.session import Spot

TENS, THREES = 8, 1
"""Ranks as numbers: a two is 0."""


def basic(spot: Spot) -> int:
    """Fold below a pair of threes, play 1x with threes to nines, 3x with tens or better.

    This is the manufacturer's advice for players; it ignores the up card.
    """
    hand = best_hand(spot.cards)
    if hand.category > Category.PAIR or (hand.category is Category.PAIR and hand.ranks[0] >= TENS):
        return 3
    return 1 if hand.category is Category.PAIR and hand.ranks[0] >= THREES else 0

"""The representative of a hand's suit class, worked out for one hand without any table."""

from collections.abc import Sequence

from fourcard.cards import SUITS, suit_of


def representative(hand: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rising cards that stand for a hand, and the suit that each suit becomes.

    The suit whose ranks weigh most comes first; suits that hold the same ranks keep their order.
    """
    held = [sum(1 << (card >> 2) for card in hand if suit_of(card) == suit) for suit in range(len(SUITS))]
    by_weight = sorted(range(len(SUITS)), key=lambda suit: (-held[suit], suit))
    becomes = tuple(by_weight.index(suit) for suit in range(len(SUITS)))
    return tuple(sorted(card & ~3 | becomes[suit_of(card)] for card in hand)), becomes

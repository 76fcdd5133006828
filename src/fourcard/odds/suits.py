"""Canonical suits: renames the suits of one hand so that equivalent hands become equal."""

from collections.abc import Sequence

from fourcard.cards import SUITS, suit_of


def representative(hand: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sorted cards of the canonical hand, and the suit that each suit is renamed to.

    The suit whose ranks, read as bits, are highest comes first; suits with the same ranks keep their order.
    """
    held = [sum(1 << (card >> 2) for card in hand if suit_of(card) == suit) for suit in range(len(SUITS))]
    by_ranks = sorted(range(len(SUITS)), key=lambda suit: (-held[suit], suit))
    renamed_to = tuple(by_ranks.index(suit) for suit in range(len(SUITS)))
    return tuple(sorted(card & ~3 | renamed_to[suit_of(card)] for card in hand)), renamed_to

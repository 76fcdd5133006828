"""State counts: for a player's five cards and an up card, the dealer's lower, equal and higher hands.

A hand is looked up by its canonical suits. A look-up needs no compiled code.
"""

from collections.abc import Sequence
from math import comb

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE, SUITS, CardsError, card_text, distinct, suit_of


def canonical_suits(hand: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sorted cards of the canonical hand, and the suit that each suit is renamed to.

    The suit whose ranks, read as bits, are highest comes first; suits with the same ranks keep their order.
    """
    held = [sum(1 << (card >> 2) for card in hand if suit_of(card) == suit) for suit in range(len(SUITS))]
    by_ranks = sorted(range(len(SUITS)), key=lambda suit: (-held[suit], suit))
    renamed_to = tuple(by_ranks.index(suit) for suit in range(len(SUITS)))
    return tuple(sorted(card & ~3 | renamed_to[suit_of(card)] for card in hand)), renamed_to


HAND = 5
UP_CARDS = DECK_SIZE - HAND
CLASSES = 134_459
HANDS = comb(DECK_SIZE, HAND)
STATES = HANDS * UP_CARDS
COMPLETIONS = comb(UP_CARDS - 1, HAND)
"""The number of ways to complete the dealer's hand with five more cards: 1,370,754."""


class StateCounts(msgspec.Struct, frozen=True):
    """The numbers of the dealer's completions below and equal to the player's hand."""

    below: int
    tied: int

    @property
    def above(self) -> int:
        """Return the completions that beat the player."""
        return COMPLETIONS - self.below - self.tied


class StateTable(msgspec.Struct, frozen=True):
    """All states, by suit class of the player's five cards and index of the up card among the other 47."""

    counts: NDArray[np.uint32]
    """By class and up card: the numbers of the dealer's lower and equal hands."""
    places: NDArray[np.uint32]
    """The index of each class's canonical hand among all hands, ascending."""
    strengths: NDArray[np.uint16]
    sizes: NDArray[np.uint8]
    """The number of hands in each class."""
    cards: NDArray[np.uint8]

    def look_up(self, hand: Sequence[int], up: int) -> StateCounts:
        """Return the counts of one state."""
        check_state(hand, up)
        canonical, renamed_to = canonical_suits(hand)
        place = sum(comb(card, index + 1) for index, card in enumerate(canonical))
        renamed = up & ~3 | renamed_to[up & 3]
        column = renamed - sum(card < renamed for card in canonical)
        below, tied = self.counts[int(np.searchsorted(self.places, place)), column].tolist()
        return StateCounts(below, tied)


def check_state(hand: Sequence[int], up: int) -> None:
    """Refuse cards that are not a valid hand of five and a different up card."""
    distinct(hand, (HAND,))
    distinct((up,))
    if up in hand:
        raise CardsError(f"The up card {card_text(up)} is among the player's cards.")

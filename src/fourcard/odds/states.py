"""Every state: a player's five cards and an up card, with the dealer's lower, equal and higher hands.

Looking one up needs no compiled code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE, CardsError, card_text, distinct
from fourcard.odds.suits import representative

HAND = 5
UP_CARDS = DECK_SIZE - HAND
CLASSES = 134_459
HANDS = comb(DECK_SIZE, HAND)
STATES = HANDS * UP_CARDS
COMPLETIONS = comb(UP_CARDS - 1, HAND)
"""The dealer's 1,370,754 ways to have five more cards."""


@dataclass(frozen=True)
class StateCounts:
    """How the dealer's completions compare with the player's hand."""

    below: int
    tied: int

    @property
    def above(self) -> int:
        """Return the completions that beat the player."""
        return COMPLETIONS - self.below - self.tied


@dataclass(frozen=True)
class States:
    """Every state by suit class of the player's five cards and place of the up card among the other 47."""

    counts: NDArray[np.uint32]
    """By class and up card: the dealer's lower hands, and the equal ones."""
    places: NDArray[np.uint32]
    """The place of each class's representative among all hands, rising."""
    strengths: NDArray[np.uint16]
    sizes: NDArray[np.uint8]
    """How many hands each class stands for."""
    cards: NDArray[np.uint8]

    def of(self, hand: Sequence[int], up: int) -> StateCounts:
        """Return the counts of one state."""
        check_state(hand, up)
        stands_for, becomes = representative(hand)
        place = sum(comb(card, index + 1) for index, card in enumerate(stands_for))
        renamed = up & ~3 | becomes[up & 3]
        column = renamed - sum(card < renamed for card in stands_for)
        below, tied = self.counts[int(np.searchsorted(self.places, place)), column].tolist()
        return StateCounts(below, tied)


def check_state(hand: Sequence[int], up: int) -> None:
    """Refuse cards that cannot be a player's five and the dealer's up card."""
    distinct(hand, (HAND,))
    distinct((up,))
    if up in hand:
        raise CardsError(f"The up card {card_text(up)} is among the player's cards.")

"""Decision points: every hand and up card as arrays over suit classes and up cards."""

from collections.abc import Callable
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE
from fourcard.errors import BadInputError
from fourcard.odds.contest import Contest
from fourcard.odds.rows import kind_of_strength
from fourcard.odds.states import CLASSES, UP_CARDS, States

Decisions = NDArray[np.uint8]
"""The Play wager in Antes, 0 for a fold, by class and up card."""


class DecisionsError(BadInputError):
    """A strategy's decisions have the wrong shape, or include one that the game does not allow."""


class Spots(msgspec.Struct, frozen=True, dict=True):
    """All decision points: the player's hands, one per suit class, with every up card."""

    states: States
    contest: Contest

    @property
    def cards(self) -> NDArray[np.uint8]:
        """Return the five cards of each class in ascending order, one row per class."""
        return self.states.cards

    @property
    def strengths(self) -> NDArray[np.uint16]:
        """Return the strength of each class's best four cards."""
        return self.states.strengths

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """Return the index of each class's kind of hand."""
        return kind_of_strength()[self.strengths]

    @cached_property
    def up_cards(self) -> NDArray[np.uint8]:
        """Return the up cards of each class in ascending order, one row per class."""
        free = np.ones((CLASSES, DECK_SIZE), np.bool_)
        free[np.arange(CLASSES)[:, None], self.cards] = False
        return np.nonzero(free)[1].reshape(CLASSES, UP_CARDS).astype(np.uint8)

    @cached_property
    def up_ranks(self) -> NDArray[np.uint8]:
        """Return the ranks of the up cards."""
        return (self.up_cards >> 2).astype(np.uint8)

    @cached_property
    def ranks_held(self) -> NDArray[np.uint16]:
        """Return the ranks that each class holds, as bits."""
        bits: NDArray[np.uint16] = np.bitwise_or.reduce(np.uint16(1) << (self.cards >> 2), axis=1)
        return bits.astype(np.uint16)

    @cached_property
    def matching(self) -> NDArray[np.bool_]:
        """Return whether the hand holds a card of the up card's rank, by class and up card."""
        held: NDArray[np.bool_] = (self.ranks_held[:, None] >> self.up_ranks & 1).astype(np.bool_)
        return held

    @cached_property
    def beaten(self) -> NDArray[np.uint32]:
        """Return the number of the dealer's hands that the player wins against, by class and up card."""
        counts = self.states.counts
        return counts[:, :, 0] + counts[:, :, 1] if self.contest.ties_win else counts[:, :, 0]


Strategy = Callable[[Spots], NDArray[np.uint8]]
"""A function that returns its decisions for all points at once, or one column for every up card."""


def decided(strategy: Strategy, spots: Spots) -> Decisions:
    """Return a strategy's decision at every point, or refuse decisions that the game does not allow."""
    decisions = np.asarray(strategy(spots))
    try:
        found = np.broadcast_to(decisions, (CLASSES, UP_CARDS))
    except ValueError:
        raise DecisionsError(
            f"A strategy must return decisions for {CLASSES:,} classes and {UP_CARDS} up cards."
        ) from None
    allowed = {0, *spots.contest.multiples}
    foreign = sorted(set(np.unique(found).tolist()) - allowed)
    if foreign:
        raise DecisionsError(f"A Play wager of {foreign[0]} Antes is not among {sorted(allowed)}.")
    return np.ascontiguousarray(found, np.uint8)

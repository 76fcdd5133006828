"""Strategy chart: the best decision for each hand and up card, with the exceptions as sentences.

Where no single decision is best for every hand of a cell, the cell is split by what a player can see (a card
of the up card's rank in the hand, the ranks of the side cards), as long as a split is worth learning. The
chart is itself a strategy, so the cost of its simplicity is counted exactly.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANK_NAMES, RANKS, rank_of
from fourcard.errors import BadInputError
from fourcard.hands import Category, Hand
from fourcard.odds.base_game import base_game
from fourcard.odds.rows import hands_by_strength
from fourcard.odds.splitting import Branch, Features, Grown, a_card, by_side, grow
from fourcard.odds.spots import Decisions, Spots
from fourcard.odds.states import CLASSES, UP_CARDS
from fourcard.odds.strategies import optimal

ACE, KING = len(RANKS) - 1, len(RANKS) - 2
ACE_KING = "ace and king high"
OTHERS = "anything else"
BETTER = "two pair or better"
Rows = NDArray[np.bool_]


class Cell(msgspec.Struct, frozen=True):
    """The decision for one kind of hand with one up card."""

    hand: str
    up: str
    shares: dict[str, Fraction]
    """The share of hands for which each decision is best."""
    branches: tuple[Branch, ...]
    """Conditions with their decisions, tried in order; the last one applies to the remaining hands."""
    missed: Fraction
    """The share of the cell's hands for which its rules do not give the best decision."""

    @property
    def decision(self) -> str:
        """Return the decision where no condition holds."""
        return self.branches[-1].choice

    @property
    def mixed(self) -> bool:
        """Return whether more than one decision is best in this cell."""
        return len(self.shares) > 1

    def answer(self) -> dict[str, object]:
        """Return the cell as JSON data."""
        return {
            "hand": self.hand,
            "up": self.up,
            "decision": self.decision,
            "shares": {choice: float(share) for choice, share in self.shares.items()},
            "rules": [{"if": branch.text, "then": branch.choice} for branch in self.branches],
            "missed": float(self.missed),
        }


class Chart(msgspec.Struct, frozen=True, dict=True):
    """The whole chart, with its cost compared with optimal play."""

    spots: Spots

    @cached_property
    def rows(self) -> dict[str, Rows]:
        """Return the classes of each row: two pair or better, every pair, ace-king high, and all others."""
        hands = hands_by_strength()
        category = np.array([hand.category for hand in hands])[self.spots.strengths]
        first = np.array([hand.ranks[0] for hand in hands])[self.spots.strengths]
        second = np.array([(*hand.ranks, -1)[1] for hand in hands])[self.spots.strengths]
        pair, high = category == Category.PAIR, category == Category.HIGH_CARD
        rows = {f"pair of {_plural_name(rank)}": pair & (first == rank) for rank in range(ACE, -1, -1)}
        rows[ACE_KING] = high & (first == ACE) & (second == KING)
        return {BETTER: category > Category.PAIR, **rows, OTHERS: high & ~rows[ACE_KING]}

    @cached_property
    def _split_cells(self) -> dict[tuple[str, int], Grown]:
        best = optimal(self.spots)
        features = Features.of(self.spots)
        return {
            (name, rank): grow(features, best, np.flatnonzero(held), rank)
            for name, held in self.rows.items()
            for rank in range(len(RANKS))
        }

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Return every cell: rows from the strongest hand down, up cards from two to ace."""
        return tuple(
            Cell(name, RANKS[rank], rules.shares, rules.branches, rules.missed)
            for (name, rank), rules in self._split_cells.items()
        )

    def decide(self, spots: Spots) -> Decisions:
        """Return the decisions of the chart."""
        del spots
        found = np.zeros((CLASSES, UP_CARDS), np.uint8)
        for rules in self._split_cells.values():
            found[rules.where] = rules.decisions
        return found

    @cached_property
    def cost(self) -> Fraction:
        """Return the cost of playing by the chart compared with optimal play, in Antes."""
        best, chart = (base_game(self.spots, each).ev_per_ante for each in (optimal, self.decide))
        return best - chart

    def sides(self, hand: str, up: str) -> dict[str, dict[str, Fraction]]:
        """Return the best decisions of one cell by the three side cards, with their shares."""
        cell = next((key for key in self._split_cells if (key[0], RANKS[key[1]]) == (hand, up)), None)
        if cell is None:
            rows, ranks = ", ".join(self.rows), " ".join(RANKS)
            raise BadInputError(
                f"There is no cell for {hand!r} and up card {up!r}. Hands: {rows}. Up cards: {ranks}."
            )
        return by_side(Features.of(self.spots), optimal(self.spots), self._split_cells[cell].where)

    def exceptions(self) -> Iterator[str]:
        """Yield a sentence for each cell in which more than one decision is best."""
        for cell in self.cells:
            if cell.mixed:
                *conditions, rest = cell.branches
                parts = [f"{branch.choice} {branch.text}" for branch in conditions]
                parts.append(f"otherwise {rest.choice}" if conditions else rest.choice)
                left = f" (but for {float(cell.missed):.2%} of the hands)"
                up = RANK_NAMES[RANKS.index(cell.up)]
                yield f"{cell.hand} before {a_card(up)}: {'; '.join(parts)}{left if cell.missed else ''}."


def cell_of(hand: Hand, up: int) -> tuple[str, str]:
    """Return the row and the column of the chart for a hand and an up card."""
    column = RANKS[rank_of(up)]
    if hand.category > Category.PAIR:
        return BETTER, column
    if hand.category is Category.PAIR:
        return f"pair of {_plural_name(hand.ranks[0])}", column
    return (ACE_KING if hand.ranks[:2] == (ACE, KING) else OTHERS), column


def _plural_name(rank: int) -> str:
    name = RANK_NAMES[rank]
    return name + ("es" if name == "six" else "s")

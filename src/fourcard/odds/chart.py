"""The optimal strategy as a chart: a decision for each pair and up card, and its exceptions in words.

Where one decision does not serve every hand of a cell, the cell is split by what a player can see (a card of
the up card's rank in the hand, how high the cards beside the pair are), as long as a split is worth learning.
The chart is a strategy itself, so that what its brevity costs can be counted exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

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


@dataclass(frozen=True)
class Cell:
    """What to do with one kind of hand before one up card."""

    hand: str
    up: str
    shares: dict[str, Fraction]
    """How often each decision is the best in this cell."""
    branches: tuple[Branch, ...]
    """Conditions with their decisions, tried in order; the last one holds for whatever is left."""
    missed: Fraction
    """The share of the cell's hands that are best played otherwise than its conditions say."""

    @property
    def decision(self) -> str:
        """Return what the chart does unless a condition says otherwise."""
        return self.branches[-1].choice

    @property
    def mixed(self) -> bool:
        """Say whether one decision does not serve the whole cell."""
        return len(self.shares) > 1

    def answer(self) -> dict[str, object]:
        """Return the cell as scripts read it."""
        return {
            "hand": self.hand,
            "up": self.up,
            "decision": self.decision,
            "shares": {choice: float(share) for choice, share in self.shares.items()},
            "rules": [{"if": branch.text, "then": branch.choice} for branch in self.branches],
            "missed": float(self.missed),
        }


@dataclass(frozen=True)
class Chart:
    """The whole chart, with what it costs against the best decision everywhere."""

    spots: Spots

    @cached_property
    def rows(self) -> dict[str, Rows]:
        """Return the classes of each row: every pair, ace-king high, and each kind that is left."""
        hands = hands_by_strength()
        category = np.array([hand.category for hand in hands])[self.spots.strengths]
        first = np.array([hand.ranks[0] for hand in hands])[self.spots.strengths]
        second = np.array([(*hand.ranks, -1)[1] for hand in hands])[self.spots.strengths]
        pair, high = category == Category.PAIR, category == Category.HIGH_CARD
        rows = {f"pair of {_many(rank)}": pair & (first == rank) for rank in range(ACE, -1, -1)}
        rows[ACE_KING] = high & (first == ACE) & (second == KING)
        return {BETTER: category > Category.PAIR, **rows, OTHERS: high & ~rows[ACE_KING]}

    @cached_property
    def _grown(self) -> dict[tuple[str, int], Grown]:
        best = optimal(self.spots)
        features = Features.of(self.spots)
        return {
            (name, rank): grow(features, best, np.flatnonzero(held), rank)
            for name, held in self.rows.items()
            for rank in range(len(RANKS))
        }

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Return every cell, rows from the strongest hand down and up cards from two to ace."""
        return tuple(
            Cell(name, RANKS[rank], grown.shares, grown.branches, grown.missed)
            for (name, rank), grown in self._grown.items()
        )

    def decide(self, spots: Spots) -> Decisions:
        """Play by the chart."""
        del spots
        found = np.zeros((CLASSES, UP_CARDS), np.uint8)
        for grown in self._grown.values():
            found[grown.where] = grown.decisions
        return found

    @cached_property
    def cost(self) -> Fraction:
        """Return what playing by the chart costs against the best decisions, in Antes."""
        best, chart = (base_game(self.spots, each).ev_per_ante for each in (optimal, self.decide))
        return best - chart

    def sides(self, hand: str, up: str) -> dict[str, dict[str, Fraction]]:
        """Return the best decisions of one cell by the three side cards, and how often each is the best."""
        cell = next((key for key in self._grown if (key[0], RANKS[key[1]]) == (hand, up)), None)
        if cell is None:
            rows, ranks = ", ".join(self.rows), " ".join(RANKS)
            raise BadInputError(f"There is no cell {hand!r} before {up!r}; hands: {rows}; up cards: {ranks}.")
        return by_side(Features.of(self.spots), optimal(self.spots), self._grown[cell].where)

    def exceptions(self) -> Iterator[str]:
        """Yield a sentence for each cell that one decision does not serve."""
        for cell in self.cells:
            if cell.mixed:
                *conditions, rest = cell.branches
                parts = [f"{branch.choice} {branch.text}" for branch in conditions]
                parts.append(f"otherwise {rest.choice}" if conditions else rest.choice)
                left = f" (but for {float(cell.missed):.2%} of the hands)"
                up = RANK_NAMES[RANKS.index(cell.up)]
                yield f"{cell.hand} before {a_card(up)}: {'; '.join(parts)}{left if cell.missed else ''}."


def cell_of(hand: Hand, up: int) -> tuple[str, str]:
    """Return the row and the column of the chart that a hand before an up card belongs to."""
    column = RANKS[rank_of(up)]
    if hand.category > Category.PAIR:
        return BETTER, column
    if hand.category is Category.PAIR:
        return f"pair of {_many(hand.ranks[0])}", column
    return (ACE_KING if hand.ranks[:2] == (ACE, KING) else OTHERS), column


def _many(rank: int) -> str:
    name = RANK_NAMES[rank]
    return name + ("es" if name == "six" else "s")

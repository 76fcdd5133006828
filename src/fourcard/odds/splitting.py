"""Chart rules: splits the hands of one chart cell by a few conditions that a player can check."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANK_NAMES, RANKS
from fourcard.odds.contest import multiple_text
from fourcard.odds.rows import kinds
from fourcard.odds.spots import Decisions, Spots
from fourcard.odds.states import COMPLETIONS, STATES

Where = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Classes and columns of some decision points."""
WORTH_LEARNING = 1e-8
"""A split that saves less than this share of an Ante over all deals is omitted."""
MOST_CONDITIONS = 3
NOISE = 1e-12
"""Splits that differ by less count as equal; the simpler one comes first."""
OTHERWISE = "otherwise"
PLACES = len(RANKS) ** np.array([2, 1, 0])
SIDE_CARD_NAMES = ("highest", "second", "third")


class Branch(msgspec.Struct, frozen=True):
    """A condition and the decision where it is the first that holds."""

    text: str
    choice: str


class Features(msgspec.Struct, frozen=True):
    """The features of each decision point, as arrays."""

    spots: Spots
    up_ranks: NDArray[np.uint8]
    side: NDArray[np.int8]
    """By class: the ranks of the three side cards, from high to low."""
    multiples: tuple[int, ...]

    @classmethod
    def of(cls, spots: Spots) -> "Features":
        """Compute the features of every decision point."""
        ranks = np.sort((spots.cards >> 2).astype(np.int8), axis=1)[:, ::-1]
        often = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
        paired = (often == 2).any(axis=1)
        order = np.argsort(np.where(paired[:, None], often == 2, False), axis=1, kind="stable")
        by_side = np.take_along_axis(ranks, order, axis=1)
        side = np.where(paired[:, None], by_side[:, :3], ranks[:, 2:5])
        return cls(
            spots,
            spots.up_ranks,
            side.astype(np.int8),
            (0, spots.contest.least, spots.contest.most),
        )

    def losses(self, where: Where) -> NDArray[np.float64]:
        """Return, by point and decision, the loss against the best decision, weighted over all deals."""
        terms, held = self.spots.contest, self.spots.kinds[where[0]]
        won = self.spots.beaten[where] / COMPLETIONS
        bonus = np.array([float(terms.bonus_on(kind)) for kind in kinds()])[held]
        ante, play = float(terms.ante), float(terms.play)
        values = [np.full(len(won), -1.0)]
        values += [won * (ante + m * play) - (1 - won) * (1 + m) + bonus for m in self.multiples[1:]]
        table = np.stack(values, axis=1)
        weight = self.spots.states.sizes[where[0]] / STATES
        lost: NDArray[np.float64] = (table.max(axis=1, keepdims=True) - table) * weight[:, None]
        return lost


def conditions(side: NDArray[np.int8], up: int) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield every condition that a player can check, with the side cards for which it holds."""
    matching = (side == up).any(axis=1)
    name = a_card(RANK_NAMES[up])
    yield f"with {name} in the hand", matching
    yield f"without {name} in the hand", ~matching
    for place, word in enumerate(SIDE_CARD_NAMES):
        for rank in range(1, len(RANKS)):
            above = side[:, place] >= rank
            better = "" if rank == len(RANKS) - 1 else " or better"
            yield f"with {a_card(RANK_NAMES[rank])}{better} as the {word} side card", above
            yield f"with less than {a_card(RANK_NAMES[rank])} as the {word} side card", ~above


class Grown(msgspec.Struct, frozen=True):
    """The rules of one cell: its decision points, conditions and decisions."""

    where: Where
    shares: dict[str, Fraction]
    branches: tuple[Branch, ...]
    decisions: NDArray[np.uint8]
    missed: Fraction
    """The share of hands for which another decision is best."""


def grow(features: Features, best: Decisions, held: NDArray[np.intp], up: int) -> Grown:
    """Return the rules for the hands of a row with one up card, the most useful condition first."""
    row, column = np.nonzero(features.up_ranks[held] == up)
    where = held[row], column
    shares = _shares(features, best[where], where)
    if len(shares) == 1:
        (only,) = shares
        return Grown(where, shares, (Branch(OTHERWISE, only),), best[where], Fraction(0))
    codes, group = np.unique(features.side[where[0]] @ PLACES, return_inverse=True)
    side = (codes[:, None] // PLACES % len(RANKS)).astype(np.int8)
    losses = np.zeros((len(side), len(features.multiples)))
    np.add.at(losses, group, features.losses(where))
    left, decided = np.ones(len(side), np.bool_), np.zeros(len(side), np.uint8)
    branches: list[Branch] = []
    possible = list(conditions(side, up))
    while len(branches) < MOST_CONDITIONS and (found := _best_split(losses, left, possible)) is not None:
        text, holds, choice = found
        decided[holds & left] = features.multiples[choice]
        branches.append(Branch(text, multiple_text(features.multiples[choice])))
        left &= ~holds
    rest = features.multiples[int(losses[left].sum(axis=0).argmin())]
    decided[left] = rest
    branches.append(Branch(OTHERWISE, multiple_text(rest)))
    sizes = features.spots.states.sizes[where[0]].astype(np.int64)
    missed = Fraction(int(sizes[decided[group] != best[where]].sum()), int(sizes.sum()))
    return Grown(where, shares, tuple(branches), decided[group], missed)


def by_side(features: Features, best: Decisions, where: Where) -> dict[str, dict[str, Fraction]]:
    """Return the best decisions for each three side cards, such as ``K 7 2``, with their shares."""
    codes = features.side[where[0]] @ PLACES
    sizes, chosen = features.spots.states.sizes[where[0]].astype(np.int64), best[where]
    found: dict[str, dict[str, Fraction]] = {}
    for code in np.unique(codes)[::-1].tolist():
        here = codes == code
        total = int(sizes[here].sum())
        shares = {each: int(sizes[here & (chosen == each)].sum()) for each in features.multiples}
        side = " ".join(RANKS[code // place % len(RANKS)] for place in PLACES.tolist())
        found[side] = {multiple_text(each): Fraction(n, total) for each, n in shares.items() if n}
    return found


def _best_split(
    losses: NDArray[np.float64], left: NDArray[np.bool_], possible: list[tuple[str, NDArray[np.bool_]]]
) -> tuple[str, NDArray[np.bool_], int] | None:
    """Return the condition that saves most on the remaining hands, or None if none is worth learning."""
    now = losses[left].sum(axis=0)
    best, found = now.min() - WORTH_LEARNING, None
    for text, holds in possible:
        inside = losses[holds & left].sum(axis=0)
        total = inside.min() + (now - inside).min()
        if total < best - NOISE:
            best, found = total, (text, holds, int(inside.argmin()))
    return found


def _shares(features: Features, best: NDArray[np.uint8], where: Where) -> dict[str, Fraction]:
    sizes = features.spots.states.sizes[where[0]].astype(np.int64)
    total = int(sizes.sum())
    counted = {each: int(sizes[best == each].sum()) for each in sorted(set(best.tolist()))}
    return {multiple_text(each): Fraction(count, total) for each, count in counted.items()}


def a_card(name: str) -> str:
    """Return a rank's name with its indefinite article."""
    return f"an {name}" if name[0] in "ae" else f"a {name}"

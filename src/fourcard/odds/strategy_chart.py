"""Strategy chart: the best decision for each hand and up card, with exceptions as sentences, and a picture.

Where no single decision is best for every hand of a cell, the cell is split by what a player can see (a card
of the up card's rank in the hand, the ranks of the side cards), as long as a split is worth learning. The
chart is itself a strategy, so the cost of its simplicity is counted exactly.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANK_NAMES, RANKS, card_text, cards_text, rank_of
from fourcard.hands import Category, Hand, plural_rank
from fourcard.odds.base_game import base_game
from fourcard.odds.decision_values import FOLD, decision_name
from fourcard.odds.hand_kinds import hand_kinds, hands_by_strength
from fourcard.odds.rule_words import with_article
from fourcard.odds.state_counts import CLASSES, COMPLETIONS, STATES, UP_CARDS
from fourcard.odds.strategies import DecisionPoints, Decisions, optimal
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    import altair as alt

Where = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Classes and columns of some decision points."""
WORTH_LEARNING = 1e-8
"""A split that saves less than this share of an Ante over all deals is omitted."""
MAX_CONDITIONS = 3
NOISE = 1e-12
"""Splits that differ by less count as equal; the simpler one comes first."""
OTHERWISE = "otherwise"
PLACES = len(RANKS) ** np.array([2, 1, 0])
SIDE_CARD_NAMES = ("highest", "second", "third")


class ChartRule(msgspec.Struct, frozen=True, rename={"condition": "if"}):
    """A condition that a player can check, and the decision where it is the first that holds."""

    condition: str
    then: str


class ChartExample(msgspec.Struct, frozen=True):
    """A hand of a cell with its up card and the best decision for it."""

    hand: str
    up: str
    best: str


class CellFeatures(msgspec.Struct, frozen=True):
    """The features of each decision point, as arrays."""

    points: DecisionPoints
    up_ranks: NDArray[np.uint8]
    side: NDArray[np.int8]
    """By class: the ranks of the three side cards, from high to low."""
    multiples: tuple[int, ...]

    @classmethod
    def of_points(cls, spots: DecisionPoints) -> "CellFeatures":
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
            (0, spots.terms.least, spots.terms.most),
        )

    def values(self, where: Where) -> NDArray[np.float64]:
        """Return the value of each decision that can be best, in Antes, by point."""
        terms, held = self.points.terms, self.points.kinds[where[0]]
        won = self.points.hands_beaten[where] / COMPLETIONS
        bonus = np.array([float(terms.bonus_for(kind)) for kind in hand_kinds()])[held]
        ante, play = float(terms.ante), float(terms.play)
        values = [np.full(len(won), -1.0)]
        values += [won * (ante + m * play) - (1 - won) * (1 + m) + bonus for m in self.multiples[1:]]
        return np.stack(values, axis=1)

    def losses(self, where: Where) -> NDArray[np.float64]:
        """Return, by point and decision, the loss against the best decision, weighted over all deals."""
        table = self.values(where)
        weight = self.points.states.sizes[where[0]] / STATES
        lost: NDArray[np.float64] = (table.max(axis=1, keepdims=True) - table) * weight[:, None]
        return lost

    def averages(self, where: Where) -> dict[str, Fraction]:
        """Return the average value of each decision over some points, in Antes."""
        terms, sizes = self.points.terms, self.points.states.sizes[where[0]].astype(np.int64)
        deals = int(sizes.sum()) * COMPLETIONS
        won = int((sizes * self.points.hands_beaten[where]).sum())
        by_kind = np.bincount(self.points.kinds[where[0]], sizes, len(hand_kinds())).astype(np.int64).tolist()
        paid = (n * terms.bonus_for(kind) for n, kind in zip(by_kind, hand_kinds(), strict=True))
        bonus = sum(paid, Fraction(0)) / int(sizes.sum())
        plays = {
            decision_name(m): (won * (terms.ante + m * terms.play) - (deals - won) * (1 + m)) / deals + bonus
            for m in terms.multiples
        }
        return {decision_name(FOLD): Fraction(-1), **plays}

    def examples(self, where: Where, best: Decisions) -> "Iterator[ChartExample]":
        """Yield a hand for each decision that is best at some points: one for which it is typically clear."""
        values = np.partition(self.values(where), -2, axis=1)
        lead = values[:, -1] - values[:, -2]
        for decision in self.multiples:
            here = np.flatnonzero(best[where] == decision)
            if not len(here):
                continue
            middle = len(here) // 2
            typical = here[np.argpartition(lead[here], middle)[middle]]
            row, column = where[0][typical], where[1][typical]
            yield ChartExample(
                cards_text(self.points.cards[row, ::-1].tolist()),
                card_text(int(self.points.up_cards[row, column])),
                decision_name(decision),
            )


def split_conditions(side: NDArray[np.int8], up: int) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield every condition that a player can check, with the side cards for which it holds."""
    matching = (side == up).any(axis=1)
    name = with_article(RANK_NAMES[up])
    yield f"with {name} in the hand", matching
    yield f"without {name} in the hand", ~matching
    for place, word in enumerate(SIDE_CARD_NAMES):
        for rank in range(1, len(RANKS)):
            above = side[:, place] >= rank
            better = "" if rank == len(RANKS) - 1 else " or better"
            yield f"with {with_article(RANK_NAMES[rank])}{better} as the {word} side card", above
            yield f"with less than {with_article(RANK_NAMES[rank])} as the {word} side card", ~above


class SplitRules(msgspec.Struct, frozen=True):
    """The rules of one cell: its decision points, conditions and decisions."""

    where: Where
    shares: dict[str, Fraction]
    branches: tuple[ChartRule, ...]
    decisions: NDArray[np.uint8]
    missed: Fraction
    """The share of hands for which another decision is best."""


def points_by_up_rank(up_ranks: NDArray[np.uint8], held: NDArray[np.intp]) -> Iterator[Where]:
    """Yield the decision points of some classes for each rank of the up card."""
    ranks = up_ranks[held].ravel()
    order = np.argsort(ranks, kind="stable")
    ends = np.cumsum(np.bincount(ranks, minlength=len(RANKS)))
    for points in np.split(order, ends[:-1]):
        row, column = np.divmod(points, UP_CARDS)
        yield held[row], column


def split_cell(features: CellFeatures, best: Decisions, where: Where, up: int) -> SplitRules:
    """Return the rules for the hands of a row with one up card, the most useful condition first."""
    shares = _shares(features, best[where], where)
    if len(shares) == 1:
        (only,) = shares
        return SplitRules(where, shares, (ChartRule(OTHERWISE, only),), best[where], Fraction(0))
    codes, group = np.unique(features.side[where[0]] @ PLACES, return_inverse=True)
    side = (codes[:, None] // PLACES % len(RANKS)).astype(np.int8)
    losses = np.zeros((len(side), len(features.multiples)))
    np.add.at(losses, group, features.losses(where))
    left, decided = np.ones(len(side), np.bool_), np.zeros(len(side), np.uint8)
    branches: list[ChartRule] = []
    possible = list(split_conditions(side, up))
    while len(branches) < MAX_CONDITIONS and (found := _best_split(losses, left, possible)) is not None:
        text, holds, choice = found
        decided[holds & left] = features.multiples[choice]
        branches.append(ChartRule(text, decision_name(features.multiples[choice])))
        left &= ~holds
    rest = features.multiples[int(losses[left].sum(axis=0).argmin())]
    decided[left] = rest
    branches.append(ChartRule(OTHERWISE, decision_name(rest)))
    sizes = features.points.states.sizes[where[0]].astype(np.int64)
    missed = Fraction(int(sizes[decided[group] != best[where]].sum()), int(sizes.sum()))
    return SplitRules(where, shares, tuple(branches), decided[group], missed)


def decisions_by_side_cards(
    features: CellFeatures, best: Decisions, where: Where
) -> dict[str, dict[str, Fraction]]:
    """Return the best decisions for each three side cards, such as ``K 7 2``, with their shares."""
    codes = features.side[where[0]] @ PLACES
    sizes, chosen = features.points.states.sizes[where[0]].astype(np.int64), best[where]
    found: dict[str, dict[str, Fraction]] = {}
    for code in np.unique(codes)[::-1].tolist():
        here = codes == code
        total = int(sizes[here].sum())
        shares = {each: int(sizes[here & (chosen == each)].sum()) for each in features.multiples}
        side = " ".join(RANKS[code // place % len(RANKS)] for place in PLACES.tolist())
        found[side] = {decision_name(each): Fraction(n, total) for each, n in shares.items() if n}
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


def _shares(features: CellFeatures, best: NDArray[np.uint8], where: Where) -> dict[str, Fraction]:
    sizes = features.points.states.sizes[where[0]].astype(np.int64)
    total = int(sizes.sum())
    counted = {each: int(sizes[best == each].sum()) for each in sorted(set(best.tolist()))}
    return {decision_name(each): Fraction(count, total) for each, count in counted.items()}


ACE, KING = len(RANKS) - 1, len(RANKS) - 2
ACE_KING = "ace and king high"
OTHERS = "anything else"
BETTER = "two pair or better"
RowMask = NDArray[np.bool_]


class ChartCell(msgspec.Struct, frozen=True):
    """The decision for one kind of hand with one up card."""

    hand: str
    up: str
    decision: str
    """The decision of the highest average value."""
    mixed: bool
    """Whether more than one decision is best in this cell."""
    shares: dict[str, float]
    """The share of hands for which each decision is best."""
    rules: tuple[ChartRule, ...]
    """Conditions with their decisions, tried in order; the last one applies to the remaining hands."""
    missed: float
    """The share of the cell's hands for which its rules do not give the best decision."""
    values: dict[str, float]
    """The average value of each decision, in Antes."""
    margin: float
    """What the second-best decision loses on average, in Antes."""
    weight: float
    """The share of all deals."""
    examples: tuple[ChartExample, ...]
    """A typical hand for each decision that is best for some hands."""


def _chart_cell(features: CellFeatures, best: Decisions, hand: str, up: str, rules: SplitRules) -> ChartCell:
    values = features.averages(rules.where)
    *_, second, most = sorted(values.values())
    return ChartCell(
        hand,
        up,
        max(values, key=lambda decision: values[decision]),
        len(rules.shares) > 1,
        {choice: float(share) for choice, share in rules.shares.items()},
        rules.branches,
        float(rules.missed),
        {choice: float(value) for choice, value in values.items()},
        float(most - second),
        float(Fraction(int(features.points.states.sizes[rules.where[0]].sum(dtype=np.int64)), STATES)),
        tuple(features.examples(rules.where, best)),
    )


class StrategyChart(msgspec.Struct, frozen=True, dict=True):
    """The whole chart, with its cost compared with optimal play."""

    points: DecisionPoints

    @cached_property
    def rows(self) -> dict[str, RowMask]:
        """Return the classes of each row: two pair or better, every pair, ace-king high, and all others."""
        hands = hands_by_strength()
        category = np.array([hand.category for hand in hands])[self.points.strengths]
        first = np.array([hand.ranks[0] for hand in hands])[self.points.strengths]
        second = np.array([(*hand.ranks, -1)[1] for hand in hands])[self.points.strengths]
        pair, high = category == Category.PAIR, category == Category.HIGH_CARD
        rows = {f"pair of {plural_rank(rank)}": pair & (first == rank) for rank in range(ACE, -1, -1)}
        rows[ACE_KING] = high & (first == ACE) & (second == KING)
        return {BETTER: category > Category.PAIR, **rows, OTHERS: high & ~rows[ACE_KING]}

    @cached_property
    def _best(self) -> Decisions:
        return optimal(self.points)

    @cached_property
    def _features(self) -> CellFeatures:
        return CellFeatures.of_points(self.points)

    @cached_property
    def _split_cells(self) -> dict[tuple[str, int], SplitRules]:
        return {
            (name, rank): split_cell(self._features, self._best, where, rank)
            for name, held in self.rows.items()
            for rank, where in enumerate(points_by_up_rank(self.points.up_ranks, np.flatnonzero(held)))
        }

    @cached_property
    def cells(self) -> tuple[ChartCell, ...]:
        """Return every cell: rows from the strongest hand down, up cards from two to ace."""
        return tuple(
            _chart_cell(self._features, self._best, name, RANKS[rank], rules)
            for (name, rank), rules in self._split_cells.items()
        )

    def decide(self, spots: DecisionPoints) -> Decisions:
        """Return the decisions of the chart."""
        del spots
        found = np.zeros((CLASSES, UP_CARDS), np.uint8)
        for rules in self._split_cells.values():
            found[rules.where] = rules.decisions
        return found

    @cached_property
    def cost(self) -> Fraction:
        """Return the cost of playing by the chart compared with optimal play, in Antes."""
        best, chart = (base_game(self.points, each).ev_per_ante for each in (optimal, self.decide))
        return best - chart

    def decisions_by_side_cards(self, hand: str, up: str) -> dict[str, dict[str, Fraction]]:
        """Return the best decisions of one cell by the three side cards, with their shares."""
        cell = next((key for key in self._split_cells if (key[0], RANKS[key[1]]) == (hand, up)), None)
        if cell is None:
            rows, ranks = ", ".join(self.rows), " ".join(RANKS)
            raise BadInputError(
                f"There is no cell for {hand!r} and up card {up!r}. Hands: {rows}. Up cards: {ranks}."
            )
        return decisions_by_side_cards(self._features, self._best, self._split_cells[cell].where)

    def exceptions(self) -> Iterator[str]:
        """Yield a sentence for each cell in which more than one decision is best."""
        for cell in self.cells:
            if cell.mixed:
                *conditions, rest = cell.rules
                parts = [f"{rule.then} {rule.condition}" for rule in conditions]
                parts.append(f"otherwise {rest.then}" if conditions else rest.then)
                left = f" (but for {cell.missed:.2%} of the hands)"
                up = RANK_NAMES[RANKS.index(cell.up)]
                choices = "; ".join(parts)
                yield f"{cell.hand} before {with_article(up)}: {choices}{left if cell.missed else ''}."


def chart_cell_of(hand: Hand, up: int) -> tuple[str, str]:
    """Return the row and the column of the chart for a hand and an up card."""
    column = RANKS[rank_of(up)]
    if hand.category > Category.PAIR:
        return BETTER, column
    if hand.category is Category.PAIR:
        return f"pair of {plural_rank(hand.ranks[0])}", column
    return (ACE_KING if hand.ranks[:2] == (ACE, KING) else OTHERS), column


COLOURS = {"fold": "#c9ced6", "1x": "#f2b84b", "2x": "#8fb8de", "3x": "#3f8f6b"}
CELL_PIXELS = 42


def draw_strategy_chart(chart: StrategyChart, subtitle: str) -> "alt.LayerChart":
    """Return the picture of a strategy chart; a star marks a cell with exceptions."""
    import altair as alt

    cells = [
        {
            "hand": cell.hand,
            "up": cell.up,
            "decision": cell.decision,
            "label": cell.decision.replace("fold", "F").replace("x", "") + ("*" if cell.mixed else ""),
            "share": cell.shares[cell.decision],
        }
        for cell in chart.cells
    ]
    taken = {cell.decision for cell in chart.cells}
    used = {decision: colour for decision, colour in COLOURS.items() if decision in taken}
    hands = list(dict.fromkeys(cell.hand for cell in chart.cells))
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "up:N", sort=list(RANKS), title="dealer's up card", axis=alt.Axis(orient="top", labelAngle=0)
        ),
        y=alt.Y("hand:N", sort=hands, title=None),
    )
    tiles = base.mark_rect(stroke="white").encode(
        color=alt.Color(
            "decision:N",
            title="best decision",
            scale=alt.Scale(domain=list(used), range=list(used.values())),
        ),
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0.5, 1], range=[0.55, 1]), legend=None),
    )
    words = base.mark_text(fontSize=14, fontWeight="bold").encode(text="label:N")
    picture: alt.LayerChart = alt.layer(
        tiles,
        words,
        width=CELL_PIXELS * len(RANKS),
        height=CELL_PIXELS * len(hands) * 0.75,
        title=alt.Title(
            "Four Card Poker: the best decision for each hand and up card",
            subtitle=[
                subtitle,
                "* some hands of the cell have another best decision; `fourcard strategy` lists them",
            ],
            anchor="start",
        ),
    ).configure_view(stroke=None)
    return picture

"""Strategy search: finds a strategy of a few rules to memorise, and counts its house edge exactly.

Decision points that no rule tells apart are added up first: by groups of hands that are easy to name, by the
up card's rank, and by whether the hand holds a card of that rank. What a rule gains is then the sum over a
rectangle, and running sums give the gain of every rectangle at once. The search adds the best rule, anywhere
in the order, to the best lists of one rule less; then it takes out one rule or two and puts the best ones in
their place, until no such change helps. At nearly equal value the list that is easier to say is better. It
uses no chance: the same terms always give the same rules.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANKS
from fourcard.hands import Category
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import FOLD, decision_name
from fourcard.odds.hand_kinds import hand_kinds, hands_by_strength, kind_of_strength
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.rule_words import HandGroup, rule_sentence, up_text
from fourcard.odds.state_counts import COMPLETIONS, STATES
from fourcard.odds.strategies import BETS, Bet, DecisionPoints, StrategyFile, StrategyRule, optimal

BEAM = 8
"""How many lists of each length the search extends."""
EFFORT = 1e-5
"""What one more condition must save, in Antes over all deals."""
LEAST_EFFORT = 1e-9
"""From here on conditions are free: a rule only has to save anything at all."""
NOISE = 1e-11
"""Sums that differ by less count as equal."""
Gains = NDArray[np.float64]
"""By group of hands, up card's rank and whether the hand holds that rank, in Antes over all deals."""
Choices = NDArray[np.intp]
"""The index of the decision, by group of hands, up card's rank and whether the hand holds that rank."""
HOLDS = (slice(None), slice(1, 2), slice(0, 1))
"""The points of a rule: for any hand, for one that holds the up card's rank, for one that does not."""
MATCHING = (None, True, False)


def up_effort(up: range) -> int:
    """Return how many ranks a player must remember for up cards whose ranks follow each other."""
    if len(up) == len(RANKS):
        return 0
    return 1 if len(up) == 1 or up.start == 0 or up.stop == len(RANKS) else 2


UP_RANGES = sorted(
    (range(*ends) for ends in combinations(range(len(RANKS) + 1), 2)), key=lambda up: (up_effort(up), len(up))
)
"""The easiest to say first, then the narrowest."""
UP_FIRST = np.array([up.start for up in UP_RANGES])
UP_END = np.array([up.stop for up in UP_RANGES])
UP_EFFORT = np.array([up_effort(up) for up in UP_RANGES])


class SearchRule(NamedTuple):
    """A rule as a rectangle: the groups of hands and up cards for which it decides."""

    first: int
    end: int
    up: range
    holds: int
    """The index of its condition on a card of the up card's rank."""
    choice: int
    """The index of its decision."""

    @property
    def where(self) -> tuple[slice, slice, slice]:
        """Return the rectangle as an index of points."""
        return slice(self.first, self.end), slice(self.up.start, self.up.stop), HOLDS[self.holds]


RuleList = tuple[SearchRule, ...]


class Candidate(NamedTuple):
    """A list of rules with its cost: the loss in Antes, and the effort to remember it."""

    cost: float
    rules: RuleList


class RuleStrategy(msgspec.Struct, frozen=True):
    """A strategy to memorise, and its exact results on an Ante of one unit."""

    name: str
    says: str
    otherwise: Bet
    rules: tuple[StrategyRule, ...]
    """The first rule that fits decides."""
    house_edge: Fraction
    element_of_risk: Fraction
    average_wager: Fraction
    cost: Fraction
    """Extra cost compared with the best strategy."""
    decisions: dict[str, Fraction]

    @property
    def file(self) -> StrategyFile:
        """Return the strategy as a file holds it."""
        return StrategyFile(name=self.name, says=self.says, otherwise=self.otherwise, rules=self.rules)


def hand_groups() -> tuple[HandGroup, ...]:
    """Return the groups of hands that rules tell apart: every category, pairs and high cards by rank."""
    starts: dict[tuple[Category, int | None], int] = {}
    for hand in hands_by_strength():
        rank = hand.ranks[0] if hand.category <= Category.PAIR else None
        starts.setdefault((hand.category, rank), hand.strength)
    categories = [category for category, _ in starts]
    return tuple(
        HandGroup(
            category,
            rank,
            start,
            is_first=category not in categories[:place],
            is_last=category not in categories[place + 1 :],
        )
        for place, ((category, rank), start) in enumerate(starts.items())
    )


class RuleSearch(msgspec.Struct, frozen=True, dict=True):
    """The search under some terms."""

    points: DecisionPoints

    @cached_property
    def groups(self) -> tuple[HandGroup, ...]:
        """Return the groups of hands, the weakest first."""
        return hand_groups()

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """Return the decisions that can be best: to fold, the smallest and the largest Play wager."""
        terms = self.points.terms
        return tuple(dict.fromkeys((FOLD, terms.least, terms.most)))

    @cached_property
    def values(self) -> Gains:
        """Return the value of each decision, summed over the points that no rule tells apart."""
        points, shape = self.points, (len(hands_by_strength()), len(RANKS), 2)
        place = np.ravel_multi_index(
            (points.strengths[:, None].astype(np.intp), points.up_ranks, points.matching.astype(np.intp)),
            shape,
        ).ravel()
        sizes = np.broadcast_to(points.states.sizes[:, None], points.hands_beaten.shape)
        won = np.bincount(place, (sizes * points.hands_beaten.astype(np.float64)).ravel(), np.prod(shape))
        count = np.bincount(place, sizes.ravel(), np.prod(shape)).astype(np.float64).reshape(shape)
        by_strength = self._values_by_strength(won.reshape(shape) / COMPLETIONS, count) / STATES
        starts = [group.start for group in self.groups]
        return np.add.reduceat(by_strength, starts, axis=1)

    def _values_by_strength(self, won: Gains, count: Gains) -> Gains:
        terms = self.points.terms
        paid = np.array([float(terms.bonus_for(kind)) for kind in hand_kinds()])[kind_of_strength()]
        bonus, ante, play = count * paid[:, None, None], float(terms.ante), float(terms.play)
        found = [
            -count if each == FOLD else won * (ante + each * play + 1 + each) - count * (1 + each) + bonus
            for each in self.choices
        ]
        return np.stack(found)

    @cached_property
    def otherwise(self) -> int:
        """Return the index of the decision where no rule fits: the best one for hands without a pair."""
        weakest = [group.category is Category.HIGH_CARD for group in self.groups]
        return int(self.values[:, weakest].sum(axis=(1, 2, 3)).argmax())

    @cached_property
    def _low_effort(self) -> NDArray[np.int64]:
        return np.array([0] + [1] * (len(self.groups) - 1))

    @cached_property
    def _high_effort(self) -> NDArray[np.int64]:
        return np.array([1] * len(self.groups) + [0])

    def _effort(self, rule: SearchRule) -> int:
        ends = self._low_effort[rule.first] + self._high_effort[rule.end]
        return int(ends) + up_effort(rule.up) + (rule.holds > 0)

    def _decide(self, rules: Sequence[SearchRule]) -> Choices:
        found = np.full(self.values.shape[1:], self.otherwise, np.intp)
        for rule in reversed(rules):
            found[rule.where] = rule.choice
        return found

    def _loss(self, rules: RuleList) -> float:
        return -float(np.take_along_axis(self.values, self._decide(rules)[None], 0).sum())

    def _cost(self, rules: RuleList, effort: float) -> float:
        return self._loss(rules) + effort * sum(map(self._effort, rules))

    def _additions(self, rules: RuleList, effort: float) -> Iterator[Candidate]:
        """Yield the list with one more rule: the best one for each place, decision and condition."""
        cost = self._cost(rules, effort)
        for place in range(len(rules) + 1):
            now = np.take_along_axis(self.values, self._decide(rules[place:])[None], 0)
            gains = self.values - now
            for before in rules[:place]:
                gains[(slice(None), *before.where)] = 0
            for gain, rule in self._best_rectangles(gains, effort):
                yield Candidate(round(cost - gain, 12), (*rules[:place], rule, *rules[place:]))

    def _best_rectangles(self, gains: Gains, effort: float) -> Iterator[tuple[float, SearchRule]]:
        """Yield the best rectangle for each decision and condition, with its gain less its effort."""
        by_holding = np.stack([gains[..., holds].sum(axis=-1) for holds in HOLDS], axis=1)
        sums = np.zeros((*by_holding.shape[:2], len(self.groups) + 1, len(RANKS) + 1))
        sums[:, :, 1:, 1:] = by_holding.cumsum(axis=2).cumsum(axis=3)
        below = sums[..., UP_END] - sums[..., UP_FIRST]
        ends = below - effort * self._high_effort[:, None]
        """By decision, condition, end and up cards: all hands below the end, less the effort of naming it."""
        best_end = np.maximum.accumulate(ends[:, :, ::-1], axis=2)[:, :, ::-1]
        conditions = effort * (self._low_effort[:, None] + UP_EFFORT)
        found = (best_end[:, :, 1:] - below[:, :, :-1] - conditions)[
            :, :, ::-1
        ]  # among equals the fewest hands
        tables = np.round(found, 12).reshape(*found.shape[:2], -1)
        places = tables.argmax(axis=2)
        for choice, holds in np.ndindex(*places.shape):
            place = int(places[choice, holds])
            start, up = divmod(place, len(UP_RANGES))
            first = len(self.groups) - 1 - start
            end = first + 1 + int(_last_maximum(ends[choice, holds, first + 1 :, up]))
            gain = float(tables[choice, holds, place]) - effort * (holds > 0)
            yield gain, SearchRule(first, end, UP_RANGES[up], holds, choice)

    def _best_addition(self, rules: RuleList, effort: float) -> Candidate:
        return min(self._additions(rules, effort), key=lambda each: each.cost)

    def _with_replaced(self, rules: RuleList, effort: float, count: int) -> Candidate:
        """Return the best list that differs in so many rules: each set is taken out and made good again."""
        found = []
        for out in combinations(range(len(rules)), count):
            kept = tuple(rule for place, rule in enumerate(rules) if place not in out)
            changed = self._best_addition(kept, effort)
            for _ in out[1:]:
                changed = self._best_addition(changed.rules, effort)
            found.append(changed)
        return min(found, key=lambda each: each.cost)

    def _improve(self, start: Candidate, effort: float) -> Candidate:
        """Replace one rule or two as long as that helps."""
        best, replaced = start, 1
        while replaced <= min(2, len(best.rules)):
            other = self._with_replaced(best.rules, effort, replaced)
            if other.cost < best.cost - NOISE:
                best, replaced = other, 1
            else:
                replaced += 1
        return best

    def _extend(self, beam: Sequence[RuleList], effort: float) -> list[RuleList]:
        """Return the best lists with one more rule, the best one improved."""
        every = {each.cost: each for rules in beam for each in self._additions(rules, effort)}
        best = [every[cost] for cost in sorted(every)[:BEAM]]
        improved = self._improve(best[0], effort)
        return [improved.rules, *(each.rules for each in best if each.cost != improved.cost)][:BEAM]

    def rule_lists(self, count: int, step: ProgressCallback = no_progress) -> Iterator[RuleList]:
        """Yield the best list of one rule, of two and so on; fewer if no other rule saves anything."""
        effort, loss = EFFORT, self._loss(())
        beam: list[RuleList] = [()]
        total = sum((each + 1) ** 3 for each in range(count))
        for length in range(count):
            found = self._extend(beam, effort)
            while self._loss(found[0]) > loss - NOISE and effort > LEAST_EFFORT:
                effort /= 10
                found = self._extend(beam, effort)
            if self._loss(found[0]) > loss - NOISE:
                return
            beam, loss = found, self._loss(found[0])
            yield found[0]
            step((length + 1) ** 3 / total)

    def file(self, rules: RuleList) -> StrategyFile:
        """Return a list of rules as a strategy."""
        return StrategyFile(
            name=f"{len(rules)} rules",
            says="Found by search, to memorise: the first rule that fits decides.",
            otherwise=self._bet(self.otherwise),
            rules=tuple(map(self._file_rule, self._in_order(rules))),
        )

    def _in_order(self, rules: RuleList) -> list[SearchRule]:
        """Return the rules with the strongest hands first where that changes no decision."""
        ordered, decisions = list(rules), self._decide(rules)
        for _ in rules:
            for place in range(len(rules) - 1):
                pair = ordered[place : place + 2]
                swapped = [*ordered[:place], *reversed(pair), *ordered[place + 2 :]]
                if pair[1][:2] > pair[0][:2] and np.array_equal(self._decide(swapped), decisions):
                    ordered = swapped
        return ordered

    def _file_rule(self, rule: SearchRule) -> StrategyRule:
        low = self.groups[rule.first] if rule.first else None
        high = self.groups[rule.end - 1] if rule.end < len(self.groups) else None
        matching, bet = MATCHING[rule.holds], self._bet(rule.choice)
        return StrategyRule(
            bet=bet,
            at_least=None if low is None else low.from_text,
            at_most=None if high is None else high.to_text,
            up=up_text(rule.up),
            matching=matching,
            says=rule_sentence(bet, low, high, rule.up, matching),
        )

    def _bet(self, choice: int) -> Bet:
        return next(bet for bet, multiple in BETS.items() if multiple == self.choices[choice])


def rule_strategies(
    points: DecisionPoints, lengths: Sequence[int], step: ProgressCallback = no_progress
) -> tuple[RuleStrategy, ...]:
    """Return the strategy of each number of rules; one of fewer rules where no other rule saves anything."""
    search, best = RuleSearch(points), base_game(points, optimal)
    found = [*search.rule_lists(max(lengths), step)]
    chosen = dict.fromkeys(min(length, len(found)) for length in lengths)
    return tuple(_results(search.file(found[length - 1]), points, best) for length in chosen)


def _results(file: StrategyFile, points: DecisionPoints, best: BaseGame) -> RuleStrategy:
    game = base_game(points, file)
    return RuleStrategy(
        file.name,
        file.says,
        file.otherwise,
        file.rules,
        game.house_edge,
        game.element_of_risk,
        game.average_wager,
        game.house_edge - best.house_edge,
        {decision_name(each): share for each, share in game.decisions.items()},
    )


def _last_maximum(values: NDArray[np.float64]) -> int:
    """Return the place of the largest value, the last of equal ones: no upper bound where none is needed."""
    return int(np.flatnonzero(values >= values.max() - NOISE)[-1])

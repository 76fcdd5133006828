"""Decision routes: what each of a player's decisions cost, the mistakes, the next one, and skill over time.

Rules and posted limits bound the best decision. Chips do not, because a player can buy more before deciding;
the missing amount is reported. A void round has no decisions: its wagers are returned.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.cards import card_text, cards_text
from fourcard.hands import best_hand
from fourcard.house.auth.identity import Actor
from fourcard.house.round_index import (
    SEEN_BY_PLAYER,
    SEEN_BY_SURVEILLANCE,
    IndexedPosition,
    IndexedRound,
)
from fourcard.odds.decision_values import DecisionOptions, advice
from fourcard.odds.strategies import base_terms_of
from fourcard.odds.verdicts import VERDICTS, verdict_on
from fourcard.rules.game import Game
from fourcard.rules.limits import plays_allowed
from fourcard.server.api.compute_cache import Solver, unsolved_refusal
from fourcard.server.api.params import (
    DEFAULT_LIMIT,
    AfterParam,
    LimitParam,
    ListPage,
    RoundNumberParam,
    TableParam,
    page_after,
)
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories, choice_name, rounds_of
from fourcard.server.error_handlers import error_responses

TAGS = ["review"]
MAX_UNSOLVED = 200
"""How many decisions are counted one by one while the game is not solved."""


DecisionKey = tuple[str, int, int]
"""The table, the round and the position of a decision."""


class DecisionReview(msgspec.Struct, frozen=True):
    """One decision compared with the best one."""

    options: DecisionOptions
    cost: Fraction
    """What it cost, in cents."""


class DecisionCost(msgspec.Struct, frozen=True):
    """One decision and its exact cost in cents."""

    round: IndexedRound
    place: IndexedPosition
    cost: Fraction

    @property
    def key(self) -> DecisionKey:
        """Return the table, the round and the position."""
        return decision_key(self.round, self.place)

    @property
    def antes(self) -> Fraction:
        """Return the cost in Antes."""
        return self.cost / self.place.wagers["ante"]

    @property
    def verdict(self) -> str:
        """Return the verdict on the decision."""
        return verdict_on(self.antes)


def decision_key(found: IndexedRound, place: IndexedPosition) -> DecisionKey:
    """Return the key of a decision."""
    return found.table, found.number, place.position


def seen_by(place: IndexedPosition, player: str | None) -> bool:
    """Return whether the player saw the cards of a position, or surveillance (None)."""
    return bool(place.seen & (SEEN_BY_SURVEILLANCE if player is None else SEEN_BY_PLAYER))


def decisions_of(found: IndexedRound, player: str | None) -> Iterator[IndexedPosition]:
    """Yield the positions of a round where a player decided, or anybody whose cards surveillance saw."""
    if found.void or found.up is None:
        return
    for place in found.positions_of(player):
        decided = place.decision is not None and place.chips is not None and seen_by(place, player)
        if decided and place.wagers.get("ante"):
            yield place


def review_decision(game: Game, found: IndexedRound, place: IndexedPosition) -> DecisionReview | None:
    """Return the cost of a decision, or None if only a fold was allowed."""
    assert found.up is not None
    assert place.decision is not None
    assert place.chips is not None
    ante = place.wagers["ante"]
    plays = plays_allowed(game, ante)
    if not plays:
        return None
    options = DecisionOptions(advice(place.cards, found.up, base_terms_of(game)), ante, plays, place.chips)
    return DecisionReview(options, options.cost(place.decision))


def costs_of(histories: Histories, rounds: Iterable[IndexedRound], player: str | None) -> list[DecisionCost]:
    """Return the cost of each decision of some rounds; known costs are reused."""
    known, costs = histories.costs, list[DecisionCost]()
    for found in rounds:
        for place in decisions_of(found, player):
            key = decision_key(found, place)
            if key not in known:
                reviewed = review_decision(histories.game(found.game), found, place)
                known[key] = None if reviewed is None else reviewed.cost
            cost = known[key]
            if cost is not None:
                costs.append(DecisionCost(found, place, cost))
    return costs


def decision_costs(
    histories: Histories, player: str | None, table: str | None, solved: float
) -> list[DecisionCost]:
    """Return the cost of each decision, newest first, if enough of the game is solved."""
    with histories.store.reading() as reading:
        rounds = [*rounds_of(reading, player, table)]
    check_countable(histories, rounds, player, solved)
    return costs_of(histories, rounds, player)


def check_countable(
    histories: Histories, rounds: Iterable[IndexedRound], player: str | None, solved: float
) -> None:
    """Refuse if too many decisions would be counted one by one, because the game is not solved yet."""
    if solved >= 1:
        return
    keys = (decision_key(each, place) for each in rounds for place in decisions_of(each, player))
    if sum(key not in histories.costs for key in keys) > MAX_UNSOLVED:
        raise unsolved_refusal(solved)


def verdict_counts(costs: Iterable[DecisionCost]) -> dict[str, int]:
    """Return how many decisions have each verdict, the best one first."""
    found = dict.fromkeys((each.name for each in VERDICTS), 0)
    for each in costs:
        found[each.verdict] += 1
    return found


class Mistake(msgspec.Struct, frozen=True):
    """A decision that was not the best one, amounts in cents."""

    table: str
    number: int
    position: int
    hand: str
    up: str
    ante: int
    chose: str
    best: str
    cost: float
    verdict: str
    values: dict[str, float]
    """Value of each allowed choice, in cents."""
    short: int
    """Cents missing for the best choice at the time."""


class DecisionsAnswer(msgspec.Struct, frozen=True):
    """All own decisions, and the mistakes, most expensive first."""

    decisions: int
    right: int
    cost: float
    """Cost of all mistakes, in cents."""
    mistakes: ListPage[Mistake]


MistakeOrder = Literal["cost", "recent"]


def mistakes_in(costs: Iterable[DecisionCost], order: MistakeOrder = "cost") -> list[DecisionCost]:
    """Return the mistakes among decisions from new to old: most expensive first, or newest first."""
    found = [each for each in costs if each.cost > 0]
    return sorted(found, key=lambda each: -each.cost) if order == "cost" else found


@get(
    "/api/decisions",
    summary="Your decisions, and what mistakes cost",
    tags=TAGS,
    responses=error_responses(400, 401, 404, 429, 503),
    sync_to_thread=True,
)
def list_decisions(
    reports: NamedDependency[Reports],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    table: TableParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> DecisionsAnswer:
    """Compare each of your decisions with the best one and return what it cost."""
    if actor.kind != "player":
        return DecisionsAnswer(0, 0, 0.0, ListPage((), None))
    return reports.pages.run(player_decisions, actor.person, table, limit, after, solver.started_progress())


def player_decisions(
    histories: Histories, player: str, table: str | None, limit: int, after: str | None, solved: float
) -> DecisionsAnswer:
    """Return what a player's decisions cost, with a page of the mistakes, if enough of the game is solved."""
    costs = decision_costs(histories, player, table, solved)
    mistakes_made = mistakes_in(costs)
    page = page_after(mistakes_made, lambda each: ":".join(map(str, each.key)), limit, after)
    mistakes = ListPage(tuple(_mistake(histories, each) for each in page.items), page.next)
    total = float(sum(each.cost for each in mistakes_made))
    return DecisionsAnswer(len(costs), len(costs) - len(mistakes_made), total, mistakes)


def _mistake(histories: Histories, each: DecisionCost) -> Mistake:
    found = review_decision(histories.game(each.round.game), each.round, each.place)
    assert found is not None
    assert each.round.up is not None
    best = found.options.best
    return Mistake(
        table=each.round.table,
        number=each.round.number,
        position=each.place.position,
        hand=cards_text(each.place.cards),
        up=card_text(each.round.up),
        ante=each.place.wagers["ante"],
        chose=choice_name(each.place) or "fold",
        best=best.name,
        cost=float(found.cost),
        verdict=each.verdict,
        values={option.name: float(option.value) for option in found.options.options if option.allowed},
        short=best.missing_cents,
    )


class NextMistake(msgspec.Struct, frozen=True):
    """The mistake after a decision, and its place among all of them."""

    mistake: Mistake | None
    """None after the last one."""
    place: int
    """1 for the first one; 0 without a mistake."""
    of: int


OrderParam = Annotated[MistakeOrder, Parameter(description="Most expensive first, or most recent first.")]
PositionParam = Annotated[int | None, Parameter(ge=1, le=7, description="The position of the decision.")]


@get(
    "/api/decisions/next",
    summary="Your next mistake",
    tags=TAGS,
    responses=error_responses(400, 401, 429, 503),
    sync_to_thread=True,
)
def next_mistake(
    reports: NamedDependency[Reports],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    order: OrderParam = "cost",
    table: TableParam = None,
    number: RoundNumberParam = None,
    position: PositionParam = None,
) -> NextMistake:
    """Return the mistake that follows a decision; without one the first mistake."""
    if actor.kind != "player":
        return NextMistake(None, 0, 0)
    after = (table or "", number or 0, position or 0)
    return reports.pages.run(mistake_after, actor.person, order, after, solver.started_progress())


def mistake_after(
    histories: Histories, player: str, order: MistakeOrder, after: DecisionKey, solved: float
) -> NextMistake:
    """Return the mistake after a decision; after one that is none, the next older or the most expensive."""
    costs = decision_costs(histories, player, None, solved)
    found = mistakes_in(costs, order)
    at = _place_after(costs, found, order, after)
    if at >= len(found):
        return NextMistake(None, 0, len(found))
    return NextMistake(_mistake(histories, found[at]), at + 1, len(found))


def _place_after(
    costs: Sequence[DecisionCost],
    found: Sequence[DecisionCost],
    order: MistakeOrder,
    after: DecisionKey,
) -> int:
    for at, each in enumerate(found):
        if each.key == after:
            return at + 1
    if order == "cost":
        return 0
    keys = [each.key for each in costs]
    newer = costs[: keys.index(after)] if after in keys else ()
    return sum(each.cost > 0 for each in newer)


MAX_PERIODS = 12
LEAST_IN_PERIOD = 10
"""Decisions; an average of fewer says little."""


class SkillGroup(msgspec.Struct, frozen=True):
    """A player's decisions with hands of one category and first rank."""

    category: str
    rank: int
    """From 0 for the two to 12 for the ace."""
    decisions: int
    best: int
    """How many were the best one."""
    lost: float
    """Cost of the others, in Antes."""


class SkillPeriod(msgspec.Struct, frozen=True):
    """Some of a player's decisions in a row."""

    begin: int
    end: int
    groups: tuple[SkillGroup, ...]


class SkillAnswer(msgspec.Struct, frozen=True):
    """A player's decisions in periods of about as many decisions each, oldest first."""

    periods: tuple[SkillPeriod, ...]


@get(
    "/api/decisions/skill",
    summary="Your decisions over time by kind of hand",
    tags=TAGS,
    responses=error_responses(401, 429, 503),
    sync_to_thread=True,
)
def list_skill(
    reports: NamedDependency[Reports], solver: NamedDependency[Solver], actor: NamedDependency[Actor]
) -> SkillAnswer:
    """Add up what your decisions cost, period by period and for each kind of hand."""
    if actor.kind != "player":
        return SkillAnswer(())
    return reports.pages.run(player_skill, actor.person, solver.started_progress())


def player_skill(histories: Histories, player: str, solved: float) -> SkillAnswer:
    """Return a player's decisions by period and kind of hand, if enough of the game is solved."""
    costs = decision_costs(histories, player, None, solved)[::-1]
    size = max(LEAST_IN_PERIOD, -(-len(costs) // MAX_PERIODS))
    parts = (costs[at : at + size] for at in range(0, len(costs), size))
    return SkillAnswer(tuple(map(_skill_period, parts)))


def _skill_period(costs: Sequence[DecisionCost]) -> SkillPeriod:
    lost: dict[tuple[str, int], list[Fraction]] = {}
    for each in costs:
        hand = best_hand(each.place.cards)
        lost.setdefault((hand.category.text, hand.ranks[0]), []).append(each.antes)
    groups = (
        SkillGroup(*kind, len(every), every.count(Fraction(0)), float(sum(every)))
        for kind, every in lost.items()
    )
    return SkillPeriod(costs[0].round.at, costs[-1].round.at, tuple(groups))

"""Round list: finished rounds with cards, results and what the decisions cost, newest first."""

from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.cards import card_text
from fourcard.house.auth.identity import Actor
from fourcard.house.finished_rounds import is_proven
from fourcard.house.house import House
from fourcard.house.round_index import IndexedPosition, IndexedRound
from fourcard.round.view import hand_name
from fourcard.server.api.compute_cache import Solver
from fourcard.server.api.decisions import (
    DecisionCost,
    DecisionKey,
    costs_of,
    decision_costs,
    decision_key,
    mistakes_in,
    seen_by,
)
from fourcard.server.api.params import DEFAULT_LIMIT, AfterParam, LimitParam, ListPage, TableParam, TimeParam
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories, choice_name, round_page
from fourcard.server.api.rounds import TAGS, visible_to
from fourcard.server.error_handlers import error_responses


class PositionSummary(msgspec.Struct, frozen=True):
    """One position of a finished round."""

    position: int
    player: str
    wagered: int
    net: int
    cards: tuple[str, ...]
    """Empty where they were not seen."""
    hand: str | None
    decision: str | None
    cost: float | None
    """What the decision cost against the best one, in cents; None without a decision to judge."""
    verdict: str | None


class RoundSummary(msgspec.Struct, frozen=True):
    """A finished round in a list; players see only their own positions."""

    table: str
    number: int
    at: int
    rulebook: str
    void: tuple[str, ...]
    up: str | None
    """The dealer's up card."""
    places: tuple[PositionSummary, ...]
    net: int
    wagered: int
    proven: bool
    """Whether the shuffle secret is public, so that anyone can verify the cards."""


@get(
    "/api/rounds",
    summary="Finished rounds, newest first",
    tags=TAGS,
    responses=error_responses(400, 401, 403, 404, 429, 503),
    sync_to_thread=True,
)
def list_rounds(
    house: NamedDependency[House],
    histories: NamedDependency[Histories],
    reports: NamedDependency[Reports],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    table: TableParam = None,
    mistakes: Annotated[bool, Parameter(description="Only rounds with a mistake.")] = False,
    since: TimeParam = None,
    until: TimeParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[RoundSummary]:
    """Return a player's own rounds, of some time if wanted; staff with permission see all rounds."""
    wanted = RoundFilter(table, since, until, mistakes=mistakes)
    player = visible_to(house, actor)
    if wanted.mistakes:  # these are found among all decisions
        return reports.pages.run(list_page, player, wanted, limit, after, solver.started_progress())
    return list_page(histories, player, wanted, limit, after, solver.progress)


class RoundFilter(msgspec.Struct, frozen=True):
    """Which finished rounds are wanted."""

    table: str | None
    since: int | None
    until: int | None
    mistakes: bool

    def keeps(self, found: IndexedRound) -> bool:
        """Return whether a round ended in time."""
        return (self.since is None or self.since <= found.at) and (
            self.until is None or found.at < self.until
        )


def list_page(
    histories: Histories,
    player: str | None,
    wanted: RoundFilter,
    limit: int,
    after: str | None,
    solved: float,
) -> ListPage[RoundSummary]:
    """Return a page of finished rounds with what their decisions cost, newest first."""
    keep: Callable[[IndexedRound], bool] | None = wanted.keeps
    if wanted.mistakes:
        mistakes = mistakes_in(decision_costs(histories, player, wanted.table, solved))
        worse = {(each.round.table, each.round.number) for each in mistakes}
        keep = lambda found: wanted.keeps(found) and (found.table, found.number) in worse  # noqa: E731
    elif wanted.since is wanted.until is None:
        keep = None
    with histories.store.reading() as reading:
        page = round_page(reading, player, wanted.table, limit, after, newest_first=True, keep=keep)
        proven = [is_proven(reading, each) for each in page.items]
    costs = {each.key: each for each in costs_of(histories, page.items, player)}
    found = zip(page.items, proven, strict=True)
    items = (_round_summary(histories, each, player, costs, proven=known) for each, known in found)
    return ListPage(tuple(items), page.next)


def _round_summary(
    histories: Histories,
    found: IndexedRound,
    player: str | None,
    costs: Mapping[DecisionKey, DecisionCost],
    *,
    proven: bool,
) -> RoundSummary:
    places = tuple(
        _position_summary(each, player, costs.get(decision_key(found, each)))
        for each in found.positions_of(player)
    )
    return RoundSummary(
        table=found.table,
        number=found.number,
        at=found.at,
        rulebook=histories.game(found.game).rulebook.id,
        void=found.void,
        up=None if found.up is None else card_text(found.up),
        places=places,
        net=sum(place.net for place in places),
        wagered=sum(place.wagered for place in places),
        proven=proven,
    )


def _position_summary(
    place: IndexedPosition, player: str | None, cost: DecisionCost | None
) -> PositionSummary:
    cards = tuple(map(card_text, place.cards)) if seen_by(place, player) else ()
    return PositionSummary(
        position=place.position,
        player=place.player,
        wagered=place.wagered,
        net=place.net,
        cards=cards,
        hand=hand_name(cards) if cards else None,
        decision=choice_name(place),
        cost=None if cost is None else float(cost.cost),
        verdict=None if cost is None else cost.verdict,
    )

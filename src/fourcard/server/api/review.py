"""Review routes: rounds and sessions of a player, judged decision by decision, with luck apart from skill.

The result of a round is what the cards gave less what the decisions cost. The cost of a decision is exact:
what it loses on average against the best one. The cards gave the rest, the edge of the house included.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from litestar import get
from litestar.di import NamedDependency

from fourcard.answers import exact_text
from fourcard.cards import card_text, cards_text
from fourcard.house.auth.identity import Actor
from fourcard.house.house import House
from fourcard.house.round_index import IndexedPosition, IndexedRound, decode_round
from fourcard.odds.strategies import base_terms_of
from fourcard.odds.verdicts import verdict_on
from fourcard.rules.game import Game
from fourcard.server.api.coach import CoachAdvice, advice_answer
from fourcard.server.api.compute_cache import Solver
from fourcard.server.api.decisions import (
    TAGS,
    DecisionCost,
    check_countable,
    costs_of,
    decisions_of,
    review_decision,
    verdict_counts,
)
from fourcard.server.api.game_lookup import contest_at
from fourcard.server.api.params import (
    DEFAULT_LIMIT,
    AfterParam,
    LimitParam,
    ListPage,
    not_found,
    page_after,
)
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories, choice_name, rounds_of, stream_of
from fourcard.server.api.rounds import RoundNumber, RoundTable, visible_to
from fourcard.server.error_handlers import error_responses


class ReviewedDecision(msgspec.Struct, frozen=True):
    """One decision, what it cost against the best one, and the value of each choice."""

    position: int
    hand: str
    up: str
    ante: int
    amount: int
    """What the player put on Play, in cents; 0 for a fold."""
    chips: int
    """What the player had for it, in cents."""
    chose: str
    cost: float
    """Cents."""
    antes: str
    """The cost in Antes, as an exact fraction."""
    verdict: str
    advice: CoachAdvice


class LuckAndSkill(msgspec.Struct, frozen=True):
    """A result in cents, split into what the decisions cost and what the cards gave."""

    net: int
    cost: float
    """What the decisions cost against best play."""
    luck: float
    """What the cards gave: the result without that cost."""


class RoundReview(msgspec.Struct, frozen=True):
    """A finished round, judged."""

    table: str
    number: int
    at: int
    void: bool
    wagered: int
    result: LuckAndSkill
    decisions: tuple[ReviewedDecision, ...]
    rulebook: str
    edition: str
    bonus: str | None
    """The id of the Automatic Bonus table; None without one."""


def luck_and_skill(net: int, costs: Iterable[DecisionCost]) -> LuckAndSkill:
    """Split a result; the sum is exact before it is rounded."""
    cost = sum(each.cost for each in costs)
    return LuckAndSkill(net, float(cost), float(net + cost))


@get(
    "/api/rounds/{table:str}/{number:int}/review",
    summary="What each decision of a round was worth",
    tags=TAGS,
    responses=error_responses(400, 401, 403, 404, 429, 503),
    sync_to_thread=True,
)
def show_review(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    table: RoundTable,
    number: RoundNumber,
) -> RoundReview:
    """Judge the decisions of a player in a round; for staff, those whose cards surveillance saw."""
    return reports.pages.run(round_review, visible_to(house, actor), table, number)


def round_review(histories: Histories, player: str | None, table: str, number: int) -> RoundReview:
    """Return the review of a round for a player, or for surveillance (None)."""
    with histories.store.reading() as reading:
        row = reading.round(stream_of(reading, table), number)
    found = None if row is None else decode_round(row)
    if found is None or not found.positions_of(player):
        raise not_found(f"no finished round {number} at {table} that you may see")
    game = histories.game(found.game)
    places = found.positions_of(player)
    return RoundReview(
        table=table,
        number=number,
        at=found.at,
        void=bool(found.void),
        wagered=sum(place.wagered for place in places),
        result=luck_and_skill(sum(place.net for place in places), costs_of(histories, [found], player)),
        decisions=tuple(_reviewed(game, found, player)),
        rulebook=game.rulebook.id,
        edition=game.rulebook.edition,
        bonus=contest_at(game).bonus,
    )


def _reviewed(game: Game, found: IndexedRound, player: str | None) -> Iterator[ReviewedDecision]:
    for place in decisions_of(found, player):
        reviewed = review_decision(game, found, place)
        if reviewed is None:
            continue
        assert found.up is not None
        antes = reviewed.cost / place.wagers["ante"]
        yield ReviewedDecision(
            position=place.position,
            hand=cards_text(place.cards),
            up=card_text(found.up),
            ante=place.wagers["ante"],
            amount=place.decision or 0,
            chips=place.chips or 0,
            chose=choice_name(place) or "fold",
            cost=float(reviewed.cost),
            antes=exact_text(antes),
            verdict=verdict_on(antes),
            advice=advice_answer(reviewed.options.advice, base_terms_of(game), reviewed.options),
        )


LONGEST_PAUSE = 30 * 60 * 1000
"""Milliseconds between two rounds of a session at most."""


class PlayerSession(msgspec.Struct, frozen=True):
    """Rounds of a player at one table without a pause of more than 30 minutes."""

    table: str
    first: int
    """The number of the first round; it names the session."""
    last: int
    begin: int
    """When the first round ended."""
    end: int
    """When the last round ended."""
    rounds: int
    wagered: int
    result: LuckAndSkill
    decisions: int
    verdicts: dict[str, int]
    """How many decisions have each verdict."""


@get(
    "/api/sessions",
    summary="Your sessions, newest first",
    tags=TAGS,
    responses=error_responses(400, 401, 429, 503),
    sync_to_thread=True,
)
def list_sessions(
    reports: NamedDependency[Reports],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[PlayerSession]:
    """Return your rounds by session, with results and what the decisions cost."""
    if actor.kind != "player":
        return ListPage((), None)
    return reports.pages.run(session_page, actor.person, limit, after, solver.started_progress())


@get(
    "/api/sessions/{table:str}/{number:int}",
    summary="The session of a round",
    tags=TAGS,
    responses=error_responses(400, 401, 404, 429, 503),
    sync_to_thread=True,
)
def show_session(
    reports: NamedDependency[Reports],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    table: RoundTable,
    number: RoundNumber,
) -> PlayerSession:
    """Return your session at a table that has a round."""
    if actor.kind != "player":
        raise _no_session(table, number)
    return reports.pages.run(session_of, actor.person, table, number, solver.started_progress())


def _no_session(table: str, number: int) -> Exception:
    return not_found(f"no session of yours with round {number} at {table}")


def session_page(
    histories: Histories, player: str, limit: int, after: str | None, solved: float
) -> ListPage[PlayerSession]:
    """Return a page of a player's sessions, newest first."""
    found = _rounds_by_session(histories, player, None)
    page = page_after(found, lambda each: f"{each[-1].table}:{each[-1].number}", limit, after)
    sessions = tuple(_session(histories, each, player, solved) for each in page.items)
    return ListPage(sessions, page.next)


def session_of(histories: Histories, player: str, table: str, number: int, solved: float) -> PlayerSession:
    """Return the session of a player at a table that has a round."""
    for rounds in _rounds_by_session(histories, player, table):
        if any(each.number == number for each in rounds):
            return _session(histories, rounds, player, solved)
    raise _no_session(table, number)


def _rounds_by_session(histories: Histories, player: str, table: str | None) -> list[list[IndexedRound]]:
    """Return the rounds of each session, both newest first."""
    sessions, current = list[list[IndexedRound]](), dict[str, list[IndexedRound]]()
    with histories.store.reading() as reading:
        for each in rounds_of(reading, player, table):
            rounds = current.get(each.table)
            if rounds is None or rounds[-1].at - each.at > LONGEST_PAUSE:
                rounds = current[each.table] = []
                sessions.append(rounds)
            rounds.append(each)
    return sessions


def _session(
    histories: Histories, rounds: Sequence[IndexedRound], player: str, solved: float
) -> PlayerSession:
    check_countable(histories, rounds, player, solved)
    costs = costs_of(histories, rounds, player)
    places: list[IndexedPosition] = [place for each in rounds for place in each.positions_of(player)]
    return PlayerSession(
        table=rounds[0].table,
        first=rounds[-1].number,
        last=rounds[0].number,
        begin=rounds[-1].at,
        end=rounds[0].at,
        rounds=len(rounds),
        wagered=sum(place.wagered for place in places),
        result=luck_and_skill(sum(place.net for place in places), costs),
        decisions=len(costs),
        verdicts=verdict_counts(costs),
    )

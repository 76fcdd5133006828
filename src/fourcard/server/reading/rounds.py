"""Round routes: the list of finished rounds, one round step by step, and the export."""

from threading import BoundedSemaphore
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from fourcard.house.actors import Actor
from fourcard.house.house import House
from fourcard.house.permissions import reading_refusal
from fourcard.refusals import RefusedError
from fourcard.round.view import Viewer
from fourcard.server.documented import problems
from fourcard.server.pages import Page
from fourcard.server.reading.asking import DEFAULT_LIMIT, After, Limit, Table, absent, busy, paged
from fourcard.server.reading.exporting import Line, chunks, exported, proof_line
from fourcard.server.reading.histories import Histories, TableHistory, cursor_of
from fourcard.server.reading.replaying import PlanMove, Step, plan_of, replayed
from fourcard.server.reading.summaries import PlaceKept, RoundKept

TAGS = ["history"]
_exports = BoundedSemaphore(1)
Number = Annotated[int, Parameter(ge=1, le=2**31, description="The number of a round at its table.")]
TableName = Annotated[str, Parameter(max_length=40, description="The name of a table.")]


class PlaceSummary(msgspec.Struct, frozen=True):
    """One position of a finished round."""

    position: int
    player: str
    wagered: int
    net: int
    hand: str | None
    decision: str | None


class RoundSummary(msgspec.Struct, frozen=True):
    """A finished round in a list; players see only their own positions."""

    table: str
    number: int
    at: int
    rulebook: str
    void: tuple[str, ...]
    places: tuple[PlaceSummary, ...]
    net: int
    wagered: int
    proven: bool
    """Whether the shuffle secret is public, so that anyone can verify the cards."""


class RoundStory(msgspec.Struct, frozen=True):
    """A finished round, replayed."""

    table: str
    number: int
    at: int
    rulebook: str
    title: str
    steps: tuple[Step, ...]
    commitment: str
    """Commitment that the house published before the shuffle; empty if it did not shuffle."""
    proof: Line | None
    plan: tuple[PlanMove, ...]
    """Deal plan of the round."""


def whose(house: House, actor: Actor) -> str | None:
    """Return the player whose rounds a person may read, or None for staff who may read all."""
    if actor.kind == "player":
        return actor.person
    refusal = reading_refusal(actor, "rounds")
    if refusal is not None:
        house.desk.security.note(actor.person, "read rounds", refusal.name)
        raise RefusedError(refusal)
    return None


@get(
    "/api/rounds",
    summary="Finished rounds, newest first",
    tags=TAGS,
    responses=problems(400, 401, 403, 404, 429, 503),
    sync_to_thread=True,
)
def list_rounds(
    house: NamedDependency[House],
    histories: NamedDependency[Histories],
    actor: NamedDependency[Actor],
    table: Table = None,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[RoundSummary]:
    """Return a player's own rounds; staff with permission see all rounds."""
    player = whose(house, actor)
    found = histories.newest(player, table)
    page = paged(found, lambda each: cursor_of(each[1]), limit, after)
    return Page(tuple(_summary(history, each, player) for history, each in page.items), page.next)


def _summary(history: TableHistory, found: RoundKept, player: str | None) -> RoundSummary:
    places = tuple(_place(each, own=player is not None) for each in found.of(player))
    return RoundSummary(
        table=found.table,
        number=found.number,
        at=found.at,
        rulebook=found.rulebook,
        void=found.void,
        places=places,
        net=sum(place.net for place in places),
        wagered=sum(place.wagered for place in places),
        proven=history.proven(found),
    )


def _place(place: PlaceKept, *, own: bool) -> PlaceSummary:
    hand = place.hand(own=own)
    return PlaceSummary(place.position, place.player, place.wagered, place.net, hand, place.choice)


@get(
    "/api/rounds/{table:str}/{number:int}",
    summary="A finished round, step by step",
    tags=TAGS,
    responses=problems(400, 401, 403, 404, 429, 503),
    sync_to_thread=True,
)
def show_round(
    house: NamedDependency[House],
    histories: NamedDependency[Histories],
    actor: NamedDependency[Actor],
    table: TableName,
    number: Number,
) -> RoundStory:
    """Return each step of a round as the player, or surveillance, saw it."""
    player = whose(house, actor)
    history = histories.table(table)
    found = history.numbered(number)
    if found is None or not found.of(player):
        raise absent(f"no finished round {number} at {table} that you may see")
    viewer = Viewer("surveillance") if player is None else Viewer("seat", player)
    with histories.store.reading() as reading:
        replay = replayed(reading, history, number, viewer)
    game = replay.ended.state.rules.game
    return RoundStory(
        table=table,
        number=number,
        at=found.at,
        rulebook=found.rulebook,
        title=game.submission.name,
        steps=replay.steps,
        commitment="" if found.shuffle is None else history.shuffles.commitments[found.shuffle],
        proof=proof_line(replay.ended),
        plan=plan_of(replay.ended),
    )


@get(
    "/api/rounds/export",
    summary="Finished rounds as JSON lines",
    description="The format of `fourcard export`; players get their own rounds without hidden cards.",
    tags=TAGS,
    responses={
        **problems(400, 401, 403, 404, 429, 503),
        200: ResponseSpec(
            Line, description="One line per round.", media_type="application/jsonl", generate_examples=False
        ),
    },
    media_type="application/jsonl",
    sync_to_thread=True,
)
def export_rounds(
    house: NamedDependency[House],
    histories: NamedDependency[Histories],
    actor: NamedDependency[Actor],
    table: Table = None,
) -> Stream:
    """Export rounds; they are written to a file first so that slow clients do not hold the journal."""
    player = whose(house, actor)
    if not _exports.acquire(blocking=False):
        raise busy("another export is running; try again in a moment.")
    try:
        file = exported(histories, table, player)
    finally:
        _exports.release()
    headers = {"Content-Disposition": 'attachment; filename="rounds.jsonl"'}
    return Stream(chunks(file), headers=headers, media_type="application/jsonl")

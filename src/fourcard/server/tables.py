"""Tables over HTTP: the list of them, one as it is now, its felt, and commands to it."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter

from fourcard.house.actors import Actor
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.nodes import WagerName
from fourcard.server import felt as felts
from fourcard.server.documented import problems
from fourcard.server.felt import LAYOUT, Felt, Posted
from fourcard.server.floor.deeds import Wait
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.messages import TableMessage
from fourcard.server.floor.watching import Watch
from fourcard.server.gateway import Done, Gateway, SentToTable
from fourcard.server.pages import Page, page_of

TableName = Annotated[str, Parameter(description="The name of a table.", max_length=40)]


class MeterShown(msgspec.Struct, frozen=True):
    """A meter and the cents that it shows."""

    name: str
    cents: int


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the list of all tables."""

    table: str
    title: str
    rulebook: str
    rulebook_name: str
    edition: str
    phase: str
    round: int
    positions: int
    seats: dict[int, str]
    limits: dict[str, Posted]
    wagers: tuple[WagerName, ...]
    meter: MeterShown | None
    jackpot_waits: bool
    last_hand: bool = False
    """Whether the table closes after the round under way, or was closed so (P36)."""


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player is content that the bets of a round close."""

    round: int


async def watched(floor: Floor, table: str) -> Watch:
    """Return a table, or refuse a name that none has."""
    found = floor.tables.get(table)
    if found is None:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=table[:40]))
    return found


def _lobby(floor: Floor, watch: Watch) -> Lobby:
    state = watch.book.state
    game, meter = state.game, floor.meter(watch.book.meter)
    following = floor.next(watch)
    return Lobby(
        table=watch.table,
        title=game.submission.name,
        rulebook=game.rulebook.id,
        rulebook_name=game.rulebook.name,
        edition=game.rulebook.edition if len(game.rulebook.editions) > 1 else "",
        phase=state.phase,
        round=state.number,
        positions=game.submission.positions.at_table,
        seats=dict(state.seats),
        limits=felts.limits(game),
        wagers=tuple(name for name in LAYOUT if game.offers(name)),
        meter=None if meter is None else MeterShown(watch.book.meter, meter.displayed),
        jackpot_waits=isinstance(following, Wait) and following.for_ in ("jackpot", "document"),
        last_hand=state.last_hand,
    )


@get("/api/tables", summary="Every table of the house", tags=["tables"], responses=problems(400, 401, 429))
async def list_tables(
    floor: NamedDependency[Floor],
    actor: NamedDependency[Actor],  # noqa: ARG001  only who has signed in may look
    limit: Annotated[int, Parameter(ge=1, le=200, description="How many at most.")] = 50,
    after: Annotated[str, Parameter(max_length=40, description="The cursor of the page before.")] = "",
) -> Page[Lobby]:
    """Return the tables by name, a page at a time."""
    names = sorted(name for name in floor.tables if name > after)
    return page_of(
        [_lobby(floor, floor.tables[name]) for name in names[: limit + 1]], limit, lambda it: it.table
    )


@get(
    "/api/tables/{table:str}",
    summary="A table as it is now",
    tags=["tables"],
    responses=problems(401, 404, 429),
)
async def show_table(
    floor: NamedDependency[Floor], actor: NamedDependency[Actor], table: TableName
) -> TableMessage:
    """Return a table as the asker may see it, with what was told in its round."""
    look = await floor.look(await watched(floor, table), actor)
    try:
        return look.message()
    finally:
        floor.end(look)


@get(
    "/api/tables/{table:str}/felt",
    summary="The felt of a table",
    tags=["tables"],
    responses=problems(401, 404, 429),
)
async def show_felt(floor: NamedDependency[Floor], actor: NamedDependency[Actor], table: TableName) -> Felt:  # noqa: ARG001
    """Return what is printed on a table and posted beside it."""
    return felts.felt((await watched(floor, table)).book)


@post(
    "/api/tables/{table:str}/commands",
    summary="Give a command to a table",
    tags=["commands"],
    status_code=200,
    responses=problems(400, 401, 403, 404, 409, 413, 429, 503),
)
async def command_table(
    gateway: NamedDependency[Gateway],
    actor: NamedDependency[Actor],
    table: TableName,
    data: JSONBody[SentToTable],
) -> Done:
    """Do a command of a player, a dealer or the floor at a table."""
    return await gateway.do("table", table, data, actor)


@post(
    "/api/tables/{table:str}/ready",
    summary="Be content that bets close",
    tags=["tables"],
    status_code=204,
    responses=problems(400, 401, 404, 409, 413, 429),
)
async def be_ready(
    floor: NamedDependency[Floor],
    gateway: NamedDependency[Gateway],
    actor: NamedDependency[Actor],
    table: TableName,
    data: JSONBody[Ready],
) -> None:
    """Tell the dealer that one's wagers of a round are placed."""
    gateway.count(actor)
    ready(floor, await watched(floor, table), actor, data.round)


def ready(floor: Floor, watch: Watch, actor: Actor, number: int) -> None:
    """Note that a seated player is ready in the round under way."""
    state = watch.book.state
    if actor.kind != "player" or actor.person not in state.seats.values():
        raise RefusedError(refuse(Code.NOT_SEATED, position="of yours"))
    if state.round is None or state.number != number:
        raise RefusedError(refuse(Code.NO_ROUND))
    floor.bus.ready(watch.table, actor.person, number)


ROUTES = (list_tables, show_table, show_felt, command_table, be_ready)

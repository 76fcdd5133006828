"""Table routes: the list of tables, one table, its layout, and commands to it."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter

from fourcard.house.actors import Actor
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.nodes import WagerName
from fourcard.server.documented import problems
from fourcard.server.felt import LAYOUT, Felt, Posted, felt, limits
from fourcard.server.floor.deeds import Wait
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.messages import TableMessage
from fourcard.server.floor.watching import Watch
from fourcard.server.gateway import Done, Gateway, SentToTable
from fourcard.server.pages import Page, page_of

TableName = Annotated[str, Parameter(description="The name of a table.", max_length=40)]


class MeterShown(msgspec.Struct, frozen=True):
    """A meter and the cents it shows."""

    name: str
    cents: int


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the list of tables."""

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
    """Whether this round is the last before the table closes, or was (P36)."""


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player is done betting in a round."""

    round: int


async def watched(floor: Floor, table: str) -> Watch:
    """Return the projection of a table, or refuse an unknown name."""
    found = floor.tables.get(table)
    if found is None:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=table[:40]))
    return found


def _summary(floor: Floor, projection: Watch) -> Lobby:
    state = projection.book.state
    game, meter = state.game, floor.meter(projection.book.meter)
    action = floor.next(projection)
    return Lobby(
        table=projection.table,
        title=game.submission.name,
        rulebook=game.rulebook.id,
        rulebook_name=game.rulebook.name,
        edition=game.rulebook.edition if len(game.rulebook.editions) > 1 else "",
        phase=state.phase,
        round=state.number,
        positions=game.submission.positions.at_table,
        seats=dict(state.seats),
        limits=limits(game),
        wagers=tuple(name for name in LAYOUT if game.offers(name)),
        meter=None if meter is None else MeterShown(projection.book.meter, meter.displayed),
        jackpot_waits=isinstance(action, Wait) and action.for_ in ("jackpot", "document"),
        last_hand=state.last_hand,
    )


@get("/api/tables", summary="Every table of the house", tags=["tables"], responses=problems(400, 401, 429))
async def list_tables(
    floor: NamedDependency[Floor],
    actor: NamedDependency[Actor],  # noqa: ARG001  requires a sign-in
    limit: Annotated[int, Parameter(ge=1, le=200, description="Maximum number of tables.")] = 50,
    after: Annotated[str, Parameter(max_length=40, description="Cursor of the previous page.")] = "",
) -> Page[Lobby]:
    """Return tables sorted by name, one page at a time."""
    names = sorted(name for name in floor.tables if name > after)
    return page_of(
        [_summary(floor, floor.tables[name]) for name in names[: limit + 1]], limit, lambda it: it.table
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
    """Return a table as the person may see it, with the narration of its round."""
    subscription = await floor.look(await watched(floor, table), actor)
    try:
        return subscription.message()
    finally:
        floor.end(subscription)


@get(
    "/api/tables/{table:str}/felt",
    summary="The layout of a table",
    tags=["tables"],
    responses=problems(401, 404, 429),
)
async def show_felt(floor: NamedDependency[Floor], actor: NamedDependency[Actor], table: TableName) -> Felt:  # noqa: ARG001
    """Return what is printed on a table and posted next to it."""
    return felt((await watched(floor, table)).book)


@post(
    "/api/tables/{table:str}/commands",
    summary="Run a command at a table",
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
    """Run a command of a player, dealer or floor at a table."""
    return await gateway.do("table", table, data, actor)


@post(
    "/api/tables/{table:str}/ready",
    summary="Finish betting",
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
    """Tell the dealer that you are done betting in this round."""
    gateway.count(actor)
    ready(floor, await watched(floor, table), actor, data.round)


def ready(floor: Floor, projection: Watch, actor: Actor, number: int) -> None:
    """Note that a seated player is done betting in the current round."""
    state = projection.book.state
    if actor.kind != "player" or actor.person not in state.seats.values():
        raise RefusedError(refuse(Code.NOT_SEATED, position="of yours"))
    if state.round is None or state.number != number:
        raise RefusedError(refuse(Code.NO_ROUND))
    floor.bus.ready(projection.table, actor.person, number)


TABLE_ROUTES = (list_tables, show_table, show_felt, command_table, be_ready)

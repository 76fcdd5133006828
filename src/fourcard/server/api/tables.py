"""Table routes: the list of tables, one table, its layout, and commands to it."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter

from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import WaitReason
from fourcard.house.table_state import HouseTable
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.round.prompts import METHOD_PHRASES
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.posted_sign import SignPanel, posted_sign
from fourcard.rules.rulebook import ConsoleKind, Wager
from fourcard.server.api.params import ListPage, page_of
from fourcard.server.command_gateway import CommandAccepted, CommandGateway, KeyedTableCommand
from fourcard.server.error_handlers import error_responses
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.messages import TableMessage
from fourcard.server.floor.projections import TableProjection
from fourcard.wagers import LAYOUT, SPECIFICATIONS, WAGER_LABELS, SpotLook, WagerName

DENOMINATIONS = (1, 5, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 50_000, 100_000)
"""Chip denominations of a casino in cents; a table shows the useful ones."""


class BettingSpot(msgspec.Struct, frozen=True):
    """One betting spot of a position."""

    wager: WagerName
    label: str
    least: int | None
    most: int | None
    stakes: tuple[int, ...]
    """The only accepted amounts, for a progressive."""
    needs: tuple[WagerName, ...]
    """Wagers of which at least one must be placed first."""
    needs_all: tuple[WagerName, ...]
    """Wagers that must all be placed first."""
    clauses: tuple[str, ...]
    look: SpotLook


class PlayRule(msgspec.Struct, frozen=True):
    """Allowed size of a Play wager, in Antes."""

    least: int
    most: int
    whole: bool
    """Whether only whole multiples are accepted."""
    clauses: tuple[str, ...]


class TableConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Configuration of a table: rules, positions, limits, chips; it stays while the table is installed."""

    table: str
    title: str
    rulebook: str
    rulebook_name: str
    edition: str
    game: str
    positions: int
    per_player: int | None
    method: str
    chip: int
    chips: tuple[int, ...]
    spots: tuple[BettingSpot, ...]
    labels: dict[WagerName, str]
    """Names of the wagers, those without a spot included."""
    play: PlayRule
    sign: tuple[SignPanel, ...]
    bonus: str | None
    """Id of the Automatic Bonus table, if it is a printed one."""
    meter: str | None
    console: ConsoleKind | None
    sets_hands: bool


class LimitsAnswer(msgspec.Struct, frozen=True):
    """Posted limits of a wager, in cents."""

    least: int
    most: int


def config_of(table: HouseTable) -> TableConfig:
    """Return the configuration of an installed table."""
    game = table.state.game
    submission, rulebook = game.submission, game.rulebook
    bonus = submission.wagers.get("automatic_bonus", "standard" if game.offers("automatic_bonus") else None)
    return TableConfig(
        table=table.name,
        title=submission.name,
        rulebook=rulebook.id,
        rulebook_name=rulebook.name,
        edition=rulebook.edition if len(rulebook.editions) > 1 else "",
        game=game.hash,
        positions=submission.positions.at_table,
        per_player=submission.positions.per_player,
        method=METHOD_PHRASES[submission.dealing.method],
        chip=int(submission.chip),
        chips=useful_chips(game),
        spots=tuple(_betting_spot(game, name, look) for name, look in LAYOUT.items() if game.offers(name)),
        labels=labels_of(game),
        play=_play_rule(game),
        sign=posted_sign(game),
        bonus=bonus if isinstance(bonus, str) else None,
        meter=table.meter or None,
        console=None if table.console is None else table.console.kind,
        sets_hands=False,
    )


def labels_of(game: Game) -> dict[WagerName, str]:
    """Return the names of a game's wagers."""
    return {name: label for name, label in WAGER_LABELS.items() if game.offers(name)}


def posted_limits(game: Game) -> dict[str, LimitsAnswer]:
    """Return the posted limits of every wager that has limits."""
    posted = game.submission.limits.posted
    return {name: LimitsAnswer(int(each.least), int(each.most)) for name, each in posted.items()}


def useful_chips(game: Game) -> tuple[int, ...]:
    """Return the useful chips of a table: multiples of its unit between its limits."""
    unit, posted = int(game.submission.chip), game.submission.limits.posted.values()
    most = max((int(each.most) for each in posted), default=DENOMINATIONS[-1])
    least = min((int(each.least) for each in posted), default=unit)
    useful = [each for each in DENOMINATIONS if each % unit == 0 and least // 5 <= each <= most]
    return tuple(useful[:6]) or (unit,)


def _play_rule(game: Game) -> PlayRule:
    rules = game.rulebook.wagers.play
    clauses = clauses_of(rules.least, rules.most, rules.whole_multiples)
    return PlayRule(rules.least.value, rules.most.value, rules.whole_multiples.value, clauses)


def _betting_spot(game: Game, name: WagerName, look: SpotLook) -> BettingSpot:
    wager = SPECIFICATIONS[name]
    posted = game.submission.limits.posted.get(name)
    progressive = game.submission.progressive
    stakes = progressive.stakes if wager.stake == "fixed" and progressive is not None else ()
    rules = game.rulebook.wager(name)
    needs_all, needs_any = (
        (rules.requires_all, rules.requires_any) if isinstance(rules, Wager) else (None, None)
    )
    return BettingSpot(
        wager=name,
        label=wager.label,
        least=None if posted is None else int(posted.least),
        most=None if posted is None else int(posted.most),
        stakes=tuple(map(int, stakes)),
        needs=() if needs_any is None else tuple(needs_any.value),
        needs_all=() if needs_all is None else tuple(needs_all.value),
        clauses=clauses_of(needs_all, needs_any),
        look=look,
    )


TablePath = Annotated[str, Parameter(description="The name of a table.", max_length=40)]


class DisplayedMeter(msgspec.Struct, frozen=True):
    """A meter and the cents it shows."""

    name: str
    cents: int


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
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
    limits: dict[str, LimitsAnswer]
    wagers: tuple[WagerName, ...]
    labels: dict[WagerName, str]
    meter: DisplayedMeter | None
    jackpot_waits: bool
    last_hand: bool = False
    """Whether this round is the last before the table closes, or was (P36)."""


class ReadyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player is done betting in a round."""

    round: int


async def find_table(floor: Floor, table: str) -> TableProjection:
    """Return the projection of a table, or refuse an unknown name."""
    found = floor.tables.get(table)
    if found is None:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=table[:40]))
    await floor.read_tables((table,))
    return found


def _table_summary(floor: Floor, projection: TableProjection) -> TableSummary:
    state = projection.state.state
    game, meter = state.game, floor.meter(projection.state.meter)
    action = floor.next_action_for(projection.snapshot)
    return TableSummary(
        table=projection.table,
        title=game.submission.name,
        rulebook=game.rulebook.id,
        rulebook_name=game.rulebook.name,
        edition=game.rulebook.edition if len(game.rulebook.editions) > 1 else "",
        phase=state.phase,
        round=state.round_number,
        positions=game.submission.positions.at_table,
        seats=dict(state.seats),
        limits=posted_limits(game),
        wagers=tuple(name for name in LAYOUT if game.offers(name)),
        labels=labels_of(game),
        meter=None if meter is None else DisplayedMeter(projection.state.meter, meter.displayed),
        jackpot_waits=isinstance(action, WaitReason) and action.for_ in ("jackpot", "document"),
        last_hand=state.last_hand,
    )


@get(
    "/api/tables",
    summary="Every table of the house",
    tags=["tables"],
    responses=error_responses(400, 401, 429),
)
async def list_tables(
    floor: NamedDependency[Floor],
    actor: NamedDependency[Actor],  # noqa: ARG001  requires a sign-in
    limit: Annotated[int, Parameter(ge=1, le=200, description="Maximum number of tables.")] = 50,
    after: Annotated[str, Parameter(max_length=40, description="Cursor of the previous page.")] = "",
) -> ListPage[TableSummary]:
    """Return tables sorted by name, one page at a time."""
    names = sorted(name for name in floor.tables if name > after)[: limit + 1]
    await floor.read_tables(names)
    return page_of([_table_summary(floor, floor.tables[name]) for name in names], limit, lambda it: it.table)


@get(
    "/api/tables/{table:str}",
    summary="A table as it is now",
    tags=["tables"],
    responses=error_responses(401, 404, 429),
)
async def show_table(
    floor: NamedDependency[Floor], actor: NamedDependency[Actor], table: TablePath
) -> TableMessage:
    """Return a table as the person may see it, with the narration of its round."""
    return await floor.show(await find_table(floor, table), actor)


@get(
    "/api/tables/{table:str}/felt",
    summary="The layout of a table",
    tags=["tables"],
    responses=error_responses(401, 404, 429),
)
async def show_felt(
    floor: NamedDependency[Floor],
    actor: NamedDependency[Actor],  # noqa: ARG001  only somebody who is signed in may look
    table: TablePath,
) -> TableConfig:
    """Return what is printed on a table and posted next to it."""
    return config_of((await find_table(floor, table)).state)


@post(
    "/api/tables/{table:str}/commands",
    summary="Run a command at a table",
    tags=["commands"],
    status_code=200,
    responses=error_responses(400, 401, 403, 404, 409, 413, 429, 503),
)
async def command_table(
    gateway: NamedDependency[CommandGateway],
    actor: NamedDependency[Actor],
    table: TablePath,
    data: JSONBody[KeyedTableCommand],
) -> CommandAccepted:
    """Run a command of a player, dealer or floor at a table."""
    return await gateway.run("table", table, data, actor)


@post(
    "/api/tables/{table:str}/ready",
    summary="Finish betting",
    tags=["tables"],
    status_code=204,
    responses=error_responses(400, 401, 404, 409, 413, 429),
)
async def be_ready(
    floor: NamedDependency[Floor],
    gateway: NamedDependency[CommandGateway],
    actor: NamedDependency[Actor],
    table: TablePath,
    data: JSONBody[ReadyRequest],
) -> None:
    """Tell the dealer that you are done betting in this round."""
    gateway.check_rate(actor)
    mark_ready(floor, await find_table(floor, table), actor, data.round)


def mark_ready(floor: Floor, projection: TableProjection, actor: Actor, number: int) -> None:
    """Note that a seated player is done betting in the current round."""
    state = projection.state.state
    if actor.kind != "player" or actor.person not in state.seats.values():
        raise RefusedError(refuse(Code.NOT_SEATED, where="by you"))
    if state.round is None or state.round_number != number:
        raise RefusedError(refuse(Code.NO_ROUND))
    floor.bus.ready(projection.table, actor.person, number)


TABLE_ROUTES = (list_tables, show_table, show_felt, command_table, be_ready)

"""House routes: reports for staff, and commands to meters, player accounts and staff."""

from contextlib import AbstractContextManager
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter

from fourcard.house.auth.identity import Actor, printable
from fourcard.house.auth.permissions import Readable, reading_refusal
from fourcard.house.house import ClockWatch, House
from fourcard.house.reports.event_scan import parse_period
from fourcard.house.reports.formats import format_time, parse_day
from fourcard.house.reports.house_status import staff_members, table_statuses
from fourcard.house.reports.meters import meter_statuses
from fourcard.house.reports.statements import trial_balance
from fourcard.house.reports.table_results import TableDay, sum_days, table_results
from fourcard.house.reports.wins import wins
from fourcard.house.store.interface import ReadTransaction
from fourcard.refusals import BadInputError, RefusedError
from fourcard.server.api.compute_cache import SingleFlightCache
from fourcard.server.api.params import (
    DEFAULT_LIMIT,
    AfterParam,
    LimitParam,
    ListPage,
    TableParam,
    page_after,
    page_of,
)
from fourcard.server.command_gateway import (
    CommandAccepted,
    CommandGateway,
    KeyedAccountCommand,
    KeyedMeterCommand,
    KeyedStaffCommand,
)
from fourcard.server.error_handlers import error_responses


class DeckAnswer(msgspec.Struct, frozen=True):
    """A deck and how long it has been used."""

    back: str
    hours: int
    most_hours: int | None
    clauses: list[str]
    in_play: bool
    removed: bool
    overdue: bool


class TableMeterReport(msgspec.Struct, frozen=True):
    """Meter of a table, in 1/10,000 cent."""

    name: str
    units: int
    reserve: int
    taken: int


class TableReport(msgspec.Struct, frozen=True, kw_only=True):
    """A table now, amounts in cents."""

    table: str
    submission: str
    rulebook: str
    edition: str
    game: str
    cards: str
    phase: str
    round: int
    in_round: str
    seats: dict[str, str]
    decks: list[DeckAnswer]
    count_in: int | None
    count_clauses: list[str]
    tray: int
    drop: int
    meter: TableMeterReport | None


class ShareAnswer(msgspec.Struct, frozen=True):
    """A share: exact fraction and value."""

    fraction: str
    value: float


class CountAnswer(msgspec.Struct, frozen=True):
    """A count of a tray or a drop box."""

    at: int
    of: str
    cents: int
    expected: int
    variance: int
    moment: str


class WagerReport(msgspec.Struct, frozen=True):
    """Results of one wager, in cents."""

    wager: str
    handle: int
    taken: int
    paid: int
    by_meter: int
    win: int
    hold: ShareAnswer | None


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one table on one gaming day, or a total, in cents."""

    table: str
    day: str
    rounds: int
    voids: int
    opening: int
    fills: int
    credits: int
    closing: int
    drop: int
    collected: int
    bought: int
    cashed: int
    out_before: int
    out_after: int
    tray_variance: int
    drop_variance: int
    win: int
    hold: ShareAnswer | None
    win_of_wagers: int
    counts: list[CountAnswer]
    wagers: list[WagerReport]


class ResultsReport(msgspec.Struct, frozen=True):
    """Results by table and gaming day (one page), and the total of all."""

    days: list[DayReport]
    total: DayReport
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


class AccountAnswer(msgspec.Struct, frozen=True):
    """Balance of an account; negative if it owes."""

    account: str
    units: int
    dollars: str


class GroupAnswer(msgspec.Struct, frozen=True):
    """One group of accounts, in 1/10,000 cent."""

    group: str
    units: int
    dollars: str
    held: int
    owed: int
    accounts: list[AccountAnswer]
    """Its accounts on this page."""


class BalanceReport(msgspec.Struct, frozen=True):
    """Trial balance with one page of accounts; the sum must be zero."""

    groups: list[GroupAnswer]
    held: int
    owed: int
    sum: int
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


class AwardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A logged win."""

    number: int
    at: int
    moment: str
    table: str
    round: int
    position: int
    player: str
    cards: str
    row: str
    amount_cents: int
    from_meter_cents: int
    from_tray_cents: int
    meter_to_tray_cents: int
    shortfall_cents: int
    whole: bool
    seeded_cents: int
    from_reserve_units: int
    before_cents: int
    after_cents: int
    marked_by: str
    confirmed_by: str
    confirmed_as: str


class WinReport(AwardAnswer, frozen=True, kw_only=True):
    """A win and its status."""

    meter: str
    state: str
    adjusted_at: int | None
    undone_at: int | None
    undone_by: str
    adjustment: int
    reason: str
    sequence: int
    hash: str


class LastWin(AwardAnswer, frozen=True, kw_only=True):
    """One of the last wins of a meter."""

    adjusted: bool
    backed_out: bool


class MeterRowAnswer(msgspec.Struct, frozen=True):
    """One row of a meter's paytable and its hits."""

    row: str
    odds: str
    hits: int


class ProposalAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment that waits for approval."""

    number: int
    part: str
    amount_cents: int
    win: int
    reason: str
    by: str
    kind: str = "adjustment_proposed"


class MeterReport(msgspec.Struct, frozen=True, kw_only=True):
    """A meter now, in cents or in units of 1/10,000 cent."""

    meter: str
    displayed_cents: int
    meter_units: int
    reserve_units: int
    owed_units: int
    wagered_cents: int
    contributed_units: int
    paid_units: int
    seeded_units: int
    adjusted_units: int
    borne_units: int
    won_cents: int
    shortfall_cents: int
    hits: int
    times_taken: int
    link: str
    closed: str
    tables: list[str]
    holds: bool
    in_ledger_units: int
    agrees: bool
    rate: str
    reserve_rate: str
    reset_cents: int | None
    submission: str
    rulebook: str
    edition: str
    game: str
    fixed_awards: str | None
    executive_threshold_cents: int | None
    rows: list[MeterRowAnswer]
    last: list[LastWin]
    logged: list[int]
    proposals: list[ProposalAnswer]


class PersonReport(msgspec.Struct, frozen=True):
    """A member of staff; without roles if dismissed."""

    person: str
    name: str
    roles: list[str]
    password: bool
    """Whether the person has a password."""


class NoteReport(msgspec.Struct, frozen=True):
    """A note of the security log."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int
    moment: str


class ClockReport(msgspec.Struct, frozen=True):
    """The house's timestamp and the machine's clock, in milliseconds."""

    stamped: int
    stamped_moment: str
    shown: int
    shown_moment: str
    ahead: int
    """How far the clock jumped, as a confirmation must state; 0 while the clock is trusted."""
    alert: str
    """What staff must know about the clock; empty if nothing."""


TAGS = ["house"]
REPORT_ERRORS = error_responses(400, 401, 403, 404, 429, 503)
MAX_NOTES = 100_000
_results: SingleFlightCache[tuple[TableDay, ...]] = SingleFlightCache(4)
"""Results are counted from the whole journal and requested page by page."""
MomentParam = Annotated[
    str | None, Parameter(max_length=40, description="A day or a time, such as 2026-01-31.")
]


def _read_view(house: House, actor: Actor, what: Readable) -> AbstractContextManager[ReadTransaction]:
    """Return a read view of the store if the person may read this report; log a refusal."""
    refusal = reading_refusal(actor, what)
    if refusal is not None:
        house.service.security.note(actor.person, f"read {what}", refusal.name)
        raise RefusedError(refusal)
    return house.store.reading()


@get("/api/house/tables", summary="Tables now", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_tables(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[TableReport]:
    """Return every table: game, phase, decks and their age, next stub count, tray and meter."""
    with _read_view(house, actor, "tables") as reading:
        found = table_statuses(reading, house.clock.now())
    page = page_after(found, lambda each: each.table, limit, after)
    return ListPage(tuple(msgspec.convert(each.answer(), TableReport) for each in page.items), page.next)


@get(
    "/api/house/results",
    summary="Table results by day",
    tags=TAGS,
    responses=REPORT_ERRORS,
    sync_to_thread=True,
)
def report_results(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    table: TableParam = None,
    day: MomentParam = None,
    begins: Annotated[int, Parameter(ge=0, le=23, description="UTC hour at which a gaming day begins.")] = 0,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ResultsReport:
    """Return inventory, drop, win and hold by gaming day and wager, with the total of all days."""
    with _read_view(house, actor, "results") as reading:
        day_number = None if day is None else parse_day(printable(day))
        key = house.name, table, day_number, begins, _state_key(reading)
        found = _results.get(key, lambda: table_results(reading, table=table, day=day_number, begins=begins))
    page = page_after(found, lambda each: f"{each.day}:{each.table}", limit, after)
    answer = {
        "days": [each.answer() for each in page.items],
        "total": sum_days(found).answer(),
        "next": page.next,
    }
    return msgspec.convert(answer, ResultsReport)


def _state_key(reading: ReadTransaction) -> frozenset[tuple[str, bytes]]:
    """Return a key of the journal's current state."""
    return frozenset((stream, head.hash) for stream, head in reading.streams().items())


@get(
    "/api/house/balance", summary="The trial balance", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True
)
def report_balance(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> BalanceReport:
    """Return a page of accounts by group with their balances; the sums cover all accounts."""
    with _read_view(house, actor, "balance") as reading:
        found = trial_balance(reading)
    accounts = (each for group in found.groups for each in group.accounts)
    page = page_after(accounts, lambda each: each.account, limit, after)
    on_page = {each.account for each in page.items}
    groups = [
        {**group.answer(), "accounts": [each.answer() for each in group.accounts if each.account in on_page]}
        for group in found.groups
    ]
    return msgspec.convert({**found.answer(), "groups": groups, "next": page.next}, BalanceReport)


@get("/api/house/meters", summary="Meters now", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_meters(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[MeterReport]:
    """Return every meter: display, reserve, totals in and out, and its last wins."""
    with _read_view(house, actor, "meters") as reading:
        found = meter_statuses(reading)
    page = page_after(found, lambda each: each.state.name, limit, after)
    return ListPage(tuple(msgspec.convert(each.details(), MeterReport) for each in page.items), page.next)


@get("/api/house/wins", summary="Wins of meters", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_wins(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    meter: Annotated[str | None, Parameter(max_length=40, description="The name of a meter.")] = None,
    table: TableParam = None,
    since: MomentParam = None,
    until: MomentParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[WinReport]:
    """Return every win, newest first: the player, the amount and who confirmed it."""
    with _read_view(house, actor, "wins") as reading:
        found = wins(reading, meter, table, parse_period(since, until))
    page = page_after(reversed(found), lambda each: f"{each.meter}:{each.win.number}", limit, after)
    return ListPage(tuple(msgspec.convert(each.answer(), WinReport) for each in page.items), page.next)


@get("/api/house/staff", summary="Staff", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_staff(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[PersonReport]:
    """Return everybody who works here or once did, with their roles."""
    with _read_view(house, actor, "staff") as reading:
        found = staff_members(reading)
    page = page_after(found, lambda each: each.person, limit, after)
    return ListPage(tuple(msgspec.convert(each.answer(), PersonReport) for each in page.items), page.next)


@get(
    "/api/house/clock", summary="Clock of the house", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True
)
def report_clock(house: NamedDependency[House], actor: NamedDependency[Actor]) -> ClockReport:
    """Return the house's current timestamp and the machine's clock, which may have jumped."""
    with _read_view(house, actor, "tables"):
        watch = ClockWatch(house)
        jump, stamped = watch.jump, house.clock.now()
    ahead = 0 if jump is None else jump.ahead
    machine = stamped + ahead
    return ClockReport(stamped, format_time(stamped), machine, format_time(machine), ahead, watch.alert)


@get(
    "/api/house/security-log",
    summary="The security log",
    tags=TAGS,
    responses=REPORT_ERRORS,
    sync_to_thread=True,
)
def report_security(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[NoteReport]:
    """Return refused actions and sign-ins, newest first.

    A cursor is the number of notes before the page.
    """
    first = _offset(after)
    with _read_view(house, actor, "security_log") as reading:
        notes = reading.security_notes(first + limit + 1)[first:]
    found = [
        msgspec.convert({**msgspec.to_builtins(each), "moment": format_time(each.at)}, NoteReport)
        for each in notes
    ]
    return page_of(found, limit, lambda _: str(first + limit))


def _offset(after: str | None) -> int:
    if not after:
        return 0
    if not (after.isascii() and after.isdigit() and len(after) < 7 and int(after) <= MAX_NOTES):
        raise BadInputError(f"There is no page after '{printable(after)}'.")
    return int(after)


StreamName = Annotated[str, Parameter(max_length=40)]
COMMAND_ERRORS = error_responses(400, 401, 403, 404, 409, 413, 429, 503)


@post(
    "/api/meters/{meter:str}/commands",
    summary="Run a command on a meter",
    tags=["commands"],
    status_code=200,
    responses=COMMAND_ERRORS,
)
async def command_meter(
    gateway: NamedDependency[CommandGateway],
    actor: NamedDependency[Actor],
    meter: StreamName,
    data: JSONBody[KeyedMeterCommand],
) -> CommandAccepted:
    """Close or open a link, change terms, propose or approve an adjustment."""
    return await gateway.run("meter", meter, data, actor)


@post(
    "/api/players/{player:str}/commands",
    summary="Run a command on a player's account",
    tags=["commands"],
    status_code=200,
    responses=COMMAND_ERRORS,
)
async def command_player(
    gateway: NamedDependency[CommandGateway],
    actor: NamedDependency[Actor],
    player: StreamName,
    data: JSONBody[KeyedAccountCommand],
) -> CommandAccepted:
    """Open an account, deposit or withdraw at the cage."""
    return await gateway.run("player", player, data, actor)


@post(
    "/api/staff/commands",
    summary="Run a staff command",
    tags=["commands"],
    status_code=200,
    responses=COMMAND_ERRORS,
)
async def command_staff(
    gateway: NamedDependency[CommandGateway], actor: NamedDependency[Actor], data: JSONBody[KeyedStaffCommand]
) -> CommandAccepted:
    """Hire people, change their roles, dismiss them."""
    return await gateway.run("staff", "", data, actor)


STAFF_ROUTES = (command_meter, command_player, command_staff)

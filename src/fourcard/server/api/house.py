"""House routes: reports for staff, and commands to meters, player accounts and staff."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter
from msgspec.structs import asdict, replace

from fourcard.house.auth.identity import Actor, printable
from fourcard.house.auth.permissions import Readable, reading_refusal
from fourcard.house.decision import table_stream
from fourcard.house.house import ClockWatch, House
from fourcard.house.reports.event_scan import Period, parse_period, table_names
from fourcard.house.reports.formats import DayNumber, parse_day
from fourcard.house.reports.house_status import (
    ClockReport,
    SecurityEntry,
    StaffMember,
    TableStatus,
    clock_report,
    security_log,
    staff_members,
    statuses_of,
)
from fourcard.house.reports.meters import MeterStatus, meter_statuses
from fourcard.house.reports.statements import TrialBalance, trial_balance
from fourcard.house.reports.table_results import (
    TableDay,
    sum_days,
    table_days,
    table_results,
    total_results,
)
from fourcard.house.reports.wins import WinEntry
from fourcard.refusals import BadInputError, RefusedError
from fourcard.server.api.params import (
    DEFAULT_LIMIT,
    AfterParam,
    LimitParam,
    ListPage,
    TableParam,
    page_after,
    page_of,
)
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories
from fourcard.server.command_gateway import (
    CommandAccepted,
    CommandGateway,
    KeyedAccountCommand,
    KeyedMeterCommand,
    KeyedStaffCommand,
)
from fourcard.server.error_handlers import error_responses


class ResultsPage(msgspec.Struct, frozen=True):
    """Results by table and gaming day (one page), and the total of all."""

    days: tuple[TableDay, ...]
    total: TableDay
    """Its counts and dealers are those of the days on this page, unless one day was asked for."""
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


class BalancePage(TrialBalance, frozen=True):
    """Trial balance with one page of accounts; the sum must be zero."""

    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


TAGS = ["house"]
REPORT_ERRORS = error_responses(400, 401, 403, 404, 429, 503)
MAX_NOTES = 100_000
MomentParam = Annotated[
    str | None, Parameter(max_length=40, description="A day or a time, such as 2026-01-31.")
]


def _check_readable(house: House, actor: Actor, what: Readable) -> None:
    """Refuse a report that the person may not read, and log the refusal."""
    refusal = reading_refusal(actor, what)
    if refusal is not None:
        house.service.security.note(actor.person, f"read {what}", refusal.name)
        raise RefusedError(refusal)


@get("/api/house/tables", summary="Tables now", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_tables(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[TableStatus]:
    """Return every table: game, phase, decks and their age, next stub count, tray and meter."""
    _check_readable(house, actor, "tables")
    with house.store.reading() as reading:
        page = page_after(table_names(reading), str, limit, after)
        streams = [*reading.streams_of("meter"), *map(table_stream, page.items)]
    for error in house.service.catch_up(streams).values():
        raise error
    return ListPage(statuses_of(house.service.cache, page.items, house.clock.now()), page.next)


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
) -> ResultsPage:
    """Return inventory, drop, win and hold by gaming day and wager, with the total of all days."""
    _check_readable(house, actor, "results")
    with house.store.reading() as reading:
        if day is not None:
            found = table_results(reading, table=table, day=parse_day(printable(day)), begins=begins)
            page = page_after(found, _day_cursor, limit, after)
            return ResultsPage(page.items, sum_days(found), page.next)
        total = total_results(reading, table)
        days = table_days(reading, table, _first_day(after), begins=begins)
        page = page_after(days, _day_cursor, limit, after)
    listed = sum_days(page.items)
    return ResultsPage(page.items, replace(total, counts=listed.counts, dealers=listed.dealers), page.next)


def _day_cursor(each: TableDay) -> str:
    return f"{each.day}:{each.table}"


def _first_day(after: str | None) -> DayNumber | None:
    """Return the day of a cursor, so that the days before it are not read."""
    if not after:
        return None
    try:
        return parse_day(printable(after).partition(":")[0])
    except BadInputError:
        raise BadInputError(f"There is no page after '{printable(after)}'.") from None


@get(
    "/api/house/balance", summary="The trial balance", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True
)
def report_balance(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> BalancePage:
    """Return a page of accounts by group with their balances; the sums cover all accounts."""
    _check_readable(house, actor, "balance")
    return reports.pages.run(balance_page, limit, after)


def balance_page(histories: Histories, limit: int, after: str | None) -> BalancePage:
    """Return the trial balance with a page of accounts."""
    with histories.store.reading() as reading:
        found = trial_balance(reading)
    accounts = (each for group in found.groups for each in group.accounts)
    page = page_after(accounts, lambda each: each.account, limit, after)
    on_page = {each.account for each in page.items}
    groups = tuple(
        replace(group, accounts=tuple(each for each in group.accounts if each.account in on_page))
        for group in found.groups
    )
    return BalancePage(**{**asdict(found), "groups": groups}, next=page.next)


@get("/api/house/meters", summary="Meters now", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_meters(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[MeterStatus]:
    """Return every meter: display, reserve, totals in and out, and its last wins."""
    _check_readable(house, actor, "meters")
    return reports.pages.run(meters_page, limit, after)


def meters_page(histories: Histories, limit: int, after: str | None) -> ListPage[MeterStatus]:
    """Return a page of the meters."""
    with histories.store.reading() as reading:
        found = meter_statuses(reading)
    return page_after(found, lambda each: each.meter, limit, after)


@get("/api/house/wins", summary="Wins of meters", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_wins(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    meter: Annotated[str | None, Parameter(max_length=40, description="The name of a meter.")] = None,
    table: TableParam = None,
    since: MomentParam = None,
    until: MomentParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[WinEntry]:
    """Return every win, newest first: the player, the amount and who confirmed it."""
    _check_readable(house, actor, "wins")
    period = parse_period(since, until)
    return reports.pages.run(wins_page, meter, table, period, limit, after)


def wins_page(
    histories: Histories, meter: str | None, table: str | None, period: Period, limit: int, after: str | None
) -> ListPage[WinEntry]:
    """Return a page of wins, newest first."""
    with histories.store.reading() as reading:
        found = histories.wins.wins(reading, meter, table, period)
    return page_after(reversed(found), lambda each: f"{each.meter}:{each.number}", limit, after)


@get("/api/house/staff", summary="Staff", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True)
def report_staff(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[StaffMember]:
    """Return everybody who works here or once did, with their roles."""
    _check_readable(house, actor, "staff")
    return reports.pages.run(staff_page, limit, after)


def staff_page(histories: Histories, limit: int, after: str | None) -> ListPage[StaffMember]:
    """Return a page of the staff."""
    with histories.store.reading() as reading:
        found = staff_members(reading)
    return page_after(found, lambda each: each.person, limit, after)


@get(
    "/api/house/clock", summary="Clock of the house", tags=TAGS, responses=REPORT_ERRORS, sync_to_thread=True
)
def report_clock(house: NamedDependency[House], actor: NamedDependency[Actor]) -> ClockReport:
    """Return the house's current timestamp and the machine's clock, which may have jumped."""
    _check_readable(house, actor, "tables")
    watch = ClockWatch(house)
    jump, stamped = watch.jump, house.clock.now()
    return clock_report(stamped, 0 if jump is None else jump.ahead, watch.alert)


@get(
    "/api/house/security-log",
    summary="The security log",
    tags=TAGS,
    responses=REPORT_ERRORS,
    sync_to_thread=True,
)
def report_security(
    house: NamedDependency[House],
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[SecurityEntry]:
    """Return refused actions and sign-ins, newest first.

    A cursor is the number of notes before the page.
    """
    first = _offset(after)
    _check_readable(house, actor, "security_log")
    return reports.pages.run(security_page, first, limit)


def security_page(histories: Histories, first: int, limit: int) -> ListPage[SecurityEntry]:
    """Return a page of the security log after a number of notes."""
    with histories.store.reading() as reading:
        found = security_log(reading, first + limit + 1)[first:]
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

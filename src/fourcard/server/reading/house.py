"""House report routes, each for the roles that may read it."""

from contextlib import AbstractContextManager
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.errors import BadInputError
from fourcard.house.actors import Actor, legible
from fourcard.house.clock_watch import ClockWatch
from fourcard.house.house import House
from fourcard.house.permissions import Readable, reading_refusal
from fourcard.house.reports.balances import trial_balance
from fourcard.house.reports.days import numbered
from fourcard.house.reports.people import people
from fourcard.house.reports.progressive.meters import meters_now
from fourcard.house.reports.progressive.streams import period_named
from fourcard.house.reports.progressive.wins import wins
from fourcard.house.reports.results import TableDay, total
from fourcard.house.reports.showing import moment
from fourcard.house.reports.tables import tables_now
from fourcard.house.reports.tallying import table_results
from fourcard.house.store.contract import Reading
from fourcard.refusals import RefusedError
from fourcard.server.documented import problems
from fourcard.server.pages import Page, page_of
from fourcard.server.reading.asking import DEFAULT_LIMIT, After, Limit, Table, paged
from fourcard.server.reading.house_answers import (
    BalanceReport,
    ClockReport,
    MeterReport,
    NoteReport,
    PersonReport,
    ResultsReport,
    TableReport,
    WinReport,
)
from fourcard.server.reading.keeping import Kept

TAGS = ["house"]
REFUSED = problems(400, 401, 403, 404, 429, 503)
MOST_NOTES = 100_000
_results: Kept[tuple[TableDay, ...]] = Kept(4)
"""Results are counted from the whole journal and requested page by page."""
Moment = Annotated[str | None, Parameter(max_length=40, description="A day or a time, such as 2026-01-31.")]


def _read_view(house: House, actor: Actor, what: Readable) -> AbstractContextManager[Reading]:
    """Return a read view of the store if the person may read this report; log a refusal."""
    refusal = reading_refusal(actor, what)
    if refusal is not None:
        house.desk.security.note(actor.person, f"read {what}", refusal.name)
        raise RefusedError(refusal)
    return house.store.reading()


@get("/api/house/tables", summary="Tables now", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_tables(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[TableReport]:
    """Return every table: game, phase, decks and their age, next stub count, tray and meter."""
    with _read_view(house, actor, "tables") as reading:
        found = tables_now(reading, house.clock.now())
    page = paged(found, lambda each: each.table, limit, after)
    return Page(tuple(msgspec.convert(each.answer(), TableReport) for each in page.items), page.next)


@get(
    "/api/house/results",
    summary="Table results by day",
    tags=TAGS,
    responses=REFUSED,
    sync_to_thread=True,
)
def report_results(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    table: Table = None,
    day: Moment = None,
    begins: Annotated[int, Parameter(ge=0, le=23, description="UTC hour at which a gaming day begins.")] = 0,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> ResultsReport:
    """Return inventory, drop, win and hold by gaming day and wager, with the total of all days."""
    with _read_view(house, actor, "results") as reading:
        day_number = None if day is None else numbered(legible(day))
        key = house.name, table, day_number, begins, _state_key(reading)
        found = _results.get(key, lambda: table_results(reading, table=table, day=day_number, begins=begins))
    page = paged(found, lambda each: f"{each.day}:{each.table}", limit, after)
    answer = {
        "days": [each.answer() for each in page.items],
        "total": total(found).answer(),
        "next": page.next,
    }
    return msgspec.convert(answer, ResultsReport)


def _state_key(reading: Reading) -> frozenset[tuple[str, bytes]]:
    """Return a key of the journal's current state."""
    return frozenset((stream, head.hash) for stream, head in reading.streams().items())


@get("/api/house/balance", summary="The trial balance", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_balance(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> BalanceReport:
    """Return a page of accounts by group with their balances; the sums cover all accounts."""
    with _read_view(house, actor, "balance") as reading:
        found = trial_balance(reading)
    accounts = (each for group in found.groups for each in group.accounts)
    page = paged(accounts, lambda each: each.account, limit, after)
    on_page = {each.account for each in page.items}
    groups = [
        {**group.answer(), "accounts": [each.answer() for each in group.accounts if each.account in on_page]}
        for group in found.groups
    ]
    return msgspec.convert({**found.answer(), "groups": groups, "next": page.next}, BalanceReport)


@get("/api/house/meters", summary="Meters now", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_meters(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[MeterReport]:
    """Return every meter: display, reserve, totals in and out, and its last wins."""
    with _read_view(house, actor, "meters") as reading:
        found = meters_now(reading)
    page = paged(found, lambda each: each.book.name, limit, after)
    return Page(tuple(msgspec.convert(each.details(), MeterReport) for each in page.items), page.next)


@get("/api/house/wins", summary="Wins of meters", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_wins(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    meter: Annotated[str | None, Parameter(max_length=40, description="The name of a meter.")] = None,
    table: Table = None,
    since: Moment = None,
    until: Moment = None,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[WinReport]:
    """Return every win, newest first: the player, the amount and who confirmed it."""
    with _read_view(house, actor, "wins") as reading:
        found = wins(reading, meter, table, period_named(since, until))
    page = paged(reversed(found), lambda each: f"{each.meter}:{each.win.number}", limit, after)
    return Page(tuple(msgspec.convert(each.answer(), WinReport) for each in page.items), page.next)


@get("/api/house/staff", summary="Staff", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_staff(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[PersonReport]:
    """Return everybody who works here or once did, with their roles."""
    with _read_view(house, actor, "staff") as reading:
        found = people(reading)
    page = paged(found, lambda each: each.person, limit, after)
    return Page(tuple(msgspec.convert(each.answer(), PersonReport) for each in page.items), page.next)


@get("/api/house/clock", summary="Clock of the house", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_clock(house: NamedDependency[House], actor: NamedDependency[Actor]) -> ClockReport:
    """Return the house's current timestamp and the machine's clock, which may have jumped."""
    with _read_view(house, actor, "tables"):
        watch = ClockWatch(house)
        jump, stamped = watch.jump, house.clock.now()
    ahead = 0 if jump is None else jump.ahead
    machine = stamped + ahead
    return ClockReport(stamped, moment(stamped), machine, moment(machine), ahead, watch.alert)


@get("/api/house/security-log", summary="The security log", tags=TAGS, responses=REFUSED, sync_to_thread=True)
def report_security(
    house: NamedDependency[House],
    actor: NamedDependency[Actor],
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[NoteReport]:
    """Return refused actions and sign-ins, newest first.

    A cursor is the number of notes before the page.
    """
    first = _offset(after)
    with _read_view(house, actor, "security_log") as reading:
        notes = reading.security_notes(first + limit + 1)[first:]
    found = [
        msgspec.convert({**msgspec.to_builtins(each), "moment": moment(each.at)}, NoteReport)
        for each in notes
    ]
    return page_of(found, limit, lambda _: str(first + limit))


def _offset(after: str | None) -> int:
    if not after:
        return 0
    if not (after.isascii() and after.isdigit() and len(after) < 7 and int(after) <= MOST_NOTES):
        raise BadInputError(f"There is no page after '{legible(after)}'.")
    return int(after)

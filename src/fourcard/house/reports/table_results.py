"""Table results by gaming day: inventory, drop, win and hold, in total and by wager.

The win is what a count at the end of a day finds:

    win = drop + closing + credits - opening - fills

The figures come from the running totals of each table and hour, which the audit counts again from the
journal. The ledger proves the win by the wagers. A tray changes only by fills, credits and count variances,
by chips sold from it, and by wagers taken and paid; a drop box only by payments for chips, and by variances.
Chips with players, in play or carried to the cage left the tray when they were bought, and are neither won
nor lost. So for every table and every day, to the cent:

    win = sum over all wagers (taken - paid + what a meter paid) + variances of tray and drop
    sum over all wagers (taken - paid) = bought - cashed - what the chips outside the tray gained

The first is what the house won, the second what the players lost: they differ by what meters paid to players
and by variances.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

import msgspec

from fourcard.answers import InCents
from fourcard.house.decision import table_stream
from fourcard.house.reports.formats import (
    DayNumber,
    check_hour,
    day_name,
    day_number,
    day_start,
    format_time,
    share_of,
)
from fourcard.house.running_totals import HOUR, WAGER_FIGURES, CountOccasion, CountRow, Sums, decode_hour
from fourcard.house.store.interface import ReadTransaction, TableHour
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.wagers import WAGERS, WagerName


class ChipCount(msgspec.Struct, frozen=True):
    """A count of the tray or of a drop box, and the amount that the ledger expected."""

    at: int
    of: CountOccasion
    cents: InCents
    expected: InCents
    variance: InCents
    """The counted amount less the expected one."""
    moment: str


class WagerResult(msgspec.Struct, frozen=True):
    """The result of one wager in cents, without void rounds."""

    wager: WagerName
    handle: InCents
    """The stakes that stood."""
    taken: InCents
    paid: InCents
    """What players were paid, without the stakes that they kept."""
    by_meter: InCents
    """The part of it that a meter paid."""
    win: InCents
    """What the table won; negative where it lost."""
    hold: Fraction | None
    """The win as a share of the handle; None for a wager without stakes of its own."""


def wager_result(wager: WagerName, figures: Mapping[str, int]) -> WagerResult:
    """Return the result of a wager from its figures."""
    handle, taken, paid, by_meter = (figures.get(name, 0) for name in WAGER_FIGURES)
    win = taken - paid + by_meter
    return WagerResult(wager, handle, taken, paid, by_meter, win, share_of(win, handle))


class DealerResult(msgspec.Struct, frozen=True):
    """The result of one dealer in cents, without void rounds."""

    dealer: str
    """Who last acted as dealer; empty for what happened before the table's first dealer."""
    rounds: int
    handle: InCents
    taken: InCents
    paid: InCents
    by_meter: InCents
    win: InCents
    hold: Fraction | None
    """The win as a share of the handle."""


def dealer_result(dealer: str, rounds: int, figures: Mapping[str, int]) -> DealerResult:
    """Return the result of a dealer from the sums of all wagers."""
    handle, taken, paid, by_meter = (figures.get(name, 0) for name in WAGER_FIGURES)
    win = taken - paid + by_meter
    return DealerResult(dealer, rounds, handle, taken, paid, by_meter, win, share_of(win, handle))


class TableDay(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one gaming day, or a total of several, in cents."""

    table: str
    day: str
    rounds: int
    """Rounds that were completed."""
    voids: int
    opening: InCents
    fills: InCents
    credits: InCents
    closing: InCents
    drop: InCents
    """What was paid for chips, corrected by the counts of the drop box."""
    collected: InCents
    bought: InCents
    cashed: InCents
    out_before: InCents
    """Chips with players and in play at the start of the day."""
    out_after: InCents
    tray_variance: InCents
    drop_variance: InCents
    win: InCents
    """The win by inventory and drop."""
    hold: Fraction | None
    """The win as a share of the drop."""
    win_of_wagers: InCents
    """The win by wagers."""
    counts: tuple[ChipCount, ...]
    wagers: tuple[WagerResult, ...]
    dealers: tuple[DealerResult, ...]

    @property
    def variance(self) -> int:
        """Return the variance of all counts."""
        return self.tray_variance + self.drop_variance


class DayDetails(msgspec.Struct, frozen=True):
    """What a day lists besides its figures."""

    counts: tuple[ChipCount, ...] = ()
    wagers: tuple[WagerResult, ...] = ()
    dealers: tuple[DealerResult, ...] = ()


def table_day(table: str, day: str, figures: Mapping[str, int], details: DayDetails) -> TableDay:
    """Return a day of a table from its figures."""
    known = {name: figures.get(name, 0) for name in (*SUMMED_FIGURES, *END_FIGURES)}
    win = known["drop"] + known["closing"] + known["credits"] - known["opening"] - known["fills"]
    return TableDay(
        table=table,
        day=day,
        **known,
        win=win,
        hold=share_of(win, known["drop"]),
        win_of_wagers=sum(each.win for each in details.wagers),
        counts=details.counts,
        wagers=details.wagers,
        dealers=details.dealers,
    )


SUMMED_FIGURES = (
    "rounds", "voids", "fills", "credits", "drop", "collected", "bought", "cashed", "tray_variance",
    "drop_variance",
)  # fmt: skip
"""The figures that are summed over days and tables."""
END_FIGURES = ("opening", "closing", "out_before", "out_after")


def sum_days(days: Sequence[TableDay]) -> TableDay:
    """Sum days of tables into one, from each table's first opening to its last closing."""
    ordered = sorted(days, key=attrgetter("day"))
    first = {each.table: each for each in reversed(ordered)}.values()
    last = {each.table: each for each in ordered}.values()
    figures = {name: sum(getattr(each, name) for each in days) for name in SUMMED_FIGURES}
    for name in END_FIGURES:
        ends = last if name in ("closing", "out_after") else first
        figures[name] = sum(getattr(each, name) for each in ends)
    counts = tuple(count for each in ordered for count in each.counts)
    wagers = sum_wagers(wager for each in days for wager in each.wagers)
    dealers = sum_dealers(dealer for each in days for dealer in each.dealers)
    return table_day("", "", figures, DayDetails(counts, wagers, dealers))


def sum_wagers(wagers: Iterable[WagerResult]) -> tuple[WagerResult, ...]:
    """Sum the results of each wager, in layout order."""
    sums: dict[WagerName, Counter[str]] = {}
    for each in wagers:
        sums.setdefault(each.wager, Counter()).update({name: getattr(each, name) for name in WAGER_FIGURES})
    return tuple(wager_result(name, sums[name]) for name in WAGERS if name in sums)


def sum_dealers(dealers: Iterable[DealerResult]) -> tuple[DealerResult, ...]:
    """Sum the results of each dealer, by name."""
    sums: dict[str, Counter[str]] = {}
    for each in dealers:
        figures = {name: getattr(each, name) for name in ("rounds", *WAGER_FIGURES)}
        sums.setdefault(each.dealer, Counter()).update(figures)
    return tuple(dealer_result(name, sums[name]["rounds"], sums[name]) for name in sorted(sums))


def table_results(
    reading: ReadTransaction, *, table: str | None = None, day: DayNumber | None = None, begins: int = 0
) -> tuple[TableDay, ...]:
    """Return the results by day of every table and gaming day, or of one table or one day."""
    stream, begins = _stream(reading, table), check_hour(begins)
    if day is None:
        return tuple(table_days(reading, table, begins=begins))
    since, until = (day_start(each, begins) // HOUR for each in (day, day + 1))
    hours = sorted(reading.table_hours(stream, max(0, since), until), key=attrgetter("stream", "hour"))
    days = {name: _day_result(name, day, rows) for name, rows in groupby(hours, attrgetter("stream"))}
    last = {row.stream: row for row in reading.last_table_hours(until)}
    names = [*reading.streams_of("table")] if stream is None else [stream]
    return tuple(days.get(name) or _idle_day(name, day, last.get(name)) for name in names)


def table_days(
    reading: ReadTransaction, table: str | None = None, first: DayNumber | None = None, *, begins: int = 0
) -> Iterator[TableDay]:
    """Yield the days of one table or all from a day on, sorted by day and table, as they are read."""
    stream = _stream(reading, table)
    since = 0 if first is None else max(0, day_start(first, begins) // HOUR)
    rows = reading.table_hours(stream, since)
    for number, of_day in groupby(rows, key=lambda row: _day_of(row, begins)):
        for name, hours in groupby(sorted(of_day, key=attrgetter("stream", "hour")), attrgetter("stream")):
            yield _day_result(name, number, hours)


def total_results(reading: ReadTransaction, table: str | None = None) -> TableDay:
    """Return the total of one table or all since its first event, without counts and dealers."""
    stream, whole = _stream(reading, table), Sums()
    rows = reading.last_table_hours() if stream is None else [reading.last_table_hour(stream)]
    for row in rows:
        if row is not None:
            now, before = decode_hour(row)
            for sums in (before, *now.dealers.values()):
                whole.add(sums)
    return _result("", "", _DaySums(whole=whole))


class _DaySums(msgspec.Struct):
    """The sums of one day of one table."""

    whole: Sums = msgspec.field(default_factory=Sums)
    before: Sums = msgspec.field(default_factory=Sums)
    """The sums of everything before the day."""
    dealers: dict[str, Sums] = msgspec.field(default_factory=dict)
    counts: list[CountRow] = msgspec.field(default_factory=list)

    def add(self, row: TableHour) -> None:
        """Add the next hour of the day; the first one says what came before."""
        now, before = decode_hour(row)
        if not self.dealers:
            self.before = before
        self.counts += now.counts
        for name, sums in now.dealers.items():
            self.dealers.setdefault(name, Sums()).add(sums)
            self.whole.add(sums)


def _stream(reading: ReadTransaction, table: str | None) -> str | None:
    """Return the stream of a table, or None for all; refuse an unknown table."""
    if table is None:
        return None
    stream = table_stream(table)
    if stream not in reading.streams([stream]):
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=table))
    return stream


def _day_of(row: TableHour, begins: int) -> DayNumber:
    return day_number(row.hour * HOUR, begins)


def _idle_day(stream: str, day: DayNumber, last: TableHour | None) -> TableDay:
    """Return a day of a table on which nothing happened, from its newest hour before."""
    sums = _DaySums() if last is None else _DaySums(before=_after(last))
    return _result(_table_of(stream), day_name(day), sums)


def _after(row: TableHour) -> Sums:
    """Return the sums of a table up to the end of an hour."""
    now, sums = decode_hour(row)
    sums.add(now.sums())
    return sums


def _day_result(stream: str, day: DayNumber, hours: Iterable[TableHour]) -> TableDay:
    """Return a day of a table from its hours."""
    sums = _DaySums()
    for row in hours:
        sums.add(row)
    return _result(_table_of(stream), day_name(day), sums)


def _table_of(stream: str) -> str:
    return stream.removeprefix(table_stream(""))


def _result(table: str, day: str, sums: _DaySums) -> TableDay:
    figures, before = sums.whole.named(), sums.before.named()
    ends = {
        "opening": before["tray"],
        "closing": before["tray"] + figures["tray"],
        "out_before": before["out"],
        "out_after": before["out"] + figures["out"],
    }
    wagers = sums.whole.wagers
    details = DayDetails(
        tuple(map(_chip_count, sums.counts)),
        tuple(wager_result(each, _named(wagers[each])) for each in WAGERS if each in wagers),
        tuple(_dealer(name, each) for name, each in sorted(sums.dealers.items())),
    )
    return table_day(table, day, {**figures, **ends}, details)


def _named(figures: Iterable[int]) -> dict[str, int]:
    return dict(zip(WAGER_FIGURES, figures, strict=True))


def _dealer(name: str, sums: Sums) -> DealerResult:
    whole = [sum(each) for each in zip(*sums.wagers.values(), strict=True)] or [0] * len(WAGER_FIGURES)
    return dealer_result(name, sums.named()["rounds"], _named(whole))


def _chip_count(row: CountRow) -> ChipCount:
    variance = row.cents - row.expected
    return ChipCount(row.at, row.of, row.cents, row.expected, variance, format_time(row.at))

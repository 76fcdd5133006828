"""Daily table results, computed from the ledger transfers and a few events of each table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec

from fourcard.house.accounts import Transfer
from fourcard.house.events import DropCollected, TrayCounted
from fourcard.house.journal import TABLES
from fourcard.house.outcome import table_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.days import Number, checked_hour, day_name, day_number
from fourcard.house.reports.effects import OF_WAGER, effect_of
from fourcard.house.reports.results import Count, TableDay, WagerResult
from fourcard.house.store.contract import Reading
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.nodes import WAGERS

_PREFIX = table_stream("")
_WITHDRAWAL_EVENTS = ("wager_withdrawn", "progressive_locked")
"""Events that return stakes which never stood; other events return the stakes of winners."""
_COUNT_EVENTS = ("tray_counted", "drop_collected")
_END_EVENTS = {"round_ended": "rounds", "round_voided": "voids"}


class _DaySums(msgspec.Struct):
    """The sums of one day of one table."""

    figures: Counter[str] = msgspec.field(default_factory=Counter)
    wagers: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    counts: list[Count] = msgspec.field(default_factory=list)


class _TableDays:
    """The daily sums of one table."""

    def __init__(self, name: str, begins: int) -> None:
        self.name, self.begins = name, begins
        self.days: dict[Number, _DaySums] = {}
        self._withdrawals: set[int] = set()

    def day(self, at: int) -> _DaySums:
        """Return the sums of the day of a time."""
        return self.days.setdefault(day_number(at, self.begins), _DaySums())

    def add_event(self, record: Recorded) -> None:
        """Count an event: rounds, void rounds, withdrawn stakes and counts of chips."""
        if record.kind in _END_EVENTS:
            self.day(record.at).figures[_END_EVENTS[record.kind]] += 1
        elif record.kind in _WITHDRAWAL_EVENTS:
            self._withdrawals.add(record.sequence)
        elif record.kind in _COUNT_EVENTS:
            self.day(record.at).counts.append(_count(record.at, TABLES.decode(record)))

    def add_transfer(self, transfer: Transfer) -> None:
        """Add a transfer to the figures."""
        tally = self.day(transfer.at)
        cents = transfer.amount // UNITS_PER_CENT
        wager = tally.wagers.setdefault(transfer.wager, Counter()) if transfer.wager else tally.figures
        for figure, sign in effect_of(transfer, withdrawn=transfer.sequence in self._withdrawals):
            (wager if figure in OF_WAGER else tally.figures)[figure] += sign * cents

    def results(self, only: Number | None) -> Iterator[TableDay]:
        """Yield the days in order, each opening with the closing of the day before; or only one day."""
        tray = out = 0
        for number in sorted({*self.days, *(() if only is None else (only,))}):
            tally = self.days.get(number, _DaySums())
            found = _result(self.name, number, tally, tray, out)
            tray, out = found.closing, found.out_after
            if only is None or number == only:
                yield found


def table_results(
    reading: Reading, *, table: str | None = None, day: Number | None = None, begins: int = 0
) -> tuple[TableDay, ...]:
    """Return the results by day of every table and gaming day, or of one table or one day."""
    tables = _tables(reading, table, checked_hour(begins))
    for each in tables.values():
        for record in reading.events(table_stream(each.name)):
            each.add_event(record)
    for stream, moved in groupby(reading.transfers(), key=attrgetter("stream")):
        known = tables.get(stream)
        if known is not None:
            _add_transfers(known, moved)
    found = (result for each in tables.values() for result in each.results(day))
    return tuple(sorted(found, key=attrgetter("day", "table")))


def _tables(reading: Reading, only: str | None, begins: int) -> Mapping[str, _TableDays]:
    names = sorted(each.removeprefix(_PREFIX) for each in reading.streams() if each.startswith(_PREFIX))
    if only is not None and only not in names:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=only))
    return {table_stream(name): _TableDays(name, begins) for name in names if only in (None, name)}


def _add_transfers(table: _TableDays, moved: Iterable[Transfer]) -> None:
    for transfer in moved:
        table.add_transfer(transfer)


def _count(at: int, event: Any) -> Count:
    assert isinstance(event, TrayCounted | DropCollected)
    of = event.occasion if isinstance(event, TrayCounted) else "drop"
    return Count(at, of, event.cents, event.expected)


def _result(table: str, number: Number, tally: _DaySums, tray: int, out: int) -> TableDay:
    figures = Counter(tally.figures)
    closing, out_after = tray + figures.pop("tray", 0), out + figures.pop("out", 0)
    return TableDay(
        table=table,
        day=day_name(number),
        opening=tray,
        closing=closing,
        out_before=out,
        out_after=out_after,
        counts=tuple(tally.counts),
        wagers=tuple(
            WagerResult(wager=each, **tally.wagers[each]) for each in WAGERS if each in tally.wagers
        ),
        **figures,
    )

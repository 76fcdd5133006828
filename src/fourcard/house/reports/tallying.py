"""Tallying the ledger of a table day by day, from its movements and the few events that say more."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any

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
_WITHDRAWING = ("wager_withdrawn", "progressive_locked")
"""Events that give stakes back which never stood; the others give back those that won."""
_COUNTING = ("tray_counted", "drop_collected")
_ENDING = {"round_ended": "rounds", "round_voided": "voids"}


@dataclass(slots=True)
class _Tally:
    """What one day of one table came to so far."""

    figures: Counter[str] = field(default_factory=Counter)
    wagers: dict[str, Counter[str]] = field(default_factory=dict)
    counts: list[Count] = field(default_factory=list)


class _Table:
    """The days of one table."""

    def __init__(self, name: str, begins: int) -> None:
        self.name, self.begins = name, begins
        self.days: dict[Number, _Tally] = {}
        self._withdrawing: set[int] = set()

    def day(self, at: int) -> _Tally:
        """Return the tally of the day of a moment."""
        return self.days.setdefault(day_number(at, self.begins), _Tally())

    def hear(self, record: Recorded) -> None:
        """Take in what an event says besides money."""
        if record.kind in _ENDING:
            self.day(record.at).figures[_ENDING[record.kind]] += 1
        elif record.kind in _WITHDRAWING:
            self._withdrawing.add(record.sequence)
        elif record.kind in _COUNTING:
            self.day(record.at).counts.append(_counted(record.at, TABLES.decode(record)))

    def post(self, transfer: Transfer) -> None:
        """Take in a movement of money."""
        tally = self.day(transfer.at)
        cents = transfer.amount // UNITS_PER_CENT
        wager = tally.wagers.setdefault(transfer.wager, Counter()) if transfer.wager else tally.figures
        for figure, sign in effect_of(transfer, withdrawn=transfer.sequence in self._withdrawing):
            (wager if figure in OF_WAGER else tally.figures)[figure] += sign * cents

    def results(self, only: Number | None) -> Iterator[TableDay]:
        """Yield the days in their order, each with what the days before left in the tray; or only one."""
        tray = out = 0
        for number in sorted({*self.days, *(() if only is None else (only,))}):
            tally = self.days.get(number, _Tally())
            found = _result(self.name, number, tally, tray, out)
            tray, out = found.closing, found.out_after
            if only is None or number == only:
                yield found


def table_results(
    reading: Reading, *, table: str | None = None, day: Number | None = None, begins: int = 0
) -> tuple[TableDay, ...]:
    """Return the results of every table and gaming day with any, or of one table or one day, by day."""
    tables = _tables(reading, table, checked_hour(begins))
    for each in tables.values():
        for record in reading.events(table_stream(each.name)):
            each.hear(record)
    for stream, moved in groupby(reading.transfers(), key=attrgetter("stream")):
        known = tables.get(stream)
        if known is not None:
            _post(known, moved)
    found = (result for each in tables.values() for result in each.results(day))
    return tuple(sorted(found, key=attrgetter("day", "table")))


def _tables(reading: Reading, only: str | None, begins: int) -> Mapping[str, _Table]:
    names = sorted(each.removeprefix(_PREFIX) for each in reading.streams() if each.startswith(_PREFIX))
    if only is not None and only not in names:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=only))
    return {table_stream(name): _Table(name, begins) for name in names if only in (None, name)}


def _post(table: _Table, moved: Iterable[Transfer]) -> None:
    for transfer in moved:
        table.post(transfer)


def _counted(at: int, event: Any) -> Count:
    assert isinstance(event, TrayCounted | DropCollected)
    of = event.occasion if isinstance(event, TrayCounted) else "drop"
    return Count(at, of, event.cents, event.expected)


def _result(table: str, number: Number, tally: _Tally, tray: int, out: int) -> TableDay:
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

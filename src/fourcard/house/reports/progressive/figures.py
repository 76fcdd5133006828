"""What went into meters and out of them, added up by table, by gaming day or by meter.

Every figure is what an event changed in the meter's own books, so that for each line, exactly:

    change of meter and reserve = contributed + seeded + adjusted - paid
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from fourcard.house import meter_book
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import StakesAdded
from fourcard.house.outcome import meter_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.days import checked_hour, day_name, day_number
from fourcard.house.reports.progressive.streams import Period, Progress, meters_named, told
from fourcard.house.reports.progressive.wins import AT_ANY_TIME
from fourcard.house.store.contract import Reading

By = Literal["table", "day", "meter"]
OF_TOTALS = ("wagered", "contributed", "seeded", "paid", "adjusted", "won", "shortfall")
IN_CENTS = ("wagered", "won", "shortfall")
IN_UNITS = ("contributed", "to_reserve", "seeded", "paid", "adjusted", "borne", "meter", "reserve")
NAMED = {name: f"{name}_cents" for name in IN_CENTS} | {name: f"{name}_units" for name in IN_UNITS}
"""The names of amounts as scripts read them."""
Held = tuple[int, int]
"""Units in a meter and in its reserve."""
NOTHING: Held = (0, 0)
NO_TABLE = ""
"""Stands for what no table did: a meter's first seed, and adjustments by the Game Manager."""


class Figures(msgspec.Struct, frozen=True, kw_only=True, rename=NAMED):
    """One line: cents wagered and won, and units of a ten-thousandth of a cent for the rest."""

    key: str
    rounds: int = 0
    """Rounds with a progressive wager, void ones included."""
    wagered: int = 0
    contributed: int = 0
    to_reserve: int = 0
    """Units of what was contributed that went to the reserve."""
    seeded: int = 0
    paid: int = 0
    adjusted: int = 0
    borne: int = 0
    hits: int = 0
    won: int = 0
    shortfall: int = 0
    meter: int | None = None
    """Units in the meters at the end of the line; None where a line is a table's, whose meter is shared."""
    reserve: int | None = None

    @property
    def change(self) -> int:
        """Return by how many units meter and reserve changed."""
        return self.contributed + self.seeded + self.adjusted - self.paid

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        return {**msgspec.to_builtins(self), "change_units": self.change}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Lines by table, day or meter, and all of them as one."""

    by: By
    lines: tuple[Figures, ...]
    total: Figures
    opening: int
    """Units in meters and reserves before the period."""
    closing: int

    @property
    def holds(self) -> bool:
        """Say whether the lines explain every unit: opening and changes make up the closing."""
        return self.opening + self.total.change == self.closing

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        ends = {"opening_units": self.opening, "closing_units": self.closing, "holds": self.holds}
        return {
            "by": self.by,
            "lines": [line.answer() for line in self.lines],
            "total": self.total.answer(),
            **ends,
        }


class Grouping(msgspec.Struct, frozen=True):
    """What a line is: a table, a meter, or a gaming day, which begins at an hour of UTC."""

    by: By
    begins: int = 0


def report(
    reading: Reading,
    grouping: Grouping,
    meter: str | None = None,
    period: Period = AT_ANY_TIME,
    progress: Progress | None = None,
) -> Report:
    """Return what went into one meter or all of them, and out, within a period."""
    names = meters_named(reading, meter)
    adding = _Adding(grouping, period, names)
    for record, event in told(reading, map(meter_stream, names), None, progress):
        adding.hear(record, event)
    return adding.report()


class _Adding:
    """Follows one meter after the other and adds up what each event changed."""

    def __init__(self, grouping: Grouping, period: Period, names: Iterable[str]) -> None:
        self.by, self.period, self.begins = grouping.by, period, checked_hour(grouping.begins)
        self.sums: dict[str, Counter[str]] = {}
        self.books = {name: MeterBook(name) for name in names}
        self.before = dict.fromkeys(self.books, NOTHING)
        self.after = dict.fromkeys(self.books, NOTHING)
        self.ends: dict[str, dict[str, Held]] = {}
        """By line and meter, what it held at the end of the line."""

    def hear(self, record: Recorded, event: Any) -> None:
        """Take in one event."""
        name = record.stream.partition("/")[2]
        old = self.books[name]
        new, _ = meter_book.evolve(old, event)
        self.books[name], held = new, (new.meter.amount, new.meter.reserve)
        if self.period.since is not None and record.at < self.period.since:
            self.before[name] = self.after[name] = held
        elif record.at in self.period:
            key = self._key(name, record.at, event)
            self.after[name] = self.ends.setdefault(key, {})[name] = held
            self._add(self.sums.setdefault(key, Counter()), old, new, event)

    def _key(self, name: str, at: int, event: Any) -> str:
        if self.by == "day":
            return day_name(day_number(at, self.begins))
        return name if self.by == "meter" else getattr(event, "table", NO_TABLE)

    @staticmethod
    def _add(sums: Counter[str], old: MeterBook, new: MeterBook, event: Any) -> None:
        for figure in OF_TOTALS:
            sums[figure] += getattr(new.totals, figure) - getattr(old.totals, figure)
        sums["borne"] += new.borne - old.borne
        sums["hits"] += new.count - old.count
        if isinstance(event, StakesAdded):
            sums["rounds"] += 1
            sums["to_reserve"] += sum(part.to_reserve for part in event.parts)

    def report(self) -> Report:
        """Return the lines in their order, and their total."""
        total = Counter[str]()
        for sums in self.sums.values():
            total.update(sums)
        return Report(
            by=self.by,
            lines=tuple(Figures(key=key, **self.sums[key], **held) for key, held in self._held()),
            total=Figures(key="total", **total),
            opening=sum(map(sum, self.before.values())),
            closing=sum(map(sum, self.after.values())),
        )

    def _held(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield lines with what the meters held at their end; on a day, those too that were left alone."""
        known = dict(self.before)
        for key in sorted(self.sums):
            known = {**known, **self.ends[key]}
            told_of = known if self.by == "day" else self.ends[key]
            meter, reserve = (sum(each[part] for each in told_of.values()) for part in (0, 1))
            yield key, {} if self.by == "table" else {"meter": meter, "reserve": reserve}

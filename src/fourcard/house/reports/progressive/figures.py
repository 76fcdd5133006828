"""Progressive totals: money into and out of meters, by table, gaming day or meter.

Every figure is the change that an event made in its meter, so that for each line, exactly:

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
"""The names of amounts in JSON data."""
Held = tuple[int, int]
"""Units in a meter and in its reserve."""
NOTHING: Held = (0, 0)
NO_TABLE = ""
"""The key for changes by no table: a meter's first seed, and adjustments by the Game Manager."""


class Figures(msgspec.Struct, frozen=True, kw_only=True, rename=NAMED):
    """One line of totals: cents wagered and won, and units (1/10,000 cent) for the rest."""

    key: str
    rounds: int = 0
    """Rounds with a progressive wager, including void ones."""
    wagered: int = 0
    contributed: int = 0
    to_reserve: int = 0
    """The contributed units that went to the reserve."""
    seeded: int = 0
    paid: int = 0
    adjusted: int = 0
    borne: int = 0
    hits: int = 0
    won: int = 0
    shortfall: int = 0
    meter: int | None = None
    """Units in the meters at the end of the line; None by table, as tables share a meter."""
    reserve: int | None = None

    @property
    def change(self) -> int:
        """Return the change of meter and reserve in units."""
        return self.contributed + self.seeded + self.adjusted - self.paid

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "change_units": self.change}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Lines by table, day or meter, and their total."""

    by: By
    lines: tuple[Figures, ...]
    total: Figures
    opening: int
    """Units in meters and reserves before the period."""
    closing: int

    @property
    def holds(self) -> bool:
        """Return whether opening plus changes equals closing."""
        return self.opening + self.total.change == self.closing

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        ends = {"opening_units": self.opening, "closing_units": self.closing, "holds": self.holds}
        return {
            "by": self.by,
            "lines": [line.answer() for line in self.lines],
            "total": self.total.answer(),
            **ends,
        }


class Grouping(msgspec.Struct, frozen=True):
    """What a line stands for: a table, a meter, or a gaming day that starts at an hour of UTC."""

    by: By
    begins: int = 0


def report(
    reading: Reading,
    grouping: Grouping,
    meter: str | None = None,
    period: Period = AT_ANY_TIME,
    progress: Progress | None = None,
) -> Report:
    """Return the totals of one meter or all within a period."""
    names = meters_named(reading, meter)
    builder = _TotalsBuilder(grouping, period, names)
    for record, event in told(reading, map(meter_stream, names), None, progress):
        builder.add(record, event)
    return builder.report()


class _TotalsBuilder:
    """Reads one meter after the other and sums what each event changed."""

    def __init__(self, grouping: Grouping, period: Period, names: Iterable[str]) -> None:
        self.by, self.period, self.begins = grouping.by, period, checked_hour(grouping.begins)
        self.sums: dict[str, Counter[str]] = {}
        self.books = {name: MeterBook(name) for name in names}
        self.before = dict.fromkeys(self.books, NOTHING)
        self.after = dict.fromkeys(self.books, NOTHING)
        self.ends: dict[str, dict[str, Held]] = {}
        """By line and meter, the amounts at the end of the line."""

    def add(self, record: Recorded, event: Any) -> None:
        """Add one event."""
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
        """Return the lines in order, and their total."""
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
        """Yield lines with the amounts of the meters at their end; by day, of unchanged meters too."""
        known = dict(self.before)
        for key in sorted(self.sums):
            known = {**known, **self.ends[key]}
            held = known if self.by == "day" else self.ends[key]
            meter, reserve = (sum(each[part] for each in held.values()) for part in (0, 1))
            yield key, {} if self.by == "table" else {"meter": meter, "reserve": reserve}

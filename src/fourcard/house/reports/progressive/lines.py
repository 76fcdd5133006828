"""Export rows: wins, contributions and adjustments, one row per journal event."""

from collections.abc import Iterator
from typing import Literal

from fourcard.house.meter_events import StakesAdded
from fourcard.house.outcome import meter_stream
from fourcard.house.reports.progressive.adjustments import ADJUSTMENT_COLUMNS, Adjustment, adjustments
from fourcard.house.reports.progressive.streams import Period, Progress, meters_named, told
from fourcard.house.reports.progressive.wins import WIN_COLUMNS, LoggedWin, wins
from fourcard.house.reports.showing import moment
from fourcard.house.store.contract import Reading

Row = dict[str, object]
Exported = Literal["wins", "contributions", "adjustments"]
CONTRIBUTION = (
    "meter",
    "at",
    "moment",
    "table",
    "round",
    "wagers",
    "wagered_units",
    "to_meter_units",
    "to_reserve_units",
    "to_house_units",
    "sequence",
    "hash",
)
"""The columns of a contribution."""
COLUMNS: dict[Exported, tuple[str, ...]] = {
    "wins": WIN_COLUMNS,
    "contributions": CONTRIBUTION,
    "adjustments": ADJUSTMENT_COLUMNS,
}
PARTS = ("to_meter", "to_reserve", "to_house")


def rows(
    reading: Reading, what: Exported, meter: str | None, period: Period, progress: Progress | None = None
) -> Iterator[Row]:
    """Yield the rows of one meter or all within a period; contributions stream as they are read."""
    if what == "contributions":
        yield from _contributions(reading, meter, period, progress)
        return
    found: tuple[LoggedWin | Adjustment, ...]
    if what == "wins":
        found = wins(reading, meter, None, period, progress)
    else:
        found = adjustments(reading, meter, period, progress)
    for each in found:
        yield each.answer()


def _contributions(
    reading: Reading, meter: str | None, period: Period, progress: Progress | None
) -> Iterator[Row]:
    names = meters_named(reading, meter)
    for record, event in told(reading, map(meter_stream, names), ("stakes_added",), progress):
        assert isinstance(event, StakesAdded)
        if record.at in period:
            parts = [sum(getattr(part, name) for part in event.parts) for name in PARTS]
            name = record.stream.partition("/")[2]
            place = (name, record.at, moment(record.at), event.table, event.round, len(event.parts))
            journal = (record.sequence, record.hash.hex())
            yield dict(zip(CONTRIBUTION, (*place, sum(parts), *parts, *journal), strict=True))

"""Table results by gaming day: inventory, drop, win and hold, in total and by wager.

The win is what a count at the end of a day finds:

    win = drop + closing + credits - opening - fills

The ledger proves it by the wagers. A tray changes only by fills, credits and count variances, by chips sold
from it, and by wagers taken and paid; a drop box only by payments for chips, and by variances. Chips with
players, in play or carried to the cage left the tray when they were bought, and are neither won nor lost. So
for every table and every day, to the cent:

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
from typing import Any, Literal

import msgspec

from fourcard.answers import InCents
from fourcard.house.decision import table_stream
from fourcard.house.events import DropCollected, TrayCounted
from fourcard.house.journal import TABLE_CODEC, JournalRecord
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import (
    DayNumber,
    check_hour,
    day_name,
    day_number,
    format_time,
    share_of,
)
from fourcard.house.store.interface import ReadTransaction, StoreError
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.wagers import WAGERS, WagerName

Figure = Literal[
    "handle", "taken", "paid", "by_meter", "drop", "bought", "cashed", "fills", "credits", "collected",
    "tray_variance", "drop_variance", "tray", "out",
]  # fmt: skip
"""``tray`` is the change of the tray, ``out`` that of the chips with players and in play."""
WAGER_FIGURES: tuple[Figure, ...] = ("handle", "taken", "paid", "by_meter")
Effect = tuple[tuple[Figure, int], ...]
_OUTSIDE_TRAY = ("chips", "layout")

EFFECTS: Mapping[tuple[str, str, str], Effect] = {
    ("stake", "chips", "layout"): (("handle", 1),),
    ("stake", "layout", "chips"): (("handle", -1),),
    ("stake_back", "layout", "chips"): (),
    ("withdrawn", "layout", "chips"): (("handle", -1),),
    ("take", "layout", "tray"): (("taken", 1),),
    ("pay", "tray", "chips"): (("paid", 1),),
    ("pay", "prizes", "chips"): (("paid", 1), ("by_meter", 1)),
    ("meter_to_tray", "prizes", "tray"): (("by_meter", 1),),
    ("void", "layout", "chips"): (("handle", -1),),
    ("void", "tray", "chips"): (("handle", -1), ("taken", -1)),
    ("void", "chips", "tray"): (("paid", -1),),
    ("void", "chips", "meter"): (("paid", -1), ("by_meter", -1)),
    ("void", "tray", "meter"): (("by_meter", -1),),
    ("buy_in", "player", "drop"): (("drop", 1),),
    ("buy_in", "tray", "chips"): (("bought", 1),),
    ("cash_out", "chips", "player"): (("cashed", 1),),
    ("fill", "cage", "tray"): (("fills", 1),),
    ("credit", "tray", "cage"): (("credits", 1),),
    ("tray_variance", "cage", "tray"): (("tray_variance", 1),),
    ("tray_variance", "tray", "cage"): (("tray_variance", -1),),
    ("drop_variance", "cage", "drop"): (("drop", 1), ("drop_variance", 1)),
    ("drop_variance", "drop", "cage"): (("drop", -1), ("drop_variance", -1)),
    ("drop", "drop", "cage"): (("collected", 1),),
}
"""By reason, group of the giving and of the taking account; a stake returned before play is ``withdrawn``."""


def effect_of(transfer: Transfer, *, withdrawn: bool) -> Effect:
    """Return the effect of a transfer on the figures; fail for a transfer that no table makes."""
    giver, taker = transfer.giver.partition("/")[0], transfer.taker.partition("/")[0]
    what = "withdrawn" if withdrawn and transfer.what == "stake_back" else transfer.what
    known = EFFECTS.get((what, giver, taker))
    if known is None:
        raise StoreError(
            f"The ledger has an unknown transfer '{transfer.what}' from {giver} to {taker}; run an audit."
        )
    return (*known, *_tray_and_out(giver, taker))


def _tray_and_out(giver: str, taker: str) -> Effect:
    """Return the effect on the tray and on the chips outside it."""
    tray = (taker == "tray") - (giver == "tray")
    out = (taker in _OUTSIDE_TRAY) - (giver in _OUTSIDE_TRAY)
    return (*((("tray", tray),) if tray else ()), *((("out", out),) if out else ()))


CountOccasion = Literal["opening", "closing", "drop"]


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

    @property
    def variance(self) -> int:
        """Return the variance of all counts."""
        return self.tray_variance + self.drop_variance


def table_day(
    table: str,
    day: str,
    figures: Mapping[str, int],
    counts: tuple[ChipCount, ...],
    wagers: tuple[WagerResult, ...],
) -> TableDay:
    """Return a day of a table from its figures."""
    known = {name: figures.get(name, 0) for name in (*SUMMED_FIGURES, *END_FIGURES)}
    win = known["drop"] + known["closing"] + known["credits"] - known["opening"] - known["fills"]
    return TableDay(
        table=table,
        day=day,
        **known,
        win=win,
        hold=share_of(win, known["drop"]),
        win_of_wagers=sum(each.win for each in wagers),
        counts=counts,
        wagers=wagers,
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
    return table_day("", "", figures, counts, sum_wagers(wager for each in days for wager in each.wagers))


def sum_wagers(wagers: Iterable[WagerResult]) -> tuple[WagerResult, ...]:
    """Sum the results of each wager, in layout order."""
    sums: dict[WagerName, Counter[str]] = {}
    for each in wagers:
        sums.setdefault(each.wager, Counter()).update({name: getattr(each, name) for name in WAGER_FIGURES})
    return tuple(wager_result(name, sums[name]) for name in WAGERS if name in sums)


_PREFIX = table_stream("")
_WITHDRAWAL_EVENTS = ("wager_withdrawn", "progressive_locked")
"""Events that return stakes which never stood; other events return the stakes of winners."""
_COUNT_EVENTS = ("tray_counted", "drop_collected")
_END_EVENTS = {"round_ended": "rounds", "round_voided": "voids"}


class _DaySums(msgspec.Struct):
    """The sums of one day of one table."""

    figures: Counter[str] = msgspec.field(default_factory=Counter)
    wagers: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    counts: list[ChipCount] = msgspec.field(default_factory=list)


class _TableDays:
    """The daily sums of one table."""

    def __init__(self, name: str, begins: int) -> None:
        self.name, self.begins = name, begins
        self.days: dict[DayNumber, _DaySums] = {}
        self._withdrawals: set[int] = set()

    def day(self, at: int) -> _DaySums:
        """Return the sums of the day of a time."""
        return self.days.setdefault(day_number(at, self.begins), _DaySums())

    def add_event(self, record: JournalRecord) -> None:
        """Count an event: rounds, void rounds, withdrawn stakes and counts of chips."""
        if record.kind in _END_EVENTS:
            self.day(record.at).figures[_END_EVENTS[record.kind]] += 1
        elif record.kind in _WITHDRAWAL_EVENTS:
            self._withdrawals.add(record.sequence)
        elif record.kind in _COUNT_EVENTS:
            self.day(record.at).counts.append(_count(record.at, TABLE_CODEC.decode(record)))

    def add_transfer(self, transfer: Transfer) -> None:
        """Add a transfer to the figures."""
        tally = self.day(transfer.at)
        cents = transfer.units // UNITS_PER_CENT
        wager = tally.wagers.setdefault(transfer.wager, Counter()) if transfer.wager else tally.figures
        for figure, sign in effect_of(transfer, withdrawn=transfer.sequence in self._withdrawals):
            (wager if figure in WAGER_FIGURES else tally.figures)[figure] += sign * cents

    def results(self, only: DayNumber | None) -> Iterator[TableDay]:
        """Yield the days in order, each opening with the closing of the day before; or only one day."""
        tray = out = 0
        for number in sorted({*self.days, *(() if only is None else (only,))}):
            tally = self.days.get(number, _DaySums())
            found = _result(self.name, number, tally, tray, out)
            tray, out = found.closing, found.out_after
            if only is None or number == only:
                yield found


def table_results(
    reading: ReadTransaction, *, table: str | None = None, day: DayNumber | None = None, begins: int = 0
) -> tuple[TableDay, ...]:
    """Return the results by day of every table and gaming day, or of one table or one day."""
    tables = _tables(reading, table, check_hour(begins))
    for each in tables.values():
        for record in reading.events(table_stream(each.name)):
            each.add_event(record)
    for stream, moved in groupby(reading.transfers(), key=attrgetter("stream")):
        known = tables.get(stream)
        if known is not None:
            _add_transfers(known, moved)
    found = (result for each in tables.values() for result in each.results(day))
    return tuple(sorted(found, key=attrgetter("day", "table")))


def _tables(reading: ReadTransaction, only: str | None, begins: int) -> Mapping[str, _TableDays]:
    names = sorted(each.removeprefix(_PREFIX) for each in reading.streams() if each.startswith(_PREFIX))
    if only is not None and only not in names:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=only))
    return {table_stream(name): _TableDays(name, begins) for name in names if only in (None, name)}


def _add_transfers(table: _TableDays, moved: Iterable[Transfer]) -> None:
    for transfer in moved:
        table.add_transfer(transfer)


def _count(at: int, event: Any) -> ChipCount:
    assert isinstance(event, TrayCounted | DropCollected)
    of = event.occasion if isinstance(event, TrayCounted) else "drop"
    variance = event.cents - event.expected
    return ChipCount(at, of, event.cents, event.expected, variance, format_time(at))


def _result(table: str, number: DayNumber, tally: _DaySums, tray: int, out: int) -> TableDay:
    figures = {**tally.figures, "opening": tray, "out_before": out}
    figures["closing"], figures["out_after"] = tray + figures.get("tray", 0), out + figures.get("out", 0)
    wagers = tuple(wager_result(each, tally.wagers[each]) for each in WAGERS if each in tally.wagers)
    return table_day(table, day_name(number), figures, tuple(tally.counts), wagers)

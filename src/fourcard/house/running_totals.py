"""Running totals: the figures of every table by hour, dealer and wager, kept in the commit of their events.

The writer keeps the current hour of each table and stores it once per commit; reports sum these rows and
never count the journal. The audit counts every table again from its events with the same ``TableTotals``.

An event belongs to the dealer who last acted in that role at its table, and to its own hour; after a clock
was set back, to the hour of the table's newest row, so that hours which were left stay as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import add as plus
from typing import Literal

import msgspec

from fourcard.house.events import DropCollected, TrayCounted
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting, Transfer
from fourcard.house.store.interface import ReadTransaction, StoreError, TableHour, WriteTransaction
from fourcard.meter import UNITS_PER_CENT

HOUR = 3_600_000
"""Milliseconds."""
WagerFigure = Literal["handle", "taken", "paid", "by_meter"]
TableFigure = Literal[
    "drop", "bought", "cashed", "fills", "credits", "collected", "tray_variance", "drop_variance", "tray",
    "out", "rounds", "voids",
]  # fmt: skip
"""``tray`` is the change of the tray, ``out`` that of the chips with players and in play."""
Figure = WagerFigure | TableFigure
WAGER_FIGURES: tuple[WagerFigure, ...] = ("handle", "taken", "paid", "by_meter")
TABLE_FIGURES: tuple[TableFigure, ...] = (
    "drop", "bought", "cashed", "fills", "credits", "collected", "tray_variance", "drop_variance", "tray",
    "out", "rounds", "voids",
)  # fmt: skip
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
_WITHDRAWAL_EVENTS = ("wager_withdrawn", "progressive_locked")
"""Events that return stakes which never stood; other events return the stakes of winners."""
_END_FIGURES: Mapping[str, TableFigure] = {"round_ended": "rounds", "round_voided": "voids"}
_COUNT_EVENTS = ("tray_counted", "drop_collected")
_COUNTED_KINDS = frozenset((*_END_FIGURES, *_COUNT_EVENTS))
"""Events that count even if they move no money."""


def effect_of(moved: Transfer | Posting, *, withdrawn: bool) -> Effect:
    """Return the effect of a transfer on the figures; fail for a transfer that no table makes."""
    giver, taker = moved.giver.partition("/")[0], moved.taker.partition("/")[0]
    what = "withdrawn" if withdrawn and moved.what == "stake_back" else moved.what
    known = EFFECTS.get((what, giver, taker))
    if known is None:
        raise StoreError(
            f"The ledger has an unknown transfer '{moved.what}' from {giver} to {taker}; run an audit."
        )
    return (*known, *_tray_and_out(giver, taker))


def _tray_and_out(giver: str, taker: str) -> Effect:
    """Return the effect on the tray and on the chips outside it."""
    tray = (taker == "tray") - (giver == "tray")
    out = (taker in _OUTSIDE_TRAY) - (giver in _OUTSIDE_TRAY)
    return (*((("tray", tray),) if tray else ()), *((("out", out),) if out else ()))


CountOccasion = Literal["opening", "closing", "drop"]


class CountRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A count of the tray or of a drop box: when, of what, the counted cents and those in the books."""

    at: int
    of: CountOccasion
    cents: int
    expected: int


class Sums(msgspec.Struct, array_like=True):
    """Sums in cents: the figures of a table, and by wager those of the wager, in the order of their names."""

    figures: list[int] = msgspec.field(default_factory=lambda: [0] * len(TABLE_FIGURES))
    wagers: dict[str, list[int]] = msgspec.field(default_factory=dict)

    def of_wager(self, wager: str) -> list[int]:
        """Return the figures of a wager."""
        known = self.wagers.get(wager)
        if known is None:
            known = self.wagers[wager] = [0] * len(WAGER_FIGURES)
        return known

    def add(self, other: "Sums") -> None:
        """Add other sums."""
        self.figures = [*map(plus, self.figures, other.figures)]
        for wager, figures in other.wagers.items():
            known = self.wagers.get(wager)
            self.wagers[wager] = [*figures] if known is None else [*map(plus, known, figures)]

    def named(self) -> dict[str, int]:
        """Return the figures of the table by name."""
        return dict(zip(TABLE_FIGURES, self.figures, strict=True))


class HourTotals(msgspec.Struct):
    """The totals of one table in one hour, as they are stored."""

    dealer: str = ""
    """Who dealt at its end; empty before the first dealer."""
    dealers: dict[str, Sums] = msgspec.field(default_factory=dict)
    counts: list[CountRow] = msgspec.field(default_factory=list)

    def sums(self) -> Sums:
        """Return the sums over all dealers."""
        whole = Sums()
        for each in self.dealers.values():
            whole.add(each)
        return whole


_encoder = msgspec.json.Encoder()
_hour_decoder = msgspec.json.Decoder(HourTotals)
_sums_decoder = msgspec.json.Decoder(Sums)
_WAGER_PLACES = {name: place for place, name in enumerate(WAGER_FIGURES)}
_TABLE_PLACES = {name: place for place, name in enumerate(TABLE_FIGURES)}
PlacedEffect = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""Places and signs of an effect on the figures of the wager, and on those of the table."""


def decode_hour(row: TableHour) -> tuple[HourTotals, Sums]:
    """Return the totals of a row and the sums of all hours before it; fail where they cannot be read."""
    try:
        return _hour_decoder.decode(row.body), _sums_decoder.decode(row.before)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise StoreError(
            f"The totals of {row.stream} cannot be read ({error}); use 'fourcard house repair'."
        ) from None


class TableTotals:
    """The totals of one table as of its last event."""

    __slots__ = ("_effects", "_new", "before", "changed", "hour", "now", "stream")

    def __init__(self, stream: str, effects: dict[tuple[str, str, str, bool], PlacedEffect]) -> None:
        """Start before the first event; tables share the effects that were looked up."""
        self.stream, self._effects = stream, effects
        self.hour, self.changed, self._new = 0, False, False
        self.now, self.before = HourTotals(), Sums()

    def resume(self, row: TableHour | None) -> None:
        """Continue from the newest stored row, if there is one."""
        if row is not None:
            self.hour, (self.now, self.before) = row.hour, decode_hour(row)

    def row(self) -> TableHour:
        """Return the current hour as it is to be stored; what came before it only the first time."""
        before = _encoder.encode(self.before) if self._new else b""
        self.changed = self._new = False
        return TableHour(self.stream, self.hour, _encoder.encode(self.now), before)

    def add(self, record: JournalRecord, event: object, postings: Sequence[Posting]) -> TableHour | None:
        """Count an event; return the row of the hour before if it ends unwritten."""
        kind, left = record.kind, None
        relieved = record.role == "dealer" and record.by != self.now.dealer
        if not postings and not relieved and kind not in _COUNTED_KINDS:
            return None
        hour = record.at // HOUR
        if hour > self.hour:
            left = self._begin_hour(hour)
        now, self.changed = self.now, True
        if relieved:
            now.dealer = record.by
        sums = now.dealers.get(now.dealer)
        if sums is None:
            sums = now.dealers[now.dealer] = Sums()
        if postings:
            self._add_postings(sums, postings, withdrawn=kind in _WITHDRAWAL_EVENTS)
        if kind in _END_FIGURES:
            sums.figures[_TABLE_PLACES[_END_FIGURES[kind]]] += 1
        elif kind in _COUNT_EVENTS:
            now.counts.append(_count_row(record.at, event))
        return left

    def _begin_hour(self, hour: int) -> TableHour | None:
        left = self.row() if self.changed else None
        self.before.add(self.now.sums())
        self.hour, self.now, self._new = hour, HourTotals(self.now.dealer), True
        return left

    def _add_postings(self, sums: Sums, postings: Sequence[Posting], *, withdrawn: bool) -> None:
        effects, figures = self._effects, sums.figures
        for move in postings:
            key = move.what, move.giver.partition("/")[0], move.taker.partition("/")[0], withdrawn
            known = effects.get(key)
            if known is None:
                known = effects[key] = _placed(effect_of(move, withdrawn=withdrawn))
            cents = move.units // UNITS_PER_CENT
            if move.wager:
                wager = sums.wagers.get(move.wager) or sums.of_wager(move.wager)
                for place, sign in known[0]:
                    wager[place] += sign * cents
            for place, sign in known[1]:
                figures[place] += sign * cents


def _placed(effect: Effect) -> PlacedEffect:
    wagers = tuple((_WAGER_PLACES[name], sign) for name, sign in effect if name in _WAGER_PLACES)
    tables = tuple((_TABLE_PLACES[name], sign) for name, sign in effect if name in _TABLE_PLACES)
    return wagers, tables


def _count_row(at: int, event: object) -> CountRow:
    assert isinstance(event, TrayCounted | DropCollected)
    of: CountOccasion = event.occasion if isinstance(event, TrayCounted) else "drop"
    return CountRow(at, of, event.cents, event.expected)


class RunningTotals:
    """The totals of all tables that one process writes; another writer's are read again under the lock."""

    def __init__(self) -> None:
        """Start without tables."""
        self._tables: dict[str, TableTotals] = {}
        self._effects: dict[tuple[str, str, str, bool], PlacedEffect] = {}
        self._changed: dict[str, TableTotals] = {}
        self._left: list[TableHour] = []
        """Rows of hours that ended within this commit."""

    def table(self, stream: str) -> TableTotals:
        """Return new totals of a table, before its first event."""
        return TableTotals(stream, self._effects)

    def add(
        self, record: JournalRecord, event: object, postings: Sequence[Posting], reading: ReadTransaction
    ) -> None:
        """Count an event of a table that is about to be written."""
        stream = record.stream
        table = self._tables.get(stream)
        if table is None:
            table = self._tables[stream] = self.table(stream)
            table.resume(reading.last_table_hour(stream))
        left = table.add(record, event, postings)
        if left is not None:
            self._left.append(left)
        if table.changed:
            self._changed[stream] = table

    def write(self, writing: WriteTransaction) -> None:
        """Write every table that has changed since the last time."""
        if not self._changed:
            return
        rows = [*self._left, *(self._changed[stream].row() for stream in sorted(self._changed))]
        writing.put_table_hours(rows)
        self._changed, self._left = {}, []

    def forget(self, streams: Iterable[str]) -> None:
        """Forget tables that another process wrote to, or whose last command has an unknown result."""
        gone = {*streams}
        for stream in gone:
            self._tables.pop(stream, None)
            self._changed.pop(stream, None)
        self._left = [row for row in self._left if row.stream not in gone]

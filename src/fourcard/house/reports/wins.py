"""Meter history: wins and adjustments with their state, and export rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import cards_text
from fourcard.house.decision import meter_stream
from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    ContributionsAdded,
    MeterAdjusted,
    MeterRestored,
    RoundReversed,
    SignAdjusted,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.reports.event_scan import Period, Progress, meter_names, scan_events
from fourcard.house.reports.formats import format_time
from fourcard.house.store.interface import ReadTransaction
from fourcard.meter import UNITS_PER_CENT, Payment
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

WinState = Literal["logged", "paid", "backed out", "void"]
WIN_EVENT_KINDS = ("award_logged", "award_taken", "adjustment_proposed", "meter_adjusted", "round_taken_back")
ALL_TIME = Period()


class WinEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One win as its meter logged it."""

    meter: str
    win: AwardLogged
    sequence: int
    """The event of the meter's stream that logged the win."""
    hash: str
    adjusted_at: int | None = None
    """When the meter was adjusted for it."""
    undone_at: int | None = None
    undone_by: str = ""
    """Who approved the back-out, or ended the void round."""
    adjustment: int = 0
    """The adjustment that backed the win out; 0 where its round was void."""
    reason: str = ""

    @property
    def state(self) -> WinState:
        """Return the state of the win."""
        if self.undone_at is not None:
            return "backed out" if self.adjustment else "void"
        return "logged" if self.adjusted_at is None else "paid"

    @property
    def payment(self) -> Payment:
        """Return the payment of the win and its sources."""
        return self.win.payment

    def answer(self) -> dict[str, object]:
        """Return it as one row of JSON data."""
        return {"meter": self.meter, **win_row(self.win), **_read_columns(STATE_COLUMNS, self)}


Columns = Mapping[str, Callable[[Any], object]]
"""The value of each column."""
AWARD_COLUMNS: Columns = {
    "number": attrgetter("number"),
    "at": attrgetter("at"),
    "moment": lambda win: format_time(win.at),
    "table": attrgetter("table"),
    "round": attrgetter("round"),
    "position": attrgetter("position"),
    "player": attrgetter("player"),
    "cards": lambda win: cards_text(win.cards),
    "row": attrgetter("row"),
    "amount_cents": attrgetter("payment.amount"),
    "from_meter_cents": attrgetter("payment.from_meter"),
    "from_tray_cents": attrgetter("payment.from_tray"),
    "meter_to_tray_cents": attrgetter("payment.meter_to_tray"),
    "shortfall_cents": attrgetter("payment.shortfall"),
    "whole": attrgetter("payment.whole_meter"),
    "seeded_cents": lambda win: (win.payment.reset_units - win.payment.reserve_units) // UNITS_PER_CENT,
    "from_reserve_units": attrgetter("payment.reserve_units"),
    "before_cents": attrgetter("before"),
    "after_cents": attrgetter("after"),
    "marked_by": attrgetter("marked_by"),
    "confirmed_by": attrgetter("confirmed_by"),
    "confirmed_as": attrgetter("confirmed_as"),
}
"""Columns from the event that logged the win."""
STATE_COLUMNS: Columns = {
    name: attrgetter(name)
    for name in (
        "state",
        "adjusted_at",
        "undone_at",
        "undone_by",
        "adjustment",
        "reason",
        "sequence",
        "hash",
    )
}
"""Columns about the state of the win and its place in the journal."""
WIN_COLUMNS = ("meter", *AWARD_COLUMNS, *STATE_COLUMNS)


def win_row(win: AwardLogged) -> dict[str, object]:
    """Return a win as JSON data, with amounts in cents or units by name."""
    return _read_columns(AWARD_COLUMNS, win)


def _read_columns(columns: Columns, source: object) -> dict[str, object]:
    return {name: read(source) for name, read in columns.items()}


def wins(
    reading: ReadTransaction,
    meter: str | None = None,
    table: str | None = None,
    period: Period = ALL_TIME,
    progress: Progress | None = None,
) -> tuple[WinEntry, ...]:
    """Return the wins of one meter or all, of one table or all, logged within a period."""
    names = meter_names(reading, meter)
    records = scan_events(reading, map(meter_stream, names), WIN_EVENT_KINDS, progress)
    found = (each for each in _collect_wins(records) if each.win.at in period)
    wanted = (each for each in found if table is None or each.win.table == table)
    return tuple(sorted(wanted, key=attrgetter("win.at", "meter", "win.number")))


def find_win(reading: ReadTransaction, meter: str, number: int, progress: Progress | None = None) -> WinEntry:
    """Return one win of a meter; refuse one that was never logged."""
    found = {each.win.number: each for each in wins(reading, meter, progress=progress)}
    if number not in found:
        raise RefusedError(refuse(Code.WIN_ABSENT, number=number, meter=meter))
    return found[number]


def _collect_wins(records: Iterable[tuple[JournalRecord, object]]) -> Iterable[WinEntry]:
    """Return the wins in meter events, each with its state."""
    found: dict[tuple[str, int], WinEntry] = {}
    proposals: dict[tuple[str, int], AdjustmentProposed] = {}
    for record, event in records:
        meter = record.stream.partition("/")[2]
        if isinstance(event, AwardLogged):
            found[meter, event.number] = WinEntry(
                meter=meter, win=event, sequence=record.sequence, hash=record.hash.hex()
            )
        elif isinstance(event, SignAdjusted) and event.number:
            known = found[meter, event.number]
            found[meter, event.number] = replace(known, adjusted_at=record.at)
        elif isinstance(event, AdjustmentProposed):
            proposals[meter, event.number] = event
        elif isinstance(event, MeterAdjusted) and proposals[meter, event.number].win:
            proposal = proposals[meter, event.number]
            undone = {"undone_at": record.at, "undone_by": event.by, "reason": proposal.reason}
            found[meter, proposal.win] = replace(
                found[meter, proposal.win], adjustment=event.number, **undone
            )
        elif isinstance(event, RoundReversed):
            found |= _void_wins(found, meter, event, record)
    return found.values()


def _void_wins(
    found: dict[tuple[str, int], WinEntry], meter: str, event: RoundReversed, record: JournalRecord
) -> dict[tuple[str, int], WinEntry]:
    """Return the wins of a void round, except those backed out before."""
    undone = {"undone_at": record.at, "undone_by": record.by, "reason": "the round was void"}
    return {
        place: replace(each, **undone)
        for place, each in found.items()
        if place[0] == meter
        and (each.win.table, each.win.round) == (event.table, event.round)
        and each.undone_at is None
    }


AdjustmentKind = Literal["amount", "back-out", "void round"]
AdjustmentState = Literal["waits", "approved", "rejected"]


ROW_NAMES = {
    "cents": "amount_cents",
    "units": "meter_units",
    "reserve": "reserve_units",
    "borne": "borne_units",
}
"""The names of the amounts in a row."""


class Adjustment(msgspec.Struct, frozen=True, kw_only=True, rename=ROW_NAMES):
    """One adjustment of a meter, from proposal to decision."""

    meter: str
    number: int
    """Its number on the meter, from 1; a void round has none."""
    what: AdjustmentKind
    part: str
    cents: int
    """The amount, negative where taken; the prize of a win; the returned prizes of a void round."""
    win: int
    """The win that it backs out, 0 for none."""
    reason: str
    by: str
    role: str
    at: int
    state: AdjustmentState = "waits"
    decided_by: str = ""
    decided_as: str = ""
    decided_at: int | None = None
    decided_why: str = ""
    units: int | None = None
    """Units in the meter afterwards."""
    reserve: int | None = None
    borne: int = 0
    """Units that the house paid (R66)."""
    sequence: int
    hash: str

    def answer(self) -> dict[str, object]:
        """Return it as one row of JSON data."""
        return {**msgspec.to_builtins(self), "moment": format_time(self.at)}


ADJUSTMENT_COLUMNS = (*Adjustment.__struct_encode_fields__, "moment")


def adjustments(
    reading: ReadTransaction,
    meter: str | None = None,
    period: Period = ALL_TIME,
    progress: Progress | None = None,
) -> tuple[Adjustment, ...]:
    """Return the adjustments of one meter or all, proposed within a period, in order."""
    names = meter_names(reading, meter)
    records = scan_events(
        reading,
        map(meter_stream, names),
        (*WIN_EVENT_KINDS, "adjustment_rejected", "meter_restored"),
        progress,
    )
    found = (each for each in _collect_adjustments(records) if each.at in period)
    return tuple(sorted(found, key=attrgetter("at", "meter", "sequence")))


def _collect_adjustments(records: Iterable[tuple[JournalRecord, object]]) -> Iterable[Adjustment]:
    """Return the adjustments in meter events, each with its decision."""
    found: dict[tuple[str, int], Adjustment] = {}
    voids = list[Adjustment]()
    prizes: dict[tuple[str, int], int] = {}
    for record, event in records:
        meter = record.stream.partition("/")[2]
        if isinstance(event, AwardLogged):
            prizes[meter, event.number] = event.payment.amount
        elif isinstance(event, AdjustmentProposed):
            cents = prizes[meter, event.win] if event.win else event.cents
            found[meter, event.number] = _from_proposal(meter, record, event, cents)
        elif isinstance(event, MeterAdjusted | AdjustmentRejected):
            known = found[meter, event.number]
            found[meter, event.number] = _with_decision(known, record, event)
        elif isinstance(event, MeterRestored):
            waiting = [place for place, each in found.items() if place[0] == meter and each.state == "waits"]
            ended = AdjustmentRejected(0, f"restore {event.restore}")
            found |= {place: _with_decision(found[place], record, ended) for place in waiting}
        elif isinstance(event, RoundReversed):
            voids.append(_from_void_round(meter, record, event))
    return [*found.values(), *voids]


def _from_proposal(meter: str, record: JournalRecord, event: AdjustmentProposed, cents: int) -> Adjustment:
    return Adjustment(
        meter=meter,
        number=event.number,
        what="back-out" if event.win else "amount",
        part=event.part,
        cents=cents,
        win=event.win,
        reason=event.reason,
        by=event.by,
        role=record.role,
        at=record.at,
        sequence=record.sequence,
        hash=record.hash.hex(),
    )


def _with_decision(
    known: Adjustment, record: JournalRecord, event: MeterAdjusted | AdjustmentRejected
) -> Adjustment:
    who = {"decided_by": record.by, "decided_as": record.role, "decided_at": record.at}
    if isinstance(event, AdjustmentRejected):
        return replace(known, state="rejected", decided_why=event.reason, **who)
    after = {"units": event.amount, "reserve": event.reserve, "borne": event.absorbed}
    return replace(known, state="approved", **who, **after)


def _from_void_round(meter: str, record: JournalRecord, event: RoundReversed) -> Adjustment:
    """Return the adjustment of a void round, which needs no approval (R66)."""
    return Adjustment(
        meter=meter,
        number=0,
        what="void round",
        part="meter",
        cents=event.returned // UNITS_PER_CENT,
        win=0,
        reason=f"round {event.round} of table {event.table} was void",
        by=record.by,
        role=record.role,
        at=record.at,
        state="approved",
        decided_by=record.by,
        decided_as=record.role,
        decided_at=record.at,
        units=event.amount,
        reserve=event.reserve,
        borne=event.absorbed,
        sequence=record.sequence,
        hash=record.hash.hex(),
    )


ExportRow = dict[str, object]
ExportKind = Literal["wins", "contributions", "adjustments"]
CONTRIBUTION_COLUMNS = (
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
EXPORT_COLUMNS: dict[ExportKind, tuple[str, ...]] = {
    "wins": WIN_COLUMNS,
    "contributions": CONTRIBUTION_COLUMNS,
    "adjustments": ADJUSTMENT_COLUMNS,
}
CONTRIBUTION_PARTS = ("to_meter", "to_reserve", "to_house")


def export_rows(
    reading: ReadTransaction,
    what: ExportKind,
    meter: str | None,
    period: Period,
    progress: Progress | None = None,
) -> Iterator[ExportRow]:
    """Yield the rows of one meter or all within a period; contributions stream as they are read."""
    if what == "contributions":
        yield from _contribution_rows(reading, meter, period, progress)
        return
    found: tuple[WinEntry | Adjustment, ...]
    if what == "wins":
        found = wins(reading, meter, None, period, progress)
    else:
        found = adjustments(reading, meter, period, progress)
    for each in found:
        yield each.answer()


def _contribution_rows(
    reading: ReadTransaction, meter: str | None, period: Period, progress: Progress | None
) -> Iterator[ExportRow]:
    names = meter_names(reading, meter)
    for record, event in scan_events(reading, map(meter_stream, names), ("stakes_added",), progress):
        assert isinstance(event, ContributionsAdded)
        if record.at in period:
            parts = [sum(getattr(part, name) for part in event.parts) for name in CONTRIBUTION_PARTS]
            name = record.stream.partition("/")[2]
            place = (name, record.at, format_time(record.at), event.table, event.round, len(event.parts))
            journal = (record.sequence, record.hash.hex())
            yield dict(zip(CONTRIBUTION_COLUMNS, (*place, sum(parts), *parts, *journal), strict=True))

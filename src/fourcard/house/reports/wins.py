"""Meter history: wins and adjustments with their state, and export rows."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.answers import InCents, InUnits, InWords
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
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

WinState = Literal["logged", "paid", "backed out", "void"]
WIN_EVENT_KINDS = ("award_logged", "award_taken", "adjustment_proposed", "meter_adjusted", "round_taken_back")
ALL_TIME = Period()


class LoggedAward(msgspec.Struct, frozen=True, kw_only=True):
    """A win as its meter logged it."""

    meter: str
    number: int
    at: int
    moment: str
    table: str
    round: int
    position: int
    player: str
    cards: str
    row: InWords
    amount_cents: InCents
    from_meter_cents: InCents
    from_tray_cents: InCents
    meter_to_tray_cents: InCents
    shortfall_cents: InCents
    whole: bool
    seeded_cents: InCents
    from_reserve_units: InUnits
    before_cents: InCents
    after_cents: InCents
    marked_by: str
    confirmed_by: str
    confirmed_as: str


def award_fields(meter: str, win: AwardLogged) -> dict[str, Any]:
    """Return the fields of a logged win."""
    same = ("number", "at", "table", "round", "position", "player", "row")
    people, paid = ("marked_by", "confirmed_by", "confirmed_as"), win.payment
    return {
        **{name: getattr(win, name) for name in (*same, *people)},
        "meter": meter,
        "moment": format_time(win.at),
        "cards": cards_text(win.cards),
        "amount_cents": paid.amount,
        "from_meter_cents": paid.from_meter,
        "from_tray_cents": paid.from_tray,
        "meter_to_tray_cents": paid.meter_to_tray,
        "shortfall_cents": paid.shortfall,
        "whole": paid.whole_meter,
        "seeded_cents": (paid.reset_units - paid.reserve_units) // UNITS_PER_CENT,
        "from_reserve_units": paid.reserve_units,
        "before_cents": win.before,
        "after_cents": win.after,
    }


class WinEntry(LoggedAward, frozen=True, kw_only=True):
    """A win and its status."""

    state: WinState
    adjusted_at: int | None
    """When the meter was adjusted for it."""
    undone_at: int | None
    undone_by: str
    """Who approved the back-out, or ended the void round."""
    adjustment: int
    """The adjustment that backed the win out; 0 where its round was void."""
    reason: str
    sequence: int
    """The event of the meter's stream that logged the win."""
    hash: str


def wins(
    reading: ReadTransaction,
    meter: str | None = None,
    table: str | None = None,
    period: Period = ALL_TIME,
    progress: Progress | None = None,
) -> tuple[WinEntry, ...]:
    """Return the wins of one meter or all, of one table or all, logged within a period."""
    return WinLog().wins(reading, meter, table, period, progress)


def find_win(reading: ReadTransaction, meter: str, number: int, progress: Progress | None = None) -> WinEntry:
    """Return one win of a meter; refuse one that was never logged."""
    found = {each.number: each for each in wins(reading, meter, progress=progress)}
    if number not in found:
        raise RefusedError(refuse(Code.WIN_ABSENT, number=number, meter=meter))
    return found[number]


class WinLog:
    """The wins of all meters; each time it reads only the events since the last time."""

    def __init__(self) -> None:
        """Start before the first event."""
        self._meters: dict[str, _MeterWins] = {}

    def wins(
        self,
        reading: ReadTransaction,
        meter: str | None = None,
        table: str | None = None,
        period: Period = ALL_TIME,
        progress: Progress | None = None,
    ) -> tuple[WinEntry, ...]:
        """Return the wins of one meter or all, of one table or all, logged within a period."""
        names = meter_names(reading, meter)
        self._catch_up(reading, names, progress)
        found = (each for name in names for each in self._meters[name].found.values() if each.at in period)
        wanted = (each for each in found if table is None or each.table == table)
        return tuple(sorted(wanted, key=attrgetter("at", "meter", "number")))

    def _catch_up(self, reading: ReadTransaction, names: Iterable[str], progress: Progress | None) -> None:
        heads = reading.streams([*map(meter_stream, names)])
        for name in names:
            known = self._meters.get(name)
            if known is None or known.sequence > heads[meter_stream(name)].sequence:
                self._meters[name] = _MeterWins(name)
        after = {meter_stream(name): self._meters[name].sequence for name in names}
        for record, event in scan_events(reading, after, WIN_EVENT_KINDS, progress, after):
            self._meters[record.stream.partition("/")[2]].add(record, event)
        for name in names:
            self._meters[name].sequence = heads[meter_stream(name)].sequence


class _MeterWins:
    """The wins of one meter up to a sequence, each with its state."""

    def __init__(self, meter: str) -> None:
        self.meter, self.sequence = meter, 0
        self.found: dict[int, WinEntry] = {}
        self._proposals: dict[int, AdjustmentProposed] = {}

    def add(self, record: JournalRecord, event: object) -> None:
        """Add one event of the meter."""
        if isinstance(event, AwardLogged):
            self.found[event.number] = _logged_win(self.meter, record, event)
        elif isinstance(event, SignAdjusted) and event.number:
            self._change(event.number, state="paid", adjusted_at=record.at)
        elif isinstance(event, AdjustmentProposed):
            self._proposals[event.number] = event
        elif isinstance(event, MeterAdjusted) and self._proposals[event.number].win:
            proposal = self._proposals[event.number]
            undone = {"undone_at": record.at, "undone_by": event.by, "reason": proposal.reason}
            self._change(proposal.win, state="backed out", adjustment=event.number, **undone)
        elif isinstance(event, RoundReversed):
            self._void_wins(record, event)

    def _void_wins(self, record: JournalRecord, event: RoundReversed) -> None:
        """Mark the wins of a void round, except those backed out before."""
        undone = {"undone_at": record.at, "undone_by": record.by, "reason": "the round was void"}
        for number, each in self.found.items():
            if (each.table, each.round) == (event.table, event.round) and each.undone_at is None:
                self._change(number, state="void", **undone)

    def _change(self, number: int, **changes: Any) -> None:
        self.found[number] = replace(self.found[number], **changes)


def _logged_win(meter: str, record: JournalRecord, event: AwardLogged) -> WinEntry:
    return WinEntry(
        **award_fields(meter, event),
        state="logged",
        adjusted_at=None,
        undone_at=None,
        undone_by="",
        adjustment=0,
        reason="",
        sequence=record.sequence,
        hash=record.hash.hex(),
    )


AdjustmentKind = Literal["amount", "back-out", "void round"]
AdjustmentState = Literal["waits", "approved", "rejected"]


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """One adjustment of a meter, from proposal to decision."""

    meter: str
    number: int
    """Its number on the meter, from 1; a void round has none."""
    what: AdjustmentKind
    part: str
    amount_cents: InCents
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
    meter_units: InUnits | None = None
    """Units in the meter afterwards."""
    reserve_units: InUnits | None = None
    borne_units: InUnits = 0
    """Units that the house paid (R66)."""
    sequence: int
    hash: str
    moment: str


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
        amount_cents=cents,
        win=event.win,
        reason=event.reason,
        by=event.by,
        role=record.role,
        at=record.at,
        sequence=record.sequence,
        hash=record.hash.hex(),
        moment=format_time(record.at),
    )


def _with_decision(
    known: Adjustment, record: JournalRecord, event: MeterAdjusted | AdjustmentRejected
) -> Adjustment:
    who = {"decided_by": record.by, "decided_as": record.role, "decided_at": record.at}
    if isinstance(event, AdjustmentRejected):
        return replace(known, state="rejected", decided_why=event.reason, **who)
    after = {
        "meter_units": event.amount,
        "reserve_units": event.reserve,
        "borne_units": event.absorbed,
    }
    return replace(known, state="approved", **who, **after)


def _from_void_round(meter: str, record: JournalRecord, event: RoundReversed) -> Adjustment:
    """Return the adjustment of a void round, which needs no approval (R66)."""
    return Adjustment(
        meter=meter,
        number=0,
        what="void round",
        part="meter",
        amount_cents=event.returned // UNITS_PER_CENT,
        win=0,
        reason=f"round {event.round} of table {event.table} was void",
        by=record.by,
        role=record.role,
        at=record.at,
        state="approved",
        decided_by=record.by,
        decided_as=record.role,
        decided_at=record.at,
        meter_units=event.amount,
        reserve_units=event.reserve,
        borne_units=event.absorbed,
        sequence=record.sequence,
        hash=record.hash.hex(),
        moment=format_time(record.at),
    )


class ContributionRow(msgspec.Struct, frozen=True):
    """What the wagers of one round contributed to a meter."""

    meter: str
    at: int
    moment: str
    table: str
    round: int
    wagers: int
    wagered_units: InUnits
    to_meter_units: InUnits
    to_reserve_units: InUnits
    to_house_units: InUnits
    sequence: int
    hash: str


ExportKind = Literal["wins", "contributions", "adjustments"]
EXPORT_ROWS: dict[ExportKind, type[msgspec.Struct]] = {
    "wins": WinEntry,
    "contributions": ContributionRow,
    "adjustments": Adjustment,
}
CONTRIBUTION_PARTS = ("to_meter", "to_reserve", "to_house")


def export_rows(
    reading: ReadTransaction,
    what: ExportKind,
    meter: str | None,
    period: Period,
    progress: Progress | None = None,
) -> Iterable[WinEntry | ContributionRow | Adjustment]:
    """Return the rows of one meter or all within a period; contributions stream as they are read."""
    if what == "contributions":
        return _contributions(reading, meter, period, progress)
    if what == "wins":
        return wins(reading, meter, None, period, progress)
    return adjustments(reading, meter, period, progress)


def _contributions(
    reading: ReadTransaction, meter: str | None, period: Period, progress: Progress | None
) -> Iterator[ContributionRow]:
    names = meter_names(reading, meter)
    for record, event in scan_events(reading, map(meter_stream, names), ("stakes_added",), progress):
        assert isinstance(event, ContributionsAdded)
        if record.at in period:
            parts = {
                f"{name}_units": sum(getattr(part, name) for part in event.parts)
                for name in CONTRIBUTION_PARTS
            }
            yield ContributionRow(
                meter=record.stream.partition("/")[2],
                at=record.at,
                moment=format_time(record.at),
                table=event.table,
                round=event.round,
                wagers=len(event.parts),
                wagered_units=sum(parts.values()),
                **parts,
                sequence=record.sequence,
                hash=record.hash.hex(),
            )

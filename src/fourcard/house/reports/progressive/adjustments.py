"""Adjustment history of meters: proposals with author, reason and decision, and void rounds."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.house.meter_events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    MeterAdjusted,
    MeterRestored,
    RoundTakenBack,
)
from fourcard.house.outcome import meter_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.progressive.streams import Period, Progress, meters_named, told
from fourcard.house.reports.progressive.wins import AT_ANY_TIME, KINDS
from fourcard.house.reports.showing import moment
from fourcard.house.store.contract import Reading
from fourcard.meter import UNITS_PER_CENT

What = Literal["amount", "back-out", "void round"]
State = Literal["waits", "approved", "rejected"]


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
    what: What
    part: str
    cents: int
    """The amount, negative where taken; the prize of a win; the returned prizes of a void round."""
    win: int
    """The win that it backs out, 0 for none."""
    reason: str
    by: str
    role: str
    at: int
    state: State = "waits"
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
        return {**msgspec.to_builtins(self), "moment": moment(self.at)}


ADJUSTMENT_COLUMNS = (*Adjustment.__struct_encode_fields__, "moment")


def adjustments(
    reading: Reading,
    meter: str | None = None,
    period: Period = AT_ANY_TIME,
    progress: Progress | None = None,
) -> tuple[Adjustment, ...]:
    """Return the adjustments of one meter or all, proposed within a period, in order."""
    names = meters_named(reading, meter)
    records = told(
        reading, map(meter_stream, names), (*KINDS, "adjustment_rejected", "meter_restored"), progress
    )
    found = (each for each in _collect_adjustments(records) if each.at in period)
    return tuple(sorted(found, key=attrgetter("at", "meter", "sequence")))


def _collect_adjustments(records: Iterable[tuple[Recorded, object]]) -> Iterable[Adjustment]:
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
        elif isinstance(event, RoundTakenBack):
            voids.append(_from_void_round(meter, record, event))
    return [*found.values(), *voids]


def _from_proposal(meter: str, record: Recorded, event: AdjustmentProposed, cents: int) -> Adjustment:
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
    known: Adjustment, record: Recorded, event: MeterAdjusted | AdjustmentRejected
) -> Adjustment:
    who = {"decided_by": record.by, "decided_as": record.role, "decided_at": record.at}
    if isinstance(event, AdjustmentRejected):
        return replace(known, state="rejected", decided_why=event.reason, **who)
    after = {"units": event.amount, "reserve": event.reserve, "borne": event.borne}
    return replace(known, state="approved", **who, **after)


def _from_void_round(meter: str, record: Recorded, event: RoundTakenBack) -> Adjustment:
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
        borne=event.borne,
        sequence=record.sequence,
        hash=record.hash.hex(),
    )

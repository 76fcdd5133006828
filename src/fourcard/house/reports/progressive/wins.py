"""Win history of the meters: every logged win in order, with its payment or reversal."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.cards import cards_text
from fourcard.house.meter_events import (
    AdjustmentProposed,
    AwardLogged,
    AwardTaken,
    MeterAdjusted,
    RoundTakenBack,
)
from fourcard.house.outcome import meter_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.progressive.streams import Period, Progress, meters_named, told
from fourcard.house.reports.showing import moment
from fourcard.house.store.contract import Reading
from fourcard.meter import UNITS_PER_CENT, Payment
from fourcard.refusals import Code, RefusedError, refuse

WinState = Literal["logged", "paid", "backed out", "void"]
KINDS = ("award_logged", "award_taken", "adjustment_proposed", "meter_adjusted", "round_taken_back")
AT_ANY_TIME = Period()


class LoggedWin(msgspec.Struct, frozen=True, kw_only=True):
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
        return {"meter": self.meter, **award_row(self.win), **_read_columns(STATE_COLUMNS, self)}


Columns = Mapping[str, Callable[[Any], object]]
"""The value of each column."""
AWARD_COLUMNS: Columns = {
    "number": attrgetter("number"),
    "at": attrgetter("at"),
    "moment": lambda win: moment(win.at),
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
    "whole": attrgetter("payment.whole"),
    "seeded_cents": lambda win: (win.payment.seeded - win.payment.from_reserve) // UNITS_PER_CENT,
    "from_reserve_units": attrgetter("payment.from_reserve"),
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


def award_row(win: AwardLogged) -> dict[str, object]:
    """Return a win as JSON data, with amounts in cents or units by name."""
    return _read_columns(AWARD_COLUMNS, win)


def _read_columns(columns: Columns, source: object) -> dict[str, object]:
    return {name: read(source) for name, read in columns.items()}


def wins(
    reading: Reading,
    meter: str | None = None,
    table: str | None = None,
    period: Period = AT_ANY_TIME,
    progress: Progress | None = None,
) -> tuple[LoggedWin, ...]:
    """Return the wins of one meter or all, of one table or all, logged within a period."""
    names = meters_named(reading, meter)
    records = told(reading, map(meter_stream, names), KINDS, progress)
    found = (each for each in _collect_wins(records) if each.win.at in period)
    wanted = (each for each in found if table is None or each.win.table == table)
    return tuple(sorted(wanted, key=attrgetter("win.at", "meter", "win.number")))


def win_numbered(reading: Reading, meter: str, number: int, progress: Progress | None = None) -> LoggedWin:
    """Return one win of a meter; refuse one that was never logged."""
    found = {each.win.number: each for each in wins(reading, meter, progress=progress)}
    if number not in found:
        raise RefusedError(refuse(Code.WIN_ABSENT, number=number, meter=meter))
    return found[number]


def _collect_wins(records: Iterable[tuple[Recorded, object]]) -> Iterable[LoggedWin]:
    """Return the wins in meter events, each with its state."""
    found: dict[tuple[str, int], LoggedWin] = {}
    proposals: dict[tuple[str, int], AdjustmentProposed] = {}
    for record, event in records:
        meter = record.stream.partition("/")[2]
        if isinstance(event, AwardLogged):
            found[meter, event.number] = LoggedWin(
                meter=meter, win=event, sequence=record.sequence, hash=record.hash.hex()
            )
        elif isinstance(event, AwardTaken) and event.number:
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
        elif isinstance(event, RoundTakenBack):
            found |= _void_wins(found, meter, event, record)
    return found.values()


def _void_wins(
    found: dict[tuple[str, int], LoggedWin], meter: str, event: RoundTakenBack, record: Recorded
) -> dict[tuple[str, int], LoggedWin]:
    """Return the wins of a void round, except those backed out before."""
    undone = {"undone_at": record.at, "undone_by": record.by, "reason": "the round was void"}
    return {
        place: replace(each, **undone)
        for place, each in found.items()
        if place[0] == meter
        and (each.win.table, each.win.round) == (event.table, event.round)
        and each.undone_at is None
    }

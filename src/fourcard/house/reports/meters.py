"""Meter reports: the status of every meter, and totals by table, gaming day or meter.

Every total is the change that an event made in its meter, so that for each line, exactly:

    change of meter and reserve = contributed + seeded + adjusted - paid
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from fourcard.house import ledger, meter_state
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import meter_stream
from fourcard.house.events import AdjustmentProposed, ContributionsAdded
from fourcard.house.journal import JournalRecord
from fourcard.house.meter_state import LoggedWin, MeterState
from fourcard.house.reports.event_scan import Period, Progress, meter_names, scan_events
from fourcard.house.reports.formats import check_hour, day_name, day_number
from fourcard.house.reports.wins import ALL_TIME, win_row
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.rules.game import Game


class MeterRow(msgspec.Struct, frozen=True):
    """One row of a meter's paytable, and how often it was hit."""

    row: str
    odds: str
    hits: int


class MeterStatus(msgspec.Struct, frozen=True):
    """The status of one meter, with its amount in the ledger."""

    state: MeterState
    game: Game
    """The game whose terms apply."""
    in_ledger: int
    """Units in the ledger accounts of the meter and its reserve."""

    @property
    def held(self) -> int:
        """Return the units in meter and reserve."""
        return self.state.amounts.amount + self.state.amounts.reserve

    @property
    def holds(self) -> bool:
        """Return whether held plus paid equals seeded plus contributed plus adjusted."""
        totals = self.state.totals
        return self.held + totals.paid == totals.seeded + totals.contributed + totals.adjusted

    @property
    def agrees(self) -> bool:
        """Return whether meter and ledger agree."""
        return self.held == self.in_ledger

    @property
    def rows(self) -> tuple[MeterRow, ...]:
        """Return the rows of the paytable, the best first."""
        pays = self.game.tables["progressive"].pays
        return tuple(MeterRow(row, str(odds), self.state.hits.get(row, 0)) for row, odds in pays.items())

    def answer(self) -> dict[str, object]:
        """Return it as JSON data, in cents or units (1/10,000 cent)."""
        meter, totals = self.state, self.state.totals
        return {
            "meter": meter.name,
            "displayed_cents": meter.displayed,
            "meter_units": meter.amounts.amount,
            "reserve_units": meter.amounts.reserve,
            "owed_units": meter.owed,
            "wagered_cents": totals.wagered,
            "contributed_units": totals.contributed,
            "paid_units": totals.paid,
            "seeded_units": totals.seeded,
            "adjusted_units": totals.adjusted,
            "borne_units": meter.absorbed,
            "won_cents": totals.won,
            "shortfall_cents": totals.shortfall,
            "hits": meter.win_count,
            "times_taken": meter.amounts.whole_meter_wins,
            "link": "closed" if meter.closed_reason else "open",
            "closed": meter.closed_reason,
            "tables": list(meter.tables),
            "holds": self.holds,
            "in_ledger_units": self.in_ledger,
            "agrees": self.agrees,
        }

    def details(self) -> dict[str, object]:
        """Return all details as JSON data."""
        meter, submission = self.state, self.game.submission
        choice = submission.progressive
        return {
            **self.answer(),
            "rate": str(meter.rate),
            "reserve_rate": str(meter.reserve_rate),
            "reset_cents": meter.amounts.reset_amount,
            "submission": submission.name,
            "rulebook": self.game.rulebook.id,
            "edition": self.game.rulebook.edition,
            "game": meter.terms_game,
            "fixed_awards": choice.fixed_awards if choice is not None else None,
            "executive_threshold_cents": choice.executive_threshold if choice is not None else None,
            "rows": [msgspec.to_builtins(row) for row in self.rows],
            "last": [_recent_win_row(win) for win in reversed(meter.last_wins)],
            "logged": [win.number for win in meter.unpaid_wins],
            "proposals": [_proposal_row(each) for each in meter.proposals.values()],
        }


def _recent_win_row(win: LoggedWin) -> dict[str, object]:
    return {**win_row(win.logged), "adjusted": win.sign_adjusted, "backed_out": win.backed_out}


def _proposal_row(proposal: AdjustmentProposed) -> dict[str, object]:
    row: dict[str, object] = msgspec.to_builtins(proposal)
    return {"amount_cents" if name == "cents" else name: each for name, each in row.items()}


def meter_statuses(reading: ReadTransaction, only: str | None = None) -> tuple[MeterStatus, ...]:
    """Return every meter of a house by name, or one of them."""
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    names = meter_names(reading, only)
    heads, balances = reading.streams([*map(meter_stream, names)]), reading.balances()
    found = list[MeterStatus]()
    for name in names:
        cache.catch_up(meter_stream(name), heads[meter_stream(name)])
        meter = cache.meter(name)
        in_ledger = sum(
            balances.get(each, 0) for each in (ledger.meter_account(name), ledger.reserve_account(name))
        )
        found.append(MeterStatus(meter, cache.game(meter.terms_game), in_ledger))
    return tuple(found)


GroupBy = Literal["table", "day", "meter"]
SUMMED_TOTALS = ("wagered", "contributed", "seeded", "paid", "adjusted", "won", "shortfall")
IN_CENTS = ("wagered", "won", "shortfall")
IN_UNITS = ("contributed", "to_reserve", "seeded", "paid", "adjusted", "borne", "meter", "reserve")
FIELD_NAMES = {name: f"{name}_cents" for name in IN_CENTS} | {name: f"{name}_units" for name in IN_UNITS}
"""The names of amounts in JSON data."""
HeldUnits = tuple[int, int]
"""Units in a meter and in its reserve."""
NOTHING: HeldUnits = (0, 0)
NO_TABLE = ""
"""The key for changes by no table: a meter's first seed, and adjustments by the Game Manager."""


class MeterTotals(msgspec.Struct, frozen=True, kw_only=True, rename=FIELD_NAMES):
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


class TotalsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Lines by table, day or meter, and their total."""

    by: GroupBy
    lines: tuple[MeterTotals, ...]
    total: MeterTotals
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

    by: GroupBy
    begins: int = 0


def totals_report(
    reading: ReadTransaction,
    grouping: Grouping,
    meter: str | None = None,
    period: Period = ALL_TIME,
    progress: Progress | None = None,
) -> TotalsReport:
    """Return the totals of one meter or all within a period."""
    names = meter_names(reading, meter)
    builder = _TotalsBuilder(grouping, period, names)
    for record, event in scan_events(reading, map(meter_stream, names), None, progress):
        builder.add(record, event)
    return builder.report()


class _TotalsBuilder:
    """Reads one meter after the other and sums what each event changed."""

    def __init__(self, grouping: Grouping, period: Period, names: Iterable[str]) -> None:
        self.by, self.period, self.begins = grouping.by, period, check_hour(grouping.begins)
        self.sums: dict[str, Counter[str]] = {}
        self.meters = {name: MeterState(name) for name in names}
        self.before = dict.fromkeys(self.meters, NOTHING)
        self.after = dict.fromkeys(self.meters, NOTHING)
        self.ends: dict[str, dict[str, HeldUnits]] = {}
        """By line and meter, the amounts at the end of the line."""

    def add(self, record: JournalRecord, event: Any) -> None:
        """Add one event."""
        name = record.stream.partition("/")[2]
        old = self.meters[name]
        new, _ = meter_state.evolve(old, event)
        self.meters[name], held = new, (new.amounts.amount, new.amounts.reserve)
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
    def _add(sums: Counter[str], old: MeterState, new: MeterState, event: Any) -> None:
        for figure in SUMMED_TOTALS:
            sums[figure] += getattr(new.totals, figure) - getattr(old.totals, figure)
        sums["borne"] += new.absorbed - old.absorbed
        sums["hits"] += new.win_count - old.win_count
        if isinstance(event, ContributionsAdded):
            sums["rounds"] += 1
            sums["to_reserve"] += sum(part.to_reserve for part in event.parts)

    def report(self) -> TotalsReport:
        """Return the lines in order, and their total."""
        total = Counter[str]()
        for sums in self.sums.values():
            total.update(sums)
        return TotalsReport(
            by=self.by,
            lines=tuple(MeterTotals(key=key, **self.sums[key], **held) for key, held in self._held()),
            total=MeterTotals(key="total", **total),
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

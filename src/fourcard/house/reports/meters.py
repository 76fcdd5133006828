"""Meter reports: the status of every meter, and totals by table, gaming day or meter.

Every total is the change that an event made in its meter, so that for each line, exactly:

    change of meter and reserve = contributed + seeded + adjusted - paid
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict

from fourcard.answers import InCents, InUnits, InWords
from fourcard.house import ledger, meter_state
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import meter_stream
from fourcard.house.events import AdjustmentProposed, ContributionsAdded
from fourcard.house.journal import JournalRecord
from fourcard.house.meter_state import MeterState
from fourcard.house.reports.event_scan import Period, Progress, meter_names, scan_events
from fourcard.house.reports.formats import check_hour, day_name, day_number
from fourcard.house.reports.wins import ALL_TIME, LoggedAward, award_fields
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource


class MeterRow(msgspec.Struct, frozen=True):
    """One row of a meter's paytable, and how often it was hit."""

    row: InWords
    odds: str
    hits: int


class MeterSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A meter now, in cents or in units of 1/10,000 cent."""

    meter: str
    displayed_cents: InCents
    meter_units: InUnits
    reserve_units: InUnits
    owed_units: InUnits
    wagered_cents: InCents
    contributed_units: InUnits
    paid_units: InUnits
    seeded_units: InUnits
    adjusted_units: InUnits
    borne_units: InUnits
    won_cents: InCents
    shortfall_cents: InCents
    hits: int
    times_taken: int
    link: Literal["open", "closed"]
    closed: str
    """Why the link is closed; empty while it is open."""
    tables: tuple[str, ...]
    holds: bool
    """Whether held plus paid equals seeded plus contributed plus adjusted."""
    in_ledger_units: InUnits
    """Units in the ledger accounts of the meter and its reserve."""
    agrees: bool
    """Whether meter and ledger agree."""


class RecentWin(LoggedAward, frozen=True, kw_only=True):
    """One of the last wins of a meter."""

    adjusted: bool
    backed_out: bool


class MeterProposal(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment that waits for approval."""

    kind: str
    number: int
    part: str
    amount_cents: InCents
    win: int
    reason: str
    by: str
    reading: int | None
    """The cents that the signs showed, if this confirms a restored meter (P38)."""


class MeterStatus(MeterSummary, frozen=True, kw_only=True):
    """A meter with its terms, its hits by row, its last wins, and what waits."""

    rate: str
    reserve_rate: str
    reset_cents: InCents | None
    submission: str
    """The submission whose terms apply."""
    rulebook: str
    rulebook_name: str
    edition: str
    game: str
    fixed_awards: AwardSource | None
    executive_threshold_cents: InCents | None
    rows: tuple[MeterRow, ...]
    last: tuple[RecentWin, ...]
    """The last wins, the newest first."""
    logged: tuple[int, ...]
    """The numbers of wins whose prize is not paid yet."""
    unpaid: tuple[LoggedAward, ...]
    proposals: tuple[MeterProposal, ...]


def _meter_status(meter: MeterState, game: Game, in_ledger: int) -> MeterStatus:
    totals, amounts, choice = meter.totals, meter.amounts, game.submission.progressive
    held = amounts.amount + amounts.reserve
    pays = game.tables["progressive"].pays
    return MeterStatus(
        meter=meter.name,
        displayed_cents=meter.displayed,
        meter_units=amounts.amount,
        reserve_units=amounts.reserve,
        owed_units=meter.owed,
        wagered_cents=totals.wagered,
        contributed_units=totals.contributed,
        paid_units=totals.paid,
        seeded_units=totals.seeded,
        adjusted_units=totals.adjusted,
        borne_units=meter.absorbed,
        won_cents=totals.won,
        shortfall_cents=totals.shortfall,
        hits=meter.win_count,
        times_taken=amounts.whole_meter_wins,
        link="closed" if meter.closed_reason else "open",
        closed=meter.closed_reason,
        tables=meter.tables,
        holds=held + totals.paid == totals.seeded + totals.contributed + totals.adjusted,
        in_ledger_units=in_ledger,
        agrees=held == in_ledger,
        rate=str(meter.rate),
        reserve_rate=str(meter.reserve_rate),
        reset_cents=amounts.reset_amount,
        submission=game.submission.name,
        rulebook=game.rulebook.id,
        rulebook_name=game.rulebook.name,
        edition=game.rulebook.edition,
        game=meter.terms_game,
        fixed_awards=choice.fixed_awards if choice is not None else None,
        executive_threshold_cents=choice.executive_threshold if choice is not None else None,
        rows=tuple(MeterRow(row, str(odds), meter.hits.get(row, 0)) for row, odds in pays.items()),
        last=tuple(
            RecentWin(
                **award_fields(meter.name, win.logged), adjusted=win.sign_adjusted, backed_out=win.backed_out
            )
            for win in reversed(meter.last_wins)
        ),
        logged=tuple(win.number for win in meter.unpaid_wins),
        unpaid=tuple(LoggedAward(**award_fields(meter.name, win)) for win in meter.unpaid_wins),
        proposals=tuple(map(_proposal, meter.proposals.values())),
    )


def _proposal(proposal: AdjustmentProposed) -> MeterProposal:
    fields = asdict(proposal)
    return MeterProposal(kind="adjustment_proposed", amount_cents=fields.pop("cents"), **fields)


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
        found.append(_meter_status(meter, cache.game(meter.terms_game), in_ledger))
    return tuple(found)


GroupBy = Literal["table", "day", "meter"]
SUMMED_TOTALS = ("wagered", "contributed", "seeded", "paid", "adjusted", "won", "shortfall")
HeldUnits = tuple[int, int]
"""Units in a meter and in its reserve."""
NOTHING: HeldUnits = (0, 0)
NO_TABLE = ""
"""The key for changes by no table: a meter's first seed, and adjustments by the Game Manager."""


class MeterTotals(msgspec.Struct, frozen=True, kw_only=True):
    """One line of totals: cents wagered and won, and units (1/10,000 cent) for the rest."""

    key: str
    rounds: int
    """Rounds with a progressive wager, including void ones."""
    wagered_cents: InCents
    contributed_units: InUnits
    to_reserve_units: InUnits
    """The contributed units that went to the reserve."""
    seeded_units: InUnits
    paid_units: InUnits
    adjusted_units: InUnits
    borne_units: InUnits
    hits: int
    won_cents: InCents
    shortfall_cents: InCents
    meter_units: InUnits | None
    """Units in the meters at the end of the line; None by table, as tables share a meter."""
    reserve_units: InUnits | None
    change_units: InUnits
    """The change of meter and reserve."""


def _meter_totals(key: str, sums: Counter[str], held: HeldUnits | None = None) -> MeterTotals:
    units = ("contributed", "to_reserve", "seeded", "paid", "adjusted", "borne")
    meter, reserve = (None, None) if held is None else held
    return MeterTotals(
        key=key,
        rounds=sums["rounds"],
        hits=sums["hits"],
        **{f"{name}_cents": sums[name] for name in ("wagered", "won", "shortfall")},
        **{f"{name}_units": sums[name] for name in units},
        meter_units=meter,
        reserve_units=reserve,
        change_units=sums["contributed"] + sums["seeded"] + sums["adjusted"] - sums["paid"],
    )


class TotalsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Lines by table, day or meter, and their total."""

    by: GroupBy
    lines: tuple[MeterTotals, ...]
    total: MeterTotals
    opening_units: InUnits
    """Units in meters and reserves before the period."""
    closing_units: InUnits
    holds: bool
    """Whether opening plus changes equals closing."""


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
        opening, closing = sum(map(sum, self.before.values())), sum(map(sum, self.after.values()))
        whole = _meter_totals("total", total)
        return TotalsReport(
            by=self.by,
            lines=tuple(_meter_totals(key, self.sums[key], held) for key, held in self._held()),
            total=whole,
            opening_units=opening,
            closing_units=closing,
            holds=opening + whole.change_units == closing,
        )

    def _held(self) -> Iterator[tuple[str, HeldUnits | None]]:
        """Yield lines with the amounts of the meters at their end; by day, of unchanged meters too."""
        known = dict(self.before)
        for key in sorted(self.sums):
            known = {**known, **self.ends[key]}
            held = (known if self.by == "day" else self.ends[key]).values()
            at_end = sum(each[0] for each in held), sum(each[1] for each in held)
            yield key, None if self.by == "table" else at_end

"""House report models: the same fields as `fourcard house ... --json`."""

import msgspec


class DeckAnswer(msgspec.Struct, frozen=True):
    """A deck and how long it has been used."""

    back: str
    hours: int
    most_hours: int | None
    clauses: list[str]
    in_play: bool
    removed: bool
    overdue: bool


class LinkedMeter(msgspec.Struct, frozen=True):
    """Meter of a table, in 1/10,000 cent."""

    name: str
    units: int
    reserve: int
    taken: int


class TableReport(msgspec.Struct, frozen=True, kw_only=True):
    """A table now, amounts in cents."""

    table: str
    submission: str
    rulebook: str
    edition: str
    game: str
    cards: str
    phase: str
    round: int
    in_round: str
    seats: dict[str, str]
    decks: list[DeckAnswer]
    count_in: int | None
    count_clauses: list[str]
    tray: int
    drop: int
    meter: LinkedMeter | None


class ShareAnswer(msgspec.Struct, frozen=True):
    """A share: exact fraction and value."""

    fraction: str
    value: float


class CountAnswer(msgspec.Struct, frozen=True):
    """A count of a tray or a drop box."""

    at: int
    of: str
    cents: int
    expected: int
    variance: int
    moment: str


class WagerReport(msgspec.Struct, frozen=True):
    """Results of one wager, in cents."""

    wager: str
    handle: int
    taken: int
    paid: int
    by_meter: int
    win: int
    hold: ShareAnswer | None


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one table on one gaming day, or a total, in cents."""

    table: str
    day: str
    rounds: int
    voids: int
    opening: int
    fills: int
    credits: int
    closing: int
    drop: int
    collected: int
    bought: int
    cashed: int
    out_before: int
    out_after: int
    tray_variance: int
    drop_variance: int
    win: int
    hold: ShareAnswer | None
    win_of_wagers: int
    counts: list[CountAnswer]
    wagers: list[WagerReport]


class ResultsReport(msgspec.Struct, frozen=True):
    """Results by table and gaming day (one page), and the total of all."""

    days: list[DayReport]
    total: DayReport
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


class AccountAnswer(msgspec.Struct, frozen=True):
    """Balance of an account; negative if it owes."""

    account: str
    units: int
    dollars: str


class GroupAnswer(msgspec.Struct, frozen=True):
    """One group of accounts, in 1/10,000 cent."""

    group: str
    units: int
    dollars: str
    held: int
    owed: int
    accounts: list[AccountAnswer]
    """Its accounts on this page."""


class BalanceReport(msgspec.Struct, frozen=True):
    """Trial balance with one page of accounts; the sum must be zero."""

    groups: list[GroupAnswer]
    held: int
    owed: int
    sum: int
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


class AwardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A logged win."""

    number: int
    at: int
    moment: str
    table: str
    round: int
    position: int
    player: str
    cards: str
    row: str
    amount_cents: int
    from_meter_cents: int
    from_tray_cents: int
    meter_to_tray_cents: int
    shortfall_cents: int
    whole: bool
    seeded_cents: int
    from_reserve_units: int
    before_cents: int
    after_cents: int
    marked_by: str
    confirmed_by: str
    confirmed_as: str


class WinReport(AwardAnswer, frozen=True, kw_only=True):
    """A win and its status."""

    meter: str
    state: str
    adjusted_at: int | None
    undone_at: int | None
    undone_by: str
    adjustment: int
    reason: str
    sequence: int
    hash: str


class LastWin(AwardAnswer, frozen=True, kw_only=True):
    """One of the last wins of a meter."""

    adjusted: bool
    backed_out: bool


class MeterRowAnswer(msgspec.Struct, frozen=True):
    """One row of a meter's paytable and its hits."""

    row: str
    odds: str
    hits: int


class ProposalAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment that waits for approval."""

    number: int
    part: str
    amount_cents: int
    win: int
    reason: str
    by: str
    kind: str = "adjustment_proposed"


class MeterReport(msgspec.Struct, frozen=True, kw_only=True):
    """A meter now, in cents or in units of 1/10,000 cent."""

    meter: str
    displayed_cents: int
    meter_units: int
    reserve_units: int
    owed_units: int
    wagered_cents: int
    contributed_units: int
    paid_units: int
    seeded_units: int
    adjusted_units: int
    borne_units: int
    won_cents: int
    shortfall_cents: int
    hits: int
    times_taken: int
    link: str
    closed: str
    tables: list[str]
    holds: bool
    in_ledger_units: int
    agrees: bool
    rate: str
    reserve_rate: str
    reset_cents: int | None
    submission: str
    rulebook: str
    edition: str
    game: str
    fixed_awards: str | None
    executive_threshold_cents: int | None
    rows: list[MeterRowAnswer]
    last: list[LastWin]
    logged: list[int]
    proposals: list[ProposalAnswer]


class PersonReport(msgspec.Struct, frozen=True):
    """A member of staff; without roles if dismissed."""

    person: str
    name: str
    roles: list[str]
    password: bool
    """Whether the person has a password."""


class NoteReport(msgspec.Struct, frozen=True):
    """A note of the security log."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int
    moment: str


class ClockReport(msgspec.Struct, frozen=True):
    """The house's timestamp and the machine's clock, in milliseconds."""

    stamped: int
    stamped_moment: str
    shown: int
    shown_moment: str
    ahead: int
    """How far the clock jumped, as a confirmation must state; 0 while the clock is trusted."""
    alert: str
    """What staff must know about the clock; empty if nothing."""

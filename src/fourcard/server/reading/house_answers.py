"""Reports of the house as they go over the wire: the same fields as the `--json` of `fourcard house` has."""

import msgspec


class DeckAnswer(msgspec.Struct, frozen=True):
    """A deck and how long it has served."""

    back: str
    hours: int
    most_hours: int | None
    clauses: list[str]
    in_play: bool
    removed: bool
    overdue: bool


class LinkedMeter(msgspec.Struct, frozen=True):
    """The meter of a table, in units of a ten-thousandth of a cent."""

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
    """A share, exact and as a number."""

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
    """What one wager did, in cents."""

    wager: str
    handle: int
    taken: int
    paid: int
    by_meter: int
    win: int
    hold: ShareAnswer | None


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one gaming day, in cents; or several in a total."""

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
    """Results of tables by gaming day, a page of them, and all of them as one."""

    days: list[DayReport]
    total: DayReport
    next: str | None
    """What to ask for as ``after`` to go on; None at the end."""


class AccountAnswer(msgspec.Struct, frozen=True):
    """What one account holds, or owes where it is less than nothing."""

    account: str
    units: int
    dollars: str


class GroupAnswer(msgspec.Struct, frozen=True):
    """One group of accounts, in units of a ten-thousandth of a cent."""

    group: str
    units: int
    dollars: str
    held: int
    owed: int
    accounts: list[AccountAnswer]
    """Those of its accounts that are on this page."""


class BalanceReport(msgspec.Struct, frozen=True):
    """The trial balance with a page of its accounts; the sum is zero, or the books are wrong."""

    groups: list[GroupAnswer]
    held: int
    owed: int
    sum: int
    next: str | None
    """What to ask for as ``after`` to go on; None at the end."""


class AwardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A win as it was logged."""

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
    """A win, and what became of it."""

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
    """One row of a meter's paytable, and how often it was won."""

    row: str
    odds: str
    hits: int


class ProposalAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An adjustment that waits to be approved."""

    number: int
    part: str
    amount_cents: int
    win: int
    reason: str
    by: str
    kind: str = "adjustment_proposed"


class MeterReport(msgspec.Struct, frozen=True, kw_only=True):
    """A meter now; cents, or units of a ten-thousandth of a cent."""

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
    """A member of staff; one who was let go has no roles."""

    person: str
    name: str
    roles: list[str]
    password: bool
    """Whether the person can sign in."""


class NoteReport(msgspec.Struct, frozen=True):
    """A note of the security log."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int
    moment: str


class ClockReport(msgspec.Struct, frozen=True):
    """The moment that the house stamps, and what the clock of its machine shows; both in milliseconds."""

    stamped: int
    stamped_moment: str
    shown: int
    shown_moment: str
    ahead: int
    """How far the clock jumped, which is what a confirmation names; 0 while it is believed."""
    alert: str
    """What the staff has to know of it, or nothing."""

"""Meter events: past tense, frozen, with stored names that never change."""

from fourcard.house.meter_commands import MeterPart
from fourcard.meter import Contribution, Payment
from fourcard.round.events import Event


class MeterStarted(Event, frozen=True, tag="meter_started"):
    """A meter starts with money from the house."""

    units: int
    seed: int | None
    """The cents with which it starts again after a whole award."""
    rate: str
    """The share of a stake that goes to the meter, as a fraction such as ``29/200``."""
    reserve_rate: str
    game: str
    """The hash of the game whose terms it follows."""


class TableLinked(Event, frozen=True, tag="table_linked"):
    """A table was installed with this meter."""

    table: str


class TableUnlinked(Event, frozen=True, tag="table_unlinked"):
    """A table was installed without this meter, or with another."""

    table: str


class StakesAdded(Event, frozen=True, tag="stakes_added"):
    """The stakes of a round were split between the meter, the reserve and the house."""

    table: str
    round: int
    parts: tuple[Contribution, ...]


class AwardLogged(Event, frozen=True, tag="award_logged"):
    """A win was logged, in one order for all tables; its price is now fixed."""

    table: str
    round: int
    number: int
    """The number of the win on this meter, from 1."""
    position: int
    row: str
    payment: Payment
    before: int
    """Cents on the meter, without wins logged before."""
    after: int
    player: str
    cards: tuple[int, ...]
    marked_by: str
    confirmed_by: str
    confirmed_as: str
    at: int


class AwardTaken(Event, frozen=True, tag="award_taken"):
    """The signs were adjusted for a win whose prize was paid."""

    table: str
    round: int
    payment: Payment
    number: int


class RoundTakenBack(Event, frozen=True, tag="round_taken_back"):
    """A void round's awards and stakes were reversed; the house bore what the meter no longer had (R66)."""

    table: str
    round: int
    returned: int
    """Units that came back to the meter from paid players."""
    amount: int
    """Units in the meter afterwards."""
    reserve: int
    undone: tuple[int, ...]
    """All wins of the meter that are reversed by now."""
    borne: int
    """Units that the house bore."""


class LinkClosed(Event, frozen=True, tag="link_closed"):
    """The link closed: no table takes a progressive wager until it opens again."""

    reason: str


class LinkOpened(Event, frozen=True, tag="link_opened"):
    """The link is open again."""

    reason: str


class TermsChanged(Event, frozen=True, tag="terms_changed"):
    """The meter follows other terms from now on."""

    rate: str
    reserve_rate: str
    seed: int | None
    game: str
    reason: str


class AdjustmentProposed(Event, frozen=True, tag="adjustment_proposed"):
    """Somebody proposed an adjustment; nothing has changed yet."""

    number: int
    part: MeterPart
    cents: int
    win: int
    """The number of the win that it backs out; 0 for none."""
    reason: str
    by: str
    reading: int | None = None
    """The cents that the signs showed, if this confirms a restored meter (P38)."""


class MeterRestored(Event, frozen=True, tag="meter_restored"):
    """The house continued from an older state; the amount on the signs must be entered and approved (P38)."""

    restore: int


class AdjustmentRejected(Event, frozen=True, tag="adjustment_rejected"):
    """A proposal was rejected."""

    number: int
    reason: str


class MeterAdjusted(Event, frozen=True, tag="meter_adjusted"):
    """Another person approved a proposal, and the meter was adjusted."""

    number: int
    amount: int
    """Units in the meter afterwards."""
    reserve: int
    undone: tuple[int, ...]
    borne: int
    """Units that the house bore because the meter no longer had them."""
    by: str


MeterEvent = (
    MeterStarted
    | TableLinked
    | TableUnlinked
    | StakesAdded
    | AwardLogged
    | AwardTaken
    | RoundTakenBack
    | LinkClosed
    | LinkOpened
    | TermsChanged
    | AdjustmentProposed
    | AdjustmentRejected
    | MeterAdjusted
    | MeterRestored
)
OF_TABLES = (TableLinked, TableUnlinked, StakesAdded, AwardLogged, AwardTaken, RoundTakenBack)
"""Events that a table's own stream records too."""

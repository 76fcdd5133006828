"""House events, meters included: past tense, frozen, with stored names that never change."""

from typing import Literal

import msgspec

from fourcard.house.commands import CardSource, MeterPart, Occasion, PersonKind, StaffRole
from fourcard.house.shuffle_algorithm import FIRST_ALGORITHM
from fourcard.meter import Contribution, Payment
from fourcard.round.events import Event


class TableInstalled(Event, frozen=True, tag="table_installed"):
    """A table was installed for a game, which is stored under its hash."""

    table: str
    game: str
    cards: CardSource
    meter: str
    """The meter of its progressive; empty if it has none."""
    unconfirmed_by: str = ""
    """Who installed a rulebook that is not part of the release; another person must confirm it (P39)."""


class InstallationConfirmed(Event, frozen=True, tag="installation_confirmed"):
    """A second person confirmed a rulebook that is not part of the release (P39)."""

    game: str


class TrayCounted(Event, frozen=True, tag="tray_counted"):
    """The chips in the tray were counted; ``expected`` is the amount in the books."""

    occasion: Occasion
    cents: int
    expected: int


class TrayFilled(Event, frozen=True, tag="tray_filled"):
    """Chips came from the cage."""

    cents: int
    slip: str


class TrayCredited(Event, frozen=True, tag="tray_credited"):
    """Chips went to the cage."""

    cents: int
    slip: str


class DropCollected(Event, frozen=True, tag="drop_collected"):
    """The drop box was collected and counted; ``expected`` is the amount in the books."""

    cents: int
    expected: int


class BoughtIn(Event, frozen=True, tag="bought_in"):
    """A player bought chips."""

    player: str
    cents: int


class CashedOut(Event, frozen=True, tag="cashed_out"):
    """A player turned chips into money."""

    player: str
    cents: int


class LeaveAsked(Event, frozen=True, tag="leave_asked"):
    """A player leaves the table as soon as no round holds the player's wagers."""

    player: str


class LeaveCancelled(Event, frozen=True, tag="leave_cancelled"):
    """A player stays at the table after all."""

    player: str


class ShuffleCommitted(Event, frozen=True, tag="shuffle_committed"):
    """The hash of the secret of the next shuffle was published."""

    shuffle: int
    commitment: str
    algorithm: str = FIRST_ALGORITHM


class SeedCommitted(Event, frozen=True, tag="seed_committed"):
    """A player committed to a seed for the next shuffle by its hash."""

    player: str
    shuffle: int
    hash: str


class SeedsCalled(Event, frozen=True, tag="seeds_called"):
    """Bets are closed and no seed can change any more: players reveal theirs."""

    shuffle: int
    at: int


class SeedRevealed(Event, frozen=True, tag="seed_revealed"):
    """A player revealed the seed of a hash."""

    player: str
    shuffle: int
    seed: str


class SeedsDiscarded(Event, frozen=True, tag="seeds_discarded"):
    """No card will be dealt from a shuffle that was committed to: its secret is never used."""

    shuffle: int


class SeedChosen(Event, frozen=True, tag="seed_chosen"):
    """A player's seed went into every shuffle of the first algorithm; an empty seed removed it."""

    player: str
    seed: str


class ShuffleDrawn(Event, frozen=True, tag="shuffle_drawn"):
    """A deck got its order from a secret committed to before, and these seeds."""

    shuffle: int
    deck: int
    seeds: tuple[tuple[str, str], ...]
    withheld: tuple[tuple[str, str], ...] = ()
    """Players who did not reveal their seed in time, each with its hash."""
    round: int | None = None
    """The number of the round; None for a shuffle of the first algorithm."""


class RoundSealed(Event, frozen=True, tag="round_sealed"):
    """The records of a round whose cards are keyed in are sealed with a secret, which proves no shuffle."""

    number: int
    """Secrets of shuffles and of sealed rounds are numbered together."""
    commitment: str


class SecretRevealed(Event, frozen=True, tag="secret_revealed"):
    """The secret of a shuffle or of a sealed round is public: its cards were played, or never will be."""

    shuffle: int
    secret: str


class TableRestored(Event, frozen=True, tag="table_restored"):
    """The house continued from an older state; the next events void, close and commit again (P38)."""

    restore: int
    """The number of the restore in the house's own stream."""


class PlayerRegistered(Event, frozen=True, tag="player_registered"):
    """A player opened an account."""

    player: str
    name: str


class MoneyDeposited(Event, frozen=True, tag="money_deposited"):
    """Money was paid into an account."""

    cents: int


class MoneyWithdrawn(Event, frozen=True, tag="money_withdrawn"):
    """Money was paid out of an account."""

    cents: int


class ChipsBought(Event, frozen=True, tag="chips_bought"):
    """Money of an account became chips at a table."""

    table: str
    cents: int


class ChipsReturned(Event, frozen=True, tag="chips_returned"):
    """Chips of a table became money of an account."""

    table: str
    cents: int


class PasswordSet(Event, frozen=True, tag="password_set"):
    """A person's password was set."""

    person: str


class StaffHired(Event, frozen=True, tag="staff_hired"):
    """A person was hired."""

    person: str
    name: str
    roles: tuple[StaffRole, ...]


class RolesChanged(Event, frozen=True, tag="roles_changed"):
    """A person has other roles."""

    person: str
    roles: tuple[StaffRole, ...]


class StaffDismissed(Event, frozen=True, tag="staff_dismissed"):
    """A person was dismissed."""

    person: str


class ClockConfirmed(Event, frozen=True, tag="clock_confirmed"):
    """Somebody confirmed the machine's clock after a jump; the next timestamps use it."""

    ahead: int
    """Milliseconds by which timestamps move; negative if they move back."""


class HouseFounded(Event, frozen=True, tag="house_founded"):
    """The house was founded with the key that signs its stream heads."""

    house: str
    public_key: str
    signs: bool = False
    """Whether every commit is signed; houses of older versions begin to later."""


class SignedHead(msgspec.Struct, frozen=True, array_like=True):
    """The head of one stream."""

    stream: str
    sequence: int
    hash: str


class SigningBegan(Event, frozen=True, tag="signing_began"):
    """The heads of a house of an older version were verified and signed; from here on every commit is."""

    streams: int


class HeadsSigned(Event, frozen=True, tag="heads_signed"):
    """The heads of all streams that had moved, signed."""

    heads: tuple[SignedHead, ...]
    signature: str


class KeyRotated(Event, frozen=True, tag="key_rotated"):
    """The house got a new key; the key before it signed this, with the number of the rotation."""

    public_key: str
    signature: str


ROTATED_KIND = str(KeyRotated.__struct_config__.tag)
RestoreCause = Literal["restore", "rollback"]
"""A backup was restored, or the database was found older than what had been committed."""


class LostEvents(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one stream's events that the restored state does not have."""

    stream: str
    events: int
    wins: int = 0
    deposits: int = 0
    withdrawals: int = 0
    counts: int = 0
    """Counts of the tray and of the drop."""
    cents: int | None = None
    """What the meter or the account holds now."""
    seen: int | None = None
    """What it held when it was last seen."""


class HouseRestored(Event, frozen=True, tag="house_restored"):
    """The house continued from an older state and was made safe (P38)."""

    restore: int
    """Its number, from 1."""
    id: str
    """Random, so two restores from the same backup differ."""
    cause: RestoreCause
    voided: tuple[tuple[str, int], ...]
    """The rounds under way that were voided, by table."""
    signed_out: int
    """Number of sign-ins that were ended."""
    lost: tuple[LostEvents, ...]
    """What is known of the lost events."""
    unreadable: tuple[str, ...] = ()
    """Streams that could not be read; they take no commands until an audit."""


class SecurityNoted(Event, frozen=True, tag="security_noted"):
    """The security log has a new note."""

    by: str
    what: str
    reason: str
    repeated: int = 0
    """How often the same note was left out since the one before."""


class PasswordStored(Event, frozen=True, tag="password_stored"):
    """A password hash was stored for a person, or taken away."""

    person_kind: PersonKind
    person: str
    digest: str
    """The SHA-256 of the hash as it is stored; empty if the person has no password now."""


class SignInIssued(Event, frozen=True, tag="sign_in_issued"):
    """A person signed in."""

    person_kind: PersonKind
    person: str
    token: str
    """The SHA-256 of the token."""
    issued: int
    ends: int


class SignInsEnded(Event, frozen=True, tag="sign_ins_ended"):
    """One sign-in of a person, or all, ended before their time."""

    person_kind: PersonKind
    person: str
    token: str = ""
    """The SHA-256 of the token of the only one that ended; empty if all did."""


class WitnessAdded(Event, frozen=True, tag="witness_added"):
    """The house sends its heads to a witness from now on."""

    name: str
    address: str
    """A folder, or the URL of a server."""
    by: str


class WitnessRemoved(Event, frozen=True, tag="witness_removed"):
    """The house sends nothing to a witness any more."""

    name: str
    by: str


HouseTableEvent = (
    TableInstalled
    | TrayCounted
    | TrayFilled
    | TrayCredited
    | DropCollected
    | BoughtIn
    | CashedOut
    | LeaveAsked
    | LeaveCancelled
    | ShuffleCommitted
    | SeedChosen
    | SeedCommitted
    | SeedsCalled
    | SeedRevealed
    | SeedsDiscarded
    | ShuffleDrawn
    | RoundSealed
    | SecretRevealed
    | TableRestored
    | InstallationConfirmed
)
PlayerEvent = PlayerRegistered | MoneyDeposited | MoneyWithdrawn | ChipsBought | ChipsReturned | PasswordSet
StaffEvent = StaffHired | RolesChanged | StaffDismissed | PasswordSet | ClockConfirmed
HouseEvent = (
    HouseFounded | HeadsSigned | HouseRestored | SigningBegan | WitnessAdded | WitnessRemoved | KeyRotated
)
SecurityEvent = SecurityNoted | PasswordStored | SignInIssued | SignInsEnded


class MeterStarted(Event, frozen=True, tag="meter_started", rename={"reset_amount": "seed"}):
    """A meter starts with money from the house."""

    units: int
    reset_amount: int | None
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


class ContributionsAdded(Event, frozen=True, tag="stakes_added"):
    """The stakes of a round were split between the meter, the reserve and the house."""

    table: str
    round: int
    parts: tuple[Contribution, ...]


class AwardLogged(Event, frozen=True, tag="award_logged"):
    """A win was logged, in one order for all tables; its amount is final."""

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


class SignAdjusted(Event, frozen=True, tag="award_taken"):
    """The signs were adjusted for a win whose prize was paid."""

    table: str
    round: int
    payment: Payment
    number: int


class RoundReversed(Event, frozen=True, tag="round_taken_back", rename={"absorbed": "borne"}):
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
    absorbed: int
    """Units that the house bore."""


class LinkClosed(Event, frozen=True, tag="link_closed"):
    """The link closed: no table takes a progressive wager until it opens again."""

    reason: str


class LinkOpened(Event, frozen=True, tag="link_opened"):
    """The link is open again."""

    reason: str


class TermsChanged(Event, frozen=True, tag="terms_changed", rename={"reset_amount": "seed"}):
    """The meter follows other terms from now on."""

    rate: str
    reserve_rate: str
    reset_amount: int | None
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


class MeterAdjusted(Event, frozen=True, tag="meter_adjusted", rename={"absorbed": "borne"}):
    """Another person approved a proposal, and the meter was adjusted."""

    number: int
    amount: int
    """Units in the meter afterwards."""
    reserve: int
    undone: tuple[int, ...]
    absorbed: int
    """Units that the house bore because the meter no longer had them."""
    by: str


MeterEvent = (
    MeterStarted
    | TableLinked
    | TableUnlinked
    | ContributionsAdded
    | AwardLogged
    | SignAdjusted
    | RoundReversed
    | LinkClosed
    | LinkOpened
    | TermsChanged
    | AdjustmentProposed
    | AdjustmentRejected
    | MeterAdjusted
    | MeterRestored
)
EVENTS_OF_TABLES = (TableLinked, TableUnlinked, ContributionsAdded, AwardLogged, SignAdjusted, RoundReversed)
"""Events that a table's own stream records too."""

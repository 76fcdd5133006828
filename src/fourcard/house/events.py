"""House events: past tense, frozen, with stored names that never change."""

from typing import Literal

import msgspec

from fourcard.house.commands import CardSource, Occasion, StaffRole
from fourcard.round.events import Event


class TableInstalled(Event, frozen=True, tag="table_installed"):
    """A table was installed for a game, which is stored under its hash."""

    table: str
    game: str
    cards: CardSource
    meter: str
    """The meter of its progressive; empty if it has none."""


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


class SeedChosen(Event, frozen=True, tag="seed_chosen"):
    """A player's seed goes into every shuffle from now on; an empty seed removes it."""

    player: str
    seed: str


class ShuffleDrawn(Event, frozen=True, tag="shuffle_drawn"):
    """A deck got its order from a secret committed to before, and these seeds."""

    shuffle: int
    deck: int
    seeds: tuple[tuple[str, str], ...]


class SecretRevealed(Event, frozen=True, tag="secret_revealed"):
    """The secret of a shuffle is public: its cards were played, or never will be."""

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


class SignedHead(msgspec.Struct, frozen=True, array_like=True):
    """The head of one stream."""

    stream: str
    sequence: int
    hash: str


class HeadsSigned(Event, frozen=True, tag="heads_signed"):
    """The heads of all streams that had moved, signed."""

    heads: tuple[SignedHead, ...]
    signature: str


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


TableDeskEvent = (
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
    | ShuffleDrawn
    | SecretRevealed
    | TableRestored
)
PlayerEvent = PlayerRegistered | MoneyDeposited | MoneyWithdrawn | ChipsBought | ChipsReturned | PasswordSet
StaffEvent = StaffHired | RolesChanged | StaffDismissed | PasswordSet | ClockConfirmed
HouseEvent = HouseFounded | HeadsSigned | HouseRestored

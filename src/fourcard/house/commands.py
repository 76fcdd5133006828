"""What people ask of the house besides the game: tables, chips, inventory, seeds, accounts and staff."""

from typing import Literal

import msgspec

from fourcard.round.commands import ActorRole, snake

StaffRole = Literal["dealer", "floorperson", "supervisor", "executive", "auditor", "administrator"]
"""What a person is employed as; an auditor only reads, an administrator minds tables and people."""
ActingRole = ActorRole | Literal["auditor", "administrator"]
"""In which role a command is given."""
CardSource = Literal["built-in", "keyed"]
"""Whether the house shuffles, or a dealer keys in the cards of a physical deck."""
Occasion = Literal["opening", "closing"]
LONGEST_KEY = 100
"""Longest idempotency key of a command, in characters."""


class HouseCommand(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="kind",
    tag=snake,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The envelope of every command of the house: who asks, as what, when, and a key of its own."""

    by: str = ""
    role: ActingRole = "administrator"
    at: int = 0
    """Milliseconds since the epoch; the desk's own clock fills it in."""
    key: str = ""


class InstallTable(HouseCommand, frozen=True):
    """Set a table up for a game, or a closed one for another game."""

    submission: str
    """The submission, as the text of its file."""
    cards: CardSource = "built-in"
    meter: str = ""
    """The meter that its progressive is linked to; its own, named like the table, unless told."""


class CountTray(HouseCommand, frozen=True):
    """Count the chips in the tray before a table opens, or after it closed."""

    occasion: Occasion
    cents: int


class FillTray(HouseCommand, frozen=True):
    """Bring chips from the cage to the tray."""

    cents: int
    slip: str


class CreditTray(HouseCommand, frozen=True):
    """Take chips from the tray to the cage."""

    cents: int
    slip: str


class CollectDrop(HouseCommand, frozen=True):
    """Take the drop box away, and count it."""

    cents: int


class BuyIn(HouseCommand, frozen=True):
    """Buy chips at a table with money of one's account."""

    player: str
    cents: int


class CashOut(HouseCommand, frozen=True):
    """Turn chips of a table back into money of one's account."""

    player: str
    cents: int


class LeaveTable(HouseCommand, frozen=True):
    """Get up from every position and cash out: at once, or after the round that holds wagers (P35)."""

    player: str
    cancel: bool = False
    """Stay after all, while the round is still under way."""


class ChooseSeed(HouseCommand, frozen=True):
    """Add a seed of one's own to every shuffle from now on; an empty one takes it away."""

    player: str
    seed: str


class RegisterPlayer(HouseCommand, frozen=True):
    """Open an account for a player."""

    name: str


class Deposit(HouseCommand, frozen=True):
    """Pay money into a player's account at the cage."""

    cents: int


class Withdraw(HouseCommand, frozen=True):
    """Pay money out of a player's account at the cage."""

    cents: int


class HireStaff(HouseCommand, frozen=True):
    """Take a person on, in one or more roles."""

    person: str
    name: str
    roles: tuple[StaffRole, ...]


class ChangeRoles(HouseCommand, frozen=True):
    """Give a person other roles."""

    person: str
    roles: tuple[StaffRole, ...]


class DismissStaff(HouseCommand, frozen=True):
    """Let a person go; every sign-in ends."""

    person: str


class NotePassword(HouseCommand, frozen=True):
    """Record that a person's password was set; the password itself is never in a command."""

    person: str


class ConfirmClock(HouseCommand, frozen=True):
    """Confirm that the machine's clock is right after it jumped (P37)."""

    ahead: int
    """By how many milliseconds it is ahead of the moments that are stamped; negative where it is behind."""


TableDeskCommand = (
    InstallTable | CountTray | FillTray | CreditTray | CollectDrop | BuyIn | CashOut | LeaveTable | ChooseSeed
)
PlayerCommand = RegisterPlayer | Deposit | Withdraw | NotePassword
StaffCommand = HireStaff | ChangeRoles | DismissStaff | NotePassword | ConfirmClock

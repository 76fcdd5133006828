"""House commands: tables, chips, tray, seeds, accounts, staff, clock, and the meters of the Game Manager."""

import re
from typing import Literal

import msgspec

from fourcard.round.commands import ActorRole

StaffRole = Literal["dealer", "floorperson", "supervisor", "executive", "auditor", "administrator"]
"""Role of a member of staff; an auditor only reads, an administrator manages tables and people."""
ActingRole = ActorRole | Literal["auditor", "administrator"]
"""Role in which a command is given."""
PersonKind = Literal["staff", "player"]
CardSource = Literal["built-in", "keyed"]
"""Whether the house shuffles, or a dealer keys in the cards of a physical deck."""
Occasion = Literal["opening", "closing"]
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
MAX_KEY_LENGTH = 100
"""Longest idempotency key of a command, in characters."""


def is_name(text: str) -> bool:
    """Say whether a text is a valid name of a player or a table, so no line can be mistaken for another."""
    return NAME.fullmatch(text) is not None


class HouseCommand(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="kind",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """Envelope of every house command: author, role, time and idempotency key."""

    by: str = ""
    role: ActingRole = "administrator"
    at: int = 0
    """Milliseconds since the epoch; the command service fills it in."""
    key: str = ""


class InstallTable(HouseCommand, frozen=True, tag="install_table"):
    """Install a table for a game, or a closed table for another game."""

    submission: str
    """The text of the submission file."""
    cards: CardSource = "built-in"
    meter: str = ""
    """The meter that its progressive is linked to; default: a meter named like the table."""
    rulebook_hash: str = ""
    """The full hash of the rulebook, demanded where it is not part of the release (P39)."""


class CountTray(HouseCommand, frozen=True, tag="count_tray"):
    """Count the chips in the tray before a table opens, or after it closed."""

    occasion: Occasion
    cents: int


class FillTray(HouseCommand, frozen=True, tag="fill_tray"):
    """Bring chips from the cage to the tray."""

    cents: int
    slip: str


class CreditTray(HouseCommand, frozen=True, tag="credit_tray"):
    """Take chips from the tray to the cage."""

    cents: int
    slip: str


class CollectDrop(HouseCommand, frozen=True, tag="collect_drop"):
    """Collect the drop box and count it."""

    cents: int


class BuyIn(HouseCommand, frozen=True, tag="buy_in"):
    """Buy chips at a table with money from an account."""

    player: str
    cents: int


class CashOut(HouseCommand, frozen=True, tag="cash_out"):
    """Turn chips of a table back into money of an account."""

    player: str
    cents: int


class LeaveTable(HouseCommand, frozen=True, tag="leave_table"):
    """Leave every seat and cash out: at once, or after the round that holds wagers (P35)."""

    player: str
    cancel: bool = False
    """Stay after all, while the round is still under way."""


class ChooseSeed(HouseCommand, frozen=True, tag="choose_seed"):
    """Add a seed to every shuffle of the first algorithm; a house of today has none."""

    player: str
    seed: str


class CommitSeed(HouseCommand, frozen=True, tag="commit_seed"):
    """Commit to a seed for the next shuffle by its hash; a later hash replaces it until bets close (P40)."""

    player: str
    shuffle: int
    hash: str
    """In hexadecimal."""


class RevealSeed(HouseCommand, frozen=True, tag="reveal_seed"):
    """Reveal the seed of a hash, after bets are closed (P40)."""

    player: str
    shuffle: int
    seed: str


class RegisterPlayer(HouseCommand, frozen=True, tag="register_player"):
    """Open an account for a player."""

    name: str


class Deposit(HouseCommand, frozen=True, tag="deposit"):
    """Pay money into a player's account at the cage."""

    cents: int


class Withdraw(HouseCommand, frozen=True, tag="withdraw"):
    """Pay money out of a player's account at the cage."""

    cents: int


class HireStaff(HouseCommand, frozen=True, tag="hire_staff"):
    """Hire a person in one or more roles."""

    person: str
    name: str
    roles: tuple[StaffRole, ...]


class ChangeRoles(HouseCommand, frozen=True, tag="change_roles"):
    """Give a person other roles."""

    person: str
    roles: tuple[StaffRole, ...]


class DismissStaff(HouseCommand, frozen=True, tag="dismiss_staff"):
    """Dismiss a person; every sign-in ends."""

    person: str


class NotePassword(HouseCommand, frozen=True, tag="note_password"):
    """Record that a person's password was set; the password itself is never in a command."""

    person: str


class ConfirmClock(HouseCommand, frozen=True, tag="confirm_clock"):
    """Confirm that the machine's clock is right after it jumped (P37)."""

    ahead: int
    """Milliseconds by which the clock is ahead of the timestamps; negative if it is behind."""


HouseTableCommand = (
    InstallTable
    | CountTray
    | FillTray
    | CreditTray
    | CollectDrop
    | BuyIn
    | CashOut
    | LeaveTable
    | ChooseSeed
    | CommitSeed
    | RevealSeed
)
PlayerCommand = RegisterPlayer | Deposit | Withdraw | NotePassword
StaffCommand = HireStaff | ChangeRoles | DismissStaff | NotePassword | ConfirmClock


MeterPart = Literal["meter", "reserve"]


class CloseLink(HouseCommand, frozen=True, tag="close_link"):
    """Close a meter's link, so none of its tables takes a progressive wager."""

    reason: str


class OpenLink(HouseCommand, frozen=True, tag="open_link"):
    """Open the link again."""

    reason: str


class ChangeTerms(HouseCommand, frozen=True, tag="change_terms"):
    """Change a meter to the rate, reserve and reset of another submission."""

    submission: str
    """The text of the submission file."""
    reason: str


class ProposeAdjustment(HouseCommand, frozen=True, tag="propose_adjustment"):
    """Propose to add cents to a meter or its reserve; negative cents are taken away."""

    cents: int
    reason: str
    part: MeterPart = "meter"


class ProposeBackOut(HouseCommand, frozen=True, tag="propose_back_out"):
    """Propose to back a logged win out of the meter, by its number."""

    win: int
    reason: str


class EnterReading(HouseCommand, frozen=True, tag="enter_reading"):
    """Enter the last amount on the signs of a restored meter; another person approves it (P38)."""

    cents: int
    reason: str


class ApproveAdjustment(HouseCommand, frozen=True, tag="approve_adjustment"):
    """Approve another person's proposal, which adjusts the meter."""

    number: int


class RejectAdjustment(HouseCommand, frozen=True, tag="reject_adjustment"):
    """Reject a proposal."""

    number: int
    reason: str


MeterCommand = (
    CloseLink
    | OpenLink
    | ChangeTerms
    | ProposeAdjustment
    | ProposeBackOut
    | EnterReading
    | ApproveAdjustment
    | RejectAdjustment
)

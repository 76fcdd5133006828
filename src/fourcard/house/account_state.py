"""Account state: a player's account, its cage commands and its events."""

import msgspec
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.commands import Deposit, NotePassword, PlayerCommand, RegisterPlayer
from fourcard.house.events import (
    ChipsBought,
    ChipsReturned,
    MoneyDeposited,
    MoneyWithdrawn,
    PasswordSet,
    PlayerEvent,
    PlayerRegistered,
)
from fourcard.house.ledger import Posting
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.rules.line_options import MAX_CENTS

MAX_NAME_LENGTH = 80


class AccountState(msgspec.Struct, frozen=True, gc=False):
    """State of a player's account."""

    player: str
    name: str = ""
    cents: int = 0
    registered: bool = False


def decide(account: AccountState, command: PlayerCommand) -> Refusal | list[PlayerEvent]:
    """Return the events of a command at the cage, or a refusal."""
    if isinstance(command, RegisterPlayer):
        return _register(account, command)
    if not account.registered:
        return refuse(Code.PLAYER_UNKNOWN, player=account.player)
    if isinstance(command, NotePassword):
        return _note_password(account, command)
    deposit = isinstance(command, Deposit)
    most = MAX_CENTS - account.cents if deposit else MAX_CENTS
    if not 0 < command.cents <= most:
        return refuse(Code.AMOUNT_UNFIT, amount=dollars(command.cents), most=dollars(most))
    if deposit:
        return [MoneyDeposited(command.cents)]
    return _account_refusal(account, command.cents) or [MoneyWithdrawn(command.cents)]


def _register(account: AccountState, command: RegisterPlayer) -> Refusal | list[PlayerEvent]:
    if account.registered:
        return refuse(Code.PLAYER_KNOWN, player=account.player)
    if not command.name.strip():
        return refuse(Code.NAME_MISSING)
    refusal = text_refusal("A name", command.name, MAX_NAME_LENGTH)
    return refusal or [PlayerRegistered(account.player, command.name.strip())]


def text_refusal(what: str, word: str, most: int) -> Refusal | None:
    """Refuse a text that is too long or not printable."""
    fits = len(word) <= most and word.isprintable()
    return None if fits else refuse(Code.WORD_UNFIT, what=what, most=most)


def _note_password(account: AccountState, command: NotePassword) -> Refusal | list[PlayerEvent]:
    if command.person != account.player:
        figures = {"what": "note password", "whose": account.player, "person": command.person}
        return refuse(Code.NOT_YOUR_ACCOUNT, ("P25",), **figures)
    return [PasswordSet(account.player)]


def _account_refusal(account: AccountState, cents: int) -> Refusal | None:
    """Refuse to withdraw more than the account holds."""
    if cents <= account.cents:
        return None
    return refuse(
        Code.ACCOUNT_SHORT, player=account.player, held=dollars(account.cents), needed=dollars(cents)
    )


def evolve(player_account: AccountState, event: PlayerEvent) -> tuple[AccountState, list[Posting]]:
    """Return the account after an event, and its postings; chips are posted at their table."""
    account = ledger.player_account(player_account.player)
    if isinstance(event, PlayerRegistered):
        return replace(player_account, name=event.name, registered=True), []
    if isinstance(event, MoneyDeposited):
        postings = [Posting(ledger.CAGE, account, event.cents * UNITS_PER_CENT, "deposit")]
        return replace(player_account, cents=player_account.cents + event.cents), postings
    if isinstance(event, MoneyWithdrawn):
        postings = [Posting(account, ledger.CAGE, event.cents * UNITS_PER_CENT, "withdrawal")]
        return replace(player_account, cents=player_account.cents - event.cents), postings
    if isinstance(event, ChipsBought):
        return replace(player_account, cents=player_account.cents - event.cents), []
    if isinstance(event, ChipsReturned):
        return replace(player_account, cents=player_account.cents + event.cents), []
    return player_account, []

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
from fourcard.rules.line_options import MOST_CENTS

LONGEST_NAME = 80


class AccountState(msgspec.Struct, frozen=True, gc=False):
    """State of a player's account."""

    player: str
    name: str = ""
    cents: int = 0
    registered: bool = False


def decide(book: AccountState, command: PlayerCommand) -> Refusal | list[PlayerEvent]:
    """Return the events of a command at the cage, or a refusal."""
    if isinstance(command, RegisterPlayer):
        return _register(book, command)
    if not book.registered:
        return refuse(Code.PLAYER_UNKNOWN, player=book.player)
    if isinstance(command, NotePassword):
        return _note_password(book, command)
    deposit = isinstance(command, Deposit)
    most = MOST_CENTS - book.cents if deposit else MOST_CENTS
    if not 0 < command.cents <= most:
        return refuse(Code.AMOUNT_UNFIT, amount=dollars(command.cents), most=dollars(most))
    if deposit:
        return [MoneyDeposited(command.cents)]
    return _account_refusal(book, command.cents) or [MoneyWithdrawn(command.cents)]


def _register(book: AccountState, command: RegisterPlayer) -> Refusal | list[PlayerEvent]:
    if book.registered:
        return refuse(Code.PLAYER_KNOWN, player=book.player)
    if not command.name.strip():
        return refuse(Code.NAME_MISSING)
    refusal = text_refusal("A name", command.name, LONGEST_NAME)
    return refusal or [PlayerRegistered(book.player, command.name.strip())]


def text_refusal(what: str, word: str, most: int) -> Refusal | None:
    """Refuse a text that is too long or not printable."""
    fits = len(word) <= most and word.isprintable()
    return None if fits else refuse(Code.WORD_UNFIT, what=what, most=most)


def _note_password(book: AccountState, command: NotePassword) -> Refusal | list[PlayerEvent]:
    if command.person != book.player:
        figures = {"what": "note password", "whose": book.player, "person": command.person}
        return refuse(Code.NOT_YOUR_ACCOUNT, ("P25",), **figures)
    return [PasswordSet(book.player)]


def _account_refusal(book: AccountState, cents: int) -> Refusal | None:
    """Refuse to withdraw more than the account holds."""
    if cents <= book.cents:
        return None
    return refuse(Code.ACCOUNT_SHORT, player=book.player, held=dollars(book.cents), needed=dollars(cents))


def evolve(book: AccountState, event: PlayerEvent) -> tuple[AccountState, list[Posting]]:
    """Return the account after an event, and its postings; chips are posted at their table."""
    account = ledger.player_account(book.player)
    if isinstance(event, PlayerRegistered):
        return replace(book, name=event.name, registered=True), []
    if isinstance(event, MoneyDeposited):
        moved = [Posting(ledger.CAGE, account, event.cents * UNITS_PER_CENT, "deposit")]
        return replace(book, cents=book.cents + event.cents), moved
    if isinstance(event, MoneyWithdrawn):
        moved = [Posting(account, ledger.CAGE, event.cents * UNITS_PER_CENT, "withdrawal")]
        return replace(book, cents=book.cents - event.cents), moved
    if isinstance(event, ChipsBought):
        return replace(book, cents=book.cents - event.cents), []
    if isinstance(event, ChipsReturned):
        return replace(book, cents=book.cents + event.cents), []
    return book, []

"""Tray and chips: tray counts, fills, credits, the drop, buy-ins and cash-outs."""

from fourcard.house.actors import LONGEST, legible
from fourcard.house.commands import BuyIn, CashOut, CollectDrop, CountTray, CreditTray, FillTray
from fourcard.house.events import (
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    DropCollected,
    TrayCounted,
    TrayCredited,
    TrayFilled,
)
from fourcard.house.outcome import Books, Decided, Outcome, player_stream
from fourcard.house.player_book import word_refusal
from fourcard.house.table_book import TableBook
from fourcard.money import dollars
from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.options import MOST_CENTS

LONGEST_SLIP = 40


def amount_refusal(cents: int, most: int = MOST_CENTS) -> Refusal | None:
    """Refuse an amount that cannot be moved."""
    if 0 < cents <= most:
        return None
    return refuse(Code.AMOUNT_UNFIT, amount=dollars(cents), most=dollars(most))


def _count_refusal(cents: int, expected: int) -> Refusal | None:
    """Refuse an impossible count: negative, or far more than the books say."""
    if 0 <= cents <= expected + MOST_CENTS:
        return None
    most = dollars(max(0, expected + MOST_CENTS))
    return refuse(Code.COUNT_UNFIT, ("P26",), amount=dollars(cents), most=most)


def count_tray(_books: Books, book: TableBook, command: CountTray) -> Decided:
    """Count the tray of a closed table; the difference from the books is posted as a variance (P26)."""
    if book.state.phase != "closed":
        return refuse(Code.TRAY_IN_USE, ("P26",))
    expected = book.cents(book.names.tray)
    counted = TrayCounted(command.occasion, command.cents, expected)
    return _count_refusal(command.cents, expected) or Outcome([counted])


def fill_tray(_books: Books, book: TableBook, command: FillTray) -> Decided:
    """Bring chips from the cage at any time, up to the most that a tray can hold."""
    room = MOST_CENTS - book.cents(book.names.tray)
    refusal = amount_refusal(command.cents, room) or _slip_refusal(command)
    return refusal or Outcome([TrayFilled(command.cents, command.slip.strip())])


def credit_tray(_books: Books, book: TableBook, command: CreditTray) -> Decided:
    """Take chips to the cage, up to what the tray holds."""
    refusal = amount_refusal(command.cents) or _slip_refusal(command) or _tray_refusal(book, command.cents)
    return refusal or Outcome([TrayCredited(command.cents, command.slip.strip())])


def _slip_refusal(command: FillTray | CreditTray) -> Refusal | None:
    if not command.slip.strip():
        return refuse(Code.SLIP_MISSING, ("P26",))
    return word_refusal("The number of a slip", command.slip, LONGEST_SLIP)


def _tray_refusal(book: TableBook, cents: int) -> Refusal | None:
    held = book.cents(book.names.tray)
    if cents <= held:
        return None
    return refuse(Code.TRAY_SHORT, ("P26",), held=dollars(held), needed=dollars(cents))


def collect_drop(_books: Books, book: TableBook, command: CollectDrop) -> Decided:
    """Collect the drop; the difference from the books is posted as a variance (P26)."""
    expected = book.cents(book.names.drop)
    collected = DropCollected(command.cents, expected)
    return _count_refusal(command.cents, expected) or Outcome([collected])


def _player_refusal(books: Books, name: str) -> Refusal | None:
    known = books.player(name).registered
    return None if known else refuse(Code.PLAYER_UNKNOWN, player=legible(name, LONGEST))


def _money_refusal(books: Books, command: BuyIn) -> Refusal | None:
    """Refuse more than the account holds, without saying how much that is: a dealer cannot read it (P25)."""
    if command.cents <= books.player(command.player).cents:
        return None
    return refuse(Code.MONEY_SHORT, ("P27",), player=command.player, needed=dollars(command.cents))


def buy_in(books: Books, book: TableBook, command: BuyIn) -> Decided:
    """Turn money from an account into chips from the tray (P27)."""
    refusal = (
        _player_refusal(books, command.player)
        or amount_refusal(command.cents)
        or _money_refusal(books, command)
        or _tray_refusal(book, command.cents)
    )
    if refusal is not None:
        return refusal
    bought = ChipsBought(book.table, command.cents)
    return Outcome([BoughtIn(command.player, command.cents)], [(player_stream(command.player), bought)])


def cash_out(books: Books, book: TableBook, command: CashOut) -> Decided:
    """Turn chips back into money, once no round under way can still take them (P27)."""
    refusal = (
        _player_refusal(books, command.player)
        or amount_refusal(command.cents)
        or chips_refusal(book, command.player, command.cents)
    )
    if refusal is not None:
        return refusal
    if book.has_wagers(command.player):
        return refuse(Code.CASH_OUT_LATER, ("P27",), player=command.player)
    returned = ChipsReturned(book.table, command.cents)
    return Outcome([CashedOut(command.player, command.cents)], [(player_stream(command.player), returned)])


def chips_refusal(book: TableBook, player: str, cents: int) -> Refusal | None:
    """Refuse to use more chips than a player holds at the table (P27)."""
    held = book.chips(player)
    if cents <= held:
        return None
    figures = {"player": player, "held": dollars(held), "needed": dollars(cents)}
    return refuse(Code.CHIPS_SHORT, ("P27",), **figures)

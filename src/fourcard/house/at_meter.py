"""Decide meter commands: link, terms, and adjustments that need two people (P30, P31)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fourcard.house.meter_book import MeterBook, Win
from fourcard.house.meter_commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    EnterReading,
    MeterCommand,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.meter_events import (
    AdjustmentProposed,
    AdjustmentRejected,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    TermsChanged,
)
from fourcard.house.meter_follow import paytable, started, terms
from fourcard.house.outcome import Books, Decided, Outcome
from fourcard.house.submitted import submitted
from fourcard.house.table_book import AnyTable, TableBook, UninstalledTable
from fourcard.meter import UNITS_PER_CENT, Meter, reverse_payment
from fourcard.money import dollars
from fourcard.progressive.console import console_of, in_game, rules_of
from fourcard.progressive.link import reason_refusal
from fourcard.refusals import Code, Refusal, refuse
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite, holds
from fourcard.rules.options import MOST_CENTS
from fourcard.rules.pinned import encode_game


def at_meter(books: Books, name: str, command: MeterCommand) -> Decided:
    """Return what a command to a meter leads to, or a refusal."""
    book = books.meter(name)
    if not book.terms:
        return refuse(Code.NO_SUCH_METER, meter=name)
    refusal = reason_refusal(getattr(command, "reason", "-"), ("P30", "P31"))
    if refusal is not None:
        return refusal
    return _DECIDERS[type(command)](books, book, command)


def _close(books: Books, book: MeterBook, command: CloseLink) -> Decided:
    """Close the link between games, while no chip lies on a sensor."""
    if book.closed:
        return refuse(Code.LINK_CLOSED, ("P31",), meter=book.name, reason=book.closed)
    for name in book.tables:
        if _plays(books.find_table(name)):
            return refuse(Code.TABLE_IN_GAME, ("P31",), table=name)
    return Outcome([LinkClosed(command.reason)])


def _plays(table: AnyTable) -> bool:
    """Say whether a table has progressive wagers in play, or a game that was not ended."""
    if isinstance(table, UninstalledTable) or table.console is None:
        return False
    under_way = table.state.round
    lying = under_way is not None and any("progressive" in each.wagers for each in under_way.places.values())
    return lying or in_game(table.console, table.state)


def _open(books: Books, book: MeterBook, command: OpenLink) -> Decided:
    """Open the link when every linked table plays by the meter's terms."""
    if not book.closed:
        return refuse(Code.LINK_OPEN_ALREADY, ("P31",), meter=book.name)
    right = terms(books.game(book.terms))
    for name in book.tables:
        table = books.find_table(name)
        if isinstance(table, TableBook) and terms(table.state.game) != right:
            return refuse(Code.TABLE_OTHER_TERMS, ("P31",), table=name)
    return Outcome([LinkOpened(command.reason)])


def _change(books: Books, book: MeterBook, command: ChangeTerms) -> Decided:
    """Change to another submission with the same paytable, while the link is closed."""
    if not book.closed:
        return refuse(Code.LINK_OPEN, ("P31",), meter=book.name)
    game = submitted(command.submission)
    if isinstance(game, Refusal):
        return game
    if not game.offers("progressive") or paytable(game) != paytable(books.game(book.terms)):
        return refuse(Code.PAYTABLE_CHANGED, ("P31",))
    if terms(game) == terms(books.game(book.terms)):
        return refuse(Code.TERMS_UNCHANGED, ("P31",))
    return Outcome([terms_changed(game, command.reason)], games={game.hash: encode_game(game)})


def terms_changed(game: Game, reason: str) -> TermsChanged:
    """Return the terms of a game as a meter follows them."""
    begun = started(game)
    return TermsChanged(begun.rate, begun.reserve_rate, begun.seed, game.hash, reason)


def _propose(_books: Books, book: MeterBook, command: ProposeAdjustment) -> Decided:
    refusal = _amount_refusal(book, command.part, command.cents)
    if refusal is not None:
        return refusal
    number, reason = book.proposed + 1, command.reason
    return Outcome([AdjustmentProposed(number, command.part, command.cents, 0, reason, command.by)])


def _amount_refusal(book: MeterBook, part: str, cents: int) -> Refusal | None:
    """Refuse zero, more than the largest amount, and more than the part holds without logged wins."""
    if not 0 < abs(cents) <= MOST_CENTS:
        return refuse(Code.ADJUSTMENT_AMOUNT, ("P30",), most=dollars(MOST_CENTS))
    held = book.meter.amount if part == "meter" else book.meter.reserve
    if held + cents * UNITS_PER_CENT >= 0:
        return None
    figures = {"amount": dollars(cents), "part": part, "held": dollars(held // UNITS_PER_CENT)}
    return refuse(Code.ADJUSTMENT_UNFIT, ("R59", "P30"), **figures)


def _enter_reading(_books: Books, book: MeterBook, command: EnterReading) -> Decided:
    """Propose the amount on the signs as the amount of a restored meter (P38)."""
    if not book.restored:
        return refuse(Code.READING_NOT_DUE, ("P38",), meter=book.name)
    if not 0 <= command.cents <= MOST_CENTS:
        return refuse(Code.READING_UNFIT, ("P38",), amount=dollars(command.cents), most=dollars(MOST_CENTS))
    for number, proposal in book.proposals.items():
        if proposal.reading is not None:
            return refuse(Code.READING_WAITS, ("P38",), number=number, meter=book.name)
    number, change = book.proposed + 1, command.cents - book.displayed
    reading = command.cents
    return Outcome([AdjustmentProposed(number, "meter", change, 0, command.reason, command.by, reading)])


def _back_out(books: Books, book: MeterBook, command: ProposeBackOut) -> Decided:
    """Propose to return a win to the meter; the signs must be adjusted for it and it must be recent."""
    logged = next((each for each in book.logged if each.number == command.win), None)
    if logged is not None:
        return refuse(Code.WIN_UNADJUSTED, ("P30",), number=logged.number, table=logged.table)
    game = books.game(book.terms)
    rule = rules_of(console_of(game), game).manual_adjustment
    if not holds(rule) or _win(book, command.win) is None:
        clauses = tuple(dict.fromkeys((*cite(rule), "P30")))
        return refuse(Code.WIN_UNKNOWN, clauses, number=command.win, meter=book.name)
    for number, proposal in book.proposals.items():
        if proposal.win == command.win:
            return refuse(Code.ADJUSTMENT_WAITS, ("P30",), number=number)
    number, reason = book.proposed + 1, command.reason
    return Outcome([AdjustmentProposed(number, "meter", 0, command.win, reason, command.by)])


def _win(book: MeterBook, number: int) -> Win | None:
    found = (win for win in book.last if win.logged.number == number)
    return next((win for win in found if win.adjusted and not win.backed_out), None)


def _approve(_books: Books, book: MeterBook, command: ApproveAdjustment) -> Decided:
    """Adjust the meter; the person must not be the one who proposed it."""
    proposal = book.proposals.get(command.number)
    if proposal is None:
        return refuse(Code.ADJUSTMENT_UNKNOWN, ("P30",), number=command.number)
    if command.by == proposal.by:
        return refuse(Code.ADJUSTMENT_OWN, ("P30",), person=command.by)
    if book.logged:
        first = book.logged[0]
        return refuse(Code.WIN_UNADJUSTED, ("P30",), number=first.number, table=first.table)
    adjusted = _adjusted(book, proposal)
    if isinstance(adjusted, Refusal):
        return adjusted
    meter, borne = adjusted
    figures = (command.number, meter.amount, meter.reserve, meter.undone, borne, command.by)
    return Outcome([MeterAdjusted(*figures)])


def _adjusted(book: MeterBook, proposal: AdjustmentProposed) -> tuple[Meter, int] | Refusal:
    """Return the meter after a proposal, and the units that the house bears."""
    if proposal.win:
        win = _win(book, proposal.win)
        if win is None:
            return refuse(Code.WIN_UNKNOWN, ("P30",), number=proposal.win, meter=book.name)
        return reverse_payment(book.meter, win.logged.payment)
    if proposal.reading is not None:
        return _as_read(book, proposal.reading), 0
    refusal = _amount_refusal(book, proposal.part, proposal.cents)
    if refusal is not None:
        return refusal
    field = "amount" if proposal.part == "meter" else "reserve"
    after = getattr(book.meter, field) + proposal.cents * UNITS_PER_CENT
    return replace(book.meter, **{field: after}), 0


def _as_read(book: MeterBook, reading: int) -> Meter:
    """Return a meter that shows a reading; if it already does, its fractions of a cent stay."""
    if reading == book.displayed:
        return book.meter
    return replace(book.meter, amount=reading * UNITS_PER_CENT)


def _reject(_books: Books, book: MeterBook, command: RejectAdjustment) -> Decided:
    if command.number not in book.proposals:
        return refuse(Code.ADJUSTMENT_UNKNOWN, ("P30",), number=command.number)
    return Outcome([AdjustmentRejected(command.number, command.reason)])


_DECIDERS: dict[type, Callable[[Books, MeterBook, Any], Decided]] = {
    CloseLink: _close,
    OpenLink: _open,
    ChangeTerms: _change,
    ProposeAdjustment: _propose,
    ProposeBackOut: _back_out,
    EnterReading: _enter_reading,
    ApproveAdjustment: _approve,
    RejectAdjustment: _reject,
}

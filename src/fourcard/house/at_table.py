"""Decide table commands: the game decides; the house checks money, meter and shuffles."""

from collections.abc import Callable, Sequence
from typing import Any, get_args

from fourcard.house.actors import LONGEST, legible
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChooseSeed,
    CollectDrop,
    CountTray,
    CreditTray,
    FillTray,
    InstallTable,
    LeaveTable,
    is_name,
)
from fourcard.house.departures import leave_table, release
from fourcard.house.events import TableInstalled
from fourcard.house.inventory import (
    buy_in,
    cash_out,
    chips_refusal,
    collect_drop,
    count_tray,
    credit_tray,
    fill_tray,
)
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_book import evolve as evolve_meter
from fourcard.house.meter_events import TableLinked, TableUnlinked
from fourcard.house.meter_follow import followed, started, terms
from fourcard.house.outcome import Books, Decided, Outcome, meter_stream
from fourcard.house.shuffling import choose_seed, committed, prepare, preshuffled_refusal
from fourcard.house.submitted import submitted
from fourcard.house.table_book import AnyTable, TableBook, UninstalledTable
from fourcard.money import dollars
from fourcard.progressive.commands import ConsoleCommand
from fourcard.progressive.console import in_game, rules_of
from fourcard.progressive.deciding import Meters
from fourcard.progressive.deciding import decide as decide_console
from fourcard.progressive.link import wager_refusal as sensor_refusal
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import duty_refusal
from fourcard.round.commands import CompleteDocument, PayAward, PlaceWager, Play, TakeSeat
from fourcard.round.events import RoundVoided
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite, holds
from fourcard.rules.pinned import encode_game
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.meters import award_at

Desk = Callable[[Books, TableBook, Any], Decided]


def at_table(books: Books, name: str, command: Any) -> Decided:
    """Return what a command to a table leads to, or a refusal."""
    book = books.find_table(name)
    if isinstance(command, InstallTable):
        return install(books, book, command)
    if isinstance(book, UninstalledTable):
        return refuse(Code.NO_SUCH_TABLE, table=name)
    return release(books.game, book, _decided(books, book, command))


def _decided(books: Books, book: TableBook, command: Any) -> Decided:
    """Let the house or the game decide."""
    own = _OWN.get(type(command))
    if own is not None:
        return own(books, book, command)
    check = _CHECKS.get(type(command))
    refusal = _key_refusal(book) or (None if check is None else check(books, book, command))
    if refusal is not None:
        return refusal
    played = _played(books, book, command)
    if type(command) not in STAKING or isinstance(played, Refusal):
        return played
    return _wager_refusal(book, command) or played


def _played(books: Books, book: TableBook, command: Any) -> Decided:
    """Let the game decide, and add the meter's events."""
    decided = decide(book.state, command)
    if isinstance(decided, Refusal):
        return decided
    if not book.meter:
        return Outcome(decided)
    refusal = _void_refusal(book, command, decided)
    if refusal is not None:
        return refusal
    return Outcome(decided, meter_reactions(books.meter(book.meter), book, decided, command.at))


def _void_refusal(book: TableBook, command: Any, decided: Sequence[object]) -> Refusal | None:
    """Refuse to undo a win by a void, unless the person may confirm wins and did not mark it (P33)."""
    console, under_way = book.console, book.state.round
    if console is None or under_way is None or not any(isinstance(each, RoundVoided) for each in decided):
        return None
    if under_way.awaiting is None and not console.staff:
        return None
    duty = under_way.rules.duty("validates_jackpot")
    refusal = duty_refusal(command, "void a round with a progressive win", duty, "supervisor")
    marked = {staff.marked_by for staff in console.staff.values()} | {console.mark.by if console.mark else ""}
    if refusal is not None or command.by not in marked or not command.by:
        return refusal
    return refuse(Code.SAME_PERSON, (*cite(duty), "P33"), person=command.by)


def meter_reactions(
    meter: MeterBook, book: TableBook, events: Sequence[object], at: int
) -> list[tuple[str, object]]:
    """Return the meter events that follow from a table's events, in order."""
    stream, found = meter_stream(meter.name), list[tuple[str, object]]()
    for event in events:
        meant = followed(meter, book.table, book.state.number, event, at)
        if meant is not None:
            meter, _ = evolve_meter(meter, meant)
            found.append((stream, meant))
    return found


def _on_console(books: Books, book: TableBook, command: ConsoleCommand) -> Decided:
    """Let the console decide; awards are priced at the house's own meter."""
    if book.console is None:
        return refuse(Code.NO_CONSOLE)
    meter = books.meter(book.meter)
    meters = Meters(lambda under_way: award_at(meter.meter, under_way), meter.closed)
    decided = decide_console(book.console, book.state, command, meters)
    if isinstance(decided, Refusal):
        return decided
    return Outcome(decided, meter_reactions(meter, book, decided, command.at))


def install(books: Books, book: AnyTable, command: InstallTable) -> Decided:
    """Install a table for a game; its first table also starts a meter."""
    if isinstance(book, TableBook) and book.state.phase != "closed":
        return refuse(Code.TABLE_IN_USE, table=book.table)
    game = submitted(command.submission)
    if isinstance(game, Refusal):
        return game
    linked = (command.meter or book.table) if game.offers("progressive") else ""
    if book.meter and book.meter != linked and books.meter(book.meter).restored:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=book.meter)
    refusal = _meter_refusal(books, game, linked, command)
    if refusal is not None:
        return refusal
    installed = TableInstalled(book.table, game.hash, command.cards, linked)
    others = _links(books, book, game, linked)
    kept = {game.hash: encode_game(game)}
    if command.cards == "keyed" or book.shuffle:
        return Outcome([installed], others, games=kept)
    commitment, secret = committed(books, book)
    return Outcome([installed, commitment], others, [secret], kept)


def _links(books: Books, book: AnyTable, game: Game, linked: str) -> list[tuple[str, object]]:
    """Return the meter events of an installation: an old meter unlinks, a new meter starts and links."""
    told = list[tuple[str, object]]()
    if book.meter and book.meter != linked:
        told.append((meter_stream(book.meter), TableUnlinked(book.table)))
    if linked and not books.meter(linked).terms:
        told.append((meter_stream(linked), started(game)))
    if linked and linked != book.meter:
        told.append((meter_stream(linked), TableLinked(book.table)))
    return told


def _meter_refusal(books: Books, game: Game, linked: str, command: InstallTable) -> Refusal | None:
    """Refuse a meter that the game does not use, or that follows other terms."""
    if not linked:
        return refuse(Code.METER_NAME_IDLE) if command.meter else None
    if not is_name(linked):
        return refuse(Code.ID_UNFIT, what="meter", name=linked)
    book = books.meter(linked)
    if book.terms and terms(books.game(book.terms)) != terms(game):
        return refuse(Code.METER_TERMS, ("R58",), meter=linked)
    return None


def _priced_refusal(_books: Books, _book: TableBook, _command: PayAward) -> Refusal:
    return refuse(Code.PRICE_FROM_DESK)


def _seat_refusal(books: Books, _book: TableBook, command: TakeSeat) -> Refusal | None:
    """Refuse a seat to a player without an account."""
    if books.player(command.player).registered:
        return None
    return refuse(Code.PLAYER_UNKNOWN, player=legible(command.player, LONGEST))


def _wager_refusal(book: TableBook, command: PlaceWager | Play) -> Refusal | None:
    """Refuse chips that the player does not have; chips already on the spot are replaced.

    It comes after the game's own refusals, so nobody learns here about another player's chips.
    """
    under_way = book.state.round
    place = None if under_way is None else under_way.places.get(command.position)
    if place is None:
        return None
    lying = 0
    if isinstance(command, PlaceWager):
        lying = place.lying.get(command.wager, 0)
        lying += place.unregistered if command.wager == "progressive" else 0
    return chips_refusal(book, place.player, command.amount - lying)


def _open_refusal(books: Books, book: TableBook, command: OpenTable) -> Refusal | None:
    """Refuse to open before a restored meter is confirmed (P38) and the tray is counted (P26)."""
    if book.meter and books.meter(book.meter).restored:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=book.meter)
    if not book.counted:
        return refuse(Code.TRAY_UNCOUNTED, ("P26",))
    return preshuffled_refusal(book, command)


def _sensor_refusal(books: Books, book: TableBook, command: PlaceWager) -> Refusal | None:
    """Refuse a progressive chip on another position's sensor, or while the link is down."""
    if book.console is None:
        return None
    return sensor_refusal(book.console, book.state, command, books.meter(book.meter).closed)


def _document_refusal(_books: Books, book: TableBook, command: CompleteDocument) -> Refusal | None:
    """Refuse to let the person who marked a win complete its document (P29)."""
    staff = None if book.console is None else book.console.staff.get(command.position)
    if staff is None or not command.by or command.by != staff.marked_by:
        return None
    return refuse(Code.SAME_PERSON, ("P29",), person=command.by)


def _key_refusal(book: TableBook) -> Refusal | None:
    """Refuse table commands while the supervisor's key is at JPH."""
    if book.console is None or book.console.key != "jph":
        return None
    rule = rules_of(book.console, book.state.game).run_restores
    return refuse(Code.KEY_AT_JPH, cite(rule)) if holds(rule) else None


def _deck_refusal(_books: Books, book: TableBook, command: BringDeck) -> Refusal | None:
    return preshuffled_refusal(book, command)


def _begin_refusal(_books: Books, book: TableBook, _command: BeginRound) -> Refusal | None:
    """Refuse a round while the tray owes chips (P26), or before the last game is ended."""
    if book.console is not None and in_game(book.console, book.state):
        ends = rules_of(book.console, book.state.game).ends
        return refuse(Code.GAME_NOT_OVER, cite(ends), button=ends.value.replace("_", " ").upper())
    held = book.cents(book.names.tray)
    if held >= 0:
        return None
    return refuse(Code.TRAY_SHORT, ("P26",), held=dollars(held), needed=dollars(0))


_OWN: dict[type, Desk] = {
    CountTray: count_tray,
    FillTray: fill_tray,
    CreditTray: credit_tray,
    CollectDrop: collect_drop,
    BuyIn: buy_in,
    CashOut: cash_out,
    LeaveTable: leave_table,
    ChooseSeed: choose_seed,
    Prepare: prepare,
    **dict.fromkeys(get_args(ConsoleCommand), _on_console),
}
_CHECKS: dict[type, Callable[[Books, TableBook, Any], Refusal | None]] = {
    PayAward: _priced_refusal,
    PlaceWager: _sensor_refusal,
    CompleteDocument: _document_refusal,
    TakeSeat: _seat_refusal,
    OpenTable: _open_refusal,
    BringDeck: _deck_refusal,
    BeginRound: _begin_refusal,
}
"""Checks of the house that run before the game decides."""
STAKING = frozenset((PlaceWager, Play))

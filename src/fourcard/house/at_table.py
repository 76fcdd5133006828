"""Deciding at a table of the house: the game decides, the house looks after money, meter and chance."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fourcard.errors import BadInputError
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
    PayFromMeter,
)
from fourcard.house.events import AwardTaken, MeterEvent, TableInstalled
from fourcard.house.fairness import is_name
from fourcard.house.inventory import (
    buy_in,
    cash_out,
    chips_refusal,
    collect_drop,
    count_tray,
    credit_tray,
    fill_tray,
)
from fourcard.house.meter_book import MeterBook, stakes_added, started, taken_back
from fourcard.house.outcome import Books, Decided, Outcome, meter_stream
from fourcard.house.shuffling import choose_seed, committed, prepare, preshuffled_refusal
from fourcard.house.table_book import TableBook
from fourcard.money import dollars
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.round.commands import PayAward, PlaceWager, Play, TakeSeat
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.pinned import encode_game
from fourcard.rules.submission import parse_submission
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.events import TableEvent
from fourcard.table.meters import award_at

Desk = Callable[[Books, TableBook, Any], Decided]


def at_table(books: Books, name: str, command: Any) -> Decided:
    """Return what a command to a table leads to, or why it may not be."""
    book = books.table(name)
    if isinstance(command, InstallTable):
        return install(books, book, command)
    if book.state is None:
        return refuse(Code.NO_SUCH_TABLE, table=name)
    own = _OWN.get(type(command))
    if own is not None:
        return own(books, book, command)
    check = _CHECKS.get(type(command))
    refusal = None if check is None else check(books, book, command)
    if refusal is not None:
        return refusal
    played = _played(books, book, command)
    if type(command) not in STAKING or isinstance(played, Refusal):
        return played
    return _wager_refusal(book, command) or played


def _played(books: Books, book: TableBook, command: Any) -> Decided:
    """Let the game decide, and let the meter follow."""
    assert book.state is not None
    decided = decide(book.state, command)
    if isinstance(decided, Refusal):
        return decided
    if not book.meter:
        return Outcome(decided)
    stream = meter_stream(book.meter)
    meter = books.meter(book.meter)
    following = (_followed(meter, book, event) for event in decided)
    return Outcome(decided, [(stream, event) for event in following if event is not None])


def _followed(meter: MeterBook, book: TableBook, event: TableEvent) -> MeterEvent | None:
    """Return what an event of the game means for the meter."""
    assert book.state is not None
    number = book.state.number
    if isinstance(event, ProgressiveLocked):
        return stakes_added(meter, book.table, number, event.stakes) if event.stakes else None
    if isinstance(event, AwardPaid):
        return AwardTaken(book.table, number, event.payment)
    return taken_back(meter, book.table, number) if isinstance(event, RoundVoided) else None


def _pay_from_meter(books: Books, book: TableBook, command: PayFromMeter) -> Decided:
    """Price the award that waits at the meter as it stands, and pay it."""
    assert book.state is not None
    under_way = book.state.round
    if under_way is None:
        return refuse(Code.NO_ROUND)
    if under_way.awaiting is None or under_way.awaiting.position != command.position:
        return refuse(Code.NO_AWARD_AWAITED, position=command.position)
    try:
        award = award_at(books.meter(book.meter).meter, under_way)
    except RefusedError as error:
        return error.refusal
    return _played(books, book, replace(award, by=command.by, at=command.at, key=command.key))


def install(books: Books, book: TableBook, command: InstallTable) -> Decided:
    """Set a table up for a game, its meter too where it is the first one linked to it."""
    if book.state is not None and book.state.phase != "closed":
        return refuse(Code.TABLE_IN_USE, table=book.table)
    game = _submitted(command.submission)
    if isinstance(game, Refusal):
        return game
    linked = (command.meter or book.table) if game.offers("progressive") else ""
    refusal = _meter_refusal(books, game, linked, command)
    if refusal is not None:
        return refusal
    installed = TableInstalled(book.table, game.hash, command.cards, linked)
    begun = bool(linked) and not books.meter(linked).terms
    others = [(meter_stream(linked), started(game))] if begun else ()
    kept = {game.hash: encode_game(game)}
    if command.cards == "keyed" or book.shuffle:
        return Outcome([installed], others, games=kept)
    commitment, secret = committed(books, book)
    return Outcome([installed, commitment], others, [secret], kept)


def _submitted(text: str) -> Game | Refusal:
    """Return the game of a submission, or why it may not be played."""
    try:
        return resolve_game(parse_submission(text))
    except RefusedError as error:
        return error.refusal
    except BadInputError as error:
        return refuse(Code.SUBMISSION_REFUSED, reason=str(error).rstrip("."))


def _meter_refusal(books: Books, game: Game, linked: str, command: InstallTable) -> Refusal | None:
    """Refuse a meter that the game has no use for, or that follows other terms."""
    if not linked:
        return refuse(Code.METER_NAME_IDLE) if command.meter else None
    if not is_name(linked):
        return refuse(Code.ID_UNFIT, what="meter", name=linked)
    book = books.meter(linked)
    if book.terms and _terms(books.game(book.terms)) != _terms(game):
        return refuse(Code.METER_TERMS, ("R58",), meter=linked)
    return None


def _terms(game: Game) -> tuple[object, ...]:
    """Return what tables must have in common to share a meter."""
    choice = game.submission.progressive
    assert choice is not None
    rates = (choice.rate, choice.reserve, choice.seed, choice.reset, choice.fixed_awards)
    return (game.rulebook.id, dict(game.tables["progressive"].pays), *rates)


def _priced_refusal(_books: Books, _book: TableBook, _command: PayAward) -> Refusal:
    return refuse(Code.PRICE_FROM_DESK)


def _seat_refusal(books: Books, _book: TableBook, command: TakeSeat) -> Refusal | None:
    """Seat players who have an account."""
    if books.player(command.player).registered:
        return None
    return refuse(Code.PLAYER_UNKNOWN, player=legible(command.player, LONGEST))


def _wager_refusal(book: TableBook, command: PlaceWager | Play) -> Refusal | None:
    """Refuse chips that the player does not have; those that lie on the spot are replaced.

    It comes after the game's own word, so that nobody learns here of chips at another's position.
    """
    under_way = book.state.round if book.state is not None else None
    place = None if under_way is None else under_way.places.get(command.position)
    if place is None:
        return None
    lying = 0
    if isinstance(command, PlaceWager):
        lying = place.lying.get(command.wager, 0)
        lying += place.unregistered if command.wager == "progressive" else 0
    return chips_refusal(book, place.player, command.amount - lying)


def _open_refusal(_books: Books, book: TableBook, command: OpenTable) -> Refusal | None:
    """Have the tray counted before a table opens (P26)."""
    if not book.counted:
        return refuse(Code.TRAY_UNCOUNTED, ("P26",))
    return preshuffled_refusal(book, command)


def _deck_refusal(_books: Books, book: TableBook, command: BringDeck) -> Refusal | None:
    return preshuffled_refusal(book, command)


def _begin_refusal(_books: Books, book: TableBook, _command: BeginRound) -> Refusal | None:
    """Begin no round with a tray that owes chips already (P26)."""
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
    ChooseSeed: choose_seed,
    PayFromMeter: _pay_from_meter,
    Prepare: prepare,
}
_CHECKS: dict[type, Callable[[Books, TableBook, Any], Refusal | None]] = {
    PayAward: _priced_refusal,
    TakeSeat: _seat_refusal,
    OpenTable: _open_refusal,
    BringDeck: _deck_refusal,
    BeginRound: _begin_refusal,
}
"""What the house asks before the game is asked."""
STAKING = frozenset((PlaceWager, Play))

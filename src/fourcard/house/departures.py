"""Departures: players leave a table, and their chips return to their accounts (P35).

A player who gives up the last seat at a table is cashed out in the same commit. Everybody is cashed out when
the table closes. A player with wagers in the round under way leaves when the round is over.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.house.actors import LONGEST, legible
from fourcard.house.commands import LeaveTable
from fourcard.house.events import CashedOut, ChipsReturned, LeaveAsked, LeaveCancelled
from fourcard.house.outcome import Books, Decided, Outcome, player_stream
from fourcard.house.table_book import Games, TableBook, evolve
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import LeaveSeat, WithdrawWager
from fourcard.round.events import RoundEnded, RoundVoided, SeatLeft
from fourcard.rules.nodes import WagerName
from fourcard.table.commands import CloseTable, LastHand
from fourcard.table.decide import decide
from fourcard.table.events import TableClosed

ENDING = frozenset((RoundEnded, RoundVoided))
RELEASING = ENDING | {SeatLeft, TableClosed, LeaveAsked}
"""Events after which a table may hold chips of a player who has left."""
UNREGISTERED: tuple[WagerName, ...] = ("progressive",)
"""A chip on a sensor that did not register it is withdrawn as this wager."""
CLOSING = frozenset((CloseTable, LastHand))


def leave_table(books: Books, book: TableBook, command: LeaveTable) -> Decided:
    """Let a player leave: at once if all wagers can be withdrawn, otherwise after the round under way."""
    refusal = _refusal(book, command)
    if refusal is not None:
        return refusal
    player = command.player
    if command.cancel:
        return Outcome([LeaveCancelled(player)])
    return Outcome([LeaveAsked(player), *_withdrawn(books, book, player)])


def _refusal(book: TableBook, command: LeaveTable) -> Refusal | None:
    """Refuse a departure without seat or chips, a second one, and a cancellation without a departure."""
    player = command.player
    reason = ""
    if command.cancel:
        reason = "" if player in book.leaving else "has not asked to leave this table"
    elif player in book.leaving:
        reason = "already leaves the table after this round"
    elif player not in book.state.seats.values() and not book.chips(player):
        reason = "has neither a seat nor chips at this table"
    if not reason:
        return None
    return refuse(Code.NOTHING_TO_LEAVE, ("P35",), player=legible(player, LONGEST), reason=reason)


def _withdrawn(books: Books, book: TableBook, player: str) -> list[object]:
    """Return the events that withdraw all wagers of a player, or nothing if one of them must stay."""
    under_way = book.state.round
    places = () if under_way is None else under_way.places.values()
    lying = [
        WithdrawWager(position=place.position, wager=wager, by=player, role="player")
        for place in places
        if place.player == player
        for wager in (*place.wagers, *(UNREGISTERED if place.unregistered else ()))
    ]
    events = list[object]()
    while lying:
        tried = [(each, decide(book.state, each)) for each in lying]
        command, decided = next(((c, d) for c, d in tried if not isinstance(d, Refusal)), (None, ()))
        if command is None or isinstance(decided, Refusal):
            return []
        lying.remove(command)
        events += decided
        book = _folded(book, decided, books.game)
    return events


def release(games: Games, book: TableBook, decided: Decided) -> Decided:
    """Add the departures to a decision: players who leave get up and are cashed out."""
    if isinstance(decided, Refusal) or RELEASING.isdisjoint(map(type, decided.events)):
        return decided
    if ENDING.issuperset(RELEASING.intersection(map(type, decided.events))) and not book.leaving:
        return decided
    after = _folded(book, decided.events, games)
    left = [*_get_up(after)]
    after = _folded(after, left, games)
    gone = [player for player in _gone(book, after, decided.events) if after.chips(player) > 0]
    cashed = [CashedOut(player, after.chips(player)) for player in gone]
    returned = [(player_stream(each.player), ChipsReturned(book.table, each.cents)) for each in cashed]
    return replace(decided, events=[*decided.events, *left, *cashed], others=[*decided.others, *returned])


def _get_up(book: TableBook) -> Iterable[SeatLeft]:
    """Yield the seats of leaving players who have no wagers any more."""
    for position, player in book.state.seats.items():
        if player in book.leaving and not book.has_wagers(player):
            yield SeatLeft(position, player)


def _gone(book: TableBook, after: TableBook, events: Sequence[object]) -> list[str]:
    """Return the players with chips who have left; when the table closes, everybody has."""
    if any(isinstance(each, TableClosed) for each in events):
        return [*after.chip_holders]
    asked = {each.player for each in events if isinstance(each, LeaveAsked)}
    here = {*after.state.seats.values()}
    left = ({*book.state.seats.values()} | asked) - here
    return [player for player in after.chip_holders if player in left and not after.has_wagers(player)]


def _folded(book: TableBook, events: Iterable[object], games: Games) -> TableBook:
    for event in events:
        book, _ = evolve(book, event, games)
    return book


def accounts_touched(book: TableBook, command: Any) -> frozenset[str]:
    """Return the players whose accounts a table command may return chips to."""
    state = book.state
    if type(command) in CLOSING or (state.last_hand and state.round is not None):
        return frozenset((*book.chip_holders, *state.seats.values()))
    seated = state.seats.get(command.position) if isinstance(command, LeaveSeat) else None
    return book.leaving if seated is None else book.leaving | {seated}

"""Decide table commands: the game decides; the house checks money, meter and shuffles.

A player who gives up the last seat at a table is cashed out in the same commit. Everybody is cashed out when
the table closes. A player with wagers in the round under way leaves when the round is over (P35).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.account_state import text_refusal
from fourcard.house.auth.identity import LONGEST_SHOWN, printable
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
from fourcard.house.decide_meter import meter_event_for, meter_terms, start_event
from fourcard.house.decision import (
    Decided,
    Decision,
    StateReader,
    game_of_submission,
    meter_stream,
    player_stream,
)
from fourcard.house.events import (
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    DropCollected,
    LeaveAsked,
    LeaveCancelled,
    TableInstalled,
    TableLinked,
    TableUnlinked,
    TrayCounted,
    TrayCredited,
    TrayFilled,
)
from fourcard.house.fairness.shuffle_protocol import (
    choose_seed,
    commit_event,
    prepare_deck,
    preshuffled_refusal,
)
from fourcard.house.meter_state import MeterState
from fourcard.house.meter_state import evolve as evolve_meter
from fourcard.house.table_state import AnyTable, Games, HouseTable, UninstalledTable, evolve
from fourcard.money import dollars
from fourcard.progressive.console import ConsoleCommand, console_rules, is_game_under_way
from fourcard.progressive.decide import MeterPort
from fourcard.progressive.decide import decide as decide_console
from fourcard.progressive.decide import progressive_wager_refusal as sensor_refusal
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import (
    CompleteDocument,
    LeaveSeat,
    PayAward,
    PlaceWager,
    Play,
    TakeSeat,
    WithdrawWager,
)
from fourcard.round.events import RoundEnded, RoundVoided, SeatLeft
from fourcard.round.preconditions import duty_refusal
from fourcard.rules.cited import WagerName, clauses_of, is_set
from fourcard.rules.game import Game, encode_game
from fourcard.rules.line_options import MOST_CENTS
from fourcard.table.commands import BeginRound, BringDeck, CloseTable, LastHand, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.events import TableClosed
from fourcard.table.local_meter import price_award

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


def count_tray(_books: StateReader, book: HouseTable, command: CountTray) -> Decided:
    """Count the tray of a closed table; the difference from the books is posted as a variance (P26)."""
    if book.state.phase != "closed":
        return refuse(Code.TRAY_IN_USE, ("P26",))
    expected = book.cents(book.names.tray)
    counted = TrayCounted(command.occasion, command.cents, expected)
    return _count_refusal(command.cents, expected) or Decision([counted])


def fill_tray(_books: StateReader, book: HouseTable, command: FillTray) -> Decided:
    """Bring chips from the cage at any time, up to the most that a tray can hold."""
    room = MOST_CENTS - book.cents(book.names.tray)
    refusal = amount_refusal(command.cents, room) or _slip_refusal(command)
    return refusal or Decision([TrayFilled(command.cents, command.slip.strip())])


def credit_tray(_books: StateReader, book: HouseTable, command: CreditTray) -> Decided:
    """Take chips to the cage, up to what the tray holds."""
    refusal = amount_refusal(command.cents) or _slip_refusal(command) or _tray_refusal(book, command.cents)
    return refusal or Decision([TrayCredited(command.cents, command.slip.strip())])


def _slip_refusal(command: FillTray | CreditTray) -> Refusal | None:
    if not command.slip.strip():
        return refuse(Code.SLIP_MISSING, ("P26",))
    return text_refusal("The number of a slip", command.slip, LONGEST_SLIP)


def _tray_refusal(book: HouseTable, cents: int) -> Refusal | None:
    held = book.cents(book.names.tray)
    if cents <= held:
        return None
    return refuse(Code.TRAY_SHORT, ("P26",), held=dollars(held), needed=dollars(cents))


def collect_drop(_books: StateReader, book: HouseTable, command: CollectDrop) -> Decided:
    """Collect the drop; the difference from the books is posted as a variance (P26)."""
    expected = book.cents(book.names.drop)
    collected = DropCollected(command.cents, expected)
    return _count_refusal(command.cents, expected) or Decision([collected])


def _player_refusal(books: StateReader, name: str) -> Refusal | None:
    known = books.player(name).registered
    return None if known else refuse(Code.PLAYER_UNKNOWN, player=printable(name, LONGEST_SHOWN))


def _money_refusal(books: StateReader, command: BuyIn) -> Refusal | None:
    """Refuse more than the account holds, without saying how much that is: a dealer cannot read it (P25)."""
    if command.cents <= books.player(command.player).cents:
        return None
    return refuse(Code.MONEY_SHORT, ("P27",), player=command.player, needed=dollars(command.cents))


def buy_in(books: StateReader, book: HouseTable, command: BuyIn) -> Decided:
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
    return Decision([BoughtIn(command.player, command.cents)], [(player_stream(command.player), bought)])


def cash_out(books: StateReader, book: HouseTable, command: CashOut) -> Decided:
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
    return Decision([CashedOut(command.player, command.cents)], [(player_stream(command.player), returned)])


def chips_refusal(book: HouseTable, player: str, cents: int) -> Refusal | None:
    """Refuse to use more chips than a player holds at the table (P27)."""
    held = book.chips(player)
    if cents <= held:
        return None
    figures = {"player": player, "held": dollars(held), "needed": dollars(cents)}
    return refuse(Code.CHIPS_SHORT, ("P27",), **figures)


ROUND_ENDING = frozenset((RoundEnded, RoundVoided))
RELEASING = ROUND_ENDING | {SeatLeft, TableClosed, LeaveAsked}
"""Events after which a table may hold chips of a player who has left."""
UNREGISTERED: tuple[WagerName, ...] = ("progressive",)
"""A chip on a sensor that did not register it is withdrawn as this wager."""
CLOSING_COMMANDS = frozenset((CloseTable, LastHand))


def leave_table(books: StateReader, book: HouseTable, command: LeaveTable) -> Decided:
    """Let a player leave: at once if all wagers can be withdrawn, otherwise after the round under way."""
    refusal = _leave_refusal(book, command)
    if refusal is not None:
        return refusal
    player = command.player
    if command.cancel:
        return Decision([LeaveCancelled(player)])
    return Decision([LeaveAsked(player), *_withdrawals(books, book, player)])


def _leave_refusal(book: HouseTable, command: LeaveTable) -> Refusal | None:
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
    return refuse(Code.NOTHING_TO_LEAVE, ("P35",), player=printable(player, LONGEST_SHOWN), reason=reason)


def _withdrawals(books: StateReader, book: HouseTable, player: str) -> list[object]:
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
        book = _table_after(book, decided, books.game)
    return events


def with_departures(games: Games, book: HouseTable, decided: Decided) -> Decided:
    """Add the departures to a decision: players who leave get up and are cashed out."""
    if isinstance(decided, Refusal) or RELEASING.isdisjoint(map(type, decided.events)):
        return decided
    if ROUND_ENDING.issuperset(RELEASING.intersection(map(type, decided.events))) and not book.leaving:
        return decided
    after = _table_after(book, decided.events, games)
    left = [*_seats_left(after)]
    after = _table_after(after, left, games)
    gone = [player for player in _departed(book, after, decided.events) if after.chips(player) > 0]
    cashed = [CashedOut(player, after.chips(player)) for player in gone]
    returned = [(player_stream(each.player), ChipsReturned(book.table, each.cents)) for each in cashed]
    return replace(decided, events=[*decided.events, *left, *cashed], others=[*decided.others, *returned])


def _seats_left(book: HouseTable) -> Iterable[SeatLeft]:
    """Yield the seats of leaving players who have no wagers any more."""
    for position, player in book.state.seats.items():
        if player in book.leaving and not book.has_wagers(player):
            yield SeatLeft(position, player)


def _departed(book: HouseTable, after: HouseTable, events: Sequence[object]) -> list[str]:
    """Return the players with chips who have left; when the table closes, everybody has."""
    if any(isinstance(each, TableClosed) for each in events):
        return [*after.chip_holders]
    asked = {each.player for each in events if isinstance(each, LeaveAsked)}
    here = {*after.state.seats.values()}
    left = ({*book.state.seats.values()} | asked) - here
    return [player for player in after.chip_holders if player in left and not after.has_wagers(player)]


def _table_after(book: HouseTable, events: Iterable[object], games: Games) -> HouseTable:
    for event in events:
        book, _ = evolve(book, event, games)
    return book


def accounts_touched(book: HouseTable, command: Any) -> frozenset[str]:
    """Return the players whose accounts a table command may return chips to."""
    state = book.state
    if type(command) in CLOSING_COMMANDS or (state.last_hand and state.round is not None):
        return frozenset((*book.chip_holders, *state.seats.values()))
    seated = state.seats.get(command.position) if isinstance(command, LeaveSeat) else None
    return book.leaving if seated is None else book.leaving | {seated}


TableDecider = Callable[[StateReader, HouseTable, Any], Decided]


def decide_table(books: StateReader, name: str, command: Any) -> Decided:
    """Return what a command to a table leads to, or a refusal."""
    book = books.find_table(name)
    if isinstance(command, InstallTable):
        return install_table(books, book, command)
    if isinstance(book, UninstalledTable):
        return refuse(Code.NO_SUCH_TABLE, table=name)
    return with_departures(books.game, book, _decide_by_house_or_game(books, book, command))


def _decide_by_house_or_game(books: StateReader, book: HouseTable, command: Any) -> Decided:
    """Let the house or the game decide."""
    own = _HOUSE_DECIDERS.get(type(command))
    if own is not None:
        return own(books, book, command)
    check = _CHECKS.get(type(command))
    refusal = _key_refusal(book) or (None if check is None else check(books, book, command))
    if refusal is not None:
        return refusal
    played = _decide_by_game(books, book, command)
    if type(command) not in STAKING or isinstance(played, Refusal):
        return played
    return _wager_refusal(book, command) or played


def _decide_by_game(books: StateReader, book: HouseTable, command: Any) -> Decided:
    """Let the game decide, and add the meter's events."""
    decided = decide(book.state, command)
    if isinstance(decided, Refusal):
        return decided
    if not book.meter:
        return Decision(decided)
    refusal = _void_refusal(book, command, decided)
    if refusal is not None:
        return refusal
    return Decision(decided, meter_reactions(books.meter(book.meter), book, decided, command.at))


def _void_refusal(book: HouseTable, command: Any, decided: Sequence[object]) -> Refusal | None:
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
    return refuse(Code.SAME_PERSON, (*clauses_of(duty), "P33"), person=command.by)


def meter_reactions(
    meter: MeterState, book: HouseTable, events: Sequence[object], at: int
) -> list[tuple[str, object]]:
    """Return the meter events that follow from a table's events, in order."""
    stream, found = meter_stream(meter.name), list[tuple[str, object]]()
    for event in events:
        meant = meter_event_for(meter, book.table, book.state.number, event, at)
        if meant is not None:
            meter, _ = evolve_meter(meter, meant)
            found.append((stream, meant))
    return found


def _decide_by_console(books: StateReader, book: HouseTable, command: ConsoleCommand) -> Decided:
    """Let the console decide; awards are priced at the house's own meter."""
    if book.console is None:
        return refuse(Code.NO_CONSOLE)
    meter = books.meter(book.meter)
    meters = MeterPort(lambda under_way: price_award(meter.meter, under_way), meter.closed)
    decided = decide_console(book.console, book.state, command, meters)
    if isinstance(decided, Refusal):
        return decided
    return Decision(decided, meter_reactions(meter, book, decided, command.at))


def install_table(books: StateReader, book: AnyTable, command: InstallTable) -> Decided:
    """Install a table for a game; its first table also starts a meter."""
    if isinstance(book, HouseTable) and book.state.phase != "closed":
        return refuse(Code.TABLE_IN_USE, table=book.table)
    game = game_of_submission(command.submission)
    if isinstance(game, Refusal):
        return game
    linked = (command.meter or book.table) if game.offers("progressive") else ""
    if book.meter and book.meter != linked and books.meter(book.meter).restored:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=book.meter)
    refusal = _meter_refusal(books, game, linked, command)
    if refusal is not None:
        return refusal
    installed = TableInstalled(book.table, game.hash, command.cards, linked)
    others = _link_events(books, book, game, linked)
    kept = {game.hash: encode_game(game)}
    if command.cards == "keyed" or book.shuffle:
        return Decision([installed], others, games=kept)
    commitment, secret = commit_event(books, book)
    return Decision([installed, commitment], others, [secret], kept)


def _link_events(books: StateReader, book: AnyTable, game: Game, linked: str) -> list[tuple[str, object]]:
    """Return the meter events of an installation: an old meter unlinks, a new meter starts and links."""
    told = list[tuple[str, object]]()
    if book.meter and book.meter != linked:
        told.append((meter_stream(book.meter), TableUnlinked(book.table)))
    if linked and not books.meter(linked).terms:
        told.append((meter_stream(linked), start_event(game)))
    if linked and linked != book.meter:
        told.append((meter_stream(linked), TableLinked(book.table)))
    return told


def _meter_refusal(books: StateReader, game: Game, linked: str, command: InstallTable) -> Refusal | None:
    """Refuse a meter that the game does not use, or that follows other terms."""
    if not linked:
        return refuse(Code.METER_NAME_IDLE) if command.meter else None
    if not is_name(linked):
        return refuse(Code.ID_UNFIT, what="meter", name=linked)
    book = books.meter(linked)
    if book.terms and meter_terms(books.game(book.terms)) != meter_terms(game):
        return refuse(Code.METER_TERMS, ("R58",), meter=linked)
    return None


def _priced_refusal(_books: StateReader, _book: HouseTable, _command: PayAward) -> Refusal:
    return refuse(Code.PRICE_FROM_DESK)


def _seat_refusal(books: StateReader, _book: HouseTable, command: TakeSeat) -> Refusal | None:
    """Refuse a seat to a player without an account."""
    if books.player(command.player).registered:
        return None
    return refuse(Code.PLAYER_UNKNOWN, player=printable(command.player, LONGEST_SHOWN))


def _wager_refusal(book: HouseTable, command: PlaceWager | Play) -> Refusal | None:
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


def _open_refusal(books: StateReader, book: HouseTable, command: OpenTable) -> Refusal | None:
    """Refuse to open before a restored meter is confirmed (P38) and the tray is counted (P26)."""
    if book.meter and books.meter(book.meter).restored:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=book.meter)
    if not book.counted:
        return refuse(Code.TRAY_UNCOUNTED, ("P26",))
    return preshuffled_refusal(book, command)


def _sensor_refusal(books: StateReader, book: HouseTable, command: PlaceWager) -> Refusal | None:
    """Refuse a progressive chip on another position's sensor, or while the link is down."""
    if book.console is None:
        return None
    return sensor_refusal(book.console, book.state, command, books.meter(book.meter).closed)


def _document_refusal(_books: StateReader, book: HouseTable, command: CompleteDocument) -> Refusal | None:
    """Refuse to let the person who marked a win complete its document (P29)."""
    staff = None if book.console is None else book.console.staff.get(command.position)
    if staff is None or not command.by or command.by != staff.marked_by:
        return None
    return refuse(Code.SAME_PERSON, ("P29",), person=command.by)


def _key_refusal(book: HouseTable) -> Refusal | None:
    """Refuse table commands while the supervisor's key is at JPH."""
    if book.console is None or book.console.key != "jph":
        return None
    rule = console_rules(book.console, book.state.game).run_restores
    return refuse(Code.KEY_AT_JPH, clauses_of(rule)) if is_set(rule) else None


def _deck_refusal(_books: StateReader, book: HouseTable, command: BringDeck) -> Refusal | None:
    return preshuffled_refusal(book, command)


def _begin_refusal(_books: StateReader, book: HouseTable, _command: BeginRound) -> Refusal | None:
    """Refuse a round while the tray owes chips (P26), or before the last game is ended."""
    if book.console is not None and is_game_under_way(book.console, book.state):
        ends = console_rules(book.console, book.state.game).ends
        return refuse(Code.GAME_NOT_OVER, clauses_of(ends), button=ends.value.replace("_", " ").upper())
    held = book.cents(book.names.tray)
    if held >= 0:
        return None
    return refuse(Code.TRAY_SHORT, ("P26",), held=dollars(held), needed=dollars(0))


_HOUSE_DECIDERS: dict[type, TableDecider] = {
    CountTray: count_tray,
    FillTray: fill_tray,
    CreditTray: credit_tray,
    CollectDrop: collect_drop,
    BuyIn: buy_in,
    CashOut: cash_out,
    LeaveTable: leave_table,
    ChooseSeed: choose_seed,
    Prepare: prepare_deck,
    **dict.fromkeys(get_args(ConsoleCommand), _decide_by_console),
}
_CHECKS: dict[type, Callable[[StateReader, HouseTable, Any], Refusal | None]] = {
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

"""Decide table commands: the game decides; the house checks money, meter and shuffles.

A player who gives up the last seat at a table is cashed out in the same commit. Everybody is cashed out when
the table closes. A player with wagers in the round under way leaves when the round is over (P35).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.account_state import text_refusal
from fourcard.house.auth.identity import CONSOLE, MAX_SHOWN_LENGTH, printable
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChooseSeed,
    CollectDrop,
    CommitSeed,
    CountTray,
    CreditTray,
    FillTray,
    InstallTable,
    LeaveTable,
    RevealSeed,
    is_name,
)
from fourcard.house.decide_meter import meter_event_for, meter_terms, start_event
from fourcard.house.decide_shuffle import (
    choose_seed,
    commit_event,
    commit_seed,
    decide_play,
    prepare_deck,
    preshuffled_refusal,
    reveal_seed,
)
from fourcard.house.decision import (
    Decision,
    DecisionOrRefusal,
    StateReader,
    meter_stream,
    player_stream,
)
from fourcard.house.events import (
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    DropCollected,
    InstallationConfirmed,
    LeaveAsked,
    LeaveCancelled,
    TableInstalled,
    TableLinked,
    TableUnlinked,
    TrayCounted,
    TrayCredited,
    TrayFilled,
)
from fourcard.house.meter_state import MeterState
from fourcard.house.meter_state import evolve as evolve_meter
from fourcard.house.table_state import AnyTable, GameLookup, HouseTable, UninstalledTable, evolve
from fourcard.money import dollars
from fourcard.progressive.console import ConsoleCommand, console_rules, is_game_under_way
from fourcard.progressive.decide import decide as decide_console
from fourcard.progressive.decide import progressive_wager_refusal as sensor_refusal
from fourcard.progressive.win_confirmation import MeterPort
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import (
    CompleteDocument,
    LeaveSeat,
    PayAward,
    PlaceWager,
    PlaceWagers,
    Play,
    TakeSeat,
    WithdrawWager,
)
from fourcard.round.decide_settlement import price_award
from fourcard.round.decide_wagers import single_wagers
from fourcard.round.events import RoundVoided, SeatLeft
from fourcard.round.preconditions import duty_refusal
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.game import Game, encode_game
from fourcard.rules.line_options import MAX_CENTS
from fourcard.rules.plain_data import rulebook_hash
from fourcard.rules.rulebook import Rulebook
from fourcard.table.commands import BeginRound, BringDeck, CloseTable, LastHand, OpenTable, Prepare
from fourcard.table.decide import decide as decide_game
from fourcard.table.events import TableClosed
from fourcard.wagers import WagerName

MAX_SLIP_LENGTH = 40


def amount_refusal(cents: int, most: int = MAX_CENTS) -> Refusal | None:
    """Refuse an amount that cannot be moved."""
    if 0 < cents <= most:
        return None
    return refuse(Code.AMOUNT_UNFIT, amount=dollars(cents), most=dollars(most))


def _count_refusal(cents: int, expected: int) -> Refusal | None:
    """Refuse an impossible count: negative, or far more than the books say."""
    if 0 <= cents <= expected + MAX_CENTS:
        return None
    most = dollars(max(0, expected + MAX_CENTS))
    return refuse(Code.COUNT_UNFIT, ("P26",), amount=dollars(cents), most=most)


def count_tray(_states: StateReader, table: HouseTable, command: CountTray) -> DecisionOrRefusal:
    """Count the tray of a closed table; the difference from the books is posted as a variance (P26)."""
    if table.state.phase != "closed":
        return refuse(Code.TRAY_IN_USE, ("P26",))
    expected = table.cents(table.accounts.tray)
    counted = TrayCounted(command.occasion, command.cents, expected)
    return _count_refusal(command.cents, expected) or Decision([counted])


def fill_tray(_states: StateReader, table: HouseTable, command: FillTray) -> DecisionOrRefusal:
    """Bring chips from the cage at any time, up to the most that a tray can hold."""
    room = MAX_CENTS - table.cents(table.accounts.tray)
    refusal = amount_refusal(command.cents, room) or _slip_refusal(command)
    return refusal or Decision([TrayFilled(command.cents, command.slip.strip())])


def credit_tray(_states: StateReader, table: HouseTable, command: CreditTray) -> DecisionOrRefusal:
    """Take chips to the cage, up to what the tray holds."""
    refusal = amount_refusal(command.cents) or _slip_refusal(command) or _tray_refusal(table, command.cents)
    return refusal or Decision([TrayCredited(command.cents, command.slip.strip())])


def _slip_refusal(command: FillTray | CreditTray) -> Refusal | None:
    if not command.slip.strip():
        return refuse(Code.SLIP_MISSING, ("P26",))
    return text_refusal("The number of a slip", command.slip, MAX_SLIP_LENGTH)


def _tray_refusal(table: HouseTable, cents: int) -> Refusal | None:
    held = table.cents(table.accounts.tray)
    if cents <= held:
        return None
    return refuse(Code.TRAY_SHORT, ("P26",), held=dollars(held), needed=dollars(cents))


def collect_drop(_states: StateReader, table: HouseTable, command: CollectDrop) -> DecisionOrRefusal:
    """Collect the drop; the difference from the books is posted as a variance (P26)."""
    expected = table.cents(table.accounts.drop)
    collected = DropCollected(command.cents, expected)
    return _count_refusal(command.cents, expected) or Decision([collected])


def _player_refusal(states: StateReader, name: str) -> Refusal | None:
    known = states.player(name).registered
    return None if known else refuse(Code.PLAYER_UNKNOWN, player=printable(name, MAX_SHOWN_LENGTH))


def _money_refusal(states: StateReader, command: BuyIn) -> Refusal | None:
    """Refuse more than the account holds, without saying how much that is: a dealer cannot read it (P25)."""
    if command.cents <= states.player(command.player).cents:
        return None
    return refuse(Code.MONEY_SHORT, ("P27",), player=command.player, needed=dollars(command.cents))


def buy_in(states: StateReader, table: HouseTable, command: BuyIn) -> DecisionOrRefusal:
    """Turn money from an account into chips from the tray (P27)."""
    refusal = (
        _player_refusal(states, command.player)
        or amount_refusal(command.cents)
        or _money_refusal(states, command)
        or _tray_refusal(table, command.cents)
    )
    if refusal is not None:
        return refusal
    bought = ChipsBought(table.name, command.cents)
    return Decision([BoughtIn(command.player, command.cents)], [(player_stream(command.player), bought)])


def cash_out(states: StateReader, table: HouseTable, command: CashOut) -> DecisionOrRefusal:
    """Turn chips back into money, once no round under way can still take them (P27)."""
    refusal = (
        _player_refusal(states, command.player)
        or amount_refusal(command.cents)
        or chips_refusal(table, command.player, command.cents)
    )
    if refusal is not None:
        return refusal
    if table.has_wagers(command.player):
        return refuse(Code.CASH_OUT_LATER, ("P27",), player=command.player)
    returned = ChipsReturned(table.name, command.cents)
    return Decision([CashedOut(command.player, command.cents)], [(player_stream(command.player), returned)])


def chips_refusal(table: HouseTable, player: str, cents: int) -> Refusal | None:
    """Refuse to use more chips than a player holds at the table (P27)."""
    held = table.chips(player)
    if cents <= held:
        return None
    figures = {"player": player, "held": dollars(held), "needed": dollars(cents)}
    return refuse(Code.CHIPS_SHORT, ("P27",), **figures)


DEPARTURES = frozenset((SeatLeft, TableClosed, LeaveAsked))
"""Events after which a table may hold chips of a player who has left."""
UNREGISTERED_WAGERS: tuple[WagerName, ...] = ("progressive",)
"""A chip on a sensor that did not register it is withdrawn as this wager."""
CLOSING_COMMANDS = frozenset((CloseTable, LastHand))


def leave_table(states: StateReader, table: HouseTable, command: LeaveTable) -> DecisionOrRefusal:
    """Let a player leave: at once if all wagers can be withdrawn, otherwise after the round under way."""
    refusal = _leave_refusal(table, command)
    if refusal is not None:
        return refusal
    player = command.player
    if command.cancel:
        return Decision([LeaveCancelled(player)])
    return Decision([LeaveAsked(player), *_withdrawals(states, table, player)])


def _leave_refusal(table: HouseTable, command: LeaveTable) -> Refusal | None:
    """Refuse a departure without seat or chips, a second one, and a cancellation without a departure."""
    player = command.player
    reason = ""
    if command.cancel:
        reason = "" if player in table.leaving else "has not asked to leave this table"
    elif player in table.leaving:
        reason = "already leaves the table after this round"
    elif player not in table.state.seats.values() and not table.chips(player):
        reason = "has neither a seat nor chips at this table"
    if not reason:
        return None
    return refuse(Code.NOTHING_TO_LEAVE, ("P35",), player=printable(player, MAX_SHOWN_LENGTH), reason=reason)


def _withdrawals(states: StateReader, table: HouseTable, player: str) -> list[object]:
    """Return the events that withdraw all wagers of a player, or nothing if one of them must stay."""
    current_round = table.state.round
    places = () if current_round is None else current_round.positions.values()
    withdrawals = [
        WithdrawWager(position=place.position, wager=wager, by=player, role="player")
        for place in places
        if place.player == player
        for wager in (*place.wagers, *(UNREGISTERED_WAGERS if place.unregistered else ()))
    ]
    events = list[object]()
    while withdrawals:
        tried = ((each, decide_game(table.state, each)) for each in withdrawals)
        possible = next(((each, done) for each, done in tried if not isinstance(done, Refusal)), None)
        if possible is None:
            return []
        command, decided = possible
        withdrawals.remove(command)
        events += decided
        table = _table_after(table, decided, states.game)
    return events


def with_departures(games: GameLookup, table: HouseTable, decided: DecisionOrRefusal) -> DecisionOrRefusal:
    """Add the departures to a decision: players who leave get up and are cashed out."""
    if isinstance(decided, Refusal):
        return decided
    if DEPARTURES.isdisjoint(map(type, decided.events)) and not table.leaving:
        return decided
    after = _table_after(table, decided.events, games)
    left = [*_seats_left(after)]
    after = _table_after(after, left, games)
    cashed = [CashedOut(player, after.chips(player)) for player in _departed(table, after, decided.events)]
    returned = [(player_stream(each.player), ChipsReturned(table.name, each.cents)) for each in cashed]
    return replace(
        decided, events=[*decided.events, *left, *cashed], other_events=[*decided.other_events, *returned]
    )


def _seats_left(table: HouseTable) -> Iterable[SeatLeft]:
    """Yield the seats of leaving players who have no wagers any more."""
    for position, player in table.state.seats.items():
        if player in table.leaving and not table.has_wagers(player):
            yield SeatLeft(position, player)


def _departed(table: HouseTable, after: HouseTable, events: Sequence[object]) -> list[str]:
    """Return the players with chips who have left; when the table closes, everybody has."""
    if any(isinstance(each, TableClosed) for each in events):
        return [*after.chip_holders]
    asked = {each.player for each in events if isinstance(each, LeaveAsked)}
    here = {*after.state.seats.values()}
    left = ({*table.state.seats.values()} | asked) - here
    return [player for player in after.chip_holders if player in left]


def _table_after(table: HouseTable, events: Iterable[object], games: GameLookup) -> HouseTable:
    for event in events:
        table, _ = evolve(table, event, games)
    return table


def accounts_touched(table: HouseTable, command: Any) -> frozenset[str]:
    """Return the players whose accounts a table command may return chips to."""
    state = table.state
    if type(command) in CLOSING_COMMANDS or (state.last_hand and state.round is not None):
        return frozenset((*table.chip_holders, *state.seats.values()))
    seated = state.seats.get(command.position) if isinstance(command, LeaveSeat) else None
    return table.leaving if seated is None else table.leaving | {seated}


TableDecider = Callable[[StateReader, HouseTable, Any], DecisionOrRefusal]


def decide_table(states: StateReader, name: str, command: Any) -> DecisionOrRefusal:
    """Return the decision on a table command, or a refusal."""
    table = states.find_table(name)
    if isinstance(command, InstallTable):
        return install_table(states, table, command)
    if isinstance(table, UninstalledTable):
        return refuse(Code.NO_SUCH_TABLE, table=name)
    return with_departures(states.game, table, _decide_by_house_or_game(states, table, command))


def _decide_by_house_or_game(states: StateReader, table: HouseTable, command: Any) -> DecisionOrRefusal:
    """Use the house's own decider if there is one; otherwise check for the house and let the game decide."""
    own = _HOUSE_DECIDERS.get(type(command))
    if own is not None:
        return own(states, table, command)
    check = _CHECKS.get(type(command))
    refusal = _console_key_refusal(table) or (None if check is None else check(states, table, command))
    if refusal is not None:
        return refusal
    played = _decide_by_game(states, table, command)
    if type(command) not in WAGER_COMMANDS or isinstance(played, Refusal):
        return played
    return _wager_refusal(table, command) or played


def _decide_by_game(states: StateReader, table: HouseTable, command: Any) -> DecisionOrRefusal:
    """Let the game decide, and add the meter's events."""
    decided = decide_play(states, table, command)
    if isinstance(decided, Refusal):
        return decided
    refusal = _void_refusal(table, command, decided.events)
    if refusal is not None:
        return refusal
    reactions = meter_reactions(states.meter(table.meter), table, decided.events, command.at)
    return replace(decided, other_events=reactions)


def _void_refusal(table: HouseTable, command: Any, decided: Sequence[object]) -> Refusal | None:
    """Refuse to undo a win by a void, unless the person may confirm wins and did not mark it (P33)."""
    console, current_round = table.console, table.state.round
    if console is None or current_round is None or not any(isinstance(each, RoundVoided) for each in decided):
        return None
    if current_round.awaited_win is None and not console.win_staff:
        return None
    duty = current_round.rules.duty("validates_jackpot")
    refusal = duty_refusal(command, "void a round with a progressive win", duty, "supervisor")
    marked = {staff.marked_by for staff in console.win_staff.values()}
    if console.mark is not None:
        marked.add(console.mark.by)
    if refusal is not None or command.by not in marked:
        return refusal
    return refuse(Code.SAME_PERSON, (*clauses_of(duty), "P33"), person=command.by)


def meter_reactions(
    meter: MeterState, table: HouseTable, events: Sequence[object], at: int
) -> list[tuple[str, object]]:
    """Return the meter events that follow from a table's events, in order."""
    stream, reactions = meter_stream(meter.name), list[tuple[str, object]]()
    for event in events:
        reaction = meter_event_for(meter, table.name, table.state.round_number, event, at)
        if reaction is not None:
            meter, _ = evolve_meter(meter, reaction)
            reactions.append((stream, reaction))
    return reactions


def _decide_by_console(states: StateReader, table: HouseTable, command: ConsoleCommand) -> DecisionOrRefusal:
    """Let the console decide; awards are priced at the house's own meter."""
    if table.console is None:
        return refuse(Code.NO_CONSOLE)
    meter = states.meter(table.meter)
    meters = MeterPort(lambda current_round: price_award(meter.amounts, current_round), meter.closed_reason)
    decided = decide_console(table.console, table.state, command, meters)
    if isinstance(decided, Refusal):
        return decided
    return Decision(decided, meter_reactions(meter, table, decided, command.at))


def install_table(states: StateReader, table: AnyTable, command: InstallTable) -> DecisionOrRefusal:
    """Install a table for a game; its first table also starts a meter."""
    if isinstance(table, HouseTable) and table.state.phase != "closed":
        return refuse(Code.TABLE_IN_USE, table=table.name)
    game = states.resolve_submission(command.submission)
    if isinstance(game, Refusal):
        return game
    linked = (command.meter or table.name) if game.offers("progressive") else ""
    refusal = _rulebook_refusal(game.rulebook, command) or _meter_refusal(
        states, table, game, linked, command
    )
    if refusal is not None:
        return refusal
    waits = "" if game.rulebook.released else command.by
    installed = TableInstalled(table.name, game.hash, command.cards, linked, waits)
    return _confirm_installation(table, installed) or _install(states, table, game, installed)


def _install(states: StateReader, table: AnyTable, game: Game, installed: TableInstalled) -> Decision:
    """Return an installation with its meter events, and the first commitment where the house shuffles."""
    other_events = _link_events(states, table, game, installed.meter)
    games = {game.hash: encode_game(game)}
    if installed.cards == "keyed" or table.commitment:
        return Decision([installed], other_events, games=games)
    commitment, secret = commit_event(states, table)
    return Decision([installed, commitment], other_events, [secret], games)


def _confirm_installation(table: AnyTable, installed: TableInstalled) -> DecisionOrRefusal | None:
    """Let a second person confirm a rulebook that is not part of the release by installing it too (P39)."""
    if not isinstance(table, HouseTable) or not table.unconfirmed_by:
        return None
    waiting = (table.game_hash, table.card_source, table.meter)
    if waiting != (installed.game, installed.cards, installed.meter):
        return None
    if table.unconfirmed_by == installed.unconfirmed_by:
        return refuse(Code.INSTALLATION_OWN, ("P39",), person=table.unconfirmed_by)
    return Decision([InstallationConfirmed(installed.game)])


def _rulebook_refusal(rulebook: Rulebook, command: InstallTable) -> Refusal | None:
    """Refuse a rulebook that is not part of the release from the console or without its full hash (P39)."""
    if rulebook.released and not command.rulebook_hash:
        return None
    if command.rulebook_hash != rulebook_hash(rulebook):
        return refuse(Code.RULEBOOK_HASH, ("P39",), rulebook=rulebook.id)
    by_console = command.by == CONSOLE and not rulebook.released
    return refuse(Code.RULEBOOK_BY_CONSOLE, ("P39",)) if by_console else None


def _link_events(states: StateReader, table: AnyTable, game: Game, linked: str) -> list[tuple[str, object]]:
    """Return the meter events of an installation: an old meter unlinks, a new meter starts and links."""
    events = list[tuple[str, object]]()
    if table.meter and table.meter != linked:
        events.append((meter_stream(table.meter), TableUnlinked(table.name)))
    if linked and not states.meter(linked).terms_game:
        events.append((meter_stream(linked), start_event(game)))
    if linked and linked != table.meter:
        events.append((meter_stream(linked), TableLinked(table.name)))
    return events


def _meter_refusal(
    states: StateReader, table: AnyTable, game: Game, linked: str, command: InstallTable
) -> Refusal | None:
    """Refuse to leave an unconfirmed meter, and a meter that the game does not use or with other terms."""
    if table.meter != linked and states.meter(table.meter).unconfirmed_restore:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=table.meter)
    if not linked:
        return refuse(Code.METER_NAME_IDLE) if command.meter else None
    if not is_name(linked):
        return refuse(Code.ID_UNFIT, what="meter", name=linked)
    meter = states.meter(linked)
    if meter.terms_game and meter_terms(states.game(meter.terms_game)) != meter_terms(game):
        return refuse(Code.METER_TERMS, ("R58",), meter=linked)
    return None


def _pay_award_refusal(_states: StateReader, _table: HouseTable, _command: PayAward) -> Refusal:
    return refuse(Code.PRICE_FROM_DESK)


def _seat_refusal(states: StateReader, _table: HouseTable, command: TakeSeat) -> Refusal | None:
    """Refuse a seat to a player without an account."""
    if states.player(command.player).registered:
        return None
    return refuse(Code.PLAYER_UNKNOWN, player=printable(command.player, MAX_SHOWN_LENGTH))


def _wager_refusal(table: HouseTable, command: PlaceWager | PlaceWagers | Play) -> Refusal | None:
    """Refuse chips that the player does not have; chips already on the spot are replaced.

    It runs after the game's checks, so that a refusal never reveals another player's chips.
    """
    current_round = table.state.round
    place = None if current_round is None else current_round.positions.get(command.position)
    if place is None:
        return None
    if isinstance(command, Play):
        return chips_refusal(table, place.player, command.amount)
    wagers = command.wagers if isinstance(command, PlaceWagers) else {command.wager: command.amount}
    on_spots = sum(place.on_layout.get(wager, 0) for wager in wagers)
    on_spots += place.unregistered if "progressive" in wagers else 0
    return chips_refusal(table, place.player, sum(wagers.values()) - on_spots)


def _open_refusal(states: StateReader, table: HouseTable, command: OpenTable) -> Refusal | None:
    """Refuse to open before rulebook (P39) and meter (P38) are confirmed and the tray is counted (P26)."""
    if table.unconfirmed_by:
        return refuse(Code.INSTALLATION_WAITS, ("P39",), person=table.unconfirmed_by)
    if states.meter(table.meter).unconfirmed_restore:
        return refuse(Code.METER_UNCONFIRMED, ("P38",), meter=table.meter)
    if not table.tray_counted:
        return refuse(Code.TRAY_UNCOUNTED, ("P26",))
    return preshuffled_refusal(table, command)


def _sensor_refusal(
    states: StateReader, table: HouseTable, command: PlaceWager | PlaceWagers
) -> Refusal | None:
    """Refuse a progressive chip on another position's sensor, or while the link is down."""
    if table.console is None:
        return None
    wagers = single_wagers(command) if isinstance(command, PlaceWagers) else [command]
    closed = states.meter(table.meter).closed_reason
    refusals = (sensor_refusal(table.console, table.state, wager, closed) for wager in wagers)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _document_refusal(_states: StateReader, table: HouseTable, command: CompleteDocument) -> Refusal | None:
    """Refuse to let the person who marked a win complete its document (P29)."""
    staff = None if table.console is None else table.console.win_staff.get(command.position)
    if staff is None or command.by != staff.marked_by:
        return None
    return refuse(Code.SAME_PERSON, ("P29",), person=command.by)


def _console_key_refusal(table: HouseTable) -> Refusal | None:
    """Refuse table commands while the supervisor's key is at JPH."""
    if table.console is None or table.console.key != "jph":
        return None
    rule = console_rules(table.console, table.state.game).run_restores
    return refuse(Code.KEY_AT_JPH, clauses_of(rule)) if is_set(rule) else None


def _deck_refusal(_states: StateReader, table: HouseTable, command: BringDeck) -> Refusal | None:
    return preshuffled_refusal(table, command)


def _begin_refusal(_states: StateReader, table: HouseTable, _command: BeginRound) -> Refusal | None:
    """Refuse a round while the tray owes chips (P26), or before the last game is ended."""
    if table.console is not None and is_game_under_way(table.console, table.state):
        ends = console_rules(table.console, table.state.game).ends
        return refuse(Code.GAME_NOT_OVER, clauses_of(ends), button=ends.value.replace("_", " ").upper())
    held = table.cents(table.accounts.tray)
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
    CommitSeed: commit_seed,
    RevealSeed: reveal_seed,
    Prepare: prepare_deck,
    **dict.fromkeys(get_args(ConsoleCommand), _decide_by_console),
}
_CHECKS: dict[type, Callable[[StateReader, HouseTable, Any], Refusal | None]] = {
    PayAward: _pay_award_refusal,
    PlaceWager: _sensor_refusal,
    PlaceWagers: _sensor_refusal,
    CompleteDocument: _document_refusal,
    TakeSeat: _seat_refusal,
    OpenTable: _open_refusal,
    BringDeck: _deck_refusal,
    BeginRound: _begin_refusal,
}
"""Checks of the house that run before the game decides."""
WAGER_COMMANDS = frozenset((PlaceWager, PlaceWagers, Play))

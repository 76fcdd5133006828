"""Table commands of the storm: what is valid next at one table, its keyed deck, and console errors."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.house.account_state import AccountState
from fourcard.house.commands import BuyIn, CountTray, Deposit, FillTray, HouseCommand, InstallTable
from fourcard.house.table_state import HouseTable
from fourcard.progressive.autopilot import next_motion
from fourcard.progressive.console import (
    Button,
    ConsoleState,
    KeyPosition,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
)
from fourcard.refusal_codes import Code
from fourcard.round.commands import (
    ActorRole,
    CallOff,
    Command,
    CompleteDocument,
    ConfirmAward,
    Deal,
    Perform,
    PlaceWager,
    PlaceWagers,
    Play,
    ReportIrregularity,
    TakeSeat,
)
from fourcard.round.state import RoundState
from fourcard.table.autopilot import aged, next_command, with_cards
from fourcard.table.commands import BeginRound, BringDeck, CloseTable, OpenTable, Prepare
from fourcard.table.state import TableState
from fourcard.table.table_driver import Table
from tests.kit.decks import strong_deck
from tests.laws.random_commands import proper, seldom
from tests.storm.observer import Observer
from tests.storm.setup import PLAYERS, random_table, same_terms, submission_for_terms

FLOAT = 20_000_00
STACK = 1_000_00
TRIES = 50
AnyCommand = Command | HouseCommand


class StormTable:
    """A table, and what is done there."""

    def __init__(self, name: str, chance: Random) -> None:
        """Take the table's name."""
        self.name, self.chance = name, chance
        self.restrained = False
        """Whether no progressive wager is placed for a while, so that a link can be closed."""
        self._tables: dict[str, Table] = {}
        self._cards = KeyedCards(chance)

    def current(self, observer: Observer) -> tuple[HouseTable, Table]:
        """Return the table as it stands, in the form that the laws' commands are made from."""
        book = observer.table(self.name)
        state = book.state
        at = self._tables.get(state.game.hash)
        if at is None:
            at = self._tables[state.game.hash] = Table(state.game, lambda: ())
        at.state = state
        if book.meter:
            at.local_meter.meter = observer.meter(book.meter).amounts
        return book, at

    def proper(self, observer: Observer, now: int) -> AnyCommand:
        """Return what somebody does here next where nothing goes wrong."""
        book, at = self.current(observer)
        state = at.state
        command = self._new_terms_command(observer, book) or self._console_command(book)
        if command is not None:
            return command
        if state.phase == "closed" and not book.tray_counted:
            return CountTray(
                occasion="opening", cents=max(0, book.cents(book.accounts.tray)), role="floorperson"
            )
        if book.cents(book.accounts.tray) < FLOAT // 10:
            return FillTray(cents=FLOAT, slip="fill", role="supervisor")
        return self._next_in_game(observer, book, at, now)

    def _next_in_game(self, observer: Observer, book: HouseTable, at: Table, now: int) -> AnyCommand:
        """Return what comes next in the game itself."""
        state, takes = at.state, self._takes_stakes(observer, book)
        command = (self._progressive_wager(at) if takes else None) or proper(at, self.chance)
        for _ in range(TRIES):
            if takes or not isinstance(command, PlaceWager) or command.wager != "progressive":
                break
            command = proper(at, self.chance)
        else:
            return CallOff(role="floorperson")
        if isinstance(command, BeginRound) and isinstance(deck := next_command(aged(state, now)), BringDeck):
            return deck
        if self._has_split_wagers(at, command):
            return CallOff(role="floorperson")
        return self._chips_first(observer, book, self.for_house(book, command))

    def _takes_stakes(self, observer: Observer, book: HouseTable) -> bool:
        """Say whether progressive wagers are taken here, and nobody waits until none lie anywhere."""
        linked = book.console is not None and book.console.linked
        return linked and not self.restrained and not observer.meter(book.meter).closed_reason

    def _console_command(self, book: HouseTable) -> AnyCommand | None:
        """Return what is due on the console, or the return of its link; a game may end a little later."""
        motion, console, state = next_motion(book.console, book.state), book.console, book.state
        if isinstance(motion, Press) and state.agenda and self.chance.random() < 0.5:
            return None
        if console is None or console.linked:
            return motion
        mended = motion is not None or self.chance.random() < 0.1
        return ReportLink(up=True, reason="mended") if mended else None

    def _new_terms_command(self, observer: Observer, book: HouseTable) -> AnyCommand | None:
        """Return what brings a table to the terms that its meter follows by now: closed, and set up again."""
        state, meter = book.state, observer.meter(book.meter)
        if state.round is not None or not book.meter or same_terms(state.game.hash, meter.terms_game):
            return None
        if state.phase != "closed":
            return CloseTable()
        text = submission_for_terms(meter.terms_game, self.chance)
        assert text is not None
        return InstallTable(submission=text, cards=book.card_source, meter=book.meter)

    def _has_split_wagers(self, at: Table, command: AnyCommand) -> bool:
        """Say whether a player's wagers lie so far apart that the round cannot go on with them."""
        refused = at.may(command) if isinstance(command, Perform | Deal) else None
        return refused is not None and refused.code is Code.POSITIONS_NOT_ADJACENT

    def _progressive_wager(self, at: Table) -> PlaceWager | None:
        """Return a progressive wager beside another one, so that there are awards to pay."""
        current_round, choice = at.state.round, at.game.submission.progressive
        if (
            current_round is None
            or current_round.phase != "betting"
            or choice is None
            or self.chance.random() < 0.4
        ):
            return None
        bare = [
            p
            for p, each in current_round.positions.items()
            if each.wagers and "progressive" not in each.wagers
        ]
        if not bare:
            return None
        amount = int(self.chance.choice(choice.stakes))
        wager = PlaceWager(position=self.chance.choice(bare), wager="progressive", amount=amount)
        return wager if at.may(wager) is None else None

    def seldom(self, observer: Observer) -> AnyCommand:
        """Return what seldom happens here."""
        book, at = self.current(observer)
        if at.state.phase == "closed":
            return random_table(self.chance)
        return self._void(book, at) or self.for_house(book, seldom(at, self.chance))

    def _void(self, book: HouseTable, at: Table) -> ReportIrregularity | None:
        """Return now and then what makes a round void whose awards wait or are paid, by whoever it is."""
        current_round, console = at.state.round, book.console
        if current_round is None or current_round.phase != "settling":
            return None
        won = console is not None and (current_round.awaited_step is not None or console.win_staff)
        if self.chance.random() > (0.3 if won else 0.03):
            return None
        marked = [] if console is None else [staff.marked_by for staff in console.win_staff.values()]
        return ReportIrregularity(
            irregularity="wrong_number_of_cards",
            position=self.chance.choice([0, *current_round.dealt_in]),
            count=3,
            role=self.chance.choice(("supervisor", "supervisor", "supervisor", "floorperson", "dealer")),
            by=self.chance.choice((*marked, "", "", "")),
        )

    def for_house(self, book: HouseTable, command: Command) -> AnyCommand:
        """Return a command of the game as the house takes it: its own prices and orders, known players."""
        if isinstance(command, TakeSeat):
            seated = book.state.seats.get(command.position)
            return replace(command, player=seated or self.chance.choice(PLAYERS))
        if isinstance(command, Prepare):
            return replace(command, order=None)
        if isinstance(command, OpenTable):
            return replace(command, role="floorperson")
        if isinstance(command, Deal) and book.card_source == "built-in":
            return replace(command, cards=())
        current_round = book.state.round
        if isinstance(command, Deal) and command.cards and current_round is not None:
            return with_cards(book.state, command, self._cards.deck(book.state, current_round))
        return command

    def _chips_first(self, observer: Observer, book: HouseTable, command: AnyCommand) -> AnyCommand:
        """Return what must come before a wager that the player has no chips for: money, then chips."""
        current_round = book.state.round
        if not isinstance(command, PlaceWager | PlaceWagers | Play) or current_round is None:
            return command
        place = current_round.positions.get(command.position)
        amount = sum(command.wagers.values()) if isinstance(command, PlaceWagers) else command.amount
        if place is None or amount <= book.chips(place.player):
            return command
        account: AccountState = observer.player(place.player)
        needed = max(STACK, amount)
        if account.cents < needed:
            return Deposit(cents=20 * needed, by=place.player, role="supervisor")
        if book.cents(book.accounts.tray) < needed:
            return FillTray(cents=FLOAT + needed, slip="fill", role="supervisor")
        return BuyIn(player=place.player, cents=needed, role="dealer")


def stream_of(table: str, command: AnyCommand) -> str:
    """Return the stream that a command made at a table is for."""
    return f"player/{command.by}" if isinstance(command, Deposit) else f"table/{table}"


def owner(book: HouseTable, command: Any) -> str:
    """Return the player whose own act a command is, or nobody."""
    if isinstance(command, TakeSeat | BuyIn):
        return command.player
    current_round = book.state.round
    place = None if current_round is None else current_round.positions.get(getattr(command, "position", 0))
    return "" if place is None else place.player


def marker(book: HouseTable, command: Any) -> str:
    """Return the person who marked or pays what a command is about, and who may not confirm it."""
    console, current_round = book.console, book.state.round
    if isinstance(command, ConfirmAward):
        return "" if current_round is None else current_round.awaited_by
    if console is None:
        return ""
    if isinstance(command, CompleteDocument):
        staff = console.win_staff.get(command.position)
        return "" if staff is None else staff.marked_by
    confirms = isinstance(command, Press | TurnKey | SwipeCard) and console.mark is not None
    return console.mark.by if confirms and console.mark is not None else ""


class KeyedCards:
    """A deck for every round, made when it is known who is dealt in."""

    def __init__(self, chance: Random) -> None:
        """Begin without a deck."""
        self.chance = chance
        self._deck: tuple[int, tuple[int, ...], list[int]] = (-1, (), [])

    def deck(self, state: TableState, current_round: RoundState) -> list[int]:
        """Return the deck of a round."""
        dealt_in = current_round.dealt_in
        if self._deck[:2] != (state.round_number, dealt_in):
            order = list(DECK)
            self.chance.shuffle(order)
            if self.chance.random() < 0.75 and dealt_in:
                order = [*strong_deck(state.game, dealt_in, self.chance, state.method)]
            self._deck = (state.round_number, dealt_in, order)
        return self._deck[2]


BUTTONS: tuple[Button, ...] = tuple(name for each in get_args(Button) for name in get_args(each) or (each,))
KEYS: tuple[KeyPosition, ...] = get_args(KeyPosition)
FLOOR: tuple[ActorRole, ...] = ("floorperson", "supervisor", "casino-supervisor", "executive")
STRANGE_HANDS = ("", "royal_sampler", "four aces")


def is_console_busy(book: HouseTable) -> bool:
    """Say whether hands are on the console just now."""
    return next_motion(book.console, book.state) is not None


def console_error(book: HouseTable, chance: Random) -> Any:
    """Return a motion that is mostly not the one due; where it names somebody, that person makes it."""
    if book.console is None:
        return chance.choice((Press(button="coin_in"), TurnKey(to="jph", role="supervisor")))
    sorts = _CONSOLE_ERRORS
    if not is_console_busy(book):
        sorts = (_report_link, *sorts, _report_link)
    elif book.state.round is None and not book.state.agenda:
        sorts = (_begin_round, _press_button)
    return chance.choice(sorts)(book, book.console, book.state, chance)


def _press_hand(_book: HouseTable, _console: ConsoleState, state: TableState, chance: Random) -> Any:
    rows = [*state.game.tables["progressive"].pays]
    return PressHand(hand=chance.choice((*rows, *rows, *STRANGE_HANDS)))


def _cancel_mark(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Press the marked hand again, which cancels it, or is too late by now."""
    if console.mark is None:
        return _press_hand(book, console, state, chance)
    return PressHand(hand=console.mark.row)


def _select_spot(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return SelectSpot(position=chance.randrange(9))


def _press_button(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return Press(button=chance.choice(BUTTONS), role=chance.choice(("dealer", *FLOOR)))


def _turn_key(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return TurnKey(to=chance.choice(KEYS), role=chance.choice(FLOOR))


def _swipe_card(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return SwipeCard(role=chance.choice(FLOOR))


def _report_link(_book: HouseTable, console: ConsoleState, _state: TableState, chance: Random) -> Any:
    up = console.linked if chance.random() < 0.2 else not console.linked
    return ReportLink(up=up, reason=chance.choice(("thunder", "thunder", "a cable", "")))


def _act_as_marker(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Let who marked a win go on to confirm it, or to document it."""
    motion = next_motion(book.console, book.state)
    if console.mark is not None and motion is not None and motion.role != "dealer":
        return replace(motion, by=console.mark.by, role=chance.choice((motion.role, *FLOOR)))
    if not console.win_staff:
        return _press_button(book, console, state, chance)
    position = chance.choice([*console.win_staff])
    who = chance.choice((console.win_staff[position].marked_by, ""))
    return CompleteDocument(position=position, role=chance.choice(FLOOR), by=who)


def _confirm_in_other_role(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Let somebody else of the floor confirm, with too low a card perhaps."""
    motion = next_motion(book.console, book.state)
    if motion is None or motion.role == "dealer":
        return _turn_key(book, console, state, chance)
    return replace(motion, role=chance.choice(FLOOR))


def _begin_round(_book: HouseTable, _console: ConsoleState, _state: TableState, _chance: Random) -> Any:
    return BeginRound()


_CONSOLE_ERRORS: tuple[Callable[[HouseTable, ConsoleState, TableState, Random], Any], ...] = (
    _press_hand, _cancel_mark, _cancel_mark, _select_spot, _press_button, _press_button, _turn_key, _turn_key,
    _swipe_card, _report_link, _act_as_marker, _act_as_marker,
    _act_as_marker, _act_as_marker, _confirm_in_other_role, _confirm_in_other_role, _begin_round,
)  # fmt: skip

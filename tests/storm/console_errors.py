"""What goes astray on a console: wrong buttons and hands, keys at the wrong time, and one person twice."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.bot_driver import next_console_motion
from fourcard.house.table_state import HouseTable
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
from fourcard.round.commands import ActorRole, CompleteDocument
from fourcard.table.commands import BeginRound
from fourcard.table.state import TableState

BUTTONS: tuple[Button, ...] = tuple(name for each in get_args(Button) for name in get_args(each) or (each,))
KEYS: tuple[KeyPosition, ...] = get_args(KeyPosition)
FLOOR: tuple[ActorRole, ...] = ("floorperson", "supervisor", "casino-supervisor", "executive")
STRANGE_HANDS = ("", "royal_sampler", "four aces")


def busy(book: HouseTable) -> bool:
    """Say whether hands are on the console just now."""
    return next_console_motion(book) is not None


def astray(book: HouseTable, chance: Random) -> Any:
    """Return a motion that is mostly not the one due; where it names somebody, that person makes it."""
    if book.console is None:
        return chance.choice((Press(button="coin_in"), TurnKey(to="jph", role="supervisor")))
    early = busy(book) and book.state.round is None and not book.state.agenda
    sorts = (_begin, _press) if early else _SORTS if busy(book) else (_link, *_SORTS, _link)
    return chance.choice(sorts)(book, book.console, book.state, chance)


def _hand(_book: HouseTable, _console: ConsoleState, state: TableState, chance: Random) -> Any:
    rows = [*state.game.tables["progressive"].pays]
    return PressHand(hand=chance.choice((*rows, *rows, *STRANGE_HANDS)))


def _toggle(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Press the marked hand again, which cancels it, or is too late by now."""
    if console.mark is None:
        return _hand(book, console, state, chance)
    return PressHand(hand=console.mark.row)


def _spot(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return SelectSpot(position=chance.randrange(9))


def _press(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return Press(button=chance.choice(BUTTONS), role=chance.choice(("dealer", *FLOOR)))


def _turn(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return TurnKey(to=chance.choice(KEYS), role=chance.choice(FLOOR))


def _swipe(_book: HouseTable, _console: ConsoleState, _state: TableState, chance: Random) -> Any:
    return SwipeCard(role=chance.choice(FLOOR))


def _link(_book: HouseTable, console: ConsoleState, _state: TableState, chance: Random) -> Any:
    up = console.linked if chance.random() < 0.2 else not console.linked
    return ReportLink(up=up, reason=chance.choice(("thunder", "thunder", "a cable", "")))


def _same_person(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Let who marked a win go on to confirm it, or to document it."""
    motion = next_console_motion(book)
    if console.mark is not None and motion is not None and motion.role != "dealer":
        return replace(motion, by=console.mark.by, role=chance.choice((motion.role, *FLOOR)))
    if not console.staff:
        return _press(book, console, state, chance)
    position = chance.choice([*console.staff])
    who = chance.choice((console.staff[position].marked_by, ""))
    return CompleteDocument(position=position, role=chance.choice(FLOOR), by=who)


def _other_rank(book: HouseTable, console: ConsoleState, state: TableState, chance: Random) -> Any:
    """Let somebody else of the floor confirm, with too low a card perhaps."""
    motion = next_console_motion(book)
    if motion is None or motion.role == "dealer":
        return _turn(book, console, state, chance)
    return replace(motion, role=chance.choice(FLOOR))


def _begin(_book: HouseTable, _console: ConsoleState, _state: TableState, _chance: Random) -> Any:
    return BeginRound()


_SORTS: tuple[Callable[[HouseTable, ConsoleState, TableState, Random], Any], ...] = (
    _hand, _toggle, _toggle, _spot, _press, _press, _turn, _turn, _swipe, _link, _same_person, _same_person,
    _same_person, _same_person, _other_rank, _other_rank, _begin,
)  # fmt: skip

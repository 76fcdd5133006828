"""Deciding what a command to any stream of the house leads to."""

from typing import Any, get_args

from fourcard.house import player_book, staff
from fourcard.house.at_table import at_table
from fourcard.house.commands import PlayerCommand, StaffCommand, TableDeskCommand
from fourcard.house.outcome import STAFF, Books, Decided, Outcome, player_stream
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import named
from fourcard.table.commands import TableCommand

AT_TABLE = frozenset((*get_args(TableCommand), *get_args(TableDeskCommand)))
OF_PLAYER = frozenset(get_args(PlayerCommand))
OF_STAFF = frozenset(get_args(StaffCommand))


def decide(books: Books, stream: str, command: Any) -> Decided:
    """Return the events that a command leads to, or the refusal that says why it may not be."""
    family, _, name = stream.partition("/")
    kind = type(command)
    if family == "table" and kind in AT_TABLE:
        return at_table(books, name, command)
    if family == "player" and kind in OF_PLAYER:
        return _of(player_stream(name), player_book.decide(books.player(name), command))
    if stream == STAFF and kind in OF_STAFF:
        return _of(STAFF, staff.decide(books.staff(), command))
    return refuse(Code.COMMAND_FOREIGN, what=named(command), stream=stream)


def _of(stream: str, decided: Refusal | list[Any]) -> Decided:
    return decided if isinstance(decided, Refusal) else Outcome([(stream, event) for event in decided])

"""Command routing: the permission gate, and the decider for each kind of stream."""

from functools import lru_cache
from typing import Any, get_args

from fourcard.house import player_book, staff
from fourcard.house.actors import HOUSE_DEALER, LONGEST, Actor, is_bot, legible
from fourcard.house.at_meter import at_meter
from fourcard.house.at_table import at_table
from fourcard.house.commands import (
    NotePassword,
    PlayerCommand,
    RegisterPlayer,
    StaffCommand,
    TableDeskCommand,
    is_name,
)
from fourcard.house.meter_commands import MeterCommand
from fourcard.house.outcome import STAFF, Books, Decided, Outcome, player_stream
from fourcard.house.permissions import permission_refusal
from fourcard.progressive.commands import ConsoleCommand
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import named
from fourcard.table.commands import TableCommand

LONGEST_STREAM = 60
"""Longest stream name that is looked at; no valid name is as long."""
TAKEN = {
    "table": frozenset((*get_args(TableCommand), *get_args(TableDeskCommand), *get_args(ConsoleCommand))),
    "meter": frozenset(get_args(MeterCommand)),
    "player": frozenset(get_args(PlayerCommand)),
    STAFF: frozenset(get_args(StaffCommand)),
}
"""By stream family, the commands that it takes."""


@lru_cache(maxsize=65_536)
def _family(stream: str) -> tuple[str, str, bool]:
    """Return the family and the name of a stream, and whether the name is valid."""
    family, _, name = stream.partition("/")
    return family, name, stream == STAFF if family == STAFF else is_name(name)


def foreign_refusal(stream: str, command: Any) -> Refusal | None:
    """Refuse a command that its stream does not take, and an invalid stream name."""
    family, name, fits = _family(stream[:LONGEST_STREAM])
    taken = type(command) in TAKEN.get(family, ())
    if taken and fits:
        return None
    if taken and family != STAFF:
        return refuse(Code.ID_UNFIT, what=family, name=legible(name, LONGEST))
    return refuse(Code.COMMAND_FOREIGN, what=named(command), stream=legible(stream, LONGEST))


def gate_refusal(actor: Actor, stream: str, command: Any) -> Refusal | None:
    """Return why a person cannot give a command to a stream, or None."""
    refusal = permission_refusal(actor, command) or _password_refusal(actor, stream, command)
    return refusal or _bot_refusal(actor, stream, command)


def _password_refusal(actor: Actor, stream: str, command: Any) -> Refusal | None:
    """Refuse to note another person's password, unless an administrator does (P25)."""
    if type(command) is not NotePassword or "administrator" in actor.roles:
        return None
    own = STAFF if actor.kind == "staff" else player_stream(actor.person)
    if stream == own:
        return None
    figures = {"what": "note password", "whose": stream, "person": actor.person}
    return refuse(Code.NOT_YOUR_ACCOUNT, ("P25",), **figures)


def _bot_refusal(actor: Actor, stream: str, command: Any) -> Refusal | None:
    """Refuse to open an account under a bot's name, unless the automatic dealer does."""
    if type(command) is not RegisterPlayer or actor.person == HOUSE_DEALER:
        return None
    _, player, _ = _family(stream)
    return refuse(Code.BOT_NAME, ("P25",), player=player) if is_bot(player) else None


def decide(books: Books, stream: str, command: Any) -> Decided:
    """Return what a command leads to, or a refusal."""
    family, name, _ = _family(stream)
    if family == "table":
        return at_table(books, name, command)
    if family == "meter":
        return at_meter(books, name, command)
    if family == "player":
        return _of(player_book.decide(books.player(name), command))
    return _of(staff.decide(books.staff(), command))


def _of(decided: Refusal | list[Any]) -> Decided:
    return decided if isinstance(decided, Refusal) else Outcome(decided)

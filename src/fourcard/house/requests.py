"""What is asked of the house and what it replies: a request, its streams and its digest; an answer."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house.actors import Actor, acting
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChooseSeed,
    HireStaff,
    InstallTable,
    LeaveTable,
    PlayerCommand,
    RegisterPlayer,
    StaffCommand,
    TableDeskCommand,
)
from fourcard.house.fairness import is_name
from fourcard.house.meter_commands import CloseLink, MeterCommand, OpenLink
from fourcard.house.outcome import meter_stream, player_stream
from fourcard.house.store.contract import StoreError
from fourcard.progressive.commands import ConsoleCommand
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import TakeSeat
from fourcard.table.commands import TableCommand

LONGEST_COMMAND = 100_000
"""Bytes of a command in JSON; a submission is some thousands."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A command, the stream that it is for, and who gives it."""

    stream: str
    command: TableCommand | ConsoleCommand | TableDeskCommand | MeterCommand | PlayerCommand | StaffCommand
    actor: Actor
    upon: int | None = None
    """The sequence of the stream upon which the command was decided: it is done there or not at all."""
    password: str = ""
    """The hash of a password to be kept in the same commit as the note that it was set; no event holds it."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What came of a command that was accepted: its events in its own stream.

    They hold everything, face-down cards too: what a person may see of it is for a view to say.
    """

    stream: str
    first: int
    """The sequence of the first event."""
    events: tuple[Any, ...]
    repeated: bool = False
    """Whether the command had been done before, under the same key, and nothing was done now."""


Reply = Answer | Refusal | StoreError


class FaultError(StoreError):
    """A command met a fault of the program; nothing of it was kept, and other commands go on."""


def fault(error: BaseException) -> FaultError:
    """Return what is told of an error that should not have been."""
    return FaultError(f"The command met a fault of the program: {error!r:.200}.")


def stamped(request: Request) -> Request:
    """Return a request whose command says who really gives it."""
    command = acting(request.actor, request.command)
    return request if command is request.command else replace(request, command=command)


NAMING_PLAYERS = frozenset((TakeSeat, BuyIn, CashOut, LeaveTable, ChooseSeed))


BEGINNING = frozenset((InstallTable, RegisterPlayer, HireStaff))
"""Commands that may be the first of a stream; another to a stream that is not there leaves no trace of it."""
OF_WHOLE_LINK = frozenset((CloseLink, OpenLink))
"""Commands to a meter that look at every table linked to it."""


def streams_of(request: Request) -> tuple[str, ...]:
    """Return the streams that a command names; what cannot be a name names none."""
    command: Any = request.command
    if type(command) in NAMING_PLAYERS and is_name(command.player):
        return request.stream, player_stream(command.player)
    if isinstance(command, InstallTable) and (not command.meter or is_name(command.meter)):
        return request.stream, meter_stream(command.meter or request.stream.partition("/")[2])
    return (request.stream,)


_encoder = msgspec.json.Encoder()


def digest_of(request: Request) -> str | Refusal:
    """Return the hash of what was asked and by whom, or refuse what a journal cannot hold.

    The moment is the desk's and does not count.
    """
    command = request.command if not request.command.at else replace(request.command, at=0)
    try:
        body = _encoder.encode(command)
    except (UnicodeError, ValueError, OverflowError):
        return refuse(Code.COMMAND_UNWRITABLE, reason="it holds characters or numbers that no journal keeps")
    if len(body) > LONGEST_COMMAND:
        return refuse(Code.COMMAND_UNWRITABLE, reason=f"it is longer than {LONGEST_COMMAND} bytes")
    return sha256(body).hexdigest()

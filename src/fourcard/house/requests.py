"""Requests: a command with its stream and author, its digest, and its result."""

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
    is_name,
)
from fourcard.house.meter_commands import CloseLink, MeterCommand, OpenLink
from fourcard.house.outcome import meter_stream, player_stream
from fourcard.house.store.contract import StoreError
from fourcard.progressive.commands import ConsoleCommand
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import TakeSeat
from fourcard.table.commands import TableCommand

LONGEST_COMMAND = 100_000
"""Longest command in JSON, in bytes; a submission is a few thousand."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A command, its stream, and its author."""

    stream: str
    command: TableCommand | ConsoleCommand | TableDeskCommand | MeterCommand | PlayerCommand | StaffCommand
    actor: Actor
    upon: int | None = None
    """The stream sequence that the command was decided on; it is refused on any other."""
    password: str = ""
    """The hash of a new password, stored in the same commit as the note about it; no event contains it."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The result of an accepted command: its events in its own stream.

    The events contain everything, also face-down cards; a view decides what a person can see.
    """

    stream: str
    first: int
    """The sequence of the first event."""
    events: tuple[Any, ...]
    repeated: bool = False
    """Whether the command was done before under the same key, so nothing was done now."""


Reply = Answer | Refusal | StoreError


class FaultError(StoreError):
    """A command hit an internal error; nothing of it was stored, and other commands continue."""


def fault(error: BaseException) -> FaultError:
    """Return the reply for an unexpected error."""
    return FaultError(f"The command failed with an internal error: {error!r:.200}.")


def stamped(request: Request) -> Request:
    """Return a request with its real author in the command."""
    command = acting(request.actor, request.command)
    return request if command is request.command else replace(request, command=command)


NAMING_PLAYERS = frozenset((TakeSeat, BuyIn, CashOut, LeaveTable, ChooseSeed))


BEGINNING = frozenset((InstallTable, RegisterPlayer, HireStaff))
"""Commands that can start a stream; other commands to a missing stream leave no trace."""
OF_WHOLE_LINK = frozenset((CloseLink, OpenLink))
"""Meter commands that look at every linked table."""


def streams_of(request: Request) -> tuple[str, ...]:
    """Return the streams that a command names; invalid names are ignored."""
    command: Any = request.command
    if type(command) in NAMING_PLAYERS and is_name(command.player):
        return request.stream, player_stream(command.player)
    if isinstance(command, InstallTable) and (not command.meter or is_name(command.meter)):
        return request.stream, meter_stream(command.meter or request.stream.partition("/")[2])
    return (request.stream,)


_encoder = msgspec.json.Encoder()


def digest_of(request: Request) -> str | Refusal:
    """Return the hash of a command and its author, or refuse what a journal cannot hold.

    The time does not count, because the command service sets it.
    """
    command = request.command if not request.command.at else replace(request.command, at=0)
    try:
        body = _encoder.encode(command)
    except (UnicodeError, ValueError, OverflowError):
        return refuse(
            Code.COMMAND_UNWRITABLE, reason="it contains characters or numbers that the journal cannot store"
        )
    if len(body) > LONGEST_COMMAND:
        return refuse(Code.COMMAND_UNWRITABLE, reason=f"it is longer than {LONGEST_COMMAND} bytes")
    return sha256(body).hexdigest()

"""Command routing: requests and results, the permission gate, and the decider of each stream."""

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, Protocol, get_args

import msgspec
from msgspec.structs import replace

from fourcard.house import account_state
from fourcard.house.auth import staff
from fourcard.house.auth.identity import (
    HOUSE_DEALER,
    MAX_SHOWN_LENGTH,
    Actor,
    AnyCommand,
    is_bot,
    printable,
    with_author,
)
from fourcard.house.auth.permissions import permission_refusal
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChooseSeed,
    CloseLink,
    HireStaff,
    HouseTableCommand,
    InstallTable,
    LeaveTable,
    MeterCommand,
    NotePassword,
    OpenLink,
    PlayerCommand,
    RegisterPlayer,
    StaffCommand,
    is_name,
)
from fourcard.house.decide_meter import decide_meter
from fourcard.house.decide_table import decide_table
from fourcard.house.decision import (
    STAFF,
    Decision,
    DecisionOrRefusal,
    StateReader,
    meter_stream,
    player_stream,
)
from fourcard.house.journal import COMMANDS, JournalRecord, decode_command
from fourcard.house.store.interface import StoreError
from fourcard.house.table_state import HouseTable
from fourcard.progressive.console import ConsoleCommand
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.round.commands import TakeSeat
from fourcard.round.preconditions import command_text
from fourcard.rules.clauses import clauses
from fourcard.table.commands import TableCommand

MAX_COMMAND_LENGTH = 100_000
"""Longest command in JSON, in bytes; a submission is a few thousand."""


class Autopilot(Protocol):
    """Chooses the automatic commands that follow a command at a table; it lives for one run."""

    def next(self, table: HouseTable, now: int) -> "Request | None":
        """Return the next request at a time, or None while somebody else must act."""
        ...

    def note(self, record: JournalRecord, event: Any, table: HouseTable) -> None:
        """Note an event of the run, with the table after it."""
        ...


class Request(msgspec.Struct, frozen=True):
    """A command, its stream, and its author."""

    stream: str
    command: TableCommand | ConsoleCommand | HouseTableCommand | MeterCommand | PlayerCommand | StaffCommand
    actor: Actor
    expected_sequence: int | None = None
    """The stream's sequence when the sender chose the command; on any other it is refused."""
    password: str = ""
    """The hash of a new password, stored in the same commit as the note about it; no event contains it."""
    then: Callable[[], Autopilot] | None = None
    """Starts the autopilot whose commands follow in the same record, each decided after the one before."""


class CommandResult(msgspec.Struct, frozen=True, gc=False):
    """The result of an accepted command, and of those that followed it: the events in its own stream.

    The events contain everything, also face-down cards; a view decides what a person can see.
    """

    stream: str
    first_sequence: int
    """The sequence of the first event."""
    events: tuple[Any, ...]
    repeated: bool = False
    """Whether the command was done before under the same key, so nothing was done now."""


Reply = CommandResult | Refusal | StoreError


def result_or_raise(reply: Reply) -> CommandResult:
    """Return the result of an accepted command, or raise its refusal or error."""
    if isinstance(reply, Refusal):
        raise RefusedError(reply)
    if isinstance(reply, StoreError):
        raise reply
    return reply


class InternalError(StoreError):
    """A command hit an internal error; nothing of it was stored, and other commands continue."""


def internal_error(error: BaseException) -> InternalError:
    """Return the reply for an unexpected error."""
    return InternalError(f"The command failed with an internal error: {error!r:.200}.")


def with_actor(request: Request) -> Request:
    """Return a request with its real author in the command."""
    command = with_author(request.actor, request.command)
    return request if command is request.command else replace(request, command=command)


COMMANDS_NAMING_PLAYERS = frozenset((TakeSeat, BuyIn, CashOut, LeaveTable, ChooseSeed))


STARTING_COMMANDS = frozenset((InstallTable, RegisterPlayer, HireStaff))
"""Commands that can start a stream; other commands to a missing stream leave no trace."""
ALL_LINKED_TABLES_COMMANDS = frozenset((CloseLink, OpenLink))
"""Meter commands that look at every linked table."""


def streams_of(request: Request) -> tuple[str, ...]:
    """Return the streams that a command names; invalid names are ignored."""
    command: Any = request.command
    if type(command) in COMMANDS_NAMING_PLAYERS and is_name(command.player):
        return request.stream, player_stream(command.player)
    if isinstance(command, InstallTable) and (not command.meter or is_name(command.meter)):
        return request.stream, meter_stream(command.meter or request.stream.partition("/")[2])
    return (request.stream,)


_encoder = msgspec.json.Encoder()


def journal_refusal(command: AnyCommand) -> Refusal | None:
    """Refuse a command that the journal cannot hold."""
    try:
        body = _encoder.encode(command)
    except (UnicodeError, ValueError, OverflowError):
        return refuse(
            Code.COMMAND_UNWRITABLE, reason="it contains characters or numbers that the journal cannot store"
        )
    if len(body) > MAX_COMMAND_LENGTH:
        return refuse(Code.COMMAND_UNWRITABLE, reason=f"it is longer than {MAX_COMMAND_LENGTH} bytes")
    return None


def is_repeat(command: AnyCommand, first: JournalRecord, event: object) -> bool:
    """Say whether a command is the one that a record holds; the time does not count."""
    if first.command is None:
        return sha256(_encoder.encode(replace(command, at=0))).hexdigest() == first.digest
    done: AnyCommand = decode_command(first, event)
    return bool(done == replace(command, at=done.at))


MAX_STREAM_LENGTH = 60
"""Longest stream name that is looked at; no valid name is as long."""
COMMANDS_BY_FAMILY = {family: frozenset(get_args(commands)) for family, commands in COMMANDS.items()}


@lru_cache(maxsize=65_536)
def _split_stream(stream: str) -> tuple[str, str, bool]:
    """Return the family and the name of a stream, and whether the name is valid."""
    family, _, name = stream.partition("/")
    return family, name, stream == STAFF if family == STAFF else is_name(name)


def stream_refusal(stream: str, command: Any) -> Refusal | None:
    """Refuse a command that its stream does not take, and an invalid stream name."""
    family, name, fits = _split_stream(stream[:MAX_STREAM_LENGTH])
    taken = type(command) in COMMANDS_BY_FAMILY.get(family, ())
    if taken and fits:
        return None
    if taken and family != STAFF:
        return refuse(Code.ID_UNFIT, what=family, name=printable(name, MAX_SHOWN_LENGTH))
    return refuse(
        Code.COMMAND_FOREIGN, what=command_text(command), stream=printable(stream, MAX_SHOWN_LENGTH)
    )


def gate_refusal(actor: Actor, stream: str, command: Any) -> Refusal | None:
    """Return why a person cannot give a command to a stream, or None."""
    refusal = permission_refusal(actor, command)
    check = _STREAM_CHECKS.get(type(command))
    return refusal if refusal is not None or check is None else check(actor, stream)


def cite_own_rulebook(refusal: Refusal, stream: str, state: object) -> Refusal:
    """Return a refusal at a table without the clauses of other rulebooks; without any, it cites P25.

    Of a table whose state is not at hand it cites policies only.
    """
    if _split_stream(stream)[0] != "table":
        return refusal
    source = state.state.game.rulebook.source if isinstance(state, HouseTable) else None
    known = clauses()
    own = tuple(each for each in refusal.clauses if each not in known or known[each].source == source)
    return Refusal(refusal.code, refusal.message, own or ("P25",))


def _password_refusal(actor: Actor, stream: str) -> Refusal | None:
    """Refuse to note another person's password, unless an administrator does (P25)."""
    if "administrator" in actor.roles:
        return None
    own = STAFF if actor.kind == "staff" else player_stream(actor.person)
    if stream == own:
        return None
    figures = {"what": "note password", "whose": stream, "person": actor.person}
    return refuse(Code.NOT_YOUR_ACCOUNT, ("P25",), **figures)


def _bot_refusal(actor: Actor, stream: str) -> Refusal | None:
    """Refuse to open an account under a bot's name, unless the automatic dealer does."""
    if actor.person == HOUSE_DEALER:
        return None
    _, player, _ = _split_stream(stream)
    return refuse(Code.BOT_NAME, ("P25",), player=player) if is_bot(player) else None


_STREAM_CHECKS: dict[type, Callable[[Actor, str], Refusal | None]] = {
    NotePassword: _password_refusal,
    RegisterPlayer: _bot_refusal,
}
"""Checks of commands that not everybody with the permission can give to every stream."""


def route_command(states: StateReader, stream: str, command: Any) -> DecisionOrRefusal:
    """Return the decision on a command, or a refusal."""
    family, name, _ = _split_stream(stream)
    if family == "table":
        return decide_table(states, name, command)
    if family == "meter":
        return decide_meter(states, name, command)
    if family == "player":
        return _decision_of(account_state.decide(states.player(name), command))
    return _decision_of(staff.decide(states.staff(), command))


def _decision_of(decided: Refusal | list[Any]) -> DecisionOrRefusal:
    return decided if isinstance(decided, Refusal) else Decision(decided)

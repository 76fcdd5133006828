"""Commands over the wire: decoded strictly, stamped with who really gives them, and handed to the desk."""

import asyncio
from typing import Literal

import msgspec

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.clock_watch import ClockWatch
from fourcard.house.commands import (
    LONGEST_KEY,
    ChangeRoles,
    ConfirmClock,
    Deposit,
    DismissStaff,
    HireStaff,
    RegisterPlayer,
    TableDeskCommand,
    Withdraw,
)
from fourcard.house.fairness import is_name
from fourcard.house.meter_commands import MeterCommand
from fourcard.house.outcome import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.requests import Answer
from fourcard.house.store.contract import StoreError
from fourcard.progressive.commands import ConsoleCommand
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.server.faults import TooFastError
from fourcard.server.floor.floor import Floor
from fourcard.server.rates import Rate
from fourcard.table.commands import TableCommand

Family = Literal["table", "meter", "player", "staff"]
CageCommand = RegisterPlayer | Deposit | Withdraw
AdministrationCommand = HireStaff | ChangeRoles | DismissStaff | ConfirmClock
"""What is sent to accounts and to the staff; a password is noted only where it is kept."""


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with a key of its own: sent again under the same key, it is done once."""

    key: str


class SentToTable(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a table, of the game, of its console or of the house."""

    command: TableCommand | ConsoleCommand | TableDeskCommand


class SentToMeter(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a meter."""

    command: MeterCommand


class SentToPlayer(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a player's account."""

    command: CageCommand


class SentToStaff(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to the staff."""

    command: AdministrationCommand


AnySent = SentToTable | SentToMeter | SentToPlayer | SentToStaff


class Done(msgspec.Struct, frozen=True):
    """A command that was done, now or before under the same key."""

    key: str
    sequence: int
    """The sequence of its first event in the journal of its stream."""
    repeated: bool
    kind: Literal["done"] = "done"


def stream_of(family: Family, name: str) -> str:
    """Return the stream that commands to something of a name are for."""
    if family == "staff":
        return STAFF
    if not is_name(name):
        raise RefusedError(refuse(Code.ID_UNFIT, name=name[:40], what=family))
    return {"table": table_stream, "meter": meter_stream, "player": player_stream}[family](name)


def keyed(sent: AnySent) -> AnyCommand:
    """Return a command under its key, or refuse a key that none can have; the house has its own."""
    if not 0 < len(sent.key) <= LONGEST_KEY or sent.key.startswith("house-") or not sent.key.isprintable():
        raise RefusedError(refuse(Code.KEY_UNFIT, most=LONGEST_KEY))
    found: AnyCommand = msgspec.structs.replace(sent.command, key=sent.key, at=0)
    return found


class Gateway:
    """The one way in for commands of people, over HTTP and live connections alike."""

    def __init__(self, floor: Floor, clock: ClockWatch) -> None:
        """Hand commands to a floor, and what is said of the clock to whoever watches it."""
        self._floor, self._clock = floor, clock
        limits = floor.settings.limits
        self._rate = Rate(limits.commands, limits.command_burst)

    def count(self, actor: Actor) -> None:
        """Count something that a person sends, or raise that it comes too fast."""
        wait = self._rate.wait(f"{actor.kind}/{actor.person}")
        if wait:
            raise TooFastError(wait)

    async def do(self, family: Family, name: str, sent: AnySent, actor: Actor) -> Done:
        """Do a command, or raise why it may not be."""
        self.count(actor)
        stream, command = stream_of(family, name), keyed(sent)
        unfit = self._clock.refusal(command, actor) if isinstance(command, ConfirmClock) else None
        if unfit is not None:
            raise RefusedError(unfit)
        reply = await self._floor.do(stream, command, actor)
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if isinstance(reply, StoreError):
            raise reply
        assert isinstance(reply, Answer)
        if family == "staff":
            await asyncio.to_thread(self._floor.house.sign_out_dismissed, reply)
        if isinstance(command, ConfirmClock):
            await asyncio.to_thread(self._clock.confirmed, reply)
        if family == "table":
            self._floor.show(name)
        return Done(sent.key, reply.first, reply.repeated)

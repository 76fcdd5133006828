"""Command gateway: checks commands from HTTP and WebSocket and submits them to the house."""

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
    is_name,
)
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
"""Commands to accounts and staff; passwords have their own route because they are not journaled."""


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with an idempotency key: sent twice under the same key, it runs once."""

    key: str


class SentToTable(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a table: of the game, its console or the house."""

    command: TableCommand | ConsoleCommand | TableDeskCommand


class SentToMeter(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a meter."""

    command: MeterCommand


class SentToPlayer(Sent, frozen=True, forbid_unknown_fields=True):
    """A command to a player's account."""

    command: CageCommand


class SentToStaff(Sent, frozen=True, forbid_unknown_fields=True):
    """A command about staff."""

    command: AdministrationCommand


AnySent = SentToTable | SentToMeter | SentToPlayer | SentToStaff


class Done(msgspec.Struct, frozen=True):
    """A command that ran, now or earlier under the same key."""

    key: str
    sequence: int
    """Sequence of its first event in the stream's journal."""
    repeated: bool
    kind: Literal["done"] = "done"


def stream_of(family: Family, name: str) -> str:
    """Return the stream for a family and a name."""
    if family == "staff":
        return STAFF
    if not is_name(name):
        raise RefusedError(refuse(Code.ID_UNFIT, name=name[:40], what=family))
    return {"table": table_stream, "meter": meter_stream, "player": player_stream}[family](name)


def keyed(sent: AnySent) -> AnyCommand:
    """Return a command with its key set, or refuse an invalid key; 'house-' keys are reserved."""
    if not 0 < len(sent.key) <= LONGEST_KEY or sent.key.startswith("house-") or not sent.key.isprintable():
        raise RefusedError(refuse(Code.KEY_UNFIT, most=LONGEST_KEY))
    found: AnyCommand = msgspec.structs.replace(sent.command, key=sent.key, at=0)
    return found


class Gateway:
    """Single entry point for commands of people, used by HTTP and live connections."""

    def __init__(self, floor: Floor, clock: ClockWatch) -> None:
        """Submit commands to a floor; clock confirmations also go to the clock watch."""
        self._floor, self._clock = floor, clock
        limits = floor.settings.limits
        self._rate = Rate(limits.commands, limits.command_burst)

    def count(self, actor: Actor) -> None:
        """Count a message of a person against the rate limit, or raise that it is exceeded."""
        wait = self._rate.wait(f"{actor.kind}/{actor.person}")
        if wait:
            raise TooFastError(wait)

    async def do(self, family: Family, name: str, sent: AnySent, actor: Actor) -> Done:
        """Run a command, or raise why it is refused."""
        self.count(actor)
        stream, command = stream_of(family, name), keyed(sent)
        refusal = self._clock.refusal(command, actor) if isinstance(command, ConfirmClock) else None
        if refusal is not None:
            raise RefusedError(refusal)
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

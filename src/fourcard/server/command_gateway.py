"""Command gateway: checks commands from HTTP and WebSocket and submits them to the house."""

import asyncio
from typing import Literal

import msgspec

from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.commands import (
    MAX_KEY_LENGTH,
    ChangeRoles,
    ConfirmClock,
    Deposit,
    DismissStaff,
    HireStaff,
    HouseTableCommand,
    MeterCommand,
    RegisterPlayer,
    Withdraw,
    is_name,
)
from fourcard.house.decision import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.house import ClockWatch
from fourcard.house.route_command import result_or_raise
from fourcard.progressive.console import ConsoleCommand
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.server.error_handlers import RateLimitError
from fourcard.server.floor.floor import Floor
from fourcard.server.rate_limit import RateLimiter
from fourcard.table.commands import TableCommand

StreamFamily = Literal["table", "meter", "player", "staff"]
CageCommand = RegisterPlayer | Deposit | Withdraw
AdministrationCommand = HireStaff | ChangeRoles | DismissStaff | ConfirmClock
"""Commands to accounts and staff; passwords have their own route because they are not journaled."""


class KeyedCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with an idempotency key: sent twice under the same key, it runs once."""

    key: str


class KeyedTableCommand(KeyedCommand, frozen=True, forbid_unknown_fields=True):
    """A command to a table: of the game, its console or the house."""

    command: TableCommand | ConsoleCommand | HouseTableCommand


class KeyedMeterCommand(KeyedCommand, frozen=True, forbid_unknown_fields=True):
    """A command to a meter."""

    command: MeterCommand


class KeyedAccountCommand(KeyedCommand, frozen=True, forbid_unknown_fields=True):
    """A command to a player's account."""

    command: CageCommand


class KeyedStaffCommand(KeyedCommand, frozen=True, forbid_unknown_fields=True):
    """A command about staff."""

    command: AdministrationCommand


AnyKeyedCommand = KeyedTableCommand | KeyedMeterCommand | KeyedAccountCommand | KeyedStaffCommand


class CommandAccepted(msgspec.Struct, frozen=True):
    """A command that ran, now or earlier under the same key."""

    key: str
    sequence: int
    """Sequence of its first event in the stream's journal."""
    repeated: bool
    kind: Literal["done"] = "done"


def stream_of(family: StreamFamily, name: str) -> str:
    """Return the stream for a family and a name."""
    if family == "staff":
        return STAFF
    if not is_name(name):
        raise RefusedError(refuse(Code.ID_UNFIT, name=name[:40], what=family))
    return {"table": table_stream, "meter": meter_stream, "player": player_stream}[family](name)


def with_key(sent: AnyKeyedCommand) -> AnyCommand:
    """Return a command with its key set, or refuse an invalid key; 'house-' keys are reserved."""
    if not 0 < len(sent.key) <= MAX_KEY_LENGTH or sent.key.startswith("house-") or not sent.key.isprintable():
        raise RefusedError(refuse(Code.KEY_UNFIT, most=MAX_KEY_LENGTH))
    found: AnyCommand = msgspec.structs.replace(sent.command, key=sent.key, at=0)
    return found


class CommandGateway:
    """Single entry point for commands of people, used by HTTP and live connections."""

    def __init__(self, floor: Floor, clock: ClockWatch) -> None:
        """Submit commands to a floor; clock confirmations also go to the clock watch."""
        self._floor, self._clock = floor, clock
        limits = floor.settings.limits
        self._rate = RateLimiter(limits.commands, limits.command_burst)

    def check_rate(self, actor: Actor) -> None:
        """Count a message of a person against the rate limit, or raise that it is exceeded."""
        wait = self._rate.wait(f"{actor.kind}/{actor.person}")
        if wait:
            raise RateLimitError(wait)

    async def run(
        self, family: StreamFamily, name: str, sent: AnyKeyedCommand, actor: Actor
    ) -> CommandAccepted:
        """Run a command, or raise why it is refused."""
        self.check_rate(actor)
        stream, command = stream_of(family, name), with_key(sent)
        refusal = self._clock.refusal(command, actor) if isinstance(command, ConfirmClock) else None
        if refusal is not None:
            raise RefusedError(refusal)
        result = result_or_raise(await self._floor.submit(stream, command, actor))
        if family == "staff":
            await asyncio.to_thread(self._floor.house.sign_out_dismissed, result)
        if isinstance(command, ConfirmClock):
            await asyncio.to_thread(self._clock.apply_confirmation, result)
        if family == "table":
            self._floor.notify_viewers(name)
        return CommandAccepted(sent.key, result.first_sequence, result.repeated)

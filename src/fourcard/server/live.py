"""A live table: what happens is pushed to whoever looks, and commands come in on the same connection."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from fourcard.errors import BadInputError
from fourcard.house.actors import Actor
from fourcard.house.commands import LONGEST_KEY
from fourcard.house.store.contract import StoreError
from fourcard.refusals import RefusedError
from fourcard.server.connections import (
    FAULT,
    GOODBYE,
    NO_TABLE,
    NOT_OURS,
    NOT_SIGNED_IN,
    TOO_BIG,
    UNFIT,
    UNREACHED,
    Connections,
    Goodbye,
)
from fourcard.server.doors import Doors
from fourcard.server.faults import RefusalBody, TooFastError, body, trouble
from fourcard.server.floor.floor import Floor, Look
from fourcard.server.gateway import Done, Gateway, SentToTable
from fourcard.server.tables import ready

RECHECK = 5.0
"""Seconds after which it is looked up whether somebody is still signed in, though nothing was sent."""
BREATH = 0.1
"""Seconds between two pushes on a connection: quicker than anybody follows, and a burst becomes a few."""
NOT_TEXT = "Messages are text, and this one is not."
Socket = WebSocket[Any, Any, Any]
_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()


class SaidReady(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player says that the bets of a round may close."""

    key: str
    ready: int


class Refused(msgspec.Struct, frozen=True):
    """A command that was refused, with its key."""

    key: str
    refusal: RefusalBody
    kind: Literal["refused"] = "refused"


class Trouble(msgspec.Struct, frozen=True):
    """Something that could not be read, or came too fast; the connection goes on."""

    key: str
    message: str
    kind: Literal["trouble"] = "trouble"


class Live:
    """One connection of one person to one table."""

    def __init__(self, socket: Socket, floor: Floor, gateway: Gateway, doors: Doors, look: Look) -> None:
        """Take a connection that was accepted."""
        self._socket, self._floor, self._gateway, self._doors = socket, floor, gateway, doors
        self._look, self._unread = look, 0
        self._sending, self._taking = asyncio.Lock(), asyncio.Lock()
        self._goodbye: asyncio.Future[Goodbye] = asyncio.get_running_loop().create_future()
        self._ended = asyncio.Event()
        self._looked_up = -RECHECK
        """When it was looked up last whether the person is signed in."""

    def end(self, goodbye: Goodbye) -> None:
        """Let the connection end, once what was sent last is answered."""
        if not self._goodbye.done():
            self._goodbye.set_result(goodbye)

    async def ended(self) -> None:
        """Wait until the connection has ended."""
        await self._ended.wait()

    async def run(self) -> None:
        """Push and receive until something ends it.

        Nothing may be waited for from the client while the connection is closed: the server would not close.
        """
        works = [asyncio.ensure_future(each) for each in (self._push(), self._receive(), self._stay())]
        ends: list[asyncio.Future[Any]] = [*works, self._goodbye]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._taking.acquire(), GOODBYE)
        finally:
            for each in works:
                each.cancel()
            self._judge(await asyncio.gather(*works, return_exceptions=True))
            await self._close()
            self._ended.set()

    def _judge(self, outcomes: Iterable[BaseException | None]) -> None:
        """Note in the log why a connection ends; that a client has gone is no fault."""
        for each in outcomes:
            if isinstance(each, StoreError):
                _log.warning("A live connection ends, for the house cannot be reached: %s", each)
                self.end(UNREACHED)
            elif isinstance(each, Exception) and not isinstance(each, WebSocketDisconnect):
                _log.error("A live connection met a fault.", exc_info=each)
                self.end(FAULT)

    async def _close(self) -> None:
        """Close the connection, where the client has not done so."""
        if not self._goodbye.done():
            return
        goodbye = self._goodbye.result()
        try:
            await asyncio.wait_for(self._socket.close(code=goodbye.code, reason=goodbye.reason), GOODBYE)
        except (TimeoutError, WebSocketDisconnect, RuntimeError) as error:
            _log.debug("A connection was gone already: %r", error)

    async def _push(self) -> None:
        """Show what is new at once; what follows within a breath is shown together."""
        while True:
            await self._look.changed.wait()
            await self._send(self._look.message())
            await asyncio.sleep(BREATH)

    async def _stay(self) -> None:
        """End the connection of somebody who has signed out, was let go or has other roles by now."""
        now = asyncio.get_running_loop().time
        while now() - self._looked_up < RECHECK or await self._is_signed_in():
            await asyncio.sleep(self._looked_up + RECHECK - now())
        self.end(NOT_SIGNED_IN)

    async def _is_signed_in(self) -> bool:
        found = await self._doors.who(self._socket)
        self._looked_up = asyncio.get_running_loop().time()
        return found == self._look.actor

    async def _receive(self) -> None:
        limits = self._floor.settings.limits
        while not self._goodbye.done():
            message = await self._heard()
            async with self._taking:
                if message is None:
                    await self._not_read(NOT_TEXT)
                elif len(message) > limits.message:
                    self.end(TOO_BIG)
                else:
                    await self._take(message)
            if self._unread > limits.quiet:
                self.end(UNFIT)

    async def _heard(self) -> bytes | None:
        """Return the next message, or None for one that is no text."""
        event: Any = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="the client has gone")
        text: str | None = event.get("text")
        return None if text is None else text.encode()

    async def _take(self, message: bytes) -> None:
        """Do what a message asks, and answer it; one that cannot be read changes nothing."""
        try:
            said = _decoded(message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reason = str(error)[:200]
            await self._not_read(f"The message cannot be read: {reason.rstrip('.')}.")
            return
        try:
            signed_in = await self._is_signed_in()
        except StoreError as error:
            await self._send(Refused(said.key[:LONGEST_KEY], body(trouble(error))))
            return
        if not signed_in:
            self.end(NOT_SIGNED_IN)
            return
        await self._send(await self._answer(said))

    async def _not_read(self, why: str, key: str = "") -> None:
        self._unread += 1
        await self._send(Trouble(key, why))

    async def _answer(self, said: "SentToTable | SaidReady") -> "Done | Refused | Trouble":
        """Return what came of something that was said."""
        key = said.key[:LONGEST_KEY]
        try:
            return await self._done(said)
        except TooFastError as error:
            self._unread += 1
            return Trouble(key, error.refusal.message)
        except RefusedError as error:
            return Refused(key, body(error.refusal))
        except BadInputError as error:
            return Refused(key, body(trouble(error)))

    async def _done(self, said: "SentToTable | SaidReady") -> Done:
        watch, actor = self._look.watch, self._look.actor
        if isinstance(said, SentToTable):
            return await self._gateway.do("table", watch.table, said, actor)
        self._gateway.count(actor)
        ready(self._floor, watch, actor, said.ready)
        return Done(said.key[:LONGEST_KEY], watch.sequence, repeated=False)

    async def _send(self, message: object) -> None:
        text = _encoder.encode(message)
        async with self._sending:
            await self._socket.send_data(text.decode(), mode="text")


_commands, _ready = msgspec.json.Decoder(SentToTable), msgspec.json.Decoder(SaidReady)


def _decoded(message: bytes) -> SentToTable | SaidReady:
    """Return what a message says: a command under its key, or that a player is ready."""
    try:
        return _commands.decode(message)
    except msgspec.ValidationError as error:
        try:
            return _ready.decode(message)
        except msgspec.ValidationError:
            raise error from None


@websocket("/api/tables/{table:str}/live")
async def live_table(
    socket: Socket,
    floor: NamedDependency[Floor],
    gateway: NamedDependency[Gateway],
    doors: NamedDependency[Doors],
    connections: NamedDependency[Connections],
    table: FromPath[str],
) -> None:
    """Show a table as it lives, and take commands to it."""
    await socket.accept()
    try:
        await _shown(socket, floor, gateway, doors, connections, table)
    except StoreError as error:
        _log.warning("A live connection cannot begin, for the house cannot be reached: %s", error)
        await socket.close(code=UNREACHED.code, reason=UNREACHED.reason)


async def _shown(
    socket: Socket, floor: Floor, gateway: Gateway, doors: Doors, connections: Connections, table: str
) -> None:
    """Show a table until something ends it, or close the connection at once where it may not begin."""
    actor = await doors.who(socket)
    refused = _refused(socket, floor, doors, connections, actor, table)
    if refused is not None or actor is None:
        goodbye = refused or NOT_SIGNED_IN
        await socket.close(code=goodbye.code, reason=goodbye.reason)
        return
    with connections.counted(_name(actor)):
        look = await floor.look(floor.tables[table], actor)
        try:
            live = Live(socket, floor, gateway, doors, look)
            with connections.kept(live):
                await live.run()
        finally:
            floor.end(look)


def _refused(
    socket: Socket, floor: Floor, doors: Doors, connections: Connections, actor: Actor | None, table: str
) -> Goodbye | None:
    """Return why a connection is closed at once, or None where it may begin."""
    if not doors.is_own(socket):
        return NOT_OURS
    if actor is None:
        return NOT_SIGNED_IN
    if table not in floor.tables:
        return NO_TABLE
    return connections.refused(_name(actor), floor.settings.limits.connections)


def _name(actor: Actor) -> str:
    return f"{actor.kind}/{actor.person}"


ROUTES = (live_table,)

"""Live tables over WebSocket: pushes each change to a viewer and takes commands."""

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
"""Seconds between sign-in checks of a connection that sends nothing."""
BREATH = 0.1
"""Seconds between two pushes on a connection, so that a burst of changes becomes few messages."""
NOT_TEXT = "Messages must be text."
Socket = WebSocket[Any, Any, Any]
_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()


class SaidReady(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player is done betting in a round."""

    key: str
    ready: int


class Refused(msgspec.Struct, frozen=True):
    """A refused command, with its key."""

    key: str
    refusal: RefusalBody
    kind: Literal["refused"] = "refused"


class Trouble(msgspec.Struct, frozen=True):
    """A message that is invalid or exceeds the rate limit; the connection stays open."""

    key: str
    message: str
    kind: Literal["trouble"] = "trouble"


class Live:
    """One live connection of one person to one table."""

    def __init__(
        self, socket: Socket, floor: Floor, gateway: Gateway, authenticator: Doors, subscription: Look
    ) -> None:
        """Take an accepted connection."""
        self._socket, self._floor, self._gateway, self._authenticator = socket, floor, gateway, authenticator
        self._subscription, self._rejected = subscription, 0
        self._sending, self._handling = asyncio.Lock(), asyncio.Lock()
        self._closing: asyncio.Future[Goodbye] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()
        self._signed_in_at = -RECHECK
        """Time of the last sign-in check."""

    def end(self, goodbye: Goodbye) -> None:
        """Ask the connection to close after the current message is answered."""
        if not self._closing.done():
            self._closing.set_result(goodbye)

    async def ended(self) -> None:
        """Wait until the connection is closed."""
        await self._closed.wait()

    async def run(self) -> None:
        """Push and receive until the connection ends.

        Closing must not wait for the client, or the server could not shut down.
        """
        works = [
            asyncio.ensure_future(each) for each in (self._push(), self._receive(), self._watch_sign_in())
        ]
        ends: list[asyncio.Future[Any]] = [*works, self._closing]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._handling.acquire(), GOODBYE)
        finally:
            for each in works:
                each.cancel()
            self._log_outcomes(await asyncio.gather(*works, return_exceptions=True))
            await self._close()
            self._closed.set()

    def _log_outcomes(self, outcomes: Iterable[BaseException | None]) -> None:
        """Log why a connection ends; a client that disconnects is not an error."""
        for each in outcomes:
            if isinstance(each, StoreError):
                _log.warning("A live connection ends because the house cannot be reached: %s", each)
                self.end(UNREACHED)
            elif isinstance(each, Exception) and not isinstance(each, WebSocketDisconnect):
                _log.error("A live connection had an internal error.", exc_info=each)
                self.end(FAULT)

    async def _close(self) -> None:
        """Close the connection unless the client already did."""
        if not self._closing.done():
            return
        goodbye = self._closing.result()
        try:
            await asyncio.wait_for(self._socket.close(code=goodbye.code, reason=goodbye.reason), GOODBYE)
        except (TimeoutError, WebSocketDisconnect, RuntimeError) as error:
            _log.debug("A connection was already closed: %r", error)

    async def _push(self) -> None:
        """Push a change at once; changes within the next moment are sent together."""
        while True:
            await self._subscription.changed.wait()
            await self._send(self._subscription.message())
            await asyncio.sleep(BREATH)

    async def _watch_sign_in(self) -> None:
        """End the connection when the person signs out, is dismissed or gets other roles."""
        now = asyncio.get_running_loop().time
        while now() - self._signed_in_at < RECHECK or await self._is_signed_in():
            await asyncio.sleep(self._signed_in_at + RECHECK - now())
        self.end(NOT_SIGNED_IN)

    async def _is_signed_in(self) -> bool:
        found = await self._authenticator.who(self._socket)
        self._signed_in_at = asyncio.get_running_loop().time()
        return found == self._subscription.actor

    async def _receive(self) -> None:
        limits = self._floor.settings.limits
        while not self._closing.done():
            message = await self._next_message()
            async with self._handling:
                if message is None:
                    await self._reject(NOT_TEXT)
                elif len(message) > limits.message:
                    self.end(TOO_BIG)
                else:
                    await self._handle(message)
            if self._rejected > limits.quiet:
                self.end(UNFIT)

    async def _next_message(self) -> bytes | None:
        """Return the next message, or None if it is not text."""
        event: Any = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="the client has disconnected")
        text: str | None = event.get("text")
        return None if text is None else text.encode()

    async def _handle(self, message: bytes) -> None:
        """Run the command in a message and answer it; an invalid message changes nothing."""
        try:
            request = _decode(message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            reason = str(error)[:200]
            await self._reject(f"The message is invalid: {reason.rstrip('.')}.")
            return
        try:
            signed_in = await self._is_signed_in()
        except StoreError as error:
            await self._send(Refused(request.key[:LONGEST_KEY], body(trouble(error))))
            return
        if not signed_in:
            self.end(NOT_SIGNED_IN)
            return
        await self._send(await self._answer(request))

    async def _reject(self, why: str, key: str = "") -> None:
        self._rejected += 1
        await self._send(Trouble(key, why))

    async def _answer(self, request: "SentToTable | SaidReady") -> "Done | Refused | Trouble":
        """Return the answer to a message."""
        key = request.key[:LONGEST_KEY]
        try:
            return await self._run_command(request)
        except TooFastError as error:
            self._rejected += 1
            return Trouble(key, error.refusal.message)
        except RefusedError as error:
            return Refused(key, body(error.refusal))
        except BadInputError as error:
            return Refused(key, body(trouble(error)))

    async def _run_command(self, request: "SentToTable | SaidReady") -> Done:
        projection, actor = self._subscription.watch, self._subscription.actor
        if isinstance(request, SentToTable):
            return await self._gateway.do("table", projection.table, request, actor)
        self._gateway.count(actor)
        ready(self._floor, projection, actor, request.ready)
        return Done(request.key[:LONGEST_KEY], projection.sequence, repeated=False)

    async def _send(self, message: object) -> None:
        text = _encoder.encode(message)
        async with self._sending:
            await self._socket.send_data(text.decode(), mode="text")


_command_decoder, _ready_decoder = msgspec.json.Decoder(SentToTable), msgspec.json.Decoder(SaidReady)


def _decode(message: bytes) -> SentToTable | SaidReady:
    """Return a message as a command with its key, or as "ready"."""
    try:
        return _command_decoder.decode(message)
    except msgspec.ValidationError as error:
        try:
            return _ready_decoder.decode(message)
        except msgspec.ValidationError:
            raise error from None


@websocket("/api/tables/{table:str}/live")
async def live_table(
    socket: Socket,
    floor: NamedDependency[Floor],
    gateway: NamedDependency[Gateway],
    authenticator: NamedDependency[Doors],
    connections: NamedDependency[Connections],
    table: FromPath[str],
) -> None:
    """Push a table to a viewer and take commands to it."""
    await socket.accept()
    try:
        await _serve_table(socket, floor, gateway, authenticator, connections, table)
    except StoreError as error:
        _log.warning("A live connection cannot start because the house cannot be reached: %s", error)
        await socket.close(code=UNREACHED.code, reason=UNREACHED.reason)


async def _serve_table(
    socket: Socket, floor: Floor, gateway: Gateway, authenticator: Doors, connections: Connections, table: str
) -> None:
    """Serve a table until the connection ends, or close it at once if it is not allowed."""
    actor = await authenticator.who(socket)
    refused = _close_reason(socket, floor, authenticator, connections, actor, table)
    if refused is not None or actor is None:
        goodbye = refused or NOT_SIGNED_IN
        await socket.close(code=goodbye.code, reason=goodbye.reason)
        return
    with connections.counted(_name(actor)):
        subscription = await floor.look(floor.tables[table], actor)
        try:
            live = Live(socket, floor, gateway, authenticator, subscription)
            with connections.kept(live):
                await live.run()
        finally:
            floor.end(subscription)


def _close_reason(
    socket: Socket,
    floor: Floor,
    authenticator: Doors,
    connections: Connections,
    actor: Actor | None,
    table: str,
) -> Goodbye | None:
    """Return why a new connection is closed at once, or None if it is allowed."""
    if not authenticator.is_own(socket):
        return NOT_OURS
    if actor is None:
        return NOT_SIGNED_IN
    if table not in floor.tables:
        return NO_TABLE
    return connections.refused(_name(actor), floor.settings.limits.connections)


def _name(actor: Actor) -> str:
    return f"{actor.kind}/{actor.person}"


LIVE_ROUTES = (live_table,)

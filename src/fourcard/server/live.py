"""Live tables over WebSocket: pushes each change to a viewer, takes commands, closes at shutdown."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Literal, Protocol

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import MAX_KEY_LENGTH
from fourcard.house.store.interface import StoreError
from fourcard.refusals import BadInputError, RefusedError
from fourcard.server.api.tables import mark_ready
from fourcard.server.arrivals import end_arrival
from fourcard.server.authn import Authenticator
from fourcard.server.command_gateway import CommandAccepted, CommandGateway, KeyedTableCommand
from fourcard.server.error_handlers import RateLimitError, RefusalBody, refusal_body, refusal_for
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.messages import TableChange, TableMessage
from fourcard.server.floor.push import Subscription, TableMovedError
from fourcard.server.floor.table_pace import Speed

CLOSE_TIMEOUT = 1.0
"""Seconds allowed to send a close reason to a client."""


class CloseReason(msgspec.Struct, frozen=True):
    """WebSocket close code and reason, as sent to the client."""

    code: int
    reason: str


NOT_SIGNED_IN = CloseReason(4401, "You are not signed in, or your sign-in has ended.")
OTHER_SITE = CloseReason(4403, "The request comes from another site.")
UNKNOWN_TABLE = CloseReason(4404, "There is no table with this name.")
TOO_MANY = CloseReason(4429, "Too many connections.")
TOO_BIG = CloseReason(1009, "The message is too large.")
TOO_MANY_INVALID = CloseReason(1008, "Too many messages were invalid or came too fast.")
INTERNAL_ERROR = CloseReason(1011, "The house had an internal error.")
UNREACHABLE = CloseReason(1011, "The house cannot be reached right now.")
SHUTTING_DOWN = CloseReason(1012, "The house is closing.")
MOVED = CloseReason(1012, "Another process of the house serves this table now.")


class Closable(Protocol):
    """A live connection."""

    def end(self, reason: CloseReason) -> None:
        """Ask the connection to close."""
        ...

    async def ended(self) -> None:
        """Wait until it is closed."""
        ...


class ConnectionRegistry:
    """Registry of live connections: counts them per person and closes them at shutdown."""

    def __init__(self) -> None:
        """Start with no connections."""
        self.closed = False
        self._count: Counter[str] = Counter()
        self._open: set[Closable] = set()

    def refusal(self, person: str, most: int) -> CloseReason | None:
        """Return why a person cannot open another connection, or None."""
        if self.closed:
            return SHUTTING_DOWN
        return TOO_MANY if self._count[person] >= most else None

    @contextmanager
    def counted(self, person: str) -> Iterator[None]:
        """Count a connection of a person while it lasts."""
        self._count[person] += 1
        try:
            yield
        finally:
            self._count[person] -= 1
            if not self._count[person]:
                del self._count[person]

    @contextmanager
    def registered(self, connection: Closable) -> Iterator[None]:
        """Register a connection while it lasts."""
        self._open.add(connection)
        try:
            yield
        finally:
            self._open.discard(connection)

    async def close(self) -> None:
        """Close every connection and refuse new ones; pages reconnect when the house is back."""
        self.closed = True
        open_now = tuple(self._open)
        for each in open_now:
            each.end(SHUTTING_DOWN)
        await asyncio.gather(*(each.ended() for each in open_now))


SIGN_IN_CHECK_SECONDS = 5.0
"""Seconds between sign-in checks of a connection that sends nothing."""
NOT_TEXT = "Messages must be text."
Socket = WebSocket[Any, Any, Any]
_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()


class ReadyMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player is done betting in a round."""

    key: str
    ready: int


class WholeTableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client has missed a change and asks for the whole table, with the narration of its round."""

    key: str
    whole: Literal[True]


class SpeedRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How fast a player wants to see what the dealer does; a table keeps the pace of its slowest player."""

    key: str
    speed: Speed


class SkipRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player wants to see the rest at once, until the table next waits for a person.

    With several players at a table it skips once each of them has asked.
    """

    key: str
    skip: Literal[True]


class CommandRefused(msgspec.Struct, frozen=True):
    """A refused command, with its key."""

    key: str
    refusal: RefusalBody
    kind: Literal["refused"] = "refused"


class ProtocolError(msgspec.Struct, frozen=True):
    """A message that is invalid or exceeds the rate limit; the connection stays open."""

    key: str
    message: str
    kind: Literal["trouble"] = "trouble"


LiveMessage = TableMessage | TableChange | CommandAccepted | CommandRefused | ProtocolError
"""What the server sends on a live connection."""
OtherRequest = ReadyMessage | WholeTableRequest | SpeedRequest | SkipRequest
"""What a client sends besides commands."""
LiveRequest = KeyedTableCommand | OtherRequest
"""What a client sends on a live connection."""
LiveAnswer = CommandAccepted | CommandRefused | ProtocolError
"""What answers a message of a client."""


class LiveConnection:
    """One live connection of one person to one table."""

    def __init__(
        self,
        socket: Socket,
        floor: Floor,
        gateway: CommandGateway,
        authenticator: Authenticator,
        subscription: Subscription,
    ) -> None:
        """Take an accepted connection."""
        self._socket, self._floor, self._gateway, self._authenticator = socket, floor, gateway, authenticator
        self._subscription, self._rejected_count = subscription, 0
        self._sending, self._handling = asyncio.Lock(), asyncio.Lock()
        self._closing: asyncio.Future[CloseReason] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()
        self._sign_in_checked_at = asyncio.get_running_loop().time()
        """Time of the last sign-in check."""
        self._sign_in_timer: asyncio.Handle | None = None
        self._sign_in_check: asyncio.Task[None] | None = None

    def end(self, reason: CloseReason) -> None:
        """Ask the connection to close after the current message is answered."""
        if not self._closing.done():
            self._closing.set_result(reason)

    async def ended(self) -> None:
        """Wait until the connection is closed."""
        await self._closed.wait()

    async def run(self) -> None:
        """Push and receive until the connection ends.

        Closing must not wait for the client, or the server could not shut down.
        """
        works = [asyncio.ensure_future(each) for each in (self._push(), self._receive())]
        self._schedule_sign_in_check()
        ends: list[asyncio.Future[Any]] = [*works, self._closing]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._handling.acquire(), CLOSE_TIMEOUT)
        finally:
            for each in (*works, self._sign_in_timer, self._sign_in_check):
                if each is not None:
                    each.cancel()
            self._log_outcomes(await asyncio.gather(*works, return_exceptions=True))
            await self._close()
            self._closed.set()

    def _log_outcomes(self, outcomes: Iterable[BaseException | None]) -> None:
        """Log why a connection ends; a client that disconnects is not an error."""
        for each in outcomes:
            if isinstance(each, StoreError):
                _log.warning("A live connection ends because the house cannot be reached: %s", each)
                self.end(UNREACHABLE)
            elif isinstance(each, TableMovedError):
                self.end(MOVED)
            elif isinstance(each, Exception) and not isinstance(each, WebSocketDisconnect):
                _log.error("A live connection had an internal error.", exc_info=each)
                self.end(INTERNAL_ERROR)

    async def _close(self) -> None:
        """Close the connection unless the client already did."""
        if not self._closing.done():
            return
        reason = self._closing.result()
        try:
            await asyncio.wait_for(self._socket.close(code=reason.code, reason=reason.reason), CLOSE_TIMEOUT)
        except (TimeoutError, WebSocketDisconnect, RuntimeError) as error:
            _log.debug("A connection was already closed: %r", error)

    async def _push(self) -> None:
        first = await self._subscription.next_message()
        end_arrival(self._socket.scope)
        await self._send_text(first)
        while True:
            await self._send_text(await self._subscription.next_message())

    def _schedule_sign_in_check(self) -> None:
        """Check the sign-in later; a timer costs less than a task that sleeps."""
        due = self._sign_in_checked_at + SIGN_IN_CHECK_SECONDS
        self._sign_in_timer = asyncio.get_running_loop().call_at(due, self._start_sign_in_check)

    def _start_sign_in_check(self) -> None:
        """Check the sign-in unless a message did so in the meantime."""
        loop = asyncio.get_running_loop()
        if loop.time() - self._sign_in_checked_at < SIGN_IN_CHECK_SECONDS:
            self._schedule_sign_in_check()
        else:
            self._sign_in_check = loop.create_task(self._check_sign_in())

    async def _check_sign_in(self) -> None:
        """End the connection when the person signs out, is dismissed or gets other roles."""
        try:
            signed_in = await self._is_signed_in()
        except Exception as error:  # noqa: BLE001  logged, and ends this connection
            self._log_outcomes((error,))
            return
        if signed_in:
            self._schedule_sign_in_check()
        else:
            self.end(NOT_SIGNED_IN)

    async def _is_signed_in(self) -> bool:
        found = await self._authenticator.identify(self._socket.scope)
        self._sign_in_checked_at = asyncio.get_running_loop().time()
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
            if self._rejected_count > limits.rejected_messages:
                self.end(TOO_MANY_INVALID)

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
            await self._send(CommandRefused(request.key[:MAX_KEY_LENGTH], refusal_body(refusal_for(error))))
            return
        if not signed_in:
            self.end(NOT_SIGNED_IN)
            return
        await self._send(await self._answer(request))

    async def _reject(self, why: str, key: str = "") -> None:
        self._rejected_count += 1
        await self._send(ProtocolError(key, why))

    async def _answer(self, request: LiveRequest) -> LiveAnswer:
        """Return the answer to a message."""
        key = request.key[:MAX_KEY_LENGTH]
        try:
            return await self._run_command(request)
        except RateLimitError as error:
            self._rejected_count += 1
            return ProtocolError(key, error.refusal.message)
        except RefusedError as error:
            return CommandRefused(key, refusal_body(error.refusal))
        except BadInputError as error:
            return CommandRefused(key, refusal_body(refusal_for(error)))

    async def _run_command(self, request: LiveRequest) -> CommandAccepted:
        projection, actor = self._subscription.push.projection, self._subscription.actor
        if isinstance(request, KeyedTableCommand):
            return await self._gateway.run("table", projection.table, request, actor)
        self._gateway.check_rate(actor)
        self._run_request(request)
        return CommandAccepted(request.key[:MAX_KEY_LENGTH], projection.sequence, repeated=False)

    def _run_request(self, request: OtherRequest) -> None:
        """Do what a client asks for besides commands."""
        subscription = self._subscription
        match request:
            case ReadyMessage():
                mark_ready(self._floor, subscription.push.projection, subscription.actor, request.ready)
            case WholeTableRequest():
                subscription.request_whole()
            case SpeedRequest():
                self._floor.choose_speed(subscription, request.speed)
            case SkipRequest():
                self._floor.skip(subscription)

    async def _send(self, message: LiveAnswer) -> None:
        await self._send_text(_encoder.encode(message).decode())

    async def _send_text(self, text: str) -> None:
        async with self._sending:
            await self._socket.send_data(text, mode="text")


_command_decoder = msgspec.json.Decoder(KeyedTableCommand)
_other_decoders: Mapping[str, msgspec.json.Decoder[OtherRequest]] = {
    "ready": msgspec.json.Decoder(ReadyMessage),
    "whole": msgspec.json.Decoder(WholeTableRequest),
    "speed": msgspec.json.Decoder(SpeedRequest),
    "skip": msgspec.json.Decoder(SkipRequest),
}
"""By the field that only this request has."""
_fields_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _decode(message: bytes) -> LiveRequest:
    """Return a message as a command with its key, or as one of the other requests."""
    try:
        return _command_decoder.decode(message)
    except msgspec.ValidationError:
        fields = _fields_decoder.decode(message)
        decoder = next((each for name, each in _other_decoders.items() if name in fields), None)
        if decoder is None:
            raise
        return decoder.decode(message)


@websocket("/api/tables/{table:str}/live")
async def live_table(
    socket: Socket,
    floor: NamedDependency[Floor],
    gateway: NamedDependency[CommandGateway],
    authenticator: NamedDependency[Authenticator],
    connections: NamedDependency[ConnectionRegistry],
    table: FromPath[str],
) -> None:
    """Push a table to a viewer and take commands to it."""
    await socket.accept()
    try:
        await _serve_table(socket, floor, gateway, authenticator, connections, table)
    except StoreError as error:
        _log.warning("A live connection cannot start because the house cannot be reached: %s", error)
        await socket.close(code=UNREACHABLE.code, reason=UNREACHABLE.reason)


async def _serve_table(
    socket: Socket,
    floor: Floor,
    gateway: CommandGateway,
    authenticator: Authenticator,
    connections: ConnectionRegistry,
    table: str,
) -> None:
    """Serve a table until the connection ends, or close it at once if it is not allowed."""
    actor = await authenticator.identify(socket.scope)
    refused = _close_reason(socket, floor, authenticator, connections, actor, table)
    if refused is not None or actor is None:
        reason = refused or NOT_SIGNED_IN
        await socket.close(code=reason.code, reason=reason.reason)
        return
    with connections.counted(_person_key(actor)):
        subscription = await floor.subscribe(floor.tables[table], actor)
        try:
            live = LiveConnection(socket, floor, gateway, authenticator, subscription)
            with connections.registered(live):
                await live.run()
        finally:
            floor.unsubscribe(subscription)


def _close_reason(
    socket: Socket,
    floor: Floor,
    authenticator: Authenticator,
    connections: ConnectionRegistry,
    actor: Actor | None,
    table: str,
) -> CloseReason | None:
    """Return why a new connection is closed at once, or None if it is allowed."""
    if not authenticator.is_same_site(authenticator.head(socket.scope)):
        return OTHER_SITE
    if actor is None:
        return NOT_SIGNED_IN
    if table not in floor.tables:
        return UNKNOWN_TABLE
    return connections.refusal(_person_key(actor), floor.settings.limits.connections)


def _person_key(actor: Actor) -> str:
    return f"{actor.kind}/{actor.person}"


LIVE_ROUTES = (live_table,)

"""Live routing: brings each live connection to the worker that holds the lease of its table.

The workers of a machine listen at one address, so a connection reaches any of them. The worker that accepts
it passes its events on, over a socket in a folder that only this user can open, to the worker that deals at
the table; that one runs the application on them, with every check, as if the client were connected there.
"""

import asyncio
import logging
import re
from contextlib import suppress
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from fourcard.server.arrivals import end_arrival
from fourcard.server.floor.bus import WorkerSockets
from fourcard.server.floor.floor import Floor
from fourcard.server.live import SHUTTING_DOWN, CloseReason, ConnectionRegistry

LIVE_PATH = re.compile("/api/tables/([^/]+)/live")
ROUTE_SECONDS = 3.0
"""Seconds for which a connection waits for a table that no process holds; then it is served where it is."""
LOOK_SECONDS = 0.05
"""Seconds between two looks for the process that holds a table."""
LENGTH_BYTES = 4
PASSED_KEYS = (
    "type",
    "asgi",
    "http_version",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "root_path",
    "headers",
    "client",
    "server",
    "subprotocols",
)
"""What a worker tells another of a connection."""
ROUTED_KEY = "fourcard_routed"
"""Where the scope of a connection says that another worker has passed it on."""
Event = Any
"""An ASGI event: the names of its fields are those of the ASGI specification."""
_encoder = msgspec.msgpack.Encoder()
_log = logging.getLogger(__name__)


class EventStream:
    """ASGI events over a connection between two workers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take an open connection."""
        self._reader, self._writer = reader, writer

    async def read(self) -> Event:
        """Return the next event, or None when the other worker has closed the connection."""
        try:
            length = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
            return msgspec.msgpack.decode(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError):
            return None

    async def write(self, event: Event) -> None:
        """Send an event; wait while the other worker is slow."""
        encoded = _encoder.encode(event)
        self._writer.write(len(encoded).to_bytes(LENGTH_BYTES, "big") + encoded)
        await self._writer.drain()

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


class PassedConnection:
    """A live connection of a client that another worker serves."""

    def __init__(self, home: EventStream, receive: Receive, send: Send) -> None:
        """Take a connection that the other worker has accepted."""
        self._home, self._receive, self._send = home, receive, send
        self._closing: asyncio.Future[CloseReason] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()

    def end(self, reason: CloseReason) -> None:
        """Ask the connection to close."""
        if not self._closing.done():
            self._closing.set_result(reason)

    async def ended(self) -> None:
        """Wait until the connection is closed."""
        await self._closed.wait()

    async def run(self, first: Event) -> None:
        """Pass events on both ways, from the first answer to the end of either side."""
        await self._receive()
        works = [asyncio.ensure_future(each) for each in (self._to_home(), self._to_client(first))]
        ends: list[asyncio.Future[Any]] = [*works, self._closing]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in works:
                each.cancel()
            client_left, _ = await asyncio.gather(*works, return_exceptions=True)
            if client_left is not True:
                self.end(SHUTTING_DOWN)
            await self._close()
            self._closed.set()

    async def _to_home(self) -> bool:
        """Pass events on until the client has left."""
        event: Event = {}
        while event.get("type") != "websocket.disconnect":
            event = await self._receive()
            await self._home.write(event)
        return True

    async def _to_client(self, event: Event) -> None:
        """Pass events on; the last one waits, because the server closes no connection that is being read."""
        while event is not None and event["type"] != "websocket.close":
            await self._send(event)
            event = await self._home.read()
        if event is not None:
            self.end(CloseReason(event["code"], event.get("reason") or ""))

    async def _close(self) -> None:
        if self._closing.done():
            reason = self._closing.result()
            close: Event = {"type": "websocket.close", "code": reason.code, "reason": reason.reason}
            with suppress(Exception):  # the client may be gone already
                await self._send(close)


class LiveRouter:
    """ASGI application: serves the live connections of this worker's tables, and passes the others on."""

    def __init__(
        self, app: ASGIApp, floor: Floor, sockets: WorkerSockets, connections: ConnectionRegistry
    ) -> None:
        """Wrap the application that serves connections here."""
        self._app, self._floor = app, floor
        self._sockets, self._connections = sockets, connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request here, or pass a live connection on."""
        table = self._table_of(scope)
        if table is None or not await self._find_home(table, scope, receive, send):
            await self._app(scope, receive, send)

    async def _find_home(self, table: str, scope: Scope, receive: Receive, send: Send) -> bool:
        """Pass a connection on to the worker that holds its table; return False if it is served here."""
        bus, loop = self._floor.bus, asyncio.get_running_loop()
        until = loop.time() + ROUTE_SECONDS
        while loop.time() < until:
            holder = bus.holder(table)
            if holder is not None and not self._sockets.reaches(holder):
                return False
            if holder is not None and await self._pass_on(holder, scope, receive, send):
                return True
            bus.look_again()
            await asyncio.sleep(LOOK_SECONDS)
        return False

    def _table_of(self, scope: Scope) -> str | None:
        """Return the table of a live connection that comes from a client."""
        if scope["type"] != ScopeType.WEBSOCKET or ROUTED_KEY in scope:
            return None
        found = LIVE_PATH.fullmatch(scope["path"])
        return found[1] if found is not None and found[1] in self._floor.tables else None

    async def _pass_on(self, holder: int, scope: Scope, receive: Receive, send: Send) -> bool:
        """Pass a connection on until it ends; return False if that worker does not take it."""
        try:
            home = EventStream(*await asyncio.open_unix_connection(self._sockets.path(holder)))
        except OSError:
            return False
        known: Any = scope
        try:
            await home.write({key: known[key] for key in PASSED_KEYS if key in known})
            first = await home.read()
            if first is None:
                return False
            end_arrival(scope)
            passed = PassedConnection(home, receive, send)
            with self._connections.registered(passed):
                await passed.run(first)
        except ConnectionError:
            return False
        finally:
            home.close()
        return True


class LiveListener:
    """Listens for the live connections that other workers pass on to this one."""

    def __init__(self, app: ASGIApp, floor: Floor, sockets: WorkerSockets) -> None:
        """Take the application with all its checks."""
        self._app, self._floor, self._sockets = app, floor, sockets
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Start listening."""
        self._server = await asyncio.start_unix_server(
            self._serve, self._sockets.path(self._sockets.number), backlog=1024
        )

    def stop(self) -> None:
        """Stop listening; the other workers wait until one of them takes a table over."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Run the application on a connection, if its table belongs here."""
        client = EventStream(reader, writer)
        try:
            scope = await client.read()
            if scope is not None and self._belongs_here(scope):
                await self._app(_as_scope(scope), _receiver(client), client.write)
        except ConnectionError:
            _log.debug("Another worker closed a connection that it had passed on.")
        finally:
            client.close()

    def _belongs_here(self, scope: Event) -> bool:
        found = LIVE_PATH.fullmatch(scope["path"])
        return found is not None and self._floor.bus.lease(found[1])


def _as_scope(passed: Event) -> Any:
    """Return the scope of a connection as the server itself would give it."""
    pairs = {key: tuple(passed[key]) for key in ("client", "server") if passed.get(key) is not None}
    headers = [(name, value) for name, value in passed["headers"]]
    return {**passed, **pairs, "headers": headers, "extensions": {}, ROUTED_KEY: True}


def _receiver(client: EventStream) -> Receive:
    """Return a function that yields the events of a client: its connection first, its end when it is gone."""
    events = [{"type": "websocket.connect"}]

    async def receive() -> Any:
        if events:
            return events.pop()
        return await client.read() or {"type": "websocket.disconnect", "code": 1006}

    return receive

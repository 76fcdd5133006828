"""Connection guard: closes connections that the HTTP server itself would keep open.

Granian limits the time of a request's head. It has no limit of connections per address, and it collects the
fragments of a WebSocket message up to 64 MiB before the application sees the first byte. The guard reads from
the system how many bytes each connection has received, compares that with the messages that have reached the
application, and shuts down the sockets that hold too much or are too many.

It never owns, copies or closes a file descriptor: to close a copy of a database file would release the locks
of SQLite. It needs Linux; elsewhere the guard does nothing.
"""

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from io import FileIO
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from fourcard.server.settings import ConnectionLimits
from fourcard.server.socket_calls import (
    IPV4_BYTES,
    Endpoint,
    SocketCalls,
    address_group,
    endpoint_of,
    port_of,
    set_timeouts,
    shut_down,
    unread_bytes,
)

LOOK_SECONDS = 0.05
"""Seconds between two looks at the memory of the process."""
CHECK_SECONDS = 1.0
"""Seconds between two checks of all connections."""
CHECK_REST, GROWTH_REST = 20, 3
"""How many times as long as a check took the next one waits: at regular times, and while memory grows."""
MEMORY_STEP = 8 * 1024 * 1024
"""Bytes by which the memory of the process may grow before live connections are checked at once."""
SMALL_MESSAGE = 1_024
"""Bytes of an unfinished message that are never too many."""
PING_BYTES = 50
"""Bytes a second that may be pings, which cannot be told from the fragments of a message."""
FILE_DESCRIPTORS, MEMORY = Path("/proc/self/fd"), Path("/proc/self/statm")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_log = logging.getLogger(__name__)


class LiveSocket:
    """One live connection: what the system received for it, and what reached the application."""

    def __init__(self, peer: Endpoint, received: int, descriptor: int | None) -> None:
        """Take the client's address and port, the bytes of its requests, and its descriptor if known."""
        self.peer, self.descriptor = peer, descriptor
        self.delivered_bytes, self.delivered_messages = 0, 0
        self.unfinished, self.unfinished_since = 0, 0.0
        """Bytes received after the last whole message, at the last check, and when the first was seen."""
        self._received, self._at_first, self._is_new = received, 0, True
        self._seen_bytes, self._seen_messages = 0, 0

    def count(self, received: int, now: float) -> None:
        """Count what has arrived since the last check and is not part of a whole message."""
        messages, delivered = self.delivered_messages, self.delivered_bytes
        arrived = max(0, received - self._received)
        if messages != self._seen_messages:
            arrived, self.unfinished, self._at_first = max(0, arrived - (delivered - self._seen_bytes)), 0, 0
        if not self.unfinished:
            self.unfinished_since = now
        self.unfinished += arrived
        if self._is_new:
            self._at_first, self._is_new = self.unfinished, False
        self._received, self._seen_messages, self._seen_bytes = received, messages, delivered

    def held_bytes(self) -> int:
        """Return the bytes of an unfinished message in this process, without those that nobody has read."""
        unread = 0 if self.descriptor is None else unread_bytes(self.descriptor)
        return max(0, self.unfinished - unread)

    def is_late(self, now: float, seconds: float) -> bool:
        """Return whether a message should have ended by now, and more has arrived than pings explain.

        What the first check found is left out: some of it may have been earlier requests of the connection.
        """
        age = now - self.unfinished_since
        return age > seconds and self.unfinished - self._at_first > PING_BYTES * age


class ConnectionGuard:
    """ASGI application around another one, and a thread that checks its connections."""

    def __init__(self, app: ASGIApp, port: int, limits: ConnectionLimits) -> None:
        """Take the application, the port that it is served on, and the limits."""
        self._app, self._port, self._limits = app, port, limits
        self._uncounted = tuple(map(ip_network, limits.uncounted))
        self._live: dict[Endpoint, LiveSocket] = {}
        self._accepted: dict[int, Endpoint] = {}
        """Peer by descriptor of each connection at the last check."""
        self._descriptors: dict[Endpoint, int] = {}
        """The same by peer."""
        self._first_seen: dict[Endpoint, float] = {}
        self._memory, self._next_check, self._next_growth_check = 0, 0.0, 0.0
        self._calls, self._loop_calls = SocketCalls(), SocketCalls()
        """The calls of the thread, and those of the event loop."""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fourcard-connections", daemon=True)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a request; the messages of a live connection are counted."""
        if scope["type"] == ScopeType.WEBSOCKET:
            return self._serve_live(scope, receive, send)
        return self._app(scope, receive, send)

    def start(self) -> None:
        """Start to check, once the server listens."""
        if FILE_DESCRIPTORS.is_dir():
            self._set_timeouts()
            self._thread.start()

    def stop(self) -> None:
        """Stop checking."""
        self._stopped.set()

    async def _serve_live(self, scope: Any, receive: Receive, send: Send) -> None:
        host, port = scope["client"]
        socket = self._live_socket(endpoint_of(host, int(port)))
        self._live[socket.peer] = socket
        try:
            await self._app(scope, _counting(receive, socket), send)
        finally:
            self._live.pop(socket.peer, None)

    def _live_socket(self, peer: Endpoint) -> LiveSocket:
        """Return a new live connection; an older one may have had any number of requests before."""
        descriptor = self._descriptors.get(peer)
        if descriptor is None or self._loop_calls.peer(descriptor) != peer:
            return LiveSocket(peer, self._limits.head_bytes, None)
        received = self._loop_calls.received_bytes(descriptor) - unread_bytes(descriptor)
        return LiveSocket(peer, received, descriptor)

    def _set_timeouts(self) -> None:
        """Limit how long the system waits for clients; accepted connections inherit it from the listener."""
        for descriptor in _descriptors():
            if self._is_own(descriptor) and self._calls.peer(descriptor) is None:
                set_timeouts(descriptor, self._limits.stalled_seconds)

    def _is_own(self, descriptor: int) -> bool:
        """Return whether a descriptor is a socket on the port of the server."""
        local = self._calls.local(descriptor)
        return local is not None and port_of(local) == self._port

    def _run(self) -> None:
        with MEMORY.open("rb", buffering=0) as memory:
            while not self._stopped.wait(LOOK_SECONDS):
                try:
                    self._look(_resident_bytes(memory))
                except OSError as error:  # no file descriptor is left, for example
                    _log.warning("The connections cannot be checked: %s", error)

    def _look(self, memory: int) -> None:
        """Check all connections when that is due, or the live ones when the process grows."""
        began = time.monotonic()
        if began >= self._next_check:
            self._check_all(began)
            ended = self._next_growth_check = time.monotonic()
            self._next_check = ended + max(CHECK_SECONDS, CHECK_REST * (ended - began))
        elif memory < self._memory + MEMORY_STEP:
            self._memory = min(self._memory, memory)
            return
        elif began >= self._next_growth_check:
            self._check_growth(began)
            ended = time.monotonic()
            self._next_growth_check = ended + GROWTH_REST * (ended - began)
        else:
            return
        self._memory = memory

    def _check_growth(self, now: float) -> None:
        """Check the live connections, also those that came after the last check."""
        if any(each.descriptor is None for each in tuple(self._live.values())):
            self._find_connections()
        self._check_messages(now)

    def _check_all(self, now: float) -> None:
        """Check every connection."""
        self._find_connections()
        self._check_messages(now)
        if self._limits.per_address:
            self._check_addresses(now)

    def _find_connections(self) -> None:
        """Find the descriptor of each accepted connection; live ones learn theirs."""
        before, found = self._accepted, dict[int, Endpoint]()
        for descriptor in _descriptors():
            peer = self._calls.peer(descriptor)
            if peer is not None and (before.get(descriptor) == peer or self._is_own(descriptor)):
                found[descriptor] = peer
                live = self._live.get(peer)
                if live is not None and live.descriptor is None:
                    live.descriptor = descriptor
        self._accepted = found
        self._descriptors = {peer: descriptor for descriptor, peer in found.items()}

    def _check_messages(self, now: float) -> None:
        """Close the live connections whose unfinished message is too large or late, or one of too many."""
        live = [each for each in tuple(self._live.values()) if each.descriptor is not None]
        for each in live:
            each.count(self._calls.received_bytes(each.descriptor or 0), now)
        held = {each: each.held_bytes() for each in live if each.unfinished > SMALL_MESSAGE}
        total, closed = sum(held.values()), list[LiveSocket]()
        for each in sorted(held, key=held.__getitem__, reverse=True):
            large = held[each] > self._limits.unfinished_message or total > self._limits.message_memory
            if large or each.is_late(now, self._limits.body_seconds):
                total -= held[each]
                closed.append(each)
        for each in closed:
            self._close(each.descriptor or 0, each.peer)
        if closed:
            _log.warning("Closed %d live connections whose message did not end.", len(closed))

    def _check_addresses(self, now: float) -> None:
        """Close the newest connections of each address that has too many; live ones go last."""
        most, before = self._limits.per_address, self._first_seen
        self._first_seen = {peer: before.get(peer, now) for peer in self._accepted.values()}
        counts = Counter(map(address_group, self._first_seen))
        for group in (each for each, count in counts.items() if count > most and self._is_counted(each)):
            own = [each for each in self._accepted.items() if address_group(each[1]) == group]
            own.sort(key=lambda each: (each[1] not in self._live, self._first_seen[each[1]]))
            for descriptor, peer in own[most:]:
                self._close(descriptor, peer)
            who, many = _group_text(group), len(own) - most
            _log.warning("Closed %d connections of %s, which had more than %d.", many, who, most)

    def _is_counted(self, group: bytes) -> bool:
        address = ip_address(_group_text(group))
        return not any(address in network for network in self._uncounted)

    def _close(self, descriptor: int, peer: Endpoint) -> None:
        """Shut a connection down, unless its descriptor belongs to another one by now."""
        if self._calls.peer(descriptor) == peer:
            shut_down(descriptor)


def _group_text(group: bytes) -> str:
    """Return an IPv4 address, or an IPv6 network by its first address."""
    return str(ip_address(group if len(group) == IPV4_BYTES else group + bytes(8)))


def _descriptors() -> list[int]:
    """Return the file descriptors of this process."""
    return [int(name) for name in os.listdir(FILE_DESCRIPTORS)]  # noqa: PTH208  paths would cost much more


def _counting(receive: Receive, socket: LiveSocket) -> Callable[[], Awaitable[Any]]:
    """Return a function that receives an event and counts its message."""

    async def receive_counted() -> Any:
        event: Any = await receive()
        if event["type"] == "websocket.receive":
            socket.delivered_bytes += len(event.get("text") or event.get("bytes") or "")
            socket.delivered_messages += 1
        return event

    return receive_counted


def _resident_bytes(memory: FileIO) -> int:
    """Return the resident memory of this process."""
    memory.seek(0)
    return int(memory.read().split()[1]) * PAGE_BYTES

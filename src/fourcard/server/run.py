"""Run the server: a listening socket, an event loop, and a clean shutdown on signals."""

import asyncio
import gc
import logging
import resource
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import msgspec
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server
from litestar.concurrency import set_asyncio_executor
from litestar.types import ASGIApp

from fourcard.refusals import BadInputError
from fourcard.server.connection_guard import ConnectionGuard
from fourcard.server.middleware import JsonLogFormatter
from fourcard.server.settings import ConnectionLimits

BeforeStop = Callable[[], Awaitable[None]]
SHUTDOWN_SECONDS = 3.0
"""Seconds allowed to tell connected clients that the house is closing."""
GC_THRESHOLDS = (20_000, 20, 100)
"""Garbage collection thresholds: messages are short-lived and create almost no cycles."""
SWITCH_SECONDS = 0.0005
"""Seconds after which a thread that computes lets another one compute.

The writer gives the lock of Python up at every row and waits for it each time; the default is ten times this.
"""
READER_THREADS = 16
"""Threads for reading and computing; commands have their own and never wait for these."""
MAX_CONNECTIONS = 20_000
"""Connections of one process; the others wait until one of them ends."""
BACKLOG = 4_096
"""Connections that wait to be accepted; one more is dropped, and its client tries again a second later."""
RESERVED_FILES = 512
"""File descriptors that are no connections: the store, the listener, sockets between workers."""
_log = logging.getLogger(__name__)


class HasApplication(Protocol):
    """Anything with an ASGI application."""

    def app(self) -> ASGIApp:
        """Return the application."""
        ...


class ListenAddress(msgspec.Struct, frozen=True):
    """Address, port and TLS files of a server."""

    address: str = "127.0.0.1"
    port: int = 0
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        """Return the URL scheme."""
        return "https" if self.certificate is not None else "http"

    def url(self, path: str = "/") -> str:
        """Return the URL of a path on this server."""
        return f"{self.scheme}://{self.address}:{self.port}{path}"


def free_port(address: str, wanted: int, *, exactly: bool) -> int:
    """Return a free port: the wanted one, or any other unless it must be exactly that."""
    for port in (wanted,) if exactly else (wanted, 0):
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise BadInputError(f"Port {wanted} of {address} is in use or not allowed; choose another with --port.")


class Shutdown:
    """Shuts a server down: tells connected clients first; a second request stops it at once."""

    def __init__(self, server: Server, leave: BeforeStop | None) -> None:
        """Take an optional coroutine to run while the server still answers."""
        self._server, self._leave = server, leave
        self._leaving: asyncio.Task[None] | None = None

    def request(self) -> None:
        """Start the shutdown, or stop at once if it has started."""
        if self._leave is None or self._leaving is not None:
            self._server.stop()  # type: ignore[no-untyped-call]
        else:
            self._leaving = asyncio.get_running_loop().create_task(self._leave_and_stop(self._leave))

    async def _leave_and_stop(self, leave: BeforeStop) -> None:
        try:
            await asyncio.wait_for(leave(), SHUTDOWN_SECONDS)
        except TimeoutError:
            _log.warning("Not all clients could be told that the house is closing.")
        finally:
            self._server.stop()  # type: ignore[no-untyped-call]


def serve(
    serving: HasApplication,
    place: ListenAddress,
    started: Callable[[], None],
    leave: BeforeStop | None = None,
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve until a signal ends the process; `leave` runs before the server stops."""
    set_asyncio_executor(ThreadPoolExecutor(READER_THREADS, "fourcard-reading"))
    runner: Any = asyncio.run
    try:
        import uvloop  # noqa: PLC0415  optional: asyncio's own loop is the fallback

        runner = uvloop.run
    except ImportError:
        pass
    _tune_garbage_collection()
    sys.setswitchinterval(SWITCH_SECONDS)
    runner(_serve(serving, place, started, leave, limits or ConnectionLimits()))


def _tune_garbage_collection() -> None:
    """Collect garbage less often and skip the program's own objects, to avoid pauses at tables."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


class GuardedServer:
    """Granian with limits for its connections."""

    def __init__(self, app: ASGIApp, place: ListenAddress, limits: ConnectionLimits) -> None:
        """Take an application and its address; HTTP/2 is left to a proxy, because it has no such limits."""
        self._place = place
        self._guard = ConnectionGuard(app, place.port, limits)
        self.server = Server(
            self._guard,
            address=place.address,
            port=place.port,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=round(limits.head_seconds * 1_000), max_buffer_size=limits.head_bytes
            ),
            log_enabled=False,
            ssl_cert=place.certificate,
            ssl_key=place.key,
            backlog=BACKLOG,
            backpressure=_max_connections(),
        )

    async def run(self, started: Callable[[], None]) -> None:
        """Serve until the server is stopped; tell when it listens."""
        task = asyncio.ensure_future(self.server.serve())
        try:
            if await _wait_until_listening(self._place, task):
                self._guard.start()
                started()
            await task
        finally:
            self._guard.stop()


def _max_connections() -> int:
    """Return how many connections the process takes; its limit of open files is raised for them."""
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        except (OSError, ValueError):
            _log.warning("The limit of %d open files cannot be raised.", soft)
        return max(soft - RESERVED_FILES, soft // 2)
    return MAX_CONNECTIONS


async def _serve(
    serving: HasApplication,
    place: ListenAddress,
    started: Callable[[], None],
    leave: BeforeStop | None,
    limits: ConnectionLimits,
) -> None:
    guarded = GuardedServer(serving.app(), place, limits)
    ending = Shutdown(guarded.server, leave)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ending.request)
    await guarded.run(started)


async def _wait_until_listening(place: ListenAddress, task: "asyncio.Future[None]") -> bool:
    """Wait until the server listens; return False if it ended before."""
    while not task.done():
        try:
            _, writer = await asyncio.open_connection(place.address, place.port)
        except OSError:
            await asyncio.sleep(0.01)
        else:
            writer.close()
            return True
    return False


def log_to_stderr(level: int) -> None:
    """Log to standard error, one JSON object per line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLogFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)

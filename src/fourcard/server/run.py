"""Run the server: a listening socket, an event loop, and a clean shutdown on signals."""

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import msgspec
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar.concurrency import set_asyncio_executor
from litestar.types import ASGIApp

from fourcard.refusals import BadInputError
from fourcard.server.middleware import JsonLogFormatter

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
    runner(_serve(serving, place, started, leave))


def _tune_garbage_collection() -> None:
    """Collect garbage less often and skip the program's own objects, to avoid pauses at tables."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


async def _serve(
    serving: HasApplication, place: ListenAddress, started: Callable[[], None], leave: BeforeStop | None
) -> None:
    server = Server(
        serving.app(),
        address=place.address,
        port=place.port,
        interface=Interfaces.ASGI,
        log_enabled=False,
        ssl_cert=place.certificate,
        ssl_key=place.key,
        backlog=1024,
    )
    task, ending = asyncio.ensure_future(server.serve()), Shutdown(server, leave)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ending.request)
    ready = asyncio.ensure_future(_wait_until_listening(place, task))
    if await ready:
        started()
    await task


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

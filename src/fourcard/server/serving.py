"""Serving a house: a listening socket, an event loop, and a clean end when somebody asks for it."""

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import msgspec
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar.concurrency import set_asyncio_executor
from litestar.types import ASGIApp

from fourcard.errors import BadInputError
from fourcard.server.guard import JsonLines

Leave = Callable[[], Awaitable[None]]
COURTESY = 3.0
"""Seconds in which whoever is connected can be told that the house is closing."""
COLLECTED = (20_000, 20, 100)
"""When garbage is looked for: messages come and go by the thousand, and hardly any of it is left by them."""
READERS = 16
"""Threads that read and compute for people; commands have others, and never wait for them."""
_log = logging.getLogger(__name__)


class Served(Protocol):
    """Whatever has an application to serve."""

    def app(self) -> ASGIApp:
        """Return the application."""
        ...


class Place(msgspec.Struct, frozen=True):
    """Where a house is served."""

    address: str = "127.0.0.1"
    port: int = 0
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        """Return how browsers come here."""
        return "https" if self.certificate is not None else "http"

    def url(self, path: str = "/") -> str:
        """Return the address of something here."""
        return f"{self.scheme}://{self.address}:{self.port}{path}"


def free_port(address: str, wanted: int, *, exactly: bool) -> int:
    """Return a port that nobody listens at: the one wanted, or else another one unless it must be that."""
    for port in (wanted,) if exactly else (wanted, 0):
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise BadInputError(
        f"Port {wanted} of {address} is in use or may not be used; choose another with --port."
    )


class Ending:
    """Ends a server that is asked to: whoever is connected is told first; asked again, it ends at once."""

    def __init__(self, server: Server, leave: Leave | None) -> None:
        """Take what is to be done while the server still answers, if there is anything."""
        self._server, self._leave = server, leave
        self._leaving: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Begin to end, or end."""
        if self._leave is None or self._leaving is not None:
            self._server.stop()  # type: ignore[no-untyped-call]
        else:
            self._leaving = asyncio.get_running_loop().create_task(self._politely(self._leave))

    async def _politely(self, leave: Leave) -> None:
        try:
            await asyncio.wait_for(leave(), COURTESY)
        except TimeoutError:
            _log.warning("Not everybody could be told that the house is closing.")
        finally:
            self._server.stop()  # type: ignore[no-untyped-call]


def serve(serving: Served, place: Place, started: Callable[[], None], leave: Leave | None = None) -> None:
    """Serve until the process is asked to end, and let something be done before that; asked twice, end."""
    set_asyncio_executor(ThreadPoolExecutor(READERS, "fourcard-reading"))
    runner: Any = asyncio.run
    try:
        import uvloop  # noqa: PLC0415  where there is none, Python's own loop serves as well

        runner = uvloop.run
    except ImportError:
        pass
    _spare_memory()
    runner(_serve(serving, place, started, leave))


def _spare_memory() -> None:
    """Look for garbage less often, and not among what the program is made of: tables would stand still."""
    gc.freeze()
    gc.set_threshold(*COLLECTED)


async def _serve(serving: Served, place: Place, started: Callable[[], None], leave: Leave | None) -> None:
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
    task, ending = asyncio.ensure_future(server.serve()), Ending(server, leave)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ending.ask)
    ready = asyncio.ensure_future(_answers(place, task))
    if await ready:
        started()
    await task


async def _answers(place: Place, task: "asyncio.Future[None]") -> bool:
    """Wait until somebody is listening, and say whether anybody is."""
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
    """Write the log to standard error, one JSON object a line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)

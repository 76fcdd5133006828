"""Hostile connections: how a player is served while many others connect and never finish what they send.

The player has one HTTP connection and one live connection, and a new connection is opened four times a
second. The hostile clients run in a process of their own and from many addresses.
"""

import asyncio
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import get_args

import msgspec
from rich.table import Table as Figures

from bench.hostile_clients import HostileCounts, HostileJob, HostileKind
from bench.measurement import (
    ServerProcess,
    WorkerProcess,
    fourcard_command,
    free_port,
    quantile,
    running_server,
    table_of,
)
from bench.raw_websocket import RawWebSocket
from bench.setup_house import SeatedPlayer, set_up_house

CONNECTIONS = 2_000
SEATS = 112
"""Seats of the house: the hostile clients use the sign-ins of all but one, at most 20 connections each."""
BEFORE, SPAN, AFTER = 2.0, 20.0, 3.0
"""Seconds measured before, during and after the attack."""
P99_LIMIT, MEMORY_LIMIT, GAP_LIMIT = 0.200, 600_000_000, 10.0
"""Largest p99 of a player in seconds, memory in bytes, and seconds without a new connection."""
REQUEST_SECONDS, NEW_SECONDS, LOOK_SECONDS = 0.1, 0.25, 0.05
ANSWER_SECONDS = 5.0
"""Seconds after which an answer counts as missing."""


class HostileFigures(msgspec.Struct, frozen=True):
    """What a player and the machine saw of an attack."""

    http: list[float]
    live: list[float]
    longest_gap: float
    """The longest time in seconds until a new connection was answered again."""
    memory: int
    """The most resident memory of the server in bytes."""
    missing: int
    """Requests of the player without an answer."""
    counts: HostileCounts

    @property
    def p99(self) -> float:
        """Return the larger p99 of the two ways, in seconds."""
        return max(quantile(self.http, 0.99), quantile(self.live, 0.99))

    @property
    def is_good(self) -> bool:
        """Return whether the server kept its limits."""
        return (
            not self.missing
            and self.p99 <= P99_LIMIT
            and self.memory <= MEMORY_LIMIT
            and self.longest_gap <= GAP_LIMIT
        )


class MeasuredPlayer:
    """A player who sends requests at an even pace over HTTP and over a live connection."""

    def __init__(self, port: int, seat: SeatedPlayer) -> None:
        """Take the port and the player."""
        self._port, self._seat = port, seat
        self.http, self.live, self.missing = list[float](), list[float](), 0
        self.longest_gap, self._answered_at = 0.0, time.monotonic()
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def run(self) -> None:
        """Send requests until cancelled."""
        async with asyncio.TaskGroup() as group:
            for work in (self._request_tables(), self._request_live(), self._open_connections()):
                group.create_task(work)

    def clear(self) -> None:
        """Forget what was measured so far."""
        self.http.clear()
        self.live.clear()

    async def _request_tables(self) -> None:
        request = self._request(f"/api/tables/{self._seat.table}")
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            while True:
                began = time.perf_counter()
                try:
                    await asyncio.wait_for(_exchange(reader, writer, request), ANSWER_SECONDS)
                    self.http.append(time.perf_counter() - began)
                except (OSError, TimeoutError, EOFError):
                    self.missing += 1
                    self.http.append(ANSWER_SECONDS)
                await asyncio.sleep(REQUEST_SECONDS)
        finally:
            writer.close()

    async def _request_live(self) -> None:
        host, path = f"127.0.0.1:{self._port}", f"/api/tables/{self._seat.table}/live"
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(
            lambda: RawWebSocket(host, path, self._seat.token, self._answers.put_nowait),
            "127.0.0.1",
            self._port,
        )
        try:
            await asyncio.wait_for(self._answers.get(), ANSWER_SECONDS)
            for number in count():
                key, began = f"measured-{number}", time.perf_counter()
                socket.send(msgspec.json.encode({"key": key, "whole": True}))
                try:
                    await asyncio.wait_for(self._answer_to(key.encode()), ANSWER_SECONDS)
                    self.live.append(time.perf_counter() - began)
                except TimeoutError:
                    self.missing += 1
                    self.live.append(ANSWER_SECONDS)
                await asyncio.sleep(REQUEST_SECONDS)
        finally:
            socket.close()

    async def _answer_to(self, key: bytes) -> None:
        while key not in await self._answers.get():
            pass

    async def _open_connections(self) -> None:
        request = self._request("/health")
        while True:
            try:
                await asyncio.wait_for(self._open_connection(request), ANSWER_SECONDS)
            except (OSError, TimeoutError, EOFError):
                pass
            else:
                self._answered_at = time.monotonic()
            await asyncio.sleep(NEW_SECONDS)

    async def _open_connection(self, request: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            await _exchange(reader, writer, request)
        finally:
            writer.close()

    def look(self) -> None:
        """Note how long no new connection was answered."""
        self.longest_gap = max(self.longest_gap, time.monotonic() - self._answered_at)

    def _request(self, path: str) -> bytes:
        head = f"host: 127.0.0.1:{self._port}\r\nauthorization: Bearer {self._seat.token}"
        return f"GET {path} HTTP/1.1\r\n{head}\r\n\r\n".encode()


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> None:
    """Send a request and read its whole answer, which must be good."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.partition(b":")[2]))
    if not head.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"a request was refused: {head!r}")


async def _watch(player: MeasuredPlayer, server: ServerProcess, seconds: float) -> int:
    """Let a player play for some seconds, and return the most memory of the server."""
    memory, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        player.look()
        memory = max(memory, server.memory())
        await asyncio.sleep(LOOK_SECONDS)
    return memory


async def _attack(server: ServerProcess, seat: SeatedPlayer, job: HostileJob, span: float) -> HostileFigures:
    hostile, player = WorkerProcess("bench.hostile_clients", []).wait(), MeasuredPlayer(server.port, seat)
    playing = asyncio.ensure_future(player.run())
    await _watch(player, server, BEFORE)
    player.clear()
    hostile.send(msgspec.json.encode(job).decode())
    memory = await _watch(player, server, span)
    hostile.send("")
    memory = max(memory, await _watch(player, server, AFTER))
    if playing.done():
        playing.result()
    playing.cancel()
    await asyncio.wait((playing,))
    counts = hostile.answer(HostileCounts)
    hostile.close()
    return HostileFigures(player.http, player.live, player.longest_gap, memory, player.missing, counts)


def measure_attack(
    kind: HostileKind, connections: int = CONNECTIONS, span: float = SPAN, seats: int = SEATS
) -> HostileFigures:
    """Measure one kind of attack on a house with the default limits."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        people = set_up_house(folder / "house.db", seats)
        command = fourcard_command(
            "serve", "--house", "--database", folder / "house.db", "--port", port, "--pace", 0
        )
        tokens = tuple(each.token for each in people[1:])
        job = HostileJob(kind, port, people[0].table, tokens, connections)
        with running_server(command, port, folder / "server.log") as server:
            server.await_solver()
            return asyncio.run(_attack(server, people[0], job, span))


def hostile_connections(
    connections: int = CONNECTIONS, span: float = SPAN, kinds: tuple[HostileKind, ...] = get_args(HostileKind)
) -> Figures:
    """Measure every kind of attack, one row each."""
    figures = table_of(
        f"{connections:,} hostile connections to `fourcard serve --house` for {span:.0f} s; limits: "
        f"p99 {P99_LIMIT * 1000:.0f} ms, {MEMORY_LIMIT / 1e6:.0f} MB, a new connection in {GAP_LIMIT:.0f} s",
        "what",
        "p50 HTTP, live ms",
        "p99 HTTP, live ms",
        "longest wait for a new connection, s",
        "server, MB",
        "opened",
        "closed by the server",
        "within the limits",
    )
    for kind in kinds:
        found = measure_attack(kind, connections, span)
        figures.add_row(
            kind,
            _milliseconds(found, 0.5),
            _milliseconds(found, 0.99),
            f"{found.longest_gap:.1f}",
            f"{found.memory / 1e6:.0f}",
            f"{found.counts.opened:,}",
            f"{found.counts.closed:,}",
            "yes" if found.is_good else "no",
        )
    return figures


def _milliseconds(found: HostileFigures, share: float) -> str:
    return f"{quantile(found.http, share) * 1000:.1f}, {quantile(found.live, share) * 1000:.1f}"

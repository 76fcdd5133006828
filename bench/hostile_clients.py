"""Hostile clients: a separate process that opens many connections and never finishes what it sends.

The connections come from many addresses of this machine (127.0.1.1 and on), as an attack from many machines
would. A connection that the server closes is opened again after a moment.
"""

import asyncio
import os
import sys
from base64 import b64encode
from typing import Literal

import msgspec

from bench.measurement import READY

HostileKind = Literal["silent", "slow heads", "slow bodies", "slow fragments", "fragments"]
PER_ADDRESS = 50
"""Connections from one address."""
AGAIN_SECONDS = 1.0
"""Seconds until a closed connection is opened again, and between two bytes of a slow one."""
FAST, SLOW = (0.25, 65_536), (1.0, 512)
"""Seconds between the fragments of a message that never ends, and their size in bytes."""
BODY_BYTES = 100_000
FIRST_FRAGMENT, NEXT_FRAGMENT = 0x01, 0x00
"""First byte of a fragment that is not the last: of a text, and of what continues it."""
MASKED_64 = 0xFF
NO_MASK = bytes(4)
OPENING_AT_ONCE = 100


class HostileJob(msgspec.Struct, frozen=True):
    """What hostile clients do: to which table, with whose sign-ins, and how many there are."""

    kind: HostileKind
    port: int
    table: str
    tokens: tuple[str, ...]
    connections: int


class HostileCounts(msgspec.Struct):
    """How many connections were opened and were closed by the server so far."""

    opened: int = 0
    closed: int = 0


class HostileClient:
    """One connection after another from one address."""

    def __init__(self, job: HostileJob, number: int, counts: HostileCounts, gate: asyncio.Semaphore) -> None:
        """Take the job, the number of this client, and what all of them share."""
        self._job, self._counts, self._gate = job, counts, gate
        place = number // PER_ADDRESS
        self._source = f"127.0.{1 + place // 250}.{1 + place % 250}"
        self._token = job.tokens[number % len(job.tokens)]

    async def run(self) -> None:
        """Connect again and again until cancelled."""
        while True:
            try:
                await self._connect()
            except OSError:
                self._counts.closed += 1
            await asyncio.sleep(AGAIN_SECONDS)

    async def _connect(self) -> None:
        async with self._gate:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self._job.port, local_addr=(self._source, 0)
            )
        self._counts.opened += 1
        ended = asyncio.ensure_future(reader.read(-1))
        attack = asyncio.ensure_future(self._attack(writer))
        try:
            await asyncio.wait((ended, attack), return_when=asyncio.FIRST_COMPLETED)
            self._counts.closed += 1
        finally:
            for each in (ended, attack):
                each.cancel()
            await asyncio.gather(ended, attack, return_exceptions=True)
            writer.transport.abort()

    async def _attack(self, writer: asyncio.StreamWriter) -> None:
        kind, host = self._job.kind, f"127.0.0.1:{self._job.port}"
        path = f"/api/tables/{self._job.table}"
        head = f"host: {host}\r\nauthorization: Bearer {self._token}\r\n"
        if kind == "silent":
            await asyncio.Event().wait()
        elif kind == "slow heads":
            await self._repeat(writer, f"GET / HTTP/1.1\r\n{head}x-slow: ".encode(), b"x")
        elif kind == "slow bodies":
            sized = f"{head}content-type: application/json\r\ncontent-length: {BODY_BYTES}\r\n\r\n"
            await self._repeat(writer, f"POST {path}/commands HTTP/1.1\r\n{sized}".encode(), b" ")
        else:
            key = b64encode(os.urandom(16)).decode()
            upgrade = f"{head}upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
            request = f"GET {path}/live HTTP/1.1\r\n{upgrade}sec-websocket-key: {key}\r\n\r\n".encode()
            await self._fragment(writer, request, *(FAST if kind == "fragments" else SLOW))

    @staticmethod
    async def _repeat(writer: asyncio.StreamWriter, first: bytes, then: bytes) -> None:
        writer.write(first)
        while True:
            await writer.drain()
            await asyncio.sleep(AGAIN_SECONDS)
            writer.write(then)

    @staticmethod
    async def _fragment(writer: asyncio.StreamWriter, request: bytes, pause: float, count: int) -> None:
        writer.write(request)
        kind, rest = FIRST_FRAGMENT, bytes((MASKED_64,)) + count.to_bytes(8, "big") + NO_MASK + b"x" * count
        while True:
            await asyncio.sleep(pause)
            writer.write(bytes((kind,)) + rest)
            await writer.drain()
            kind = NEXT_FRAGMENT


async def _run(job: HostileJob) -> HostileCounts:
    """Attack until standard input ends or has another line."""
    counts, gate = HostileCounts(), asyncio.Semaphore(OPENING_AT_ONCE)
    clients = [
        asyncio.ensure_future(HostileClient(job, number, counts, gate).run())
        for number in range(job.connections)
    ]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for each in clients:
        each.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    return counts


def main() -> None:
    """Take one job from standard input."""
    print(READY, flush=True)
    job = msgspec.json.decode(sys.stdin.readline(), type=HostileJob)
    print(msgspec.json.encode(asyncio.run(_run(job))).decode(), flush=True)


if __name__ == "__main__":
    main()

"""Asks a server over and over on some connections, as a process of its own; each asks again when answered.

It writes requests that were made beforehand and reads of each answer no more than where it ends, so that
nearly all of the time is the server's; what it computes itself is told with the rest.
"""

import asyncio
import re
import sys
import time
from collections import Counter
from itertools import count
from typing import cast

import msgspec
import uvloop

from bench.children import READY

HEAD_ENDS = b"\r\n\r\n"
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
KEY = b"@KEY@"
"""Stands in a request for a key that no other request has."""
WARM = 0.3


class Job(msgspec.Struct, frozen=True):
    """What is asked where, on how many connections, and for how long, in seconds."""

    port: int
    request: bytes
    connections: int
    span: float


class Asked(msgspec.Struct, frozen=True):
    """What came of it."""

    requests: int
    span: float
    cpu: float
    statuses: dict[int, int]
    times: list[float]
    """Seconds from each request to its answer."""


class Tally:
    """What all connections counted."""

    def __init__(self, request: bytes) -> None:
        """Begin with nothing."""
        self._request, self._keys, self._keyed = request, count(), KEY in request
        self.statuses, self.times = Counter[int](), list[float]()

    def next(self) -> bytes:
        """Return the next request, the same length whatever its key."""
        if not self._keyed:
            return self._request
        return self._request.replace(KEY, b"%05d" % (next(self._keys) % 100_000))

    def clear(self) -> None:
        """Forget what was counted while everything warmed up."""
        self.statuses.clear()
        self.times.clear()


class Connection(asyncio.Protocol):
    """One connection that asks again as soon as it is answered."""

    def __init__(self, tally: Tally) -> None:
        """Count with the others."""
        self._tally, self._got, self._sent = tally, b"", 0.0
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the first time."""
        self._transport = cast("asyncio.WriteTransport", transport)
        self._ask()

    def data_received(self, data: bytes) -> None:
        """Count an answer once all of it is there, and ask again."""
        self._got += data
        end = self._got.find(HEAD_ENDS)
        if end < 0:
            return
        found = LENGTH.search(self._got, 0, end)
        if found is None or len(self._got) < end + len(HEAD_ENDS) + int(found[1]):
            return
        self._tally.times.append(time.perf_counter() - self._sent)
        self._tally.statuses[int(self._got[9:12])] += 1
        self._got = b""
        self._ask()

    def _ask(self) -> None:
        assert self._transport is not None
        self._sent = time.perf_counter()
        self._transport.write(self._tally.next())

    def close(self) -> None:
        """Ask no more."""
        if self._transport is not None:
            self._transport.close()


async def ask(job: Job) -> Asked:
    """Ask for as long as the job says."""
    tally, loop = Tally(job.request), asyncio.get_running_loop()
    connections = [Connection(tally) for _ in range(job.connections)]
    for connection in connections:
        await loop.create_connection(lambda each=connection: each, "127.0.0.1", job.port)  # type: ignore[misc]
    await asyncio.sleep(WARM)
    tally.clear()
    begin, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(job.span)
    span, used = time.perf_counter() - begin, time.process_time() - cpu
    answered = Asked(len(tally.times), span, used, dict(tally.statuses), tally.times)
    for connection in connections:
        connection.close()
    await asyncio.sleep(0)
    return answered


def main() -> None:
    """Do every job that comes in on a line."""
    print(READY, flush=True)
    for line in sys.stdin:
        answered = uvloop.run(ask(msgspec.json.decode(line, type=Job)))
        print(msgspec.json.encode(answered).decode(), flush=True)


if __name__ == "__main__":
    main()

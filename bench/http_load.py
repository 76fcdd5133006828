"""HTTP load generator, run as a separate process: repeats a request on several connections.

It sends prepared requests and parses only the length of each response, so nearly all of the time is the
server's. Its own CPU time is reported too.
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

from bench.measurement import READY

HEAD_ENDS = b"\r\n\r\n"
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
KEY = b"@KEY@"
"""Placeholder in a request for a unique key."""
WARM = 0.3
MAX_TIMES = 3_000
"""The most times that a result has, so that it stays a short line."""


class LoadJob(msgspec.Struct, frozen=True):
    """The request, the server's port, the number of connections, and the duration in seconds."""

    port: int
    request: bytes
    connections: int
    span: float


class LoadResult(msgspec.Struct, frozen=True):
    """The result of a job."""

    requests: int
    span: float
    cpu: float
    statuses: dict[int, int]
    times: list[float]
    """Seconds from a request to its response, for evenly chosen ones of them."""


class LoadCounts:
    """The counts of all connections."""

    def __init__(self, request: bytes) -> None:
        """Start with empty counts."""
        self._request, self._keys, self._keyed = request, count(), KEY in request
        self.statuses, self.times = Counter[int](), list[float]()

    def next_request(self) -> bytes:
        """Return the next request, the same length whatever its key."""
        if not self._keyed:
            return self._request
        return self._request.replace(KEY, b"%05d" % (next(self._keys) % 100_000))

    def clear(self) -> None:
        """Clear the counts of the warm-up."""
        self.statuses.clear()
        self.times.clear()


class LoadConnection(asyncio.Protocol):
    """One connection that sends the next request as soon as a response arrives."""

    def __init__(self, tally: LoadCounts) -> None:
        """Share the counts with the other connections."""
        self._tally, self._received, self._sent_at = tally, b"", 0.0
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self._transport = cast("asyncio.WriteTransport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        """Count a complete response, and send the next request."""
        self._received += data
        end = self._received.find(HEAD_ENDS)
        if end < 0:
            return
        found = LENGTH.search(self._received, 0, end)
        if found is None or len(self._received) < end + len(HEAD_ENDS) + int(found[1]):
            return
        self._tally.times.append(time.perf_counter() - self._sent_at)
        self._tally.statuses[int(self._received[9:12])] += 1
        self._received = b""
        self._send()

    def _send(self) -> None:
        assert self._transport is not None
        self._sent_at = time.perf_counter()
        self._transport.write(self._tally.next_request())

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


async def run_job(job: LoadJob) -> LoadResult:
    """Send requests for the duration of a job."""
    tally, loop = LoadCounts(job.request), asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(lambda: LoadConnection(tally), "127.0.0.1", job.port))[1]
        for _ in range(job.connections)
    ]
    await asyncio.sleep(WARM)
    tally.clear()
    begin, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(job.span)
    span, used = time.perf_counter() - begin, time.process_time() - cpu
    chosen = [round(each, 6) for each in tally.times[:: 1 + len(tally.times) // MAX_TIMES]]
    answered = LoadResult(len(tally.times), span, used, dict(tally.statuses), chosen)
    for connection in connections:
        connection.close()
    await asyncio.sleep(0)
    return answered


def main() -> None:
    """Run every job that arrives as a line on standard input."""
    print(READY, flush=True)
    for line in sys.stdin:
        answered = uvloop.run(run_job(msgspec.json.decode(line, type=LoadJob)))
        print(msgspec.json.encode(answered).decode(), flush=True)


if __name__ == "__main__":
    main()

"""Arrivals: few new live connections start at the same time, so that a crowd of them delays no player.

A new live connection costs as much as many messages: it is identified, gets an account and a whole table.
Those that wait have an open connection but no answer yet.
"""

import asyncio
from contextlib import suppress
from typing import Any

ARRIVALS_AT_ONCE = 16
"""Enough that a crowd starts as fast as without a limit; most of an arrival is waiting for the store."""
ARRIVAL_KEY = "fourcard_arrival"
"""Where the scope of a live connection keeps its `Arrival`."""


class Arrival:
    """The start of one live connection; it ends when its first message is ready, or with the connection."""

    def __init__(self, gate: asyncio.Semaphore) -> None:
        """Take what all arrivals of the process share."""
        self._gate, self._inside = gate, False

    async def begin(self) -> None:
        """Wait for its turn."""
        await self._gate.acquire()
        self._inside = True

    def end(self) -> None:
        """Let the next one start."""
        if self._inside:
            self._inside = False
            self._gate.release()


def end_arrival(scope: Any) -> None:
    """Say that a live connection has started."""
    with suppress(KeyError):
        scope[ARRIVAL_KEY].end()

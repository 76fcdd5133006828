"""Live connections: a limit per person, close reasons, and closing all of them at shutdown."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import msgspec

GOODBYE = 1.0
"""Seconds allowed to send a close reason to a client."""


class Goodbye(msgspec.Struct, frozen=True):
    """WebSocket close code and reason, as sent to the client."""

    code: int
    reason: str


NOT_SIGNED_IN = Goodbye(4401, "You are not signed in, or your sign-in has ended.")
NOT_OURS = Goodbye(4403, "The request comes from another site.")
NO_TABLE = Goodbye(4404, "There is no table with this name.")
TOO_MANY = Goodbye(4429, "Too many connections.")
TOO_BIG = Goodbye(1009, "The message is too large.")
UNFIT = Goodbye(1008, "Too many messages were invalid or came too fast.")
FAULT = Goodbye(1011, "The house had an internal error.")
UNREACHED = Goodbye(1011, "The house cannot be reached right now.")
CLOSING = Goodbye(1012, "The house is closing.")


class Connection(Protocol):
    """A live connection."""

    def end(self, goodbye: Goodbye) -> None:
        """Ask the connection to close."""
        ...

    async def ended(self) -> None:
        """Wait until it is closed."""
        ...


class Connections:
    """Registry of live connections: counts them per person and closes them at shutdown."""

    def __init__(self) -> None:
        """Start with no connections."""
        self.closed = False
        self._count: Counter[str] = Counter()
        self._open: set[Connection] = set()

    def refused(self, person: str, most: int) -> Goodbye | None:
        """Return why a person cannot open another connection, or None."""
        if self.closed:
            return CLOSING
        return TOO_MANY if self._count[person] >= most else None

    @contextmanager
    def counted(self, person: str) -> Iterator[None]:
        """Count a connection of a person while it lasts."""
        self._count[person] += 1
        try:
            yield
        finally:
            self._count[person] -= 1
            if not self._count[person]:
                del self._count[person]

    @contextmanager
    def kept(self, connection: Connection) -> Iterator[None]:
        """Register a connection while it lasts."""
        self._open.add(connection)
        try:
            yield
        finally:
            self._open.discard(connection)

    async def close(self) -> None:
        """Close every connection and refuse new ones; pages reconnect when the house is back."""
        self.closed = True
        open_now = tuple(self._open)
        for each in open_now:
            each.end(CLOSING)
        await asyncio.gather(*(each.ended() for each in open_now))

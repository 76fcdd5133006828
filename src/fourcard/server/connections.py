"""All live connections: how many each person has, why one is closed, and the end of all with the house."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import msgspec

GOODBYE = 1.0
"""Seconds in which a connection can be told why it is closed."""


class Goodbye(msgspec.Struct, frozen=True):
    """Why a live connection is closed, as the client gets it."""

    code: int
    reason: str


NOT_SIGNED_IN = Goodbye(4401, "Nobody has signed in, or the sign-in has ended.")
NOT_OURS = Goodbye(4403, "The request comes from another site.")
NO_TABLE = Goodbye(4404, "There is no table of that name.")
TOO_MANY = Goodbye(4429, "Too many connections of one person.")
TOO_BIG = Goodbye(1009, "The message is too large.")
UNFIT = Goodbye(1008, "Too many messages could not be read, or came too fast.")
FAULT = Goodbye(1011, "The house met a fault of its own.")
UNREACHED = Goodbye(1011, "The house cannot be reached now.")
CLOSING = Goodbye(1012, "The house is closing.")


class Connection(Protocol):
    """A live connection."""

    def end(self, goodbye: Goodbye) -> None:
        """Let the connection end."""
        ...

    async def ended(self) -> None:
        """Wait until it has ended."""
        ...


class Connections:
    """How many live connections each person has, and all of them, to be closed with the house."""

    def __init__(self) -> None:
        """Begin with none."""
        self.closed = False
        self._count: Counter[str] = Counter()
        self._open: set[Connection] = set()

    def refused(self, person: str, most: int) -> Goodbye | None:
        """Return why a person cannot have another connection, or None."""
        if self.closed:
            return CLOSING
        return TOO_MANY if self._count[person] >= most else None

    @contextmanager
    def counted(self, person: str) -> Iterator[None]:
        """Count a connection of a person for as long as it lasts."""
        self._count[person] += 1
        try:
            yield
        finally:
            self._count[person] -= 1
            if not self._count[person]:
                del self._count[person]

    @contextmanager
    def kept(self, connection: Connection) -> Iterator[None]:
        """Keep a connection at hand for as long as it lasts."""
        self._open.add(connection)
        try:
            yield
        finally:
            self._open.discard(connection)

    async def close(self) -> None:
        """Close every connection, and begin none any more; pages come back when the house does."""
        self.closed = True
        going = tuple(self._open)
        for each in going:
            each.end(CLOSING)
        await asyncio.gather(*(each.ended() for each in going))

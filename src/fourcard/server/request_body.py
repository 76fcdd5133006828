"""Request bodies: each must arrive within a time, and unfinished ones share a limited memory."""

import asyncio
from typing import Any

from litestar.exceptions import HTTPException
from litestar.types import Receive

from fourcard.server.error_handlers import BusyError
from fourcard.server.settings import ConnectionLimits

SMALL_BODY = 16_384
"""Bytes of a body that are received however many others are unfinished."""
BUSY_SECONDS = 2
"""Seconds after which a client whose body found no memory should try again."""


class BodyTimeoutError(HTTPException):
    """The body of a request did not arrive in time; the connection is closed with the answer."""

    status_code = 408


class BodyMemory:
    """The memory that the unfinished bodies of all requests hold."""

    def __init__(self, limits: ConnectionLimits) -> None:
        """Start with no bodies."""
        self._most, self.seconds = limits.body_memory, limits.body_seconds
        self._held = 0

    def take(self, count: int, own: int) -> None:
        """Count bytes of a body that holds so many itself, or refuse them."""
        if self._held + count > self._most and own + count > SMALL_BODY:
            raise BusyError("it is receiving too many requests", BUSY_SECONDS)
        self._held += count

    def give_back(self, count: int) -> None:
        """Count bytes that are no longer held."""
        self._held -= count


class TimedBody:
    """Receives one request body."""

    def __init__(self, receive: Receive, memory: BodyMemory) -> None:
        """Start the time of the body."""
        self._receive, self._memory = receive, memory
        self._until = asyncio.get_running_loop().time() + memory.seconds
        self._held, self._complete = 0, False

    async def receive(self) -> Any:
        """Receive the next event; when the time is over the request is refused."""
        if self._complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                event: Any = await self._receive()
        except TimeoutError:
            reason = f"its body did not arrive within {self._memory.seconds:g} seconds"
            raise BodyTimeoutError(detail=reason) from None
        self._complete = not event.get("more_body", False)
        if not self._complete:
            count = len(event.get("body", b""))
            self._memory.take(count, self._held)
            self._held += count
        return event

    def end(self) -> None:
        """Give the memory of the body back when the request has ended."""
        self._memory.give_back(self._held)

"""How the processes of one house hear of each other: what was written, who is ready, who minds a table."""

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[str, int], None]
"""Called with a stream and its sequence, from any thread; without a stream anything may have moved."""
Readied = Callable[[str, str, int], None]
"""Called with a table, a player and the number of the round, from any thread; without a table somebody who
begins to listen asks who is ready."""


class Bus(Protocol):
    """What a process says to the others and hears from them."""

    def start(self, heard: Heard, readied: Readied) -> None:
        """Begin to listen."""
        ...

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell every process, this one too, that a player is content that bets close in a round."""
        ...

    def lease(self, table: str) -> bool:
        """Say at once whether this process minds a table, and want it from now on.

        At most one process minds it, until it ends or loses its connection.
        """
        ...

    def close(self) -> None:
        """Stop listening, and mind nothing any more."""
        ...


class OnlyProcess:
    """The bus of a house that one process serves alone: it minds every table, and hears nobody else."""

    def __init__(self) -> None:
        """Begin with nobody listening."""
        self._readied: Readied | None = None

    def start(self, _heard: Heard, readied: Readied) -> None:
        """Begin to listen."""
        self._readied = readied

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell this process that a player is ready."""
        if self._readied is not None:
            self._readied(table, player, number)

    def lease(self, _table: str) -> bool:
        """Mind every table."""
        return True

    def close(self) -> None:
        """Stop."""
        self._readied = None

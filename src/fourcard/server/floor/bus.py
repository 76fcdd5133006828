"""Bus between the processes of one house: commits, ready players, ended and tried sign-ins, table leases."""

from collections.abc import Callable
from typing import Protocol

from fourcard.house.store.interface import PersonKind

OnCommit = Callable[[str, int], None]
"""Called with a stream and its sequence, from any thread; an empty stream means anything may have changed."""
OnReady = Callable[[str, str, int], None]
"""Called with a table, a player and a round number, from any thread; an empty table asks who is ready."""

OnRevoked = Callable[[PersonKind, str], None]
"""Called with a person whose sign-ins another process has ended, from any thread."""
OnAttempt = Callable[[PersonKind, str, bool], None]
"""Called with a person whose password is tried at another process, and whether it counts as failed."""


class Bus(Protocol):
    """Messages between the processes of a house."""

    def start(
        self, on_commit: OnCommit, on_ready: OnReady, on_revoked: OnRevoked, on_attempt: OnAttempt
    ) -> None:
        """Start listening."""
        ...

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell every process, including this one, that a player is done betting in a round."""
        ...

    def attempt(self, kind: PersonKind, person: str, failed: bool) -> None:
        """Tell every other process that a person's password is tried, so that all count together."""
        ...

    def lease(self, table: str) -> bool:
        """Return at once whether this process holds the lease of a table; keep trying to get it.

        At most one process holds it, until it ends or loses its connection.
        """
        ...

    def close(self) -> None:
        """Stop listening and release every lease."""
        ...


class SingleProcessBus:
    """Bus of a house with a single process: it holds every lease and hears from nobody else."""

    def __init__(self) -> None:
        """Start without a listener."""
        self._on_ready: OnReady | None = None

    def start(
        self, _on_commit: OnCommit, on_ready: OnReady, _on_revoked: OnRevoked, _on_attempt: OnAttempt
    ) -> None:
        """Start listening."""
        self._on_ready = on_ready

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell this process that a player is ready."""
        if self._on_ready is not None:
            self._on_ready(table, player, number)

    def attempt(self, _kind: PersonKind, _person: str, _failed: bool) -> None:
        """Tell nobody: there is no other process."""

    def lease(self, _table: str) -> bool:
        """Hold every lease."""
        return True

    def close(self) -> None:
        """Stop listening."""
        self._on_ready = None

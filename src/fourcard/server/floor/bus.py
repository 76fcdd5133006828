"""Bus between the processes of one house: commits, ready players, ended and tried sign-ins, table leases."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from fourcard.house.auth.sign_in import AttemptOutcome
from fourcard.house.commands import PersonKind

OnCommit = Callable[[str, int], None]
"""Called with a stream and its sequence, from any thread; an empty stream means anything may have changed."""
OnReady = Callable[[str, str, int], None]
"""Called with a table, a player and a round number, from any thread; an empty table asks who is ready."""

OnRevoked = Callable[[PersonKind, str], None]
"""Called with a person whose sign-ins another process has ended, from any thread."""
OnAttempt = Callable[[PersonKind, str, str, AttemptOutcome], None]
"""Called with a person whose password is tried at another process, and whether it counts as failed."""
OnMoved = Callable[[str], None]
"""Called with a table that another worker takes over together with its viewers, from any thread."""


class WorkerSockets(msgspec.Struct, frozen=True):
    """The sockets by which the workers of a machine reach each other, each named by its process number."""

    folder: Path
    """A folder that only the user of the workers can open."""
    number: int

    def path(self, number: int) -> Path:
        """Return the socket of a worker."""
        return self.folder / str(number)

    def reaches(self, number: int) -> bool:
        """Say whether a process is another worker of this machine."""
        return number != self.number and self.path(number).exists()


def new_process_number() -> int:
    """Return a number by which the processes of a house tell one from another."""
    return 1 + secrets.randbits(30)


class Bus(Protocol):
    """Messages between the processes of a house."""

    def start(
        self,
        on_commit: OnCommit,
        on_ready: OnReady,
        on_revoked: OnRevoked,
        on_attempt: OnAttempt,
        on_moved: OnMoved,
    ) -> None:
        """Start listening."""
        ...

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell every process, including this one, that a player is done betting in a round."""
        ...

    def attempt(self, kind: PersonKind, person: str, address: str, outcome: AttemptOutcome) -> None:
        """Tell every other process that a person's password is tried, so that all count together."""
        ...

    def lease(self, table: str) -> bool:
        """Return at once whether this process holds the lease of a table; keep trying to get it.

        At most one process holds it, until it ends or loses its connection.
        """
        ...

    def view(self, table: str, viewed: bool) -> None:
        """Say whether this process has viewers of a table: its lease follows them."""
        ...

    def holder(self, table: str) -> int | None:
        """Return the number of the process that holds the lease of a table, if that is known."""
        ...

    def look_again(self) -> None:
        """Look soon who holds which lease."""
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
        self,
        _on_commit: OnCommit,
        on_ready: OnReady,
        _on_revoked: OnRevoked,
        _on_attempt: OnAttempt,
        _on_moved: OnMoved,
    ) -> None:
        """Start listening."""
        self._on_ready = on_ready

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell this process that a player is ready."""
        if self._on_ready is not None:
            self._on_ready(table, player, number)

    def attempt(self, _kind: PersonKind, _person: str, _address: str, _outcome: AttemptOutcome) -> None:
        """Tell nobody: there is no other process."""

    def lease(self, _table: str) -> bool:
        """Hold every lease."""
        return True

    def view(self, _table: str, _viewed: bool) -> None:
        """Tell nobody: no lease goes elsewhere."""

    def holder(self, _table: str) -> int | None:
        """Name no process: there is only this one."""
        return None

    def look_again(self) -> None:
        """Keep every lease."""

    def close(self) -> None:
        """Stop listening."""
        self._on_ready = None

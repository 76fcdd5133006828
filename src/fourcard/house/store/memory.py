"""A store in memory, for simulations and tests: the same promises as a database, gone with the program."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fourcard.house.store.contract import StoreError
from fourcard.house.store.memory_session import MemorySession
from fourcard.house.store.memory_tables import Kept

PATIENCE = 10.0
"""How many seconds a writer waits for the one before."""


class MemoryStore:
    """Keeps a house as long as the program runs; closing it loses nothing, so that a restart can be tried."""

    def __init__(self, name: str = "the store in memory") -> None:
        """Begin empty."""
        self.name = name
        self._kept = Kept()
        self._writers = threading.Lock()
        self._moment = threading.Lock()
        self._views = 0

    @contextmanager
    def reading(self) -> Iterator[MemorySession]:
        """Open a view of one moment, which later writers leave alone."""
        with self._moment:
            self._views += 1
            self._kept.share(shared=True)
            view = MemorySession(self._kept)
        try:
            yield view
        finally:
            with self._moment:
                self._views -= 1
                if not self._views:
                    self._kept.share(shared=False)

    @contextmanager
    def writing(self) -> Iterator[MemorySession]:
        """Open a transaction; nobody sees it before it ends well, and nothing of it stays if it does not."""
        if not self._writers.acquire(timeout=PATIENCE):
            raise StoreError(f"{self.name} has been written to by somebody else for too long.")
        try:
            session = MemorySession(self._kept)
            yield session
            session.refuse_after_failure()
            with self._moment:
                session.commit(self._kept)
        finally:
            self._writers.release()

    def close(self) -> None:
        """Let go of nothing: there are no files and no connections."""

"""Memory store, for simulations and tests: the same guarantees as a database, lost with the process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fourcard.house.store.contract import StoreError
from fourcard.house.store.memory_session import MemorySession
from fourcard.house.store.memory_tables import Kept

PATIENCE = 10.0
"""Seconds that a writer waits for the one before."""


class MemoryStore:
    """Keeps a house while the program runs; closing it loses nothing, so tests can restart a house."""

    def __init__(self, name: str = "the store in memory") -> None:
        """Start empty."""
        self.name = name
        self._kept = Kept()
        self._writers = threading.Lock()
        self._moment = threading.Lock()
        self._views = 0

    @contextmanager
    def reading(self) -> Iterator[MemorySession]:
        """Open a read transaction of one moment; later writers do not change it."""
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
        """Open a write transaction; nobody sees it before it commits, and an error leaves no trace."""
        if not self._writers.acquire(timeout=PATIENCE):
            raise StoreError(f"{self.name} is busy: another writer has held it for too long.")
        try:
            session = MemorySession(self._kept)
            yield session
            session.refuse_after_failure()
            with self._moment:
                session.commit(self._kept)
        finally:
            self._writers.release()

    def close(self) -> None:
        """Do nothing: there are no files and no connections."""

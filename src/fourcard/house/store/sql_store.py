"""SQL store: its read and write transactions."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import TimeoutError as NoConnectionLeftError

from fourcard.house.store.contract import StoreError
from fourcard.house.store.locking import FileLock
from fourcard.house.store.sql_writing import SqlWriting

PATIENCE = 10.0
"""Seconds that a writer waits for another one of the same process."""
_MOMENT = "SELECT 1 FROM streams LIMIT 1"

Sessions = Callable[[Connection], SqlWriting]


class SqlStore:
    """A house in a database."""

    def __init__(
        self,
        name: str,
        sessions: Sessions,
        reader: Engine,
        writer: Engine | None,
        lock: FileLock | None = None,
    ) -> None:
        """Take engines that are ready; without a writer it only reads, with a lock one writes at a time."""
        self.name = name
        self._sessions = sessions
        self._reader, self._writer = reader, writer
        self._lock, self._turn = lock, threading.Lock() if lock else None
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[SqlWriting]:
        """Open a read transaction of this moment."""
        with self._connected(self._reader) as connection:
            session = self._sessions(connection)
            connection.exec_driver_sql(_MOMENT)
            try:
                yield session
            finally:
                session.close()

    @contextmanager
    def writing(self) -> Iterator[SqlWriting]:
        """Open a write transaction; it is committed at the end, and rolled back after any error."""
        if self._writer is None:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._in_turn(), self._connected(self._writer) as connection:
            session = self._sessions(connection)
            try:
                with connection.begin():
                    try:
                        yield session
                    finally:
                        session.close()
                    session.refuse_after_failure()
            except BaseException:
                session.given_up()
                raise
            session.committed()

    def close(self) -> None:
        """Close connections and files, and release the lock."""
        if not self._closed:
            self._closed = True
            self._reader.dispose()
            if self._lock:
                self._lock.release()

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        if self._closed:
            raise StoreError(f"{self.name} is closed.")
        try:
            connection = engine.connect()
        except NoConnectionLeftError:
            raise StoreError(f"{self.name} has no free connection: too many requests at once.") from None
        with connection:
            yield connection

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Queue the writers of one file here, where waiting costs nothing."""
        if self._turn is None:
            yield
        elif not self._turn.acquire(timeout=PATIENCE):
            raise StoreError(f"{self.name} is busy: another writer has held it for too long.")
        else:
            try:
                yield
            finally:
                self._turn.release()

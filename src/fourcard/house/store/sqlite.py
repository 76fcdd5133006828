"""SQLite store: one file, one writing process, any number of readers."""

import os
import sqlite3
from functools import partial
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from fourcard.house.store.contract import StoreError
from fourcard.house.store.failures import speak
from fourcard.house.store.locking import FileLock
from fourcard.house.store.migrating import bring_up, is_ready, refuse_unready, version_of
from fourcard.house.store.sql_store import SqlStore
from fourcard.house.store.sqlite_failures import tell_sqlite
from fourcard.house.store.sqlite_session import SqliteSession

PATIENCE = 10.0
"""Seconds that a connection waits for a lock of another one."""
KEPT_OPEN = 20
"""Connections kept open for readers; a server reads with as many threads."""
_BEGIN = "sqlite_begin"


def open_sqlite(given: Path, *, writing: bool) -> SqlStore:
    """Open a file; for writing, create or migrate it."""
    path = _found(given)
    _refuse_impossible(path, writing=writing)
    if not writing:
        return _opened_for_reading(path, str(given))
    lock = FileLock(path)
    try:
        _make(path)
        return _opened_for_writing(path, str(given), lock)
    except BaseException:
        lock.release()
        raise


def _opened_for_reading(path: Path, name: str) -> SqlStore:
    engine = _engine(path, name, writing=False)
    try:
        with engine.connect() as connection:
            refuse_unready(version_of(connection, name), name)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(name, SqliteSession, engine, None)


def _opened_for_writing(path: Path, name: str, lock: FileLock) -> SqlStore:
    engine = _engine(path, name, writing=True)
    # Writers lock before they read, so nobody writes in between.
    writer = engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
    try:
        with writer.begin() as connection:
            if not is_ready(version_of(connection, name), name):
                bring_up(connection)
        _use_log(engine, name)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(name, partial(SqliteSession, known={}), engine, writer, lock)


def _engine(path: Path, name: str, *, writing: bool) -> Engine:
    """Return an engine for a file; without ``writing`` it is read-only."""
    connect = partial(_connect, _address(path, writing=writing))
    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=KEPT_OPEN,
        max_overflow=-1,
        hide_parameters=True,
    )
    speak(engine, name, tell_sqlite)
    event.listen(engine, "connect", _prepare if writing else _prepare_reading)
    event.listen(engine, "begin", _begin)
    return engine


def _use_log(engine: Engine, name: str) -> None:
    """Switch on the write-ahead log, so readers and the writer work side by side; the file remembers it."""
    with engine.connect().execution_options(**{_BEGIN: "SELECT 1"}) as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
    if mode != "wal":
        raise StoreError(
            f"{name} is on a disk without support for a write-ahead log; move it to a local disk."
        )


def _found(given: Path) -> Path:
    """Return the file that a path leads to, through links too, or raise an error."""
    try:
        return given.expanduser().resolve()
    except (RuntimeError, OSError, ValueError):
        raise StoreError(f"{given} does not lead to a file.") from None


def _refuse_impossible(path: Path, *, writing: bool) -> None:
    """Refuse a path that cannot be a database, before anything is touched."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a database.")
    if not writing and not path.exists():
        raise StoreError(f"{path} does not exist.")
    if writing and path.exists() and not os.access(path, os.W_OK):
        raise StoreError(f"{path} cannot be written, because it is read-only.")
    _refuse_second_name(path)
    if not path.parent.is_dir():
        raise StoreError(f"{path} cannot be created, because there is no folder {path.parent}.")


def _refuse_second_name(path: Path) -> None:
    """Refuse a file with several hard links: the lock and the log of a database depend on its name.

    Under another name a second program could write at the same time, and a reader would miss the log.
    """
    count = path.stat().st_nlink if path.exists() else 1
    if count > 1:
        raise StoreError(
            f"{path} is one of {count} names (hard links) of the same file, which cannot be locked safely; "
            "remove the other names first."
        )


def _make(path: Path) -> None:
    """Create a missing file, readable only by its owner, because it will hold secrets."""
    if path.exists():
        return
    try:
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be created: {(error.strerror or 'unknown reason').lower()}."
        ) from None


def _connect(address: str) -> sqlite3.Connection:
    # Transactions are started explicitly, and the pool passes a connection between threads.
    return sqlite3.connect(address, timeout=PATIENCE, check_same_thread=False, isolation_level=None, uri=True)


def _address(path: Path, *, writing: bool) -> str:
    # In a read-only folder SQLite could not create its shared-memory file.
    log = path.with_name(f"{path.name}-wal")
    alone = not writing and not os.access(path.parent, os.W_OK) and not log.exists()
    return f"file:{quote(str(path))}?mode={'rwc' if writing else 'ro'}{'&immutable=1' if alone else ''}"


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -65536")
    # Checkpoints are rare: a page that many commits touch is written back once for all of them. A long log
    # after a copy is truncated again.
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA journal_size_limit = 67108864")


def _prepare_reading(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))

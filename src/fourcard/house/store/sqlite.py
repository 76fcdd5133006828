"""SQLite store: one file, one writing process, any number of readers."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import QueuePool

from fourcard.house.journal import StreamHead
from fourcard.house.ledger import Transfer
from fourcard.house.store import schema
from fourcard.house.store.interface import (
    ConcurrentChangeError,
    OverdrawnError,
    PlayerRound,
    RoundRow,
    SchemaObjects,
    StoreError,
    TableHour,
)
from fourcard.house.store.schema import is_current, migrate, refuse_old_version, schema_version_of
from fourcard.house.store.schema_objects import expected_objects, sqlite_objects
from fourcard.house.store.sql import (
    TAKEN_MESSAGE,
    UNFIT_MESSAGE,
    FileLock,
    SqlStore,
    SqlWriteTransaction,
    install_error_mapper,
    message_for,
)

_LOCKED = "{name} is locked by another program."
_DENIED = "{name} cannot be opened, because access is denied."

_SQLITE_MESSAGES: Mapping[str, str] = {
    "SQLITE_FULL": "{name} cannot be written, because the disk is full.",
    "SQLITE_READONLY": "{name} cannot be written, because it is read-only.",
    "SQLITE_NOTADB": "{name} is not a database.",
    "SQLITE_CORRUPT": "{name} is damaged.",
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_CANTOPEN": "{name} cannot be opened.",
    "SQLITE_PERM": _DENIED,
    "SQLITE_AUTH": _DENIED,
    "SQLITE_IOERR": "{name} cannot be read or written, because of a disk error.",
    "SQLITE_NOMEM": "{name} cannot be used, because it is out of memory.",
    "SQLITE_TOOBIG": UNFIT_MESSAGE,
    "SQLITE_MISMATCH": UNFIT_MESSAGE,
    "SQLITE_CONSTRAINT_DATATYPE": UNFIT_MESSAGE,
}
_TAKEN_CODES = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")
_OVERDRAWN_CODE = "SQLITE_CONSTRAINT_TRIGGER"


def sqlite_error(context: ExceptionContext, name: str) -> StoreError | None:
    """Return the store error for a SQLite error."""
    error = context.original_exception
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorname", "")
    if code == _OVERDRAWN_CODE:
        return OverdrawnError(name)
    if code in _TAKEN_CODES:
        return ConcurrentChangeError(TAKEN_MESSAGE.format(name=name))
    return StoreError(message_for(_SQLITE_MESSAGES, code, name, str(error)))


_json = msgspec.json.Encoder()


ROWS_AT_ONCE = (256, 64, 16, 4, 1)
"""How many rows one statement inserts: few sizes, so that every statement is prepared once."""


class _Insert:
    """Inserts rows of a table, many with one statement."""

    def __init__(self, table: Table, conflict: str = "") -> None:
        """Take a table, and what to do with a row whose key is there already."""
        names = ", ".join(f'"{column.name}"' for column in table.c)
        row = f"({', '.join('?' * len(table.c))})"
        self._statements = {
            size: f"INSERT INTO {table.name} ({names}) VALUES {', '.join([row] * size)} {conflict}"
            for size in ROWS_AT_ONCE
        }

    def batches(self, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield statements with their values."""
        place = 0
        for size, statement in self._statements.items():
            while place + size <= len(rows):
                yield statement, (*chain.from_iterable(rows[place : place + size]),)
                place += size


_INSERT_RECORDS, _INSERT_TRANSFERS = _Insert(schema.events), _Insert(schema.transfers)
_INSERT_ROUNDS, _INSERT_PLAYER_ROUNDS = _Insert(schema.rounds), _Insert(schema.player_rounds)
_EVENT_COLUMNS = ", ".join(f'e."{column.name}"' for column in schema.events.c)
# The cross join makes SQLite use the index for each key, whatever its statistics say.
_FIND_KEYS = (
    f"SELECT {_EVENT_COLUMNS} FROM json_each(?) AS asked CROSS JOIN events AS e "
    "WHERE e.key <> '' AND e.key = json_extract(asked.value, '$[1]') "
    "AND e.stream = json_extract(asked.value, '$[0]')"
)
_FIND_HEADS = (
    "SELECT name, sequence, hash FROM json_each(?) AS asked CROSS JOIN streams ON name = asked.value"
)
_PUT_HEADS = _Insert(
    schema.streams,
    "ON CONFLICT (name) DO UPDATE "
    "SET sequence = excluded.sequence, hash = excluded.hash, commit_id = excluded.commit_id",
)
_ADD_TO_BALANCES = _Insert(
    schema.balances, "ON CONFLICT (account) DO UPDATE SET amount = amount + excluded.amount"
)
_PUT_HOURS = _Insert(schema.hour_totals, "ON CONFLICT (hour, stream) DO UPDATE SET body = excluded.body")
_PUT_EARLIER = _Insert(schema.earlier_totals, "ON CONFLICT (stream, hour) DO UPDATE SET body = excluded.body")


class SqliteTransaction(SqlWriteTransaction):
    """A read or write transaction of a SQLite file."""

    def __init__(self, connection: Connection, known: dict[str, StreamHead] | None = None) -> None:
        """Use a connection; ``known`` are the heads that the only writer of the file remembers."""
        super().__init__(connection)
        self._known: dict[str, StreamHead] = {} if known is None else known

    def committed(self) -> None:
        """Remember the new heads."""
        super().committed()
        self._known.update(self._locked)

    def rolled_back(self) -> None:
        """Forget the heads: a failed commit may have been stored all the same."""
        self._known.clear()

    def schema_objects(self) -> SchemaObjects:
        """Return what the file holds besides rows."""
        return SchemaObjects(expected_objects("sqlite"), sqlite_objects(self._connection))

    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        return self._execute_raw(_FIND_KEYS, (_json.encode(places).decode(),))

    def _lock_exclusive(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        """Return the heads of streams; no other writer can begin before this one ends."""
        known = self._known
        strange = [name for name in names if name not in known]
        found: dict[str, StreamHead] = {}
        if strange:
            rows = self._execute_raw(_FIND_HEADS, (_json.encode(strange).decode(),))
            found = {name: StreamHead(sequence, hash_) for name, sequence, hash_ in rows}
        return {name: known.get(name) or found.get(name) or StreamHead() for name in names}

    def _lock_shared(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        return self._lock_exclusive(names)

    def _insert_records(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._insert(_INSERT_RECORDS, [*rows])

    def _write_heads(self, heads: Mapping[str, StreamHead], commit: int) -> None:
        rows = [(name, head.sequence, head.hash, commit) for name, head in heads.items()]
        self._insert(_PUT_HEADS, rows)

    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        self._insert(_INSERT_TRANSFERS, [*map(msgspec.structs.astuple, transfers)])

    def _put_table_hours(self, rows: Sequence[TableHour]) -> None:
        self._insert(_PUT_HOURS, [(row.hour, row.stream, row.body) for row in rows])
        self._insert(_PUT_EARLIER, [(row.stream, row.hour, row.before) for row in rows if row.before])

    def _insert_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        self._insert(_INSERT_ROUNDS, [*map(msgspec.structs.astuple, rounds)])
        self._insert(_INSERT_PLAYER_ROUNDS, [*map(msgspec.structs.astuple, players)])

    def _add_to_balances(self, units: Mapping[str, int]) -> None:
        self._insert(_ADD_TO_BALANCES, [*units.items()])

    def _insert(self, into: _Insert, rows: Sequence[tuple[Any, ...]]) -> None:
        for statement, values in into.batches(rows):
            self._execute_raw(statement, values)


LOCK_TIMEOUT = 10.0
"""Seconds that a connection waits for a lock of another one."""
POOL_SIZE = 20
"""Connections kept open for readers; a server reads with as many threads."""
_BEGIN = "sqlite_begin"


def open_sqlite(given: Path, *, writing: bool) -> SqlStore:
    """Open a file; for writing, create or migrate it."""
    path = _resolved(given)
    _refuse_impossible(path, writing=writing)
    if not writing:
        return _open_for_reading(path, str(given))
    lock = FileLock(path)
    try:
        _create_file(path)
        return _open_for_writing(path, str(given), lock)
    except BaseException:
        lock.release()
        raise


def copy_sqlite_file(source: Path, target: Path) -> None:
    """Copy a closed or running SQLite file page by page into a new file, readable only by its owner."""
    _create_file(target)
    reading = _address(_resolved(source), writing=False)
    try:
        with closing(_connect(reading)) as house, closing(_connect(_address(target, writing=True))) as copy:
            house.backup(copy)
    except sqlite3.Error as error:
        raise StoreError(f"{source} cannot be copied: {error}.") from None


def _open_for_reading(path: Path, name: str) -> SqlStore:
    engine = _engine(path, name, writing=False)
    try:
        with engine.connect() as connection:
            refuse_old_version(schema_version_of(connection, name), name)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(name, SqliteTransaction, engine, None)


def _open_for_writing(path: Path, name: str, lock: FileLock) -> SqlStore:
    # Writers lock before they read, so nobody writes in between. They use one connection of their own: any
    # other would have to read again every page that was written meanwhile.
    engine = _engine(path, name, writing=True)
    writer = engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
    try:
        with writer.begin() as connection:
            if not is_current(schema_version_of(connection, name), name):
                migrate(connection, SqliteTransaction(connection))
        _use_write_ahead_log(engine, name)
    except BaseException:
        engine.dispose()
        raise
    reader = _engine(path, name, writing=True)
    return SqlStore(name, partial(SqliteTransaction, known={}), reader, writer, lock)


def _engine(path: Path, name: str, *, writing: bool) -> Engine:
    """Return an engine for a file; without ``writing`` it is read-only."""
    connect = partial(_connect, _address(path, writing=writing))
    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,
        pool_size=POOL_SIZE,
        max_overflow=-1,
        hide_parameters=True,
    )
    install_error_mapper(engine, name, sqlite_error)
    event.listen(engine, "connect", _prepare if writing else _prepare_reading)
    event.listen(engine, "begin", _begin)
    return engine


def _use_write_ahead_log(engine: Engine, name: str) -> None:
    """Switch on the write-ahead log, so readers and the writer work side by side; the file remembers it."""
    with engine.connect().execution_options(**{_BEGIN: "SELECT 1"}) as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
    if mode != "wal":
        raise StoreError(
            f"{name} is on a disk without support for a write-ahead log; move it to a local disk."
        )


def _resolved(given: Path) -> Path:
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
    _refuse_hard_links(path)
    if not path.parent.is_dir():
        raise StoreError(f"{path} cannot be created, because there is no folder {path.parent}.")


def _refuse_hard_links(path: Path) -> None:
    """Refuse a file with several hard links: the lock and the log of a database depend on its name.

    Under another name a second program could write at the same time, and a reader would miss the log.
    """
    count = path.stat().st_nlink if path.exists() else 1
    if count > 1:
        raise StoreError(
            f"{path} is one of {count} names (hard links) of the same file, which cannot be locked safely; "
            "remove the other names first."
        )


def _create_file(path: Path) -> None:
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
    return sqlite3.connect(
        address, timeout=LOCK_TIMEOUT, check_same_thread=False, isolation_level=None, uri=True
    )


def _address(path: Path, *, writing: bool) -> str:
    # In a read-only folder SQLite could not create its shared-memory file.
    log = path.with_name(f"{path.name}-wal")
    alone = not writing and not os.access(path.parent, os.W_OK) and not log.exists()
    return f"file:{quote(str(path))}?mode={'rwc' if writing else 'ro'}{'&immutable=1' if alone else ''}"


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    # Checkpoints are rare: a page that many commits touch is written back once for all of them. A long log
    # after a copy is truncated again.
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA journal_size_limit = 67108864")


def _prepare_reading(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))

"""PostgreSQL store: any number of writing processes, which lock streams in one fixed order."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import msgspec
import psycopg
from psycopg import DataError, Error
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, Table, create_engine
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.types import LargeBinary, Text

from fourcard.house.commands import PersonKind
from fourcard.house.journal import GENESIS, StreamHead
from fourcard.house.ledger import Transfer
from fourcard.house.store import schema
from fourcard.house.store.commits import BLOCK
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
from fourcard.house.store.schema_objects import expected_objects, postgres_objects
from fourcard.house.store.sql import (
    TAKEN_MESSAGE,
    UNFIT_MESSAGE,
    SqlStore,
    SqlWriteTransaction,
    install_error_mapper,
    message_for,
)

_UNSURE = "The connection to {name} was lost during a commit, so it is unknown whether it was stored."

_POSTGRES_MESSAGES: Mapping[str, str] = {
    "22": UNFIT_MESSAGE,
    "25006": "{name} cannot be written, because it is read-only.",
    "25P": "{name} ended a transaction that waited too long.",
    "28": "{name} refuses the name or the password.",
    "3D000": "{name} does not exist.",
    "42501": "{name} does not allow this for the user.",
    "42P01": "{name} is not a complete house database.",
    "53100": "{name} cannot be written, because the disk is full.",
    "53200": "{name} cannot be used, because it is out of memory.",
    "53300": "{name} takes no more connections.",
    "55P03": "{name} is locked by another process.",
    "57014": "{name} took too long to answer.",
    "57P": "{name} is shutting down or starting up.",
    "58": "{name} cannot be used, because of a disk error.",
    "XX001": "{name} is damaged.",
    "XX002": "{name} is damaged.",
}
_TAKEN_CODES = ("23505", "40001", "40P01")
"""A row that exists already, and conflicts between two writers."""


def postgres_error(context: ExceptionContext, name: str) -> StoreError | None:
    """Return the store error for a PostgreSQL error."""
    error = context.original_exception
    if not isinstance(error, Error):
        return None
    if context.is_disconnect and context.connection is not None and context.statement is None:
        return StoreError(_UNSURE.format(name=name))
    return driver_error(error, name)


_OVERDRAWN_CODE = "23514"


def driver_error(error: Error, name: str) -> StoreError:
    """Return the store error for a driver error."""
    if error.sqlstate == _OVERDRAWN_CODE:
        return OverdrawnError(name)
    if error.sqlstate in _TAKEN_CODES:
        return ConcurrentChangeError(TAKEN_MESSAGE.format(name=name))
    return StoreError(_message(error, name))


def _message(error: Error, name: str) -> str:
    if error.sqlstate:
        return message_for(
            _POSTGRES_MESSAGES, error.sqlstate, name, error.diag.message_primary or "no reason is given"
        )
    if isinstance(error, DataError):
        return UNFIT_MESSAGE.format(name=name)
    return f"{name} cannot be reached: {_cause(str(error))}."


def _cause(text: str) -> str:
    """Return the cause in a driver's message: the end of its first line."""
    line = text.strip().split("\n", maxsplit=1)[0].rsplit("failed: ", maxsplit=1)[-1]
    return line.replace("FATAL:", "").strip().rstrip(".") or "no reason is given"


def _types(table: Table) -> list[str]:
    kinds = {Text: "text", LargeBinary: "bytea"}
    return [kinds.get(type(column.type), "bigint") for column in table.c]


def _copy(table: Table) -> str:
    return f"COPY {table.name} ({', '.join(column.name for column in table.c)}) FROM STDIN (FORMAT BINARY)"


_FIND_KEYS = (
    f"SELECT {', '.join(f'e.{column.name}' for column in schema.events.c)} "
    "FROM unnest(%b::text[], %b::text[]) AS asked (stream, key) "
    "JOIN events AS e ON e.key = asked.key AND e.stream = asked.stream WHERE e.key <> ''"
)
_INSERT_STREAMS = (
    "INSERT INTO streams (name, sequence, hash) "
    "SELECT name, 0, %b::bytea FROM unnest(%b::text[]) AS new (name) "
    'ORDER BY name COLLATE "C" ON CONFLICT (name) DO NOTHING'
)
_LOCK_EXCLUSIVE = (
    "SELECT name, sequence, hash FROM streams WHERE name = ANY(%b::text[]) ORDER BY name FOR UPDATE"
)
_LOCK_SHARED = "SELECT name, sequence, hash FROM streams WHERE name = ANY(%b::text[]) ORDER BY name FOR SHARE"
_RESERVE_COMMITS = f"SELECT nextval('commit_numbers') * {BLOCK}"
_PASS_COMMITS = f"SELECT setval('commit_numbers', (SELECT coalesce(max(id), 0) / {BLOCK} + 1 FROM commits))"
CHANNEL = "fourcard_streams"
"""Channel on which every commit announces its streams with their new sequences, one a line."""
STREAMS_A_NOTICE = 90
"""A notice holds at most 8,000 bytes; a stream and its sequence take at most 80."""
_UPDATE_HEADS = (
    "WITH done AS (UPDATE streams SET sequence = moved.sequence, hash = moved.hash, commit_id = %b "
    "FROM unnest(%b::text[], %b::bigint[], %b::bytea[]) AS moved (name, sequence, hash) "
    "WHERE streams.name = moved.name RETURNING streams.name, streams.sequence), "
    f"lines AS (SELECT name || ' ' || sequence AS line, row_number() OVER () / {STREAMS_A_NOTICE} AS part "
    "FROM done) "
    f"SELECT pg_notify('{CHANNEL}', string_agg(line, E'\\n')) FROM lines GROUP BY part"
)
REVOCATION_CHANNEL = "fourcard_sign_outs"
"""Channel on which every commit announces the people whose sign-ins it has ended."""
_ANNOUNCE_REVOCATION = f"SELECT pg_notify('{REVOCATION_CHANNEL}', %b)"
_OTHER_PROGRAMS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()"
)
_ADD_TO_BALANCES = (
    "INSERT INTO balances (account, amount) "
    "SELECT account, amount FROM unnest(%b::text[], %b::bigint[]) AS added (account, amount) "
    'ORDER BY account COLLATE "C" '
    "ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount"
)
_PUT_HOURS, _PUT_EARLIER = (
    f"INSERT INTO {name} (hour, stream, body) "
    "SELECT * FROM unnest(%b::bigint[], %b::text[], %b::bytea[]) "
    "ON CONFLICT (hour, stream) DO UPDATE SET body = excluded.body"
    for name in ("hour_totals", "earlier_totals")
)


class PostgresTransaction(SqlWriteTransaction):
    """A read or write transaction of a PostgreSQL database."""

    def __init__(self, connection: Connection, name: str, known: set[str]) -> None:
        """Use a connection; ``known`` are streams that certainly have a row."""
        super().__init__(connection)
        self._name, self._known = name, known

    def refuse_after_failure(self) -> None:
        """Refuse to commit after any error, because PostgreSQL would roll back silently."""
        super().refuse_after_failure()
        if self._driver.info.transaction_status is TransactionStatus.INERROR:
            raise StoreError(f"{self._name} has aborted the transaction, so nothing was stored.")

    def committed(self) -> None:
        """Remember the streams that have a row now."""
        super().committed()
        self._known.update(self._locked)

    def schema_objects(self) -> SchemaObjects:
        """Return what the schema of the house holds besides rows."""
        return SchemaObjects(expected_objects("postgres"), postgres_objects(self._connection))

    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        return self._execute_raw(_FIND_KEYS, ([place[0] for place in places], [place[1] for place in places]))

    def announce_sign_out(self, kind: PersonKind, person: str) -> None:
        """Tell every process, in the same commit, that sign-ins of a person ended."""
        with self._remember_failure():
            self._execute_raw(_ANNOUNCE_REVOCATION, (f"{kind}/{person}",))

    def refuse_other_programs(self) -> None:
        """Refuse while another program uses the database."""
        others = [pid for (pid,) in self._execute_raw(_OTHER_PROGRAMS, ())]
        if others:
            raise StoreError(
                f"{self._name} is in use by {len(others)} other connections of this program; end servers and "
                "commands that use it first."
            )

    def _lock_exclusive(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        """Lock the rows of streams and return their heads.

        New rows come first: nobody waits for another's new row while holding the lock of an old one.
        """
        new = [name for name in names if name not in self._known]
        if new:
            self._execute_raw(_INSERT_STREAMS, (GENESIS, new))
        found = {
            name: StreamHead(sequence, hash_)
            for name, sequence, hash_ in self._execute_raw(_LOCK_EXCLUSIVE, (names,))
        }
        if len(found) < len(names):
            self._known.clear()
            raise ConcurrentChangeError(
                f"A stream of {self._name} is gone; somebody has emptied the database."
            )
        return found

    def _lock_shared(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        """Lock the rows of streams, shared, and return their heads; a stream without a row is at 0."""
        found = {
            name: StreamHead(sequence, hash_)
            for name, sequence, hash_ in self._execute_raw(_LOCK_SHARED, (names,))
        }
        return {name: found.get(name) or StreamHead() for name in names}

    def _insert_records(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._load(schema.events, rows)

    def _write_heads(self, heads: Mapping[str, StreamHead], commit: int) -> None:
        rows = heads.values()
        columns = list(heads), [row.sequence for row in rows], [row.hash for row in rows]
        self._execute_raw(_UPDATE_HEADS, (commit, *columns))

    def _reserve_commits(self) -> int:
        return int(self._execute_raw(_RESERVE_COMMITS, ()).scalar_one())

    def _commits_copied(self) -> None:
        self._execute_raw(_PASS_COMMITS, ())

    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        self._load(schema.transfers, map(msgspec.structs.astuple, transfers))

    def _put_table_hours(self, rows: Sequence[TableHour]) -> None:
        columns = [row.hour for row in rows], [row.stream for row in rows], [row.body for row in rows]
        self._execute_raw(_PUT_HOURS, columns)
        new = [row for row in rows if row.before]
        if new:
            columns = [row.hour for row in new], [row.stream for row in new], [row.before for row in new]
            self._execute_raw(_PUT_EARLIER, columns)

    def _insert_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        self._load(schema.rounds, map(msgspec.structs.astuple, rounds))
        self._load(schema.player_rounds, map(msgspec.structs.astuple, players))

    def _add_to_balances(self, units: Mapping[str, int]) -> None:
        self._execute_raw(_ADD_TO_BALANCES, (list(units), list(units.values())))

    def _load(self, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert many rows with COPY, the fastest way of the driver."""
        try:
            with self._driver.cursor() as cursor, cursor.copy(_COPIES[table.name]) as copy:
                copy.set_types(_TYPES[table.name])
                for row in rows:
                    copy.write_row(row)
        except psycopg.Error as error:
            raise driver_error(error, self._name) from error
        except (OverflowError, UnicodeError) as error:
            raise StoreError(UNFIT_MESSAGE.format(name=self._name)) from error

    @property
    def _driver(self) -> "psycopg.Connection[Any]":
        return cast("psycopg.Connection[Any]", self._connection.connection.driver_connection)


_COPIED = (schema.events, schema.transfers, schema.rounds, schema.player_rounds)
_COPIES = {table.name: _copy(table) for table in _COPIED}
_TYPES = {table.name: _types(table) for table in _COPIED}


_LIMITS = {"lock_timeout": "10s", "statement_timeout": "60s", "idle_in_transaction_session_timeout": "600s"}
_CONNECTING: Mapping[str, Any] = {
    "application_name": "fourcard",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "options": " ".join(f"-c {name}={value}" for name, value in _LIMITS.items()),
}
"""Every wait has a time limit, here and at the server."""
_MIGRATION_LOCK = "SELECT pg_advisory_xact_lock(1718580594)"


def open_postgres(address: str, *, writing: bool) -> SqlStore:
    """Open a database; for writing, create or migrate its tables."""
    url = _url(address)
    name = _name(url)
    engine = _engine(url, name)
    try:
        _prepare(engine, name, writing=writing)
    except BaseException:
        engine.dispose()
        raise
    known: set[str] = set()
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    open_transaction = partial(PostgresTransaction, name=name, known=known)
    return SqlStore(name, open_transaction, reader, engine if writing else None)


def _prepare(engine: Engine, name: str, *, writing: bool) -> None:
    with engine.connect() as connection:
        version = schema_version_of(connection, name)
    if not writing:
        refuse_old_version(version, name)
    elif not is_current(version, name):
        with engine.begin() as connection:
            connection.exec_driver_sql(_MIGRATION_LOCK)
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            if not is_current(schema_version_of(connection, name), name):
                migrate(connection, PostgresTransaction(connection, name, set()))


def _url(address: str) -> URL:
    try:
        return make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The database address is invalid; write it like postgresql://user:password@host/database."
        ) from None


def _name(url: URL) -> str:
    """Return the display name of the database, without user and password."""
    host = url.host or url.query.get("host") or "this machine"
    place = host if isinstance(host, str) else ", ".join(host)
    called = f" {name}" if (name := url.database or url.username) else ""
    return f"PostgreSQL database{called} at {place}{f':{url.port}' if url.port else ''}"


def _engine(url: URL, name: str) -> Engine:
    """Return an engine that detects a broken connection before it is used again."""
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        pool_timeout=10,
        max_overflow=15,
        isolation_level="READ COMMITTED",
        hide_parameters=True,
        connect_args={key: value for key, value in _CONNECTING.items() if key not in url.query},
    )
    install_error_mapper(engine, name, postgres_error)
    return engine

"""PostgreSQL transactions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec
import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Select, Table
from sqlalchemy.types import LargeBinary, Text

from fourcard.house.accounts import Transfer
from fourcard.house.records import GENESIS, Head, Recorded
from fourcard.house.store import schema
from fourcard.house.store.contract import SequenceTakenError, StoreError
from fourcard.house.store.failures import UNFIT
from fourcard.house.store.postgres_failures import told
from fourcard.house.store.sql_writing import SqlWriting


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
_ENSURE = (
    "INSERT INTO streams (name, sequence, hash) "
    "SELECT name, 0, %b::bytea FROM unnest(%b::text[]) AS new (name) "
    'ORDER BY name COLLATE "C" ON CONFLICT (name) DO NOTHING'
)
_HEADS = "SELECT name, sequence, hash FROM streams WHERE name = ANY(%b::text[]) ORDER BY name FOR UPDATE"
_STEADY = "SELECT name, sequence, hash FROM streams WHERE name = ANY(%b::text[]) ORDER BY name FOR SHARE"
CHANNEL = "fourcard_streams"
"""Channel on which every commit announces its streams with their new sequences."""
_MOVE = (
    "WITH done AS (UPDATE streams SET sequence = moved.sequence, hash = moved.hash "
    "FROM unnest(%b::text[], %b::bigint[], %b::bytea[]) AS moved (name, sequence, hash) "
    "WHERE streams.name = moved.name RETURNING streams.name, streams.sequence) "
    f"SELECT pg_notify('{CHANNEL}', name || ' ' || sequence) FROM done"
)
_ADD = (
    "INSERT INTO balances (account, amount) "
    "SELECT account, amount FROM unnest(%b::text[], %b::bigint[]) AS added (account, amount) "
    'ORDER BY account COLLATE "C" '
    "ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount"
)


class PostgresSession(SqlWriting):
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
        self._known.update(self._taken)

    def _to_write_upon(self, asked: Select[Any]) -> Select[Any]:
        """Lock the selected rows in a write transaction, after a wait for other writers."""
        view = self._connection.get_execution_options().get("postgresql_readonly", False)
        return asked if view else asked.with_for_update()

    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        return self._drive(_FIND_KEYS, ([place[0] for place in places], [place[1] for place in places]))

    def _take(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Lock the rows of streams and return their heads.

        New rows come first: nobody waits for another's new row while holding the lock of an old one.
        """
        new = [name for name in names if name not in self._known]
        if new:
            self._drive(_ENSURE, (GENESIS, new))
        found = {name: Head(sequence, hash_) for name, sequence, hash_ in self._drive(_HEADS, (names,))}
        if len(found) < len(names):
            self._known.clear()
            raise SequenceTakenError(f"A stream of {self._name} is gone; somebody has emptied the database.")
        return found

    def _hold(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Lock the rows of streams, shared, and return their heads; a stream without a row is at 0."""
        found = {name: Head(sequence, hash_) for name, sequence, hash_ in self._drive(_STEADY, (names,))}
        return {name: found.get(name) or Head() for name in names}

    def _insert_events(self, events: Sequence[Recorded]) -> None:
        self._load(schema.events, events)

    def _move(self, heads: Mapping[str, Head]) -> None:
        rows = heads.values()
        self._drive(_MOVE, (list(heads), [row.sequence for row in rows], [row.hash for row in rows]))

    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        self._load(schema.transfers, transfers)

    def _add(self, units: Mapping[str, int]) -> None:
        self._drive(_ADD, (list(units), list(units.values())))

    def _load(self, table: Table, rows: Sequence[msgspec.Struct]) -> None:
        """Insert many rows with COPY, the fastest way of the driver."""
        try:
            with self._driver.cursor() as cursor, cursor.copy(_COPIES[table.name]) as copy:
                copy.set_types(_TYPES[table.name])
                for row in rows:
                    copy.write_row(msgspec.structs.astuple(row))
        except psycopg.Error as error:
            raise told(error, self._name) from error
        except (OverflowError, UnicodeError) as error:
            raise StoreError(UNFIT.format(name=self._name)) from error

    @property
    def _driver(self) -> "psycopg.Connection[Any]":
        return cast("psycopg.Connection[Any]", self._connection.connection.driver_connection)


_COPIES = {table.name: _copy(table) for table in (schema.events, schema.transfers)}
_TYPES = {table.name: _types(table) for table in (schema.events, schema.transfers)}

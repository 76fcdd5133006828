"""SQL writes, the same for SQLite and PostgreSQL."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, Executable, Table, TextClause, bindparam, delete, insert, text, update

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store import schema
from fourcard.house.store.contract import Credential, PersonKind, SecurityNote, Snapshot, StoreError, Token
from fourcard.house.store.moves import follow, sums
from fourcard.house.store.sql_reading import Rows, SqlReading


def _putting(table: Table) -> TextClause:
    """Return the statement that inserts a row or replaces the one with the same key."""
    names = [column.name for column in table.c]
    keys = [column.name for column in table.primary_key]
    moved = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    values = ", ".join(f":{name}" for name in names)
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {moved}"
    )


_put_credential, _put_token = _putting(schema.credentials), _putting(schema.tokens)
_put_snapshot = _putting(schema.snapshots)
_keep_secret = insert(schema.secrets)
_forget_secret = delete(schema.secrets).where(
    schema.secrets.c.stream == bindparam("of"), schema.secrets.c.number == bindparam("shuffle")
)
_keep_game = text("INSERT INTO games (hash, body) VALUES (:hash, :body) ON CONFLICT (hash) DO NOTHING")


class SqlWriting(SqlReading):
    """A write transaction of a database; subclasses add what differs between databases."""

    def __init__(self, connection: Connection) -> None:
        """Write to a connection that is inside a transaction."""
        super().__init__(connection)
        self._taken: dict[str, Head] = {}
        self._failed = False

    def refuse_after_failure(self) -> None:
        """Refuse to commit after a refused write, even if somebody caught its error."""
        if self._failed:
            raise StoreError("A write in this transaction was refused, so nothing was stored.")

    def committed(self) -> None:
        """Handle a commit."""

    def given_up(self) -> None:
        """Handle a rollback, or a commit with an unknown result."""

    def heads(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Lock streams for writing until the end, and return their heads."""
        names = sorted(set(streams))
        missing = [name for name in names if name not in self._taken]
        if missing:
            with self._noticing():
                self._taken.update(self._take(missing))
        return {name: self._taken[name] for name in names}

    def steady(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Lock streams against changes until the end, shared with other readers, and return their heads."""
        with self._noticing():
            return self._hold(sorted(set(streams)))

    def append(self, events: Sequence[Recorded]) -> None:
        """Append events to their streams and move the heads; a taken sequence is refused."""
        if events:
            with self._noticing():
                moved = follow(self.heads({event.stream for event in events}), events)
                self._insert_events(events)
                self._move(moved)
                self._taken.update(moved)

    def rewrite_head(self, stream: str) -> None:
        """Write a stream's head again, unchanged, so a commit proves that the store can write."""
        table = schema.streams
        here = update(table).where(table.c.name == stream)
        # A database may skip writing an unchanged value, so it changes and changes back.
        self._write(here.values(sequence=table.c.sequence + 1))
        self._write(here.values(sequence=table.c.sequence - 1))

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add transfers to the ledger and to the balances, each account once."""
        if transfers:
            with self._noticing():
                added = sums(transfers)
                self._insert_transfers(transfers)
                self._add(added)

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Store a pinned game; an existing one stays."""
        self._write(_keep_game, {"hash": hash_, "body": body})

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Store a shuffle's secret until it is revealed."""
        self._write(_keep_secret, {"stream": stream, "number": number, "secret": secret})

    def forget_secret(self, stream: str, number: int) -> None:
        """Delete a secret that the journal has revealed."""
        self._write(_forget_secret, {"of": stream, "shuffle": number})

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing the one before."""
        self._write(_put_snapshot, msgspec.structs.asdict(snapshot))

    def put_credential(self, credential: Credential) -> None:
        """Store a person's credential, replacing the one before."""
        self._write(_put_credential, msgspec.structs.asdict(credential))

    def put_token(self, token: Token) -> None:
        """Store a token, replacing the same one."""
        self._write(_put_token, msgspec.structs.asdict(token))

    def revoke_tokens(self, kind: PersonKind, person: str, at: int) -> int:
        """Revoke every token of a person that is not revoked yet, and return how many."""
        table = schema.tokens
        mine = (table.c.kind == kind, table.c.person == person, table.c.revoked == 0)
        return self._write(update(table).where(*mine).values(revoked=at)).rowcount

    def note_security(self, note: SecurityNote) -> None:
        """Add a note to the security log."""
        self._write(insert(schema.security_log), msgspec.structs.asdict(note))

    def _write(self, query: Executable, parameters: Mapping[str, Any] | None = None) -> Rows:
        with self._noticing():
            return self._ask(query, parameters)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember a failed write, because a database would commit what came before it."""
        try:
            yield
        except StoreError:
            self._failed = True
            raise

    @abstractmethod
    def _take(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Lock streams for writing, in sorted order, and return their heads."""

    @abstractmethod
    def _hold(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Lock streams against changes, in sorted order, and return their heads."""

    @abstractmethod
    def _insert_events(self, events: Sequence[Recorded]) -> None:
        """Add rows to the journal."""

    @abstractmethod
    def _move(self, heads: Mapping[str, Head]) -> None:
        """Write new stream heads."""

    @abstractmethod
    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        """Add rows to the ledger."""

    @abstractmethod
    def _add(self, units: Mapping[str, int]) -> None:
        """Add to balances."""

"""What is written the same way to SQLite and PostgreSQL."""

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
    """Return the statement that puts a row in place of the one with the same key."""
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
    """A transaction of a database; what differs between databases is left to each."""

    def __init__(self, connection: Connection) -> None:
        """Write to a connection that is inside a transaction."""
        super().__init__(connection)
        self._taken: dict[str, Head] = {}
        self._failed = False

    def refuse_after_failure(self) -> None:
        """Refuse to commit what was refused in part, even if somebody caught the refusal."""
        if self._failed:
            raise StoreError("Something in the transaction was refused, so that none of it can be kept.")

    def committed(self) -> None:
        """Learn that everything is kept."""

    def given_up(self) -> None:
        """Learn that nothing is kept, or that nobody knows."""

    def heads(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return where streams stand, and keep other writers off them until the end."""
        names = sorted(set(streams))
        missing = [name for name in names if name not in self._taken]
        if missing:
            with self._noticing():
                self._taken.update(self._take(missing))
        return {name: self._taken[name] for name in names}

    def steady(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return where streams stand, and let nobody move them until the end, though others may look too."""
        with self._noticing():
            return self._hold(sorted(set(streams)))

    def append(self, events: Sequence[Recorded]) -> None:
        """Add events to their streams, each where its stream stands, and move the heads."""
        if events:
            with self._noticing():
                moved = follow(self.heads({event.stream for event in events}), events)
                self._insert_events(events)
                self._move(moved)
                self._taken.update(moved)

    def rewrite_head(self, stream: str) -> None:
        """Write where a stream stands once more, unchanged, so that a commit proves that it can write."""
        table = schema.streams
        here = update(table).where(table.c.name == stream)
        # A database may leave a value out that is already there, so that it changes and changes back.
        self._write(here.values(sequence=table.c.sequence + 1))
        self._write(here.values(sequence=table.c.sequence - 1))

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add movements to the ledger and to the balances, each account once."""
        if transfers:
            with self._noticing():
                added = sums(transfers)
                self._insert_transfers(transfers)
                self._add(added)

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Keep a pinned game; one that is kept already stays."""
        self._write(_keep_game, {"hash": hash_, "body": body})

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Keep the secret of a shuffle until it is revealed."""
        self._write(_keep_secret, {"stream": stream, "number": number, "secret": secret})

    def forget_secret(self, stream: str, number: int) -> None:
        """Forget a secret that has been revealed in the journal."""
        self._write(_forget_secret, {"of": stream, "shuffle": number})

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        self._write(_put_snapshot, msgspec.structs.asdict(snapshot))

    def put_credential(self, credential: Credential) -> None:
        """Keep what a person signs in with, in place of what was there."""
        self._write(_put_credential, msgspec.structs.asdict(credential))

    def put_token(self, token: Token) -> None:
        """Keep a sign-in, in place of the same one."""
        self._write(_put_token, msgspec.structs.asdict(token))

    def revoke_tokens(self, kind: PersonKind, person: str, at: int) -> int:
        """Revoke every sign-in of a person that was not revoked, ended or not, and return how many."""
        table = schema.tokens
        mine = (table.c.kind == kind, table.c.person == person, table.c.revoked == 0)
        return self._write(update(table).where(*mine).values(revoked=at)).rowcount

    def note_security(self, note: SecurityNote) -> None:
        """Add a note to the security log."""
        self._write(insert(schema.security_log), msgspec.structs.asdict(note))

    def _write(self, asked: Executable, given: Mapping[str, Any] | None = None) -> Rows:
        with self._noticing():
            return self._ask(asked, given)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember a failure, because a database would commit what came before it."""
        try:
            yield
        except StoreError:
            self._failed = True
            raise

    @abstractmethod
    def _take(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Return where streams stand, by their names in order, and keep other writers off them."""

    @abstractmethod
    def _hold(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Return where streams stand, by their names in order, and keep them there."""

    @abstractmethod
    def _insert_events(self, events: Sequence[Recorded]) -> None:
        """Add rows to the journal."""

    @abstractmethod
    def _move(self, heads: Mapping[str, Head]) -> None:
        """Write where streams stand now."""

    @abstractmethod
    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        """Add rows to the ledger."""

    @abstractmethod
    def _add(self, units: Mapping[str, int]) -> None:
        """Add to balances."""

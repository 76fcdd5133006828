"""SQL reads, the same for SQLite and PostgreSQL."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Executable,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    text,
)

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store import schema
from fourcard.house.store.contract import Credential, PersonKind, SecurityNote, Snapshot, Token

PAGE = 2000
"""Rows of a long result that are held at a time."""

Rows = CursorResult[*tuple[Any, ...]]

_events = select(schema.events)
_heads = select(schema.streams).where(schema.streams.c.sequence > 0).order_by(schema.streams.c.name)
_token = select(schema.tokens).where(schema.tokens.c.hash == bindparam("wanted"))
_transfers = select(schema.transfers).order_by(*schema.transfers.primary_key)
# It steps from stream to stream along the key; DISTINCT would read the whole journal.
_JOURNAL_STREAMS = text("""
    WITH RECURSIVE found (stream) AS (
        SELECT min(stream) FROM events
        UNION ALL
        SELECT (SELECT min(events.stream) FROM events WHERE events.stream > found.stream)
        FROM found WHERE found.stream IS NOT NULL
    )
    SELECT stream FROM found WHERE stream IS NOT NULL ORDER BY stream
""")
_notes = select(*(column for column in schema.security_log.c if column.name != "id"))


def _of(account: str) -> ColumnElement[bool]:
    """Return the filter for the transfers of an account; a player's account uses the indexes."""
    table = schema.transfers.c
    if not account.startswith("player/"):
        return or_(table.giver == account, table.taker == account)
    giver, taker = (schema.of_players(side) for side in ("giver", "taker"))
    return or_(and_(table.giver == account, giver), and_(table.taker == account, taker))


class SqlReading(ABC):
    """A read transaction of a database, as of its start."""

    def __init__(self, connection: Connection) -> None:
        """Read from a connection that is inside a transaction."""
        self._connection = connection
        self._open: list[Rows] = []

    def close(self) -> None:
        """Close open results, because they would hold the transaction."""
        for result in self._open:
            result.close()

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, Head]:
        """Return the head of every stream with events, or of the named ones."""
        query = _heads if names is None else _heads.where(schema.streams.c.name.in_([*names]))
        return {name: Head(sequence, hash_) for name, sequence, hash_ in self._ask(query)}

    def events(self, stream: str, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of a stream after a sequence, in order."""
        table = schema.events.c
        query = _events.where(table.stream == stream, table.sequence > after).order_by(table.sequence)
        for row in self._rows(query):
            yield Recorded(*row)

    def journal_streams(self) -> Sequence[str]:
        """Return every stream with an event in the journal."""
        return list(self._ask(_JOURNAL_STREAMS).scalars())

    def tally_kinds(self, kinds: Iterable[str]) -> Mapping[tuple[str, str], int]:
        """Return, by stream and kind, the number of events of some kinds."""
        table = schema.events.c
        query = select(table.stream, table.kind, func.count()).where(table.kind.in_([*kinds]))
        rows = self._ask(query.group_by(table.stream, table.kind))
        return {(stream, kind): number for stream, kind, number in rows}

    def answered(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], Recorded]:
        """Return, by stream and key, the first event of each command that was done."""
        query = {place for place in keys if place[1] and "\0" not in place[0] + place[1]}
        if not query:
            return {}
        found = (Recorded(*row) for row in self._find_keys(sorted(query)))
        return {(event.stream, event.key): event for event in found}

    @abstractmethod
    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        """Return the first events of commands, by stream and key."""

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        rows = self._ask(select(schema.games).order_by(schema.games.c.hash))
        return dict(iter(rows))

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game, or None."""
        return self._ask(select(schema.games.c.body).where(schema.games.c.hash == hash_)).scalar()

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a shuffle's secret that is not revealed yet, or None."""
        table = schema.secrets.c
        query = select(table.secret).where(table.stream == stream, table.number == number)
        return self._ask(query).scalar()

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet."""
        query = select(schema.secrets).order_by(*schema.secrets.primary_key)
        return {(stream, number): secret for stream, number, secret in self._ask(query)}

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the newest snapshot of a stream, or None."""
        row = self._ask(select(schema.snapshots).where(schema.snapshots.c.stream == stream)).first()
        return Snapshot(*row) if row else None

    def snapshots(self) -> Sequence[Snapshot]:
        """Return the newest snapshot of every stream, sorted by stream."""
        rows = self._ask(select(schema.snapshots).order_by(schema.snapshots.c.stream))
        return [Snapshot(*row) for row in rows]

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the transfers of one account or all, sorted by stream, sequence and number."""
        for row in self._rows(_transfers if account is None else _transfers.where(_of(account))):
            yield Transfer(*row)

    def balances(self) -> Mapping[str, int]:
        """Return the units in every account; empty accounts are left out."""
        table = schema.balances
        rows = self._ask(select(table).where(table.c.amount != 0).order_by(table.c.account))
        return dict(iter(rows))

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return a person's credential, or None."""
        table = schema.credentials.c
        query = select(schema.credentials).where(table.kind == kind, table.person == person)
        row = self._ask(self._to_write_upon(query)).first()
        return Credential(*row) if row else None

    def _to_write_upon(self, query: Select[Any]) -> Select[Any]:
        """Return a query that also locks its rows in a write transaction."""
        return query

    def credentials(self) -> Sequence[Credential]:
        """Return all credentials, sorted by kind and person."""
        query = select(schema.credentials).order_by(*schema.credentials.primary_key)
        return [Credential(*row) for row in self._ask(query)]

    def token(self, hash_: str) -> Token | None:
        """Return a token by its hash, or None."""
        row = self._ask(_token, {"wanted": hash_}).first()
        return Token(*row) if row else None

    def tokens(self) -> Sequence[Token]:
        """Return every token, sorted by hash."""
        rows = self._ask(select(schema.tokens).order_by(schema.tokens.c.hash))
        return [Token(*row) for row in rows]

    def security_notes(self, last: int = 100) -> Sequence[SecurityNote]:
        """Return the newest notes of the security log, the newest first."""
        query = _notes.order_by(schema.security_log.c.id.desc()).limit(last)
        return [SecurityNote(*row) for row in self._ask(query)]

    def _rows(self, query: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield the rows of a long result, a page at a time."""
        options = {"stream_results": True, "yield_per": PAGE}
        result = self._connection.execute(query, execution_options=options)
        self._open.append(result)
        yield from result
        self._open.remove(result)

    def _ask(self, query: Executable, parameters: Mapping[str, Any] | None = None) -> Rows:
        """Run a statement."""
        return self._connection.execute(query, parameters)

    def _drive(self, query: str, parameters: Any) -> Rows:
        """Run a statement of the driver, once or, with a list, for each of many rows."""
        return self._connection.exec_driver_sql(query, parameters)

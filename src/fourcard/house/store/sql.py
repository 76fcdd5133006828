"""SQL store: reads, writes, errors and the file lock shared by SQLite and PostgreSQL."""

import fcntl
import heapq
import os
import threading
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Engine,
    Executable,
    Select,
    Table,
    TextClause,
    and_,
    bindparam,
    delete,
    event,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import TimeoutError as NoConnectionLeftError

from fourcard.house.commands import PersonKind
from fourcard.house.journal import SEALED_KIND, JournalRecord, StreamHead, events_after
from fourcard.house.ledger import Transfer
from fourcard.house.store import schema
from fourcard.house.store.commits import (
    NO_COMMIT,
    Commit,
    CommitChain,
    SignedHeads,
    Verified,
    decode_heads,
    is_signed,
)
from fourcard.house.store.compression import record_of_row, row_of_record
from fourcard.house.store.interface import (
    MAX_UNITS,
    Credential,
    PartContent,
    PlayerRound,
    RoundQuery,
    RoundRow,
    RowCount,
    SchemaObjects,
    Segment,
    SegmentPart,
    Snapshot,
    StoreError,
    StreamRows,
    TableHour,
    advance_heads,
    balance_deltas,
    refuse_other_part,
    signature_fault,
)
from fourcard.house.store.sealing import SecretFinder, StoreKey, open_records
from fourcard.house.store.segment_parts import decode_part, players_in


class FileLock:
    """Locks a file beside a database, so no second program writes to it at the same time."""

    def __init__(self, database: Path) -> None:
        """Acquire the lock, or raise an error that names its holder."""
        self._path = database.with_name(f"{database.name}.lock")
        self._handle = self._acquired(database)

    def _acquired(self, database: Path) -> int:
        while True:
            handle = _open_lock_file(self._path, database)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.pread(handle, 20, 0).decode(errors="replace")
                os.close(handle)
                raise StoreError(_locked_message(database, holder)) from None
            if _is_same_file(handle, self._path):
                os.ftruncate(handle, 0)
                os.pwrite(handle, str(os.getpid()).encode(), 0)
                return handle
            # The previous holder released the lock and deleted its file in between.
            os.close(handle)

    def release(self) -> None:
        """Release the lock and delete its file."""
        if self._handle >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def _open_lock_file(path: Path, database: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise StoreError(f"{database} cannot be opened for writing: {reason}.") from None


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _locked_message(database: Path, holder: str) -> str:
    if holder == str(os.getpid()):
        return f"{database} is already open for writing in this process."
    number = f" (number {holder})" if holder else ""
    return f"{database} is open in another process{number}; close it there first."


ErrorMapper = Callable[[ExceptionContext, str], StoreError | None]
"""Turns a driver's error into a store error with the store's name; ``None`` if it is not one."""

TAKEN_MESSAGE = "Another writer was first in {name}: a sequence or a key is taken."
UNFIT_MESSAGE = "{name} cannot store the data: a number is too large, or a text has an invalid character."


def install_error_mapper(engine: Engine, name: str, telling: ErrorMapper) -> None:
    """Raise every driver error of an engine as a store error."""

    def told(context: ExceptionContext) -> StoreError | None:
        if context.is_pre_ping:
            return None
        if isinstance(context.original_exception, OverflowError | UnicodeError):
            return StoreError(UNFIT_MESSAGE.format(name=name))
        return telling(context, name)

    event.listen(engine, "handle_error", told)


def message_for(sentences: Mapping[str, str], code: str, name: str, otherwise: str) -> str:
    """Return the message for an error code, by its longest known prefix."""
    found = max(filter(code.startswith, sentences), key=len, default="")
    return sentences[found].format(name=name) if found else f"{name} failed: {otherwise}."


PAGE_ROWS = 2000
"""Rows of a long result that are held at a time."""
NAMES_AT_ONCE = (1, 4, 16, 64, 256)
"""How many names one statement asks for; a list is filled up with its first name."""

Rows = CursorResult[*tuple[Any, ...]]
Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None

_select_records = (
    select(schema.events)
    .where(schema.events.c.stream == bindparam("of"), schema.events.c.sequence > bindparam("after"))
    .order_by(schema.events.c.sequence)
    .limit(PAGE_ROWS)
)
_streams = schema.streams.c
_head = (_streams.name, _streams.sequence, _streams.hash)
_select_heads = select(*_head).where(_streams.sequence > 0).order_by(_streams.name)
_commits = schema.commits
_select_commit = select(_commits).where(_commits.c.id == bindparam("number"))
_select_commit_before = (
    select(_commits).where(_commits.c.id < bindparam("number")).order_by(_commits.c.id.desc()).limit(1)
)
_select_head_commit = select(_streams.commit_id).where(_streams.name == bindparam("of"))
_select_transfers = select(schema.transfers).order_by(*schema.transfers.primary_key)
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
_parts = schema.segment_parts.c
_select_next_part = (
    select(schema.segment_parts)
    .where(_parts.stream == bindparam("of"), _parts.last > bindparam("after"))
    .order_by(_parts.last)
    .limit(1)
)
_select_segment_head = (
    select(_parts.last, _parts.hash)
    .where(_parts.stream == bindparam("of"))
    .order_by(_parts.last.desc())
    .limit(1)
)
_select_counted_parts = select(
    _parts.stream, func.sum(_parts.records), func.max(_parts.last), func.sum(_parts.transfers),
    func.max(_parts.last_transfer),
).group_by(_parts.stream)  # fmt: skip
# It looks each stream's first record up along the key.
_OLDEST_ROWS = text("""
    SELECT name, at FROM (
        SELECT streams.name, (
            SELECT events.at FROM events WHERE events.stream = streams.name AND events.kind <> 'sealed'
            ORDER BY events.sequence LIMIT 1
        ) AS at FROM streams
    ) AS found WHERE at IS NOT NULL
""")
_transfer_place = attrgetter("stream", "sequence", "number")


_COUNTED_ROWS = {
    "records": (schema.events, "sequence"),
    "transfers": (schema.transfers, "sequence"),
    "snapshots": (schema.snapshots, "sequence"),
    "hours": (schema.earlier_totals, "hour"),
    "rounds": (schema.rounds, "number"),
    "players": (schema.player_rounds, "number"),
}
"""By kind, the table of its rows and the column that numbers them."""


def _select_counts(table: Table, number: str) -> Select[*tuple[Any, ...]]:
    column = table.c[number]
    return select(table.c.stream, func.count(), func.max(column)).group_by(table.c.stream)


_counted_records = _select_counts(schema.events, "sequence").subquery()
_select_last_hashes = select(schema.events.c.stream, schema.events.c.hash).join(
    _counted_records,
    and_(
        schema.events.c.stream == _counted_records.c.stream,
        schema.events.c.sequence == _counted_records.c[2],
    ),
)


def _account_filter(account: str) -> ColumnElement[bool]:
    """Return the filter for the transfers of an account; a player's account uses the indexes."""
    table = schema.transfers.c
    if not account.startswith("player/"):
        return or_(table.giver == account, table.taker == account)
    giver, taker = (schema.of_players(side) for side in ("giver", "taker"))
    return or_(and_(table.giver == account, giver), and_(table.taker == account, taker))


_select_hours = select(
    schema.hour_totals.c.stream, schema.hour_totals.c.hour, schema.hour_totals.c.body,
    schema.earlier_totals.c.body,
).where(
    schema.hour_totals.c.stream == schema.earlier_totals.c.stream,
    schema.hour_totals.c.hour == schema.earlier_totals.c.hour,
)  # fmt: skip


# It looks the last hour of each table up in the index; grouping would read every hour.
_LAST_HOURS = text("""
    SELECT now.stream, now.hour, now.body, earlier.body FROM streams
    JOIN earlier_totals AS earlier ON earlier.stream = streams.name AND earlier.hour = (
        SELECT max(each.hour) FROM earlier_totals AS each
        WHERE each.stream = streams.name AND each.hour < :until
    )
    JOIN hour_totals AS now ON now.stream = earlier.stream AND now.hour = earlier.hour
    WHERE streams.name >= 'table/' AND streams.name < 'table0' ORDER BY streams.name
""")


def _select_rounds(query: RoundQuery) -> Select[*tuple[Any, ...]]:
    """Return the statement of a query; each kind of query follows one index."""
    rounds, players = schema.rounds, schema.player_rounds
    side = rounds.c if query.player is None else players.c
    found = select(rounds)
    if query.player is not None:
        found = found.where(
            players.c.player == query.player,
            rounds.c.stream == players.c.stream,
            rounds.c.number == players.c.number,
        )
    if query.stream is not None:
        found = found.where(side.stream == query.stream)
    by_number = query.stream is not None and query.player is None
    keys = [side.number] if by_number else [side.at, side.stream, side.number]
    if query.after is not None:
        place = [query.after[2]] if by_number else [*query.after]
        here, there = tuple_(*keys), tuple_(*(literal(each) for each in place))
        found = found.where(here < there if query.newest_first else here > there)
    found = found.order_by(*(key.desc() if query.newest_first else key for key in keys))
    return found if query.limit is None else found.limit(query.limit)


class SqlReadTransaction(ABC):
    """A read transaction of a database, as of its start."""

    def __init__(self, connection: Connection) -> None:
        """Read from a connection that is inside a transaction."""
        self._connection = connection
        self._open: list[Rows] = []
        self.key: StoreKey | None = None
        """What opens the stored secrets of shuffles, and so sealed records."""
        self.verified = Verified()

    def close(self) -> None:
        """Close open results, because they would hold the transaction."""
        for result in self._open:
            result.close()

    @abstractmethod
    def schema_objects(self) -> SchemaObjects:
        """Return what the database holds besides rows."""

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, StreamHead]:
        """Return the head of every stream with events, or of the named ones."""
        rows = self._named_rows(_select_heads, schema.streams.c.name, names)
        return {name: StreamHead(sequence, hash_) for name, sequence, hash_ in rows}

    def streams_of(self, family: str) -> Mapping[str, StreamHead]:
        """Return the head of every stream of one family."""
        name = schema.streams.c.name
        query = _select_heads.where(name >= f"{family}/", name < f"{family}0")
        return {name: StreamHead(sequence, hash_) for name, sequence, hash_ in self._execute(query)}

    def records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, opened where it is possible."""
        return open_records(self.stored_records(stream, after), SecretFinder(self, self.key))

    def stored_records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, sealed as they are stored.

        A page is one statement: a cursor would take four, and most readers want the last few records.
        Segments are looked up only where the first row does not come next.
        """
        rows = self._record_rows(stream, after)
        first = next(rows, None)
        if first is None or first.first_sequence > after + 1:
            for part in self._parts_after(stream, after):
                yield from decode_part(part).after(after).records
        if first is not None:
            yield first
            yield from rows

    def _record_rows(self, stream: str, after: int) -> Iterator[JournalRecord]:
        while True:
            page = self._execute(_select_records, {"of": stream, "after": after}).all()
            yield from map(record_of_row, page)
            if len(page) < PAGE_ROWS:
                return
            after = page[-1].sequence

    def _parts_after(self, stream: str, after: int) -> Iterator[SegmentPart]:
        """Yield the parts of a stream that end after a sequence, one at a time."""
        while row := self._execute(_select_next_part, {"of": stream, "after": after}).first():
            part = SegmentPart(*row)
            yield part
            after = part.last

    def events(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the events of a stream after a sequence, in order."""
        return events_after(self.records(stream, after), after)

    def head_fault(self, stream: str, head: StreamHead) -> str:
        """Return what is wrong with the signature of a head; empty if nothing is, or without the key."""
        if self.key is None or not head.sequence or self.verified.heads.get(stream) == head.hash:
            return ""
        number = self._execute(_select_head_commit, {"of": stream}).scalar() or 0
        fault = signature_fault(self._signed_heads(self.key, number), stream, head)
        if not fault:
            self.verified.heads[stream] = head.hash
        return fault

    def _signed_heads(self, key: StoreKey, number: int) -> SignedHeads | None:
        """Return the heads of a commit; None where it is missing or its signature is false."""
        known = self.verified.commits.get(number)
        if known is not None:
            return known
        commit = self._commit(number)
        if commit is None or not is_signed(key, commit, self._commit(commit.previous) or NO_COMMIT):
            return None
        heads = decode_heads(commit.heads)
        self.verified.add_commit(commit, heads)
        return heads

    def _commit(self, number: int) -> Commit | None:
        row = self._execute(_select_commit, {"number": number}).first()
        return Commit(*row) if row else None

    def commits(self, after: int = 0) -> Iterator[Commit]:
        """Yield the signed commits after a number, in order."""
        query = select(_commits).where(_commits.c.id > after).order_by(_commits.c.id)
        return (Commit(*row) for row in self._rows(query))

    def count_commits(self, until: int) -> int:
        """Return how many commits there are up to a number."""
        return int(self._execute(select(func.count()).where(_commits.c.id <= until)).scalar_one())

    def head_commits(self) -> Mapping[str, int]:
        """Return, by stream, the number of the commit that signed its head."""
        query = select(_streams.name, _streams.commit_id).where(_streams.sequence > 0)
        return dict(iter(self._execute(query)))

    def journal_streams(self) -> Sequence[str]:
        """Return every stream with an event in the journal."""
        closed = self._execute(select(_parts.stream).distinct()).scalars()
        return sorted({*self._execute(_JOURNAL_STREAMS).scalars(), *closed})

    def stream_rows(self) -> Mapping[str, StreamRows]:
        """Return, by stream, how many rows of each kind are stored, without reading them."""
        found: dict[str, dict[str, Any]] = defaultdict(dict)
        for stream, records, last, transfers, last_transfer in self._execute(_select_counted_parts).all():
            found[stream] = {
                "records": RowCount(int(records), last),
                "transfers": RowCount(int(transfers), last_transfer),
                "hash": self.segment_head(stream).hash,
            }
        for kind, (table, number) in _COUNTED_ROWS.items():
            for stream, count, last in self._execute(_select_counts(table, number)):
                known = found[stream].get(kind, RowCount(0, last))
                found[stream][kind] = RowCount(known.count + count, max(known.last, last))
        for stream, hash_ in self._execute(_select_last_hashes):
            found[stream]["hash"] = hash_
        return {stream: StreamRows(**rows) for stream, rows in sorted(found.items())}

    def oldest_rows(self) -> Mapping[str, int]:
        """Return, by stream, the time of the first record that is not in a segment and not sealed."""
        return dict(iter(self._execute(_OLDEST_ROWS)))

    def segment_head(self, stream: str) -> StreamHead:
        """Return the end of what is in segments of a stream; sequence 0 if nothing is."""
        row = self._execute(_select_segment_head, {"of": stream}).first()
        return StreamHead(*row) if row else StreamHead()

    def segments(self, after: int = -1) -> Iterator[Segment]:
        """Yield the segments of days after a day, in order."""
        table = schema.segments
        for row in self._rows(select(table).where(table.c.day > after).order_by(table.c.day)):
            yield Segment(*row)

    def last_segment(self) -> Segment | None:
        """Return the segment of the newest closed day; None if no day is closed."""
        table = schema.segments
        row = self._execute(select(table).order_by(table.c.day.desc()).limit(1)).first()
        return Segment(*row) if row else None

    def segment_days(self, after: int = -1) -> Sequence[int]:
        """Return the days after a day that have parts, with or without their segment, in order."""
        query = select(_parts.day).where(_parts.day > after).distinct().order_by(_parts.day)
        return list(self._execute(query).scalars())

    def segment_parts(self, day: int) -> Iterator[SegmentPart]:
        """Yield the parts of a day, sorted by stream and sequence."""
        places = select(_parts.stream, _parts.last).where(_parts.day == day)
        for stream, last in self._execute(places.order_by(_parts.stream, _parts.last)).all():
            part = next(self._parts_after(stream, last - 1), None)
            if part is not None and part.last == last:
                yield part

    def lost_segment_players(self) -> int:
        """Return how many rows name a player in a part that is not there."""
        table = schema.segment_players.c
        part = select(_parts.stream).where(_parts.stream == table.stream, _parts.last == table.last)
        query = select(func.count()).select_from(schema.segment_players).where(~part.exists())
        return int(self._execute(query).scalar_one())

    def segment_players(self, part: SegmentPart) -> Sequence[str]:
        """Return the accounts of players by which a part is found, sorted."""
        table = schema.segment_players.c
        query = select(table.account).where(table.stream == part.stream, table.last == part.last)
        return list(self._execute(query.order_by(table.account)).scalars())

    def find_by_key(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], JournalRecord]:
        """Return, by stream and key, the stored record of each command that was done."""
        query = {place for place in keys if place[1] and "\0" not in place[0] + place[1]}
        if not query:
            return {}
        found = map(record_of_row, self._find_keys(sorted(query)))
        # Only in a database without its index can a key have two records; then the first one counts.
        first = sorted(found, key=attrgetter("sequence"), reverse=True)
        return {(record.stream, record.key): self._opened(record) for record in first}

    def _opened(self, record: JournalRecord) -> JournalRecord:
        if record.kind != SEALED_KIND:
            return record
        return next(self.records(record.stream, record.sequence - 1), record)

    @abstractmethod
    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        """Return the rows of commands, by stream and key."""

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        rows = self._execute(select(schema.games).order_by(schema.games.c.hash))
        return dict(iter(rows))

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game, or None."""
        return self._execute(select(schema.games.c.body).where(schema.games.c.hash == hash_)).scalar()

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a shuffle's secret that is not revealed yet, or None."""
        table = schema.secrets.c
        query = select(table.secret).where(table.stream == stream, table.number == number)
        return self._execute(query).scalar()

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet."""
        query = select(schema.secrets).order_by(*schema.secrets.primary_key)
        return {(stream, number): secret for stream, number, secret in self._execute(query)}

    def snapshot(self, stream: str, until: int | None = None) -> Snapshot | None:
        """Return the newest snapshot of a stream, or the newest one up to a sequence; None if it has none."""
        table = schema.snapshots
        query = select(table).where(table.c.stream == stream).order_by(table.c.sequence.desc()).limit(1)
        row = self._execute(query if until is None else query.where(table.c.sequence <= until)).first()
        return Snapshot(*row) if row else None

    def snapshots(self, stream: str | None = None, after: int | None = None) -> Iterator[Snapshot]:
        """Yield the snapshots of one stream or all, or only those after a sequence, in order."""
        table = schema.snapshots
        query = select(table).order_by(*table.primary_key)
        query = query if stream is None else query.where(table.c.stream == stream)
        for row in self._rows(query if after is None else query.where(table.c.sequence > after)):
            yield Snapshot(*row)

    def last_table_hour(self, stream: str) -> TableHour | None:
        """Return the newest hour of a table; None if it has none."""
        earlier = schema.earlier_totals.c
        query = _select_hours.where(earlier.stream == stream).order_by(earlier.hour.desc()).limit(1)
        row = self._execute(query).first()
        return TableHour(*row) if row else None

    def last_table_hours(self, until: int | None = None) -> Iterator[TableHour]:
        """Yield the newest hour of every table, or the newest one before an hour, sorted by stream."""
        last = {"until": MAX_UNITS if until is None else until}
        for row in self._execute(_LAST_HOURS, last):
            yield TableHour(*row)

    def table_hours(
        self, stream: str | None = None, since: int = 0, until: int | None = None
    ) -> Iterator[TableHour]:
        """Yield the hours of one table or all, from one hour to just before another, sorted by hour."""
        # A table's own hours are found by its name, those of all tables by the hour.
        side = schema.hour_totals.c if stream is None else schema.earlier_totals.c
        query = _select_hours.where(side.hour >= since).order_by(side.hour, side.stream)
        if stream is not None:
            query = query.where(side.stream == stream)
        if until is not None:
            query = query.where(side.hour < until)
        for row in self._rows(query):
            yield TableHour(*row)

    def round(self, stream: str, number: int) -> RoundRow | None:
        """Return a finished round of a table, or None."""
        table = schema.rounds
        row = self._execute(select(table).where(table.c.stream == stream, table.c.number == number)).first()
        return RoundRow(*row) if row else None

    def rounds(self, query: RoundQuery) -> Iterator[RoundRow]:
        """Yield finished rounds, by default all of them, the oldest first."""
        for row in self._rows(_select_rounds(query)):
            yield RoundRow(*row)

    def player_rounds(self, since: int | None = None) -> Iterator[PlayerRound]:
        """Yield the players of finished rounds, all or since a time, sorted by stream, number and player."""
        table = schema.player_rounds
        query = select(table).order_by(table.c.stream, table.c.number, table.c.player)
        for row in self._rows(query if since is None else query.where(table.c.at >= since)):
            yield PlayerRound(*row)

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the transfers of one account or all, sorted by stream, sequence and number."""
        query = _select_transfers if account is None else _select_transfers.where(_account_filter(account))
        rows = (Transfer(*row) for row in self._rows(query))
        yield from heapq.merge(self._closed_transfers(account), rows, key=_transfer_place)

    def _closed_transfers(self, account: str | None) -> Iterator[Transfer]:
        """Yield the transfers in segments; those of a player are found by the player's parts."""
        table = schema.segment_players.c
        places = select(_parts.stream, _parts.last)
        if account is not None and account.startswith("player/"):
            places = select(table.stream, table.last).where(table.account == account)
        for stream, last in self._execute(places.order_by("stream", "last")).all():
            for part in islice(self._parts_after(stream, last - 1), 1):
                for transfer in decode_part(part).transfers:
                    if account is None or account in (transfer.giver, transfer.taker):
                        yield transfer

    def transfers_of(self, stream: str, after: int) -> Iterator[Transfer]:
        """Yield the transfers of a stream after a sequence, sorted by sequence and number."""
        for part in self._parts_after(stream, after):
            yield from decode_part(part).after(after).transfers
        table = schema.transfers.c
        query = _select_transfers.where(table.stream == stream, table.sequence > after)
        for row in self._rows(query):
            yield Transfer(*row)

    def balances(self) -> Mapping[str, int]:
        """Return the units in every account; empty accounts are left out."""
        table = schema.balances
        rows = self._execute(select(table).where(table.c.amount != 0).order_by(table.c.account))
        return dict(iter(rows))

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return a person's credential, or None."""
        table = schema.credentials.c
        query = select(schema.credentials).where(table.kind == kind, table.person == person)
        row = self._execute(query).first()
        return Credential(*row) if row else None

    def credentials(self) -> Sequence[Credential]:
        """Return all credentials, sorted by kind and person."""
        query = select(schema.credentials).order_by(*schema.credentials.primary_key)
        return [Credential(*row) for row in self._execute(query)]

    def _rows(self, query: Select[*tuple[Any, ...]]) -> Iterator[Any]:
        """Yield the rows of a long result, a page at a time."""
        options = {"stream_results": True, "yield_per": PAGE_ROWS}
        result = self._connection.execute(query, execution_options=options)
        self._open.append(result)
        yield from result
        self._open.remove(result)

    def _named_rows(
        self, query: Select[*tuple[Any, ...]], column: ColumnElement[str], names: Iterable[str] | None
    ) -> Iterator[Any]:
        """Yield the rows of a query that is sorted by a column: all, or those of some names.

        Lists of names have few lengths, because each connection keeps a prepared statement for each.
        """
        if names is None:
            yield from self._execute(query)
            return
        wanted = sorted(set(names))
        for start in range(0, len(wanted), NAMES_AT_ONCE[-1]):
            part = wanted[start : start + NAMES_AT_ONCE[-1]]
            length = next(each for each in NAMES_AT_ONCE if each >= len(part))
            yield from self._execute(query.where(column.in_(part + part[:1] * (length - len(part)))))

    def _execute(self, query: Executable, parameters: Parameters = None) -> Rows:
        """Run a statement, once or, with a list, for each of many rows."""
        return self._connection.execute(query, parameters)

    def _execute_raw(self, query: str, parameters: Any) -> Rows:
        """Run a statement of the driver, once or, with a list, for each of many rows."""
        return self._connection.exec_driver_sql(query, parameters)


def _upsert(table: Table) -> TextClause:
    """Return the statement that inserts a row or replaces the one with the same key."""
    names = [column.name for column in table.c]
    keys = [column.name for column in table.primary_key]
    moved = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    values = ", ".join(f":{name}" for name in names)
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {moved}"
    )


_put_credential = _upsert(schema.credentials)
_put_snapshot = _upsert(schema.snapshots)
_keep_secrets = insert(schema.secrets)
_forget_secrets = delete(schema.secrets).where(
    schema.secrets.c.stream == bindparam("of"), schema.secrets.c.number == bindparam("shuffle")
)
_keep_game = text("INSERT INTO games (hash, body) VALUES (:hash, :body) ON CONFLICT (hash) DO NOTHING")


class SqlWriteTransaction(SqlReadTransaction):
    """A write transaction of a database; subclasses add what differs between databases."""

    def __init__(self, connection: Connection) -> None:
        """Write to a connection that is inside a transaction."""
        super().__init__(connection)
        self._locked: dict[str, StreamHead] = {}
        self._failed = False
        self._moved: dict[str, StreamHead] = {}
        """The heads that this transaction has moved, to be signed at its end."""
        self._chain: CommitChain | None = None
        self._commit_made: Commit | None = None

    def refuse_after_failure(self) -> None:
        """Refuse to commit after a refused write, even if somebody caught its error."""
        if self._failed:
            raise StoreError("A write in this transaction was refused, so nothing was stored.")

    def committed(self) -> None:
        """Handle a commit: its heads are known to be signed, and its chain goes on."""
        if self._chain is not None and self._commit_made is not None:
            self.verified.heads.update((name, head.hash) for name, head in self._moved.items())
            if self._chain.advance(self._commit_made):
                self.verified.give_back(self._chain)

    def rolled_back(self) -> None:
        """Handle a rollback, or a commit with an unknown result."""

    def lock_exclusive(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Lock streams for writing until the end, and return their heads."""
        names = sorted(set(streams))
        missing = [name for name in names if name not in self._locked]
        if missing:
            with self._remember_failure():
                self._locked.update(self._lock_exclusive(missing))
        return {name: self._locked[name] for name in names}

    def lock_shared(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Lock streams against changes until the end, shared with other readers, and return their heads."""
        with self._remember_failure():
            return self._lock_shared(sorted(set(streams)))

    def append(self, records: Sequence[JournalRecord]) -> None:
        """Append stored records to their streams and move the heads; a taken sequence is refused."""
        if records:
            with self._remember_failure():
                heads = self.lock_exclusive({record.stream for record in records})
                moved = advance_heads(heads, records)
                for stream, head in heads.items():
                    fault = "" if stream in self._moved else self.head_fault(stream, head)
                    if fault:
                        raise StoreError(f"The journal of {stream} {fault}; run an audit.")
                self._insert_records(map(row_of_record, records))
                self._move_heads(moved)

    def sign_heads(self, heads: Mapping[str, StreamHead]) -> None:
        """Sign heads as they are, at the end of the transaction."""
        if heads:
            with self._remember_failure():
                self._move_heads(self.lock_exclusive(heads))

    def _move_heads(self, moved: Mapping[str, StreamHead]) -> None:
        """Write heads with the commit that will sign them."""
        if self.key is not None and self._chain is None:
            self._chain = self.verified.take_chain() or self._new_chain()
        self._write_heads(moved, 0 if self._chain is None else self._chain.next)
        self._locked.update(moved)
        self._moved.update(moved)

    def _new_chain(self) -> CommitChain:
        first = self._reserve_commits()
        row = self._execute(_select_commit_before, {"number": first}).first()
        return CommitChain(first, Commit(*row) if row else NO_COMMIT)

    def _reserve_commits(self) -> int:
        """Return the first of some numbers that no other commit gets."""
        return (self._execute(select(func.max(_commits.c.id))).scalar() or 0) + 1

    def sign(self) -> None:
        """Sign the heads that were moved."""
        if self._chain is not None and self.key is not None:
            with self._remember_failure():
                self._commit_made = self._chain.sign(self.key, self._moved)
                self._insert_commit(self._commit_made)

    def copy_records(self, records: Sequence[JournalRecord]) -> None:
        """Append records of a copy, whose commits are copied too."""
        if records:
            with self._remember_failure():
                moved = advance_heads(self.lock_exclusive({record.stream for record in records}), records)
                self._insert_records(map(row_of_record, records))
                self._write_heads(moved, 0)
                self._locked.update(moved)

    def copy_commits(self, commits: Iterable[Commit], heads: Mapping[str, int]) -> None:
        """Add the commits of a copy, and the commit of each head."""
        with self._remember_failure():
            for commit in commits:
                self._insert_commit(commit)
            table = schema.streams
            rows = [{"of": name, "number": number} for name, number in heads.items()]
            if rows:
                here = update(table).where(table.c.name == bindparam("of"))
                self._execute(here.values(commit_id=bindparam("number")), rows)
            self._commits_copied()

    def _commits_copied(self) -> None:
        """Let new commits get later numbers than the copied ones."""

    def _insert_commit(self, commit: Commit) -> None:
        self._execute(insert(_commits), msgspec.structs.asdict(commit))

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
            with self._remember_failure():
                added = balance_deltas(transfers)
                self._insert_transfers(transfers)
                self._add_to_balances(added)

    def add_segment_part(self, part: SegmentPart, content: PartContent) -> None:
        """Add a part with its content, in place of the same rows; what comes after the head is new."""
        with self._remember_failure():
            head = self.lock_exclusive([part.stream])[part.stream]
            self._refuse_other_part(part)
            self._execute(insert(schema.segment_parts), msgspec.structs.asdict(part))
            for account in players_in(content):
                place = {"account": account, "stream": part.stream, "last": part.last}
                self._execute(insert(schema.segment_players), place)
            new = content.after(head.sequence)
            self._delete_rows(schema.events, part, part.records - len(new.records))
            self._delete_rows(schema.transfers, part, part.transfers - len(new.transfers))
            if new.records:
                moved = advance_heads({part.stream: head}, new.records)
                self._write_heads(moved, 0)
                self._locked.update(moved)
                self._add_to_balances(balance_deltas(new.transfers))

    def _refuse_other_part(self, part: SegmentPart) -> None:
        """Refuse a part that does not come next in its stream, or whose day has its segment already."""
        signed = self._execute(select(func.max(schema.segments.c.day))).scalar()
        refuse_other_part(part, self.segment_head(part.stream), signed)

    def _delete_rows(self, table: Table, part: SegmentPart, count: int) -> None:
        """Delete the rows that a part holds; refuse if they are not as many."""
        own = delete(table).where(table.c.stream == part.stream)
        if self._execute(own.where(table.c.sequence.between(part.first, part.last))).rowcount != count:
            raise StoreError(
                f"{part.stream} does not have the {table.name} that its segment holds; run an audit."
            )

    def add_segment(self, segment: Segment) -> None:
        """Add the segment of a day; a second one of the same day is refused."""
        self._write(insert(schema.segments), msgspec.structs.asdict(segment))

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Store a pinned game; an existing one stays."""
        self._write(_keep_game, {"hash": hash_, "body": body})

    def keep_secrets(self, secrets: Mapping[tuple[str, int], bytes]) -> None:
        """Store the secrets of shuffles, by stream and number, until they are revealed."""
        rows = [
            {"stream": stream, "number": number, "secret": secret}
            for (stream, number), secret in secrets.items()
        ]
        if rows:
            self._write(_keep_secrets, rows)

    def forget_secrets(self, places: Iterable[tuple[str, int]]) -> None:
        """Delete secrets that the journal has revealed."""
        rows = [{"of": stream, "shuffle": number} for stream, number in places]
        if rows:
            self._write(_forget_secrets, rows)

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing one of the same sequence."""
        self._write(_put_snapshot, msgspec.structs.asdict(snapshot))

    def put_table_hours(self, rows: Sequence[TableHour]) -> None:
        """Store hours of tables, replacing the totals of those that are there."""
        if rows:
            with self._remember_failure():
                self._put_table_hours(rows)

    def add_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        """Add finished rounds and their players to the index; one that is there already is refused."""
        with self._remember_failure():
            self._insert_rounds(rounds, players)

    def delete_derived(self) -> None:
        """Delete totals, rounds and snapshots, to be written again from the journal."""
        for table in schema.DERIVED_TABLES:
            self._write(delete(table))

    def refuse_other_programs(self) -> None:
        """Do nothing: a file has only one writer."""

    def put_credential(self, credential: Credential) -> None:
        """Store a person's credential, replacing the one before."""
        self._write(_put_credential, msgspec.structs.asdict(credential))

    def announce_sign_out(self, kind: PersonKind, person: str) -> None:
        """Do nothing: a file has only one process that uses it."""

    def _write(self, query: Executable, parameters: Parameters = None) -> Rows:
        with self._remember_failure():
            return self._execute(query, parameters)

    @contextmanager
    def _remember_failure(self) -> Iterator[None]:
        """Remember a failed write, because a database would commit what came before it."""
        try:
            yield
        except StoreError:
            self._failed = True
            raise

    @abstractmethod
    def _lock_exclusive(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        """Lock streams for writing, in sorted order, and return their heads."""

    @abstractmethod
    def _lock_shared(self, names: Sequence[str]) -> Mapping[str, StreamHead]:
        """Lock streams against changes, in sorted order, and return their heads."""

    @abstractmethod
    def _insert_records(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to the journal."""

    @abstractmethod
    def _write_heads(self, heads: Mapping[str, StreamHead], commit: int) -> None:
        """Write new stream heads, and which commit signs them; 0 if none does."""

    @abstractmethod
    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        """Add rows to the ledger."""

    @abstractmethod
    def _put_table_hours(self, rows: Sequence[TableHour]) -> None:
        """Insert or replace hours of tables."""

    @abstractmethod
    def _insert_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        """Add rows to the index of rounds."""

    @abstractmethod
    def _add_to_balances(self, units: Mapping[str, int]) -> None:
        """Add to balances."""


WRITER_TIMEOUT = 10.0
"""Seconds that a writer waits for another one of the same process."""
_START_READING = "SELECT 1 FROM streams LIMIT 1"

OpenTransaction = Callable[[Connection], SqlWriteTransaction]


class SqlStore:
    """A house in a database."""

    def __init__(
        self,
        name: str,
        open_transaction: OpenTransaction,
        reader: Engine,
        writer: Engine | None,
        lock: FileLock | None = None,
    ) -> None:
        """Take engines that are ready; without a writer it only reads, with a lock one writes at a time."""
        self.name = name
        self.address: str | None = None
        self.key: StoreKey | None = None
        self._verified = Verified()
        self._open_transaction = open_transaction
        self._reader, self._writer = reader, writer
        self._lock, self._writer_lock = lock, threading.Lock() if lock else None
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[SqlWriteTransaction]:
        """Open a read transaction of this moment."""
        with self._connected(self._reader) as connection:
            transaction = self._open_transaction(connection)
            transaction.key, transaction.verified = self.key, self._verified
            connection.exec_driver_sql(_START_READING)
            try:
                yield transaction
            finally:
                transaction.close()

    @contextmanager
    def writing(self) -> Iterator[SqlWriteTransaction]:
        """Open a write transaction; it is committed at the end, and rolled back after any error."""
        if self._writer is None:
            raise StoreError(f"{self.name} is open for reading only.")
        with self._queued(), self._connected(self._writer) as connection:
            transaction = self._open_transaction(connection)
            transaction.key, transaction.verified = self.key, self._verified
            try:
                with connection.begin():
                    try:
                        yield transaction
                        transaction.sign()
                    finally:
                        transaction.close()
                    transaction.refuse_after_failure()
            except BaseException:
                transaction.rolled_back()
                raise
            transaction.committed()

    def close(self) -> None:
        """Close connections and files, and release the lock."""
        if not self._closed:
            self._closed = True
            self._reader.dispose()
            if self._writer is not None:
                self._writer.dispose()
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
            try:
                yield connection
            finally:
                if self._closed:  # its pool is gone and would never close it
                    connection.invalidate()

    @contextmanager
    def _queued(self) -> Iterator[None]:
        """Queue the writers of one file here, where waiting costs nothing."""
        if self._writer_lock is None:
            yield
        elif not self._writer_lock.acquire(timeout=WRITER_TIMEOUT):
            raise StoreError(f"{self.name} is busy: another writer has held it for too long.")
        else:
            try:
                yield
            finally:
                self._writer_lock.release()

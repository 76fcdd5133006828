"""Memory store, for simulations and tests: the same guarantees as a database, lost with the process."""

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Generic, NoReturn, TypeVar

from fourcard.house.commands import PersonKind
from fourcard.house.journal import SEALED_KIND, JournalRecord, StreamHead, events_after
from fourcard.house.ledger import Transfer
from fourcard.house.store.commits import (
    NO_COMMIT,
    Commit,
    Verified,
    decode_heads,
    is_signed,
    signed_commit,
)
from fourcard.house.store.interface import (
    NEVER_OVERDRAWN,
    ConcurrentChangeError,
    Credential,
    OverdrawnError,
    PartContent,
    PlayerRound,
    RoundQuery,
    RoundRow,
    RowCount,
    Segment,
    SegmentPart,
    Snapshot,
    StoreError,
    StreamRows,
    TableHour,
    advance_heads,
    balance_deltas,
    refuse_other_part,
    refuse_too_much,
    signature_fault,
)
from fourcard.house.store.sealing import SecretFinder, StoreKey, open_records
from fourcard.house.store.segment_parts import decode_part, players_in

K = TypeVar("K")
V = TypeVar("V")


class MemoryTable(Generic[K, V]):
    """Committed rows by key; they are copied before a change while a reader uses them."""

    __slots__ = ("rows", "shared")

    def __init__(self) -> None:
        """Start empty."""
        self.rows: dict[K, V] = {}
        self.shared = False

    def apply(self, changes: Mapping[K, V | None]) -> None:
        """Apply changes; ``None`` deletes a row."""
        if not changes:
            return
        if self.shared:
            self.rows, self.shared = dict(self.rows), False
        for key, row in changes.items():
            if row is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = row


class TableOverlay(Generic[K, V]):
    """The rows of a table at one moment, with the changes of one transaction."""

    __slots__ = ("_rows", "changes")

    def __init__(self, table: MemoryTable[K, V]) -> None:
        """Start with the committed rows."""
        self._rows = table.rows
        self.changes: dict[K, V | None] = {}

    def get(self, key: K) -> V | None:
        """Return a row, or None."""
        return self.changes[key] if key in self.changes else self._rows.get(key)

    def put(self, key: K, row: V | None) -> None:
        """Set or delete a row."""
        self.changes[key] = row

    def delete_all(self) -> None:
        """Delete every row."""
        for key in self.all():
            self.changes[key] = None

    def all(self) -> dict[K, V]:
        """Return every row by key, sorted."""
        merged: dict[K, V | None] = {**self._rows, **self.changes}
        return {key: row for key in sorted(merged) if (row := merged[key]) is not None}  # type: ignore[type-var]


class MemoryTables:
    """All committed rows."""

    def __init__(self) -> None:
        """Start empty."""
        self.heads: MemoryTable[str, StreamHead] = MemoryTable()
        self.balances: MemoryTable[str, int] = MemoryTable()
        self.games: MemoryTable[str, bytes] = MemoryTable()
        self.secrets: MemoryTable[tuple[str, int], bytes] = MemoryTable()
        self.snapshots: MemoryTable[tuple[str, int], Snapshot] = MemoryTable()
        self.hours: MemoryTable[tuple[int, str], TableHour] = MemoryTable()
        self.rounds: MemoryTable[tuple[str, int], RoundRow] = MemoryTable()
        self.player_rounds: MemoryTable[tuple[str, int, str], PlayerRound] = MemoryTable()
        self.segments: MemoryTable[int, Segment] = MemoryTable()
        self.parts: MemoryTable[tuple[str, int], SegmentPart] = MemoryTable()
        self.credentials: MemoryTable[tuple[str, str], Credential] = MemoryTable()
        self.commits: MemoryTable[int, Commit] = MemoryTable()
        self.head_commits: MemoryTable[str, int] = MemoryTable()
        # Append-only rows are never copied: a reader knows how many it can see.
        self.records: dict[str, list[JournalRecord]] = {}
        self.keys: dict[tuple[str, str], JournalRecord] = {}
        self.transfers: list[Transfer] = []
        self.places: set[tuple[str, int, int]] = set()

    def share(self, *, shared: bool) -> None:
        """Set whether a reader uses the rows as they are now."""
        self.heads.shared = shared
        self.balances.shared = shared
        self.games.shared = shared
        self.secrets.shared = shared
        self.snapshots.shared = shared
        self.hours.shared = shared
        self.rounds.shared = shared
        self.player_rounds.shared = shared
        self.segments.shared = shared
        self.parts.shared = shared
        self.credentials.shared = shared
        self.commits.shared = shared
        self.head_commits.shared = shared


_NOWHERE = StreamHead()


def _round_order(row: RoundRow) -> tuple[int | str, ...]:
    return row.at, row.stream, row.number


def _round_number(row: RoundRow) -> tuple[int | str, ...]:
    return (row.number,)


class MemoryTransaction:
    """Reads what was committed when it began, and its own changes."""

    def __init__(self, kept: MemoryTables, key: StoreKey | None, verified: Verified) -> None:
        """Start at this moment."""
        self._kept, self.key, self._verified = kept, key, verified
        self._heads = TableOverlay(kept.heads)
        self._balances = TableOverlay(kept.balances)
        self._games = TableOverlay(kept.games)
        self._secrets = TableOverlay(kept.secrets)
        self._snapshots = TableOverlay(kept.snapshots)
        self._hours = TableOverlay(kept.hours)
        self._rounds = TableOverlay(kept.rounds)
        self._player_rounds = TableOverlay(kept.player_rounds)
        self._segments = TableOverlay(kept.segments)
        self._parts = TableOverlay(kept.parts)
        self._credentials = TableOverlay(kept.credentials)
        self._commits = TableOverlay(kept.commits)
        self._head_commits = TableOverlay(kept.head_commits)
        self._moved: dict[str, StreamHead] = {}
        self._known_transfers = len(kept.transfers)
        self._new_records: dict[str, list[JournalRecord]] = {}
        self._new_keys: dict[tuple[str, str], JournalRecord] = {}
        self._new_transfers: list[Transfer] = []
        self._new_places: set[tuple[str, int, int]] = set()
        self._failed = False

    def commit(self, kept: MemoryTables) -> None:
        """Commit all changes."""
        kept.heads.apply(self._heads.changes)
        kept.balances.apply(self._balances.changes)
        kept.games.apply(self._games.changes)
        kept.secrets.apply(self._secrets.changes)
        kept.snapshots.apply(self._snapshots.changes)
        kept.hours.apply(self._hours.changes)
        kept.rounds.apply(self._rounds.changes)
        kept.player_rounds.apply(self._player_rounds.changes)
        kept.segments.apply(self._segments.changes)
        kept.parts.apply(self._parts.changes)
        kept.credentials.apply(self._credentials.changes)
        kept.commits.apply(self._commits.changes)
        kept.head_commits.apply(self._head_commits.changes)
        self._verified.heads.update((name, head.hash) for name, head in self._moved.items())
        for stream, records in self._new_records.items():
            kept.records.setdefault(stream, []).extend(records)
        kept.keys.update(self._new_keys)
        kept.transfers.extend(self._new_transfers)
        kept.places.update(self._new_places)

    def refuse_after_failure(self) -> None:
        """Refuse to commit after a refused write, even if somebody caught its error."""
        if self._failed:
            raise StoreError("A write in this transaction was refused, so nothing was stored.")

    def _fail(self, error: StoreError) -> NoReturn:
        self._failed = True
        raise error

    def schema_objects(self) -> None:
        """Return None: memory has no schema."""

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, StreamHead]:
        """Return the head of every stream with events, or of the named ones."""
        if names is None:
            return self._heads.all()
        return {name: head for name in sorted({*names}) if (head := self._heads.get(name))}

    def streams_of(self, family: str) -> Mapping[str, StreamHead]:
        """Return the head of every stream of one family."""
        return {name: head for name, head in self._heads.all().items() if name.startswith(f"{family}/")}

    def records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, opened where it is possible."""
        return open_records(self.stored_records(stream, after), SecretFinder(self, self.key))

    def stored_records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, sealed as they are stored."""
        head, kept = (self._heads.get(stream) or _NOWHERE).sequence, self._kept.records.get(stream, [])
        new = self._new_records.get(stream, [])
        known = new[0].first_sequence - 1 if new else head
        first, end = (bisect_right(kept, at, key=attrgetter("sequence")) for at in (after, known))
        yield from kept[first:end]
        yield from (record for record in new if record.sequence > after)

    def events(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the events of a stream after a sequence, in order."""
        return events_after(self.records(stream, after), after)

    def head_fault(self, stream: str, head: StreamHead) -> str:
        """Return what is wrong with the signature of a head; empty if nothing is, or without the key."""
        if self.key is None or not head.sequence or self._verified.heads.get(stream) == head.hash:
            return ""
        commit = self._commits.get(self._head_commits.get(stream) or 0)
        previous = NO_COMMIT if commit is None else self._commits.get(commit.previous) or NO_COMMIT
        genuine = commit is not None and is_signed(self.key, commit, previous)
        fault = signature_fault(decode_heads(commit.heads) if commit and genuine else None, stream, head)
        if not fault:
            self._verified.heads[stream] = head.hash
        return fault

    def commits(self, after: int = 0) -> Iterator[Commit]:
        """Yield the signed commits after a number, in order."""
        return (each for each in self._commits.all().values() if each.id > after)

    def count_commits(self, until: int) -> int:
        """Return how many commits there are up to a number."""
        return sum(each.id <= until for each in self.commits())

    def head_commits(self) -> Mapping[str, int]:
        """Return, by stream, the number of the commit that signed its head."""
        return {name: self._head_commits.get(name) or 0 for name in self._heads.all()}

    def journal_streams(self) -> Sequence[str]:
        """Return every stream with an event in the journal."""
        return list(self._heads.all())

    def stream_rows(self) -> Mapping[str, StreamRows]:
        """Return, by stream, how many rows of each kind are stored."""
        heads = self._heads.all()
        numbers = {
            "records": [(name, each.sequence) for name in heads for each in self.records(name)],
            "transfers": [(each.stream, each.sequence) for each in self.transfers()],
            "snapshots": [*self._snapshots.all()],
            "hours": [(each.stream, each.hour) for each in self.table_hours()],
            "rounds": [*self._rounds.all()],
            "players": [(each.stream, each.number) for each in self.player_rounds()],
        }
        found: dict[str, dict[str, RowCount]] = {}
        for kind, places in numbers.items():
            for stream, number in places:
                known = found.setdefault(stream, {}).get(kind, RowCount(0, number))
                found[stream][kind] = RowCount(known.count + 1, max(known.last, number))
        return {
            stream: StreamRows(hash=heads[stream].hash if stream in heads else b"", **rows)
            for stream, rows in sorted(found.items())
        }

    def oldest_rows(self) -> Mapping[str, int]:
        """Return, by stream, the time of the first record that is not in a segment."""
        found = dict[str, int]()
        for stream in self._heads.all():
            rows = self.stored_records(stream, self.segment_head(stream).sequence)
            record = next((each for each in rows if each.kind != SEALED_KIND), None)
            if record is not None:
                found[stream] = record.at
        return found

    def segment_head(self, stream: str) -> StreamHead:
        """Return the end of what is in segments of a stream; sequence 0 if nothing is."""
        own = [part for part in self._parts.all().values() if part.stream == stream]
        return StreamHead(own[-1].last, own[-1].hash) if own else _NOWHERE

    def segments(self, after: int = -1) -> Iterator[Segment]:
        """Yield the segments of days after a day, in order."""
        return (each for each in self._segments.all().values() if each.day > after)

    def last_segment(self) -> Segment | None:
        """Return the segment of the newest closed day; None if no day is closed."""
        return max(self.segments(), key=attrgetter("day"), default=None)

    def segment_days(self, after: int = -1) -> Sequence[int]:
        """Return the days after a day that have parts, with or without their segment, in order."""
        return sorted({part.day for part in self._parts.all().values() if part.day > after})

    def segment_parts(self, day: int) -> Iterator[SegmentPart]:
        """Yield the parts of a day, sorted by stream and sequence."""
        return (part for part in self._parts.all().values() if part.day == day)

    def lost_segment_players(self) -> int:
        """Return 0: players are found in the parts themselves."""
        return 0

    def segment_players(self, part: SegmentPart) -> Sequence[str]:
        """Return the accounts of players by which a part is found; here there is no such index."""
        return players_in(decode_part(part))

    def find_by_key(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], JournalRecord]:
        """Return, by stream and key, the stored record of each command that was done."""
        return {place: event for place in keys if place[1] and (event := self._answered(place))}

    def _answered(self, place: tuple[str, str]) -> JournalRecord | None:
        record = self._new_keys.get(place) or self._kept.keys.get(place)
        known = self._heads.get(place[0]) or _NOWHERE
        if record is None or record.sequence > known.sequence:
            return None
        return next(self.records(record.stream, record.sequence - 1), record)

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        return self._games.all()

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game, or None."""
        return self._games.get(hash_)

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a shuffle's secret that is not revealed yet, or None."""
        return self._secrets.get((stream, number))

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet."""
        return self._secrets.all()

    def snapshot(self, stream: str, until: int | None = None) -> Snapshot | None:
        """Return the newest snapshot of a stream, or the newest one up to a sequence; None if it has none."""
        found = [each for each in self.snapshots(stream) if until is None or each.sequence <= until]
        return found[-1] if found else None

    def snapshots(self, stream: str | None = None, after: int | None = None) -> Iterator[Snapshot]:
        """Yield the snapshots of one stream or all, or only those after a sequence, in order."""
        for each in self._snapshots.all().values():
            if stream in (None, each.stream) and (after is None or each.sequence > after):
                yield each

    def last_table_hour(self, stream: str) -> TableHour | None:
        """Return the newest hour of a table; None if it has none."""
        found = [*self.table_hours(stream)]
        return found[-1] if found else None

    def last_table_hours(self, until: int | None = None) -> Iterator[TableHour]:
        """Yield the newest hour of every table, or the newest one before an hour, sorted by stream."""
        last = {row.stream: row for row in self.table_hours(until=until)}
        return (last[stream] for stream in self.streams_of("table") if stream in last)

    def table_hours(
        self, stream: str | None = None, since: int = 0, until: int | None = None
    ) -> Iterator[TableHour]:
        """Yield the hours of one table or all, from one hour to just before another, sorted by hour."""
        for row in self._hours.all().values():
            if stream in (None, row.stream) and since <= row.hour and (until is None or row.hour < until):
                yield row

    def round(self, stream: str, number: int) -> RoundRow | None:
        """Return a finished round of a table, or None."""
        return self._rounds.get((stream, number))

    def rounds(self, query: RoundQuery) -> Iterator[RoundRow]:
        """Yield finished rounds, by default all of them, the oldest first."""
        rows = [row for row in self._rounds.all().values() if query.stream in (None, row.stream)]
        if query.player is not None:
            own = {key[:2] for key in self._player_rounds.all() if key[2] == query.player}
            rows = [row for row in rows if (row.stream, row.number) in own]
        by_number = query.stream is not None and query.player is None
        order = _round_number if by_number else _round_order
        rows.sort(key=order, reverse=query.newest_first)
        if query.after is not None:
            place, back = query.after[2:] if by_number else query.after, query.newest_first
            rows = [row for row in rows if (order(row) < place if back else order(row) > place)]
        return iter(rows[: query.limit])

    def player_rounds(self, since: int | None = None) -> Iterator[PlayerRound]:
        """Yield the players of finished rounds, all or since a time, sorted by stream, number and player."""
        return (row for row in self._player_rounds.all().values() if since is None or row.at >= since)

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the transfers of one account or all, sorted by stream, sequence and number."""
        rows = self._kept.transfers[: self._known_transfers] + self._new_transfers
        mine = [row for row in rows if account is None or account in (row.giver, row.taker)]
        yield from sorted(mine, key=lambda row: (row.stream, row.sequence, row.number))

    def transfers_of(self, stream: str, after: int) -> Iterator[Transfer]:
        """Yield the transfers of a stream after a sequence, sorted by sequence and number."""
        return (row for row in self.transfers() if row.stream == stream and row.sequence > after)

    def balances(self) -> Mapping[str, int]:
        """Return the units in every account; empty accounts are left out."""
        return {account: units for account, units in self._balances.all().items() if units}

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return a person's credential, or None."""
        return self._credentials.get((kind, person))

    def credentials(self) -> Sequence[Credential]:
        """Return all credentials, sorted by kind and person."""
        return list(self._credentials.all().values())

    def lock_exclusive(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Return the heads of streams; nobody else writes during this transaction."""
        return {stream: self._heads.get(stream) or _NOWHERE for stream in sorted(set(streams))}

    def lock_shared(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Return the heads of streams; nobody else writes during this transaction."""
        return self.lock_exclusive(streams)

    def append(self, records: Sequence[JournalRecord]) -> None:
        """Append stored records to their streams and move the heads; a taken sequence is refused."""
        heads = self.lock_exclusive(record.stream for record in records)
        for stream, head in heads.items():
            fault = "" if stream in self._moved else self.head_fault(stream, head)
            if fault:
                self._fail(StoreError(f"The journal of {stream} {fault}; run an audit."))
        self._moved.update(self._append(heads, records))

    def copy_records(self, records: Sequence[JournalRecord]) -> None:
        """Append records of a copy, whose commits are copied too."""
        self._append(self.lock_exclusive(record.stream for record in records), records)

    def _append(
        self, heads: Mapping[str, StreamHead], records: Sequence[JournalRecord]
    ) -> Mapping[str, StreamHead]:
        keys = {(record.stream, record.key): record for record in records if record.key}
        try:
            moved = advance_heads(heads, records)
            self._check_keys(keys, sum(1 for record in records if record.key))
        except StoreError as error:
            self._fail(error)
        for record in records:
            self._new_records.setdefault(record.stream, []).append(record)
        self._new_keys.update(keys)
        for stream, head in moved.items():
            self._heads.put(stream, head)
        return moved

    def sign_heads(self, heads: Mapping[str, StreamHead]) -> None:
        """Sign heads as they are, at the end of the transaction."""
        self._moved.update(self.lock_exclusive(heads))

    def copy_commits(self, commits: Iterable[Commit], heads: Mapping[str, int]) -> None:
        """Add the commits of a copy, and the commit of each head."""
        for commit in commits:
            self._commits.put(commit.id, commit)
        for name, number in heads.items():
            self._head_commits.put(name, number)

    def sign(self) -> None:
        """Sign the heads that were moved."""
        if self.key is not None and self._moved:
            last = max(self._commits.all().values(), key=attrgetter("id"), default=NO_COMMIT)
            self.copy_commits(
                [signed_commit(self.key, last.id + 1, last, self._moved)],
                dict.fromkeys(self._moved, last.id + 1),
            )

    def _check_keys(self, keys: Mapping[tuple[str, str], JournalRecord], count: int) -> None:
        taken = self._kept.keys.keys() & keys.keys() or self._new_keys.keys() & keys.keys()
        if taken or len(keys) != count:
            raise ConcurrentChangeError("A command with the same key has been done already.")

    def rewrite_head(self, stream: str) -> None:
        """Do nothing: memory can always be written."""

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add transfers to the ledger and to the balances."""
        places = {(transfer.stream, transfer.sequence, transfer.number) for transfer in transfers}
        if len(places) != len(transfers) or places & self._kept.places or places & self._new_places:
            self._fail(
                ConcurrentChangeError("The ledger already has a transfer of the same event and number.")
            )
        try:
            balances = {
                account: (self._balances.get(account) or 0) + s
                for account, s in balance_deltas(transfers).items()
            }
            for account, units in balances.items():
                refuse_too_much(account, units)
                if units < 0 and account.startswith(NEVER_OVERDRAWN):
                    raise OverdrawnError("The store in memory")
        except StoreError as error:
            self._fail(error)
        for account, units in balances.items():
            self._balances.put(account, units)
        self._new_transfers.extend(transfers)
        self._new_places.update(places)

    def add_segment_part(self, part: SegmentPart, content: PartContent) -> None:
        """Add a part with its content; its rows stay, and what comes after the head is added."""
        try:
            refuse_other_part(part, self.segment_head(part.stream), max(self._segments.all(), default=None))
        except StoreError as error:
            self._fail(error)
        head = self.lock_exclusive([part.stream])[part.stream]
        known = [each for each in self.records(part.stream, part.first - 1) if each.sequence <= part.last]
        new = content.after(head.sequence)
        if len(known) + len(new.records) != part.records:
            self._fail(StoreError(f"{part.stream} does not have the events that its segment holds."))
        self._parts.put((part.stream, part.last), part)
        self.append(new.records)
        self.post(new.transfers)

    def add_segment(self, segment: Segment) -> None:
        """Add the segment of a day; a second one of the same day is refused."""
        if self._segments.get(segment.day) is not None:
            self._fail(ConcurrentChangeError("The day has a segment already."))
        self._segments.put(segment.day, segment)

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Store a pinned game; an existing one stays."""
        if self._games.get(hash_) is None:
            self._games.put(hash_, body)

    def keep_secrets(self, secrets: Mapping[tuple[str, int], bytes]) -> None:
        """Store the secrets of shuffles, by stream and number, until they are revealed."""
        for (stream, number), secret in secrets.items():
            if self._secrets.get((stream, number)) is not None:
                self._fail(
                    ConcurrentChangeError(f"The secret of shuffle {number} of {stream} is stored already.")
                )
            self._secrets.put((stream, number), secret)

    def forget_secrets(self, places: Iterable[tuple[str, int]]) -> None:
        """Delete secrets that the journal has revealed."""
        for place in places:
            self._secrets.put(place, None)

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing one of the same sequence."""
        self._snapshots.put((snapshot.stream, snapshot.sequence), snapshot)

    def put_table_hours(self, rows: Sequence[TableHour]) -> None:
        """Store hours of tables, replacing the totals of those that are there."""
        for row in rows:
            known = self._hours.get((row.hour, row.stream))
            before = row.before if row.before or known is None else known.before
            self._hours.put((row.hour, row.stream), TableHour(row.stream, row.hour, row.body, before))

    def add_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        """Add finished rounds and their players to the index; one that is there already is refused."""
        new = {(row.stream, row.number): row for row in rounds}
        if len(new) != len(rounds) or any(self._rounds.get(key) for key in new):
            self._fail(ConcurrentChangeError("The index already has a round of the same number."))
        for key, row in new.items():
            self._rounds.put(key, row)
        for each in players:
            self._player_rounds.put((each.stream, each.number, each.player), each)

    def refuse_other_programs(self) -> None:
        """Do nothing: only this program can use the memory."""

    def delete_derived(self) -> None:
        """Delete totals, rounds and snapshots, to be written again from the journal."""
        self._snapshots.delete_all()
        self._hours.delete_all()
        self._rounds.delete_all()
        self._player_rounds.delete_all()

    def put_credential(self, credential: Credential) -> None:
        """Store a person's credential, replacing the one before."""
        self._credentials.put((credential.kind, credential.person), credential)

    def announce_sign_out(self, kind: PersonKind, person: str) -> None:
        """Do nothing: only one process has the store."""


MEMORY_TIMEOUT = 10.0
"""Seconds that a writer waits for the one before."""


class MemoryStore:
    """Keeps a house while the program runs; closing it loses nothing, so tests can restart a house."""

    def __init__(self, name: str = "the store in memory") -> None:
        """Start empty."""
        self.name = name
        self.address: str | None = None
        self.key: StoreKey | None = None
        self._kept, self._verified = MemoryTables(), Verified()
        self._writers = threading.Lock()
        self._moment = threading.Lock()
        self._views = 0

    @contextmanager
    def reading(self) -> Iterator[MemoryTransaction]:
        """Open a read transaction of one moment; later writers do not change it."""
        with self._moment:
            self._views += 1
            self._kept.share(shared=True)
            view = MemoryTransaction(self._kept, self.key, self._verified)
        try:
            yield view
        finally:
            with self._moment:
                self._views -= 1
                if not self._views:
                    self._kept.share(shared=False)

    @contextmanager
    def writing(self) -> Iterator[MemoryTransaction]:
        """Open a write transaction; nobody sees it before it commits, and an error leaves no trace."""
        if not self._writers.acquire(timeout=MEMORY_TIMEOUT):
            raise StoreError(f"{self.name} is busy: another writer has held it for too long.")
        try:
            session = MemoryTransaction(self._kept, self.key, self._verified)
            yield session
            session.sign()
            session.refuse_after_failure()
            with self._moment:
                session.commit(self._kept)
        finally:
            self._writers.release()

    def close(self) -> None:
        """Do nothing: there are no files and no connections."""

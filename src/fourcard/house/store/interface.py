"""Store interface: transactions, stream locks and rows that every backend offers.

A transaction is all or nothing. ``lock_exclusive`` locks the streams to be written, in one fixed order;
``append`` refuses a sequence that is taken. Readers do not wait for writers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec
from msgspec.structs import replace

from fourcard.house.commands import PersonKind
from fourcard.house.journal import JournalRecord, StreamHead
from fourcard.house.ledger import Transfer
from fourcard.house.store.commits import HASH_BYTES, Commit, SignedHeads, snapshot_message
from fourcard.house.store.sealing import StoreKey
from fourcard.refusals import BadInputError


class StoreError(BadInputError):
    """The store cannot do something; the sentence says why, and nothing was changed."""


class ConcurrentChangeError(StoreError):
    """Another writer was first: a stream's next sequence, or an idempotency key, is taken."""


NEVER_OVERDRAWN = ("player/", "chips/")
"""The beginnings of accounts that no store lets anybody overdraw; a tray may owe chips for a while (P26)."""


class OverdrawnError(StoreError):
    """The store refused a negative account of a player or stack of chips."""

    def __init__(self, name: str) -> None:
        """Name the store."""
        super().__init__(
            f"{name} refused a transfer that would overdraw an account or a stack of chips; run an audit."
        )


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A state after a sequence, so a start need not read everything before it."""

    stream: str
    sequence: int
    body: bytes
    earlier_hash: bytes = b""
    """The hash before the first record that ends after the sequence."""
    signature: bytes = b""


def sign_snapshot(key: StoreKey | None, snapshot: Snapshot) -> Snapshot:
    """Return a snapshot signed with the key of the house; without one, as it is."""
    return snapshot if key is None else replace(snapshot, signature=key.sign(signed_message(snapshot)))


def is_signed_snapshot(key: StoreKey, snapshot: Snapshot) -> bool:
    """Say whether a snapshot was signed with a key."""
    return key.verifies(snapshot.signature, signed_message(snapshot))


def signed_message(s: Snapshot) -> bytes:
    """Return what is signed of a snapshot."""
    return snapshot_message(s.stream, s.sequence, s.earlier_hash, s.body)


class TableHour(msgspec.Struct, frozen=True, gc=False):
    """The running totals of a table in one hour, in JSON."""

    stream: str
    hour: int
    """Hours since the epoch."""
    body: bytes
    before: bytes
    """The sums of all hours before; empty when written again, because they stay as they are."""


class RoundRow(msgspec.Struct, frozen=True, gc=False):
    """A finished or void round in the index."""

    stream: str
    number: int
    at: int
    """When it ended."""
    sequence: int
    """The event that ended it."""
    game: str
    """The hash of its game."""
    shuffle: int | None
    """The shuffle of its deck; None if cards were keyed in, or no card was dealt."""
    body: bytes
    """Its summary in JSON."""


class PlayerRound(msgspec.Struct, frozen=True, gc=False):
    """A player with a wager in a finished round, by which the player's rounds are found in their order."""

    player: str
    at: int
    stream: str
    number: int


RoundOrder = tuple[int, str, int]
"""Rounds are ordered by the time of their end, stream and number."""


class RoundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which rounds to read: of one player or all, of one table or all, in order from one end.

    All rounds of one table are ordered by number alone: a clock that was set back changes nothing there.
    """

    player: str | None = None
    stream: str | None = None
    after: RoundOrder | None = None
    """The round before the first one that is wanted."""
    newest_first: bool = False
    limit: int | None = None


class RowCount(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """How many rows of one kind a stream has, and the sequence, hour or round number of the last."""

    count: int = 0
    last: int = 0


class StreamRows(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How many rows the store has of one stream, by kind."""

    records: RowCount = RowCount()
    transfers: RowCount = RowCount()
    snapshots: RowCount = RowCount()
    hours: RowCount = RowCount()
    rounds: RowCount = RowCount()
    players: RowCount = RowCount()
    """Rows by which players find their rounds."""
    hash: bytes = b""
    """The stored hash of the last record."""


class SegmentPart(msgspec.Struct, frozen=True, gc=False):
    """Consecutive records of a stream with their transfers, compressed in the segment of a closed day."""

    stream: str
    last: int
    """The sequence of the last event."""
    first: int
    day: int
    """Days since 1970-01-01."""
    records: int
    transfers: int
    last_transfer: int
    """The sequence of the last transfer; 0 if there is none."""
    earlier_hash: bytes
    """The hash before the first record."""
    hash: bytes
    """The hash of the last record."""
    body: bytes
    """One zstd frame."""


class PartContent(msgspec.Struct, frozen=True, gc=False):
    """What a part of a segment holds."""

    records: tuple[JournalRecord, ...]
    transfers: tuple[Transfer, ...]

    def after(self, sequence: int) -> "PartContent":
        """Return what comes after a sequence."""
        return PartContent(
            tuple(each for each in self.records if each.sequence > sequence),
            tuple(each for each in self.transfers if each.sequence > sequence),
        )


class Segment(msgspec.Struct, frozen=True, gc=False):
    """The segment of a closed day: a signed list of its parts."""

    day: int
    at: int
    manifest: bytes
    """The header of a signed file whose frames are the parts."""


class SchemaObjects(msgspec.Struct, frozen=True, gc=False):
    """Tables, triggers and whatever else a database holds besides rows: definitions by kind and name."""

    expected: Mapping[str, str]
    """What a database of this version has."""
    found: Mapping[str, str]


class Credential(msgspec.Struct, frozen=True):
    """A person's password."""

    kind: PersonKind
    person: str
    password: str
    """An Argon2 hash."""


class ReadTransaction(Protocol):
    """A read transaction: everything it reads is from one moment."""

    key: StoreKey | None
    """What opens the stored secrets of shuffles; without it, sealed records open once they are revealed."""

    def schema_objects(self) -> SchemaObjects | None:
        """Return what the database holds besides rows; None if the store has no schema."""
        ...

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, StreamHead]:
        """Return the head of every stream with events, or of the named ones."""
        ...

    def streams_of(self, family: str) -> Mapping[str, StreamHead]:
        """Return the head of every stream of one family, such as ``table``."""
        ...

    def records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, opened where it is possible."""
        ...

    def stored_records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the records of a stream that end after a sequence, in order, sealed as they are stored."""
        ...

    def events(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the events of a stream after a sequence, in order, up to the first that is still sealed."""
        ...

    def head_fault(self, stream: str, head: StreamHead) -> str:
        """Return what is wrong with the signature of a head; empty if nothing is, or without the key."""
        ...

    def commits(self, after: int = 0) -> Iterator[Commit]:
        """Yield the signed commits after a number, in order."""
        ...

    def count_commits(self, until: int) -> int:
        """Return how many commits there are up to a number."""
        ...

    def head_commits(self) -> Mapping[str, int]:
        """Return, by stream, the number of the commit that signed its head."""
        ...

    def journal_streams(self) -> Sequence[str]:
        """Return every stream with an event in the journal, without using the table of heads."""
        ...

    def stream_rows(self) -> Mapping[str, StreamRows]:
        """Return, by stream, how many rows of each kind are stored, without reading them.

        Records and transfers in segments count like rows.
        """
        ...

    def oldest_rows(self) -> Mapping[str, int]:
        """Return, by stream, the time of the first record that is not in a segment and not sealed."""
        ...

    def segment_head(self, stream: str) -> StreamHead:
        """Return the end of what is in segments of a stream; sequence 0 if nothing is."""
        ...

    def segments(self, after: int = -1) -> Iterator[Segment]:
        """Yield the segments of days after a day, in order."""
        ...

    def last_segment(self) -> Segment | None:
        """Return the segment of the newest closed day; None if no day is closed."""
        ...

    def segment_days(self, after: int = -1) -> Sequence[int]:
        """Return the days after a day that have parts, with or without their segment, in order."""
        ...

    def segment_parts(self, day: int) -> Iterator[SegmentPart]:
        """Yield the parts of a day, sorted by stream and sequence."""
        ...

    def lost_segment_players(self) -> int:
        """Return how many rows name a player in a part that is not there."""
        ...

    def segment_players(self, part: SegmentPart) -> Sequence[str]:
        """Return the accounts of players by which a part is found, sorted."""
        ...

    def find_by_key(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], JournalRecord]:
        """Return, by stream and key, the stored record of each command that was done."""
        ...

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        ...

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game, or None."""
        ...

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a shuffle's secret that is not revealed yet, as it is stored, or None."""
        ...

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet, as it is stored."""
        ...

    def snapshot(self, stream: str, until: int | None = None) -> Snapshot | None:
        """Return the newest snapshot of a stream, or the newest one up to a sequence; None if it has none."""
        ...

    def snapshots(self, stream: str | None = None, after: int | None = None) -> Iterator[Snapshot]:
        """Yield the snapshots of one stream or all, or only those after a sequence, in order."""
        ...

    def last_table_hour(self, stream: str) -> TableHour | None:
        """Return the newest hour of a table; None if it has none."""
        ...

    def last_table_hours(self, until: int | None = None) -> Iterator[TableHour]:
        """Yield the newest hour of every table, or the newest one before an hour, sorted by stream."""
        ...

    def table_hours(
        self, stream: str | None = None, since: int = 0, until: int | None = None
    ) -> Iterator[TableHour]:
        """Yield the hours of one table or all, from one hour to just before another, sorted by hour."""
        ...

    def round(self, stream: str, number: int) -> RoundRow | None:
        """Return a finished round of a table, or None."""
        ...

    def rounds(self, query: RoundQuery) -> Iterator[RoundRow]:
        """Yield finished rounds, by default all of them, the oldest first."""
        ...

    def player_rounds(self, since: int | None = None) -> Iterator[PlayerRound]:
        """Yield the players of finished rounds, all or since a time, sorted by stream, number and player."""
        ...

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the transfers of one account or all, sorted by stream, sequence and number."""
        ...

    def transfers_of(self, stream: str, after: int) -> Iterator[Transfer]:
        """Yield the transfers of a stream after a sequence, sorted by sequence and number."""
        ...

    def balances(self) -> Mapping[str, int]:
        """Return the units in every account; empty accounts are left out."""
        ...

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return a person's credential, or None."""
        ...

    def credentials(self) -> Sequence[Credential]:
        """Return all credentials, sorted by kind and person."""
        ...


class WriteTransaction(ReadTransaction, Protocol):
    """A write transaction; it writes on the state that it reads."""

    def lock_exclusive(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Lock streams for writing until the end, and return their heads; a new stream is at sequence 0."""
        ...

    def lock_shared(self, streams: Iterable[str]) -> Mapping[str, StreamHead]:
        """Lock streams against changes until the end, shared with other readers, and return their heads.

        Call it before ``lock_exclusive``, so no two transactions wait for each other.
        """
        ...

    def append(self, records: Sequence[JournalRecord]) -> None:
        """Append stored records to their streams and move the heads; a taken sequence is refused.

        With the key of the house the heads are signed at the end of the transaction. A stream whose head is
        not signed is refused.
        """
        ...

    def sign_heads(self, heads: Mapping[str, StreamHead]) -> None:
        """Sign heads as they are, at the end of the transaction; the caller has verified their chains."""
        ...

    def copy_records(self, records: Sequence[JournalRecord]) -> None:
        """Append records of a copy, whose commits are copied too."""
        ...

    def copy_commits(self, commits: Iterable[Commit], heads: Mapping[str, int]) -> None:
        """Add the commits of a copy, and the commit of each head."""
        ...

    def rewrite_head(self, stream: str) -> None:
        """Write a stream's head again, unchanged, so a commit proves that the store can write."""
        ...

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add transfers to the ledger and to the balances."""
        ...

    def add_segment_part(self, part: SegmentPart, content: PartContent) -> None:
        """Add a part with its content, in place of the same rows; what comes after the head is new.

        It is refused if it does not come next, or if its rows are not all there.
        """
        ...

    def add_segment(self, segment: Segment) -> None:
        """Add the segment of a day; a second one of the same day is refused."""
        ...

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Store a pinned game; an existing one stays."""
        ...

    def keep_secrets(self, secrets: Mapping[tuple[str, int], bytes]) -> None:
        """Store the sealed secrets of shuffles, by stream and number, until they are revealed."""
        ...

    def forget_secrets(self, places: Iterable[tuple[str, int]]) -> None:
        """Delete secrets that the journal has revealed."""
        ...

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing one of the same sequence."""
        ...

    def put_table_hours(self, rows: Sequence[TableHour]) -> None:
        """Store hours of tables, replacing the totals of those that are there."""
        ...

    def add_rounds(self, rounds: Sequence[RoundRow], players: Sequence[PlayerRound]) -> None:
        """Add finished rounds and their players to the index; one that is there already is refused."""
        ...

    def refuse_other_programs(self) -> None:
        """Refuse while another program uses the store, because that would write what it remembers."""
        ...

    def delete_derived(self) -> None:
        """Delete totals, rounds and snapshots, to be written again from the journal."""
        ...

    def put_credential(self, credential: Credential) -> None:
        """Store a person's credential, replacing the one before."""
        ...

    def announce_sign_out(self, kind: PersonKind, person: str) -> None:
        """Tell every process that shares the store, in the same commit, that sign-ins of a person ended."""
        ...


class Store(Protocol):
    """The storage of a house."""

    name: str
    """Its display name, without a password."""
    address: str | None
    """What another process opens it by, with any password, so never shown; None if no other one can."""
    key: StoreKey | None
    """What its transactions open stored secrets with."""

    def reading(self) -> AbstractContextManager[ReadTransaction]:
        """Open a read transaction."""
        ...

    def writing(self) -> AbstractContextManager[WriteTransaction]:
        """Open a write transaction; it is committed at the end, and rolled back after any error."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...


def key_of(reading: ReadTransaction) -> StoreKey:
    """Return what seals the secrets of a store; refuse to write any without the key of the house."""
    if reading.key is None:
        raise StoreError("Secrets cannot be stored: the key of the house was not given.")
    return reading.key


MAX_UNITS = 2**63 - 1
"""The largest balance that every store can hold."""


def advance_heads(heads: Mapping[str, StreamHead], records: Sequence[JournalRecord]) -> dict[str, StreamHead]:
    """Return stream heads after some records, or refuse the first record that does not come next."""
    moved: dict[str, StreamHead] = {}
    for record in records:
        head = moved.get(record.stream) or heads[record.stream]
        if record.first_sequence != head.sequence + 1 or record.sequence < record.first_sequence:
            raise ConcurrentChangeError(
                f"Sequence {record.first_sequence} of {record.stream} does not come next after "
                f"{head.sequence}."
            )
        _refuse_nul(record.stream + record.key + record.by)
        moved[record.stream] = StreamHead(record.sequence, record.hash)
    return moved


NOT_SIGNED = "ends in an event that the house has not signed"
FALSE_SIGNATURE = "ends in a commit whose signature is not the house's"


def signature_fault(signed: SignedHeads | None, stream: str, head: StreamHead) -> str:
    """Return why a head is not one of those that a commit signed; None stands for a false signature."""
    if signed is None:
        return FALSE_SIGNATURE
    return "" if signed.get(stream) == (head.sequence, head.hash[:HASH_BYTES]) else NOT_SIGNED


def _refuse_nul(words: str) -> None:
    """Refuse the NUL character: not every database can hold it, and it hides what follows it."""
    if "\0" in words:
        raise StoreError(
            "A stream name, a person's name or a key contains a character that cannot be stored."
        )


def refuse_other_part(part: SegmentPart, head: StreamHead, closed: int | None) -> None:
    """Refuse a part that does not come next after those of its stream, or whose day has its segment."""
    if part.first != head.sequence + 1 or (closed is not None and part.day <= closed):
        raise ConcurrentChangeError(f"Another program has closed days of {part.stream} meanwhile.")


def balance_deltas(transfers: Sequence[Transfer]) -> dict[str, int]:
    """Return the change of each account, sorted by account, so all writers use one order."""
    added: dict[str, int] = {}
    for transfer in transfers:
        _refuse_nul(transfer.giver + transfer.taker)
        added[transfer.giver] = added.get(transfer.giver, 0) - transfer.units
        added[transfer.taker] = added.get(transfer.taker, 0) + transfer.units
    return dict(sorted(added.items()))


def refuse_too_much(account: str, units: int) -> None:
    """Refuse a balance that no database can hold as an integer."""
    if not -MAX_UNITS <= units <= MAX_UNITS:
        raise StoreError(f"The balance of {account} would be more than a store can hold.")

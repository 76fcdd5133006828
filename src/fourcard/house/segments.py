"""Segments: closed days in compressed parts with a signed list, in place of rows of journal and ledger.

A day is closed some days after its end, stream by stream and part by part, each in one commit; at the end a
signed list of its parts is stored. A closing that was interrupted goes on where it was.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice, takewhile

import msgspec

from fourcard.house.decision import HOUSE
from fourcard.house.journal import SEALED_KIND, JournalRecord, StreamHead, chain_hash
from fourcard.house.reports.formats import DAY, DayNumber, day_name, day_number, day_start
from fourcard.house.signed_files import FileSigner, SignedFileError, read_header, sign_header, verify_header
from fourcard.house.store.interface import (
    ConcurrentChangeError,
    PartContent,
    ReadTransaction,
    Segment,
    SegmentPart,
    Store,
    StoreError,
)
from fourcard.house.store.sealing import open_records
from fourcard.house.store.segment_parts import cut_parts, decode_part, encode_part
from fourcard.refusals import BadInputError

FORMAT = "fourcard-segment-1"
MIN_KEEP_DAYS = 2
"""Days whose rows stay at least, so that a repeated command is recognized by its key."""
KEEP_DAYS = 35
BATCH_RECORDS = 500
"""Records after which parts are committed."""
PARTS_AT_ONCE = 4
"""Parts that are read in one transaction: a long one would keep the database from tidying its log."""


class PartEntry(msgspec.Struct, frozen=True, array_like=True):
    """A part in the signed list of a segment; hashes are in hexadecimal."""

    stream: str
    first: int
    last: int
    records: int
    transfers: int
    last_transfer: int
    earlier_hash: str
    hash: str
    size: int
    """The bytes of its frame."""
    digest: str
    """The SHA-256 of its frame."""


class SegmentFacts(msgspec.Struct, frozen=True):
    """What the header of a segment says: its day, the segment before it, and its parts in order."""

    day: str
    previous: str
    """The SHA-256 of the header before it; empty in the first."""
    parts: tuple[PartEntry, ...]


class ClosedDay(msgspec.Struct, frozen=True):
    """What the segment of a day holds."""

    day: str
    streams: int
    parts: int
    events: int
    transfers: int
    bytes: int


_facts_decoder = msgspec.json.Decoder(SegmentFacts)


def entry_of(part: SegmentPart) -> PartEntry:
    """Return a part as it is listed."""
    return PartEntry(
        part.stream, part.first, part.last, part.records, part.transfers, part.last_transfer,
        part.earlier_hash.hex(), part.hash.hex(), len(part.body), sha256(part.body).hexdigest(),
    )  # fmt: skip


def manifest_digest(segment: Segment) -> str:
    """Return the SHA-256 of a header, which the next segment names."""
    return sha256(segment.manifest).hexdigest()


class SegmentManifest(msgspec.Struct, frozen=True):
    """The header of a segment, verified: when it was signed, its facts, and the SHA-256 of all its frames."""

    at: int
    facts: SegmentFacts
    digest: str


def read_manifest(segment: Segment, house: str, public_keys: Collection[str]) -> SegmentManifest:
    """Return the header of a segment, after a check that this house signed it."""
    header, _ = read_header(segment.manifest + b"\n", FORMAT)
    verify_header(header, house, public_keys)
    try:
        return SegmentManifest(header.at, _facts_decoder.decode(header.facts), header.digest)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise SignedFileError(f"Its list of parts cannot be read: {error}.") from None


def closed_day(facts: SegmentFacts) -> ClosedDay:
    """Return what a segment holds."""
    parts = facts.parts
    return ClosedDay(
        day=facts.day,
        streams=len({part.stream for part in parts}),
        parts=len(parts),
        events=sum(part.last - part.first + 1 for part in parts),
        transfers=sum(part.transfers for part in parts),
        bytes=sum(part.size for part in parts),
    )


def segment_file(reading: ReadTransaction, day: DayNumber) -> Iterator[bytes]:
    """Yield the segment of a day as a signed file, or refuse a day that is not closed."""
    segment = next(reading.segments(day - 1), None)
    if segment is None or segment.day != day:
        raise BadInputError(f"{day_name(day)} has no segment: it is not closed, or nothing happened then.")
    yield segment.manifest + b"\n"
    for part in reading.segment_parts(day):
        yield part.body


NewPart = tuple[SegmentPart, PartContent]
Step = Callable[[DayNumber, int], None]
"""Called after every commit with the day and the number of events that were closed so far."""


class DayCloser:
    """Closes the days of a house that are old enough."""

    def __init__(
        self,
        store: Store,
        signer: FileSigner,
        now: Callable[[], int],
        *,
        keep_days: int = KEEP_DAYS,
        rest: float = 0.0,
    ) -> None:
        """Take the days whose rows stay, and how long to rest after each commit, in the time that it took."""
        if keep_days < MIN_KEEP_DAYS:
            raise BadInputError(
                f"Rows stay at least {MIN_KEEP_DAYS} days, so that a repeated command is recognized."
            )
        self._store, self._signer, self._now = store, signer, now
        self._keep, self._rest = keep_days * DAY, rest
        self._stopped, self._running = threading.Event(), threading.Lock()

    def stop(self) -> None:
        """Stop after the commit in progress, and wait for it."""
        self._stopped.set()
        with self._running:
            pass

    def close_due(self, step: Step | None = None) -> Iterator[ClosedDay]:
        """Close every day that is due, the oldest first; stop where another process closes days."""
        try:
            while (day := self._next_day()) is not None and not self._stopped.is_set():
                facts = self._close(day, step or _no_step)
                if facts is None:
                    return
                yield closed_day(facts)
        except ConcurrentChangeError:
            return

    def _next_day(self) -> DayNumber | None:
        """Return the day to close: one whose closing was interrupted, or the oldest if it is due."""
        with self._store.reading() as reading:
            last = reading.last_segment()
            signed = -1 if last is None else last.day
            begun = reading.segment_days(signed)
            oldest = min(reading.oldest_rows().values(), default=None)
        if begun:
            return begun[0]
        if oldest is None:
            return None
        # After the clock was set back, late events belong to the next day that is not closed.
        day = max(day_number(oldest), signed + 1)
        return day if day_start(day + 1) <= self._now() - self._keep else None

    def _close(self, day: DayNumber, step: Step) -> SegmentFacts | None:
        """Close a day; return None if it was stopped before the end."""
        end, done, closed = day_start(day + 1), 0, -1
        while (streams := self._open_streams(end)) and done > closed:
            began, closed = time.perf_counter(), done
            for batch in _batches(part for stream in streams for part in self._parts(stream, day, end)):
                self._add(batch)
                done += sum(part.last - part.first + 1 for part, _ in batch)
                step(day, done)
                self._stopped.wait(self._rest * (time.perf_counter() - began))
                if self._stopped.is_set():
                    return None
                began = time.perf_counter()
        return self._sign(day)

    def _open_streams(self, end: int) -> list[str]:
        with self._store.reading() as reading:
            return sorted(stream for stream, at in reading.oldest_rows().items() if at < end)

    def _parts(self, stream: str, day: DayNumber, end: int) -> Iterator[NewPart]:
        """Yield the events of a stream before a time in parts, each of them read back.

        What is still sealed stays in rows: in a part it would be readable.
        """
        with self._store.reading() as reading:
            head = reading.segment_head(stream)
        while True:
            with self._store.reading() as reading:
                opened = open_records(reading.stored_records(stream, head.sequence), _no_secret)
                records = takewhile(lambda each: each.at < end and each.kind != SEALED_KIND, opened)
                transfers = reading.transfers_of(stream, head.sequence)
                contents = [*islice(cut_parts(_chained(records, head), transfers), PARTS_AT_ONCE)]
            if not contents:
                return
            for content in contents:
                yield _encoded(day, head, content), content
                head = StreamHead(content.records[-1].sequence, content.records[-1].hash)

    def _add(self, batch: Sequence[NewPart]) -> None:
        """Store parts in place of their rows; the lock of the house's stream lets one program at a time."""
        with self._running, self._store.writing() as writing:
            writing.lock_exclusive([HOUSE, *(part.stream for part, _ in batch)])
            for part, content in batch:
                writing.add_segment_part(part, content)

    def _sign(self, day: DayNumber) -> SegmentFacts:
        """Store the signed list of a day's parts."""
        with self._store.reading() as reading:
            last = reading.last_segment()
            previous = "" if last is None else manifest_digest(last)
            entries, digest = list[PartEntry](), sha256()
            for part in reading.segment_parts(day):
                entries.append(entry_of(part))
                digest.update(part.body)
        at, facts = self._now(), SegmentFacts(day_name(day), previous, tuple(entries))
        manifest = sign_header(self._signer, FORMAT, at, facts, digest.hexdigest())
        with self._running, self._store.writing() as writing:
            writing.lock_exclusive([HOUSE])
            writing.add_segment(Segment(day, at, manifest))
        return facts


def _batches(parts: Iterable[NewPart]) -> Iterator[list[NewPart]]:
    """Yield parts in batches of one commit each: many short streams share one."""
    batch, records = list[NewPart](), 0
    for each in parts:
        batch.append(each)
        records += each[0].records
        if records >= BATCH_RECORDS:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch


def _no_secret(_stream: str, _number: int) -> None:
    """Know no secret but those that the journal reveals."""


def _no_step(_day: DayNumber, _events: int) -> None:
    """Report no progress."""


def _chained(records: Iterator[JournalRecord], head: StreamHead) -> Iterator[JournalRecord]:
    """Yield records as they are, and refuse one that is not chained to the record before."""
    hash_, last = head.hash, head.sequence
    for record in records:
        if record.first_sequence != last + 1 or chain_hash(hash_, record) != record.hash:
            raise StoreError(
                f"{record.stream} cannot be closed: event {record.sequence} does not match the stored hash "
                "or does not come next; run an audit."
            )
        hash_, last = record.hash, record.sequence
        yield record


def _encoded(day: DayNumber, head: StreamHead, content: PartContent) -> SegmentPart:
    """Return a part, after it was read back and found to be the same."""
    part = encode_part(day, head.hash, content)
    if decode_part(part) != content:
        raise StoreError(f"{part.stream} cannot be closed: events up to {part.last} were not read back.")
    return part

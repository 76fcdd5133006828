"""Rebuild: works running totals, round index and snapshots out again from the journal, stream by stream."""

import logging
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from fourcard.house import meter_state, table_state
from fourcard.house.auth.security import SECURITY, password_digest
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import HOUSE
from fourcard.house.events import PasswordStored, SecurityNoted, SignInIssued, TableInstalled
from fourcard.house.journal import GENESIS, METER_CODEC, TABLE_CODEC, JournalRecord
from fourcard.house.meter_state import MeterState, RoundMeterEffects
from fourcard.house.round_index import END_KINDS, IndexedRound, index_round, player_rows, round_row
from fourcard.house.running_totals import RunningTotals
from fourcard.house.state_cache import StateCache, encode_meter, encode_table
from fourcard.house.store.interface import (
    ReadTransaction,
    RoundQuery,
    Snapshot,
    StoreError,
    TableHour,
    WriteTransaction,
    sign_snapshot,
)
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable
from fourcard.house.unit_of_work import SNAPSHOT_EVERY, UnitOfWork
from fourcard.table.events import RoundBegan

RebuildProgress = Callable[[int, int], None]
"""Callback with the number of events done and the total."""
PROGRESS_INTERVAL = 1_000
REPORT_SECONDS = 5.0
"""How often the progress of a long migration is logged."""
_log = logging.getLogger(__name__)


def rebuild(writing: WriteTransaction) -> None:
    """Write totals, index and snapshots of a journal whose store has none; the caller commits.

    A stream that cannot be read to its end is left to the audit: damage to one must not close the house.
    """
    under_way = _Rebuild(writing, _LoggedProgress().report)
    for stream, read in under_way.streams():
        try:
            read(stream)
        except Exception as error:  # noqa: BLE001  whatever an altered event makes the program do
            _log.warning("%s cannot be read to its end (%s); run an audit.", stream, error)


def journal_people(writing: WriteTransaction, rows: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
    """Write passwords, sign-ins and the security log of an older version to the security stream."""
    cache, at = StateCache(SystemEntropy()), 0
    cache.use_reader(writing)
    cache.catch_up(SECURITY, writing.lock_exclusive([SECURITY])[SECURITY])
    work = UnitOfWork(cache, writing)
    for _, moment, *note in rows["notes"]:
        at = max(at, moment)
        work.begin_by_house(at)
        work.add(SECURITY, SecurityNoted(*note))
        work.end_request()
    at = max(at, *(row[0] for row in rows["tokens"]), 0)
    work.begin_by_house(at)
    for kind, person, password in rows["credentials"]:
        work.add(SECURITY, PasswordStored(kind, person, password_digest(password)))
    for issued, kind, person, hash_, ends, revoked in rows["tokens"]:
        if not revoked:
            work.add(SECURITY, SignInIssued(kind, person, hash_, issued, ends))
    work.write()


class _LoggedProgress:
    """Logs the progress now and then."""

    def __init__(self) -> None:
        self._reported = time.monotonic()

    def report(self, done: int, total: int) -> None:
        """Log how far it is, if the last line is long ago."""
        if time.monotonic() - self._reported > REPORT_SECONDS:
            self._reported = time.monotonic()
            _log.warning("The database is brought up to date: %s of %s events.", f"{done:,}", f"{total:,}")


DerivedKind = Literal["totals", "rounds", "players", "snapshots"]


class Repaired(msgspec.Struct, frozen=True):
    """What was wrong with one kind of derived data of one stream: how many rows."""

    stream: str
    kind: DerivedKind
    missing: int
    altered: int
    inserted: int


def repair(writing: WriteTransaction, progress: RebuildProgress) -> tuple[Repaired, ...]:
    """Write totals, index and snapshots again from the journal, and return what was wrong before.

    It is refused, and nothing changes, if a stream cannot be read to its end.
    """
    writing.lock_exclusive([HOUSE])
    writing.refuse_other_programs()
    before = _fingerprints(writing)
    writing.delete_derived()
    under_way = _Rebuild(writing, progress)
    for stream, read in under_way.streams():
        try:
            read(stream)
        except Exception as error:  # whatever an altered event makes the program do
            raise StoreError(
                f"{stream} cannot be read to its end ({error}); run an audit. Nothing was changed."
            ) from error
    return tuple(_differences(before, _fingerprints(writing)))


Fingerprints = dict[tuple[str, DerivedKind], dict[Hashable, int]]
"""By stream and kind, a hash of each row by its key."""


def _fingerprints(reading: ReadTransaction) -> Fingerprints:
    found: Fingerprints = {}

    def add(stream: str, kind: DerivedKind, key: Hashable, row: Hashable) -> None:
        found.setdefault((stream, kind), {})[key] = hash(row)

    for hour in reading.table_hours():
        add(hour.stream, "totals", hour.hour, hour)
    for row in reading.rounds(RoundQuery()):
        add(row.stream, "rounds", row.number, row)
    for player in reading.player_rounds():
        add(player.stream, "players", (player.number, player.player), player)
    for snapshot in reading.snapshots():
        add(snapshot.stream, "snapshots", snapshot.sequence, snapshot)
    return found


def _differences(before: Fingerprints, after: Fingerprints) -> Iterator[Repaired]:
    for stream, kind in sorted({*before, *after}):
        old, new = before.get((stream, kind), {}), after.get((stream, kind), {})
        missing, inserted = len(new.keys() - old.keys()), len(old.keys() - new.keys())
        altered = sum(old[key] != new[key] for key in old.keys() & new.keys())
        if kind == "snapshots":  # a writer may take them at other events
            missing = inserted = 0
        if missing or altered or inserted:
            yield Repaired(stream, kind, missing, altered, inserted)


class _Rebuild:
    """One rebuild under way."""

    def __init__(self, writing: WriteTransaction, progress: RebuildProgress) -> None:
        self.writing, self.totals, self.progress = writing, RunningTotals(), progress
        self.cache = StateCache(SystemEntropy())
        self.cache.use_reader(writing)
        self.earlier_hash = GENESIS
        """The hash before the record of the current event."""
        self.meters: dict[tuple[str, int], RoundMeterEffects] = {}
        """By table and round, what its meter showed and held."""
        families = (*writing.streams_of("meter").values(), *writing.streams_of("table").values())
        self.total = sum(head.sequence for head in families)
        self.done = 0

    def streams(self) -> Iterator[tuple[str, Callable[[str], None]]]:
        """Yield the meters, then the tables, whose rounds need them, each with what reads it."""
        for family, read in (("meter", self._meter), ("table", self._table)):
            for stream in self.writing.streams_of(family):
                yield stream, read

    def _records(self, stream: str) -> Iterator[JournalRecord]:
        """Yield the events of a stream, and report the progress now and then."""
        self.earlier_hash = hash_ = GENESIS
        for record in self.writing.events(stream):
            if record.hash != hash_:
                self.earlier_hash, hash_ = hash_, record.hash
            self.done += 1
            if self.done % PROGRESS_INTERVAL == 0:
                self.progress(self.done, self.total)
            yield record

    def _meter(self, stream: str) -> None:
        meter, kept = MeterState(stream.partition("/")[2]), 0
        for record in self._records(stream):
            if record.sequence - 1 - kept >= SNAPSHOT_EVERY:
                kept = record.sequence - 1
                self._keep_snapshot(Snapshot(stream, kept, encode_meter(meter), self.earlier_hash))
            event = METER_CODEC.decode(record)
            meter, _ = meter_state.evolve(meter, event)
            table = getattr(event, "table", "")
            effects = meter.last_rounds.get(table)
            if effects is not None:
                self.meters[table, effects.round] = effects

    def _table(self, stream: str) -> None:
        table: AnyTable = UninstalledTable(stream.partition("/")[2])
        totals, hours, rounds = self.totals.table(stream), list[TableHour](), list[IndexedRound]()
        kept, marked = 0, dict[int, tuple[HouseTable, bytes]]()
        try:
            for record in self._records(stream):
                event, before = TABLE_CODEC.decode(record), table
                if isinstance(event, TableInstalled):
                    marked = {}
                elif isinstance(event, RoundBegan) and record.sequence - 1 - kept >= SNAPSHOT_EVERY:
                    assert isinstance(before, HouseTable)
                    kept, marked = record.sequence - 1, {record.sequence - 1: (before, self.earlier_hash)}
                table, postings = table_state.evolve(before, event, self.cache.game)
                if isinstance(before, UninstalledTable):
                    continue
                left = totals.add(record, event, postings)
                hours += [] if left is None else [left]
                if record.kind in END_KINDS:
                    effects = self.meters.get((table.name, table.state.round_number))
                    rounds.append(index_round(before, table, record, effects))
                    self._keep_snapshots(stream, marked)
                    marked = {}
        finally:
            self._write(rounds, [*hours, totals.row()] if totals.changed else hours)

    def _keep_snapshots(self, stream: str, marked: dict[int, tuple[HouseTable, bytes]]) -> None:
        """Store the table before a round that is over now."""
        for sequence, (table, earlier_hash) in marked.items():
            self._keep_snapshot(Snapshot(stream, sequence, encode_table(table), earlier_hash))

    def _keep_snapshot(self, snapshot: Snapshot) -> None:
        self.writing.keep_snapshot(sign_snapshot(self.writing.key, snapshot))

    def _write(self, rounds: list[IndexedRound], hours: list[TableHour]) -> None:
        self.writing.put_table_hours(hours)
        players = [row for each in rounds for row in player_rows(each)]
        self.writing.add_rounds([round_row(each) for each in rounds], players)

"""Rebuild: works running totals, round index and snapshots out again from the journal, stream by stream."""

import logging
import time
from collections.abc import Iterator

from fourcard.house import meter_state, table_state
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.events import TableInstalled
from fourcard.house.journal import METER_CODEC, TABLE_CODEC, JournalRecord
from fourcard.house.meter_state import MeterState, RoundMeterEffects
from fourcard.house.round_index import END_KINDS, IndexedRound, index_round, player_rows, round_row
from fourcard.house.running_totals import RunningTotals
from fourcard.house.state_cache import StateCache, encode_meter, encode_table
from fourcard.house.store.interface import Snapshot, TableHour, WriteTransaction
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable
from fourcard.house.unit_of_work import SNAPSHOT_EVERY
from fourcard.table.events import RoundBegan

REPORT_SECONDS = 5.0
"""How often the progress of a long rebuild is logged."""
_log = logging.getLogger(__name__)


def rebuild(writing: WriteTransaction) -> None:
    """Write totals, index and snapshots of a journal whose store has none; the caller commits."""
    _Rebuild(writing).run()


class _Rebuild:
    """One rebuild under way."""

    def __init__(self, writing: WriteTransaction) -> None:
        self.writing, self.totals = writing, RunningTotals()
        self.cache = StateCache(SystemEntropy())
        self.cache.use_reader(writing)
        self.meters: dict[tuple[str, int], RoundMeterEffects] = {}
        """By table and round, what its meter showed and held."""
        self.total = sum(head.sequence for head in writing.streams().values())
        self.done, self._reported = 0, time.monotonic()

    def run(self) -> None:
        """Read the meters, then the tables, whose rounds need them; a damaged stream is left to the audit."""
        for family, read in (("meter", self._meter), ("table", self._table)):
            for stream in self.writing.streams_of(family):
                try:
                    read(stream)
                except Exception as error:  # noqa: BLE001  damage to one stream must not close the house
                    _log.warning("%s cannot be read to its end (%s); run an audit.", stream, error)

    def _records(self, stream: str) -> Iterator[JournalRecord]:
        """Yield the events of a stream, and log the progress now and then."""
        for record in self.writing.events(stream):
            self.done += 1
            if time.monotonic() - self._reported > REPORT_SECONDS:
                self._reported = time.monotonic()
                _log.warning(
                    "The database is brought up to date: %s of %s events.",
                    f"{self.done:,}",
                    f"{self.total:,}",
                )
            yield record

    def _meter(self, stream: str) -> None:
        meter, kept = MeterState(stream.partition("/")[2]), 0
        for record in self._records(stream):
            if record.sequence - 1 - kept >= SNAPSHOT_EVERY:
                kept = record.sequence - 1
                self.writing.keep_snapshot(Snapshot(stream, kept, encode_meter(meter)))
            event = METER_CODEC.decode(record)
            meter, _ = meter_state.evolve(meter, event)
            table = getattr(event, "table", "")
            effects = meter.last_rounds.get(table)
            if effects is not None:
                self.meters[table, effects.round] = effects

    def _table(self, stream: str) -> None:
        table: AnyTable = UninstalledTable(stream.partition("/")[2])
        totals, hours, rounds = self.totals.table(stream), list[TableHour](), list[IndexedRound]()
        kept, marked = 0, dict[int, HouseTable]()
        try:
            for record in self._records(stream):
                event, before = TABLE_CODEC.decode(record), table
                if isinstance(event, TableInstalled):
                    marked = {}
                elif isinstance(event, RoundBegan) and record.sequence - 1 - kept >= SNAPSHOT_EVERY:
                    assert isinstance(before, HouseTable)
                    kept, marked = record.sequence - 1, {record.sequence - 1: before}
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

    def _keep_snapshots(self, stream: str, marked: dict[int, HouseTable]) -> None:
        """Store the table before a round that is over now."""
        for sequence, table in marked.items():
            self.writing.keep_snapshot(Snapshot(stream, sequence, encode_table(table)))

    def _write(self, rounds: list[IndexedRound], hours: list[TableHour]) -> None:
        self.writing.put_table_hours(hours)
        players = [row for each in rounds for row in player_rows(each)]
        self.writing.add_rounds([round_row(each) for each in rounds], players)

"""New rows: the rows of a stream that a checkpoint does not cover, read once and counted.

How many rows the checkpoint covers must still be in the store; otherwise it cannot be gone on from.
"""

from collections import Counter, deque
from collections.abc import Iterator
from typing import Any, Literal, TypeVar

from fourcard.house.audit.checkpoint import UnusableCheckpointError
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Transfer
from fourcard.house.store.interface import (
    ReadTransaction,
    RoundQuery,
    RoundRow,
    Snapshot,
    StreamRows,
    TableHour,
)

BEFORE_FIRST = -(2**62)
"""Below every sequence, so that rows inserted before the first event are read too."""
RowKind = Literal["records", "transfers", "snapshots", "hours", "rounds", "players"]
T = TypeVar("T")


class NewRows:
    """The rows of one stream after a checkpoint, or all of them without one."""

    def __init__(
        self, reading: ReadTransaction, stream: str, now: StreamRows, before: StreamRows | None
    ) -> None:
        """Take how many rows there are now, and how many the checkpoint covers."""
        self.reading, self.stream, self.now, self.before = reading, stream, now, before
        self._read: Counter[RowKind] = Counter()
        self._open: list[Iterator[Any]] = []

    def records(self) -> Iterator[JournalRecord]:
        """Yield the new records, after a check that the last one before them is still the same."""
        before = self.before
        if before is None:
            return self.reading.records(self.stream, BEFORE_FIRST)
        if (self.now.records, self.now.hash) == (before.records, before.hash):
            return iter(())
        rows = self.reading.records(self.stream, before.records.last - 1)
        last = next(rows, None)
        if last is None or (last.sequence, last.hash) != (before.records.last, before.hash):
            raise UnusableCheckpointError(
                f"It covers event {before.records.last} of {self.stream}, which is not there now."
            )
        return self._counted("records", rows)

    def transfers(self) -> Iterator[Transfer]:
        """Yield the transfers of new events."""
        if self._is_unchanged("transfers"):
            return iter(())
        after = BEFORE_FIRST if self.before is None else self.before.records.last
        return self._counted("transfers", self.reading.transfers_of(self.stream, after))

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield the new snapshots; the first one can be of an event that the checkpoint covers."""
        if self._is_unchanged("snapshots"):
            return iter(())
        after = None if self.before is None else self.before.snapshots.last
        return self._counted("snapshots", self.reading.snapshots(self.stream, after))

    def rounds(self) -> Iterator[RoundRow]:
        """Yield the new rounds of a table."""
        if self._is_unchanged("rounds"):
            return iter(())
        after = None if self.before is None else (0, self.stream, self.before.rounds.last)
        return self._counted("rounds", self.reading.rounds(RoundQuery(stream=self.stream, after=after)))

    def hours(self) -> Iterator[TableHour]:
        """Yield the hours of a table from the last one that the checkpoint knows, which may have grown."""
        last = 0 if self.before is None else self.before.hours.last
        for row in self.reading.table_hours(self.stream, last) if self.now.hours.count else ():
            self._read["hours"] += row.hour > last
            yield row

    def count_player(self) -> None:
        """Count a new row by which a player finds a round."""
        self._read["players"] += 1

    def _is_unchanged(self, kind: RowKind) -> bool:
        now = getattr(self.now, kind)
        return not now.count or (self.before is not None and now == getattr(self.before, kind))

    def _counted(self, kind: RowKind, rows: Iterator[T]) -> Iterator[T]:
        if self.before is None:
            return rows
        counted = self._count(kind, rows)
        self._open.append(counted)
        return counted

    def _count(self, kind: RowKind, rows: Iterator[T]) -> Iterator[T]:
        for row in rows:
            self._read[kind] += 1
            yield row

    def check_counts(self, *kinds: RowKind) -> None:
        """Refuse the checkpoint where the rows that it covers are fewer or more than they were."""
        if self.before is None:
            return
        for rows in self._open:
            deque(rows, maxlen=0)
        for kind in kinds:
            was, is_ = getattr(self.before, kind).count, getattr(self.now, kind).count - self._read[kind]
            if was != is_:
                raise UnusableCheckpointError(
                    f"It covers {was:,} {kind} of {self.stream}; there are {is_:,} of them now."
                )

"""Backup and restore: copies a running house at one moment into an empty store of any kind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from fourcard.house.events import ROTATED_KIND
from fourcard.house.store.interface import (
    PlayerRound,
    ReadTransaction,
    RoundQuery,
    RoundRow,
    RowCount,
    Snapshot,
    Store,
    StoreError,
    StreamRows,
    TableHour,
    WriteTransaction,
)
from fourcard.house.store.segment_parts import decode_part

CopyProgress = Callable[[str, int], None]
"""Gets the name of the copied rows, and their number so far."""

HOUSE = "house"
"""The house's own stream, which says that the key was rotated."""
COPY_PAGE_ROWS = 5000
ALL = 2**62
T = TypeVar("T")


class CopyCounts(msgspec.Struct, frozen=True):
    """Number of rows in the copy."""

    streams: int
    events: int
    transfers: int
    balances: int
    games: int
    secrets: int
    snapshots: int
    table_hours: int
    rounds: int
    credentials: int
    segments: int


def copy_house(
    source: Store,
    target: Store,
    progress: CopyProgress | None = None,
    then: Callable[[WriteTransaction], None] | None = None,
    *,
    onto_earlier: bool = False,
) -> CopyCounts:
    """Copy a house as it is now; the target takes all of it or, if anything fails, nothing.

    The target is empty or, ``onto_earlier``, an earlier copy of the same house: then only what came since is
    read. ``then`` changes the copy in the same transaction, before anybody can open it.
    """
    with source.reading() as house, target.writing() as copy:
        if not onto_earlier:
            _refuse_nonempty(copy, target.name)
        copying = _Copying(house, copy, progress or _silent)
        copying.refuse_other_house(target.name)
        copied = copying.run()
        _refuse_different(house, copy, source.name)
        if onto_earlier and copy.stream_rows() != copying.now:
            raise StoreError(f"{target.name} does not hold what the house holds; make a full backup.")
        if then is not None:
            then(copy)
    return copied


class _Copying:
    """One copy under way: every stream goes on where the target ends."""

    def __init__(self, house: ReadTransaction, copy: WriteTransaction, progress: CopyProgress) -> None:
        self.house, self.copy, self.progress = house, copy, progress
        self.now, self.before = house.stream_rows(), copy.stream_rows()
        self.changed = [stream for stream, rows in self.now.items() if rows != self.before.get(stream)]
        own = self.before.get(HOUSE)
        self.rotated = own is not None and any(
            each.kind == ROTATED_KIND for each in house.events(HOUSE, own.records.last)
        )
        """Whether the key was rotated since the earlier copy, and all snapshots were signed again."""

    def refuse_other_house(self, name: str) -> None:
        """Refuse a target that is not an earlier state of the house, stream by stream."""
        for stream, rows in self.before.items():
            if self.now.get(stream) == rows:
                continue
            last = next(self.house.stored_records(stream, rows.records.last - 1), None)
            if last is None or (last.sequence, last.hash) != (rows.records.last, rows.hash):
                raise StoreError(
                    f"{name} is not an earlier backup of this house: event {rows.records.last} of {stream} "
                    "is not there, or another one."
                )

    def run(self) -> CopyCounts:
        """Copy everything that is new."""
        house, copy = self.house, self.copy
        for hash_, body in house.games().items():
            copy.keep_game(hash_, body)
        self._copy_passwords()
        self._copy_secrets()
        self._copy_segments()
        heads = copy.lock_exclusive(stream for stream in self.changed if self.now[stream].records.count)
        ends = {stream: head.sequence for stream, head in heads.items()}
        records = (each for stream, end in ends.items() for each in house.stored_records(stream, end))
        transfers = (
            each
            for stream in self._grown("transfers")
            for each in house.transfers_of(stream, ends.get(stream) or -ALL)
        )
        self._write(records, copy.copy_records, "records")
        known = {each.id for each in copy.commits()}
        copy.copy_commits((each for each in house.commits() if each.id not in known), house.head_commits())
        self._write(transfers, copy.post, "transfers")
        self._write(self._snapshots(), self._keep_snapshots, "snapshots")
        self._write(self._hours(), copy.put_table_hours, "table hours")
        self._copy_rounds()
        return self._counts()

    def _copy_passwords(self) -> None:
        """Copy passwords."""
        for credential in self.house.credentials():
            self.copy.put_credential(credential)

    def _copy_secrets(self) -> None:
        """Copy the secrets that are not revealed, or sealed again, and delete those that are by now."""
        secrets, known = self.house.secrets(), self.copy.secrets()
        new = {place: secret for place, secret in secrets.items() if known.get(place) != secret}
        self.copy.forget_secrets(known.keys() - (secrets.keys() - new.keys()))
        self.copy.keep_secrets(new)

    def _copy_segments(self) -> None:
        """Copy the parts of closed days that the target does not have; there they replace its rows."""
        house, copy, done = self.house, self.copy, 0
        last = copy.last_segment()
        for day in house.segment_days(-1 if last is None else last.day):
            for part in house.segment_parts(day):
                if part.last > copy.segment_head(part.stream).sequence:
                    copy.add_segment_part(part, decode_part(part))
                    done += part.records
                    self.progress("records of closed days", done)
            segment = next(house.segments(day - 1), None)
            if segment is not None and segment.day == day:
                copy.add_segment(segment)

    def _copy_rounds(self) -> None:
        """Copy the index of rounds, and the players of the new rounds."""
        moments = list[int]()
        rounds = (row for stream in self._grown("rounds") for row in self._rounds(stream))
        self._write(map(partial(_note_moment, moments), rounds), self._add_rounds, "rounds")
        known = {stream: rows.players.last for stream, rows in self.before.items()}
        since = min(moments, default=None) if known else None
        players = self.house.player_rounds(since) if self._grown("players") else iter(())
        new = (row for row in players if row.number > known.get(row.stream, 0))
        self._write(new, self._add_players, "players")

    def _grown(self, kind: str) -> list[str]:
        """Return the streams with new rows of a kind."""
        empty = StreamRows()
        return [
            stream
            for stream in self.changed
            if getattr(self.now[stream], kind) != getattr(self.before.get(stream, empty), kind)
        ]

    def _last(self, stream: str, kind: str) -> int:
        found: RowCount = getattr(self.before.get(stream, StreamRows()), kind)
        return found.last

    def _snapshots(self) -> Iterator[Snapshot]:
        if self.rotated:
            yield from self.house.snapshots()
            return
        for stream in self._grown("snapshots"):
            yield from self.house.snapshots(stream, self._last(stream, "snapshots"))

    def _hours(self) -> Iterator[TableHour]:
        """Yield the hours of tables from the last known one, which may have grown."""
        for stream in self.changed:
            if self.now[stream].hours.count:
                yield from self.house.table_hours(stream, self._last(stream, "hours"))

    def _rounds(self, stream: str) -> Iterator[RoundRow]:
        return self.house.rounds(RoundQuery(stream=stream, after=(0, stream, self._last(stream, "rounds"))))

    def _keep_snapshots(self, page: Sequence[Snapshot]) -> None:
        for snapshot in page:
            self.copy.keep_snapshot(snapshot)

    def _add_rounds(self, page: Sequence[RoundRow]) -> None:
        self.copy.add_rounds(page, ())

    def _add_players(self, page: Sequence[PlayerRound]) -> None:
        self.copy.add_rounds((), page)

    def _write(self, rows: Iterable[T], write: Callable[[Sequence[T]], None], what: str) -> None:
        """Write rows in pages."""
        done = 0
        for page in _pages(iter(rows)):
            write(page)
            done += len(page)
            self.progress(what, done)

    def _counts(self) -> CopyCounts:
        house, rows, heads = self.house, self.now.values(), self.copy.streams()
        return CopyCounts(
            streams=len(heads),
            events=sum(head.sequence for head in heads.values()),
            transfers=sum(each.transfers.count for each in rows),
            balances=len(house.balances()),
            games=len(house.games()),
            secrets=len(house.secrets()),
            snapshots=sum(each.snapshots.count for each in rows),
            table_hours=sum(each.hours.count for each in rows),
            rounds=sum(each.rounds.count for each in rows),
            credentials=len(house.credentials()),
            segments=sum(1 for _ in house.segments()),
        )


def _note_moment(moments: list[int], row: RoundRow) -> RoundRow:
    moments.append(row.at)
    return row


def _pages(rows: Iterator[T]) -> Iterator[list[T]]:
    while page := list(islice(rows, COPY_PAGE_ROWS)):
        yield page


def _refuse_nonempty(copy: WriteTransaction, name: str) -> None:
    """Refuse a target that is not empty."""
    held: tuple[object, ...] = (
        copy.journal_streams(), copy.streams(), copy.balances(), copy.games(), copy.secrets(),
        copy.credentials(), next(iter(copy.transfers()), None),
        next(copy.snapshots(), None), next(copy.table_hours(), None),
        next(copy.rounds(RoundQuery(limit=1)), None), next(copy.player_rounds(), None),
        copy.segment_days(), copy.last_segment(),
    )  # fmt: skip
    if any(held):
        raise StoreError(f"{name} is not empty: a house can be copied only into an empty store.")


def _refuse_different(house: ReadTransaction, copy: WriteTransaction, name: str) -> None:
    """Refuse a house whose own tables disagree, because a copy would hide it."""
    if copy.streams() != house.streams():
        raise StoreError(f"{name} is damaged: its stream heads do not match its journal; run an audit.")
    if copy.balances() != house.balances():
        raise StoreError(f"{name} is damaged: its balances do not match its ledger; run an audit.")


def _silent(_what: str, _done: int) -> None:
    """Report no progress."""

"""Stream projections: the committed state of each followed stream, updated in commit order."""

import threading
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from fourcard.house.desk import Desk
from fourcard.house.journal import codec_of
from fourcard.house.library import Book, empty, fold
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import Games
from fourcard.rules.game import Game

Happening = tuple[Recorded, Any]
"""An event with its record."""


class Standing(msgspec.Struct, frozen=True):
    """A state and the sequence of its last event, replaced together so that readers see both."""

    book: Book
    sequence: int


class Following:
    """Projection of one stream: the state after its committed events; readable from any thread."""

    def __init__(self, stream: str, desk: Desk) -> None:
        """Take a stream; its state is unknown until `begin`."""
        self.stream, self._desk = stream, desk
        self.at = Standing(empty(stream), 0)
        self.begun = False
        self._lock = threading.Lock()

    @property
    def book(self) -> Book:
        """Return the last committed state."""
        return self.at.book

    @property
    def sequence(self) -> int:
        """Return the sequence of the last known event."""
        return self.at.sequence

    def begin(self) -> None:
        """Start at the stream's current state; commits in the meantime are caught up later.

        The command service is read before locking: during a commit it waits for projections.
        """
        if not self.begun:
            book, sequence = self._desk.standing(self.stream)
            with self._lock:
                if not self.begun:
                    self.at, self.begun = self._first(book, sequence), True

    def follow(self, entries: Sequence[Happening]) -> bool:
        """Apply the events of one commit; return False if earlier events are missing."""
        with self._lock:
            if not self.begun or entries[0][0].sequence > self.at.sequence + 1:
                return False
            self._fold(entries, self._desk.library.game)
            return True

    def catch_up(self, reading: Reading) -> None:
        """Apply the events that the store holds beyond the known ones."""
        codec = codec_of(self.stream)
        entries = [(record, codec.decode(record)) for record in reading.events(self.stream, self.at.sequence)]
        with self._lock:
            if self.begun:
                self._fold(entries, partial(self._game, reading))

    def _fold(self, entries: Iterable[Happening], games: Games) -> None:
        """Apply events all at once, skipping known ones, so that no reader sees half a commit."""
        at = self.at
        for record, event in entries:
            if record.sequence == at.sequence + 1:
                at = self._next(at, record, event, games)
        self.at = at

    def _first(self, book: Book, sequence: int) -> Standing:
        return Standing(book, sequence)

    def _next(self, at: Standing, record: Recorded, event: Any, games: Games) -> Standing:
        return Standing(fold(at.book, event, games)[0], record.sequence)

    def _game(self, reading: Reading, hash_: str) -> Game:
        """Return a pinned game, read from this view if it is not cached."""
        library = self._desk.library
        body = None if library.knows_game(hash_) else reading.game(hash_)
        return library.game(hash_) if body is None else library.pin(hash_, body)


Follower = TypeVar("Follower", bound=Following)


class Followed:
    """All projections, by stream."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = threading.Lock()
        self._streams: dict[str, Following] = {}

    def get(self, stream: str) -> Following | None:
        """Return the projection of a stream, if there is one."""
        return self._streams.get(stream)

    def names(self) -> set[str]:
        """Return every followed stream."""
        with self._lock:
            return {*self._streams}

    def add(self, projection: Follower) -> Follower:
        """Add a projection and return it, or the one that exists already."""
        with self._lock:
            current = self._streams.setdefault(projection.stream, projection)
        assert isinstance(current, type(projection))
        return current

    def drop(self, stream: str) -> None:
        """Stop following a stream."""
        with self._lock:
            self._streams.pop(stream, None)

    def committed(self, records: Iterable[Recorded], events: Iterable[object]) -> tuple[set[str], set[str]]:
        """Apply a commit; return the streams that changed and those with missing events."""
        written = dict[str, list[Happening]]()
        for record, event in zip(records, events, strict=True):
            written.setdefault(record.stream, []).append((record, event))
        changed, behind = set[str](), set[str]()
        for stream, entries in written.items():
            projection = self._streams.get(stream)
            if projection is not None:
                (changed if projection.follow(entries) else behind).add(stream)
        return changed, behind

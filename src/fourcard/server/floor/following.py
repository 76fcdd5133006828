"""Streams that are followed: each state as it was committed last, in the order of the commits."""

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
    """A state and the sequence of the last event in it: they are read together, whoever folds meanwhile."""

    book: Book
    sequence: int


class Following:
    """One stream and the state that its committed events have led to; any thread may look at it."""

    def __init__(self, stream: str, desk: Desk) -> None:
        """Take a stream of which nothing is known until it is begun."""
        self.stream, self._desk = stream, desk
        self.at = Standing(empty(stream), 0)
        self.begun = False
        self._lock = threading.Lock()

    @property
    def book(self) -> Book:
        """Return the state as it was committed last."""
        return self.at.book

    @property
    def sequence(self) -> int:
        """Return the sequence of the last event that is known."""
        return self.at.sequence

    def begin(self) -> None:
        """Begin where the stream stands now; what is committed meanwhile is missed and caught up with.

        The desk is asked before this is locked: while it commits, it waits for those who follow.
        """
        if not self.begun:
            book, sequence = self._desk.standing(self.stream)
            with self._lock:
                if not self.begun:
                    self.at, self.begun = self._first(book, sequence), True

    def follow(self, happenings: Sequence[Happening]) -> bool:
        """Fold what one commit wrote here, and say whether nothing before it was missed."""
        with self._lock:
            if not self.begun or happenings[0][0].sequence > self.at.sequence + 1:
                return False
            self._fold(happenings, self._desk.library.game)
            return True

    def catch_up(self, reading: Reading) -> None:
        """Fold what the store holds beyond what is known."""
        codec = codec_of(self.stream)
        found = [(record, codec.decode(record)) for record in reading.events(self.stream, self.at.sequence)]
        with self._lock:
            if self.begun:
                self._fold(found, partial(self._pinned, reading))

    def _fold(self, happenings: Iterable[Happening], games: Games) -> None:
        """Fold all of some events at once: nobody sees a commit by half, and what is known is passed over."""
        at = self.at
        for record, event in happenings:
            if record.sequence == at.sequence + 1:
                at = self._next(at, record, event, games)
        self.at = at

    def _first(self, book: Book, sequence: int) -> Standing:
        return Standing(book, sequence)

    def _next(self, at: Standing, record: Recorded, event: Any, games: Games) -> Standing:
        return Standing(fold(at.book, event, games)[0], record.sequence)

    def _pinned(self, reading: Reading, hash_: str) -> Game:
        """Return a pinned game, read by this view where nobody here has met it yet."""
        library = self._desk.library
        body = None if library.knows_game(hash_) else reading.game(hash_)
        return library.game(hash_) if body is None else library.pin(hash_, body)


Follower = TypeVar("Follower", bound=Following)


class Followed:
    """All streams that are followed, by name."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._streams: dict[str, Following] = {}

    def get(self, stream: str) -> Following | None:
        """Return a stream that is followed already."""
        return self._streams.get(stream)

    def names(self) -> set[str]:
        """Return every stream that is followed."""
        with self._lock:
            return {*self._streams}

    def add(self, following: Follower) -> Follower:
        """Follow a stream from now on, and return who follows it: only one does."""
        with self._lock:
            kept = self._streams.setdefault(following.stream, following)
        assert isinstance(kept, type(following))
        return kept

    def drop(self, stream: str) -> None:
        """Follow a stream no more."""
        with self._lock:
            self._streams.pop(stream, None)

    def committed(self, records: Iterable[Recorded], events: Iterable[object]) -> tuple[set[str], set[str]]:
        """Fold what was committed; return the streams that moved, and those of which something is missing."""
        written = dict[str, list[Happening]]()
        for record, event in zip(records, events, strict=True):
            written.setdefault(record.stream, []).append((record, event))
        moved, missing = set[str](), set[str]()
        for stream, happenings in written.items():
            following = self._streams.get(stream)
            if following is not None:
                (moved if following.follow(happenings) else missing).add(stream)
        return moved, missing

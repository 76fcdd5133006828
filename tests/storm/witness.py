"""Reads what was written, event by event: places, chain and keys, and a second fold of every state."""

from typing import Any, Protocol

import msgspec

from fourcard.house.desk import Desk
from fourcard.house.journal import codec_of
from fourcard.house.library import Book, empty, fold
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import HOUSE, STAFF, meter_stream, player_stream, table_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.postings import Move
from fourcard.house.records import Head, Recorded, link
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.rules.game import Game
from fourcard.rules.pinned import decode_game
from tests.storm.tally import Tally, demand


class Seen(msgspec.Struct, frozen=True, gc=False):
    """An event of the journal with what it changed."""

    record: Recorded
    event: Any
    before: Book | None
    after: Book | None
    moved: list[Move]


News = dict[str, list[Seen]]
"""What came since the last look, by stream."""


class Watcher(Protocol):
    """Looks at one thing that must hold."""

    def saw(self, seen: Seen) -> None:
        """Look at an event."""
        ...

    def rest(self, reading: Reading, news: News) -> None:
        """Look at everything once no event is left."""
        ...


class Witness:
    """What the journal has told so far."""

    def __init__(self, tally: Tally) -> None:
        """Begin with an empty journal."""
        self.tally = tally
        self.heads: dict[str, Head] = {}
        self.books: dict[str, Book] = {}
        self.keys: dict[tuple[str, str], Recorded] = {}
        self.games: dict[str, Game] = {}
        self.moves = 0
        self.watchers: list[Watcher] = []
        self._reading: Reading | None = None

    def look(self, reading: Reading) -> News:
        """Read on to where the store stands, and look at everything."""
        self._reading = reading
        news: News = {}
        for stream, head in reading.streams().items():
            if head.sequence != self.heads.get(stream, Head()).sequence:
                news[stream] = self._read(stream, head)
        for watcher in self.watchers:
            watcher.rest(reading, news)
        self._reading = None
        return news

    def _read(self, stream: str, head: Head) -> list[Seen]:
        found = list[Seen]()
        known = self.heads.get(stream, Head())
        command = 0
        for record in self._events(stream, known.sequence):
            place = (record.stream, record.sequence)
            demand(place == (stream, known.sequence + 1), "a sequence has a gap", place, known)
            demand(record.hash == link(known.hash, record), "the chain is broken", place)
            demand(record.command in (record.sequence, command), "a command is torn apart", place)
            command, known = record.command, Head(record.sequence, record.hash)
            self._remember(record)
            found.append(self._folded(record))
        demand(known == head, "a head is not where the journal ends", stream, known, head)
        self.heads[stream] = head
        self.tally.checked["events chained and in sequence"] += len(found)
        return found

    def _events(self, stream: str, after: int) -> list[Recorded]:
        assert self._reading is not None
        return list(self._reading.events(stream, after))

    def _remember(self, record: Recorded) -> None:
        if not record.key:
            demand(not record.digest, "a digest without a key", record)
            return
        place = (record.stream, record.key)
        demand(place not in self.keys, "a key had effect twice", place, self.keys.get(place), record)
        demand(record.command == record.sequence, "a key in the midst of a command", place)
        self.keys[place] = record
        self.tally.checked["keys with one effect"] += 1

    def _folded(self, record: Recorded) -> Seen:
        stream = record.stream
        event = codec_of(stream).decode(record)
        before, after, moved = None, None, list[Move]()
        if stream != HOUSE:
            before = self.books.get(stream) or empty(stream)
            after, moved = fold(before, event, self.game)
            self.books[stream] = after
            self.moves += len(moved)
        seen = Seen(record, event, before, after, moved)
        for watcher in self.watchers:
            watcher.saw(seen)
        return seen

    def game(self, hash_: str) -> Game:
        """Return a pinned game out of the store."""
        if hash_ not in self.games:
            assert self._reading is not None
            body = self._reading.game(hash_)
            assert body is not None, hash_
            self.games[hash_] = decode_game(body)
        return self.games[hash_]

    def compare(self, desk: Desk, news: News) -> None:
        """Find the desk's states the same as the second fold's, wherever something came."""
        for stream in news:
            known = desk.library.heads.get(stream)
            if known is None or stream == HOUSE:
                continue
            demand(known == self.heads[stream], "the desk stands elsewhere", stream, known)
            desks = desk.library.books[stream]
            demand(desks == self.books[stream], "the desk's state is not the journal's", stream)
            # The two are equal; sharing one makes the next comparison quick.
            self.books[stream] = desks
            self.tally.checked["states equal to the journal"] += 1

    def table(self, name: str) -> TableBook:
        """Return a table."""
        book = self.books.get(table_stream(name))
        assert isinstance(book, TableBook), name
        return book

    def meter(self, name: str) -> MeterBook:
        """Return a meter."""
        book = self.books.get(meter_stream(name))
        return book if isinstance(book, MeterBook) else MeterBook(name)

    def meters(self) -> list[str]:
        """Return the names of all meters."""
        return sorted(book.name for book in self.books.values() if isinstance(book, MeterBook))

    def player(self, name: str) -> PlayerBook:
        """Return a player's account."""
        book = self.books.get(player_stream(name))
        return book if isinstance(book, PlayerBook) else PlayerBook(name)

    def staff(self) -> StaffState:
        """Return the staff."""
        book = self.books.get(STAFF)
        return book if isinstance(book, StaffState) else StaffState()

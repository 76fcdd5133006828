"""Reads what was written, event by event: places, chain and keys, and a second fold of every state."""

from typing import Any, Protocol

import msgspec

from fourcard.house.account_state import AccountState
from fourcard.house.auth.staff import StaffState
from fourcard.house.command_service import CommandService
from fourcard.house.decision import HOUSE, STAFF, meter_stream, player_stream, table_stream
from fourcard.house.journal import JournalRecord, StreamHead, chain_hash, codec_of
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import StreamState, empty_state, evolve_state
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.rules.game import Game, decode_game
from tests.storm.counts import Tally, demand


class Seen(msgspec.Struct, frozen=True, gc=False):
    """An event of the journal with what it changed."""

    record: JournalRecord
    event: Any
    before: StreamState | None
    after: StreamState | None
    moved: list[Posting]


News = dict[str, list[Seen]]
"""What came since the last look, by stream."""


class Watcher(Protocol):
    """Looks at one thing that must hold."""

    def saw(self, seen: Seen) -> None:
        """Look at an event."""
        ...

    def rest(self, reading: ReadTransaction, news: News) -> None:
        """Look at everything once no event is left."""
        ...


class Witness:
    """What the journal has told so far."""

    def __init__(self, tally: Tally) -> None:
        """Begin with an empty journal."""
        self.tally = tally
        self.heads: dict[str, StreamHead] = {}
        self.books: dict[str, StreamState] = {}
        self.keys: dict[tuple[str, str], JournalRecord] = {}
        self.games: dict[str, Game] = {}
        self.moves = 0
        self.watchers: list[Watcher] = []
        self._reading: ReadTransaction | None = None

    def look(self, reading: ReadTransaction) -> News:
        """Read on to where the store stands, and look at everything."""
        self._reading = reading
        news: News = {}
        for stream, head in reading.streams().items():
            if head.sequence != self.heads.get(stream, StreamHead()).sequence:
                news[stream] = self._read(stream, head)
        for watcher in self.watchers:
            watcher.rest(reading, news)
        self._reading = None
        return news

    def _read(self, stream: str, head: StreamHead) -> list[Seen]:
        found = list[Seen]()
        known = self.heads.get(stream, StreamHead())
        command = 0
        for record in self._events(stream, known.sequence):
            place = (record.stream, record.sequence)
            demand(place == (stream, known.sequence + 1), "a sequence has a gap", place, known)
            demand(record.hash == chain_hash(known.hash, record), "the chain is broken", place)
            demand(record.command in (record.sequence, command), "a command is torn apart", place)
            command, known = record.command, StreamHead(record.sequence, record.hash)
            self._remember(record)
            found.append(self._folded(record))
        demand(known == head, "a head is not where the journal ends", stream, known, head)
        self.heads[stream] = head
        self.tally.checked["events chained and in sequence"] += len(found)
        return found

    def _events(self, stream: str, after: int) -> list[JournalRecord]:
        assert self._reading is not None
        return list(self._reading.events(stream, after))

    def _remember(self, record: JournalRecord) -> None:
        if not record.key:
            demand(not record.digest, "a digest without a key", record)
            return
        place = (record.stream, record.key)
        demand(place not in self.keys, "a key had effect twice", place, self.keys.get(place), record)
        demand(record.command == record.sequence, "a key in the midst of a command", place)
        self.keys[place] = record
        self.tally.checked["keys with one effect"] += 1

    def _folded(self, record: JournalRecord) -> Seen:
        stream = record.stream
        event = codec_of(stream).decode(record)
        before, after, moved = None, None, list[Posting]()
        if stream != HOUSE:
            before = self.books.get(stream) or empty_state(stream)
            after, moved = evolve_state(before, event, self.game)
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

    def compare(self, desk: CommandService, news: News) -> None:
        """Find the desk's states the same as the second fold's, wherever something came."""
        for stream in news:
            known = desk.cache.heads.get(stream)
            if known is None or stream == HOUSE:
                continue
            demand(known == self.heads[stream], "the desk stands elsewhere", stream, known)
            desks = desk.cache.states[stream]
            demand(desks == self.books[stream], "the desk's state is not the journal's", stream)
            # The two are equal; sharing one makes the next comparison quick.
            self.books[stream] = desks
            self.tally.checked["states equal to the journal"] += 1

    def table(self, name: str) -> HouseTable:
        """Return a table."""
        book = self.books.get(table_stream(name))
        assert isinstance(book, HouseTable), name
        return book

    def meter(self, name: str) -> MeterState:
        """Return a meter."""
        book = self.books.get(meter_stream(name))
        return book if isinstance(book, MeterState) else MeterState(name)

    def meters(self) -> list[str]:
        """Return the names of all meters."""
        return sorted(book.name for book in self.books.values() if isinstance(book, MeterState))

    def player(self, name: str) -> AccountState:
        """Return a player's account."""
        book = self.books.get(player_stream(name))
        return book if isinstance(book, AccountState) else AccountState(name)

    def staff(self) -> StaffState:
        """Return the staff."""
        book = self.books.get(STAFF)
        return book if isinstance(book, StaffState) else StaffState()

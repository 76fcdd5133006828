"""Observer: reads the journal event by event, checks chain and keys, and folds every state again."""

from typing import Any, Protocol

import msgspec

from fourcard.house.account_state import AccountState
from fourcard.house.auth.staff import StaffState
from fourcard.house.command_service import CommandService
from fourcard.house.decision import HOUSE, STAFF, meter_stream, player_stream, table_stream
from fourcard.house.journal import JournalRecord, StreamHead, chain_hash, codec_of, unpack_events
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import StreamState, empty_state, evolve_state
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.rules.game import Game, decode_game
from tests.kit.invariants import require
from tests.storm.counts import Counts


class ObservedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event of the journal with what it changed."""

    record: JournalRecord
    event: Any
    before: StreamState | None
    after: StreamState | None
    moved: list[Posting]


NewEvents = dict[str, list[ObservedEvent]]
"""The events since the last reading, by stream."""


class Check(Protocol):
    """An invariant of the journal."""

    def on_event(self, observed: ObservedEvent) -> None:
        """Check an event."""
        ...

    def after_batch(self, reading: ReadTransaction, new_events: NewEvents) -> None:
        """Check the whole once every new event was read."""
        ...


class Observer:
    """The journal as read so far."""

    def __init__(self, counts: Counts) -> None:
        """Begin with an empty journal."""
        self.counts = counts
        self.heads: dict[str, StreamHead] = {}
        self.books: dict[str, StreamState] = {}
        self.keys: dict[tuple[str, str], JournalRecord] = {}
        self.games: dict[str, Game] = {}
        self.moves = 0
        self.checks: list[Check] = []
        self._reading: ReadTransaction | None = None

    def read_new(self, reading: ReadTransaction) -> NewEvents:
        """Read all new events, and run every check."""
        self._reading = reading
        new_events: NewEvents = {}
        for stream, head in reading.streams().items():
            if head.sequence != self.heads.get(stream, StreamHead()).sequence:
                new_events[stream] = self._read(stream, head)
        for check in self.checks:
            check.after_batch(reading, new_events)
        self._reading = None
        return new_events

    def _read(self, stream: str, head: StreamHead) -> list[ObservedEvent]:
        found = list[ObservedEvent]()
        known = self.heads.get(stream, StreamHead())
        command = 0
        for stored in self._records(stream, known.sequence):
            place = (stored.stream, stored.first_sequence)
            require(place == (stream, known.sequence + 1), "a sequence has a gap", place, known)
            require(stored.hash == chain_hash(known.hash, stored), "the chain is broken", place)
            known = StreamHead(stored.sequence, stored.hash)
            for record in unpack_events(stored):
                begins = record.command_sequence in (record.sequence, command)
                require(begins, "a command is torn apart", record.stream, record.sequence)
                command = record.command_sequence
                self._check_key(record)
                found.append(self._fold(record))
        require(known == head, "a head is not where the journal ends", stream, known, head)
        self.heads[stream] = head
        self.counts.checked["events chained and in sequence"] += len(found)
        return found

    def _records(self, stream: str, after: int) -> list[JournalRecord]:
        assert self._reading is not None
        return list(self._reading.records(stream, after))

    def _check_key(self, record: JournalRecord) -> None:
        if not record.key:
            return
        require(record.command is not None, "a key without its command", record)
        place = (record.stream, record.key)
        require(place not in self.keys, "a key had effect twice", place, self.keys.get(place), record)
        require(record.command_sequence == record.sequence, "a key in the midst of a command", place)
        self.keys[place] = record
        self.counts.checked["keys with one effect"] += 1

    def _fold(self, record: JournalRecord) -> ObservedEvent:
        stream = record.stream
        event = codec_of(stream).decode(record)
        before, after, moved = None, None, list[Posting]()
        if stream != HOUSE:
            before = self.books.get(stream) or empty_state(stream)
            after, moved = evolve_state(before, event, self.game)
            self.books[stream] = after
            self.moves += len(moved)
        observed = ObservedEvent(record, event, before, after, moved)
        for check in self.checks:
            check.on_event(observed)
        return observed

    def game(self, hash_: str) -> Game:
        """Return a pinned game out of the store."""
        if hash_ not in self.games:
            assert self._reading is not None
            body = self._reading.game(hash_)
            assert body is not None, hash_
            self.games[hash_] = decode_game(body)
        return self.games[hash_]

    def compare(self, desk: CommandService, new_events: NewEvents) -> None:
        """Find the desk's states the same as the second fold's, wherever something came."""
        for stream in new_events:
            known = desk.cache.heads.get(stream)
            if known is None or stream == HOUSE:
                continue
            require(known == self.heads[stream], "the desk stands elsewhere", stream, known)
            of_service = desk.cache.states[stream]
            require(of_service == self.books[stream], "the desk's state is not the journal's", stream)
            # The two are equal; sharing one makes the next comparison quick.
            self.books[stream] = of_service
            self.counts.checked["states equal to the journal"] += 1

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

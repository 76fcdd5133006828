"""The finished rounds of every table, found without a replay: an index that grows with the journal."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter
from threading import Lock
from typing import Any

from fourcard.house.events import ChipsBought
from fourcard.house.fairness import is_name
from fourcard.house.finished import Following, Mark
from fourcard.house.house import House
from fourcard.house.journal import PLAYERS
from fourcard.house.outcome import player_stream, table_stream
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading
from fourcard.round.events import HandFolded, PlayMade
from fourcard.rules.game import Game
from fourcard.server.reading.asking import busy
from fourcard.server.reading.games import no_such_table, pinned, tables_in
from fourcard.server.reading.meters import MetersThen
from fourcard.server.reading.summaries import RoundKept, kept
from fourcard.table.events import RoundBegan

MARK_EVERY = 20
"""Rounds between two marks from which a round can be replayed."""
PATIENCE = 5.0
"""Seconds that somebody waits while another reads the same table for the first time."""


class _Indexing(Following):
    """Follows a table and notes what chips people had when they decided, and where rounds began."""

    def __init__(self, table: str) -> None:
        super().__init__(table, _no_game)
        self.money: dict[int, int] = {}
        self.began: Mark | None = None
        """The table before the round under way, or the last one."""

    def hear(self, event: Any) -> None:
        """Note chips before a decision takes them, and the table before a round changes it."""
        super().hear(event)
        if isinstance(event, RoundBegan):
            self.money, self.began = {}, self.mark()
        elif isinstance(event, PlayMade | HandFolded) and (under_way := self.book.state.round) is not None:
            self.money[event.position] = self.book.chips(under_way.places[event.position].player)


class TableHistory:
    """The finished rounds of one table, in their order; only added to."""

    def __init__(self, table: str) -> None:
        """Begin with nothing read."""
        self.table = table
        self.rounds: list[RoundKept] = []
        self._by_player: dict[str, list[RoundKept]] = {}
        self._marks: list[Mark] = []
        self._marked: list[int] = []
        """The number of the round that begins after each mark."""
        self._lock = Lock()
        self._following = _Indexing(table)
        self.shuffles = self._following.shuffles

    def extend(self, reading: Reading) -> None:
        """Read on to the end of the table's journal."""
        stream = table_stream(self.table)
        head = reading.streams([stream]).get(stream)
        if head is None or head.sequence <= self._following.sequence:
            return
        if not self._lock.acquire(timeout=PATIENCE):
            raise busy("the journal of the table is being read; ask again in a moment.")
        try:
            self._read_on(reading.events(stream, self._following.sequence), reading)
        finally:
            self._lock.release()

    def _read_on(self, records: Iterable[Recorded], reading: Reading) -> None:
        following = self._following
        following.games = lambda hash_: pinned(reading, hash_)
        for record in records:
            ended = following.follow(record)
            if ended is not None:
                self._add(kept(ended, following.money))

    def _add(self, found: RoundKept) -> None:
        began = self._following.began
        if began is not None and len(self.rounds) % MARK_EVERY == 0:
            self._marks.append(began)
            self._marked.append(found.number)
        for player in {place.player for place in found.places}:
            self._by_player.setdefault(player, []).append(found)
        self.rounds.append(found)

    def of(self, player: str | None) -> Sequence[RoundKept]:
        """Return the rounds in which a player had a wager, or all of them."""
        return self.rounds if player is None else self._by_player.get(player, ())

    def newest(self, player: str | None) -> "Iterator[tuple[TableHistory, RoundKept]]":
        """Yield the rounds of a player, or all, the last one first."""
        return ((self, each) for each in reversed(self.of(player)))

    def oldest(self, player: str | None) -> "Iterator[tuple[TableHistory, RoundKept]]":
        """Yield the rounds of a player, or all, the first one first."""
        return ((self, each) for each in self.of(player))

    def numbered(self, number: int) -> RoundKept | None:
        """Return a round by its number."""
        place = bisect_left(self.rounds, number, key=attrgetter("number"))
        found = self.rounds[place] if place < len(self.rounds) else None
        return found if found is not None and found.number == number else None

    def mark_before(self, number: int) -> Mark:
        """Return the last mark before a round begins."""
        return self._marks[bisect_right(self._marked, number) - 1]

    def proven(self, found: RoundKept) -> bool:
        """Say whether the secret of a round's shuffle is public."""
        return found.shuffle is not None and found.shuffle in self.shuffles.revealed


class Histories:
    """The histories of all tables of a house; any thread may ask."""

    def __init__(self, house: House) -> None:
        """Read from the store of a house, when it is asked for something."""
        self.store = house.store
        self._tables: dict[str, TableHistory] = {}
        self._games: dict[str, Game] = {}
        self._lock = Lock()
        self.meters = MetersThen(house.store)
        self.costs: dict[tuple[str, int, int], float | None] = {}
        """By table, round and position, what a decision cost; None where there was nothing to decide."""

    def table(self, name: str) -> TableHistory:
        """Return a table's history as it stands now, or refuse a table that is not there."""
        with self.store.reading() as reading:
            if not is_name(name) or table_stream(name) not in reading.streams([table_stream(name)]):
                raise no_such_table(name)
            return self._extended(reading, name)

    def tables(self, player: str | None, only: str | None = None) -> list[TableHistory]:
        """Return the histories of the tables where a player ever had chips, or of all, or one of them."""
        if only is not None:
            return [self.table(only)]
        with self.store.reading() as reading:
            names = sorted(tables_in(reading) if player is None else tables_of(reading, player))
            return [self._extended(reading, name) for name in names]

    def newest(self, player: str | None, only: str | None = None) -> Iterator[tuple[TableHistory, RoundKept]]:
        """Yield the rounds of a player, or all, of one table or all, those that ended last first."""
        lists = (table.newest(player) for table in self.tables(player, only))
        return merge(*lists, key=lambda found: order(found[1]), reverse=True)

    def oldest(self, player: str | None) -> Iterator[tuple[TableHistory, RoundKept]]:
        """Yield the rounds of a player, or all, of all tables, those that ended first first."""
        lists = (table.oldest(player) for table in self.tables(player))
        return merge(*lists, key=lambda found: order(found[1]))

    def game(self, hash_: str) -> Game:
        """Return a game that was played."""
        known = self._games.get(hash_)
        if known is None:
            with self.store.reading() as reading:
                known = self._games[hash_] = pinned(reading, hash_)
        return known

    def _extended(self, reading: Reading, name: str) -> TableHistory:
        with self._lock:
            history = self._tables.setdefault(name, TableHistory(name))
        history.extend(reading)
        return history


def order(found: RoundKept) -> tuple[int, str, int]:
    """Return what rounds of several tables are ordered by."""
    return found.at, found.table, found.number


def cursor_of(found: RoundKept) -> str:
    """Return what a round is called in a cursor."""
    return f"{found.table}:{found.number}"


def tables_of(reading: Reading, player: str) -> set[str]:
    """Return the tables at which a player ever bought chips, which the own account tells."""
    events = (PLAYERS.decode(record) for record in reading.events(player_stream(player)))
    return {event.table for event in events if isinstance(event, ChipsBought)}


def _no_game(hash_: str) -> Game:
    raise AssertionError(hash_)

"""Round index: the finished rounds of every table without a replay, extended as the journal grows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter
from threading import Lock
from typing import Any

from fourcard.house.commands import is_name
from fourcard.house.events import ChipsBought
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
"""Rounds between two checkpoints from which rounds are replayed."""
PATIENCE = 5.0
"""Seconds to wait while another request reads the same table for the first time."""


class _IndexFollower(Following):
    """Follows a table, noting each player's chips at a decision and where rounds begin."""

    def __init__(self, table: str) -> None:
        super().__init__(table, _no_game)
        self.money: dict[int, int] = {}
        self.began: Mark | None = None
        """Checkpoint before the current or last round."""

    def hear(self, event: Any) -> None:
        """Note the chips before a decision, and the table before a round."""
        super().hear(event)
        if isinstance(event, RoundBegan):
            self.money, self.began = {}, self.mark()
        elif isinstance(event, PlayMade | HandFolded) and (under_way := self.book.state.round) is not None:
            self.money[event.position] = self.book.chips(under_way.places[event.position].player)


class TableHistory:
    """Finished rounds of one table, in order; append-only."""

    def __init__(self, table: str) -> None:
        """Start with nothing read."""
        self.table = table
        self.rounds: list[RoundKept] = []
        self._by_player: dict[str, list[RoundKept]] = {}
        self._marks: list[Mark] = []
        self._mark_rounds: list[int] = []
        """Number of the round after each checkpoint."""
        self._lock = Lock()
        self._following = _IndexFollower(table)
        self.shuffles = self._following.shuffles

    def extend(self, reading: Reading) -> None:
        """Read to the end of the table's journal."""
        stream = table_stream(self.table)
        head = reading.streams([stream]).get(stream)
        if head is None or head.sequence <= self._following.sequence:
            return
        if not self._lock.acquire(timeout=PATIENCE):
            raise busy("the journal of the table is being read; try again in a moment.")
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
            self._mark_rounds.append(found.number)
        for player in {place.player for place in found.places}:
            self._by_player.setdefault(player, []).append(found)
        self.rounds.append(found)

    def of(self, player: str | None) -> Sequence[RoundKept]:
        """Return the rounds with a wager of a player, or all."""
        return self.rounds if player is None else self._by_player.get(player, ())

    def newest(self, player: str | None) -> "Iterator[tuple[TableHistory, RoundKept]]":
        """Yield the rounds of a player, or all, newest first."""
        return ((self, each) for each in reversed(self.of(player)))

    def oldest(self, player: str | None) -> "Iterator[tuple[TableHistory, RoundKept]]":
        """Yield the rounds of a player, or all, oldest first."""
        return ((self, each) for each in self.of(player))

    def numbered(self, number: int) -> RoundKept | None:
        """Return a round by its number."""
        place = bisect_left(self.rounds, number, key=attrgetter("number"))
        found = self.rounds[place] if place < len(self.rounds) else None
        return found if found is not None and found.number == number else None

    def mark_before(self, number: int) -> Mark:
        """Return the last checkpoint before a round."""
        return self._marks[bisect_right(self._mark_rounds, number) - 1]

    def proven(self, found: RoundKept) -> bool:
        """Return whether the shuffle secret of a round is public."""
        return found.shuffle is not None and found.shuffle in self.shuffles.revealed


class Histories:
    """Round indexes of all tables of a house; usable from any thread."""

    def __init__(self, house: House) -> None:
        """Read from a house's store on demand."""
        self.store = house.store
        self._tables: dict[str, TableHistory] = {}
        self._games: dict[str, Game] = {}
        self._lock = Lock()
        self.meters = MetersThen(house.store)
        self.costs: dict[tuple[str, int, int], float | None] = {}
        """Cost of a decision by table, round and position; None if there was no choice."""

    def table(self, name: str) -> TableHistory:
        """Return the up-to-date index of a table, or refuse an unknown table."""
        with self.store.reading() as reading:
            if not is_name(name) or table_stream(name) not in reading.streams([table_stream(name)]):
                raise no_such_table(name)
            return self._up_to_date(reading, name)

    def tables(self, player: str | None, only: str | None = None) -> list[TableHistory]:
        """Return the indexes of one table, of the tables where a player ever had chips, or of all."""
        if only is not None:
            return [self.table(only)]
        with self.store.reading() as reading:
            names = sorted(tables_in(reading) if player is None else tables_of(reading, player))
            return [self._up_to_date(reading, name) for name in names]

    def newest(self, player: str | None, only: str | None = None) -> Iterator[tuple[TableHistory, RoundKept]]:
        """Yield the rounds of a player, or all, of one table or all, newest first."""
        lists = (table.newest(player) for table in self.tables(player, only))
        return merge(*lists, key=lambda found: order(found[1]), reverse=True)

    def oldest(self, player: str | None) -> Iterator[tuple[TableHistory, RoundKept]]:
        """Yield the rounds of a player, or all, of all tables, oldest first."""
        lists = (table.oldest(player) for table in self.tables(player))
        return merge(*lists, key=lambda found: order(found[1]))

    def game(self, hash_: str) -> Game:
        """Return a game by its hash."""
        known = self._games.get(hash_)
        if known is None:
            with self.store.reading() as reading:
                known = self._games[hash_] = pinned(reading, hash_)
        return known

    def _up_to_date(self, reading: Reading, name: str) -> TableHistory:
        with self._lock:
            history = self._tables.setdefault(name, TableHistory(name))
        history.extend(reading)
        return history


def order(found: RoundKept) -> tuple[int, str, int]:
    """Return the sort key of a round."""
    return found.at, found.table, found.number


def cursor_of(found: RoundKept) -> str:
    """Return the pagination cursor of a round."""
    return f"{found.table}:{found.number}"


def tables_of(reading: Reading, player: str) -> set[str]:
    """Return the tables where a player ever bought chips, from the player's account."""
    events = (PLAYERS.decode(record) for record in reading.events(player_stream(player)))
    return {event.table for event in events if isinstance(event, ChipsBought)}


def _no_game(hash_: str) -> Game:
    raise AssertionError(hash_)

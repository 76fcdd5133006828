"""Round index: a summary of every finished round, extended as the journal grows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from operator import attrgetter
from threading import Lock
from typing import Any

import msgspec

from fourcard.cards import card_text
from fourcard.house import meter_state
from fourcard.house.commands import is_name
from fourcard.house.decision import meter_stream, player_stream, table_stream
from fourcard.house.events import ChipsBought, ContributionsAdded
from fourcard.house.finished_rounds import CompletedRound, RoundCollector, TableCheckpoint
from fourcard.house.house import House
from fourcard.house.journal import METER_CODEC, PLAYER_CODEC, JournalRecord
from fourcard.house.meter_state import MeterState
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.money import dollars
from fourcard.odds.decision_values import decision_name
from fourcard.round.events import HandFolded, PlayMade
from fourcard.round.state import PositionState, RoundState
from fourcard.round.view import hand_name
from fourcard.rules.game import Game
from fourcard.server.api.game_lookup import no_such_table, stored_game, table_names
from fourcard.server.api.params import busy_refusal
from fourcard.table.events import RoundBegan
from fourcard.wagers import WagerName


class IndexedPosition(msgspec.Struct, frozen=True, gc=False):
    """One position with wagers in a finished round."""

    position: int
    player: str
    wagers: Mapping[WagerName, int]
    """All wagers, including Play."""
    net: int
    cards: tuple[int, ...]
    decision: int | None
    """The Play wager; 0 for a fold, None without a decision."""
    chips: int | None
    """The player's chips at the decision in cents, without those on the layout."""
    seen_by_player: bool
    """Whether the player saw these cards."""
    seen_by_surveillance: bool
    """Whether surveillance sees the cards: turned up, or in the rack."""

    @property
    def wagered(self) -> int:
        """Return the sum of all wagers, in cents."""
        return sum(self.wagers.values())

    @property
    def choice(self) -> str | None:
        """Return the decision as people say it: ``fold``, ``3x``, or an amount between multiples."""
        ante = self.wagers.get("ante", 0)
        if self.decision is None or not ante:
            return None
        times, rest = divmod(self.decision, ante)
        return f"{dollars(self.decision)} on Play" if rest else decision_name(times)

    def hand(self, *, own: bool) -> str | None:
        """Return the name of the hand, as the player or surveillance may see it."""
        seen = self.seen_by_player if own else self.seen_by_surveillance
        return hand_name(tuple(map(card_text, self.cards))) if seen else None


class IndexedRound(msgspec.Struct, frozen=True, gc=False):
    """One finished round."""

    table: str
    number: int
    at: int
    """When it ended."""
    game: str
    """Hash of its game."""
    rulebook: str
    void: tuple[str, ...]
    up: int | None
    dealt_in: int
    """How many positions were dealt in."""
    places: tuple[IndexedPosition, ...]
    shuffle: int | None

    def positions_of(self, player: str | None) -> tuple[IndexedPosition, ...]:
        """Return the positions of a player, or all."""
        return self.places if player is None else tuple(each for each in self.places if each.player == player)


def index_round(ended: CompletedRound, money: Mapping[int, int]) -> IndexedRound:
    """Return the summary of a round, given the chips of each position at its decision."""
    state = ended.state
    game = state.rules.game
    racked = {position for position, _ in state.rack}
    return IndexedRound(
        table=ended.table,
        number=ended.number,
        at=ended.at,
        game=game.hash,
        rulebook=game.rulebook.id,
        void=() if state.voided is None else state.voided.clauses,
        up=state.up_card,
        dealt_in=len(state.dealt_in),
        places=tuple(
            _indexed_position(state, place, money.get(position), racked=position in racked)
            for position, place in sorted(state.positions.items())
            if place.wagers
        ),
        shuffle=ended.shuffle,
    )


def _indexed_position(
    state: RoundState, place: PositionState, money: int | None, *, racked: bool
) -> IndexedPosition:
    return IndexedPosition(
        position=place.position,
        player=place.player,
        wagers=place.wagers,
        net=state.nets[place.position],
        cards=place.cards,
        decision=place.play_amount,
        chips=money,
        seen_by_player=place.face_up or state.players_looked,
        seen_by_surveillance=place.face_up or racked,
    )


class MeterHistory:
    """Follows the meters of a house and keeps what each showed by table and round."""

    def __init__(self, store: Store) -> None:
        """Read from a store on demand."""
        self._store = store
        self._meters: dict[str, tuple[MeterState, int]] = {}
        self._shown: dict[tuple[str, int], int] = {}
        self._lock = Lock()

    def displayed_cents(self) -> dict[tuple[str, int], int]:
        """Return the displayed cents by table and round number."""
        with self._lock, self._store.reading() as reading:
            prefix = meter_stream("")
            for stream, head in reading.streams().items():
                if stream.startswith(prefix):
                    self._extend(reading, stream, head.sequence)
        return self._shown

    def _extend(self, reading: ReadTransaction, stream: str, until: int) -> None:
        name = stream.removeprefix(meter_stream(""))
        meter, sequence = self._meters.get(stream, (MeterState(name), 0))
        if sequence >= until:
            return
        for record in reading.events(stream, sequence):
            event = METER_CODEC.decode(record)
            meter, _ = meter_state.evolve(meter, event)
            sequence = record.sequence
            if isinstance(event, ContributionsAdded):
                self._shown[event.table, event.round] = meter.displayed
        self._meters[stream] = meter, sequence


CHECKPOINT_ROUNDS = 20
"""Rounds between two checkpoints from which rounds are replayed."""
READ_TIMEOUT = 5.0
"""Seconds to wait while another request reads the same table for the first time."""


class _IndexFollower(RoundCollector):
    """Follows a table, noting each player's chips at a decision and where rounds begin."""

    def __init__(self, table: str) -> None:
        super().__init__(table, _no_game)
        self.money: dict[int, int] = {}
        self.began: TableCheckpoint | None = None
        """Checkpoint before the current or last round."""

    def note(self, event: Any) -> None:
        """Note the chips before a decision, and the table before a round."""
        super().note(event)
        if isinstance(event, RoundBegan):
            self.money, self.began = {}, self.checkpoint()
        elif (
            isinstance(event, PlayMade | HandFolded) and (current_round := self.table.state.round) is not None
        ):
            self.money[event.position] = self.table.chips(current_round.positions[event.position].player)


class TableHistory:
    """Finished rounds of one table, in order; append-only."""

    def __init__(self, table: str) -> None:
        """Start with nothing read."""
        self.table = table
        self.rounds: list[IndexedRound] = []
        self._by_player: dict[str, list[IndexedRound]] = {}
        self._marks: list[TableCheckpoint] = []
        self._mark_rounds: list[int] = []
        """Number of the round after each checkpoint."""
        self._lock = Lock()
        self._following = _IndexFollower(table)
        self.shuffles = self._following.shuffles

    def extend(self, reading: ReadTransaction) -> None:
        """Read to the end of the table's journal."""
        stream = table_stream(self.table)
        head = reading.streams([stream]).get(stream)
        if head is None or head.sequence <= self._following.sequence:
            return
        if not self._lock.acquire(timeout=READ_TIMEOUT):
            raise busy_refusal("the journal of the table is being read; try again in a moment.")
        try:
            self._read_on(reading.events(stream, self._following.sequence), reading)
        finally:
            self._lock.release()

    def _read_on(self, records: Iterable[JournalRecord], reading: ReadTransaction) -> None:
        following = self._following
        following.games = lambda hash_: stored_game(reading, hash_)
        for record in records:
            ended = following.add(record)
            if ended is not None:
                self._add(index_round(ended, following.money))

    def _add(self, found: IndexedRound) -> None:
        began = self._following.began
        if began is not None and len(self.rounds) % CHECKPOINT_ROUNDS == 0:
            self._marks.append(began)
            self._mark_rounds.append(found.number)
        for player in {place.player for place in found.places}:
            self._by_player.setdefault(player, []).append(found)
        self.rounds.append(found)

    def rounds_of(self, player: str | None) -> Sequence[IndexedRound]:
        """Return the rounds with a wager of a player, or all."""
        return self.rounds if player is None else self._by_player.get(player, ())

    def newest(self, player: str | None) -> "Iterator[tuple[TableHistory, IndexedRound]]":
        """Yield the rounds of a player, or all, newest first."""
        return ((self, each) for each in reversed(self.rounds_of(player)))

    def oldest(self, player: str | None) -> "Iterator[tuple[TableHistory, IndexedRound]]":
        """Yield the rounds of a player, or all, oldest first."""
        return ((self, each) for each in self.rounds_of(player))

    def by_number(self, number: int) -> IndexedRound | None:
        """Return a round by its number."""
        place = bisect_left(self.rounds, number, key=attrgetter("number"))
        found = self.rounds[place] if place < len(self.rounds) else None
        return found if found is not None and found.number == number else None

    def mark_before(self, number: int) -> TableCheckpoint:
        """Return the last checkpoint before a round."""
        return self._marks[bisect_right(self._mark_rounds, number) - 1]

    def proven(self, found: IndexedRound) -> bool:
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
        self.meters = MeterHistory(house.store)
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
            names = sorted(table_names(reading) if player is None else tables_of_player(reading, player))
            return [self._up_to_date(reading, name) for name in names]

    def newest(
        self, player: str | None, only: str | None = None
    ) -> Iterator[tuple[TableHistory, IndexedRound]]:
        """Yield the rounds of a player, or all, of one table or all, newest first."""
        lists = (table.newest(player) for table in self.tables(player, only))
        return merge(*lists, key=lambda found: round_order(found[1]), reverse=True)

    def oldest(self, player: str | None) -> Iterator[tuple[TableHistory, IndexedRound]]:
        """Yield the rounds of a player, or all, of all tables, oldest first."""
        lists = (table.oldest(player) for table in self.tables(player))
        return merge(*lists, key=lambda found: round_order(found[1]))

    def game(self, hash_: str) -> Game:
        """Return a game by its hash."""
        known = self._games.get(hash_)
        if known is None:
            with self.store.reading() as reading:
                known = self._games[hash_] = stored_game(reading, hash_)
        return known

    def _up_to_date(self, reading: ReadTransaction, name: str) -> TableHistory:
        with self._lock:
            history = self._tables.setdefault(name, TableHistory(name))
        history.extend(reading)
        return history


def round_order(found: IndexedRound) -> tuple[int, str, int]:
    """Return the sort key of a round."""
    return found.at, found.table, found.number


def round_cursor(found: IndexedRound) -> str:
    """Return the pagination cursor of a round."""
    return f"{found.table}:{found.number}"


def tables_of_player(reading: ReadTransaction, player: str) -> set[str]:
    """Return the tables where a player ever bought chips, from the player's account."""
    events = (PLAYER_CODEC.decode(record) for record in reading.events(player_stream(player)))
    return {event.table for event in events if isinstance(event, ChipsBought)}


def _no_game(hash_: str) -> Game:
    raise AssertionError(hash_)

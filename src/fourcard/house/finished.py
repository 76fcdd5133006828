"""Finished rounds of a table, in order, each with the proof of its shuffle once it is revealed."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.cards import cards_text
from fourcard.errors import BadInputError
from fourcard.house import table_book
from fourcard.house.events import SecretRevealed, ShuffleCommitted, ShuffleDrawn
from fourcard.house.fairness import Seed
from fourcard.house.journal import TABLES
from fourcard.house.library import BrokenStreamError
from fourcard.house.proof import PLACES, Drawn, Proof
from fourcard.house.records import Recorded
from fourcard.house.table_book import AnyTable, Games, TableBook, UninstalledTable
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.round.state import RoundState
from fourcard.table.events import RoundBegan, StepPrepared
from fourcard.table.preparing import cut_step

PLACE_NAMES = {place: name for name, place in PLACES.items()}


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over or void, and where its cards came from."""

    table: str
    number: int
    at: int
    """When it ended."""
    state: RoundState
    shuffle: int | None
    """The shuffle of its deck; None if cards were keyed in, or no card was dealt."""
    cuts: tuple[int, ...]
    drawn: tuple[Drawn, ...]
    proof: Proof | None = None


class Mark(msgspec.Struct, frozen=True):
    """A checkpoint: a table at one event, from which reading can continue."""

    sequence: int = 0
    """The last event that is included."""
    book: AnyTable = UninstalledTable("")
    cuts: Mapping[int, tuple[int, ...]] = {}


def finished_rounds(table: str, records: Iterable[Recorded], games: Games) -> Iterator[Finished]:
    """Yield the finished rounds of a table; rounds without a revealed secret come last, without proof."""
    following, waiting = Following(table, games), deque[Finished]()
    shuffles = following.shuffles
    for record in records:
        ended = following.follow(record)
        if ended is not None:
            waiting.append(ended)
        while waiting and (waiting[0].shuffle is None or waiting[0].shuffle in shuffles.revealed):
            yield shuffles.proven(waiting.popleft())
    yield from waiting


class Shuffles:
    """The shuffles of a table's journal: commitments, seeds and revealed secrets."""

    def __init__(self) -> None:
        """Start empty."""
        self.commitments: dict[int, str] = {}
        """By shuffle number, like the next two."""
        self.revealed: dict[int, str] = {}
        """The secrets that are public."""
        self._seeds: dict[int, tuple[Seed, ...]] = {}

    def hear(self, event: object) -> None:
        """Record what an event says about a shuffle."""
        if isinstance(event, ShuffleCommitted):
            self.commitments[event.shuffle] = event.commitment
        elif isinstance(event, ShuffleDrawn):
            self._seeds[event.shuffle] = event.seeds
        elif isinstance(event, SecretRevealed):
            self.revealed[event.shuffle] = event.secret

    def proven(self, ended: Finished) -> Finished:
        """Return a round with the proof of its shuffle, if the house shuffled and revealed the secret."""
        number = ended.shuffle
        if number is None or number not in self.revealed:
            return ended
        proof = Proof(
            table=ended.table,
            shuffle=number,
            commitment=self.commitments[number],
            secret=self.revealed[number],
            seeds=self._seeds[number],
            cuts=ended.cuts,
            drawn=ended.drawn,
        )
        return replace(ended, proof=proof)


class Following:
    """Reads one table's events, and collects what a proof needs."""

    def __init__(self, table: str, games: Games, mark: Mark | None = None) -> None:
        """Start with an uninstalled table, or at a checkpoint."""
        known = Mark(book=UninstalledTable(table)) if mark is None else mark
        self._book, self.games = known.book, games
        self.sequence = known.sequence
        self.shuffles = Shuffles()
        self._cuts = dict(known.cuts)
        """By deck, the depths of the cuts since its shuffle."""
        self._shuffle: tuple[int | None, tuple[int, ...]] = (None, ())
        """The shuffle and the cuts of the deck in the round under way."""
        self._drawn: list[Drawn] = []

    @property
    def book(self) -> TableBook:
        """Return the table; it must be installed."""
        assert isinstance(self._book, TableBook)
        return self._book

    def mark(self) -> Mark:
        """Return a checkpoint of the table; it is incomplete during a round."""
        return Mark(self.sequence, self._book, dict(self._cuts))

    def follow(self, record: Recorded) -> Finished | None:
        """Apply the next event, and return the round that it ended."""
        event = TABLES.decode(record)
        try:
            self.hear(event)
            self._book, _ = table_book.evolve(self._book, event, self.games)
        except BadInputError:
            raise
        except Exception as error:
            fault = f"cannot be replayed at event {record.sequence}"
            raise BrokenStreamError(record.stream, fault) from error
        self.sequence = record.sequence
        state = self.book.state
        if not isinstance(event, RoundEnded | RoundVoided) or state.finished is None:
            return None
        shuffle, cuts = self._shuffle
        return Finished(
            table=self.book.table,
            number=state.number,
            at=record.at,
            state=state.finished,
            shuffle=shuffle,
            cuts=cuts,
            drawn=tuple(self._drawn),
        )

    def hear(self, event: Any) -> None:
        """Record what an event, not applied yet, says about a shuffle or about drawn cards."""
        self.shuffles.hear(event)
        if isinstance(event, ShuffleDrawn):
            self._cuts[event.deck] = ()
        elif isinstance(event, StepPrepared):
            self._cut(event)
        elif isinstance(event, RoundBegan):
            self._drawn, self._shuffle = [], (None, ())
        elif isinstance(event, CardsDealt):
            self._draw(event.to, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._draw(PLACES["discarded"], (event.card,))

    def _cut(self, event: StepPrepared) -> None:
        cutting = self.book.state.game.rulebook.cutting
        if cutting is not None and event.step == cut_step(cutting) and event.depth is not None:
            self._cuts[event.deck] = (*self._cuts.get(event.deck, ()), event.depth)

    def _draw(self, to: int, cards: tuple[int, ...]) -> None:
        """Record cards that leave the deck; the first of them fixes the deck's shuffle and cuts."""
        state = self.book.state
        if not self._drawn:
            self._shuffle = self.book.pending.get(state.active), self._cuts.get(state.active, ())
        self._drawn.append(Drawn(PLACE_NAMES.get(to, to), cards_text(cards)))

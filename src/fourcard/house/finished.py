"""The finished rounds of a table, in order, each with the proof of its shuffle once that can be given."""

from collections import deque
from collections.abc import Iterable, Iterator
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
from fourcard.house.table_book import Games, TableBook
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.round.state import RoundState
from fourcard.table.events import RoundBegan, StepPrepared
from fourcard.table.preparing import cut_step

PLACE_NAMES = {place: name for name, place in PLACES.items()}


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over or void, and what its cards came from."""

    table: str
    number: int
    at: int
    """When it ended."""
    state: RoundState
    shuffle: int | None
    """The shuffle that gave its deck its order; None where cards were keyed in, or none was dealt."""
    cuts: tuple[int, ...]
    drawn: tuple[Drawn, ...]
    proof: Proof | None = None


def finished_rounds(table: str, records: Iterable[Recorded], games: Games) -> Iterator[Finished]:
    """Yield the finished rounds of a table; those whose secret was not revealed come last, without proof."""
    following, waiting = _Following(table, games), deque[Finished]()
    for record in records:
        ended = following.follow(record)
        if ended is not None:
            waiting.append(ended)
        while waiting and (waiting[0].shuffle is None or waiting[0].shuffle in following.revealed):
            yield following.proven(waiting.popleft())
    yield from waiting


class _Following:
    """Follows one table, and keeps what a proof needs."""

    def __init__(self, table: str, games: Games) -> None:
        self.book, self.games = TableBook(table), games
        self.revealed: dict[int, str] = {}
        """The secrets that are public, by the number of their shuffle."""
        self._commitments: dict[int, str] = {}
        self._seeds: dict[int, tuple[Seed, ...]] = {}
        self._cuts: dict[int, tuple[int, ...]] = {}
        """By deck, how deep it was cut since it was shuffled."""
        self._shuffle: tuple[int | None, tuple[int, ...]] = (None, ())
        """The shuffle and the cuts of the deck that the round under way is dealt from."""
        self._drawn: list[Drawn] = []

    def follow(self, record: Recorded) -> Finished | None:
        """Go on to the next event, and return the round that it ended."""
        event = TABLES.decode(record)
        try:
            self._note(event)
            self.book, _ = table_book.evolve(self.book, event, self.games)
        except BadInputError:
            raise
        except Exception as error:
            fault = f"cannot be replayed at event {record.sequence}"
            raise BrokenStreamError(record.stream, fault) from error
        state = self.book.state
        if not isinstance(event, RoundEnded | RoundVoided) or state is None or state.finished is None:
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

    def _note(self, event: Any) -> None:
        """Keep what an event says of a shuffle, or of cards that leave the deck."""
        if isinstance(event, ShuffleCommitted):
            self._commitments[event.shuffle] = event.commitment
        elif isinstance(event, ShuffleDrawn):
            self._seeds[event.shuffle], self._cuts[event.deck] = event.seeds, ()
        elif isinstance(event, SecretRevealed):
            self.revealed[event.shuffle] = event.secret
        elif isinstance(event, StepPrepared):
            self._cut(event)
        elif isinstance(event, RoundBegan):
            self._drawn, self._shuffle = [], (None, ())
        elif isinstance(event, CardsDealt):
            self._draw(event.to, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._draw(PLACES["discarded"], (event.card,))

    def _cut(self, event: StepPrepared) -> None:
        state = self.book.state
        cutting = None if state is None else state.game.rulebook.cutting
        if cutting is not None and event.step == cut_step(cutting) and event.depth is not None:
            self._cuts[event.deck] = (*self._cuts.get(event.deck, ()), event.depth)

    def _draw(self, to: int, cards: tuple[int, ...]) -> None:
        """Note cards that leave the deck, and with the first of them what gave it its order."""
        state = self.book.state
        if state is not None and not self._drawn:
            self._shuffle = self.book.pending.get(state.active), self._cuts.get(state.active, ())
        self._drawn.append(Drawn(PLACE_NAMES.get(to, to), cards_text(cards)))

    def proven(self, ended: Finished) -> Finished:
        """Return a round with the proof of its shuffle, where the house shuffled."""
        number = ended.shuffle
        if number is None:
            return ended
        proof = Proof(
            table=ended.table,
            shuffle=number,
            commitment=self._commitments[number],
            secret=self.revealed[number],
            seeds=self._seeds[number],
            cuts=ended.cuts,
            drawn=ended.drawn,
        )
        return replace(ended, proof=proof)

"""A table that is watched: its state as it was committed, what was told of it, and since when it waits."""

from typing import Any, get_args

from msgspec.structs import replace

from fourcard.house.actors import is_bot
from fourcard.house.desk import Desk
from fourcard.house.events import LeaveAsked
from fourcard.house.library import Book, fold
from fourcard.house.outcome import table_stream
from fourcard.house.records import Recorded
from fourcard.house.table_book import Games, TableBook
from fourcard.round.due import deciders
from fourcard.round.events import WagerPlaced, WagerWithdrawn
from fourcard.round.state import RoundState
from fourcard.server.floor.deeds import Moments
from fourcard.server.floor.following import Following, Happening, Standing
from fourcard.server.floor.seats import acted, attendance, people
from fourcard.table.events import LastHandCalled, RoundBegan, TableEvent
from fourcard.table.state import TableState
from fourcard.table.telling import Narrator
from fourcard.wording import Sentence

MOST_TOLD = 400
"""Sentences that are remembered of a table."""
_SPOKEN = frozenset(get_args(TableEvent))


class Seen(Standing, frozen=True):
    """A table at one moment, with everything that is told of it and counted from it."""

    book: TableBook
    moments: Moments = Moments()
    told: tuple[Sentence, ...] = ()
    """The last sentences."""
    spoken: int = 0
    """The number of the last sentence; numbers never repeat while the process lives."""
    round_began: int = 0
    """The number of the last sentence before the round under way, or before the last round."""

    def since(self, spoken: int) -> tuple[Sentence, ...]:
        """Return what was told after a number, as far as it is remembered."""
        count = min(self.spoken - spoken, len(self.told))
        return self.told[len(self.told) - count :] if count > 0 else ()


class Watch(Following):
    """A table as it stands in the journal, and the words for what happened last."""

    at: Seen

    def __init__(self, table: str, desk: Desk) -> None:
        """Take a table; what happened before it is begun has no words here."""
        self.table, self._clock = table, desk.clock
        self._narrator: Narrator | None = None
        super().__init__(table_stream(table), desk)

    @property
    def book(self) -> TableBook:
        """Return the table as it was committed last."""
        return self.at.book

    def move_moments(self, by: int) -> None:
        """Move what limits of time count from, because the clock was moved."""
        with self._lock:
            self.at = replace(self.at, moments=self.at.moments.moved(by))

    def _first(self, book: Book, sequence: int) -> Seen:
        """Begin with a table as it stands; whoever is waited for has all the time from now on."""
        assert isinstance(book, TableBook)
        state, now = book.state, self._clock.now()
        under_way = state.round
        wagered = now if under_way is not None and _has_wager_of_person(under_way) else None
        here = dict.fromkeys(people(state), now)
        return Seen(book, sequence, Moments(wagered, now, _asked(state), here, now, hurried=now))

    def _next(self, at: Standing, record: Recorded, event: Any, games: Games) -> Seen:
        assert isinstance(at, Seen)
        words = self._told(event, at.book.state)
        book, _ = fold(at.book, event, games)
        assert isinstance(book, TableBook)
        return Seen(
            book,
            record.sequence,
            _moments(at.moments, (record, event), book.state, self._clock.now()),
            (*at.told, *words)[-MOST_TOLD:] if words else at.told,
            at.spoken + len(words),
            at.spoken if isinstance(event, RoundBegan) else at.round_began,
        )

    def _told(self, event: Any, before: TableState) -> list[Sentence]:
        """Put an event in words, by a narrator who stands where the table stood before it."""
        if type(event) not in _SPOKEN:
            return []
        narrator = self._narrator = self._narrator or Narrator(before)
        narrator.state = before
        return narrator.tell([event])


def _moments(before: Moments, happening: Happening, state: TableState, at: int) -> Moments:
    """Return the moments that limits of time count from, after an event."""
    (record, event), wagered, began = happening, before.wagered, before.began
    hurried = before.hurried
    if isinstance(event, RoundBegan):
        wagered, began = None, record.at
    elif isinstance(event, LastHandCalled | LeaveAsked):
        hurried = record.at
    elif isinstance(event, WagerPlaced) and wagered is None:
        wagered = None if is_bot(state.seats.get(event.position, "")) else at
    elif isinstance(event, WagerWithdrawn) and state.round is not None:
        wagered = wagered if _has_wager_of_person(state.round) else None
    position = _asked(state)
    asked = before.asked if position == before.position else at
    return Moments(
        wagered,
        asked,
        position,
        acted(before.acted, record, event, state),
        began,
        attendance(before.attendance, record, event, state),
        hurried,
    )


def _asked(state: TableState) -> int:
    """Return the position that is to decide, or 0 while none is."""
    under_way = state.round
    if under_way is None or under_way.phase != "deciding" or not under_way.looked:
        return 0
    return next(iter(deciders(under_way)), 0)


def _has_wager_of_person(under_way: RoundState) -> bool:
    return any(place.wagers and not is_bot(place.player) for place in under_way.places.values())

"""Table projection: committed state, narration and timers of one table."""

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
"""How many narration lines are kept per table."""
_NARRATED = frozenset(get_args(TableEvent))


class Seen(Standing, frozen=True):
    """Snapshot of a table with its narration and timers."""

    book: TableBook
    moments: Moments = Moments()
    told: tuple[Sentence, ...] = ()
    """The last narration lines."""
    spoken: int = 0
    """Number of the last line; numbers do not repeat while the process runs."""
    round_began: int = 0
    """Number of the last line before the current or last round."""

    def since(self, spoken: int) -> tuple[Sentence, ...]:
        """Return the lines after a number, as far as they are kept."""
        count = min(self.spoken - spoken, len(self.told))
        return self.told[len(self.told) - count :] if count > 0 else ()


class Watch(Following):
    """Projection of a table, with narration of its latest events."""

    at: Seen

    def __init__(self, table: str, desk: Desk) -> None:
        """Take a table; events before `begin` are not narrated."""
        self.table, self._clock = table, desk.clock
        self._narrator: Narrator | None = None
        super().__init__(table_stream(table), desk)

    @property
    def book(self) -> TableBook:
        """Return the last committed state of the table."""
        return self.at.book

    def move_moments(self, by: int) -> None:
        """Shift the time limits with the clock."""
        with self._lock:
            self.at = replace(self.at, moments=self.at.moments.moved(by))

    def _first(self, book: Book, sequence: int) -> Seen:
        """Start with the current state; everybody gets the full time from now on."""
        assert isinstance(book, TableBook)
        state, now = book.state, self._clock.now()
        under_way = state.round
        wagered = now if under_way is not None and _has_person_wager(under_way) else None
        here = dict.fromkeys(people(state), now)
        return Seen(book, sequence, Moments(wagered, now, _deciding_position(state), here, now, hurried=now))

    def _next(self, at: Standing, record: Recorded, event: Any, games: Games) -> Seen:
        assert isinstance(at, Seen)
        lines = self._narrate(event, at.book.state)
        book, _ = fold(at.book, event, games)
        assert isinstance(book, TableBook)
        return Seen(
            book,
            record.sequence,
            _timers_after(at.moments, (record, event), book.state, self._clock.now()),
            (*at.told, *lines)[-MOST_TOLD:] if lines else at.told,
            at.spoken + len(lines),
            at.spoken if isinstance(event, RoundBegan) else at.round_began,
        )

    def _narrate(self, event: Any, before: TableState) -> list[Sentence]:
        """Narrate an event, from the table's state before it."""
        if type(event) not in _NARRATED:
            return []
        narrator = self._narrator = self._narrator or Narrator(before)
        narrator.state = before
        return narrator.tell([event])


def _timers_after(before: Moments, entry: Happening, state: TableState, at: int) -> Moments:
    """Return the timers after an event."""
    (record, event), wagered, began = entry, before.wagered, before.began
    hurried = before.hurried
    if isinstance(event, RoundBegan):
        wagered, began = None, record.at
    elif isinstance(event, LastHandCalled | LeaveAsked):
        hurried = record.at
    elif isinstance(event, WagerPlaced) and wagered is None:
        wagered = None if is_bot(state.seats.get(event.position, "")) else at
    elif isinstance(event, WagerWithdrawn) and state.round is not None:
        wagered = wagered if _has_person_wager(state.round) else None
    position = _deciding_position(state)
    asked_at = before.asked if position == before.position else at
    return Moments(
        wagered,
        asked_at,
        position,
        acted(before.acted, record, event, state),
        began,
        attendance(before.attendance, record, event, state),
        hurried,
    )


def _deciding_position(state: TableState) -> int:
    """Return the deciding position, or 0 if there is none."""
    under_way = state.round
    if under_way is None or under_way.phase != "deciding" or not under_way.looked:
        return 0
    return next(iter(deciders(under_way)), 0)


def _has_person_wager(under_way: RoundState) -> bool:
    return any(place.wagers and not is_bot(place.player) for place in under_way.places.values())

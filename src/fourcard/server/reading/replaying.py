"""Round replay: a finished round step by step, as a viewer saw it."""

from collections.abc import Iterable, Iterator
from typing import get_args

import msgspec

from fourcard.house.finished import PLACE_NAMES, Finished, Following
from fourcard.house.journal import TABLES
from fourcard.house.outcome import table_stream
from fourcard.house.proof import Place
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading
from fourcard.round.events import CardsDealt, WagerPlaced
from fourcard.round.state import RoundState
from fourcard.round.view import RoundView, Viewer, view
from fourcard.server.reading.games import pinned
from fourcard.server.reading.histories import TableHistory
from fourcard.server.reading.summaries import RoundKept
from fourcard.server.sentences import Told, told
from fourcard.table.events import RoundBegan, StepPrepared, TableEvent
from fourcard.table.telling import Narrator

SEEN = frozenset(get_args(TableEvent))
"""Events of a table; house events are not narrated."""


class Step(msgspec.Struct, frozen=True):
    """Narration of a step, and the round after it."""

    told: tuple[Told, ...]
    view: RoundView


class PlanMove(msgspec.Struct, frozen=True):
    """One move of the deal: cards to a recipient, or an action on cards already dealt."""

    name: str
    to: int | Place
    count: int
    up: int
    """How many of the cards, counted from the last, are dealt face up."""
    place: int
    """Which card of a stack is turned up: 0 the top, -1 the bottom."""
    clauses: tuple[str, ...]


class Replay(msgspec.Struct, frozen=True):
    """A replayed round."""

    ended: Finished
    steps: tuple[Step, ...]


class _StepEvents:
    """Events that viewers see as one step."""

    def __init__(self, command: int, event: object) -> None:
        self.command, self.event = command, event
        self.served = {event.to} if isinstance(event, CardsDealt) else set[int]()
        self.told: list[Told] = []
        self.state: RoundState | None = None
        """The round after the step's last command; no viewer sees the states in between."""

    def takes(self, command: int, event: object) -> bool:
        """Return whether an event belongs to this step: same command, shuffle, bets or pass."""
        last = self.event
        if command == self.command:
            return True
        if isinstance(event, StepPrepared):
            return isinstance(last, StepPrepared)
        if isinstance(event, WagerPlaced):
            return isinstance(last, WagerPlaced) and last.position == event.position
        return isinstance(event, CardsDealt) and isinstance(last, CardsDealt) and event.to not in self.served

    def add(self, command: int, event: object) -> None:
        """Add an event to this step."""
        self.command, self.event = command, event
        if isinstance(event, CardsDealt):
            self.served.add(event.to)


def replayed(reading: Reading, history: TableHistory, number: int, viewer: Viewer) -> Replay:
    """Return a round of a table as a viewer saw it at each step."""
    mark = history.mark_before(number)
    following = Following(history.table, lambda hash_: pinned(reading, hash_), mark)
    narrator: Narrator | None = None
    groups: list[_StepEvents] = []
    for record in reading.events(table_stream(history.table), mark.sequence):
        event = TABLES.decode(record)
        if isinstance(event, RoundBegan) and event.number == number:
            narrator = Narrator(following.book.state)
        if narrator is not None and type(event) in SEEN:
            _add_event(groups, narrator, record, event)
        ended = following.follow(record)
        if ended is not None and ended.number == number:
            return Replay(history.shuffles.proven(ended), tuple(_steps(groups, viewer)))
    raise AssertionError(f"round {number} of {history.table} has ended but cannot be found")


def _add_event(groups: list[_StepEvents], narrator: Narrator, record: Recorded, event: object) -> None:
    """Narrate an event and keep the round after it."""
    if not groups or not groups[-1].takes(record.command, event):
        groups.append(_StepEvents(record.command, event))
    group = groups[-1]
    group.add(record.command, event)
    group.told += map(told, narrator.tell([event]))  # type: ignore[list-item]
    group.state = narrator.state.round or narrator.state.finished


def _steps(groups: list[_StepEvents], viewer: Viewer) -> Iterator[Step]:
    """Yield the steps with narration or a visible change."""
    before: RoundView | None = None
    for group in groups:
        assert group.state is not None
        seen = view(group.state, viewer)
        if group.told or seen != before:
            yield Step(tuple(group.told), seen)
            before = seen


def again(reading: Reading, history: TableHistory, wanted: Iterable[RoundKept]) -> Iterator[Finished]:
    """Yield finished rounds of a table in order; long gaps between them are skipped by checkpoints."""
    following: Following | None = None
    records: Iterator[Recorded] = iter(())
    for found in wanted:
        mark = history.mark_before(found.number)
        if following is None or following.sequence < mark.sequence:
            following = Following(history.table, lambda hash_: pinned(reading, hash_), mark)
            records = reading.events(table_stream(history.table), mark.sequence)
        ended = (each for each in map(following.follow, records) if each is not None)
        yield history.shuffles.proven(next(each for each in ended if each.number == found.number))


def plan_of(ended: Finished) -> tuple[PlanMove, ...]:
    """Return the deal plan of a round; empty if no cards were dealt."""
    deal = ended.state.plan
    return tuple(
        PlanMove(move.name, PLACE_NAMES.get(move.to, move.to), move.count, move.up, move.place, move.clauses)
        for move in (() if deal is None else deal.moves)
    )

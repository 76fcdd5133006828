"""One finished round again, step by step, as somebody saw it or was told of it then."""

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
"""What happens at a table; what the house keeps beside it is not told there."""


class Step(msgspec.Struct, frozen=True):
    """What was told, and the round as it was then."""

    told: tuple[Told, ...]
    view: RoundView


class PlanMove(msgspec.Struct, frozen=True):
    """One motion of the deal: cards to a place, or what is done with cards that lie there."""

    name: str
    to: int | Place
    count: int
    up: int
    """How many of the cards, the last ones, are dealt face up."""
    place: int
    """Which card of a stack is turned up: 0 the top one, -1 the bottom one."""
    clauses: tuple[str, ...]


class Replay(msgspec.Struct, frozen=True):
    """A round again."""

    ended: Finished
    steps: tuple[Step, ...]


class _Group:
    """Events that are one step to whoever looks on."""

    def __init__(self, command: int, event: object) -> None:
        self.command, self.event = command, event
        self.served = {event.to} if isinstance(event, CardsDealt) else set[int]()
        self.told: list[Told] = []
        self.state: RoundState | None = None
        """The round after the last of its commands; between two events of one nobody looks at it."""

    def takes(self, command: int, event: object) -> bool:
        """Say whether an event is of this step: of one command, one shuffle, one player's bets, one pass."""
        last = self.event
        if command == self.command:
            return True
        if isinstance(event, StepPrepared):
            return isinstance(last, StepPrepared)
        if isinstance(event, WagerPlaced):
            return isinstance(last, WagerPlaced) and last.position == event.position
        return isinstance(event, CardsDealt) and isinstance(last, CardsDealt) and event.to not in self.served

    def add(self, command: int, event: object) -> None:
        """Take an event into this step."""
        self.command, self.event = command, event
        if isinstance(event, CardsDealt):
            self.served.add(event.to)


def replayed(reading: Reading, history: TableHistory, number: int, viewer: Viewer) -> Replay:
    """Return a round of a table's history again, as a viewer saw it at each moment."""
    mark = history.mark_before(number)
    following = Following(history.table, lambda hash_: pinned(reading, hash_), mark)
    narrator: Narrator | None = None
    groups: list[_Group] = []
    for record in reading.events(table_stream(history.table), mark.sequence):
        event = TABLES.decode(record)
        if isinstance(event, RoundBegan) and event.number == number:
            narrator = Narrator(following.book.state)
        if narrator is not None and type(event) in SEEN:
            _follow(groups, narrator, record, event)
        ended = following.follow(record)
        if ended is not None and ended.number == number:
            return Replay(history.shuffles.proven(ended), tuple(_steps(groups, viewer)))
    raise AssertionError(f"round {number} of {history.table} has ended, and cannot be found")


def _follow(groups: list[_Group], narrator: Narrator, record: Recorded, event: object) -> None:
    """Tell an event, and keep the round after it."""
    if not groups or not groups[-1].takes(record.command, event):
        groups.append(_Group(record.command, event))
    group = groups[-1]
    group.add(record.command, event)
    group.told += map(told, narrator.tell([event]))  # type: ignore[list-item]
    group.state = narrator.state.round or narrator.state.finished


def _steps(groups: list[_Group], viewer: Viewer) -> Iterator[Step]:
    """Yield the steps in which something is told or seen."""
    before: RoundView | None = None
    for group in groups:
        assert group.state is not None
        seen = view(group.state, viewer)
        if group.told or seen != before:
            yield Step(tuple(group.told), seen)
            before = seen


def again(reading: Reading, history: TableHistory, wanted: Iterable[RoundKept]) -> Iterator[Finished]:
    """Yield rounds of a table as they ended, in their order; what lies far between them is passed over."""
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
    """Return how the cards of a round were to be dealt; nothing where none were."""
    deal = ended.state.plan
    return tuple(
        PlanMove(move.name, PLACE_NAMES.get(move.to, move.to), move.count, move.up, move.place, move.clauses)
        for move in (() if deal is None else deal.moves)
    )

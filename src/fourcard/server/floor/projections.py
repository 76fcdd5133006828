"""Projections: the committed state of each followed stream; for tables also narration, timers and pace.

What the house does automatically is committed at once and shown to viewers at a visible pace.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import HOUSE_DEALER, is_bot
from fourcard.house.command_service import CommandService
from fourcard.house.decide_shuffle import withheld_sentences
from fourcard.house.decision import table_stream
from fourcard.house.events import ShuffleDrawn, TableInstalled
from fourcard.house.journal import JournalRecord, codec_of
from fourcard.house.state_cache import FAR_BEHIND, StreamState, empty_state, evolve_state
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import GameLookup, HouseTable
from fourcard.house.timers import Timers, seated_people, timers_after, timers_from
from fourcard.narration import Sentence
from fourcard.rules.game import Game
from fourcard.server.floor.pauses import pause_after
from fourcard.server.floor.table_pace import TablePace
from fourcard.server.settings import SECOND
from fourcard.table.events import RoundBegan, TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.table.state import TableState

LATE_MILLISECONDS = 5_000
"""Age of events, in milliseconds, from which they are shown at once instead of at the table's pace."""
JournalEntry = tuple[JournalRecord, Any, StreamState | None]
"""An event with its record, and the state after it if that is known already."""


class StateAtSequence(msgspec.Struct, frozen=True):
    """A state and the sequence of its last event, replaced together so that readers see both."""

    state: StreamState
    sequence: int


class Projection:
    """Projection of one stream: the state after its committed events; readable from any thread."""

    def __init__(self, stream: str, service: CommandService) -> None:
        """Take a stream; its state is unknown until `start`."""
        self.stream, self._service = stream, service
        self.snapshot = StateAtSequence(empty_state(stream), 0)
        self.started = False
        self._lock = threading.Lock()

    @property
    def state(self) -> StreamState:
        """Return the last committed state."""
        return self.snapshot.state

    @property
    def sequence(self) -> int:
        """Return the sequence of the last committed event that is known here."""
        return self.snapshot.sequence

    def start(self) -> None:
        """Start at the stream's current state; commits in the meantime are caught up later.

        The command service is read before locking: during a commit it waits for projections.
        """
        if not self.started:
            state, sequence = self._service.committed_state(self.stream)
            with self._lock:
                if not self.started:
                    self.snapshot, self.started = self._initial_snapshot(state, sequence), True

    def is_far_behind(self, head: int) -> bool:
        """Say whether reading every event up to a head takes longer than starting again there."""
        return head - self.sequence > FAR_BEHIND

    def restart(self) -> None:
        """Start again at the stream's current state, which the house finds from its newest snapshot."""
        state, sequence = self._service.committed_state(self.stream)
        with self._lock:
            if sequence > self.sequence:
                self.snapshot = self._initial_snapshot(state, sequence)

    def apply_commit(self, entries: Sequence[JournalEntry]) -> bool:
        """Apply the events of one commit; return False if earlier events are missing."""
        with self._lock:
            if not self.started or entries[0][0].sequence > self.sequence + 1:
                return False
            self._receive(entries, self._service.cache.game)
            return True

    def catch_up(self, reading: ReadTransaction) -> None:
        """Apply the events that the store holds beyond the known ones."""
        codec = codec_of(self.stream)
        records = reading.events(self.stream, self.sequence)
        entries: list[JournalEntry] = [(record, codec.decode(record), None) for record in records]
        with self._lock:
            if self.started:
                self._receive(entries, partial(self._game, reading))

    def _receive(self, entries: Iterable[JournalEntry], games: GameLookup) -> None:
        """Take committed events."""
        self._apply(entries, games)

    def _apply(self, entries: Iterable[JournalEntry], games: GameLookup) -> None:
        """Apply events all at once, skipping known ones, so that no reader sees half a commit."""
        at = self.snapshot
        for record, event, state in entries:
            if record.sequence == at.sequence + 1:
                after = evolve_state(at.state, event, games)[0] if state is None else state
                at = self._snapshot_after(at, record, event, after)
        self.snapshot = at

    def _initial_snapshot(self, state: StreamState, sequence: int) -> StateAtSequence:
        return StateAtSequence(state, sequence)

    def _snapshot_after(
        self,
        at: StateAtSequence,  # noqa: ARG002  a table's narration needs what was before
        record: JournalRecord,
        event: Any,  # noqa: ARG002
        state: StreamState,
    ) -> StateAtSequence:
        return StateAtSequence(state, record.sequence)

    def _game(self, reading: ReadTransaction, hash_: str) -> Game:
        """Return a pinned game, read from this view if it is not cached."""
        cache = self._service.cache
        body = None if cache.knows_game(hash_) else reading.game(hash_)
        return cache.game(hash_) if body is None else cache.cache_game(hash_, body)


ProjectionType = TypeVar("ProjectionType", bound=Projection)


class Projections:
    """All projections, by stream."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = threading.Lock()
        self._streams: dict[str, Projection] = {}

    def get(self, stream: str) -> Projection | None:
        """Return the projection of a stream, if there is one."""
        return self._streams.get(stream)

    def names(self) -> set[str]:
        """Return every followed stream."""
        with self._lock:
            return {*self._streams}

    def add(self, projection: ProjectionType) -> ProjectionType:
        """Add a projection and return it, or the one that exists already."""
        with self._lock:
            current = self._streams.setdefault(projection.stream, projection)
        assert isinstance(current, type(projection))
        return current

    def remove(self, stream: str) -> None:
        """Stop following a stream."""
        with self._lock:
            self._streams.pop(stream, None)

    def apply_commit(
        self, records: Iterable[JournalRecord], events: Iterable[object], states: Iterable[StreamState]
    ) -> tuple[set[str], set[str]]:
        """Apply a commit; return the streams that changed and those with missing events."""
        written = dict[str, list[JournalEntry]]()
        for entry in zip(records, events, states, strict=True):
            written.setdefault(entry[0].stream, []).append(entry)
        changed, behind = set[str](), set[str]()
        for stream, entries in written.items():
            projection = self._streams.get(stream)
            if projection is not None:
                (changed if projection.apply_commit(entries) else behind).add(stream)
        return changed, behind


MAX_LINES = 400
"""How many narration lines are kept per table."""
_NARRATED = frozenset(get_args(TableEvent))


class LiveSnapshot(StateAtSequence, frozen=True):
    """Snapshot of a table with its narration and timers."""

    state: HouseTable
    timers: Timers = Timers()
    lines: tuple[Sentence, ...] = ()
    """The last narration lines."""
    last_line: int = 0
    """Number of the last line; numbers do not repeat while the process runs."""
    round_start_line: int = 0
    """Number of the last line before the current or last round."""

    def lines_since(self, spoken: int) -> tuple[Sentence, ...]:
        """Return the lines after a number, as far as they are kept."""
        count = min(self.last_line - spoken, len(self.lines))
        return self.lines[len(self.lines) - count :] if count > 0 else ()


class TableProjection(Projection):
    """Projection of a table, with narration of its latest events."""

    snapshot: LiveSnapshot

    def __init__(self, table: str, service: CommandService, pace: float = 0.0) -> None:
        """Take a table, and the house's factor of all pauses; events before `start` are not narrated."""
        self.table, self._clock, self.pace = table, service.clock, TablePace(pace)
        self._narrator: TableNarrator | None = None
        self._waiting: deque[list[JournalEntry]] = deque()
        """Committed commands that are not shown yet, each with its events."""
        self._shown_at = self._pause = 0.0
        """When the last command was shown, by the monotonic clock, and its pause at normal speed."""
        super().__init__(table_stream(table), service)

    @property
    def sequence(self) -> int:
        """Return the sequence of the last committed event that is known here, shown or not."""
        waiting = self._waiting
        return waiting[-1][-1][0].sequence if waiting else self.snapshot.sequence

    def show(self) -> float:
        """Show what is due; return the seconds until more is due, 0 if all is shown and its pause is over."""
        with self._lock:
            self._show_due()
            return max(0.0, self._next_at() - time.monotonic())

    def _receive(self, entries: Iterable[JournalEntry], games: GameLookup) -> None:
        """Take committed events, and show those that are due."""
        known = self.sequence
        new = [entry for entry in entries if entry[0].sequence > known]
        for _, event, _ in new:
            if isinstance(event, TableInstalled):
                games(event.game)
        commands = groupby(new, key=lambda entry: entry[0].command_sequence)
        self._waiting.extend([*command] for _, command in commands)
        if new and new[-1][0].at < self._clock.now() - LATE_MILLISECONDS:
            self._show_all()
        self._show_due()

    def _show_all(self) -> None:
        """Apply the waiting commands without pauses, because nobody here saw them happen."""
        for entries in self._waiting:
            self._apply(entries, self._service.cache.game)
        self._waiting.clear()
        self._pause = 0.0

    def _next_at(self) -> float:
        """Return when the next command can be shown; players may have changed their speed since the last."""
        return self._shown_at + self._pause * self.pace.factor(_playing_people(self.state.state))

    def _show_due(self) -> None:
        """Apply the waiting commands, up to one that viewers should see for a while."""
        while self._waiting and time.monotonic() >= self._next_at():
            entries = self._waiting[0]
            self._apply(entries, self._service.cache.game)
            self._waiting.popleft()
            self._shown_at, self._pause = time.monotonic(), self._pause_of(entries)

    def _pause_of(self, entries: Sequence[JournalEntry]) -> float:
        """Return how long viewers should see what a command of the house did, in seconds."""
        by = entries[0][0].by
        automatic = by == HOUSE_DEALER or is_bot(by)
        return pause_after(event for _, event, _ in entries) / SECOND if automatic else 0.0

    @property
    def state(self) -> HouseTable:
        """Return the last committed state of the table."""
        return self.snapshot.state

    def shift_timers(self, by: int) -> None:
        """Shift the time limits with the clock."""
        with self._lock:
            self.snapshot = replace(self.snapshot, timers=self.snapshot.timers.shifted(by))

    def _initial_snapshot(self, stream_state: StreamState, sequence: int) -> LiveSnapshot:
        """Start with the current state; everybody gets the full time from now on."""
        assert isinstance(stream_state, HouseTable)
        self._waiting.clear()
        timers = timers_from(stream_state.state, self._clock.now())
        spoken = self.snapshot.last_line if self.started else 0
        return LiveSnapshot(stream_state, sequence, timers, last_line=spoken, round_start_line=spoken)

    def _snapshot_after(
        self, at: StateAtSequence, record: JournalRecord, event: Any, state: StreamState
    ) -> LiveSnapshot:
        assert isinstance(at, LiveSnapshot)
        assert isinstance(state, HouseTable)
        lines = self._narrate(event, at.state.state)
        return LiveSnapshot(
            state,
            record.sequence,
            timers_after(at.timers, record, event, state.state, self._clock.now()),
            (*at.lines, *lines)[-MAX_LINES:] if lines else at.lines,
            at.last_line + len(lines),
            at.last_line if isinstance(event, RoundBegan) else at.round_start_line,
        )

    def _narrate(self, event: Any, before: TableState) -> list[Sentence]:
        """Narrate an event, from the table's state before it."""
        if isinstance(event, ShuffleDrawn):
            return withheld_sentences(event)
        if type(event) not in _NARRATED:
            return []
        narrator = self._narrator = self._narrator or TableNarrator(before)
        narrator.state = before
        return narrator.narrate([event])


def _playing_people(state: TableState) -> frozenset[str]:
    """Return the people whose pace a table keeps: those with a seat, and those with a wager in the round."""
    places = () if state.round is None else state.round.positions.values()
    wagering = (place.player for place in places if place.wagers and not is_bot(place.player))
    return seated_people(state).union(wagering)

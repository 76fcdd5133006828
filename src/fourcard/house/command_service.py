"""Command service: runs a batch of commands in one transaction.

The streams of a batch are locked in a fixed order and brought up to date. Each command is decided on the
state that the commands before it left. Everything is written at once, and replies are given after the commit.
If the commit fails, all states that the batch touched are dropped and read again.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

from msgspec.structs import replace

from fourcard.house.auth.identity import Actor, AnyCommand, with_author
from fourcard.house.auth.security import SECURITY, DecideSecurity, SecurityState
from fourcard.house.auth.sign_in import SecurityLog
from fourcard.house.auth.staff import StaffState
from fourcard.house.clock_entropy import Clock, Entropy
from fourcard.house.commands import MAX_KEY_LENGTH, DismissStaff, HireStaff
from fourcard.house.decide_shuffle import SHUFFLE_SPENDING_EVENTS, spent_shuffles
from fourcard.house.decide_table import accounts_touched
from fourcard.house.decision import HOUSE, STAFF, Decision, meter_stream, player_stream, table_stream
from fourcard.house.events import SecretRevealed
from fourcard.house.journal import JournalRecord, StreamHead, UnreadableEventError, codec_of
from fourcard.house.meter_state import MeterState
from fourcard.house.recovery import Watermark, mark_of
from fourcard.house.route_command import (
    ALL_LINKED_TABLES_COMMANDS,
    STARTING_COMMANDS,
    Autopilot,
    CommandResult,
    Reply,
    Request,
    cite_own_rulebook,
    gate_refusal,
    internal_error,
    is_repeat,
    journal_refusal,
    result_or_raise,
    route_command,
    stream_refusal,
    streams_of,
    with_actor,
)
from fourcard.house.state_cache import (
    BrokenStreamError,
    CommitsLostError,
    StateCache,
    StreamState,
    empty_state,
)
from fourcard.house.store.interface import (
    ConcurrentChangeError,
    OverdrawnError,
    Store,
    StoreError,
    WriteTransaction,
)
from fourcard.house.table_state import HouseTable
from fourcard.house.unit_of_work import UnitOfWork
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse

LOGGED_REFUSALS = frozenset((Code.SAME_PERSON, Code.AWARD_OWN, Code.EXECUTIVE_NEEDED, Code.ADJUSTMENT_OWN))
"""Refusals that are logged: one person tried both parts of dual control, or lacked the role."""
MAX_IN_RUN = 500
"""The most commands of an autopilot in one record."""


def changes_access(request: Request) -> bool:
    """Say whether a command can change who signs in, which the security stream records."""
    return bool(request.password) or isinstance(request.command, HireStaff | DismissStaff)


class CommandBatch:
    """Commands that share a commit."""

    def __init__(
        self, work: UnitOfWork, now: int, locked: AbstractSet[str], broken: Mapping[str, StoreError]
    ) -> None:
        """Start at a time, with the locked streams and the errors of unreadable ones."""
        self.cache, self.work = work.cache, work
        self.locked, self.broken, self.now = locked, broken, now
        self.done_by_key: dict[tuple[str, str], JournalRecord] = {}
        self.refused: list[tuple[Actor, AnyCommand, Refusal]] = []
        """Refused commands for the security log, written after the commit."""

    def execute(self, requests: Sequence[Request]) -> list[Reply]:
        """Decide each command on the state left by the commands before it."""
        keys = {(each.stream, each.command.key) for each in requests if each.command.key}
        self.done_by_key = dict(self.work.transaction.find_by_key(keys)) if keys else {}
        return [self._stream_error(request) or self._reply(request) for request in requests]

    def _stream_error(self, request: Request) -> StoreError | None:
        """Return the error of an unreadable stream that a command needs."""
        if not self.broken:
            return None
        needed = {*streams_of(request), *((STAFF,) if request.actor.kind == "staff" else ())}
        if changes_access(request):
            needed.add(SECURITY)
        state = self.cache.states.get(request.stream)
        if isinstance(state, HouseTable) and state.meter:
            needed.add(meter_stream(state.meter))
        if isinstance(state, HouseTable):
            needed.update(map(player_stream, accounts_touched(state, request.command)))
        if isinstance(state, MeterState) and type(request.command) in ALL_LINKED_TABLES_COMMANDS:
            needed.update(map(table_stream, state.tables))
        return next((error for stream, error in self.broken.items() if stream in needed), None)

    def _reply(self, request: Request) -> Reply:
        command, stream = request.command, request.stream
        refusal = journal_refusal(command)
        if refusal is not None:
            return refusal
        if command.key:
            stored = self.done_by_key.get((stream, command.key))
            if stored is not None:
                return self._repeat_reply(request, stored)
        refusal = self._role_refusal(request.actor, stream, command) or self._sequence_refusal(request)
        if refusal is not None:
            return refusal
        stamped = replace(command, at=self._timestamp(stream))
        try:
            outcome = route_command(self.cache, stream, stamped)
        except BrokenStreamError as error:
            return error
        if isinstance(outcome, Refusal):
            if outcome.code in LOGGED_REFUSALS:
                self.refused.append((request.actor, command, outcome))
            return outcome
        autopilot = None if request.then is None else request.then()
        first = self.cache.heads[stream].sequence + 1
        events = [*self._record(stream, stamped, outcome, autopilot)]
        if request.password:
            self.work.add_password(stream, stamped, request.password)
        if autopilot is not None:
            self._run_autopilot(stream, autopilot, events)
        records = self.work.end_request()
        if command.key:
            self.done_by_key[stream, command.key] = records[stream]
        return CommandResult(stream, first, tuple(events))

    def _run_autopilot(self, stream: str, autopilot: Autopilot, events: list[Any]) -> None:
        """Decide what follows automatically, until somebody else must act or a stream is not locked."""
        for _ in range(MAX_IN_RUN):
            table = self.cache.states[stream]
            assert isinstance(table, HouseTable)
            chosen = autopilot.next(table, self.now)
            if chosen is None or not self._is_locked(table, chosen):
                return
            actor = chosen.actor
            command = with_author(actor, chosen.command, max(self.now, table.state.at))
            if gate_refusal(actor, stream, command) or self._role_refusal(actor, stream, command):
                return
            outcome = route_command(self.cache, stream, command)
            if isinstance(outcome, Refusal):
                return
            events += self._record(stream, command, outcome, autopilot)

    def _is_locked(self, table: HouseTable, request: Request) -> bool:
        """Return whether every stream that a command can write to is locked."""
        accounts = accounts_touched(table, request.command)
        return self.locked >= {*streams_of(request), *map(player_stream, accounts)}

    def _role_refusal(self, actor: Actor, stream: str, command: AnyCommand) -> Refusal | None:
        """Check again, and log a refusal, if the person's roles have changed since sign-in."""
        if actor.kind != "staff":
            return None
        people = self.cache.staff().people
        person = people.get(actor.person)
        roles = () if person is None else person.roles
        if roles == actor.roles or not people:
            return None
        refusal = gate_refusal(Actor(actor.person, "staff", roles), stream, command)
        if refusal is None:
            return None
        self.refused.append((actor, command, refusal))
        return cite_own_rulebook(refusal, stream, self.cache.states.get(stream))

    def _sequence_refusal(self, request: Request) -> Refusal | None:
        """Refuse a command whose stream has moved since the sender looked."""
        if request.expected_sequence is None:
            return None
        at = self.cache.heads.get(request.stream, StreamHead()).sequence
        if at == request.expected_sequence:
            return None
        return refuse(Code.STREAM_MOVED, stream=request.stream, upon=request.expected_sequence, at=at)

    def _timestamp(self, stream: str) -> int:
        """Return the current time, or a table's last time if the clock was set back."""
        state = self.cache.states.get(stream)
        if type(state) is HouseTable and state.state.at > self.now:
            return state.state.at
        return self.now

    def _record(
        self, stream: str, command: AnyCommand, outcome: Decision, autopilot: Autopilot | None
    ) -> Sequence[object]:
        """Apply and record every event, reveal the secrets that are spent by them, and return the events."""
        work, events = self.work, outcome.events
        work.begin(command)
        if outcome.secrets or outcome.games:
            work.add_secrets_and_games(outcome)
        self._add(stream, events, autopilot)
        for where, event in outcome.other_events:
            work.add(where, event)
        if not SHUFFLE_SPENDING_EVENTS.isdisjoint(map(type, events)):
            shown = self._reveal_spent(stream)
            self._add(stream, shown, autopilot)
            return [*events, *shown]
        return events

    def _add(self, stream: str, events: Sequence[object], autopilot: Autopilot | None) -> None:
        """Add events to a stream, and let the autopilot note them."""
        for event in events:
            record = self.work.add(stream, event)
            if autopilot is not None:
                table = self.cache.states[stream]
                assert isinstance(table, HouseTable)
                autopilot.note(record, event, table)

    def _reveal_spent(self, stream: str) -> list[object]:
        """Return the revealed secrets of shuffles whose cards will not be dealt any more."""
        state = self.cache.states[stream]
        assert isinstance(state, HouseTable)
        numbers = spent_shuffles(state)
        shown: list[object] = [
            SecretRevealed(number, self.cache.secret(stream, number).hex()) for number in numbers
        ]
        for number in numbers:
            self.work.delete_secret(stream, number)
        return shown

    def _repeat_reply(self, request: Request, stored: JournalRecord) -> Reply:
        """Repeat the reply of a command that already ran under this key."""
        codec = codec_of(request.stream)
        try:
            records = self.work.events_of_command(stored)
            events = [codec.decode(each) for each in records]
            if not is_repeat(request.command, records[0], events[0]):
                return refuse(Code.KEY_REUSED, key=request.command.key)
        except UnreadableEventError as error:
            return StoreError(str(error))
        return CommandResult(request.stream, records[0].sequence, tuple(events), repeated=True)


MAX_ATTEMPTS = 5
"""How often a batch is tried when another process writes to the same streams."""
CommitListener = Callable[[Sequence[JournalRecord], Sequence[object], Sequence[StreamState]], None]
"""Gets the records of a commit, their events, and the state of the stream after each."""
_log = logging.getLogger(__name__)


class CommandService:
    """Executes commands, in batches, for one process; other processes can have their own services.

    It is thread-safe: one thread at a time uses the states, and the states it returns never change.
    """

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Take the store, the clock and the entropy source."""
        self.store, self.clock, self.entropy = store, clock, entropy
        self.cache = StateCache(entropy)
        self._lock = threading.RLock()
        self.security = SecurityLog(self)
        self.commit_listener: CommitListener | None = None
        """Callback that gets what each commit wrote, in commit order."""
        self.watermark: Watermark | None = None
        """File outside the database that records the newest commit."""
        self.commits_lost: StoreError | None = None
        """Why the service stopped: the database was rolled back while this process used it."""
        self.stopped: dict[str, StoreError] = {}
        """By stream, why it takes no commands: it was altered, or cannot be read."""
        self._unnoted: list[str] = []

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> CommandResult:
        """Execute one command and return its result, or raise the refusal or error."""
        (reply,) = self.execute([Request(stream, command, actor)])  # type: ignore[arg-type]
        return result_or_raise(reply)

    def execute(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a batch and return one reply per request, in order; a store failure changes nothing."""
        if self.commits_lost is not None:
            return [self.commits_lost] * len(requests)
        received = [self._admit(request) for request in requests]
        admitted = [each for each in received if isinstance(each, Request)]
        with self._lock:
            done = iter(self._execute_or_isolate(admitted) if admitted else ())
        self._note_stopped()
        return [next(done) if isinstance(each, Request) else each for each in received]

    def _admit(self, request: Request) -> Request | Refusal | StoreError:
        """Return a request with its real author, or why it is rejected; a bad request harms no others."""
        try:
            authored = with_actor(request)
            return self._gate(authored) or authored
        except Exception as error:  # noqa: BLE001  a request that cannot be read must not fail the others
            return internal_error(error)

    def _execute_or_isolate(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a batch; after an internal error each command is executed alone, so it fails alone."""
        try:
            return self._run_with_retries(requests)
        except OverdrawnError as error:
            if len(requests) == 1:
                return [error]
            return [reply for request in requests for reply in self._execute_or_isolate([request])]
        except StoreError as error:
            return [error] * len(requests)
        except Exception as error:  # noqa: BLE001  an error in one command must not fail the others
            if len(requests) == 1:
                return [internal_error(error)]
            return [reply for request in requests for reply in self._execute_or_isolate([request])]

    def table(self, name: str) -> HouseTable:
        """Return an installed table at its newest committed state, or raise a refusal."""
        with self._lock:
            self._catch_up_stream(table_stream(name))
            return self.cache.table(name)

    def meter(self, name: str) -> MeterState:
        """Return a meter at its newest committed state."""
        with self._lock:
            self._catch_up_stream(meter_stream(name))
            return self.cache.meter(name)

    def staff(self) -> StaffState:
        """Return the staff at its newest committed state."""
        with self._lock:
            self._catch_up_stream(STAFF)
            return self.cache.staff()

    def security_state(self) -> SecurityState:
        """Return passwords and sign-ins at their newest committed state."""
        with self._lock:
            self._catch_up_stream(SECURITY)
            return self.cache.security()

    def append_security(self, decide: DecideSecurity) -> None:
        """Append what the house itself records of passwords, sign-ins and refusals."""
        if self.commits_lost is not None:
            raise self.commits_lost
        with self._lock:
            try:
                self._append_security(decide)
            except BaseException:
                self.cache.forget([SECURITY])
                raise

    def _append_security(self, decide: DecideSecurity) -> None:
        with self.store.writing() as writing:
            self.cache.use_reader(writing)
            for error in self._read_to_heads(writing.lock_exclusive([SECURITY])).values():
                raise error
            work = UnitOfWork(self.cache, writing)
            work.begin_by_house(self.clock.now())
            for event in decide(self.cache.security(), writing):
                work.add(SECURITY, event)
            work.write()
        self.cache.use_reader(None)
        self.note_heads({record.stream: self.cache.heads[record.stream] for record in work.records})

    def committed_state(self, stream: str) -> tuple[StreamState, int]:
        """Return a stream's newest committed state and its sequence."""
        with self._lock:
            self._catch_up_stream(stream)
            head = self.cache.heads.get(stream) or StreamHead()
            return self.cache.states.get(stream) or empty_state(stream), head.sequence

    def catch_up(self, streams: Sequence[str]) -> Mapping[str, StoreError]:
        """Read streams up to their heads, and return the errors of unreadable streams."""
        with self._lock, self.store.reading() as reading:
            self.cache.use_reader(reading)
            broken = self._read_to_heads(reading.streams(streams))
            self.cache.use_reader(None)
            return broken

    def _catch_up_stream(self, stream: str) -> None:
        """Read a stream up to its head, or raise its error."""
        for error in self.catch_up([stream]).values():
            raise error

    def _gate(self, request: Request) -> Refusal | None:
        """Refuse and log a command that a person cannot give; it never reaches a stream."""
        key = request.command.key
        if len(key) > MAX_KEY_LENGTH or (key and not key.isprintable()):
            return refuse(Code.KEY_UNFIT, most=MAX_KEY_LENGTH)
        refusal = stream_refusal(request.stream, request.command)
        if refusal is not None:
            return refusal
        refusal = gate_refusal(request.actor, request.stream, request.command)
        if refusal is None:
            return None
        self._log_refusal(request.actor, request.command, refusal)
        stream = request.stream
        return cite_own_rulebook(refusal, stream, self.cache.states.get(stream))

    def _log_refusal(self, actor: Actor, command: AnyCommand, refusal: Refusal) -> None:
        """Write a note about a refused command to the security log."""
        kind = str(type(command).__struct_config__.tag)
        self.security.note(actor.person, kind, refusal.name)

    def _run_with_retries(self, requests: Sequence[Request]) -> list[Reply]:
        for attempt in range(1, MAX_ATTEMPTS + 1):
            touched: set[str] = set()
            try:
                return self._run_transaction(requests, touched)
            except ConcurrentChangeError:
                self.cache.forget(touched)
                if attempt == MAX_ATTEMPTS:
                    raise
            except BaseException:
                self.cache.forget(touched)
                raise
        raise AssertionError

    def _run_transaction(self, requests: Sequence[Request], touched: set[str]) -> list[Reply]:
        """Execute a batch in one transaction."""
        to_lock = self._streams_to_lock(requests, touched)
        with self.store.writing() as writing:
            self.cache.use_reader(writing)
            broken = self._read_to_heads(_lock_staff(writing, requests))
            broken |= self._read_to_heads(writing.lock_exclusive(sorted(to_lock)))
            self._retry_if_meter_unlocked(to_lock)
            self._retry_if_table_unlocked(requests, to_lock)
            self._retry_if_account_unlocked(requests, to_lock)
            work = UnitOfWork(self.cache, writing)
            batch = CommandBatch(work, self.clock.now(), to_lock, broken)
            replies = batch.execute(requests)
            work.write()
        self.cache.use_reader(None)
        self.note_heads({record.stream: self.cache.heads[record.stream] for record in work.records})
        self._notify_listener(work)
        for actor, command, refusal in batch.refused:
            self._log_refusal(actor, command, refusal)
        return replies

    def note_heads(self, heads: Mapping[str, StreamHead]) -> None:
        """Record stream heads in the watermark after a commit."""
        if self.watermark is None or not heads:
            return
        try:
            states = self.cache.states
            self.watermark.add(mark_of(stream, head, states.get(stream)) for stream, head in heads.items())
        except Exception:  # noqa: BLE001  the commit is already done
            _log.exception("The watermark could not be updated after a commit.")

    def _notify_listener(self, work: UnitOfWork) -> None:
        """Pass what was committed to the listener; its errors change nothing."""
        if self.commit_listener is not None and work.records:
            try:
                self.commit_listener(work.event_records, work.events, work.states)
            except Exception:  # noqa: BLE001  the commit is already done
                _log.exception("The listener failed after a commit.")

    def _retry_if_meter_unlocked(self, to_lock: set[str]) -> None:
        """Start again if another process linked a table to a meter that is not locked."""
        for stream in to_lock:
            state = self.cache.states.get(stream)
            if type(state) is HouseTable and state.meter and meter_stream(state.meter) not in to_lock:
                raise ConcurrentChangeError(f"{stream} was linked to another meter meanwhile.")

    def _retry_if_table_unlocked(self, requests: Sequence[Request], to_lock: set[str]) -> None:
        """Start again if another process linked a table to a meter whose tables must all be locked."""
        if not self._linked_tables(requests) <= to_lock:
            raise ConcurrentChangeError("A table was linked to the meter meanwhile.")

    def _retry_if_account_unlocked(self, requests: Sequence[Request], to_lock: set[str]) -> None:
        """Start again if another process seated a player whose account is not locked."""
        if not self._accounts_touched(requests) <= to_lock:
            raise ConcurrentChangeError("A player came to the table meanwhile.")

    def _accounts_touched(self, requests: Sequence[Request]) -> set[str]:
        """Return the accounts that table commands may return chips to."""
        states = [(self.cache.states.get(each.stream), each.command) for each in requests]
        found = (accounts_touched(table, command) for table, command in states if type(table) is HouseTable)
        return {player_stream(player) for player in chain.from_iterable(found)}

    def _linked_tables(self, requests: Sequence[Request]) -> set[str]:
        """Return the tables that a meter command looks at."""
        streams = {each.stream for each in requests if type(each.command) in ALL_LINKED_TABLES_COMMANDS}
        meters = (self.cache.states.get(stream) for stream in streams)
        return {
            table_stream(name) for meter in meters if isinstance(meter, MeterState) for name in meter.tables
        }

    def _read_to_heads(self, heads: Mapping[str, StreamHead]) -> dict[str, StoreError]:
        """Read streams up to their heads, and return the errors of unreadable streams."""
        broken = dict[str, StoreError]()
        for stream, head in heads.items():
            try:
                self.cache.catch_up(stream, head)
            except (BrokenStreamError, UnreadableEventError) as error:
                self.cache.forget([stream])
                broken[stream] = StoreError(str(error))
                if stream not in self.stopped:
                    _log.error("%s", error)
                    self._unnoted.append(stream)
                self.stopped[stream] = broken[stream]
            except CommitsLostError as error:
                self.commits_lost = error
                raise
            else:
                self.stopped.pop(stream, None)
        return broken

    def _note_stopped(self) -> None:
        """Note streams that have stopped in the security log, outside their transaction."""
        while self._unnoted:
            self.security.note(HOUSE, f"journal of {self._unnoted.pop()}", "stopped")

    def _streams_to_lock(self, requests: Sequence[Request], streams: set[str]) -> set[str]:
        """Fill the set with every stream that a batch may read or write, and return it."""
        for request in requests:
            streams.update(streams_of(request))
        self._leave_out_missing(requests, streams)
        if any(map(changes_access, requests)):
            streams.add(SECURITY)
        linked = self._linked_tables(requests)
        if not linked <= self.cache.states.keys():
            self.catch_up([*(linked - self.cache.states.keys())])
        streams |= linked | self._accounts_touched(requests)
        for stream in tuple(streams):
            state = self.cache.states.get(stream)
            if isinstance(state, HouseTable) and state.meter:
                streams.add(meter_stream(state.meter))
        return streams

    def _leave_out_missing(self, requests: Sequence[Request], streams: set[str]) -> None:
        """Leave out missing streams unless a command starts them: unknown names create no rows or locks."""
        unknown = {each for each in streams if each not in self.cache.states}
        if unknown:
            broken = self.catch_up([*unknown])
            started = (streams_of(each) for each in requests if type(each.command) in STARTING_COMMANDS)
            streams -= unknown - self.cache.states.keys() - broken.keys() - {*chain.from_iterable(started)}


def _lock_staff(writing: WriteTransaction, requests: Sequence[Request]) -> Mapping[str, StreamHead]:
    """Lock the staff first, so nobody changes it while a member of staff acts; return its head."""
    if any(request.stream == STAFF for request in requests):
        return writing.lock_exclusive([STAFF])
    return writing.lock_shared([STAFF]) if any(each.actor.kind == "staff" for each in requests) else {}

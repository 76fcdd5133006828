"""The desk: one command, one commit; commands of many tables may share a commit, none sees another's half.

A group is executed in one transaction: the streams are locked in a fixed order and brought up to date, each
command is decided upon what the ones before it left, and everything is written at once. Answers are given
after the commit. If it fails, everything that the group touched is forgotten and read anew.
"""

import threading
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house.actors import Actor, AnyCommand, acting
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    ChooseSeed,
    InstallTable,
    PlayerCommand,
    StaffCommand,
    TableDeskCommand,
)
from fourcard.house.deciding import decide, foreign_refusal, password_refusal
from fourcard.house.fairness import is_name
from fourcard.house.journal import UnreadableEventError, codec_of
from fourcard.house.library import BrokenStreamError, Library
from fourcard.house.outcome import STAFF, Outcome, meter_stream, player_stream, table_stream
from fourcard.house.permissions import permission_refusal
from fourcard.house.ports import Clock, Entropy
from fourcard.house.records import Head, Recorded
from fourcard.house.security_log import SecurityLog
from fourcard.house.shuffling import SPENDING, revealed, spent
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import SequenceTakenError, Store, StoreError
from fourcard.house.table_book import TableBook
from fourcard.house.writing import Draft
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.round.commands import TakeSeat
from fourcard.table.commands import TableCommand

TRIES = 5
"""How often a group is tried whose streams another process wrote to at the same moment."""
LONGEST_KEY = 100
LONGEST_COMMAND = 100_000
"""Bytes of a command in JSON; a submission is some thousands."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A command, the stream that it is for, and who gives it."""

    stream: str
    command: TableCommand | TableDeskCommand | PlayerCommand | StaffCommand
    actor: Actor


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What came of a command that was accepted: its events in its own stream.

    They hold everything, face-down cards too: what a person may see of it is for a view to say.
    """

    stream: str
    first: int
    """The sequence of the first event."""
    events: tuple[Any, ...]
    repeated: bool = False
    """Whether the command had been done before, under the same key, and nothing was done now."""


Reply = Answer | Refusal | StoreError


class FaultError(StoreError):
    """A command met a fault of the program; nothing of it was kept, and other commands go on."""


class Desk:
    """Executes commands, in groups, for one process; other processes may have desks of their own.

    Any thread may call it: one at a time looks at the states, and what it is handed never changes.
    """

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Take the store, and where time and chance come from."""
        self.store, self.clock, self.entropy = store, clock, entropy
        self.library = Library(entropy)
        self._lock = threading.RLock()
        self.security = SecurityLog(store, clock)

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> Answer:
        """Do one command and return what came of it, or raise why it may not be."""
        (reply,) = self.execute([Request(stream, command, actor)])  # type: ignore[arg-type]
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if isinstance(reply, StoreError):
            raise reply
        return reply

    def execute(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a group and return a reply to each, in order; a store that fails changes nothing."""
        stamped = [_stamped(request) for request in requests]
        barred = [self._barred(request) for request in stamped]
        admitted = [request for request, refusal in zip(stamped, barred, strict=True) if refusal is None]
        with self._lock:
            done = iter(self._done(admitted) if admitted else ())
        return [next(done) if refusal is None else refusal for refusal in barred]

    def _done(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a group; where a command meets a fault of ours, each is executed alone, to fail alone."""
        try:
            return self._tried(requests)
        except StoreError as error:
            return [error] * len(requests)
        except Exception as error:  # noqa: BLE001  a fault in one command must not hinder the others
            if len(requests) == 1:
                return [FaultError(f"The command met a fault of the program: {error!r:.200}.")]
            return [reply for request in requests for reply in self._done([request])]

    def table(self, name: str) -> TableBook:
        """Return a table as it stands now, whoever wrote to it last; one that is not there has no state."""
        stream = table_stream(name)
        with self._lock:
            self.look_up([stream])
            return self.library.table(name) if stream in self.library.books else TableBook(name)

    def staff(self) -> StaffState:
        """Return who works here now, whoever wrote it down last."""
        with self._lock:
            self.look_up([STAFF])
            return self.library.staff() if STAFF in self.library.books else StaffState()

    def look_up(self, streams: Sequence[str]) -> None:
        """Bring streams to where they stand in the store."""
        with self._lock, self.store.reading() as reading:
            self.library.look(reading)
            self._brought(reading.streams(streams))
            self.library.look(None)

    def _barred(self, request: Request) -> Refusal | None:
        """Refuse what a person may not ask, and note it; nothing of it reaches a table's stream."""
        key = request.command.key
        if len(key) > LONGEST_KEY or (key and not key.isprintable()):
            return refuse(Code.KEY_UNFIT, most=LONGEST_KEY)
        refusal = foreign_refusal(request.stream, request.command)
        if refusal is not None:
            return refusal
        refusal = permission_refusal(request.actor, request.command) or password_refusal(
            request.actor, request.stream, request.command
        )
        if refusal is not None:
            kind = str(type(request.command).__struct_config__.tag)
            self.security.note(request.actor.person, kind, refusal.name)
        return refusal

    def _tried(self, requests: Sequence[Request]) -> list[Reply]:
        for attempt in range(1, TRIES + 1):
            touched: set[str] = set()
            try:
                return self._committed(requests, touched)
            except SequenceTakenError:
                self.library.drop(touched)
                if attempt == TRIES:
                    raise
            except BaseException:
                self.library.drop(touched)
                raise
        raise AssertionError

    def _committed(self, requests: Sequence[Request], touched: set[str]) -> list[Reply]:
        """Execute a group in one transaction."""
        known = self._streams(requests, touched)
        with self.store.writing() as writing:
            self.library.look(writing)
            broken = self._brought(writing.heads(sorted(known)))
            self._refuse_strange_meters(known)
            draft = Draft(self.library, writing)
            replies = _Group(self, draft, broken).replies(requests)
            draft.write()
        self.library.look(None)
        return replies

    def _refuse_strange_meters(self, known: set[str]) -> None:
        """Begin anew where another process has linked a table to a meter that is not locked."""
        for stream in known:
            book = self.library.books.get(stream)
            if type(book) is TableBook and book.meter and meter_stream(book.meter) not in known:
                raise SequenceTakenError(f"{stream} was linked to another meter meanwhile.")

    def _brought(self, heads: Mapping[str, Head]) -> dict[str, StoreError]:
        """Bring streams to their heads, and return those that cannot be, with what is wrong."""
        broken = dict[str, StoreError]()
        for stream, head in heads.items():
            try:
                self.library.bring(stream, head)
            except (BrokenStreamError, UnreadableEventError) as error:
                self.library.drop([stream])
                broken[stream] = StoreError(str(error))
        return broken

    def _streams(self, requests: Sequence[Request], wanted: set[str]) -> set[str]:
        """Add every stream that a group may read or write; a table's meter is known from the table."""
        for request in requests:
            wanted.update(streams_of(request))
        strange = [each for each in wanted if each.startswith("table/") and each not in self.library.books]
        if strange:
            self.look_up(strange)
        for stream in tuple(wanted):
            book = self.library.books.get(stream)
            if isinstance(book, TableBook) and book.meter:
                wanted.add(meter_stream(book.meter))
        return wanted


def _stamped(request: Request) -> Request:
    """Return a request whose command says who really gives it."""
    command = acting(request.actor, request.command)
    return request if command is request.command else Request(request.stream, command, request.actor)


NAMING_PLAYERS = frozenset((TakeSeat, BuyIn, CashOut, ChooseSeed))


def streams_of(request: Request) -> tuple[str, ...]:
    """Return the streams that a command names; what cannot be a name names none."""
    command: Any = request.command
    if type(command) in NAMING_PLAYERS and is_name(command.player):
        return request.stream, player_stream(command.player)
    if isinstance(command, InstallTable) and (not command.meter or is_name(command.meter)):
        return request.stream, meter_stream(command.meter or request.stream.partition("/")[2])
    return (request.stream,)


class _Group:
    """Commands that share a commit."""

    def __init__(self, desk: Desk, draft: Draft, broken: Mapping[str, StoreError]) -> None:
        self.library, self.draft = desk.library, draft
        self.broken, self.now = broken, desk.clock.now()
        self.done: dict[tuple[str, str], Recorded] = {}

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """Decide every command upon what the ones before it left."""
        keys = {(each.stream, each.command.key) for each in requests if each.command.key}
        self.done = dict(self.draft.writing.answered(keys)) if keys else {}
        return [self._hindered(request) or self._reply(request) for request in requests]

    def _hindered(self, request: Request) -> StoreError | None:
        """Return what is wrong with a stream that a command needs."""
        if not self.broken:
            return None
        needed = {*streams_of(request)}
        book = self.library.books.get(request.stream)
        if isinstance(book, TableBook) and book.meter:
            needed.add(meter_stream(book.meter))
        return next((error for stream, error in self.broken.items() if stream in needed), None)

    def _reply(self, request: Request) -> Reply:
        command, stream = request.command, request.stream
        digest = digest_of(request)
        if isinstance(digest, Refusal):
            return digest
        if command.key:
            first = self.done.get((stream, command.key))
            if first is not None:
                return self._again(request, first, digest)
        stamped = replace(command, at=self._moment(stream))
        try:
            outcome = decide(self.library, stream, stamped)
        except BrokenStreamError as error:
            return error
        return outcome if isinstance(outcome, Refusal) else self._written(stream, stamped, outcome, digest)

    def _moment(self, stream: str) -> int:
        """Return the desk's moment, or the last that a table knows: a clock set back must not stop it."""
        book = self.library.books[stream]
        if type(book) is TableBook and book.state is not None and book.state.at > self.now:
            return book.state.at
        return self.now

    def _written(self, stream: str, command: AnyCommand, outcome: Outcome, digest: str) -> Answer:
        """Fold and draft every event, and reveal the secrets that are spent by them."""
        draft, events = self.draft, outcome.events
        draft.begin(command, digest if command.key else "")
        if outcome.secrets or outcome.games:
            draft.keep(outcome)
        records = [draft.add(stream, event) for event in events]
        for where, event in outcome.others:
            draft.add(where, event)
        if not SPENDING.isdisjoint(map(type, events)):
            events = [*events, *self._revealed(stream)]
        first = records[0]
        if command.key:
            self.done[stream, command.key] = first
        return Answer(stream, first.sequence, tuple(events))

    def _revealed(self, stream: str) -> list[object]:
        """Reveal the secrets of shuffles whose cards will not be dealt any more."""
        shown, book = list[object](), self.library.books[stream]
        assert isinstance(book, TableBook)
        for number in spent(book):
            shown.append(revealed(self.library, book, number))
            self.draft.add(stream, shown[-1])
            self.draft.forget(stream, number)
        return shown

    def _again(self, request: Request, first: Recorded, digest: str) -> Reply:
        """Answer a command that was done before as it was answered then."""
        if first.digest != digest:
            return refuse(Code.KEY_REUSED, key=request.command.key)
        codec = codec_of(request.stream)
        try:
            events = [codec.decode(each) for each in self.draft.of_command(first)]
        except UnreadableEventError as error:
            return StoreError(str(error))
        return Answer(request.stream, first.sequence, tuple(events), repeated=True)


_encoder = msgspec.json.Encoder()


def digest_of(request: Request) -> str | Refusal:
    """Return the hash of what was asked and by whom, or refuse what a journal cannot hold.

    The moment is the desk's and does not count.
    """
    command = request.command if not request.command.at else replace(request.command, at=0)
    try:
        body = _encoder.encode(command)
    except (UnicodeError, ValueError, OverflowError):
        return refuse(Code.COMMAND_UNWRITABLE, reason="it holds characters or numbers that no journal keeps")
    if len(body) > LONGEST_COMMAND:
        return refuse(Code.COMMAND_UNWRITABLE, reason=f"it is longer than {LONGEST_COMMAND} bytes")
    return sha256(body).hexdigest()

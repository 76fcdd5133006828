"""Command service: runs a group of commands in one transaction.

The streams of a group are locked in a fixed order and brought up to date. Each command is decided on the
state that the commands before it left. Everything is written at once, and replies are given after the commit.
If the commit fails, all states that the group touched are dropped and read again.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.commands import LONGEST_KEY
from fourcard.house.deciding import foreign_refusal, gate_refusal
from fourcard.house.departures import accounts_touched
from fourcard.house.group import Group
from fourcard.house.journal import UnreadableEventError
from fourcard.house.library import Book, BrokenStreamError, Library, PutBackError, empty
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.ports import Clock, Entropy
from fourcard.house.records import Head, Recorded
from fourcard.house.requests import (
    BEGINNING,
    OF_WHOLE_LINK,
    Answer,
    Reply,
    Request,
    fault,
    stamped,
    streams_of,
)
from fourcard.house.security_log import SecurityLog
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import SequenceTakenError, Store, StoreError, Writing
from fourcard.house.table_book import TableBook
from fourcard.house.watermark import Watermark, mark_of
from fourcard.house.writing import Draft
from fourcard.refusals import Code, Refusal, RefusedError, refuse

TRIES = 5
"""How often a group is tried when another process writes to the same streams."""
Follower = Callable[[Sequence[Recorded], Sequence[object]], None]
_log = logging.getLogger(__name__)


class Desk:
    """Executes commands, in groups, for one process; other processes can have their own services.

    It is thread-safe: one thread at a time uses the states, and the states it returns never change.
    """

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Take the store, the clock and the entropy source."""
        self.store, self.clock, self.entropy = store, clock, entropy
        self.library = Library(entropy)
        self._lock = threading.RLock()
        self.security = SecurityLog(store, clock)
        self.follower: Follower | None = None
        """Callback that gets what each commit wrote, in commit order."""
        self.watermark: Watermark | None = None
        """File outside the database that records the newest commit."""
        self.put_back: StoreError | None = None
        """Why the service stopped: the database was rolled back while this process used it."""

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> Answer:
        """Execute one command and return its result, or raise the refusal or error."""
        (reply,) = self.execute([Request(stream, command, actor)])  # type: ignore[arg-type]
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if isinstance(reply, StoreError):
            raise reply
        return reply

    def execute(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a group and return one reply per request, in order; a store failure changes nothing."""
        if self.put_back is not None:
            return [self.put_back] * len(requests)
        received = [self._received(request) for request in requests]
        admitted = [each for each in received if isinstance(each, Request)]
        with self._lock:
            done = iter(self._done(admitted) if admitted else ())
        return [next(done) if isinstance(each, Request) else each for each in received]

    def _received(self, request: Request) -> Request | Refusal | StoreError:
        """Return a request with its real author, or why it is rejected; a bad request harms no others."""
        try:
            given = stamped(request)
            return self._barred(given) or given
        except Exception as error:  # noqa: BLE001  what cannot even be looked at is its sender's alone
            return fault(error)

    def _done(self, requests: Sequence[Request]) -> list[Reply]:
        """Execute a group; after an internal error each command is executed alone, so it fails alone."""
        try:
            return self._tried(requests)
        except StoreError as error:
            return [error] * len(requests)
        except Exception as error:  # noqa: BLE001  a fault in one command must not hinder the others
            if len(requests) == 1:
                return [fault(error)]
            return [reply for request in requests for reply in self._done([request])]

    def table(self, name: str) -> TableBook:
        """Return an installed table at its newest committed state, or raise a refusal."""
        with self._lock:
            self._look_up_whole(table_stream(name))
            return self.library.table(name)

    def meter(self, name: str) -> MeterBook:
        """Return a meter at its newest committed state."""
        with self._lock:
            self._look_up_whole(meter_stream(name))
            return self.library.meter(name)

    def staff(self) -> StaffState:
        """Return the staff at its newest committed state."""
        with self._lock:
            self._look_up_whole(STAFF)
            return self.library.staff()

    def standing(self, stream: str) -> tuple[Book, int]:
        """Return a stream's newest committed state and its sequence."""
        with self._lock:
            self._look_up_whole(stream)
            head = self.library.heads.get(stream) or Head()
            return self.library.books.get(stream) or empty(stream), head.sequence

    def look_up(self, streams: Sequence[str]) -> Mapping[str, StoreError]:
        """Read streams up to their heads, and return the errors of unreadable streams."""
        with self._lock, self.store.reading() as reading:
            self.library.look(reading)
            broken = self._brought(reading.streams(streams))
            self.library.look(None)
            return broken

    def _look_up_whole(self, stream: str) -> None:
        """Read a stream up to its head, or raise its error."""
        for error in self.look_up([stream]).values():
            raise error

    def _barred(self, request: Request) -> Refusal | None:
        """Refuse and log a command that a person cannot give; it never reaches a stream."""
        key = request.command.key
        if len(key) > LONGEST_KEY or (key and not key.isprintable()):
            return refuse(Code.KEY_UNFIT, most=LONGEST_KEY)
        refusal = foreign_refusal(request.stream, request.command)
        if refusal is not None:
            return refusal
        refusal = gate_refusal(request.actor, request.stream, request.command)
        if refusal is not None:
            self._note(request, refusal)
        return refusal

    def _note(self, request: Request, refusal: Refusal) -> None:
        """Write a note about a refused command to the security log."""
        kind = str(type(request.command).__struct_config__.tag)
        self.security.note(request.actor.person, kind, refusal.name)

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
            broken = self._brought(_staff_first(writing, requests))
            broken |= self._brought(writing.heads(sorted(known)))
            self._refuse_strange_meters(known)
            self._refuse_strange_tables(requests, known)
            self._refuse_strange_accounts(requests, known)
            draft = Draft(self.library, writing)
            group = Group(draft, self.clock.now(), broken)
            replies = group.replies(requests)
            draft.write()
        self.library.look(None)
        self.note_heads({record.stream: self.library.heads[record.stream] for record in draft.records})
        self._tell(draft)
        for request, refusal in group.unfit:
            self._note(request, refusal)
        return replies

    def note_heads(self, heads: Mapping[str, Head]) -> None:
        """Record stream heads in the watermark after a commit."""
        if self.watermark is None or not heads:
            return
        try:
            books = self.library.books
            self.watermark.add(mark_of(stream, head, books.get(stream)) for stream, head in heads.items())
        except Exception:  # noqa: BLE001  the commit is done, whatever becomes of its note
            _log.exception("The watermark could not be updated after a commit.")

    def _tell(self, draft: Draft) -> None:
        """Pass what was committed to the follower; its errors change nothing."""
        if self.follower is not None and draft.records:
            try:
                self.follower(draft.records, draft.events)
            except Exception:  # noqa: BLE001  the commit is done, whatever a follower makes of it
                _log.exception("The follower failed after a commit.")

    def _refuse_strange_meters(self, known: set[str]) -> None:
        """Start again if another process linked a table to a meter that is not locked."""
        for stream in known:
            book = self.library.books.get(stream)
            if type(book) is TableBook and book.meter and meter_stream(book.meter) not in known:
                raise SequenceTakenError(f"{stream} was linked to another meter meanwhile.")

    def _refuse_strange_tables(self, requests: Sequence[Request], known: set[str]) -> None:
        """Start again if another process linked a table to a meter whose tables must all be locked."""
        if not self._linked_tables(requests) <= known:
            raise SequenceTakenError("A table was linked to the meter meanwhile.")

    def _refuse_strange_accounts(self, requests: Sequence[Request], known: set[str]) -> None:
        """Start again if another process seated a player whose account is not locked."""
        if not self._accounts_touched(requests) <= known:
            raise SequenceTakenError("A player came to the table meanwhile.")

    def _accounts_touched(self, requests: Sequence[Request]) -> set[str]:
        """Return the accounts that table commands may return chips to."""
        books = [(self.library.books.get(each.stream), each.command) for each in requests]
        found = (accounts_touched(book, command) for book, command in books if type(book) is TableBook)
        return {player_stream(player) for player in chain.from_iterable(found)}

    def _linked_tables(self, requests: Sequence[Request]) -> set[str]:
        """Return the tables that a meter command looks at."""
        asked = {request.stream for request in requests if type(request.command) in OF_WHOLE_LINK}
        books = (self.library.books.get(stream) for stream in asked)
        return {table_stream(name) for book in books if isinstance(book, MeterBook) for name in book.tables}

    def _brought(self, heads: Mapping[str, Head]) -> dict[str, StoreError]:
        """Read streams up to their heads, and return the errors of unreadable streams."""
        broken = dict[str, StoreError]()
        for stream, head in heads.items():
            try:
                self.library.bring(stream, head)
            except (BrokenStreamError, UnreadableEventError) as error:
                self.library.drop([stream])
                broken[stream] = StoreError(str(error))
            except PutBackError as error:
                self.put_back = error
                raise
        return broken

    def _streams(self, requests: Sequence[Request], wanted: set[str]) -> set[str]:
        """Add every stream that a group may read or write; the state of a table names its meter."""
        for request in requests:
            wanted.update(streams_of(request))
        self._leave_out_absent(requests, wanted)
        linked = self._linked_tables(requests)
        if not linked <= self.library.books.keys():
            self.look_up([*(linked - self.library.books.keys())])
        wanted |= linked | self._accounts_touched(requests)
        for stream in tuple(wanted):
            book = self.library.books.get(stream)
            if isinstance(book, TableBook) and book.meter:
                wanted.add(meter_stream(book.meter))
        return wanted

    def _leave_out_absent(self, requests: Sequence[Request], wanted: set[str]) -> None:
        """Leave out missing streams unless a command starts them: invented names must cost nothing."""
        strange = {each for each in wanted if each not in self.library.books}
        if strange:
            broken = self.look_up([*strange])
            begun = (streams_of(each) for each in requests if type(each.command) in BEGINNING)
            wanted -= strange - self.library.books.keys() - broken.keys() - {*chain.from_iterable(begun)}


def _staff_first(writing: Writing, requests: Sequence[Request]) -> Mapping[str, Head]:
    """Lock the staff first, so nobody changes it while a member of staff acts; return its head."""
    if any(request.stream == STAFF for request in requests):
        return writing.heads([STAFF])
    return writing.steady([STAFF]) if any(each.actor.kind == "staff" for each in requests) else {}

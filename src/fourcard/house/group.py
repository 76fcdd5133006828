"""Command batch: commands that share a commit, each decided on what the ones before it left."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.deciding import decide, gate_refusal
from fourcard.house.departures import accounts_touched
from fourcard.house.journal import UnreadableEventError, codec_of
from fourcard.house.library import BrokenStreamError
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import STAFF, Outcome, meter_stream, player_stream, table_stream
from fourcard.house.records import Head, Recorded
from fourcard.house.requests import OF_WHOLE_LINK, Answer, Reply, Request, digest_of, streams_of
from fourcard.house.shuffling import SPENDING, revealed, spent
from fourcard.house.store.contract import StoreError
from fourcard.house.table_book import TableBook
from fourcard.house.writing import Draft
from fourcard.refusals import Code, Refusal, refuse

NOTED = frozenset((Code.SAME_PERSON, Code.EXECUTIVE_NEEDED, Code.ADJUSTMENT_OWN))
"""Refusals that are logged: a person tried alone, or in too low a role, what needs another person."""


class Group:
    """Commands that share a commit."""

    def __init__(self, draft: Draft, now: int, broken: Mapping[str, StoreError]) -> None:
        """Start at a time, with the errors of unreadable streams."""
        self.library, self.draft = draft.library, draft
        self.broken, self.now = broken, now
        self.done: dict[tuple[str, str], Recorded] = {}
        self.unfit: list[tuple[Request, Refusal]] = []
        """Refused commands for the security log, written after the commit."""

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """Decide every command on what the ones before it left."""
        keys = {(each.stream, each.command.key) for each in requests if each.command.key}
        self.done = dict(self.draft.writing.answered(keys)) if keys else {}
        return [self._hindered(request) or self._reply(request) for request in requests]

    def _hindered(self, request: Request) -> StoreError | None:
        """Return the error of an unreadable stream that a command needs."""
        if not self.broken:
            return None
        needed = {*streams_of(request), *((STAFF,) if request.actor.kind == "staff" else ())}
        book = self.library.books.get(request.stream)
        if isinstance(book, TableBook) and book.meter:
            needed.add(meter_stream(book.meter))
        if isinstance(book, TableBook):
            needed.update(map(player_stream, accounts_touched(book, request.command)))
        if isinstance(book, MeterBook) and type(request.command) in OF_WHOLE_LINK:
            needed.update(map(table_stream, book.tables))
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
        refusal = self._unfit(request) or self._passed(request)
        if refusal is not None:
            return refusal
        stamped = replace(command, at=self._moment(stream))
        try:
            outcome = decide(self.library, stream, stamped)
        except BrokenStreamError as error:
            return error
        if isinstance(outcome, Refusal):
            if outcome.code in NOTED:
                self.unfit.append((request, outcome))
            return outcome
        if request.password:
            self.draft.keep_password(stream, stamped, request.password)
        return self._written(stream, stamped, outcome, digest)

    def _unfit(self, request: Request) -> Refusal | None:
        """Refuse, and log, a person who was dismissed or has other roles since signing in."""
        actor = request.actor
        if actor.kind != "staff":
            return None
        staff = self.library.staff()
        now = staff.actor(actor.person) or Actor(actor.person, "staff")
        if now.roles == actor.roles or not staff.people:
            return None
        refusal = gate_refusal(now, request.stream, request.command)
        if refusal is not None:
            self.unfit.append((request, refusal))
        return refusal

    def _passed(self, request: Request) -> Refusal | None:
        """Refuse a command that was decided on another sequence of its stream."""
        if request.upon is None:
            return None
        at = self.library.heads.get(request.stream, Head()).sequence
        if at == request.upon:
            return None
        return refuse(Code.STREAM_MOVED, stream=request.stream, upon=request.upon, at=at)

    def _moment(self, stream: str) -> int:
        """Return the current time, or a table's last time if the clock was set back."""
        book = self.library.books.get(stream)
        if type(book) is TableBook and book.state.at > self.now:
            return book.state.at
        return self.now

    def _written(self, stream: str, command: AnyCommand, outcome: Outcome, digest: str) -> Answer:
        """Apply and record every event, and reveal the secrets that are spent by them."""
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
        """Reply to a command that was done before as it was answered then."""
        if first.digest != digest:
            return refuse(Code.KEY_REUSED, key=request.command.key)
        codec = codec_of(request.stream)
        try:
            events = [codec.decode(each) for each in self.draft.of_command(first)]
        except UnreadableEventError as error:
            return StoreError(str(error))
        return Answer(request.stream, first.sequence, tuple(events), repeated=True)

"""Clients: what they sent, which keys were answered and how, and what they must send again."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

import msgspec

from fourcard.house.auth.identity import with_author
from fourcard.house.auth.permissions import permission_refusal
from fourcard.house.auth.security import SECURITY
from fourcard.house.decision import STAFF, meter_stream
from fourcard.house.events import EVENTS_OF_TABLES, ChipsBought, ChipsReturned, MeterStarted
from fourcard.house.route_command import CommandResult, Reply, Request, cite_own_rulebook, is_repeat
from fourcard.house.store.interface import StoreError
from fourcard.house.table_state import HouseTable
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.kit.invariants import require
from tests.storm.counts import Counts
from tests.storm.faults import COMMITTED
from tests.storm.observer import NewEvents, Observer

Sort = Literal[
    "proper",
    "near",
    "seldom",
    "wild",
    "astray",
    "house",
    "manager",
    "barred",
    "again",
    "reused",
    "elsewhere",
    "late",
    "retried",
]
"""What sort of behaviour a command is: from what is due to what nobody may do, once or again."""


@dataclass(frozen=True, slots=True)
class StormCommand:
    """A request, and what sort of behaviour it is."""

    request: Request
    sort: Sort

    @property
    def place(self) -> tuple[str, str]:
        """Return the stream and the key: what makes a command one and the same."""
        return self.request.stream, self.request.command.key

    def describe(self) -> str:
        """Return it in a line."""
        actor = self.request.actor
        return (
            f"[{self.sort}] {self.request.stream} {actor.person}{list(actor.roles)}: {self.request.command}"
        )


MAX_PAST = 1_000
"""Requests that may be repeated later."""
EXCUSED = (
    Code.POSITIONS_NOT_ADJACENT,
    Code.TOO_MANY_POSITIONS,
    Code.MONEY_SHORT,
    Code.DECK_TOO_OLD,
    Code.SEEDS_AWAITED,
)
"""Why even what looks proper may be refused: nobody asked which positions a player holds, two tables drew on
the same account at once, the clock jumped just then, or a seed is still to come."""
FOLLOWING = (MeterStarted, *EVENTS_OF_TABLES, ChipsBought, ChipsReturned)
"""What meters and accounts note because of a command to a table."""
Place = tuple[str, str]


class ClientModel:
    """Compares every reply with the journal and with earlier replies."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin with nothing sent."""
        self.observer, self.counts = observer, counts
        self.answered: dict[Place, bytes] = {}
        """By stream and key, the digest of the answer."""
        self.unanswered: list[StormCommand] = []
        """Commands of which nobody knows whether they were done."""
        self.past: list[StormCommand] = []

    def check_replies(
        self,
        batch: Sequence[StormCommand],
        replies: Sequence[Reply],
        new_events: NewEvents,
        known: set[Place],
        fired: list[str],
    ) -> None:
        """Check the replies to a batch; ``known`` are its keys that the journal had before.

        Notes of the security log have commits of their own.
        """
        new_events = {stream: seen for stream, seen in new_events.items() if stream != SECURITY}
        failed = any(isinstance(reply, StoreError) for reply in replies)
        require(
            bool(fired) or not failed,
            "the store failed by itself",
            [r for r in replies if isinstance(r, StoreError)],
        )
        require(
            not failed or not new_events or fired[-1] == COMMITTED,
            "a failed group left something",
            fired,
            [*new_events],
        )
        done = set(known)
        answers = list[CommandResult]()
        for each, reply in zip(batch, replies, strict=True):
            self._count(each, reply)
            if isinstance(reply, CommandResult):
                self._check_accepted(each, reply, done, new_events)
                answers += [] if reply.repeated else [reply]
            elif isinstance(reply, Refusal):
                self._check_refused(each, reply, done, {answer.stream for answer in answers})
            elif each.request.command.key:
                self.unanswered.append(each)
        if failed:
            self._check_failed_batch(batch, new_events)
        else:
            self._check_attribution(answers, new_events)
        self._remember(batch, replies)

    def _count(self, each: StormCommand, reply: Reply) -> None:
        seen = self.counts.seen
        seen["commands"] += 1
        seen[f"asked {each.sort}"] += 1
        if isinstance(reply, Refusal):
            seen["refused"] += 1
        elif isinstance(reply, StoreError):
            seen["answers lost"] += 1
        else:
            seen["repeated" if reply.repeated else "accepted"] += 1

    def _check_accepted(
        self, each: StormCommand, reply: CommandResult, done: set[Place], new_events: NewEvents
    ) -> None:
        command = with_author(each.request.actor, each.request.command)
        barred = permission_refusal(each.request.actor, command)
        require(barred is None, "somebody did what is not permitted", each.describe())
        place, key = each.place, each.request.command.key
        digest = sha256(msgspec.json.encode(reply.events)).digest()
        if reply.repeated:
            require(place in done, "a repeat of what was never done", each.describe())
            require(
                self.answered.get(place, digest) == digest, "a repeat was answered otherwise", each.describe()
            )
            first = self.observer.keys[place]
            require(
                first.sequence == reply.first_sequence, "a repeat named another place", each.describe(), reply
            )
            same = is_repeat(_with_role(each).command, first, reply.events[0])
            require(same, "another command's answer", each.describe())
            self.counts.checked["repeats answered as before"] += 1
        else:
            require(not key or place not in done, "a key was accepted twice", each.describe())
            found = [
                seen
                for seen in new_events[reply.stream]
                if seen.record.command_sequence == reply.first_sequence
            ]
            require(
                [*reply.events] == [seen.event for seen in found], "the answer is not what was written", reply
            )
            record = found[0].record
            signed = (record.key, record.by, record.role) == (key, command.by, command.role)
            require(signed, "an event has another author or key", record, each.describe())
            self.counts.checked["answers equal to the journal"] += 1
        if key:
            done.add(place)
            self.answered[place] = digest

    def _check_refused(self, each: StormCommand, reply: Refusal, done: set[Place], moved: set[str]) -> None:
        """Find what was done before refused only where the key has another body, or the person no right."""
        place = each.place
        actor, command = each.request.actor, with_author(each.request.actor, each.request.command)
        barred = permission_refusal(actor, command)
        if barred is not None:
            stream = each.request.stream
            states = (self.observer.books.get(stream), None)
            expected = [cite_own_rulebook(barred, stream, state) for state in states]
            gate = reply in expected or reply.code in (Code.KEY_UNFIT, Code.COMMAND_FOREIGN, Code.ID_UNFIT)
            require(gate, "another refusal than the gate's", each.describe(), reply)
            self.counts.seen["barred"] += 1
            return
        if each.request.command.key and place in done:
            require(
                reply.code is Code.KEY_REUSED, "what was done was refused afterwards", each.describe(), reply
            )
            self.counts.checked["reused keys refused"] += 1
        else:
            require(reply.code is not Code.KEY_REUSED, "a fresh key was called reused", each.describe())
        self.counts.seen[f"refused as {reply.code.name}"] += 1
        if each.sort == "proper":
            let_go = reply.code is Code.ROLE_NOT_HELD and STAFF in moved
            excused = let_go or reply.code in EXCUSED or not moved.isdisjoint(self._deciding_streams(each))
            require(excused, "what is proper was refused", each.describe(), reply)
            self.counts.checked["proper commands refused only where another was first"] += 1

    def _deciding_streams(self, each: StormCommand) -> set[str]:
        """Return the streams that decide upon a command: its own, and its table's meter."""
        stream = each.request.stream
        book = self.observer.books.get(stream)
        return {stream, meter_stream(book.meter)} if isinstance(book, HouseTable) else {stream}

    def _check_failed_batch(self, batch: Sequence[StormCommand], new_events: NewEvents) -> None:
        """Find nothing in the journal but what this batch asked."""
        mine = {each.place for each in batch}
        for stream, seen in new_events.items():
            for each in seen:
                key = each.record.key
                require(not key or (stream, key) in mine, "a command came out of nowhere", each.record)

    def _check_attribution(self, answers: Sequence[CommandResult], new_events: NewEvents) -> None:
        """Find that every event follows from an accepted command of this batch."""
        places = {(answer.stream, answer.first_sequence) for answer in answers}
        for stream, seen in new_events.items():
            for each in seen:
                follows = isinstance(each.event, FOLLOWING) and not each.record.key
                mine = (stream, each.record.command_sequence) in places
                require(mine or follows, "an event follows from nothing", each.record)
        self.counts.checked["groups whose events follow from answers"] += 1

    def _remember(self, batch: Sequence[StormCommand], replies: Sequence[Reply]) -> None:
        """Keep some of what was answered, to be sent again much later."""
        for each, reply in zip(batch, replies, strict=True):
            if isinstance(reply, CommandResult) and not reply.repeated and each.request.command.key:
                self.past.append(each)
        if len(self.past) > MAX_PAST:
            self.past = self.past[::2] if len(self.past) % 2 else self.past[1::2]


def _with_role(each: StormCommand) -> Any:
    request = each.request
    return msgspec.structs.replace(request, command=with_author(request.actor, request.command))

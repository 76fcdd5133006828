"""What the clients know: which keys were answered and how, and which they must ask about again."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from fourcard.house.auth.identity import in_role
from fourcard.house.auth.permissions import permission_refusal
from fourcard.house.decision import STAFF, meter_stream
from fourcard.house.events import EVENTS_OF_TABLES, ChipsBought, ChipsReturned, MeterStarted
from fourcard.house.route_command import CommandResult, Reply, digest_of
from fourcard.house.store.interface import StoreError
from fourcard.house.table_state import HouseTable
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.storm.commands import Asked
from tests.storm.counts import Tally, demand
from tests.storm.faults import KEPT
from tests.storm.observer import News, Witness

MOST_PAST = 1_000
"""Requests that may be repeated later."""
EXCUSED = (Code.POSITIONS_NOT_ADJACENT, Code.TOO_MANY_POSITIONS, Code.MONEY_SHORT, Code.DECK_TOO_OLD)
"""Why even what looks proper may be refused: nobody asked which positions a player holds, two tables drew on
the same account at once, or the clock jumped just then."""
FOLLOWING = (MeterStarted, *EVENTS_OF_TABLES, ChipsBought, ChipsReturned)
"""What meters and accounts note because of a command to a table."""
Place = tuple[str, str]


class Clients:
    """Holds every reply against the journal and against what was replied before."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with nothing asked."""
        self.witness, self.tally = witness, tally
        self.answered: dict[Place, bytes] = {}
        """By stream and key, the digest of the answer."""
        self.unknown: list[Asked] = []
        """Commands of which nobody knows whether they were done."""
        self.past: list[Asked] = []

    def heard(
        self,
        asked: Sequence[Asked],
        replies: Sequence[Reply],
        news: News,
        known: set[Place],
        fired: list[str],
    ) -> None:
        """Take the replies to a group; ``known`` are its keys that the journal had before."""
        failed = any(isinstance(reply, StoreError) for reply in replies)
        demand(
            bool(fired) or not failed,
            "the store failed by itself",
            [r for r in replies if isinstance(r, StoreError)],
        )
        demand(not failed or not news or fired[-1] == KEPT, "a failed group left something", fired, [*news])
        done = set(known)
        answers = list[CommandResult]()
        for each, reply in zip(asked, replies, strict=True):
            self._count(each, reply)
            if isinstance(reply, CommandResult):
                self._accepted(each, reply, done, news)
                answers += [] if reply.repeated else [reply]
            elif isinstance(reply, Refusal):
                self._refused(each, reply, done, {answer.stream for answer in answers})
            elif each.request.command.key:
                self.unknown.append(each)
        if failed:
            self._lost(asked, news)
        else:
            self._attributed(answers, news)
        self._keep(asked, replies)

    def _count(self, each: Asked, reply: Reply) -> None:
        seen = self.tally.seen
        seen["commands"] += 1
        seen[f"asked {each.sort}"] += 1
        if isinstance(reply, Refusal):
            seen["refused"] += 1
        elif isinstance(reply, StoreError):
            seen["answers lost"] += 1
        else:
            seen["repeated" if reply.repeated else "accepted"] += 1

    def _accepted(self, each: Asked, reply: CommandResult, done: set[Place], news: News) -> None:
        command = in_role(each.request.actor, each.request.command)
        barred = permission_refusal(each.request.actor, command)
        demand(barred is None, "somebody did what is not permitted", each.told())
        place, key = each.place, each.request.command.key
        digest = sha256(msgspec.json.encode(reply.events)).digest()
        if reply.repeated:
            demand(place in done, "a repeat of what was never done", each.told())
            demand(self.answered.get(place, digest) == digest, "a repeat was answered otherwise", each.told())
            first = self.witness.keys[place]
            demand(first.sequence == reply.first, "a repeat named another place", each.told(), reply)
            demand(first.digest == digest_of(_stamped(each)), "another command's answer", each.told())
            self.tally.checked["repeats answered as before"] += 1
        else:
            demand(not key or place not in done, "a key was accepted twice", each.told())
            told = [seen for seen in news[reply.stream] if seen.record.command == reply.first]
            demand(
                [*reply.events] == [seen.event for seen in told], "the answer is not what was written", reply
            )
            record = told[0].record
            signed = (record.key, record.by, record.role) == (key, command.by, command.role)
            demand(signed, "an event has another author or key", record, each.told())
            self.tally.checked["answers equal to the journal"] += 1
        if key:
            done.add(place)
            self.answered[place] = digest

    def _refused(self, each: Asked, reply: Refusal, done: set[Place], moved: set[str]) -> None:
        """Find what was done before refused only where the key has another body, or the person no right."""
        place = each.place
        actor, command = each.request.actor, in_role(each.request.actor, each.request.command)
        barred = permission_refusal(actor, command)
        if barred is not None:
            gate = reply == barred or reply.code in (Code.KEY_UNFIT, Code.COMMAND_FOREIGN, Code.ID_UNFIT)
            demand(gate, "another refusal than the gate's", each.told(), reply)
            self.tally.seen["barred"] += 1
            return
        if each.request.command.key and place in done:
            demand(reply.code is Code.KEY_REUSED, "what was done was refused afterwards", each.told(), reply)
            self.tally.checked["reused keys refused"] += 1
        else:
            demand(reply.code is not Code.KEY_REUSED, "a fresh key was called reused", each.told())
        self.tally.seen[f"refused as {reply.code.name}"] += 1
        if each.sort == "proper":
            let_go = reply.code is Code.ROLE_NOT_HELD and STAFF in moved
            excused = let_go or reply.code in EXCUSED or not moved.isdisjoint(self._looked_at(each))
            demand(excused, "what is proper was refused", each.told(), reply)
            self.tally.checked["proper commands refused only where another was first"] += 1

    def _looked_at(self, each: Asked) -> set[str]:
        """Return the streams that decide upon a command: its own, and its table's meter."""
        stream = each.request.stream
        book = self.witness.books.get(stream)
        return {stream, meter_stream(book.meter)} if isinstance(book, HouseTable) else {stream}

    def _lost(self, asked: Sequence[Asked], news: News) -> None:
        """Find nothing in the journal but what this group asked."""
        mine = {each.place for each in asked}
        for stream, seen in news.items():
            for each in seen:
                key = each.record.key
                demand(not key or (stream, key) in mine, "a command came out of nowhere", each.record)

    def _attributed(self, answers: Sequence[CommandResult], news: News) -> None:
        """Find every event to follow from an accepted command of this group."""
        places = {(answer.stream, answer.first) for answer in answers}
        for stream, seen in news.items():
            for each in seen:
                follows = isinstance(each.event, FOLLOWING) and not each.record.key
                mine = (stream, each.record.command) in places
                demand(mine or follows, "an event follows from nothing", each.record)
        self.tally.checked["groups whose events follow from answers"] += 1

    def _keep(self, asked: Sequence[Asked], replies: Sequence[Reply]) -> None:
        """Keep some of what was answered, to be asked again much later."""
        for each, reply in zip(asked, replies, strict=True):
            if isinstance(reply, CommandResult) and not reply.repeated and each.request.command.key:
                self.past.append(each)
        if len(self.past) > MOST_PAST:
            self.past = self.past[::2] if len(self.past) % 2 else self.past[1::2]


def _stamped(each: Asked) -> Any:
    request = each.request
    return msgspec.structs.replace(request, command=in_role(request.actor, request.command))

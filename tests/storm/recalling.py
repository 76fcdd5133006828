"""What processes wrote down, held against the journal: every reply once, and no group by half."""

from itertools import takewhile
from pathlib import Path

from fourcard.house.journal import codec_of
from fourcard.house.requests import Request
from fourcard.house.store.contract import Reading
from tests.storm.letters import Letter, Replied, digest, read
from tests.storm.tally import Tally, demand
from tests.storm.witness import Witness

MAY_VARY = ("TakeSeat", "BuyIn", "Deposit", "FillTray")
"""Proper commands that may still be refused, so that they say nothing about the others of their group."""
Place = tuple[str, str]


class Recall:
    """Reads the log of one process after another, as far as it has not been read."""

    def __init__(self, log: Path, witness: Witness, tally: Tally, *, alone: bool) -> None:
        """Take a log; where a process is alone, its groups are found whole."""
        self.log, self.witness, self.tally, self.alone = log, witness, tally, alone
        self.letters: list[Letter] = []
        self.known = 0
        self.done: dict[Place, Replied] = {}
        """By stream and key, what was answered."""
        self.open: Letter | None = None
        """The group whose replies have not come."""

    def collect(self) -> None:
        """Read what the process has written down by now, before the journal is looked at."""
        self.letters = read(self.log)

    def catch_up(self, reading: Reading) -> None:
        """Hold every new reply against the journal."""
        for letter in self.letters[self.known :]:
            if letter.asked:
                self.open = letter
            elif self.open is not None:
                demand(letter.number == self.open.number, "a reply to nothing", letter)
                self._heard(self.open, letter.replies, reading)
                self.open = None
        self.known = len(self.letters)

    def _heard(self, asked: Letter, replies: tuple[Replied, ...], reading: Reading) -> None:
        self.tally.seen["commands"] += len(replies)
        for (_, request), reply in zip(asked.asked, replies, strict=True):
            self.tally.seen[f"answered {reply.kind}"] += 1
            if reply.kind == "answer":
                self._answered(request, reply, reading)
            demand(reply.kind != "fault", "a command met a fault of the program", request)
            demand(reply.kind != "lost" or not self.alone, "the store failed by itself", request)
        if asked.again:
            self.tally.seen["groups asked again after a kill"] += 1
        if asked.again and asked.pure and self.alone:
            self._whole(asked, replies)

    def _answered(self, request: Request, reply: Replied, reading: Reading) -> None:
        """Find an answer in the journal: at its place, with its key, once."""
        place = (request.stream, request.command.key)
        events = [
            *takewhile(
                lambda each: each.command == reply.first, reading.events(request.stream, reply.first - 1)
            )
        ]
        demand(bool(events), "an answered command is not in the journal", request, reply)
        told = digest([codec_of(request.stream).decode(each) for each in events])
        demand(told == reply.digest, "the journal has another answer", request, reply)
        demand(events[0].key == request.command.key, "the journal has another key", request, events[0])
        if request.command.key:
            before = self.done.setdefault(place, reply)
            same = (before.first, before.digest) == (reply.first, reply.digest)
            demand(same, "a key was answered in two ways", request, before, reply)
            demand(reply.repeated or before is reply, "a key was done twice", request, before, reply)
            known = self.witness.keys.get(place)
            demand(known is not None and known.sequence == reply.first, "a key is elsewhere", request, known)
        self.tally.checked["answers of killed processes in the journal"] += 1

    def _whole(self, asked: Letter, replies: tuple[Replied, ...]) -> None:
        """Find that all of a group had been done when it was asked again, or nothing of it."""
        pairs = zip(asked.asked, replies, strict=True)
        sure = [
            (request, reply)
            for (_, request), reply in pairs
            if type(request.command).__name__ not in MAY_VARY
            and request.command.key
            and reply.kind == "answer"
        ]
        halves = {reply.repeated for _, reply in sure}
        demand(len(halves) < 2, "a group was done by half", [(str(r.command), a.repeated) for r, a in sure])
        if halves:
            self.tally.seen["groups found done" if halves == {True} else "groups found undone"] += 1
        self.tally.checked["groups done wholly or not at all"] += 1

    def unanswered(self) -> list[Request]:
        """Return what was asked when the process was killed, and never answered."""
        return [] if self.open is None else [request for _, request in self.open.asked]

    def missing(self) -> list[Place]:
        """Return the answered keys that the journal does not have."""
        return [place for place in self.done if place not in self.witness.keys]

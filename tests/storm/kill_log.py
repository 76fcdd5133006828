"""What a process that may be killed writes down, and its comparison with the journal."""

import os
from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from fourcard.house.journal import codec_of
from fourcard.house.route_command import CommandResult, InternalError, Reply, Request
from fourcard.house.store.interface import ReadTransaction
from fourcard.refusals import Refusal
from tests.storm.commands import Asked, Sort
from tests.storm.counts import Tally, demand
from tests.storm.observer import Witness


class Replied(msgspec.Struct, frozen=True, array_like=True):
    """A reply, as far as it must be found again in the journal."""

    kind: str
    """``answer``, ``refused``, ``lost`` or ``fault``."""
    first: int = 0
    digest: str = ""
    """Of the events that were answered."""
    repeated: bool = False


class Letter(msgspec.Struct, frozen=True):
    """A line of the log: a group that is about to be asked, or the replies to the group before it."""

    number: int
    asked: tuple[tuple[Sort, Request], ...] = ()
    replies: tuple[Replied, ...] = ()
    again: bool = False
    """Whether an earlier process was killed before it had the replies."""
    pure: bool = False
    """Whether each of its commands is proper and at a table of its own."""


_decoder = msgspec.json.Decoder(Letter)


def digest(events: Sequence[Any]) -> str:
    """Return the hash of the events of an answer."""
    return sha256(msgspec.json.encode(list(events))).hexdigest()


def replied(reply: Reply) -> Replied:
    """Return what is written down of a reply."""
    if isinstance(reply, CommandResult):
        return Replied("answer", reply.first, digest(reply.events), reply.repeated)
    if isinstance(reply, InternalError):
        return Replied("fault")
    return Replied("refused" if isinstance(reply, Refusal) else "lost")


class Log:
    """A file that only grows, and that a killed process leaves whole but for its last line."""

    def __init__(self, path: Path) -> None:
        """Append to a file; a line that was torn off is ended, so that the next one stands alone."""
        self.letters = read(path)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            os.write(self._file, b"\n")

    def unanswered(self) -> Letter | None:
        """Return the group whose replies never came."""
        last = self.letters[-1] if self.letters else None
        return last if last is not None and last.asked else None

    def next_number(self) -> int:
        """Return the number of the next group."""
        return self.letters[-1].number + 1 if self.letters else 1

    def asks(self, number: int, asked: Sequence[Asked], *, again: bool, pure: bool) -> None:
        """Write down what will be asked."""
        listed = tuple((each.sort, each.request) for each in asked)
        self._write(Letter(number, listed, again=again, pure=pure))

    def heard(self, number: int, replies: Sequence[Reply]) -> None:
        """Write down what was replied."""
        self._write(Letter(number, replies=tuple(replied(reply) for reply in replies)))

    def _write(self, letter: Letter) -> None:
        self.letters.append(letter)
        os.write(self._file, msgspec.json.encode(letter) + b"\n")
        os.fsync(self._file)


def read(path: Path) -> list[Letter]:
    """Return what a log holds; a line that a kill tore off counts as never written."""
    if not path.exists():
        return []
    found = list[Letter]()
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            found.append(_decoder.decode(line))
        except msgspec.MsgspecError:
            continue
    return found


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

    def catch_up(self, reading: ReadTransaction) -> None:
        """Hold every new reply against the journal."""
        for letter in self.letters[self.known :]:
            if letter.asked:
                self.open = letter
            elif self.open is not None:
                demand(letter.number == self.open.number, "a reply to nothing", letter)
                self._heard(self.open, letter.replies, reading)
                self.open = None
        self.known = len(self.letters)

    def _heard(self, asked: Letter, replies: tuple[Replied, ...], reading: ReadTransaction) -> None:
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

    def _answered(self, request: Request, reply: Replied, reading: ReadTransaction) -> None:
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

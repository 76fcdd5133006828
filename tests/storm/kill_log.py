"""Command log of a process that may be killed, and its comparison with the journal."""

import os
from collections.abc import Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from fourcard.house.head_signatures import HouseKey
from fourcard.house.journal import codec_of
from fourcard.house.route_command import CommandResult, InternalError, Reply, Request
from fourcard.house.store.interface import ReadTransaction
from fourcard.refusals import Refusal
from tests.kit.invariants import require
from tests.storm.clients import Sort, StormCommand
from tests.storm.counts import Counts
from tests.storm.observer import Observer

KEY = HouseKey(bytes(range(32)))
ASKS, HEARD, WINS = b"?", b"!", b"w"
"""What a process says when it is about to ask, when it was answered, and when it is about to see to a win."""


class LoggedReply(msgspec.Struct, frozen=True, array_like=True):
    """A reply, as far as it must be found again in the journal."""

    kind: str
    """``answer``, ``refused``, ``lost`` or ``fault``."""
    first: int = 0
    digest: str = ""
    """Of the events that were answered."""
    repeated: bool = False


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log: a batch that is about to be sent, or the replies to the batch before it."""

    number: int
    batch: tuple[tuple[Sort, Request], ...] = ()
    replies: tuple[LoggedReply, ...] = ()
    again: bool = False
    """Whether an earlier process was killed before it had the replies."""
    pure: bool = False
    """Whether each of its commands is proper and at a table of its own."""


_decoder = msgspec.json.Decoder(LogLine)


def digest(events: Sequence[Any]) -> str:
    """Return the hash of the events of an answer."""
    return sha256(msgspec.json.encode(list(events))).hexdigest()


def logged_reply(reply: Reply) -> LoggedReply:
    """Return what is written down of a reply."""
    if isinstance(reply, CommandResult):
        return LoggedReply("answer", reply.first_sequence, digest(reply.events), reply.repeated)
    if isinstance(reply, InternalError):
        return LoggedReply("fault")
    return LoggedReply("refused" if isinstance(reply, Refusal) else "lost")


class CommandLog:
    """A file that only grows, and that a killed process leaves whole but for its last line."""

    def __init__(self, path: Path) -> None:
        """Append to a file; a line that was torn off is ended, so that the next one stands alone."""
        self.lines = read(path)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            os.write(self._file, b"\n")

    def unanswered(self) -> LogLine | None:
        """Return the batch whose replies never came."""
        last = self.lines[-1] if self.lines else None
        return last if last is not None and last.batch else None

    def next_number(self) -> int:
        """Return the number of the next batch."""
        return self.lines[-1].number + 1 if self.lines else 1

    def log_batch(self, number: int, batch: Sequence[StormCommand], *, again: bool, pure: bool) -> None:
        """Write down what will be asked."""
        listed = tuple((each.sort, each.request) for each in batch)
        self._write(LogLine(number, listed, again=again, pure=pure))

    def log_replies(self, number: int, replies: Sequence[Reply]) -> None:
        """Write down what was replied."""
        self._write(LogLine(number, replies=tuple(logged_reply(reply) for reply in replies)))

    def _write(self, line: LogLine) -> None:
        self.lines.append(line)
        os.write(self._file, msgspec.json.encode(line) + b"\n")
        os.fsync(self._file)


def read(path: Path) -> list[LogLine]:
    """Return what a log holds; a line that a kill tore off counts as never written."""
    if not path.exists():
        return []
    found = list[LogLine]()
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            found.append(_decoder.decode(line))
        except msgspec.MsgspecError:
            continue
    return found


MAY_VARY = ("TakeSeat", "BuyIn", "Deposit", "FillTray")
"""Proper commands that may still be refused, so that they say nothing about the others of their batch."""
Place = tuple[str, str]


class LogCheck:
    """Compares the log of one process after another with the journal, as far as it was not read."""

    def __init__(self, log: Path, observer: Observer, counts: Counts, *, alone: bool) -> None:
        """Take a log; where a process is alone, its batches are found whole."""
        self.log, self.observer, self.counts, self.alone = log, observer, counts, alone
        self.lines: list[LogLine] = []
        self.known = 0
        self.done: dict[Place, LoggedReply] = {}
        """By stream and key, what was answered."""
        self.open: LogLine | None = None
        """The batch whose replies have not come."""

    def collect(self) -> None:
        """Read what the process has written down by now, before the journal is looked at."""
        self.lines = read(self.log)

    def catch_up(self, reading: ReadTransaction) -> None:
        """Compare every new reply with the journal."""
        for line in self.lines[self.known :]:
            if line.batch:
                self.open = line
            elif self.open is not None:
                require(line.number == self.open.number, "a reply to nothing", line)
                self._check_replies(self.open, line.replies, reading)
                self.open = None
        self.known = len(self.lines)

    def _check_replies(
        self, sent: LogLine, replies: tuple[LoggedReply, ...], reading: ReadTransaction
    ) -> None:
        self.counts.seen["commands"] += len(replies)
        for (_, request), reply in zip(sent.batch, replies, strict=True):
            self.counts.seen[f"answered {reply.kind}"] += 1
            if reply.kind == "answer":
                self._check_answer(request, reply, reading)
            require(reply.kind != "fault", "a command met a fault of the program", request)
            require(reply.kind != "lost" or not self.alone, "the store failed by itself", request)
        if sent.again:
            self.counts.seen["groups asked again after a kill"] += 1
        if sent.again and sent.pure and self.alone:
            self._check_whole(sent, replies)

    def _check_answer(self, request: Request, reply: LoggedReply, reading: ReadTransaction) -> None:
        """Find an answer in the journal: at its place, with its key, once."""
        place = (request.stream, request.command.key)
        events = [
            *takewhile(
                lambda each: each.command_sequence == reply.first,
                reading.events(request.stream, reply.first - 1),
            )
        ]
        require(bool(events), "an answered command is not in the journal", request, reply)
        found = digest([codec_of(request.stream).decode(each) for each in events])
        require(found == reply.digest, "the journal has another answer", request, reply)
        require(events[0].key == request.command.key, "the journal has another key", request, events[0])
        if request.command.key:
            before = self.done.setdefault(place, reply)
            same = (before.first, before.digest) == (reply.first, reply.digest)
            require(same, "a key was answered in two ways", request, before, reply)
            require(reply.repeated or before is reply, "a key was done twice", request, before, reply)
            known = self.observer.keys.get(place)
            require(known is not None and known.sequence == reply.first, "a key is elsewhere", request, known)
        self.counts.checked["answers of killed processes in the journal"] += 1

    def _check_whole(self, sent: LogLine, replies: tuple[LoggedReply, ...]) -> None:
        """Find that all of a batch had been done when it was sent again, or nothing of it."""
        pairs = zip(sent.batch, replies, strict=True)
        sure = [
            (request, reply)
            for (_, request), reply in pairs
            if type(request.command).__name__ not in MAY_VARY
            and request.command.key
            and reply.kind == "answer"
        ]
        halves = {reply.repeated for _, reply in sure}
        require(len(halves) < 2, "a group was done by half", [(str(r.command), a.repeated) for r, a in sure])
        if halves:
            self.counts.seen["groups found done" if halves == {True} else "groups found undone"] += 1
        self.counts.checked["groups done wholly or not at all"] += 1

    def unanswered(self) -> list[Request]:
        """Return what was asked when the process was killed, and never answered."""
        return [] if self.open is None else [request for _, request in self.open.batch]

    def missing_keys(self) -> list[Place]:
        """Return the answered keys that the journal does not have."""
        return [place for place in self.done if place not in self.observer.keys]

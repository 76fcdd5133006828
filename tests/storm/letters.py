"""What a process that may be killed writes down: what it asks before it asks, and every reply after it."""

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from fourcard.house.requests import Answer, FaultError, Reply, Request
from fourcard.refusals import Refusal
from tests.storm.asked import Asked, Sort


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
    if isinstance(reply, Answer):
        return Replied("answer", reply.first, digest(reply.events), reply.repeated)
    if isinstance(reply, FaultError):
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

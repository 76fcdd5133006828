"""Line stream: settles a file of rounds, one line in and one line out."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from fourcard.lines.answering import Answer, Refused, answer_line, encoded, refused
from fourcard.refusals import Code, Refusal, refuse

MOST_BYTES = 1 << 20
"""Maximum length of a line; a round of seven seats has about two thousand bytes."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Answered(msgspec.Struct, frozen=True, gc=False):
    """Answered line."""

    text: bytes
    """Answer as one line of JSON; empty for a blank line."""
    refused: bool
    read: int
    """Number of bytes of the line."""


def answers(stream: BinaryIO) -> Iterator[Answered]:
    """Yield the answer to every line of a stream; skip blank lines."""
    for number, (line, read) in enumerate(lines_of(stream), 1):
        if line is None:
            yield Answered(encoded(refused(too_long(), None, number)), True, read)
        elif not line or line.isspace():
            yield Answered(b"", False, read)
        else:
            answer = answer_line(line, number)
            yield Answered(encoded(answer), isinstance(answer, Refused), read)


def settle_lines(lines: Iterable[bytes | str]) -> Iterator[Answer | Refused]:
    """Yield the answer to each of these lines; skip blank lines."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield answer_line(line, number)


def too_long() -> Refusal:
    """Return the refusal of a line that is too long."""
    return refuse(Code.LINE_TOO_LONG, most=f"{MOST_BYTES:,}")


def lines_of(stream: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield lines and their length in bytes; None stands for a line that is too long."""
    first = True
    while line := stream.readline(MOST_BYTES + 1):
        read = len(line)
        if read > MOST_BYTES and not line.endswith(b"\n"):
            while rest := stream.readline(MOST_BYTES):
                read += len(rest)
                if rest.endswith(b"\n"):
                    break
            yield None, read
        else:
            yield line.removeprefix(BYTE_ORDER_MARK) if first else line, read
        first = False

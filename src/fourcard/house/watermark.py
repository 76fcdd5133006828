"""Watermark: the newest state of a house seen on this machine, in a file beside the key.

The file is written after the commit that it names, so it can be behind the database but never ahead of it.
A database behind its watermark was rolled back: by a copy of its file, or by a late replica.
"""

import fcntl
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from fourcard.errors import BadInputError
from fourcard.house import accounts
from fourcard.house.meter_book import MeterBook
from fourcard.house.player_book import PlayerBook
from fourcard.house.records import Head
from fourcard.house.store.contract import Reading
from fourcard.house.store.house_files import OWNER_ONLY
from fourcard.meter import UNITS_PER_CENT

FORMAT = "fourcard-watermark-1"
LONGEST = 1 << 20
"""Bytes after which the file is compacted to the newest line of every stream."""
_log = logging.getLogger(__name__)


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """The head of one stream, and the cents of a meter or an account."""

    stream: str
    sequence: int
    hash: str
    cents: int | None = None


class _Header(msgspec.Struct, frozen=True):
    """The first line of the file."""

    format: str
    house: str
    restore: str


class Seen(msgspec.Struct, frozen=True):
    """The newest state seen: the id of the house's last restore, and the head of each stream."""

    restore: str
    marks: Mapping[str, Mark]


_header = msgspec.json.Decoder(_Header)
_mark = msgspec.json.Decoder(Mark)
_encoder = msgspec.json.Encoder()


class Watermark:
    """The watermark file; several processes with the same key can write to it."""

    def __init__(self, key: Path, house: str) -> None:
        """Name the file after the key and the house."""
        self.path, self.house = key.with_name(f"{key.name}.{house}.watermark"), house
        self._file: int | None = None

    def read(self) -> Seen | None:
        """Return the recorded state, or None if there is none; an incomplete line is ignored."""
        try:
            head, *lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(self.path, error) from None
        try:
            header = _header.decode(head)
        except (msgspec.MsgspecError, UnicodeError):
            raise BadInputError(f"The watermark {self.path} is damaged: restore it from a copy.") from None
        if (header.format, header.house) != (FORMAT, self.house):
            raise BadInputError(f"{self.path} is not a watermark of the house {self.house}.")
        newest: dict[str, Mark] = {}
        for mark in filter(None, map(_decode_mark, lines)):
            if mark.stream not in newest or newest[mark.stream].sequence <= mark.sequence:
                newest[mark.stream] = mark
        return Seen(header.restore, newest)

    def write(self, seen: Seen) -> None:
        """Replace the whole file."""
        header = _encoder.encode(_Header(FORMAT, self.house, seen.restore))
        lines = [header, *(_encoder.encode(seen.marks[stream]) for stream in sorted(seen.marks)), b""]
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            part.unlink(missing_ok=True)
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
            with os.fdopen(handle, "wb") as file:
                file.write(b"\n".join(lines))
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def add(self, marks: Iterable[Mark]) -> None:
        """Append stream heads after a commit; a failure is only logged, because the commit is done."""
        lines = b"".join(_encoder.encode(mark) + b"\n" for mark in marks)
        try:
            if lines and self._append(lines) > LONGEST:
                self._compact()
        except (OSError, BadInputError) as error:
            _log.error("The watermark %s could not be written: %s", self.path, error)

    def _append(self, lines: bytes) -> int:
        """Append lines, and return the file's length; a file replaced meanwhile is opened again."""
        while True:
            if self._file is None:
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            fcntl.flock(self._file, fcntl.LOCK_SH)
            try:
                if os.path.samestat(os.fstat(self._file), self.path.stat()):
                    os.write(self._file, lines)
                    return os.fstat(self._file).st_size
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            self.close()

    def _compact(self) -> None:
        """Keep only the newest line of every stream, while nobody appends."""
        assert self._file is not None
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            seen = self.read()
            if seen is not None:
                self.write(seen)
        finally:
            self.close()

    def close(self) -> None:
        """Close the file, which also releases its lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _decode_mark(line: bytes) -> Mark | None:
    """Return a line of the file, or None if a full disk or a crash cut it short."""
    try:
        return _mark.decode(line)
    except (msgspec.MsgspecError, UnicodeError):
        return None


def _unusable(path: Path, error: OSError) -> BadInputError:
    reason = (error.strerror or "unknown reason").lower()
    return BadInputError(
        f"The watermark {path} cannot be used: {reason}. It must be beside the key, to detect that the "
        "database was rolled back to an older state."
    )


def mark_of(stream: str, head: Head, book: object) -> Mark:
    """Return the head of a stream after a commit."""
    cents = None
    if isinstance(book, MeterBook):
        cents = book.displayed
    elif isinstance(book, PlayerBook):
        cents = book.cents
    return Mark(stream, head.sequence, head.hash.hex(), cents)


def marks_of(reading: Reading) -> dict[str, Mark]:
    """Return the head of every stream of a database."""
    balances = reading.balances()
    return {
        stream: Mark(stream, head.sequence, head.hash.hex(), amount_in(balances, stream))
        for stream, head in reading.streams().items()
    }


def amount_in(balances: Mapping[str, int], stream: str) -> int | None:
    """Return the cents in the ledger account of a meter or a player."""
    family, _, name = stream.partition("/")
    account = {"meter": accounts.meter, "player": accounts.player}.get(family)
    return None if account is None else balances.get(account(name), 0) // UNITS_PER_CENT


def is_behind(reading: Reading, restores: Sequence[str], seen: Seen) -> bool:
    """Say whether a database is older than the recorded state, or differs from it.

    A state recorded before the newest restore does not count: that restore made it safe.
    """
    if seen.restore != (restores[-1] if restores else ""):
        return bool(seen.restore) and seen.restore not in restores
    heads = reading.streams()
    return not all(_holds(reading, heads.get(stream), mark) for stream, mark in seen.marks.items())


def _holds(reading: Reading, head: Head | None, mark: Mark) -> bool:
    """Say whether a stream has the last recorded event."""
    if head is None or head.sequence < mark.sequence:
        return False
    if head.sequence == mark.sequence:
        return head.hash.hex() == mark.hash
    record = next(iter(reading.events(mark.stream, mark.sequence - 1)), None)
    return record is not None and record.hash.hex() == mark.hash

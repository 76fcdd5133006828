"""Witness statements: signed heads in a numbered chain, kept apart from the house in files or by HTTP.

A witness holds one statement a line. Each names the SHA-256 of the line before, so that gaps and forks show.
The signed message is a JSON list of the fields in their order, without the public key, the signature and the
rotations of the key, each of which the key before it signed.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec
from msgspec.structs import replace

from fourcard.house.events import KeyRotated, SignedHead
from fourcard.house.head_signatures import rotation_message
from fourcard.house.reports.formats import day_name, day_number
from fourcard.house.signed_files import FileSigner, verifies
from fourcard.refusals import BadInputError

STATEMENT_FORMAT = "fourcard-statement-1"
MAX_STATEMENT = 64 * 1024 * 1024
"""The most bytes of a statement: the heads of half a million streams."""
TAIL_BYTES = 1 << 16
HTTP_SECONDS = 5.0
"""Seconds that a witness has to answer; play never waits for it."""
URL = re.compile(
    r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[1-9]\d{0,4})?(/[\w.~/-]*)?", re.ASCII | re.IGNORECASE
)
DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.jsonl")


class WitnessError(BadInputError):
    """A witness that cannot be read, or that did not take a statement; the sentence says why."""


class WitnessStatement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The heads of a house at one moment, as it sends them to a witness."""

    format: str
    house: str
    public_key: str
    witness: str
    """The name of the witness at the house."""
    number: int
    """Its number at this witness, from 1."""
    previous: str
    """The SHA-256 of the statement before it, in hexadecimal; empty in the first."""
    at: int
    whole: bool
    """Whether every stream is listed, not only those that changed since the statement before."""
    heads: tuple[SignedHead, ...]
    signature: str = ""
    rotations: tuple[KeyRotated, ...] = ()
    """Every rotation of the house's key, by which a witness knows the new one."""


class WitnessPosition(msgspec.Struct, frozen=True):
    """The last statement of a witness: its number, and the SHA-256 of its line."""

    number: int = 0
    digest: str = ""


_decoder = msgspec.json.Decoder(WitnessStatement)
_position_decoder = msgspec.json.Decoder(WitnessPosition)


def statement_digest(line: bytes) -> str:
    """Return the SHA-256 of a statement's line, which the next statement names."""
    return sha256(line).hexdigest()


def _message(statement: WitnessStatement) -> bytes:
    s = statement
    return msgspec.json.encode((s.format, s.house, s.witness, s.number, s.previous, s.at, s.whole, s.heads))


def sign_statement(statement: WitnessStatement, signer: FileSigner) -> bytes:
    """Return a signed statement as a line of JSON, without its end."""
    return msgspec.json.encode(replace(statement, signature=signer.sign(_message(statement))))


def read_statement(line: bytes) -> WitnessStatement | None:
    """Return the statement of a line; None where a crash cut the line short, or it is something else."""
    try:
        statement = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    return statement if statement.format == STATEMENT_FORMAT else None


def is_genuine_statement(statement: WitnessStatement) -> bool:
    """Say whether a statement is signed with the key that it names."""
    return verifies(statement.public_key, statement.signature, _message(statement))


def is_next_key(last: WitnessStatement, statement: WitnessStatement) -> bool:
    """Say whether a statement carries the key of the one before, or a key that it was rotated to."""
    key = last.public_key
    for number, each in enumerate(statement.rotations, 1):
        if verifies(key, each.signature, rotation_message(statement.house, number, each.public_key)):
            key = each.public_key
    return key == statement.public_key


class Witness(Protocol):
    """A place that keeps statements."""

    def last(self) -> WitnessPosition:
        """Return its last statement; number 0 where it has none."""
        ...

    def append(self, line: bytes) -> None:
        """Add the next statement, or raise why it was not taken."""
        ...

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every statement."""
        ...


class WitnessFolder:
    """A folder with one append-only file a day."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that exists: a missing one may be a share that is not mounted."""
        self._folder = folder

    def last(self) -> WitnessPosition:
        """Return the last statement in the files."""
        found = self._last_statement()
        return WitnessPosition() if found is None else WitnessPosition(found[0].number, found[1])

    def append(self, line: bytes) -> None:
        """Check that a statement follows the last one, and write it to the file of its day, durably."""
        statement = read_statement(line)
        if statement is None or not is_genuine_statement(statement):
            raise WitnessError("It is not a statement of a house, or it is not signed with the key it names.")
        name = f"{day_name(day_number(statement.at))}.jsonl"
        newest = max((path.name for path in self._files()), default="")
        path = self._folder / max(name, newest)
        try:
            with path.open("ab", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                self._refuse_fork(statement)
                data = b"%b%b\n" % (b"" if _ends_with_newline(path) else b"\n", line)
                if file.write(data) != len(data):
                    raise WitnessError(f"{path} is full.")
                os.fsync(file.fileno())
            if path.name != newest:
                _sync_folder(self._folder)
        except OSError as error:
            raise _unusable(path, error) from None

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every statement, file by file."""
        for path in self._files():
            yield from WitnessFile(path).lines()

    def _refuse_fork(self, statement: WitnessStatement) -> None:
        found = self._last_statement()
        if found is None:
            if (statement.number, statement.previous) != (1, ""):
                raise WitnessError(f"Statement {statement.number} cannot be the first one here.")
            return
        last, digest = found
        if last.house != statement.house or not is_next_key(last, statement):
            raise WitnessError("It holds the statements of another house.")
        if (statement.number, statement.previous) != (last.number + 1, digest):
            raise WitnessError(
                f"Statement {statement.number} does not follow statement {last.number}, the last one here."
            )

    def _files(self) -> list[Path]:
        try:
            found = [path for path in self._folder.iterdir() if DAY_FILE.fullmatch(path.name)]
        except OSError as error:
            raise _unusable(self._folder, error) from None
        return sorted(found)

    def _last_statement(self) -> tuple[WitnessStatement, str] | None:
        for path in reversed(self._files()):
            found = _last_in_file(path)
            if found is not None:
                return found
        return None


def _last_in_file(path: Path) -> tuple[WitnessStatement, str] | None:
    """Return the last statement of a file and its digest; an incomplete line at its end is left out."""
    try:
        with path.open("rb") as file:
            end, size = file.seek(0, os.SEEK_END), TAIL_BYTES
            while end:
                start = max(0, end - size)
                file.seek(start)
                lines = file.read(end - start).split(b"\n")
                for line in reversed(lines[1 if start else 0 : -1]):
                    statement = read_statement(line)
                    if statement is not None:
                        return statement, statement_digest(line)
                if not start:
                    break
                size *= 8
    except OSError as error:
        raise _unusable(path, error) from None
    return None


def _ends_with_newline(path: Path) -> bool:
    """Say whether a file is empty or ends with a whole line."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file durable, where the share can do that."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


class WitnessFile:
    """One file of a witness, such as a copy of one day."""

    def __init__(self, path: Path) -> None:
        """Take the path."""
        self._path = path

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every statement."""
        try:
            with self._path.open("rb") as file:
                yield from _lines_of(file)
        except OSError as error:
            raise _unusable(self._path, error) from None


def _lines_of(file: Iterable[bytes]) -> Iterator[bytes]:
    return (line.rstrip(b"\n") for line in file if line.strip())


class WitnessAddress:
    """A witness that is reached by HTTP, such as `fourcard witness serve`."""

    def __init__(self, url: str) -> None:
        """Take the URL."""
        self._url = url.rstrip("/")

    def last(self) -> WitnessPosition:
        """Ask for the last statement."""
        try:
            return _position_decoder.decode(self._ask("/last"))
        except (msgspec.MsgspecError, UnicodeError):
            raise WitnessError(f"{self._url} does not answer like a witness.") from None

    def append(self, line: bytes) -> None:
        """Send a statement."""
        self._ask("/", line)

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every statement as it arrives."""
        try:
            with urlopen(f"{self._url}/", timeout=HTTP_SECONDS) as answer:
                yield from _lines_of(answer)
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None

    def _ask(self, path: str, body: bytes | None = None) -> bytes:
        headers = {"Content-Type": "application/json"}
        try:
            request = Request(f"{self._url}{path}", body, headers)
            with urlopen(request, timeout=HTTP_SECONDS) as answer:
                found: bytes = answer.read(MAX_STATEMENT)
                return found
        except HTTPError as error:
            with error:
                reason = error.read(500).decode(errors="replace")
            raise WitnessError(f"{self._url} answers {error.code}: {reason}") from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> WitnessError:
        reason = error.reason if isinstance(error, URLError) else error
        return WitnessError(f"{self._url} cannot be reached: {reason}.")


def _unusable(path: Path, error: OSError) -> WitnessError:
    return WitnessError(f"{path} cannot be used: {(error.strerror or 'it is closed').lower()}.")


def is_url(address: str) -> bool:
    """Say whether an address is that of a server, not a path."""
    return "://" in address


def open_witness(address: str) -> Witness:
    """Return the witness at an address; nothing is opened yet."""
    return WitnessAddress(address) if is_url(address) else WitnessFolder(Path(address))


def check_address(address: str) -> str:
    """Return an address as it is stored, or refuse one that cannot be a witness."""
    if not is_url(address):
        folder = Path(address).expanduser().resolve()
        if not folder.is_dir():
            raise BadInputError(f"There is no folder {folder}; make it first.")
        return str(folder)
    if not URL.fullmatch(address):
        raise BadInputError(
            f"'{address}' is not a folder, nor an address like https://witness.example/house. It stands "
            "in the journal, so it has no password and no query."
        )
    return address

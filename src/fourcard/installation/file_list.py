"""File list of a release: the SHA-256 of every file of the package, in the form that `sha256sum -c` reads.

The build of a wheel writes it into the wheel and next to it.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

HEAD = re.compile(r"# fourcard (\S+)")
LINE = re.compile(r"([0-9a-f]{64})  (fourcard/\S.*)")


class FileList(msgspec.Struct, frozen=True):
    """List of the files of one release."""

    file: str
    version: str
    digests: Mapping[str, str]
    """The SHA-256 of each file by its path, such as ``fourcard/cards.py``."""
    sha256: str
    """The digest of the list itself, to compare with one that was published or stored elsewhere."""


def read_list(path: Path) -> FileList:
    """Read a list, or refuse a file that is missing or not such a list."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, f"{error.strerror}") from None
    try:
        head, *lines = content.decode().splitlines()
    except ValueError:
        raise _unreadable(path, "it is not a list of files") from None
    named = HEAD.fullmatch(head)
    if named is None:
        raise _unreadable(path, "its first line does not name the release, such as '# fourcard 0.2.0'")
    return FileList(str(path), named[1], _digests(path, lines), hashlib.sha256(content).hexdigest())


def _digests(path: Path, lines: list[str]) -> Mapping[str, str]:
    digests = dict[str, str]()
    for number, line in enumerate(lines, 2):
        match = LINE.fullmatch(line)
        if match is None or ".." in match[2].split("/"):
            raise _unreadable(path, f"line {number} is not a SHA-256 and a file of the package")
        if match[2] in digests:
            raise _unreadable(path, f"line {number} repeats {match[2]}")
        digests[match[2]] = match[1]
    if not digests:
        raise _unreadable(path, "it lists no files")
    return MappingProxyType(digests)


def _unreadable(path: Path, reason: str) -> RefusedError:
    return RefusedError(refuse(Code.FILE_UNREADABLE, file=path, reason=reason))

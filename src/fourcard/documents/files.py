"""Atomic file writes: a file is written next to its target and renamed, so that it is whole or absent."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from fourcard.refusals import BadInputError

READABLE = 0o644


class FileError(BadInputError):
    """An output file cannot be written."""


def write_atomic(path: Path, parts: Iterable[bytes | memoryview], mode: int = READABLE) -> None:
    """Write a file atomically: an interruption leaves neither half a file nor a temporary one.

    Through a symbolic link the link's target is written; a pipe or a device receives the parts directly.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as stream:
            stream.writelines(parts)
        return
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def save_file(path: Path, parts: Iterable[bytes | memoryview], mode: int = READABLE) -> None:
    """Write a user's file atomically; a failure is a FileError with the reason."""
    try:
        write_atomic(path, parts, mode)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {(error.strerror or 'it is closed').lower()}.") from None


def check_suffix(path: Path, endings: tuple[str, ...]) -> None:
    """Refuse, before any work is done, a file with an unknown suffix or in a folder that is missing."""
    if path.suffix.lower() not in endings:
        *others, last = endings
        named = f"{', '.join(others)} or {last}" if others else last
        raise FileError(f"{path} must end in {named}.")
    check_folder(path)


def check_new_file(path: Path, what: str) -> None:
    """Refuse, before any work is done, to overwrite a file; pipes and devices are allowed."""
    check_folder(path)
    if path.is_file() or path.is_symlink():
        raise FileError(f"{path} already exists, and {what} never overwrites a file. Choose another name.")


def check_folder(path: Path) -> None:
    """Refuse, before any work is done, a path that is a folder or whose folder does not exist."""
    if path.is_dir():
        raise FileError(f"{path} cannot be written: it is a folder.")
    if not path.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {path.parent}.")

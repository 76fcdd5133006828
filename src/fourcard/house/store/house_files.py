"""The file of a house in SQLite: where it lies, and that it is its owner's alone."""

import os
from pathlib import Path

from fourcard.errors import BadInputError

OWNER_ONLY = 0o600


def file_of(url: str) -> Path | None:
    """Return the file of a house in SQLite, or None where it is in a server."""
    path = url.removeprefix("sqlite:///")
    return None if "://" in path else Path(path).expanduser()


def make_private(file: Path | None) -> None:
    """Make an empty file for its owner alone, because secrets will stand in it; one that is there stays."""
    if file is None or file.exists():
        return
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    except OSError as error:
        raise BadInputError(f"{file} cannot be made: {(error.strerror or 'it is closed').lower()}.") from None

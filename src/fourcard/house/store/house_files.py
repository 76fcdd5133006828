"""SQLite path: the file of a house, readable only by its owner."""

import os
from pathlib import Path

from fourcard.errors import BadInputError

OWNER_ONLY = 0o600


def file_of(url: str) -> Path | None:
    """Return the SQLite file of an address, or None for a server."""
    path = url.removeprefix("sqlite:///")
    return None if "://" in path else Path(path).expanduser()


def make_private(file: Path | None) -> None:
    """Create an empty file for its owner alone, because it will hold secrets; an existing file stays."""
    if file is None or file.exists():
        return
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    except OSError as error:
        raise BadInputError(
            f"{file} cannot be created: {(error.strerror or 'it is closed').lower()}."
        ) from None

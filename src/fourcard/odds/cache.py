"""Where what was computed once is kept, and the digest of the code that computed it."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "FOURCARD_CACHE"
SHOWN = 12
ROOM = 64 * 1024 * 1024


def cache_folder() -> Path:
    """Return the folder for tables and kernels: the user's own, or the one that the environment names.

    Where it cannot be written, a folder of this process alone serves, so that nothing is read that another
    user could have put there.
    """
    chosen = os.environ.get(VARIABLE)
    folder = Path(chosen) if chosen else user_cache_path("fourcard", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _own_folder()
    return folder if os.access(folder, os.W_OK) else _own_folder()


@cache
def _own_folder() -> Path:
    kept = tempfile.TemporaryDirectory(prefix="fourcard-")
    _kept.append(kept)
    return Path(kept.name)


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""Folders that go when the process ends."""


def law_sources() -> Iterator[Path]:
    """Yield the modules above this room whose constants and rankings go into what is kept."""
    return Path(__file__).parents[1].glob("*.py")


def source_digest(paths: Iterable[Path]) -> str:
    """Return a short digest of some source files, so that nothing kept outlives the code that made it."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:SHOWN]


def has_room() -> bool:
    """Say whether there is room to keep compiled kernels; on a full disk they serve this process alone."""
    return shutil.disk_usage(cache_folder()).free > ROOM

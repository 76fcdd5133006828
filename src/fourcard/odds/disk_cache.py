"""Disk cache: the folder for computed tables and kernels, and the digest of the code that computed them."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

CACHE_VARIABLE = "FOURCARD_CACHE"
DIGEST_LENGTH = 12
MIN_FREE_BYTES = 64 * 1024 * 1024


def cache_folder() -> Path:
    """Return the cache folder: the one that the environment names, by default the user's own.

    If it is not writable, a temporary folder of this process is used, so that no file is read that another
    user could have placed there.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    folder = Path(chosen) if chosen else user_cache_path("fourcard", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _temporary_folder()
    return folder if os.access(folder, os.W_OK) else _temporary_folder()


@cache
def _temporary_folder() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="fourcard-")
    _temporary_folders.append(folder)
    return Path(folder.name)


_temporary_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Folders that are deleted when the process ends."""


def core_sources() -> Iterator[Path]:
    """Yield the top-level modules of the package, whose constants and rankings the cached data depends on."""
    return Path(__file__).parents[1].glob("*.py")


def source_digest(paths: Iterable[Path]) -> str:
    """Return a short digest of source files; cached data is stored under it and never outlives the code."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:DIGEST_LENGTH]


def has_free_space() -> bool:
    """Return whether the disk has space to cache compiled kernels; otherwise only this process uses them."""
    return shutil.disk_usage(cache_folder()).free > MIN_FREE_BYTES

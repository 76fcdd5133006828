"""Where what was computed once is kept, and the digest of the code that computed it."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "FOURCARD_CACHE"
SHOWN = 12


def cache_folder() -> Path:
    """Return the folder for tables and kernels: the user's own, or the one that the environment names."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_cache_path("fourcard", appauthor=False)


def source_digest(paths: Iterable[Path]) -> str:
    """Return a short digest of some source files, so that nothing kept outlives the code that made it."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:SHOWN]

"""States cache: the table of all states in a file of the user's cache folder, memory-mapped.

The file is checked by its digest and solved again if the check fails. It is written to a temporary file and
then renamed, so an interrupted solve leaves no partial table. Reading it needs no compiled code.
"""

import hashlib
import mmap
import os
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from fourcard.documents.files import write_atomic
from fourcard.odds.disk_cache import cache_folder, core_sources, source_digest
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.state_counts import CLASSES, HAND, UP_CARDS, StateTable

MAGIC = b"fourcard states\n"
DIGEST_SIZE = hashlib.sha256().digest_size
HEAD = len(MAGIC) + DIGEST_SIZE
LAYOUT: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("<u4", (CLASSES, UP_CARDS, 2)),
    ("<u4", (CLASSES,)),
    ("<u2", (CLASSES,)),
    ("u1", (CLASSES,)),
    ("u1", (CLASSES, HAND)),
)
"""Counts, places, strengths, sizes and cards, in the order of the file."""
MAX_AGE_SECONDS = 30 * 24 * 60 * 60
SOURCE_MODULES = (
    "fourcard.odds.ranking_tables",
    "fourcard.odds.evaluator",
    "fourcard.odds.suit_isomorphism",
    "fourcard.odds.hand_counting",
    "fourcard.odds.solver",
    "fourcard.odds.state_counts",
    "fourcard.odds.states_cache",
)
"""The modules whose code determines the content of the table."""
_LOADED: list[StateTable] = []
_SOLVING, _READING = Lock(), Lock()
"""Locks for solving the table and for reading a cached one; readers never wait for a solve."""


def states_path() -> Path:
    """Return the cache file of the table that this version of the code computes."""
    source = Path(__file__).parents[2]
    makers = {source / f"{name.replace('.', '/')}.py" for name in SOURCE_MODULES}
    return cache_folder() / f"states-{source_digest((*makers, *core_sources()))}.bin"


def cached_states() -> StateTable | None:
    """Return the cached table, or None if there is none or it is damaged."""
    return _map_table(states_path())


def all_states(step: ProgressCallback = no_progress, threads: int | None = None) -> StateTable:
    """Return the table, loaded once per process from the cache, or solved and cached."""
    with _SOLVING:
        found = available_states()
        if found is None:
            found = solved_states(step, threads)
            _LOADED[:] = [found]
    return found


def available_states() -> StateTable | None:
    """Return the table if it is loaded or cached, otherwise None; does not wait for a running solve."""
    if not _LOADED:
        with _READING:
            if not _LOADED and (found := cached_states()) is not None:
                _LOADED.append(found)
    return _LOADED[0] if _LOADED else None


def solved_states(step: ProgressCallback = no_progress, threads: int | None = None) -> StateTable:
    """Solve every state again and cache the table; if it cannot be written, only this process uses it."""
    from fourcard.odds.solver import solve  # noqa: PLC0415  a cached table needs no compiler

    found = solve(threads or os.cpu_count() or 1, step)
    with suppress(OSError):
        _write_table(found, states_path())
    return found


def _write_table(found: StateTable, path: Path) -> None:
    """Write the table to the cache completely or not at all, and remove old tables."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = (found.counts, found.places, found.strengths, found.sizes, found.cards)
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.data)
    write_atomic(path, (MAGIC + digest.digest(), *(array.data for array in arrays)))
    for left in (*path.parent.glob(f"{path.name}.*.part"), *_expired(path)):
        left.unlink(missing_ok=True)


def _expired(path: Path) -> list[Path]:
    """Return the tables of other versions that are older than a month."""
    oldest = path.stat().st_mtime - MAX_AGE_SECONDS
    return [each for each in path.parent.glob("states-*.bin") if each.stat().st_mtime < oldest]


def _map_table(path: Path) -> StateTable | None:
    """Return the memory-mapped table of a file, or None if it is missing or damaged."""
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    size = HEAD + sum(np.dtype(kind).itemsize * int(np.prod(shape)) for kind, shape in LAYOUT)
    whole = len(content) == size and content[: len(MAGIC)] == MAGIC
    if not whole or hashlib.sha256(memoryview(content)[HEAD:]).digest() != content[len(MAGIC) : HEAD]:
        return None
    arrays, start = [], HEAD
    for kind, shape in LAYOUT:
        array = np.ndarray(shape, kind, content, start)
        arrays.append(array)
        start += array.nbytes
    return StateTable(*arrays)

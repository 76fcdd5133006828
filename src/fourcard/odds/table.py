"""The table of all states, kept in the user's cache folder, checked by its digest and mapped into memory.

It is written beside its place and moved there whole, so that an interrupted solve leaves nothing half
written; a table that fails its check is built anew. A kept table needs no compiled code.
"""

import hashlib
import mmap
import os
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from fourcard.documents.files import write_whole
from fourcard.odds.cache import cache_folder, law_sources, source_digest
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.states import CLASSES, HAND, UP_CARDS, States

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
KEPT_SECONDS = 30 * 24 * 60 * 60
MAKERS = (
    "sparse",
    "ranking_tables",
    "evaluator",
    "classes",
    "counting",
    "solver",
    "states",
    "suits",
    "table",
)
_LOADED: list[States] = []
_SOLVING, _LOOKING = Lock(), Lock()
"""Held while the table is solved, and while a kept one is looked for; who only looks never waits to solve."""


def table_path() -> Path:
    """Return where the table of this code is kept."""
    here = Path(__file__).parent
    makers = (here / f"{name}.py" for name in MAKERS)
    return cache_folder() / f"states-{source_digest((*makers, *law_sources()))}.bin"


def kept_states() -> States | None:
    """Return the table if it has been kept and is whole, or None."""
    return _mapped(table_path())


def all_states(step: Step = no_progress, threads: int | None = None) -> States:
    """Return the table: mapped if it is kept and whole, else solved and kept; loaded once a process."""
    with _SOLVING:
        found = known_states()
        if found is None:
            found = solved_states(step, threads)
            _LOADED[:] = [found]
    return found


def known_states() -> States | None:
    """Return the table if it need not be solved first, else None; it waits for no solve under way."""
    if not _LOADED:
        with _LOOKING:
            if not _LOADED and (found := kept_states()) is not None:
                _LOADED.append(found)
    return _LOADED[0] if _LOADED else None


def solved_states(step: Step = no_progress, threads: int | None = None) -> States:
    """Solve every state anew and keep the table; where it cannot be kept it serves this process alone."""
    from fourcard.odds.solver import solve  # noqa: PLC0415  a kept table needs no compiler

    found = solve(threads or os.cpu_count() or 1, step)
    with suppress(OSError):
        _keep(found, table_path())
    return found


def _keep(found: States, path: Path) -> None:
    """Write a table whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = (found.counts, found.places, found.strengths, found.sizes, found.cards)
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.data)
    write_whole(path, (MAGIC + digest.digest(), *(array.data for array in arrays)))
    for left in (*path.parent.glob(f"{path.name}.*.part"), *_outlived(path)):
        left.unlink(missing_ok=True)


def _outlived(path: Path) -> list[Path]:
    """Return the tables of other code that nothing has made anew for a month."""
    oldest = path.stat().st_mtime - KEPT_SECONDS
    return [each for each in path.parent.glob("states-*.bin") if each.stat().st_mtime < oldest]


def _mapped(path: Path) -> States | None:
    """Return the table in a file, or None if there is none or it is damaged."""
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    size = HEAD + sum(np.dtype(kind).itemsize * int(np.prod(shape)) for kind, shape in LAYOUT)
    whole = len(content) == size and content[: len(MAGIC)] == MAGIC
    if not whole or hashlib.sha256(memoryview(content)[HEAD:]).digest() != content[len(MAGIC) : HEAD]:
        return None
    arrays, begin = [], HEAD
    for kind, shape in LAYOUT:
        array = np.ndarray(shape, kind, content, begin)
        arrays.append(array)
        begin += array.nbytes
    return States(*arrays)

"""The table of all states, kept in the user's cache folder, checked by its digest and mapped into memory.

It is written beside its place and moved there whole, so that an interrupted solve leaves nothing half
written; a table that fails its check is built anew. Looking a state up needs no compiled code.
"""

import hashlib
import mmap
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourcard import cards as cards_module
from fourcard import hands as hands_module
from fourcard.cards import DECK_SIZE, CardsError, card_text, distinct
from fourcard.odds.cache import cache_folder, source_digest
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.suits import representative

HAND = 5
UP_CARDS = DECK_SIZE - HAND
CLASSES = 134_459
HANDS = comb(DECK_SIZE, HAND)
STATES = HANDS * UP_CARDS
COMPLETIONS = comb(UP_CARDS - 1, HAND)
"""The dealer's 1,370,754 ways to have five more cards."""
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


@dataclass(frozen=True)
class StateCounts:
    """How the dealer's completions compare with the player's hand."""

    below: int
    tied: int

    @property
    def above(self) -> int:
        """Return the completions that beat the player."""
        return COMPLETIONS - self.below - self.tied


@dataclass(frozen=True)
class States:
    """Every state by suit class of the player's five cards and place of the up card among the other 47."""

    counts: NDArray[np.uint32]
    """By class and up card: the dealer's lower hands, and the equal ones."""
    places: NDArray[np.uint32]
    """The place of each class's representative among all hands, rising."""
    strengths: NDArray[np.uint16]
    sizes: NDArray[np.uint8]
    """How many hands each class stands for."""
    cards: NDArray[np.uint8]

    def of(self, hand: Sequence[int], up: int) -> StateCounts:
        """Return the counts of one state."""
        stands_for, becomes = representative(hand)
        place = sum(comb(card, index + 1) for index, card in enumerate(stands_for))
        renamed = up & ~3 | becomes[up & 3]
        column = renamed - sum(card < renamed for card in stands_for)
        below, tied = self.counts[int(np.searchsorted(self.places, place)), column].tolist()
        return StateCounts(below, tied)


def check_state(hand: Sequence[int], up: int) -> None:
    """Refuse cards that cannot be a player's five and the dealer's up card."""
    distinct(hand, (HAND,))
    distinct((up,))
    if up in hand:
        raise CardsError(f"The up card {card_text(up)} is among the player's cards.")


def table_path() -> Path:
    """Return where the table of this code is kept."""
    here = Path(__file__).parent
    makers = ("sparse", "ranking_tables", "evaluator", "classes", "counting", "solver", "states", "suits")
    sources = [here / f"{name}.py" for name in makers]
    sources += [Path(str(module.__file__)) for module in (cards_module, hands_module)]
    return cache_folder() / f"states-{source_digest(sources)}.bin"


def kept_states() -> States | None:
    """Return the table if it has been kept and is whole, or None."""
    return _mapped(table_path())


@cache
def all_states(step: Step = no_progress, threads: int | None = None) -> States:
    """Return the table, mapped if it is kept and whole, else solved and kept."""
    return kept_states() or solved_states(step, threads)


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
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + digest.digest())
            for array in arrays:
                file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    for left in path.parent.glob(f"{path.name}.*.part"):
        left.unlink(missing_ok=True)


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

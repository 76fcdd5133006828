"""How often each decision meets each kind of hand and each result, over all 122,151,120 states."""

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.kernels import kernel
from fourcard.odds.rows import kinds
from fourcard.odds.spots import Decisions, Spots
from fourcard.odds.states import COMPLETIONS

BELOW, TIED, ABOVE = range(3)


def tally(spots: Spots, decisions: Decisions) -> NDArray[np.int64]:
    """Return deals by decision, kind of hand, and whether the dealer is lower, equal or higher."""
    found = np.zeros((spots.contest.most + 1, len(kinds()), 3), np.int64)
    _tally(spots.states.counts, spots.states.sizes, spots.kinds, decisions, found, COMPLETIONS)
    return found


@kernel
def _tally(
    counts: NDArray[np.uint32],
    sizes: NDArray[np.uint8],
    kinds_held: NDArray[np.uint8],
    decisions: Decisions,
    found: NDArray[np.int64],
    completions: int,
) -> None:
    for each in range(counts.shape[0]):
        size, kind = np.int64(sizes[each]), kinds_held[each]
        for up in range(counts.shape[1]):
            decision = decisions[each, up]
            below, tied = np.int64(counts[each, up, 0]), np.int64(counts[each, up, 1])
            found[decision, kind, 0] += size * below
            found[decision, kind, 1] += size * tied
            found[decision, kind, 2] += size * (completions - below - tied)

"""Outcome tally: deals by decision, kind of hand and result, over all 122,151,120 states."""

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.kernels import kernel
from fourcard.odds.rows import kinds
from fourcard.odds.spots import Decisions, Spots
from fourcard.odds.states import COMPLETIONS

BELOW, TIED, ABOVE = range(3)


def tally(spots: Spots, decisions: Decisions) -> NDArray[np.int64]:
    """Count deals by decision, kind of hand, and whether the dealer is lower, equal or higher."""
    counted = np.zeros((spots.contest.most + 1, len(kinds()), 3), np.int64)
    _tally(spots.states.counts, spots.states.sizes, spots.kinds, decisions, counted, COMPLETIONS)
    return counted


@kernel
def _tally(
    counts: NDArray[np.uint32],
    sizes: NDArray[np.uint8],
    kinds_of_hands: NDArray[np.uint8],
    decisions: Decisions,
    counted: NDArray[np.int64],
    completions: int,
) -> None:
    for each in range(counts.shape[0]):
        size, kind = np.int64(sizes[each]), kinds_of_hands[each]
        for up in range(counts.shape[1]):
            decision = decisions[each, up]
            below, tied = np.int64(counts[each, up, 0]), np.int64(counts[each, up, 1])
            counted[decision, kind, 0] += size * below
            counted[decision, kind, 1] += size * tied
            counted[decision, kind, 2] += size * (completions - below - tied)

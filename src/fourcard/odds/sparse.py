"""Packed sparse tables: overlapping rows, so that a wide range of sums is looked up in little memory."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANKS, SUITS

RANK_NUMBERS = (0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437)
"""Rank numbers chosen so that no two patterns of up to six ranks, none over four times, have the same sum."""
MOST_RANKS = 6
ROW_BITS = 8
ROW_WIDTH = 1 << ROW_BITS


def patterns(size: int) -> NDArray[np.int64]:
    """Return every pattern of ``size`` ranks that a deck can deal, each in ascending order."""
    extended = np.zeros((1, 0), np.int64)
    for _ in range(size):
        every = np.arange(len(RANKS))
        last = extended[:, -1] if extended.shape[1] else np.zeros(1, np.int64)
        parent, rank = np.nonzero(every >= last[:, None])
        extended = np.column_stack([extended[parent], rank])
    repeats = (extended[:, :, None] == extended[:, None, :]).sum(axis=2).max(axis=1)
    dealt: NDArray[np.int64] = extended[repeats <= len(SUITS)]
    return dealt


def sums_of(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of each pattern's numbers."""
    numbers = np.array(RANK_NUMBERS, np.int64)
    sums: NDArray[np.int64] = numbers[ranks].sum(axis=1)
    return sums


def values_by_sum(size: int, smaller: Mapping[int, int]) -> dict[int, int]:
    """Return, by sum, the best value of each pattern among its sub-patterns of one rank fewer."""
    ranks = patterns(size)
    sums = sums_of(ranks)
    known = np.array(sorted(smaller.items()), np.int64)
    best = np.zeros(len(ranks), np.int64)
    for column in ranks.T:
        without = sums - np.array(RANK_NUMBERS)[column]
        best = np.maximum(best, known[np.searchsorted(known[:, 0], without), 1])
    found = dict(zip(sums.tolist(), best.tolist(), strict=True))
    assert len(found) == len(ranks), "two patterns of ranks must never have the same sum"
    return found


def laid(values: Mapping[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return where each row of a sparse table starts, and the packed table with all rows overlapping.

    Every sum of six numbers has a row, even one that no deck can deal, so no sum indexes past the table.
    """
    rows: dict[int, dict[int, int]] = {}
    for total, value in values.items():
        rows.setdefault(total >> ROW_BITS, {})[total & ROW_WIDTH - 1] = value
    starts = np.zeros((MOST_RANKS * RANK_NUMBERS[-1] >> ROW_BITS) + 1, np.uint32)
    packed = np.zeros(2 * len(values) + ROW_WIDTH, np.uint16)
    free, end = (1 << len(packed)) - 1, 0
    for row, columns in sorted(rows.items(), key=lambda each: -len(each[1])):
        fits = free
        for column in columns:
            fits &= free >> column
        assert fits, "the rows must fit into twice the space of their values"
        place = (fits & -fits).bit_length() - 1
        starts[row] = place
        for column, value in columns.items():
            packed[place + column] = value
            free ^= 1 << place + column
        end = max(end, place + ROW_WIDTH)
    return starts, packed[:end].copy()

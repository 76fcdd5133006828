"""Random numbers: xoshiro256++ with a separate generator for each block of rounds.

A block's generator depends only on the seed, the purpose and the block number (by splitmix64), so it does
not matter which thread plays which block.
"""

import secrets

import numpy as np
from numpy.typing import NDArray

from fourcard.errors import BadInputError
from fourcard.odds.kernels import inlined

Words = NDArray[np.uint64]
WORD = 64
ALL_BITS = (1 << WORD) - 1
STEP = 0x9E3779B97F4A7C15
"""The increment of splitmix64: 2^64 divided by the golden ratio."""
DRAWN_BITS = 32
"""A generated seed is short enough to be read aloud and typed."""


def checked_seed(seed: int | None) -> int:
    """Return the given seed after a range check, or by default one from the operating system."""
    if seed is None:
        return secrets.randbits(DRAWN_BITS)
    if not 0 <= seed <= ALL_BITS:
        raise BadInputError(f"The seed must be a whole number from 0 to {ALL_BITS}, not {seed}.")
    return seed


def mixed(word: int) -> int:
    """Return the splitmix64 hash of a word."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL_BITS
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL_BITS
    return word ^ word >> 31


def generator(seed: int, purpose: int, block: int) -> Words:
    """Return the initial generator state of one block."""
    key = mixed(seed)
    for part in (purpose, block):
        key = mixed(key + STEP * (part + 1) & ALL_BITS)
    return np.array([mixed(key + STEP * turn & ALL_BITS) for turn in range(1, 5)], np.uint64)


@inlined
def _rotate(word: np.uint64, by: np.uint64) -> np.uint64:
    return (word << by) | (word >> (np.uint64(WORD) - by))


@inlined
def drawn(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next word of xoshiro256++ and the new state."""
    word = _rotate(a + d, np.uint64(23)) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return word, a, b, c, _rotate(d, np.uint64(45))

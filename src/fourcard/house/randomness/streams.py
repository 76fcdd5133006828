"""Byte tests: frequencies of bytes and bits, runs, and correlation."""

from collections.abc import Iterator

import numpy as np

from fourcard.house.randomness.measures import Measure, chi_square, coins, even, never
from fourcard.house.randomness.sampling import Bytes

BITS, WORD_BITS, BLOCK = 8, 32, 32
BYTE_LAGS = (1, 2, 4, BLOCK)
"""Distances in bytes at which bits are compared: neighbours, the words of a draw, and generator blocks."""


def stream_measures(rows: Bytes) -> Iterator[Measure]:
    """Yield the result of every byte test; a row holds the bytes of one shuffle."""
    stream = np.ascontiguousarray(rows).ravel()
    width = rows.shape[1]
    yield even("bytes", np.bincount(stream, minlength=1 << BITS))
    pairs = stream[: stream.size // 2 * 2].view(np.uint16)
    yield even("pairs of bytes", np.bincount(pairs, minlength=1 << 2 * BITS))
    yield coins("bits", int(np.bitwise_count(stream).sum(dtype=np.int64)), stream.size * BITS)
    yield _bit_positions(stream)
    yield coins("runs of bits", _bit_changes(stream), stream.size * BITS - 1)
    for lag in sorted({*BYTE_LAGS, width}):
        yield _lag_test(stream, lag, width)
    yield _repeated_blocks(stream)


def _bit_positions(stream: Bytes) -> Measure:
    """Test the ones in each of the 32 bits of a word."""
    words = stream[: stream.size // 4 * 4].view(">u4")
    ones = np.array([np.count_nonzero(words & np.uint32(1 << place)) for place in range(WORD_BITS)])
    squares = ((2 * ones - words.size) ** 2).sum() / words.size
    return chi_square("bits by their place", words.size, squares, WORD_BITS)


def _bit_changes(stream: Bytes) -> int:
    """Count the bits that differ from the bit before, inside bytes and between bytes."""
    inside = np.bitwise_count((stream ^ (stream << 1)) & 0xFE).sum(dtype=np.int64)
    between = np.count_nonzero((stream[:-1] & 1) != stream[1:] >> 7)
    return int(inside) + int(between)


def _lag_test(stream: Bytes, lag: int, width: int) -> Measure:
    """Test the bits of bytes at a distance."""
    far = "one shuffle" if lag == width else str(lag * BITS)
    differing = np.bitwise_count(stream[lag:] ^ stream[:-lag]).sum(dtype=np.int64)
    return coins(f"correlation of bits, lag {far}", int(differing), (stream.size - lag) * BITS)


def _repeated_blocks(stream: Bytes) -> Measure:
    blocks = stream[: stream.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    count = len(blocks)
    repeated = count - len({row.tobytes() for row in blocks})
    return never("blocks seen before", repeated, count, count * count / 2.0 ** (BITS * BLOCK + 1))

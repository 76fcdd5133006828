"""Tests of raw bytes: bytes and bits as often as each other, in every place, and none telling the next."""

from collections.abc import Iterator

import numpy as np

from fourcard.house.randomness.measures import Measure, chi_square, coins, even, never
from fourcard.house.randomness.sampling import Bytes

BITS, WORD_BITS, BLOCK = 8, 32, 32
LAGS = (1, 2, 4, BLOCK)
"""How many bytes apart bits are compared: neighbours, the numbers of a draw, and blocks of the generator."""


def stream_measures(rows: Bytes) -> Iterator[Measure]:
    """Yield what every test of bytes finds; a row is what one shuffle took."""
    stream = np.ascontiguousarray(rows).ravel()
    width = rows.shape[1]
    yield even("bytes", np.bincount(stream, minlength=1 << BITS))
    pairs = stream[: stream.size // 2 * 2].view(np.uint16)
    yield even("pairs of bytes", np.bincount(pairs, minlength=1 << 2 * BITS))
    yield coins("bits", int(np.bitwise_count(stream).sum(dtype=np.int64)), stream.size * BITS)
    yield _bit_places(stream)
    yield coins("runs of bits", _changes(stream), stream.size * BITS - 1)
    for lag in sorted({*LAGS, width}):
        yield _apart(stream, lag, width)
    yield _repeated(stream)


def _bit_places(stream: Bytes) -> Measure:
    """Count the ones in each of the 32 places of a number."""
    words = stream[: stream.size // 4 * 4].view(">u4")
    ones = np.array([np.count_nonzero(words & np.uint32(1 << place)) for place in range(WORD_BITS)])
    squares = ((2 * ones - words.size) ** 2).sum() / words.size
    return chi_square("bits by their place", words.size, squares, WORD_BITS)


def _changes(stream: Bytes) -> int:
    """Count the bits that differ from the bit before: inside bytes, and from byte to byte."""
    inside = np.bitwise_count((stream ^ (stream << 1)) & 0xFE).sum(dtype=np.int64)
    between = np.count_nonzero((stream[:-1] & 1) != stream[1:] >> 7)
    return int(inside) + int(between)


def _apart(stream: Bytes, lag: int, width: int) -> Measure:
    """Compare the bits of bytes that lie so far apart."""
    far = "one shuffle" if lag == width else str(lag * BITS)
    differing = np.bitwise_count(stream[lag:] ^ stream[:-lag]).sum(dtype=np.int64)
    return coins(f"correlation of bits, lag {far}", int(differing), (stream.size - lag) * BITS)


def _repeated(stream: Bytes) -> Measure:
    blocks = stream[: stream.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    count = len(blocks)
    repeated = count - len({row.tobytes() for row in blocks})
    return never("blocks seen before", repeated, count, count * count / 2.0 ** (BITS * BLOCK + 1))

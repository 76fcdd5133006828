"""Shuffle sampler: takes many shuffles from any shuffler, with the random bytes behind each."""

from collections.abc import Callable
from itertools import islice
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE
from fourcard.errors import BadInputError
from fourcard.house.fairness import SECRET_BYTES, order_of, raw_bytes
from fourcard.house.ports import Entropy

Bytes = NDArray[np.uint8]
Step = Callable[[float], None]
"""Callback with the additional share of the work done."""
TABLE = "rng-test"
BLOCKS = 7
"""Blocks of the stream that a shuffle needs: 51 draws of 4 bytes, if none is rejected."""
LEAST, MOST = 2_000, 1_000_000
"""Fewer shuffles make the approximations invalid; more do not fit into memory."""
STEPS = 200


class Draw(msgspec.Struct, frozen=True, gc=False):
    """One shuffle."""

    order: bytes
    """The cards, one byte each, top card first."""
    output: bytes
    """The bytes that the generator gave for it."""
    entropy: bytes
    """The bytes that the generator was seeded with."""


class Shuffler(Protocol):
    """Returns the shuffle of a number."""

    def __call__(self, number: int) -> Draw:
        """Return a shuffle; the lengths are the same every time."""
        ...


class Sample(msgspec.Struct, frozen=True):
    """Many shuffles, one row each."""

    decks: Bytes
    output: Bytes
    entropy: Bytes


class HouseShuffler:
    """The house's own generator, with a new secret for every shuffle."""

    def __init__(self, entropy: Entropy) -> None:
        """Draw the secrets from an entropy source."""
        self.entropy = entropy

    def __call__(self, number: int) -> Draw:
        """Return a shuffle."""
        secret = self.entropy.draw(SECRET_BYTES)
        output = b"".join(islice(raw_bytes(secret, TABLE, number, ()), BLOCKS))
        return Draw(bytes(order_of(secret, TABLE, number, ())), output, secret)


def take_sample(shuffler: Shuffler, shuffles: int, step: Step) -> Sample:
    """Take a number of shuffles; refuse a number that is too small or too large."""
    if not LEAST <= shuffles <= MOST:
        raise BadInputError(f"The number of shuffles must be from {LEAST:,} to {MOST:,}, not {shuffles:,}.")
    decks, output, entropy = bytearray(), bytearray(), bytearray()
    every = -(-shuffles // STEPS)
    for number in range(1, shuffles + 1):
        draw = shuffler(number)
        decks += draw.order
        output += draw.output
        entropy += draw.entropy
        if number % every == 0:
            step(every / shuffles)
    return Sample(*(_rows(each, shuffles) for each in (decks, output, entropy)))


def _rows(taken: bytearray, shuffles: int) -> Bytes:
    return np.frombuffer(taken, np.uint8).reshape(shuffles, -1)


def is_whole(decks: Bytes) -> bool:
    """Return whether every row is a complete deck."""
    if decks.shape[1] != DECK_SIZE:
        return False
    return bool((np.sort(decks, axis=1) == np.arange(DECK_SIZE, dtype=np.uint8)).all())

"""Taking a sample: many shuffles by any shuffler, with the bytes that each was made of."""

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
"""Told how much more of the whole is done."""
TABLE = "rng-test"
BLOCKS = 7
"""As many blocks of the stream as a shuffle needs: 51 draws of 4 bytes, if none is passed over."""
LEAST, MOST = 2_000, 1_000_000
"""With fewer shuffles the approximations do not hold; more do not fit into memory."""
STEPS = 200


class Draw(msgspec.Struct, frozen=True, gc=False):
    """One shuffle."""

    order: bytes
    """The cards, a byte each, top card first."""
    output: bytes
    """What the generator gave for it."""
    entropy: bytes
    """What the generator was started with."""


class Shuffler(Protocol):
    """Gives the shuffle of a number."""

    def __call__(self, number: int) -> Draw:
        """Return a shuffle; as many bytes every time."""
        ...


class Sample(msgspec.Struct, frozen=True):
    """Many shuffles, a row each."""

    decks: Bytes
    output: Bytes
    entropy: Bytes


class HouseShuffler:
    """The house's own generator, a new secret for every shuffle."""

    def __init__(self, entropy: Entropy) -> None:
        """Take the secrets from a source of chance."""
        self.entropy = entropy

    def __call__(self, number: int) -> Draw:
        """Return a shuffle."""
        secret = self.entropy.draw(SECRET_BYTES)
        output = b"".join(islice(raw_bytes(secret, TABLE, number, ()), BLOCKS))
        return Draw(bytes(order_of(secret, TABLE, number, ())), output, secret)


def take_sample(shuffler: Shuffler, shuffles: int, step: Step) -> Sample:
    """Return so many shuffles, or refuse a number that is too small or too large."""
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
    """Say whether every row is a whole deck, each card once."""
    if decks.shape[1] != DECK_SIZE:
        return False
    return bool((np.sort(decks, axis=1) == np.arange(DECK_SIZE, dtype=np.uint8)).all())

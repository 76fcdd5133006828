"""Suit isomorphism: classes of card sets that are equal after renaming the suits.

Suits never decide a hand, so a count for one set holds for its whole class: 134,459 classes represent the
2,598,960 hands of five cards. A set is identified by its index among all sets of its size, in
colexicographic order. The canonical set of a class has its suits in descending order of their ranks.
"""

from functools import cache
from math import comb

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE, SUITS
from fourcard.hands import DEALER_CARDS
from fourcard.odds.kernels import inline_kernel, kernel

UNKNOWN = np.uint32(0xFFFFFFFF)
SUIT_COUNT = len(SUITS)
Cards = NDArray[np.uint8]
Binomials = NDArray[np.uint32]


class SuitClasses(msgspec.Struct, frozen=True):
    """The suit classes of all sets of one size."""

    of_set: NDArray[np.uint32]
    """The class of each set, by the set's index."""
    cards: Cards
    """The canonical set of each class, its cards in ascending order."""
    sizes: NDArray[np.int64]
    """The number of sets in each class."""


@cache
def binomials() -> Binomials:
    """Return the binomial coefficients n over k, for n up to 52 and k up to six."""
    return np.array([[comb(n, k) for k in range(DEALER_CARDS + 1)] for n in range(DECK_SIZE + 1)], np.uint32)


@cache
def suit_classes(size: int) -> SuitClasses:
    """Return the suit classes of all sets of ``size`` cards."""
    of_set = np.full(comb(DECK_SIZE, size), UNKNOWN, np.uint32)
    scratch = np.zeros((2, size), np.uint8), np.zeros(SUIT_COUNT, np.int64), np.zeros(SUIT_COUNT, np.int64)
    count = _number_classes(size, of_set, scratch[0], scratch[1])
    cards, sizes = np.zeros((count, size), np.uint8), np.zeros(count, np.int64)
    _assign_classes(binomials(), size, of_set, cards, sizes, *scratch)
    for array in (of_set, cards, sizes):
        array.setflags(write=False)
    return SuitClasses(of_set, cards, sizes)


@inline_kernel
def set_index(choose: Binomials, sets: Cards, row: int) -> int:
    """Return the index of one row of sets, whose cards are in ascending order."""
    place = 0
    for i in range(sets.shape[1]):
        place += choose[sets[row, i], i + 1]
    return place


@inline_kernel
def _held_by_suit(cards: Cards, held: NDArray[np.int64]) -> None:
    for suit in range(SUIT_COUNT):
        held[suit] = 0
    for i in range(cards.shape[1]):
        held[cards[0, i] & 3] |= 1 << (cards[0, i] >> 2)


@inline_kernel
def _is_canonical(held: NDArray[np.int64]) -> bool:
    return bool(held[0] >= held[1] and held[1] >= held[2] and held[2] >= held[3])


@inline_kernel
def _advance(cards: Cards) -> None:
    """Step to the next set in order."""
    size = cards.shape[1]
    i = 0
    while i + 1 < size and cards[0, i] + 1 == cards[0, i + 1]:
        cards[0, i] = i
        i += 1
    cards[0, i] += 1


@kernel
def _number_classes(
    size: int,
    of_set: NDArray[np.uint32],
    cards: Cards,
    held: NDArray[np.int64],
) -> int:
    """Assign numbers to the canonical sets in order, and return how many there are."""
    for i in range(size):
        cards[0, i] = i
    count = 0
    for place in range(len(of_set)):
        _held_by_suit(cards, held)
        if _is_canonical(held):
            of_set[place] = count
            count += 1
        _advance(cards)
    return count


@inline_kernel
def _write_canonical(cards: Cards, held: NDArray[np.int64], order: NDArray[np.int64]) -> None:
    """Write the canonical form of the first row into the second: highest suit first, cards ascending."""
    for suit in range(SUIT_COUNT):
        before = 0
        for other in range(SUIT_COUNT):
            if held[other] > held[suit] or (held[other] == held[suit] and other < suit):
                before += 1
        order[suit] = before
    for i in range(cards.shape[1]):
        card = (cards[0, i] & 0xFC) | order[cards[0, i] & 3]
        j = i
        while j > 0 and cards[1, j - 1] > card:
            cards[1, j] = cards[1, j - 1]
            j -= 1
        cards[1, j] = card


@kernel
def _assign_classes(
    choose: Binomials,
    size: int,
    of_set: NDArray[np.uint32],
    found: Cards,
    sizes: NDArray[np.int64],
    cards: Cards,
    held: NDArray[np.int64],
    order: NDArray[np.int64],
) -> None:
    """Give every set the class of its canonical set, and every class its cards and size."""
    for i in range(size):
        cards[0, i] = i
    for place in range(len(of_set)):
        _held_by_suit(cards, held)
        if _is_canonical(held):
            for i in range(size):
                found[of_set[place], i] = cards[0, i]
        else:
            _write_canonical(cards, held, order)
            of_set[place] = of_set[set_index(choose, cards, 1)]
        sizes[of_set[place]] += 1
        _advance(cards)

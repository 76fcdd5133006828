"""Subset counts: hands of each kind that contain given cards, and from these the hands that avoid a player's.

Two hands of one deck share no cards. By inclusion and exclusion over the first hand's 32 subsets, the number
of second hands that avoid it follows from the number of hands that contain each subset.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE
from fourcard.odds.classes import Binomials, Cards, binomials, suit_classes
from fourcard.odds.counting import children_of
from fourcard.odds.kernels import kernel
from fourcard.odds.states import HAND

Codes = NDArray[np.uint8]
Counts = NDArray[np.int64]
Pairs = tuple[tuple[int, ...], ...]
"""The number of pairs of hands, by the kind of the first and of the second."""


class Holding(NamedTuple):
    """By size of set: the hands of each kind that contain it, one row per suit class, one column per kind."""

    none: Counts
    one: Counts
    two: Counts
    three: Counts
    four: Counts
    five: Counts


def holding(five: Counts, size: int) -> Holding:
    """Return the counts for all smaller sets from those for five cards; ``size`` is the size of the hands."""
    found = [five]
    for held in range(HAND - 1, -1, -1):
        children = children_of(held) if held else _every_card()
        found.append(found[-1][children].sum(axis=1) // (size - held))
    return Holding(*reversed(found))


def _every_card() -> NDArray[np.uint32]:
    """Return the classes of all single cards, which extend the empty set."""
    return suit_classes(1).of_set[None, :]


def joint_counts(first: Codes, kinds: int, second: Holding) -> Pairs:
    """Return the number of pairs of a five-card hand and a second hand that avoids it, by both kinds."""
    classes = [suit_classes(size) for size in range(1, HAND + 1)]
    found = np.zeros((kinds, second.five.shape[1]), np.int64)
    avoiding = np.zeros(second.five.shape[1], np.int64)
    maps = tuple(each.of_set for each in classes)
    hands = classes[-1]
    _join(binomials(), maps, second, hands.cards, hands.sizes, first, found, avoiding)
    return tuple(tuple(row) for row in found.tolist())


@kernel
def _join(
    choose: Binomials,
    maps: tuple[NDArray[np.uint32], ...],
    second: Holding,
    hands: Cards,
    sizes: Counts,
    first: Codes,
    found: Counts,
    avoiding: Counts,
) -> None:
    for each in range(len(hands)):
        avoiding[:] = 0
        for subset in range(1 << HAND):
            size, place = 0, 0
            for i in range(HAND):
                if subset >> i & 1:
                    size += 1
                    place += choose[hands[each, i], size]
            sign = 1 - 2 * (size & 1)
            for kind in range(len(avoiding)):
                if size == 0:
                    avoiding[kind] += second.none[0, kind]
                elif size == 1:
                    avoiding[kind] += sign * second.one[maps[0][place], kind]
                elif size == 2:
                    avoiding[kind] += sign * second.two[maps[1][place], kind]
                elif size == 3:
                    avoiding[kind] += sign * second.three[maps[2][place], kind]
                elif size == 4:
                    avoiding[kind] += sign * second.four[maps[3][place], kind]
                else:
                    avoiding[kind] += sign * second.five[maps[4][place], kind]
        for kind in range(len(avoiding)):
            found[first[each], kind] += sizes[each] * avoiding[kind]


def pairs_of_hands(size: int) -> int:
    """Return the number of pairs of a five-card hand and a second hand of ``size`` cards."""
    return comb(DECK_SIZE, HAND) * comb(DECK_SIZE - HAND, size)

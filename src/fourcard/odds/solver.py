"""Solver: for every hand and up card, or for one, counts the dealer hands that are lower, equal and higher.

The dealer's six cards contain the up card and none of the player's five. By inclusion and exclusion over the
32 subsets of the player's cards, the count is an alternating sum of hands that *do* contain given cards,
which hand counting provides: a state takes 32 look-ups, and 134,459 suit classes represent all 2,598,960
hands. A single state can also be counted by enumeration.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK, DECK_SIZE
from fourcard.odds.evaluator import best_of_five, six_strength
from fourcard.odds.hand_counting import LISTED, StrengthCounts, count_hands, in_ranges
from fourcard.odds.kernels import inline_kernel, kernel
from fourcard.odds.progress import ProgressCallback, scale_progress
from fourcard.odds.ranking_tables import RankingTables, ranking_tables
from fourcard.odds.state_counts import HAND, UP_CARDS, StateCounts, StateTable, check_state
from fourcard.odds.suit_isomorphism import Binomials, Cards, binomials, suit_classes

SUBSETS = 1 << HAND
CHUNKS = 64
COUNTING = 0.2
"""The approximate share of the time that hand counting takes."""


class SuitClassMaps(NamedTuple):
    """The suit class of each set of one to five cards."""

    choose: Binomials
    one: NDArray[np.uint32]
    two: NDArray[np.uint32]
    three: NDArray[np.uint32]
    four: NDArray[np.uint32]
    five: NDArray[np.uint32]


def solve(threads: int, step: ProgressCallback) -> StateTable:
    """Return the table of all states: the numbers of lower and equal dealer hands."""
    five = suit_classes(HAND)
    strengths = best_of_five(five.cards)
    by_strength = np.argsort(strengths, kind="stable")
    found = np.zeros((len(five.cards), UP_CARDS, 2), np.uint32)
    maps = SuitClassMaps(binomials(), *(suit_classes(size).of_set for size in range(1, HAND + 1)))
    with ThreadPoolExecutor(threads) as pool:
        counts = count_hands(pool, scale_progress(step, COUNTING))

        def solve_range(low: int, high: int) -> None:
            sums, held = np.zeros((2, DECK_SIZE), np.int64), np.zeros(HAND, np.int64)
            _solve_states(maps, counts, five.cards, strengths, by_strength, found, sums, held, low, high)

        in_ranges(solve_range, len(by_strength), CHUNKS, pool, scale_progress(step, 1 - COUNTING))
    choose = [[comb(card, index + 1) for index in range(HAND)] for card in range(DECK_SIZE)]
    places = np.array(choose, np.uint32)[five.cards, np.arange(HAND)].sum(axis=1, dtype=np.uint32)
    return StateTable(found, places, strengths, five.sizes.astype(np.uint8), five.cards)


@kernel
def _solve_states(
    maps: SuitClassMaps,
    counts: StrengthCounts,
    hands: Cards,
    strengths: NDArray[np.uint16],
    order: NDArray[np.int64],
    states: NDArray[np.uint32],
    sums: NDArray[np.int64],
    held: NDArray[np.int64],
    low: int,
    high: int,
) -> None:
    """Solve a range of classes in order of strength, so that their look-ups stay close in memory."""
    for turn in range(low, high):
        each = order[turn]
        strength = strengths[each]
        sums[:] = 0
        for subset in range(SUBSETS - 1):
            size = 0
            for i in range(HAND):
                if subset >> i & 1:
                    held[size] = hands[each, i]
                    size += 1
            if size == 4:
                _add_listed(maps, counts.sixth, strength, held, sums)
            elif size == 3:
                _add_counted(maps.choose, maps.four, counts.four, strength, held, size, sums)
            elif size == 2:
                _add_counted(maps.choose, maps.three, counts.three, strength, held, size, sums)
            elif size == 1:
                _add_counted(maps.choose, maps.two, counts.two, strength, held, size, sums)
            else:
                _add_counted(maps.choose, maps.one, counts.one, strength, held, size, sums)
        place, i = 0, 0
        for card in range(DECK_SIZE):
            if i < HAND and hands[each, i] == card:
                i += 1
                continue
            all_five = counts.sixth[each, place] == strength
            states[each, place, 0] = sums[0, card]
            states[each, place, 1] = sums[1, card] - all_five - sums[0, card]
            place += 1


@inline_kernel
def _first_and_last(held: NDArray[np.int64], size: int, below: int) -> tuple[int, int]:
    """Return the range of up cards that have ``below`` of the chosen cards below them."""
    return held[below - 1] + 1 if below else 0, held[below] if below < size else DECK_SIZE


@inline_kernel
def _base(choose: Binomials, held: NDArray[np.int64], size: int, below: int) -> int:
    """Return the part of a set's index that the chosen cards contribute; the up card adds the rest."""
    base = 0
    for i in range(size):
        base += choose[held[i], i + 1 + (i >= below)]
    return base


@inline_kernel
def _add_counted(
    choose: Binomials,
    classes: NDArray[np.uint32],
    at_most: NDArray[Any],
    strength: int,
    held: NDArray[np.int64],
    size: int,
    sums: NDArray[np.int64],
) -> None:
    """Add, for every up card, the hands that contain it and up to three of the player's cards."""
    sign = 1 - 2 * (size & 1)
    for below in range(size + 1):
        base = _base(choose, held, size, below)
        first, last = _first_and_last(held, size, below)
        for card in range(first, last):
            found = classes[base + choose[card, below + 1]]
            sums[0, card] += sign * np.int64(at_most[strength, found])
            sums[1, card] += sign * np.int64(at_most[strength + 1, found])


@inline_kernel
def _add_listed(
    maps: SuitClassMaps,
    sixth: NDArray[np.uint16],
    strength: np.uint16,
    held: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add, for every up card, the hands that contain it and four of the player's cards."""
    size = HAND - 1
    for below in range(size + 1):
        base = _base(maps.choose, held, size, below)
        first, last = _first_and_last(held, size, below)
        for card in range(first, last):
            listed = maps.five[base + maps.choose[card, below + 1]]
            lower, equal = np.uint16(0), np.uint16(0)
            for i in range(LISTED):
                lower = np.uint16(lower + np.uint16(sixth[listed, i] < strength))
                equal = np.uint16(equal + np.uint16(sixth[listed, i] == strength))
            sums[0, card] += lower
            sums[1, card] += lower + equal


def count_state(hand: Sequence[int], up: int) -> StateCounts:
    """Return the dealer's completions below and equal to a hand, by enumeration."""
    check_state(hand, up)
    strength = int(best_of_five(np.array([hand], np.uint8))[0])
    rest = np.array([card for card in DECK if card not in hand and card != up], np.uint8)
    dealer, found = np.full((1, 6), up, np.uint8), np.zeros(2, np.int64)
    _count_completions(ranking_tables(), rest, strength, dealer, found)
    below, tied = found.tolist()
    return StateCounts(below, tied)


@kernel
def _count_completions(
    tables: RankingTables, rest: Cards, strength: int, dealer: Cards, found: NDArray[np.int64]
) -> None:
    n = tables.card_codes
    for a in range(len(rest)):
        dealer[0, 1] = rest[a]
        for b in range(a):
            dealer[0, 2] = rest[b]
            for c in range(b):
                dealer[0, 3] = rest[c]
                three = n[dealer[0, 0]] + n[rest[a]] + n[rest[b]] + n[rest[c]]
                for d in range(c):
                    dealer[0, 4] = rest[d]
                    for e in range(d):
                        dealer[0, 5] = rest[e]
                        dealer_strength = six_strength(tables, three + n[rest[d]] + n[rest[e]], dealer, 0)
                        found[0] += dealer_strength < strength
                        found[1] += dealer_strength == strength

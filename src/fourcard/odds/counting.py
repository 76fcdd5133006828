"""Hand counting: six-card hands that contain given cards and are at most as strong as a given strength.

For a set of one to four cards, row ``strength + 1`` of its class counts the six-card hands that contain it
and are at most that strong; row 0 is zero, so row ``strength`` counts the weaker hands. For five cards the
strengths with each of the 47 sixth cards are listed instead. All counts of dealer hands follow from these.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE
from fourcard.odds.classes import Binomials, Cards, binomials, place_of, suit_classes
from fourcard.odds.evaluator import six_strength
from fourcard.odds.kernels import kernel
from fourcard.odds.progress import Step, part_of
from fourcard.odds.ranking_tables import RankingTables, ranking_tables

STRENGTHS = 2535
HAND = 6
SIXTHS = DECK_SIZE - HAND + 1
LISTED = 48
"""The sixth cards of a set of five, plus one padding column for aligned vectors."""
NEVER = np.uint16(0xFFFF)
AT_ONCE = 32


class Counts(NamedTuple):
    """Counts of six-card hands by the set of cards that they contain."""

    one: NDArray[np.uint32]
    two: NDArray[np.uint32]
    three: NDArray[np.uint16]
    four: NDArray[np.uint16]
    sixth: NDArray[np.uint16]
    """By class of five cards: the strength with each other card, in ascending order of that card."""


def in_ranges(
    work: Callable[[int, int], None], count: int, parts: int, pool: ThreadPoolExecutor, step: Step
) -> None:
    """Run work over all indices in the given number of parts, and report each finished share."""
    edges = [count * part // parts for part in range(parts + 1)]
    futures = [pool.submit(work, low, high) for low, high in pairwise(edges)]
    try:
        for part in futures:
            part.result()
            step(1 / parts)
    finally:
        for part in futures:
            part.cancel()


def count_hands(pool: ThreadPoolExecutor, step: Step) -> Counts:
    """Count every six-card hand by the sets of cards that it contains."""
    step = part_of(step, 1 / 5)
    tables, four = ranking_tables(), suit_classes(4)
    sixth = sixth_strengths(pool, step)
    of_four = np.zeros((STRENGTHS + 1, len(four.cards)), np.uint16)

    def count_fours(low: int, high: int) -> None:
        _count_fours(
            tables, four.cards, of_four, np.zeros((AT_ONCE, STRENGTHS), np.uint16), _hand(), low, high
        )

    in_ranges(count_fours, -(-len(four.cards) // AT_ONCE), 16, pool, step)
    of_three = _sum_smaller_sets(3, of_four, np.uint16, pool, step)
    of_two = _sum_smaller_sets(2, of_three, np.uint32, pool, step)
    of_one = _sum_smaller_sets(1, of_two, np.uint32, pool, step)
    return Counts(of_one, of_two, of_three, of_four, sixth)


def _hand() -> Cards:
    return np.zeros((1, HAND), np.uint8)


def _sum_smaller_sets(
    size: int, larger: NDArray[Any], kind: type[np.unsignedinteger[Any]], pool: ThreadPoolExecutor, step: Step
) -> NDArray[Any]:
    """Return the counts for sets from those of one card more; each hand is counted once per further card."""
    children = children_of(size)
    found = np.zeros((STRENGTHS + 1, len(children)), kind)
    in_ranges(
        lambda a, b: _sum_children(children, larger, found, HAND - size, a, b), len(found), 4, pool, step
    )
    return found


def children_of(size: int) -> NDArray[np.uint32]:
    """Return, for every class of sets of ``size`` cards, the classes that one more card leads to."""
    sets, within = suit_classes(size), suit_classes(size + 1)
    children = np.zeros((len(sets.cards), DECK_SIZE - size), np.uint32)
    _list_children(binomials(), sets.cards, within.of_set, children, np.zeros((1, size + 1), np.uint8))
    return children


def sixth_strengths(pool: ThreadPoolExecutor, step: Step) -> NDArray[np.uint16]:
    """Return, for every class of five cards, the strength with each sixth card in ascending order."""
    tables, five = ranking_tables(), suit_classes(5)
    found = np.full((len(five.cards), LISTED), NEVER, np.uint16)
    in_ranges(lambda a, b: _list_sixths(tables, five.cards, found, _hand(), a, b), len(found), 8, pool, step)
    return found


@kernel
def _list_sixths(
    tables: RankingTables, sets: Cards, found: NDArray[np.uint16], hand: Cards, low: int, high: int
) -> None:
    """Write the strength of every set of five cards with each sixth card."""
    for each in range(low, high):
        total = np.uint64(0)
        for i in range(5):
            hand[0, i] = sets[each, i]
            total += tables.numbers[sets[each, i]]
        place, i = 0, 0
        for card in range(DECK_SIZE):
            if i < 5 and sets[each, i] == card:
                i += 1
                continue
            hand[0, 5] = card
            found[each, place] = six_strength(tables, total + tables.numbers[card], hand, 0)
            place += 1


@kernel
def _count_fours(
    tables: RankingTables,
    sets: Cards,
    found: NDArray[np.uint16],
    tally: NDArray[np.uint16],
    hand: Cards,
    low: int,
    high: int,
) -> None:
    """Count the hands that contain each set of four, in blocks of sets, to write memory in order."""
    for block in range(low, high):
        first = block * AT_ONCE
        many = min(AT_ONCE, len(sets) - first)
        tally[:] = 0
        for one in range(many):
            total = np.uint64(0)
            held = np.uint64(0)
            for i in range(4):
                card = sets[first + one, i]
                hand[0, i] = card
                total += tables.numbers[card]
                held |= np.uint64(1) << np.uint64(card)
            for a in range(DECK_SIZE):
                if held >> np.uint64(a) & np.uint64(1):
                    continue
                hand[0, 4] = a
                with_a = total + tables.numbers[a]
                for b in range(a):
                    if held >> np.uint64(b) & np.uint64(1):
                        continue
                    hand[0, 5] = b
                    tally[one, six_strength(tables, with_a + tables.numbers[b], hand, 0)] += 1
        for strength in range(STRENGTHS):
            for one in range(many):
                found[strength + 1, first + one] = found[strength, first + one] + tally[one, strength]


@kernel
def _list_children(
    choose: Binomials, sets: Cards, of_set: NDArray[np.uint32], children: NDArray[np.uint32], grown: Cards
) -> None:
    """Write the class of every set with each further card."""
    size = sets.shape[1]
    for each in range(len(sets)):
        place, below = 0, 0
        for card in range(DECK_SIZE):
            if below < size and sets[each, below] == card:
                below += 1
                continue
            for i in range(size):
                grown[0, i + (i >= below)] = sets[each, i]
            grown[0, below] = card
            children[each, place] = of_set[place_of(choose, grown, 0)]
            place += 1


@kernel
def _sum_children(
    children: NDArray[np.uint32],
    larger: NDArray[Any],
    found: NDArray[Any],
    times: int,
    low: int,
    high: int,
) -> None:
    for row in range(low, high):
        for each in range(children.shape[0]):
            total = np.uint32(0)
            for i in range(children.shape[1]):
                total += larger[row, children[each, i]]
            found[row, each] = total // np.uint32(times)

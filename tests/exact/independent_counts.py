"""Independent hand counts: a second implementation that the exact odds are compared with.

It shares no code with ``fourcard.odds``: no suit classes, no inclusion and exclusion, no compiled code. Sets
of cards are listed in colexicographic order, so a larger set is a set from the start of the list plus a
higher card. The strength of four cards is the rank of the second evaluator's score, and larger sets take the
best of their subsets.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.exact.second_evaluator import category, score
from tests.second.hands import FIVE_CARD_ORDER

CARDS = 52
FREE = 46
"""The cards that are neither the player's five nor the dealer's up card."""
COMPLETIONS = comb(FREE, 5)
Sets = NDArray[np.uint8]
Places = NDArray[np.int32]
Numbers = NDArray[np.int64]
Masks = NDArray[np.uint64]
SuitMasks = NDArray[np.uint16]
Strengths = NDArray[np.uint16]
Values = Strengths | NDArray[np.uint8]
_CHOOSE = np.array([[comb(n, k) for k in range(7)] for n in range(CARDS + 1)], np.int32)
_ACE = 1 << 12


def place(sets: Sets) -> Places:
    """Return the index of each set, its cards in ascending order, among all sets of its size."""
    found = np.zeros(len(sets), np.int32)
    for index, column in enumerate(sets.T):
        found += _CHOOSE[column, index + 1]
    return found


def with_top(smaller: Sets, top: int) -> Sets:
    """Return every set with a given highest card, from the list of sets of one card fewer."""
    below = smaller[: comb(top, smaller.shape[1])]
    return np.column_stack([below, np.full(len(below), top, np.uint8)])


@cache
def every(size: int, deck: int = CARDS) -> Sets:
    """Return every set of ``size`` cards of a deck, in order of index."""
    if not size:
        return np.zeros((1, 0), np.uint8)
    smaller = every(size - 1, deck)
    return np.concatenate([with_top(smaller, top) for top in range(deck)])


def without(sets: Sets, index: int) -> Places:
    """Return the index of each set without one of its cards."""
    return place(np.delete(sets, index, axis=1))


def masks(sets: Sets) -> Masks:
    """Return each set as 52 bits."""
    found = np.zeros(len(sets), np.uint64)
    for column in sets.T:
        found |= np.uint64(1) << column.astype(np.uint64)
    return found


def suit_masks(sets: Sets) -> SuitMasks:
    """Return the ranks that each set holds in each suit, as bits: one column per suit."""
    found = np.zeros((len(sets), 4), np.uint16)
    for suit in range(4):
        for column in sets.T:
            bit = np.where(column % 4 == suit, 1 << (column // 4).astype(np.int32), 0)
            found[:, suit] |= bit.astype(np.uint16)
    return found


def first_of_their_kind(held: SuitMasks) -> NDArray[np.bool_]:
    """Return which sets are canonical: exactly one of all sets that differ only in suits."""
    return (held[:, 0] >= held[:, 1]) & (held[:, 1] >= held[:, 2]) & (held[:, 2] >= held[:, 3])


@cache
def scores() -> list[int]:
    """Return every score of the second evaluator in ascending order; the index is the strength."""
    return sorted(set(fours_scored().tolist()))


@cache
def fours_scored() -> Numbers:
    """Return the second evaluator's score of every four cards, by index."""
    return np.array([score(four) for four in every(4).tolist()], np.int64)


@cache
def row_of_strength() -> tuple[str, ...]:
    """Return the most specific row of each strength: a category, or its hands led by aces."""
    special = {"pair": "pair_of_aces", "four_of_a_kind": "four_aces", "straight_flush": "royal_flush"}
    found = []
    for scored in scores():
        name, leading = category(scored), scored >> 13 & 0x1FFF or scored & 0x1FFF
        found.append(special[name] if name in special and leading == _ACE else name)
    return tuple(found)


@cache
def four_strengths() -> Strengths:
    """Return the strength of every four cards, by index."""
    return np.searchsorted(np.array(scores()), fours_scored()).astype(np.uint16)


@cache
def five_strengths() -> Strengths:
    """Return the strength of the best four of every five cards, by index."""
    fives = every(5)
    return highest([four_strengths()[without(fives, index)] for index in range(5)])


@cache
def five_categories(*, low_ace: bool = True) -> NDArray[np.uint8]:
    """Return the place in ``FIVE_CARD_ORDER`` of every five cards, from their ranks and suits directly."""
    ranks, suits = every(5) // 4, every(5) % 4
    gaps = np.diff(ranks, axis=1)
    alike = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=(1, 2))
    by_alike = {5: 0, 7: 1, 9: 2, 11: 3, 13: 6, 17: 7}
    """The sum of squares of how often each rank is held tells the shape: 2 + 2 + 1 makes 4 + 4 + 1."""
    shapes = np.array([by_alike.get(total, 99) for total in range(18)], np.uint8)
    found: NDArray[np.uint8] = shapes[alike]
    straight = (gaps == 1).all(axis=1)
    if low_ace:
        straight |= (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    flush = (suits == suits[:, :1]).all(axis=1)
    found[straight] = FIVE_CARD_ORDER.index("straight")
    found[flush] = FIVE_CARD_ORDER.index("flush")
    found[straight & flush] = FIVE_CARD_ORDER.index("straight_flush")
    found[straight & flush & (ranks[:, 0] == 8)] = FIVE_CARD_ORDER.index("royal_flush")
    return found


class Sixes(NamedTuple):
    """All sets of six cards with one highest card."""

    cards: Sets
    fives: list[Places]
    """The places of the six fives that each set holds."""
    held: SuitMasks

    def best(self, values: Values) -> Values:
        """Return the highest value among the five-card subsets of each set."""
        found = values[self.fives[0]]
        for places in self.fives[1:]:
            np.maximum(found, values[places], out=found)
        return found


def sixes() -> Iterator[Sixes]:
    """Yield all 20,358,520 sets of six cards by their highest card."""
    fives, held = every(5), suit_masks(every(5))
    fours = [without(fives, index) for index in range(5)]
    for top in range(5, CARDS):
        below = comb(top, 5)
        places = [each[:below] + np.int32(below) for each in fours]
        with_it = held[:below].copy()
        with_it[:, top % 4] |= np.uint16(1 << top // 4)
        yield Sixes(with_top(fives, top), [np.arange(below, dtype=np.int32), *places], with_it)


def highest(values: list[Strengths]) -> Strengths:
    """Return the element-wise maximum of several arrays."""
    found = values[0].copy()
    for each in values[1:]:
        np.maximum(found, each, out=found)
    return found


def best_strength(hands: Sets) -> Strengths:
    """Return the strength of the best four of each hand of four to six cards in any order."""
    rising = np.sort(hands, axis=1)
    found = np.zeros(len(hands), np.uint16)
    for columns in combinations(range(hands.shape[1]), 4):
        np.maximum(found, four_strengths()[place(rising[:, columns])], out=found)
    return found


def dealer_strengths(hand: tuple[int, ...], up: int) -> Strengths:
    """Return the strength of each of the dealer's 1,370,754 hands, by enumeration.

    The best of four cards and the up card is found for every four of the 46 free cards; a dealer's hand is
    then the best of the five fours that its other cards hold.
    """
    free = np.array([card for card in range(CARDS) if card not in hand and card != up], np.uint8)
    threes = free[every(3, FREE)]
    with_up = best_strength(np.column_stack([threes, np.full(len(threes), up, np.uint8)]))
    best = four_strengths()[place(free[every(4, FREE)])]
    best = highest([best, *(with_up[places] for places in _smaller(4))])
    return highest([best[places] for places in _smaller(5)])


@cache
def _smaller(size: int) -> list[Places]:
    """Return, for every set of so many free cards, the places of its sets of one card fewer."""
    return [without(every(size, FREE), index) for index in range(size)]


def counted(hand: tuple[int, ...], up: int) -> tuple[int, int]:
    """Return how many of the dealer's hands are lower than the player's, and how many are equal."""
    dealer, player = dealer_strengths(hand, up), best_strength(np.array([hand], np.uint8))[0]
    return int((dealer < player).sum()), int((dealer == player).sum())


def dealt(seed: int, deals: int, cards: int) -> Sets:
    """Return about the given number of random deals, without those that repeat a card."""
    chance = np.random.default_rng(seed)
    likely = np.prod([1 - held / CARDS for held in range(cards)])
    drawn = chance.integers(0, CARDS, (int(deals / likely), cards), np.uint8)
    apart: NDArray[np.bool_] = np.bitwise_count(masks(drawn)) == cards
    return drawn[apart]


def suits_renamed(cards: tuple[int, ...], becomes: tuple[int, ...]) -> tuple[int, ...]:
    """Return cards with their suits permuted."""
    return tuple(card // 4 * 4 + becomes[card % 4] for card in cards)


def standing_for(hand: tuple[int, ...], up: int) -> tuple[tuple[int, ...], int]:
    """Return the canonical hand, sorted, and the up card renamed in the same way."""
    held = suit_masks(np.array([hand], np.uint8))[0].tolist()
    order = sorted(range(4), key=lambda suit: -held[suit])
    becomes = tuple(order.index(suit) for suit in range(4))
    return tuple(sorted(suits_renamed(hand, becomes))), suits_renamed((up,), becomes)[0]


@cache
def classes_of_fives() -> tuple[Places, Numbers]:
    """Return the indices of the canonical five-card sets, and the size of each class."""
    held = suit_masks(every(5))
    names = np.sort(held, axis=1).astype(np.int64) @ np.array([1, 1 << 13, 1 << 26, 1 << 39])
    first = np.flatnonzero(first_of_their_kind(held))
    known, sizes = np.unique(names, return_counts=True)
    return first.astype(np.int32), sizes[np.searchsorted(known, names[first])]


def holding_a_run_or_four(size: int) -> Sets:
    """Return every set of five or six cards that holds a straight flush or four of a kind of four cards."""
    runs = [
        {4 * (rank % 13) + suit for rank in range(top - 3, top + 1)}
        for top in range(2, 13)
        for suit in range(4)
    ]
    fours = [{4 * rank + suit for suit in range(4)} for rank in range(13)]
    found = set()
    for four in (*runs, *fours):
        others = [card for card in range(CARDS) if card not in four]
        found |= {tuple(sorted((*four, *more))) for more in combinations(others, size - 4)}
    return np.array(sorted(found), np.uint8)

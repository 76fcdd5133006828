"""Hand counting: six-card hands by contained cards, pairs of hands of one deck, and hand frequencies.

For a set of one to four cards, row ``strength + 1`` of its class counts the six-card hands that contain it
and are at most that strong; row 0 is zero, so row ``strength`` counts the weaker hands. For five cards the
strengths with each of the 47 sixth cards are listed instead. All counts of dealer hands follow from these.

Two hands of one deck share no cards. By inclusion and exclusion over the first hand's 32 subsets, the number
of second hands that avoid it follows from the number of hands that contain each subset. Hands of the Six Card
Bonus are counted one by one.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from math import comb
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import SIX, FiveCardCategory
from fourcard.cards import DECK_SIZE, SUIT_NAMES
from fourcard.odds.evaluator import best_of_five, five_category, six_category, six_strength
from fourcard.odds.hand_kinds import WinnableRows, hand_kinds, kind_of_strength
from fourcard.odds.kernels import kernel
from fourcard.odds.progress import ProgressCallback, no_progress, scale_progress
from fourcard.odds.ranking_tables import (
    FIRST_SUPER_ROYAL,
    FiveCardTables,
    RankingTables,
    five_card_tables,
    ranking_tables,
)
from fourcard.odds.state_counts import HAND
from fourcard.odds.suit_isomorphism import Binomials, Cards, binomials, set_index, suit_classes

STRENGTHS = 2535
SIX_CARD_HAND = 6
SIXTHS = DECK_SIZE - SIX_CARD_HAND + 1
LISTED = 48
"""The sixth cards of a set of five, plus one padding column for aligned vectors."""
NO_STRENGTH = np.uint16(0xFFFF)
SETS_PER_BLOCK = 32


class StrengthCounts(NamedTuple):
    """Counts of six-card hands by the set of cards that they contain."""

    one: NDArray[np.uint32]
    two: NDArray[np.uint32]
    three: NDArray[np.uint16]
    four: NDArray[np.uint16]
    sixth: NDArray[np.uint16]
    """By class of five cards: the strength with each other card, in ascending order of that card."""


def in_ranges(
    work: Callable[[int, int], None], count: int, parts: int, pool: ThreadPoolExecutor, step: ProgressCallback
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


def count_hands(pool: ThreadPoolExecutor, step: ProgressCallback) -> StrengthCounts:
    """Count every six-card hand by the sets of cards that it contains."""
    step = scale_progress(step, 1 / 5)
    tables, four = ranking_tables(), suit_classes(4)
    sixth = sixth_strengths(pool, step)
    of_four = np.zeros((STRENGTHS + 1, len(four.cards)), np.uint16)

    def count_fours(low: int, high: int) -> None:
        _count_fours(
            tables, four.cards, of_four, np.zeros((SETS_PER_BLOCK, STRENGTHS), np.uint16), _hand(), low, high
        )

    in_ranges(count_fours, -(-len(four.cards) // SETS_PER_BLOCK), 16, pool, step)
    of_three = _sum_smaller_sets(3, of_four, np.uint16, pool, step)
    of_two = _sum_smaller_sets(2, of_three, np.uint32, pool, step)
    of_one = _sum_smaller_sets(1, of_two, np.uint32, pool, step)
    return StrengthCounts(of_one, of_two, of_three, of_four, sixth)


def _hand() -> Cards:
    return np.zeros((1, SIX_CARD_HAND), np.uint8)


def _sum_smaller_sets(
    size: int,
    larger: NDArray[Any],
    kind: type[np.unsignedinteger[Any]],
    pool: ThreadPoolExecutor,
    step: ProgressCallback,
) -> NDArray[Any]:
    """Return the counts for sets from those of one card more; each hand is counted once per further card."""
    children = children_of(size)
    found = np.zeros((STRENGTHS + 1, len(children)), kind)
    in_ranges(
        lambda a, b: _sum_children(children, larger, found, SIX_CARD_HAND - size, a, b),
        len(found),
        4,
        pool,
        step,
    )
    return found


def children_of(size: int) -> NDArray[np.uint32]:
    """Return, for every class of sets of ``size`` cards, the classes that one more card leads to."""
    sets, within = suit_classes(size), suit_classes(size + 1)
    children = np.zeros((len(sets.cards), DECK_SIZE - size), np.uint32)
    _list_children(binomials(), sets.cards, within.of_set, children, np.zeros((1, size + 1), np.uint8))
    return children


def sixth_strengths(pool: ThreadPoolExecutor, step: ProgressCallback) -> NDArray[np.uint16]:
    """Return, for every class of five cards, the strength with each sixth card in ascending order."""
    tables, five = ranking_tables(), suit_classes(5)
    found = np.full((len(five.cards), LISTED), NO_STRENGTH, np.uint16)
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
            total += tables.card_codes[sets[each, i]]
        place, i = 0, 0
        for card in range(DECK_SIZE):
            if i < 5 and sets[each, i] == card:
                i += 1
                continue
            hand[0, 5] = card
            found[each, place] = six_strength(tables, total + tables.card_codes[card], hand, 0)
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
        first = block * SETS_PER_BLOCK
        many = min(SETS_PER_BLOCK, len(sets) - first)
        tally[:] = 0
        for one in range(many):
            total = np.uint64(0)
            held = np.uint64(0)
            for i in range(4):
                card = sets[first + one, i]
                hand[0, i] = card
                total += tables.card_codes[card]
                held |= np.uint64(1) << np.uint64(card)
            for a in range(DECK_SIZE):
                if held >> np.uint64(a) & np.uint64(1):
                    continue
                hand[0, 4] = a
                with_a = total + tables.card_codes[a]
                for b in range(a):
                    if held >> np.uint64(b) & np.uint64(1):
                        continue
                    hand[0, 5] = b
                    tally[one, six_strength(tables, with_a + tables.card_codes[b], hand, 0)] += 1
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
            children[each, place] = of_set[set_index(choose, grown, 0)]
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


KindCodes = NDArray[np.uint8]
CountArray = NDArray[np.int64]
PairCounts = tuple[tuple[int, ...], ...]
"""The number of pairs of hands, by the kind of the first and of the second."""


class SubsetCounts(NamedTuple):
    """By size of set: the hands of each kind that contain it, one row per suit class, one column per kind."""

    none: CountArray
    one: CountArray
    two: CountArray
    three: CountArray
    four: CountArray
    five: CountArray


def subset_counts(five: CountArray, size: int) -> SubsetCounts:
    """Return the counts for all smaller sets from those for five cards; ``size`` is the size of the hands."""
    found = [five]
    for held in range(HAND - 1, -1, -1):
        children = children_of(held) if held else _every_card()
        found.append(found[-1][children].sum(axis=1) // (size - held))
    return SubsetCounts(*reversed(found))


def _every_card() -> NDArray[np.uint32]:
    """Return the classes of all single cards, which extend the empty set."""
    return suit_classes(1).of_set[None, :]


def joint_counts(first: KindCodes, kinds: int, second: SubsetCounts) -> PairCounts:
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
    second: SubsetCounts,
    hands: Cards,
    sizes: CountArray,
    first: KindCodes,
    found: CountArray,
    avoiding: CountArray,
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


@cache
def four_card_kind_codes() -> KindCodes:
    """Return, for every suit class of five cards, the kind of its best four cards."""
    return kind_of_strength()[best_of_five(suit_classes(HAND).cards)]


@cache
def five_card_kind_codes() -> KindCodes:
    """Return, for every suit class of five cards, their five-card category."""
    cards = suit_classes(HAND).cards
    found = np.zeros(len(cards), np.uint8)
    _categories(five_card_tables(), cards, found)
    return found


def five_card_kinds() -> tuple[WinnableRows, ...]:
    """Return every category of five cards as a kind, the weakest first."""
    return tuple(category.rows for category in FiveCardCategory)


@cache
def hand_counts(*, five_cards: bool) -> Mapping[WinnableRows, int]:
    """Return the number of the 2,598,960 hands of each kind, by best four cards or by all five."""
    codes, names = (
        (five_card_kind_codes(), five_card_kinds()) if five_cards else (four_card_kind_codes(), hand_kinds())
    )
    sizes = suit_classes(HAND).sizes
    found = np.zeros(len(names), np.int64)
    np.add.at(found, codes, sizes)
    return MappingProxyType(dict(zip(names, found.tolist(), strict=True)))


@cache
def six_card_counts(*, low_ace: bool) -> Mapping[WinnableRows, int]:
    """Return the number of the 20,358,520 sets of six cards of each kind for the Six Card Bonus."""
    found = np.zeros(FIRST_SUPER_ROYAL + len(SUIT_NAMES), np.int64)
    _count_sixes(five_card_tables(low_ace=low_ace), np.zeros((1, SIX), np.uint8), found)
    royal = FiveCardCategory.ROYAL_FLUSH.rows
    names = [*five_card_kinds(), *((f"super_royal_{suit}", *royal) for suit in SUIT_NAMES)]
    return MappingProxyType(dict(zip(names, found.tolist(), strict=True)))


@cache
def strength_counts() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the number of five-card hands, and of six-card hands, of each strength."""
    five, sixth = suit_classes(HAND), _sixths()
    mine, theirs = np.zeros(STRENGTHS, np.int64), np.zeros(STRENGTHS, np.int64)
    np.add.at(mine, best_of_five(five.cards), five.sizes)
    np.add.at(theirs, sixth, np.broadcast_to(five.sizes[:, None], sixth.shape))
    return tuple(mine.tolist()), tuple((theirs // SIX).tolist())


def _sixths() -> NDArray[np.uint16]:
    """Return, for every class of five cards, the strengths with the 47 other cards."""
    with ThreadPoolExecutor(1) as pool:
        return sixth_strengths(pool, no_progress)[:, :SIXTHS]


@cache
def player_dealer_pairs() -> PairCounts:
    """Count pairs of a player's five and a dealer's six cards, by the kinds of their best four."""
    sixth = kind_of_strength()[_sixths()]
    five = (sixth[:, :, None] == np.arange(len(hand_kinds()), dtype=np.uint8)).sum(axis=1, dtype=np.int64)
    return joint_counts(four_card_kind_codes(), len(hand_kinds()), subset_counts(five, SIX))


@cache
def two_player_pairs() -> tuple[tuple[tuple[WinnableRows, WinnableRows], ...], PairCounts]:
    """Return the joint four-card and five-card kinds, and the pairs of two players' hands by them."""
    four, five = four_card_kind_codes(), five_card_kind_codes()
    together = four.astype(np.int64) * len(five_card_kinds()) + five
    present, codes = np.unique(together, return_inverse=True)
    named = [divmod(code, len(five_card_kinds())) for code in present.tolist()]
    one_hot: NDArray[np.int64] = (codes[:, None] == np.arange(len(present))).astype(np.int64)
    pairs = joint_counts(codes.astype(np.uint8), len(present), subset_counts(one_hot, HAND))
    return tuple((hand_kinds()[a], five_card_kinds()[b]) for a, b in named), pairs


@kernel
def _categories(tables: FiveCardTables, hands: Cards, found: NDArray[np.uint8]) -> None:
    n = tables.card_codes
    for i in range(hands.shape[0]):
        total = n[hands[i, 0]] + n[hands[i, 1]] + n[hands[i, 2]] + n[hands[i, 3]] + n[hands[i, 4]]
        found[i] = five_category(tables, total, hands, i)


@kernel
def _count_sixes(tables: FiveCardTables, hand: Cards, found: NDArray[np.int64]) -> None:
    n = tables.card_codes
    for a in range(DECK_SIZE):
        hand[0, 0] = a
        for b in range(a):
            hand[0, 1] = b
            for c in range(b):
                hand[0, 2] = c
                for d in range(c):
                    hand[0, 3] = d
                    four = n[a] + n[b] + n[c] + n[d]
                    for e in range(d):
                        hand[0, 4] = e
                        for f in range(e):
                            hand[0, 5] = f
                            found[six_category(tables, four + n[e] + n[f], hand, 0)] += 1

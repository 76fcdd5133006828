"""Ranking tables of the fast evaluator, filled from ``fourcard.hands`` and ``fourcard.bonus_hands``.

Each rank has a number, chosen so that the sum of a hand's numbers identifies its ranks. The values by sum are
stored in packed sparse tables, whose rows overlap, so that a wide range of sums takes little memory.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FIVE, SIX, SUPER_ROYAL_RANKS, FiveCardCategory, rank_five
from fourcard.cards import DECK, RANKS, SUITS, rank_of, suit_of
from fourcard.hands import HAND_SIZE, rank_four

RANK_NUMBERS = (0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437)
"""Rank numbers chosen so that no two patterns of up to six ranks, none over four times, have the same sum."""
ROW_BITS = 8
ROW_WIDTH = 1 << ROW_BITS


def rank_patterns(size: int) -> NDArray[np.int64]:
    """Return every pattern of ``size`` ranks that a deck can deal, each in ascending order."""
    extended = np.zeros((1, 0), np.int64)
    for _ in range(size):
        every = np.arange(len(RANKS))
        last = extended[:, -1] if extended.shape[1] else np.zeros(1, np.int64)
        parent, rank = np.nonzero(every >= last[:, None])
        extended = np.column_stack([extended[parent], rank])
    repeats = (extended[:, :, None] == extended[:, None, :]).sum(axis=2).max(axis=1)
    dealt: NDArray[np.int64] = extended[repeats <= len(SUITS)]
    return dealt


def rank_sums(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of each pattern's numbers."""
    numbers = np.array(RANK_NUMBERS, np.int64)
    sums: NDArray[np.int64] = numbers[ranks].sum(axis=1)
    return sums


def best_values_by_sum(size: int, smaller: Mapping[int, int]) -> dict[int, int]:
    """Return, by sum, the best value of each pattern among its sub-patterns of one rank fewer."""
    ranks = rank_patterns(size)
    sums = rank_sums(ranks)
    known = np.array(sorted(smaller.items()), np.int64)
    best = np.zeros(len(ranks), np.int64)
    for column in ranks.T:
        without = sums - np.array(RANK_NUMBERS)[column]
        best = np.maximum(best, known[np.searchsorted(known[:, 0], without), 1])
    found = dict(zip(sums.tolist(), best.tolist(), strict=True))
    assert len(found) == len(ranks), "two patterns of ranks must never have the same sum"
    return found


def pack(values: Mapping[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return where each row of a sparse table starts, and the packed table with all rows overlapping.

    Every sum of six numbers has a row, even one that no deck can deal, so no sum indexes past the table.
    """
    rows: dict[int, dict[int, int]] = {}
    for total, value in values.items():
        rows.setdefault(total >> ROW_BITS, {})[total & ROW_WIDTH - 1] = value
    starts = np.zeros((SIX * RANK_NUMBERS[-1] >> ROW_BITS) + 1, np.uint32)
    packed = np.zeros(2 * len(values) + ROW_WIDTH, np.uint16)
    free, end = (1 << len(packed)) - 1, 0
    for row, columns in sorted(rows.items(), key=lambda each: -len(each[1])):
        fits = free
        for column in columns:
            fits &= free >> column
        assert fits, "the rows must fit into twice the space of their values"
        place = (fits & -fits).bit_length() - 1
        starts[row] = place
        for column, value in columns.items():
            packed[place + column] = value
            free ^= 1 << place + column
        end = max(end, place + ROW_WIDTH)
    return starts, packed[:end].copy()


RANK_PART = 24
"""The bits of a card's number below the digits of its suit."""
FIRST_SUPER_ROYAL = len(FiveCardCategory)
"""The number of the Super Royal of clubs, after the categories; diamonds, hearts and spades follow."""
SUITED_RANK_SETS = 1 << len(RANKS)


class RankingTables(NamedTuple):
    """Look-up tables for the strength of a hand's best four cards."""

    card_codes: NDArray[np.uint64]
    """By card: the number of its rank, plus one in the digit of its suit."""
    five_row_starts: NDArray[np.uint32]
    five_values: NDArray[np.uint16]
    """Strength of the best four of five ranks."""
    six_row_starts: NDArray[np.uint32]
    six_values: NDArray[np.uint16]
    """Strength of the best four of six ranks."""
    suited_values: NDArray[np.uint16]
    """Strength of the best four of the ranks held in one suit, given as bits."""


class FiveCardTables(NamedTuple):
    """Look-up tables for the category of five cards, or of the best five of six."""

    card_codes: NDArray[np.uint64]
    five_row_starts: NDArray[np.uint32]
    five_values: NDArray[np.uint16]
    """Category of five ranks."""
    six_row_starts: NDArray[np.uint32]
    six_values: NDArray[np.uint16]
    """Category of the best five of six ranks."""
    suited_values: NDArray[np.uint16]
    """Category of the best five of the ranks held in one suit; ace to nine is a Super Royal."""


@cache
def ranking_tables() -> RankingTables:
    """Return the tables for four-card hands, built once per process."""
    ranks = rank_patterns(HAND_SIZE)
    strengths = [rank_four(unsuited(each)).strength for each in ranks.tolist()]
    four = dict(zip(rank_sums(ranks).tolist(), strengths, strict=True))
    five = best_values_by_sum(FIVE, four)
    suited = np.zeros(SUITED_RANK_SETS, np.uint16)
    for held in combinations(range(len(RANKS)), HAND_SIZE):
        suited[_bits(held)] = rank_four([rank * len(SUITS) for rank in held]).strength
    _fill_larger_sets(suited, HAND_SIZE)
    return RankingTables(_card_codes(), *pack(five), *pack(best_values_by_sum(SIX, five)), suited)


@cache
def five_card_tables(*, low_ace: bool = True) -> FiveCardTables:
    """Return the tables for five-card hands; ``low_ace`` makes 5-4-3-2-A a straight (R28)."""
    ranks = rank_patterns(FIVE)
    found = [rank_five(unsuited(each), low_ace=low_ace).category for each in ranks.tolist()]
    five = dict(zip(rank_sums(ranks).tolist(), map(int, found), strict=True))
    suited = np.zeros(SUITED_RANK_SETS, np.uint16)
    for held in combinations(range(len(RANKS)), FIVE):
        cards = [rank * len(SUITS) for rank in held]
        suited[_bits(held)] = rank_five(cards, low_ace=low_ace).category
    _fill_larger_sets(suited, FIVE)
    suited[_bits(SUPER_ROYAL_RANKS)] = FIRST_SUPER_ROYAL
    return FiveCardTables(_card_codes(), *pack(five), *pack(best_values_by_sum(SIX, five)), suited)


def _card_codes() -> NDArray[np.uint64]:
    """Return every card's number: in a sum, low bits identify the ranks and high bits count the suits."""
    suit_digit = [1 << RANK_PART + 4 * suit_of(card) for card in DECK]
    rank_number = [RANK_NUMBERS[rank_of(card)] for card in DECK]
    return np.array(suit_digit, np.uint64) + np.array(rank_number, np.uint64)


def unsuited(ranks: list[int]) -> list[int]:
    """Return cards of the given ranks that do not form a flush: equal ranks take successive suits."""
    cards = [len(SUITS) * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    return cards if len(set(map(suit_of, cards))) > 1 else [cards[0] + 1, *cards[1:]]


def _bits(ranks: tuple[int, ...]) -> int:
    return sum(1 << rank for rank in ranks)


def _fill_larger_sets(suited: NDArray[np.uint16], size: int) -> None:
    """Give each larger set of suited ranks the best value among its subsets of one rank fewer."""
    for more in range(size + 1, SIX + 1):
        for held in combinations(range(len(RANKS)), more):
            whole = _bits(held)
            suited[whole] = max(suited[whole ^ 1 << rank] for rank in held)

"""Ranking tables of the fast evaluator, filled from ``fourcard.hands`` and ``fourcard.bonus_hands``."""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import SUPER_ROYAL_RANKS, FiveCardCategory, rank_five
from fourcard.cards import DECK, RANKS, SUITS, rank_of, suit_of
from fourcard.hands import HAND_SIZE, MOST_CARDS, rank_four
from fourcard.odds.sparse import RANK_NUMBERS, laid, patterns, sums_of, values_by_sum

RANK_PART = 24
"""The bits of a card's number below the digits of its suit."""
SUPER_ROYAL = len(FiveCardCategory)
"""The number of a Super Royal of clubs; diamonds, hearts and spades follow."""
SUIT_SETS = 1 << len(RANKS)


class RankingTables(NamedTuple):
    """Look-up tables for the strength of a hand's best four cards."""

    numbers: NDArray[np.uint64]
    """By card: the number of its rank, plus one in the digit of its suit."""
    rows_of_five: NDArray[np.uint32]
    five: NDArray[np.uint16]
    """Strength of the best four of five ranks."""
    rows_of_six: NDArray[np.uint32]
    six: NDArray[np.uint16]
    """Strength of the best four of six ranks."""
    suited: NDArray[np.uint16]
    """Strength of the best four of the ranks held in one suit, given as bits."""


class BonusTables(NamedTuple):
    """Look-up tables for the category of five cards, or of the best five of six."""

    numbers: NDArray[np.uint64]
    rows_of_five: NDArray[np.uint32]
    five: NDArray[np.uint16]
    """Category of five ranks."""
    rows_of_six: NDArray[np.uint32]
    six: NDArray[np.uint16]
    """Category of the best five of six ranks."""
    suited: NDArray[np.uint16]
    """Category of the best five of the ranks held in one suit; ace to nine is a Super Royal."""


@cache
def ranking_tables() -> RankingTables:
    """Return the tables for four-card hands, built once per process."""
    ranks = patterns(HAND_SIZE)
    strengths = [rank_four(unsuited(each)).strength for each in ranks.tolist()]
    four = dict(zip(sums_of(ranks).tolist(), strengths, strict=True))
    five = values_by_sum(HAND_SIZE + 1, four)
    suited = np.zeros(SUIT_SETS, np.uint16)
    for held in combinations(range(len(RANKS)), HAND_SIZE):
        suited[_bits(held)] = rank_four([rank * len(SUITS) for rank in held]).strength
    _fill_larger_sets(suited, HAND_SIZE)
    return RankingTables(_numbers(), *laid(five), *laid(values_by_sum(MOST_CARDS, five)), suited)


@cache
def bonus_tables(*, low_ace: bool = True) -> BonusTables:
    """Return the tables for five-card hands; ``low_ace`` makes 5-4-3-2-A a straight (R28)."""
    ranks = patterns(HAND_SIZE + 1)
    found = [rank_five(unsuited(each), low_ace=low_ace).category for each in ranks.tolist()]
    five = dict(zip(sums_of(ranks).tolist(), map(int, found), strict=True))
    suited = np.zeros(SUIT_SETS, np.uint16)
    for held in combinations(range(len(RANKS)), HAND_SIZE + 1):
        cards = [rank * len(SUITS) for rank in held]
        suited[_bits(held)] = rank_five(cards, low_ace=low_ace).category
    _fill_larger_sets(suited, HAND_SIZE + 1)
    suited[_bits(SUPER_ROYAL_RANKS)] = SUPER_ROYAL
    return BonusTables(_numbers(), *laid(five), *laid(values_by_sum(MOST_CARDS, five)), suited)


def _numbers() -> NDArray[np.uint64]:
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
    for more in range(size + 1, MOST_CARDS + 1):
        for held in combinations(range(len(RANKS)), more):
            whole = _bits(held)
            suited[whole] = max(suited[whole ^ 1 << rank] for rank in held)

"""Five-card hands and the Super Royal, for the wagers that look past four cards.

Maryland's Six Card Bonus takes the best five of six cards (MD-06F.0, MD-07E5.1) and its progressive
paytable C judges the player's five (R8); the order is that of ordinary five-card poker.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from itertools import combinations
from operator import itemgetter

from fourcard.cards import SUIT_NAMES, distinct, rank_of, suit_of
from fourcard.hands import (
    ACE,
    ONLY_RANKS,
    Pick,
    by_importance,
    count_cards,
    has_suit,
    highest_run,
    longest_suit,
    ranks_of_count,
)

FIVE = 5
SIX = 6
WHEEL = (ACE, 3, 2, 1, 0)
"""The ranks of 5-4-3-2-A, high to low."""
SUPER_ROYAL_RANKS = tuple(range(ACE, ACE - SIX, -1))


class FiveCardCategory(IntEnum):
    """Category of a five-card hand, lowest first.

    Maryland describes those that it pays: royal flush (MD-06F1), straight flush (MD-06F2), four of a kind
    (MD-06F3), full house (MD-06F4), flush (MD-06F5), straight (MD-06F6) and three of a kind (MD-06F7).
    """

    text: str
    """The name that files and answers use, such as ``full_house``."""
    rows: tuple[str, ...]

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


for _category in FiveCardCategory:
    _category.text = _category.name.lower()
    _category.rows = (_category.text,)

FIVE_CARD_ROWS = tuple(each.text for each in reversed(FiveCardCategory) if each > FiveCardCategory.PAIR)
"""Rows of a table of five-card hands, the best first (R8)."""
SIX_CARD_ROWS = (
    *(f"super_royal_{suit}" for suit in ("diamonds", "hearts", "spades", "clubs")),
    *FIVE_CARD_ROWS,
)
"""Rows of a Six Card Bonus table, the best first (MD-07E5b)."""


BY_SHAPE = {
    (4, 1): FiveCardCategory.FOUR_OF_A_KIND,
    (3, 2): FiveCardCategory.FULL_HOUSE,
    (3, 1, 1): FiveCardCategory.THREE_OF_A_KIND,
    (2, 2, 1): FiveCardCategory.TWO_PAIR,
    (2, 1, 1, 1): FiveCardCategory.PAIR,
}
"""The categories that the numbers of equal ranks alone decide."""


@dataclass(frozen=True, slots=True, order=True)
class FiveCardHand:
    """Five-card hand; comparing two hands compares only their strength."""

    category: FiveCardCategory
    ranks: tuple[int, ...]
    cards: tuple[int, ...] = field(compare=False)

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the paytable rows that this hand can win."""
        return self.category.rows


def rank_five(cards: Iterable[int], *, low_ace: bool = True) -> FiveCardHand:
    """Return the hand that exactly five cards make; 5-4-3-2-A is a straight by default (R28)."""
    five = sorted(distinct(cards, (FIVE,)), reverse=True)
    ranks, tallied = tuple(map(rank_of, five)), count_cards(five)
    wheel = low_ace and ranks == WHEEL
    if has_suit(tallied, FIVE):
        category, decisive = _classify(ranks, flush=True, wheel=wheel)
    else:
        category, decisive, _ = _best_by_rank(tallied & ONLY_RANKS, low_ace)
    return FiveCardHand(category, decisive, by_importance(five, low_ace=wheel))


def best_five(cards: Iterable[int], *, low_ace: bool = True) -> FiveCardHand:
    """Return the best five-card hand of five or six cards; among equals, suits s, h, d, c first."""
    held = sorted(distinct(cards, (FIVE, SIX)), reverse=True)
    tallied = count_cards(held)
    category, decisive, pick = _best_by_rank(tallied & ONLY_RANKS, low_ace)
    hand = FiveCardHand(category, decisive, pick(held))
    if not has_suit(tallied, FIVE):
        return hand
    suited = combinations(longest_suit(held), FIVE)
    return max(hand, *(rank_five(five, low_ace=low_ace) for five in suited))


@cache
def _best_by_rank(tallied: int, low_ace: bool) -> tuple[FiveCardCategory, tuple[int, ...], Pick]:
    """Return category, deciding ranks and the picker of the best five cards, ignoring flushes."""
    ranks = ranks_of_count(tallied)
    places = _best_places(ranks, low_ace=low_ace)
    five = tuple(sorted([ranks[place] for place in places], reverse=True))
    return *_classify(five, flush=False, wheel=low_ace and five == WHEEL), itemgetter(*places)


def _best_places(ranks: tuple[int, ...], *, low_ace: bool) -> tuple[int, ...]:
    """Return the indexes of the best five ranks: quads, full house, straight, trips, pairs, high."""
    counts = [ranks.count(rank) for rank in ranks]
    full = max(counts) == 4 or sorted(counts, reverse=True)[:FIVE] in ([3, 3, 3, 2, 2], [3] * FIVE)
    run = () if full else highest_run(ranks, FIVE, low_ace=low_ace)
    return run or tuple(sorted(range(len(ranks)), key=lambda place: (-counts[place], place))[:FIVE])


def super_royal_suit(cards: Iterable[int]) -> str | None:
    """Return the suit of A-K-Q-J-10-9 in one suit (MD-06F8, MD-07E5b), or None."""
    six = sorted(distinct(cards, (SIX,)), reverse=True)
    suits = set(map(suit_of, six))
    if tuple(map(rank_of, six)) != SUPER_ROYAL_RANKS or len(suits) != 1:
        return None
    return SUIT_NAMES[suits.pop()]


def rows_of_six(six: Sequence[int], *, low_ace: bool = True) -> tuple[str, ...]:
    """Return the Six Card Bonus rows of six distinct cards, a Super Royal before its royal (R93)."""
    tallied = count_cards(six)
    if not has_suit(tallied, FIVE):
        return _best_by_rank(tallied & ONLY_RANKS, low_ace)[0].rows
    suit, rows = super_royal_suit(six), best_five(six, low_ace=low_ace).rows
    return rows if suit is None else (f"super_royal_{suit}", *rows)


def _classify(
    ranks: tuple[int, ...], *, flush: bool, wheel: bool
) -> tuple[FiveCardCategory, tuple[int, ...]]:
    grouped = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    shape = tuple(count for count, _ in grouped)
    decisive = tuple(rank for _, rank in grouped)
    if shape in BY_SHAPE:
        return BY_SHAPE[shape], decisive
    top = ranks[1] if wheel else ranks[0] if ranks[0] - ranks[-1] == FIVE - 1 else None
    if top is None:
        return (FiveCardCategory.FLUSH if flush else FiveCardCategory.HIGH_CARD), decisive
    if not flush:
        return FiveCardCategory.STRAIGHT, (top,)
    return (FiveCardCategory.ROYAL_FLUSH if top == ACE else FiveCardCategory.STRAIGHT_FLUSH), (top,)

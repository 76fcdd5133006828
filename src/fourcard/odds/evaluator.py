"""Fast hand evaluator: best four of five or of six cards, and best five of six, with a few look-ups per hand.

Each card has a number. In the sum of a hand's numbers the low bits identify its ranks, and the high bits
count its cards of each suit. The sum indexes a packed sparse table; suits are examined only where enough
cards share one. The tables are filled from ``fourcard.hands`` and ``bonus_hands``, the references.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FIVE, SIX
from fourcard.cards import DECK_SIZE, card_text
from fourcard.odds.kernels import inline_kernel, kernel
from fourcard.odds.ranking_tables import (
    FIRST_SUPER_ROYAL,
    RANK_PART,
    ROW_BITS,
    ROW_WIDTH,
    FiveCardTables,
    RankingTables,
    five_card_tables,
    ranking_tables,
)
from fourcard.refusals import BadInputError

Cards = NDArray[np.uint8]
Hands = NDArray[np.integer[Any]] | Sequence[Sequence[int]]
"""One hand per row: an integer array, fastest as unsigned bytes, or a list of hands."""
Strengths = NDArray[np.uint16]
RANK_MASK = np.uint64((1 << RANK_PART) - 1)
SUIT_SHIFT = np.uint64(RANK_PART)
ROW_SHIFT = np.uint64(ROW_BITS)
ROW_MASK = np.uint64(ROW_WIDTH - 1)
FOUR_TO_REACH_EIGHT = np.uint64(0x4444)
FIVE_TO_REACH_EIGHT = np.uint64(0x3333)
"""Added to the suit digits so that a suit of at least four, or five, cards reaches eight."""
SUIT_FULL = np.uint64(0x8888)


class HandsError(BadInputError):
    """The input does not hold hands of the required size."""


def best_of_five(hands: Hands) -> Strengths:
    """Return the strength, 0 to 2534, of the best four of each hand of five cards."""
    cards = _cards_of(hands, FIVE)
    found = np.empty(len(cards), np.uint16)
    _refuse_repeats(_rank_fives(ranking_tables(), cards, found), cards)
    return found


def best_of_six(hands: Hands) -> Strengths:
    """Return the strength, 0 to 2534, of the best four of each hand of six cards."""
    cards = _cards_of(hands, SIX)
    found = np.empty(len(cards), np.uint16)
    _refuse_repeats(_rank_sixes(ranking_tables(), cards, found), cards)
    return found


def best_five_of_six(hands: Hands, *, low_ace: bool = True) -> NDArray[np.uint8]:
    """Return the five-card category of each hand of six cards; a Super Royal is 10 + its suit."""
    cards = _cards_of(hands, SIX)
    found = np.empty(len(cards), np.uint8)
    _refuse_repeats(_rank_five_of_six(five_card_tables(low_ace=low_ace), cards, found), cards)
    return found


def _cards_of(hands: Hands, size: int) -> Cards:
    """Return hands as unsigned bytes, without a copy where they already are; refuse invalid hands."""
    array = hands if isinstance(hands, np.ndarray) else _array(hands, size)
    if array.ndim != 2 or array.shape[1] != size or array.dtype.kind not in "iu":
        raise HandsError(_size_message(size))
    signed = array.dtype.kind == "i"
    for card in (array.max(), *((array.min(),) if signed else ())) if len(array) else ():
        if not 0 <= card < DECK_SIZE:
            raise HandsError(f"{card} is not a card; a card is a number from 0 to {DECK_SIZE - 1}.")
    return array.astype(np.uint8, copy=False)


def _array(hands: Sequence[Sequence[int]], size: int) -> NDArray[Any]:
    """Return a list of hands, or an empty list, as an array; refuse rows of different lengths."""
    try:
        found = np.array(hands)
    except (ValueError, TypeError, OverflowError):
        raise HandsError(_size_message(size)) from None
    return found if found.size or found.ndim != 1 else np.empty((0, size), np.uint8)


def _size_message(size: int) -> str:
    return (
        f"Hands must be rows of {size} card numbers: a list of hands, or an integer array of {size} columns."
    )


def _refuse_repeats(repeated: int, hands: Cards) -> None:
    """Refuse the hands if the ranking kernel found that one holds a card twice."""
    if repeated:
        ordered = np.sort(hands, axis=1)
        row, place = np.argwhere(ordered[:, 1:] == ordered[:, :-1])[0].tolist()
        raise HandsError(f"The card {card_text(ordered[row, place])} appears more than once in hand {row}.")


@inline_kernel
def bit(card: int) -> np.uint64:
    """Return a card as one bit of 52; a card repeats if the sum of a hand's bits differs from their union."""
    return np.uint64(1) << np.uint64(card)


@inline_kernel
def suited_ranks(total: np.uint64, to_reach_eight: np.uint64, hands: Cards, row: int) -> int:
    """Return, as bits, the ranks of one hand in the suit whose digit reaches eight."""
    digits = ((total >> SUIT_SHIFT) + to_reach_eight) & SUIT_FULL
    suit = 0
    while digits != np.uint64(8):
        digits >>= np.uint64(4)
        suit += 1
    held = 0
    for place in range(hands.shape[1]):
        if hands[row, place] & 3 == suit:
            held |= 1 << (hands[row, place] >> 2)
    return held


@inline_kernel
def five_strength(tables: RankingTables, total: np.uint64, hands: Cards, row: int) -> int:
    """Return the strength of the best four of five cards whose numbers sum to ``total``."""
    ranks = total & RANK_MASK
    strength: int = tables.five_values[tables.five_row_starts[ranks >> ROW_SHIFT] + (ranks & ROW_MASK)]
    if ((total >> SUIT_SHIFT) + FOUR_TO_REACH_EIGHT) & SUIT_FULL:
        strength = max(strength, tables.suited_values[suited_ranks(total, FOUR_TO_REACH_EIGHT, hands, row)])
    return strength


@inline_kernel
def six_strength(tables: RankingTables, total: np.uint64, hands: Cards, row: int) -> int:
    """Return the strength of the best four of six cards whose numbers sum to ``total``."""
    ranks = total & RANK_MASK
    strength: int = tables.six_values[tables.six_row_starts[ranks >> ROW_SHIFT] + (ranks & ROW_MASK)]
    if ((total >> SUIT_SHIFT) + FOUR_TO_REACH_EIGHT) & SUIT_FULL:
        strength = max(strength, tables.suited_values[suited_ranks(total, FOUR_TO_REACH_EIGHT, hands, row)])
    return strength


@inline_kernel
def five_category(tables: FiveCardTables, total: np.uint64, hands: Cards, row: int) -> int:
    """Return the five-card category of five cards whose numbers sum to ``total``."""
    ranks = total & RANK_MASK
    category: int = tables.five_values[tables.five_row_starts[ranks >> ROW_SHIFT] + (ranks & ROW_MASK)]
    if ((total >> SUIT_SHIFT) + FIVE_TO_REACH_EIGHT) & SUIT_FULL:
        category = max(category, tables.suited_values[suited_ranks(total, FIVE_TO_REACH_EIGHT, hands, row)])
    return category


@inline_kernel
def six_category(tables: FiveCardTables, total: np.uint64, hands: Cards, row: int) -> int:
    """Return the category of the best five of six cards; a Super Royal also includes its suit."""
    ranks = total & RANK_MASK
    category: int = tables.six_values[tables.six_row_starts[ranks >> ROW_SHIFT] + (ranks & ROW_MASK)]
    if ((total >> SUIT_SHIFT) + FIVE_TO_REACH_EIGHT) & SUIT_FULL:
        category = max(category, tables.suited_values[suited_ranks(total, FIVE_TO_REACH_EIGHT, hands, row)])
        if category == FIRST_SUPER_ROYAL:
            category = FIRST_SUPER_ROYAL + (hands[row, 0] & 3)
    return category


@kernel
def _rank_fives(tables: RankingTables, hands: Cards, found: Strengths) -> int:
    n, repeated = tables.card_codes, np.uint64(0)
    for i in range(hands.shape[0]):
        a, b, c, d, e = hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4]
        found[i] = five_strength(tables, n[a] + n[b] + n[c] + n[d] + n[e], hands, i)
        added = bit(a) + bit(b) + bit(c) + bit(d) + bit(e)
        repeated |= added ^ (bit(a) | bit(b) | bit(c) | bit(d) | bit(e))
    return int(repeated)


@kernel
def _rank_sixes(tables: RankingTables, hands: Cards, found: Strengths) -> int:
    n, repeated = tables.card_codes, np.uint64(0)
    for i in range(hands.shape[0]):
        a, b, c, d, e, f = hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4], hands[i, 5]
        found[i] = six_strength(tables, n[a] + n[b] + n[c] + n[d] + n[e] + n[f], hands, i)
        added = bit(a) + bit(b) + bit(c) + bit(d) + bit(e) + bit(f)
        repeated |= added ^ (bit(a) | bit(b) | bit(c) | bit(d) | bit(e) | bit(f))
    return int(repeated)


@kernel
def _rank_five_of_six(tables: FiveCardTables, hands: Cards, found: NDArray[np.uint8]) -> int:
    n, repeated = tables.card_codes, np.uint64(0)
    for i in range(hands.shape[0]):
        a, b, c, d, e, f = hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4], hands[i, 5]
        found[i] = six_category(tables, n[a] + n[b] + n[c] + n[d] + n[e] + n[f], hands, i)
        added = bit(a) + bit(b) + bit(c) + bit(d) + bit(e) + bit(f)
        repeated |= added ^ (bit(a) | bit(b) | bit(c) | bit(d) | bit(e) | bit(f))
    return int(repeated)

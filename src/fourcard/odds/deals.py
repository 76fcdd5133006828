"""Hand frequencies: hands of each kind among five cards, six cards, and two hands of one deck."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FiveCardCategory
from fourcard.cards import DECK_SIZE, SUIT_NAMES
from fourcard.odds.classes import Cards, suit_classes
from fourcard.odds.counting import SIXTHS, STRENGTHS, sixth_strengths
from fourcard.odds.evaluator import best_of_five, five_category, six_category
from fourcard.odds.holding import Codes, Pairs, holding, joint_counts
from fourcard.odds.kernels import kernel
from fourcard.odds.progress import no_progress
from fourcard.odds.ranking_tables import SUPER_ROYAL, BonusTables, bonus_tables
from fourcard.odds.rows import Kind, kind_of_strength, kinds
from fourcard.odds.states import HAND

SIX = 6


@cache
def four_card_codes() -> Codes:
    """Return, for every suit class of five cards, the kind of its best four cards."""
    return kind_of_strength()[best_of_five(suit_classes(HAND).cards)]


@cache
def five_card_codes() -> Codes:
    """Return, for every suit class of five cards, their five-card category."""
    cards = suit_classes(HAND).cards
    found = np.zeros(len(cards), np.uint8)
    _categories(bonus_tables(), cards, found)
    return found


def five_card_kinds() -> tuple[Kind, ...]:
    """Return every category of five cards as a kind, the weakest first."""
    return tuple(category.rows for category in FiveCardCategory)


@cache
def hand_counts(*, five_cards: bool) -> Mapping[Kind, int]:
    """Return the number of the 2,598,960 hands of each kind, by best four cards or by all five."""
    codes, names = (five_card_codes(), five_card_kinds()) if five_cards else (four_card_codes(), kinds())
    sizes = suit_classes(HAND).sizes
    found = np.zeros(len(names), np.int64)
    np.add.at(found, codes, sizes)
    return MappingProxyType(dict(zip(names, found.tolist(), strict=True)))


@cache
def six_card_counts(*, low_ace: bool) -> Mapping[Kind, int]:
    """Return the number of the 20,358,520 sets of six cards of each kind for the Six Card Bonus."""
    found = np.zeros(SUPER_ROYAL + len(SUIT_NAMES), np.int64)
    _count_sixes(bonus_tables(low_ace=low_ace), np.zeros((1, SIX), np.uint8), found)
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
def player_and_dealer() -> Pairs:
    """Count pairs of a player's five and a dealer's six cards, by the kinds of their best four."""
    sixth = kind_of_strength()[_sixths()]
    five = (sixth[:, :, None] == np.arange(len(kinds()), dtype=np.uint8)).sum(axis=1, dtype=np.int64)
    return joint_counts(four_card_codes(), len(kinds()), holding(five, SIX))


@cache
def two_players() -> tuple[tuple[tuple[Kind, Kind], ...], Pairs]:
    """Return the joint four-card and five-card kinds, and the pairs of two players' hands by them."""
    four, five = four_card_codes(), five_card_codes()
    together = four.astype(np.int64) * len(five_card_kinds()) + five
    present, codes = np.unique(together, return_inverse=True)
    named = [divmod(code, len(five_card_kinds())) for code in present.tolist()]
    one_hot: NDArray[np.int64] = (codes[:, None] == np.arange(len(present))).astype(np.int64)
    pairs = joint_counts(codes.astype(np.uint8), len(present), holding(one_hot, HAND))
    return tuple((kinds()[a], five_card_kinds()[b]) for a, b in named), pairs


@kernel
def _categories(tables: BonusTables, hands: Cards, found: NDArray[np.uint8]) -> None:
    n = tables.numbers
    for i in range(hands.shape[0]):
        total = n[hands[i, 0]] + n[hands[i, 1]] + n[hands[i, 2]] + n[hands[i, 3]] + n[hands[i, 4]]
        found[i] = five_category(tables, total, hands, i)


@kernel
def _count_sixes(tables: BonusTables, hand: Cards, found: NDArray[np.int64]) -> None:
    n = tables.numbers
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

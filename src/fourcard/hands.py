"""Four-card poker hands: the readable reference that every faster evaluator must agree with.

A hand is compared by category, then by rank within the category, then by its other cards (R20 reads
MA-3c.1, MD-06D and IA-RANK-3.1 so); suits never matter. The best hand is taken from four, five or six
cards (MA-1-HAND, MD-01B4, IA-DEF-2), and all four of its cards count (SM-W1-7, WA-W1-7).

Cards are counted by rank and suit in one number: each rank has three bits, and above the ranks each suit
has a hexadecimal digit. What ranks alone decide is cached by the lower part of that number.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Literal

from fourcard.cards import DECK, RANK_NAMES, RANKS, distinct, rank_of, suit_of

RANK_BITS = 3
ALL_RANKS = RANK_BITS * len(RANKS)
ONLY_RANKS = (1 << ALL_RANKS) - 1
ACE = len(RANKS) - 1
_NUMBERS = tuple((1 << RANK_BITS * rank_of(card)) + (1 << ALL_RANKS + 4 * suit_of(card)) for card in DECK)


def count_cards(cards: Iterable[int]) -> int:
    """Return cards counted by rank and by suit."""
    return sum([_NUMBERS[card] for card in cards])


def ranks_of_count(tallied: int) -> tuple[int, ...]:
    """Return the ranks of a count, high to low, with repeats."""
    found: list[int] = []
    while tallied:
        rank = (tallied.bit_length() - 1) // RANK_BITS
        count = tallied >> RANK_BITS * rank
        found += [rank] * count
        tallied -= count << RANK_BITS * rank
    return tuple(found)


def has_suit(tallied: int, least: int) -> bool:
    """Say whether at least so many cards share a suit (its digit plus 8 - least then sets the high bit)."""
    return (tallied >> ALL_RANKS) + (8 - least) * 0x1111 & 0x8888 != 0


def longest_suit(cards: Sequence[int]) -> list[int]:
    """Return the cards of the longest suit in the order given."""
    suits = [suit_of(card) for card in cards]
    longest = max(suits, key=suits.count)
    return [card for card in cards if suit_of(card) == longest]


def highest_run(ranks: tuple[int, ...], size: int, *, low_ace: bool = True) -> tuple[int, ...]:
    """Return the indexes of the highest sequence of so many ranks, or none; an ace may be low."""
    held = set(ranks)
    for run in _runs(size):
        if held.issuperset(run) and (low_ace or run[-1] != ACE):
            return tuple(map(ranks.index, run))
    return ()


@cache
def _runs(size: int) -> tuple[tuple[int, ...], ...]:
    """Return every sequence of so many ranks, the highest first; the ace is also low."""
    tops = range(ACE, size - 3, -1)
    return tuple(tuple(rank % (ACE + 1) for rank in range(top, top - size, -1)) for top in tops)


HAND_SIZE = 4
PLAYER_CARDS = 5
DEALER_CARDS = 6
HAND_SIZES = range(HAND_SIZE, DEALER_CARDS + 1)
LOW_STRAIGHT = (ACE, 2, 1, 0)
"""The one sequence in which an ace is low: 4-3-2-A (MA-3a.3, SM-RANK-3, MD-06A1, WA-RANK-3, R22)."""


Pick = Callable[[Sequence[int]], tuple[int, ...]]
"""Function that picks the cards of a hand from the held cards, sorted high to low."""


CategoryName = Literal[
    "high_card",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
]
"""Names of the categories, the lowest first, as files and answers write them."""


class Category(IntEnum):
    """Hand category, lowest first (MA-3b.0, SM-RANK-1, MD-06C.0, WA-RANK-1, IA-RANK-2.0)."""

    text: str
    """The name that files and answers use, such as ``two_pair``."""

    HIGH_CARD = 0
    """None of the others: the highest card decides, then the next (SM-RANK-2, WA-RANK-2, IA-RANK-2g)."""
    PAIR = 1
    """Two cards of one rank (MA-3b7, MD-06C7, IA-RANK-2f)."""
    TWO_PAIR = 2
    """Two pairs of different ranks (MA-3b6, MD-06C6, IA-RANK-2e)."""
    STRAIGHT = 3
    """Four ranks in sequence, not all of one suit (MA-3b5, MD-06C5, IA-RANK-2d)."""
    FLUSH = 4
    """Four cards of one suit, not in sequence (MA-3b4, MD-06C4, IA-RANK-2c)."""
    THREE_OF_A_KIND = 5
    """Three cards of one rank (MA-3b3, MD-06C3, IA-RANK-2b2)."""
    STRAIGHT_FLUSH = 6
    """Four cards of one suit in sequence (MA-3b2, MD-06C2, IA-RANK-2b1)."""
    FOUR_OF_A_KIND = 7
    """Four cards of one rank (MA-3b1, MD-06C1, IA-RANK-2a)."""


for _category in Category:
    _category.text = _category.name.lower()

FOUR_CARD_ROWS = (*(each.text for each in reversed(Category) if each > Category.PAIR), "pair_of_aces")
"""Rows of a table of four-card hands, the best first, down to the lowest that any table pays."""


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """Four-card hand; compared by its strength alone, so equal hands tie (MA-3c.2, MD-06E, IA-RANK-3.2)."""

    category: Category
    ranks: tuple[int, ...]
    """Deciding ranks within the category, most important first; a straight has only its top card."""
    cards: tuple[int, ...] = field(compare=False)
    """The cards in order of importance; a low straight as 4 3 2 A."""

    @property
    def strength(self) -> int:
        """Return the strength from 0 (lowest) to 2,534."""
        return _strengths()[self.category, self.ranks]

    @property
    def is_pair_of_aces(self) -> bool:
        """Say whether this is a pair of aces, the lowest hand that Aces Up pays."""
        return self.category is Category.PAIR and self.ranks[0] == ACE

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the paytable rows that this hand can win, the most specific first."""
        return _rows(self.category, self.ranks[0] == ACE)

    @property
    def name(self) -> str:
        """Return the announced name, such as ``pair of aces, king and seven``."""
        return _announce(self)


@cache
def _rows(category: Category, of_aces: bool) -> tuple[str, ...]:
    """Return the paytable rows of a category; a hand of aces has its own row first.

    The suited A-K-Q-J is what Cover All calls a royal flush (MA-12-RF, R25).
    """
    special = {
        Category.FOUR_OF_A_KIND: "four_aces",
        Category.STRAIGHT_FLUSH: "royal_flush",
        Category.PAIR: "pair_of_aces",
    }
    return (special[category], category.text) if of_aces and category in special else (category.text,)


def rank_four(cards: Iterable[int]) -> Hand:
    """Return the hand that exactly four cards make."""
    return _hand(sorted(distinct(cards, (HAND_SIZE,)), reverse=True))


def best_hand(cards: Iterable[int]) -> Hand:
    """Return the best hand of four to six cards; equal hands show suits in the order s, h, d, c."""
    return best_of(sorted(distinct(cards, HAND_SIZES), reverse=True))


def best_of(held: Sequence[int]) -> Hand:
    """Return the best hand of four to six distinct cards sorted high to low (unchecked)."""
    tallied = count_cards(held)
    category, decisive, pick = _best_by_rank(tallied & ONLY_RANKS)
    hand = Hand(category, decisive, pick(held))
    if not has_suit(tallied, HAND_SIZE):
        return hand
    return max(hand, *map(_hand, combinations(longest_suit(held), HAND_SIZE)))


@cache
def _best_by_rank(tallied: int) -> tuple[Category, tuple[int, ...], Pick]:
    """Return category, deciding ranks and the picker of the best four cards, ignoring flushes.

    The cards are picked by index in the sorted cards, so the first suits of a rank are shown.
    """
    ranks = ranks_of_count(tallied)
    places = _best_places(ranks)
    four = tuple(sorted([ranks[place] for place in places], reverse=True))
    return *_classify(four, flush=False), itemgetter(*places)


def _best_places(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the indexes of the best four ranks by importance: of a kind, straight, pairs, high."""
    counts = [ranks.count(rank) for rank in ranks]
    most = max(counts)
    run = highest_run(ranks, HAND_SIZE) if most <= 2 else ()
    if run:
        return run
    leading = [place for place, count in enumerate(counts) if count == most][: HAND_SIZE // most * most]
    return (*leading, *(place for place in range(len(ranks)) if place not in leading))[:HAND_SIZE]


def _hand(four: Sequence[int]) -> Hand:
    """Return the hand of four distinct cards sorted high to low."""
    ranks = tuple(map(rank_of, four))
    flush = len(set(map(suit_of, four))) == 1
    category, decisive = _classify(ranks, flush=flush)
    return Hand(category, decisive, by_importance(four, low_ace=ranks == LOW_STRAIGHT))


def _classify(ranks: tuple[int, ...], *, flush: bool) -> tuple[Category, tuple[int, ...]]:
    """Return category and deciding ranks of four ranks sorted high to low."""
    grouped = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    shape = tuple(count for count, _ in grouped)
    decisive = tuple(rank for _, rank in grouped)
    if shape == (4,):
        return Category.FOUR_OF_A_KIND, decisive
    if shape == (3, 1):
        return Category.THREE_OF_A_KIND, decisive
    if shape == (2, 2):
        return Category.TWO_PAIR, decisive
    if shape == (2, 1, 1):
        return Category.PAIR, decisive
    top = _straight_top(ranks)
    if top is not None:
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT), (top,)
    return (Category.FLUSH if flush else Category.HIGH_CARD), decisive


def _straight_top(ranks: tuple[int, ...]) -> int | None:
    """Return the top of four consecutive ranks, or None; no sequence wraps round the ace (MD-06A2, R23)."""
    if ranks == LOW_STRAIGHT:
        return ranks[1]
    return ranks[0] if ranks[0] - ranks[3] == len(set(ranks)) - 1 == HAND_SIZE - 1 else None


def by_importance(cards: Sequence[int], *, low_ace: bool) -> tuple[int, ...]:
    """Sort cards by how many share their rank; a low ace comes last."""
    if low_ace:
        return (*cards[1:], cards[0])
    held = Counter(map(rank_of, cards))
    return tuple(sorted(cards, key=lambda card: (held[rank_of(card)], card), reverse=True))


@cache
def _strengths() -> dict[tuple[Category, tuple[int, ...]], int]:
    """Return the number of every distinct strength, from the lowest up."""
    found: set[tuple[Category, tuple[int, ...]]] = set()
    for rising in combinations_with_replacement(range(ACE + 1), HAND_SIZE):
        ranks = rising[::-1]
        found.add(_classify(ranks, flush=False))
        if len(set(ranks)) == HAND_SIZE:
            found.add(_classify(ranks, flush=True))
    return {key: number for number, key in enumerate(sorted(found))}


def plural_rank(rank: int) -> str:
    """Return a rank's plural name: ``sixes``."""
    name = RANK_NAMES[rank]
    return name + ("es" if name == "six" else "s")


def _announce(hand: Hand) -> str:
    first, *rest = hand.ranks
    others = " and ".join(RANK_NAMES[rank] for rank in rest)
    match hand.category:
        case Category.FOUR_OF_A_KIND:
            return f"four {plural_rank(first)}"
        case Category.THREE_OF_A_KIND:
            return f"three {plural_rank(first)}, {others}"
        case Category.TWO_PAIR:
            return f"two pair, {plural_rank(first)} and {plural_rank(rest[0])}"
        case Category.PAIR:
            return f"pair of {plural_rank(first)}, {others}"
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH:
            return f"{hand.category.text.replace('_', ' ')}, {RANK_NAMES[first]} high"
        case _:
            names = [RANK_NAMES[rank] for rank in rest]
            kind = "flush" if hand.category is Category.FLUSH else "high card"
            return f"{kind}, {RANK_NAMES[first]}, {', '.join(names[:-1])} and {names[-1]}"

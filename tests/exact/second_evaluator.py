"""A second evaluator of four-card hands, by bit patterns, that the reference is compared with.

It shares no code with ``fourcard.hands``: each suit is a mask of 13 rank bits, masks combine into which ranks
are held once, twice, three and four times, and a hand is one integer that needs no list of all hands.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
)
LOW = 1 << 12 | 0b111
"""The pattern of ace, four, three and two."""
TOPS = {0b1111 << low: 0b1000 << low for low in range(10)} | {LOW: 0b100}
"""The bit of the top card of every sequence by the sequence's pattern."""


def masks(cards: Iterable[int]) -> tuple[int, int, int, int, bool]:
    """Return the ranks held at least once to four times, and whether all cards share a suit."""
    suits = [0, 0, 0, 0]
    for card in cards:
        suits[card % 4] |= 1 << card // 4
    once = twice = thrice = four_times = 0
    for suit in suits:
        four_times |= thrice & suit
        thrice |= twice & suit
        twice |= once & suit
        once |= suit
    return once, twice, thrice, four_times, suits.count(0) == 3


def score(cards: Iterable[int]) -> int:
    """Return the strength of four cards: three bits of category, 13 of repeated ranks, 13 of the others."""
    once, twice, thrice, four_times, suited = masks(cards)
    if four_times:
        return _packed("four_of_a_kind", four_times, 0)
    if thrice:
        return _packed("three_of_a_kind", thrice, once & ~thrice)
    if twice:
        return _packed("pair" if once & ~twice else "two_pair", twice, once & ~twice)
    if once in TOPS:
        return _packed("straight_flush" if suited else "straight", 0, TOPS[once])
    return _packed("flush" if suited else "high_card", 0, once)


def category(scored: int) -> str:
    """Return the name of the category that a score belongs to."""
    return CATEGORIES[scored >> 26]


def best_score(cards: Iterable[int]) -> int:
    """Return the highest score of any four of the cards."""
    return max(map(score, combinations(cards, 4)))


def best_shown(cards: Sequence[int]) -> tuple[int, ...]:
    """Return the four cards to show: of all that score best, those whose suits come first in s, h, d, c."""
    best = best_score(cards)
    equal = [by_importance(four) for four in combinations(cards, 4) if score(four) == best]
    return min(equal, key=lambda four: list(map(_suit_place, four)))


def by_importance(four: Sequence[int]) -> tuple[int, ...]:
    """Order four cards by how often their rank is held, then by rank as it plays, then by suit s, h, d, c."""
    ranks = [card // 4 for card in four]
    low = sum(1 << rank for rank in set(ranks)) == LOW

    def place(card: int) -> tuple[int, int, int]:
        rank = card // 4
        return -ranks.count(rank), 1 if low and rank == 12 else -rank, _suit_place(card)

    return tuple(sorted(four, key=place))


def _suit_place(card: int) -> int:
    return "shdc".index("cdhs"[card % 4])


def _packed(name: str, repeated: int, others: int) -> int:
    return CATEGORIES.index(name) << 26 | repeated << 13 | others

"""Rank counts: cards counted by rank and suit in one number, so equal rank patterns are judged once.

Each rank has three bits and, above all ranks, each suit a hexadecimal digit; adding the numbers of the cards
counts both at once. What ranks alone decide is cached by the lower part of the number.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from fourcard.cards import DECK, RANKS, rank_of, suit_of

RANK_BITS = 3
ALL_RANKS = RANK_BITS * len(RANKS)
ONLY_RANKS = (1 << ALL_RANKS) - 1
ACE = len(RANKS) - 1
_NUMBERS = tuple((1 << RANK_BITS * rank_of(card)) + (1 << ALL_RANKS + 4 * suit_of(card)) for card in DECK)


def tally(cards: Iterable[int]) -> int:
    """Return cards counted by rank and by suit."""
    return sum([_NUMBERS[card] for card in cards])


def ranks_in(tallied: int) -> tuple[int, ...]:
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

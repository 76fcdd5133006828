"""Exact distributions of a fair shuffle: counted in whole numbers and divided once."""

from math import comb, factorial, prod

from fourcard.cards import DECK_SIZE

HALF = DECK_SIZE // 2
HAND = 5
HANDS = ((1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1), (5,))
"""The ways in which five cards can repeat kinds."""
EQUAL_PAIRS = {sum(comb(part, 2) for part in parts): parts for parts in HANDS}
"""The same by the number of equal pairs among the five cards, which is different for each."""


def fixed_points() -> list[float]:
    """Return the probabilities of 0, 1, 2 ... fixed points."""
    derangements = [1, 0]
    for number in range(2, DECK_SIZE + 1):
        derangements.append((number - 1) * (derangements[-1] + derangements[-2]))
    orders = factorial(DECK_SIZE)
    return [comb(DECK_SIZE, k) * derangements[DECK_SIZE - k] / orders for k in range(DECK_SIZE + 1)]


def ascents() -> list[float]:
    """Return the probabilities of 0, 1, 2 ... ascents (Eulerian numbers)."""
    row = [1]
    for size in range(2, DECK_SIZE + 1):
        before, after = [*row, 0], [0, *row]
        row = [(k + 1) * before[k] + (size - k) * after[k] for k in range(size)]
    return [ways / factorial(DECK_SIZE) for ways in row]


def changes() -> list[float]:
    """Return the probabilities of 0, 1, 2 ... changes between 26 cards of one kind and 26 of the other."""
    chances = []
    for runs in range(1, DECK_SIZE + 1):
        one, other = comb(HALF - 1, (runs + 1) // 2 - 1), comb(HALF - 1, runs // 2 - 1) if runs > 1 else 0
        chances.append(2 * one * other / comb(DECK_SIZE, HALF))
    return chances


def overlaps() -> list[float]:
    """Return the probabilities of 0, 1, 2 ... common cards of two independent halves of a deck."""
    return [comb(HALF, k) * comb(HALF, HALF - k) / comb(DECK_SIZE, HALF) for k in range(HALF + 1)]


def equal_pairs(kinds: int) -> dict[int, float]:
    """Return the probabilities of five-card hands by equal pairs, for a deck of so many kinds."""
    return {pairs: _ways(parts, kinds) / comb(DECK_SIZE, HAND) for pairs, parts in EQUAL_PAIRS.items()}


def _ways(parts: tuple[int, ...], kinds: int) -> int:
    each = DECK_SIZE // kinds
    alike = prod(factorial(parts.count(part)) for part in {*parts})
    choices = prod(kinds - index for index in range(len(parts))) // alike
    return choices * prod(comb(each, part) for part in parts)

"""Deck tests: card positions, first hands, neighbours, runs, and correlation between shuffles.

Sums of squares over dependent cells are divided by their exact variance. Where all cards are interchangeable,
that variance is the same in every direction: the square of one deck's own table divided by the degrees of
freedom.
"""

from collections.abc import Iterator
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK, DECK_SIZE, RANKS, SUITS
from fourcard.house.randomness.exact import HAND, ascents, changes, equal_pairs, fixed_points, overlaps
from fourcard.house.randomness.measures import (
    Measure,
    chi_square,
    coins,
    even,
    likely,
    mean,
    most_unusual,
    never,
)
from fourcard.house.randomness.sampling import Bytes

Table = NDArray[np.float64]
Whole = NDArray[np.integer[Any]]
DECK_LAGS = (1, 2, 3, 4)
SIZE = DECK_SIZE
SQUARES = SIZE * (SIZE * SIZE - 1) / 12
"""The sum of squares of all positions, counted from the middle."""


def deck_measures(decks: Bytes) -> Iterator[Measure]:
    """Yield the result of every deck test."""
    yield from _places(decks)
    yield from _first_hands(decks)
    yield from _neighbours(decks)
    yield from _runs(decks)
    yield from _against_new_deck(decks)
    yield from _within(decks)
    yield from _between(decks)
    yield _repeated_decks(decks)


def _places(decks: Bytes) -> Iterator[Measure]:
    """Test how often each card is in each position: the whole table, and the first card alone."""
    count = len(decks)
    table = np.bincount((decks + np.arange(SIZE) * SIZE).ravel(), minlength=SIZE * SIZE)
    squares = ((table - count / SIZE) ** 2).sum()
    yield chi_square("each card in each place", count, squares * (SIZE - 1) / count, (SIZE - 1) ** 2)
    yield most_unusual("the most unusual card in a place", table, count, 1 / SIZE)
    yield even("the first card", table[:SIZE])


def _first_hands(decks: Bytes) -> Iterator[Measure]:
    """Test the first five cards: which cards, and how often ranks and suits repeat."""
    count, hands = len(decks), decks[:, :HAND]
    dealt = np.bincount(hands.ravel(), minlength=SIZE)
    variance = count * HAND * (SIZE - HAND) / SIZE / (SIZE - 1)
    squares = ((dealt - count * HAND / SIZE) ** 2).sum()
    yield chi_square("cards of the first hand", count, squares / variance, SIZE - 1)
    yield _repeats("ranks of the first hand", hands >> 2, len(RANKS))
    yield _repeats("suits of the first hand", hands & 3, len(SUITS))


def _repeats(name: str, kinds: Whole, number: int) -> Measure:
    pairs = sum(
        (kinds[:, one] == kinds[:, other]).astype(np.int64) for one in range(HAND) for other in range(one)
    )
    chances = {pairs: chance for pairs, chance in equal_pairs(number).items() if chance}
    counts = np.bincount(np.asarray(pairs), minlength=max(chances) + 1)
    return likely(name, counts[list(chances)], list(chances.values()))


def _neighbours(decks: Bytes) -> Iterator[Measure]:
    """Test which cards are neighbours, in either order and in each order."""
    count, pairs = len(decks), _pairs(decks)
    own = _pairs(np.array([DECK], np.uint8))
    for name, sign, degrees in (
        ("neighbours", 1, SIZE * (SIZE - 3) // 2),
        ("neighbours in their order", -1, (SIZE - 1) * (SIZE - 2) // 2),
    ):
        squares = (_beyond_rows(pairs + sign * pairs.T, sign) ** 2).sum()
        variance = count * (_beyond_rows(own + sign * own.T, sign) ** 2).sum() / degrees
        yield chi_square(name, count * (SIZE - 1), squares / variance, degrees)
    one_way = pairs[~np.eye(SIZE, dtype=bool)].astype(np.int64)
    yield most_unusual("the most unusual neighbours", one_way, count, 1 / SIZE)


def _pairs(decks: Bytes) -> Table:
    """Return how often each card (row) was followed by each other card (column)."""
    followed = decks[:, :-1].astype(np.int64) * SIZE + decks[:, 1:]
    return np.bincount(followed.ravel(), minlength=SIZE * SIZE).reshape(SIZE, SIZE).astype(np.float64)


def _beyond_rows(table: Table, sign: int) -> Table:
    """Return a table less what its row sums explain; the diagonal stays empty."""
    rows = table.sum(axis=1)
    if sign < 0:
        share = rows / SIZE
        beyond: Table = table - (share[:, None] - share[None, :])
        return beyond
    share = (rows - rows.sum() / (2 * (SIZE - 1))) / (SIZE - 2)
    beyond = table - (share[:, None] + share[None, :])
    np.fill_diagonal(beyond, 0)
    return beyond


def _runs(decks: Bytes) -> Iterator[Measure]:
    """Test runs of high and low cards, of red and black cards, and of ascending cards."""
    for name, kind in (
        ("runs of high and low cards", decks >= SIZE // 2),
        ("runs of red and black cards", ((decks & 3) == 1) | ((decks & 3) == 2)),
    ):
        turns = np.count_nonzero(kind[:, 1:] != kind[:, :-1], axis=1)
        yield likely(name, np.bincount(turns, minlength=SIZE), changes())
    rises = np.count_nonzero(decks[:, 1:] > decks[:, :-1], axis=1)
    yield likely("ascending runs", np.bincount(rises, minlength=SIZE), ascents())


def _against_new_deck(decks: Bytes) -> Iterator[Measure]:
    """Compare every deck with an unshuffled one."""
    stayed = np.count_nonzero(decks == np.arange(SIZE), axis=1)
    yield likely("cards in their old place", np.bincount(stayed, minlength=SIZE + 1), fixed_points())
    products = _products(decks, np.arange(SIZE, dtype=np.uint8))
    yield mean("correlation with a new deck", products, 0, SQUARES / (SIZE - 1) ** 0.5)
    inversions = np.zeros(len(decks), np.int64)
    for gap in range(1, SIZE):
        inversions += np.count_nonzero(decks[:, gap:] < decks[:, :-gap], axis=1)
    variance = SIZE * (SIZE - 1) * (2 * SIZE + 5) / 72
    yield mean("cards that overtook another", inversions, SIZE * (SIZE - 1) / 4, variance**0.5)
    yield coins("even and odd orders", int((inversions & 1).sum()), len(decks))


def _within(decks: Bytes) -> Iterator[Measure]:
    """Correlate the cards of a deck with those a few positions later."""
    for lag in DECK_LAGS:
        products = _products(decks[:, lag:], decks[:, :-lag])
        yield mean(f"correlation in a deck, lag {lag}", products, -(SIZE - lag) * (SIZE + 1) / 12)


def _between(decks: Bytes) -> Iterator[Measure]:
    """Compare each card's position with its position in the next shuffles."""
    places = np.argsort(decks, axis=1).astype(np.uint8)
    stayed = np.count_nonzero(places[1:] == places[:-1], axis=1)
    yield likely("cards that kept their place", np.bincount(stayed, minlength=SIZE + 1), fixed_points())
    upper = places < SIZE // 2
    both = np.count_nonzero(upper[1:] & upper[:-1], axis=1)
    yield likely("runs of a card in one half", np.bincount(both, minlength=SIZE // 2 + 1), overlaps())
    for lag in DECK_LAGS:
        products = _products(places[lag:], places[:-lag])
        yield mean(f"correlation between shuffles, lag {lag}", products, 0, SQUARES / (SIZE - 1) ** 0.5)


def _products(one: Bytes, other: Bytes) -> Table:
    """Return the row sums of products of two arrays, each centred on the middle of a deck."""
    doubled = ((2 * each.astype(np.int16) - (SIZE - 1)) for each in (one, other))
    left, right = doubled
    sums: Table = (left * right).sum(axis=1, dtype=np.int64) / 4
    return sums


def _repeated_decks(decks: Bytes) -> Measure:
    count = len(decks)
    repeated = count - len({row.tobytes() for row in decks})
    return never("decks seen before", repeated, count, count * count / 2 / factorial(SIZE))

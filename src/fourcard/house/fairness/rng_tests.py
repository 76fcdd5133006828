"""RNG tests: statistical tests of shuffled decks and of the bytes behind them.

All tests are two-sided: results that are too close to the expected ones are suspicious too. Sums of squares
over dependent cells are divided by their exact variance. Where all cards are interchangeable, that variance
is the same in every direction: the square of one deck's own table divided by the degrees of freedom.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import comb, factorial, prod
from typing import Any, Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, chdtr, chdtrc, ndtr  # type: ignore[import-untyped]

from fourcard.cards import DECK, DECK_SIZE, RANKS, SUITS
from fourcard.house.clock_entropy import Entropy
from fourcard.house.shuffle_algorithm import SECRET_BYTES, ShuffleInput, order_of, raw_bytes
from fourcard.refusals import BadInputError

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


def kind_changes() -> list[float]:
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


RngTestMethod = Literal["chi-square", "normal", "binomial", "count"]
Values = NDArray[np.float64] | NDArray[np.int64]
LEAST_EXPECTED = 5.0
"""Cells with a smaller expected count are pooled."""
LEAST_SPREAD = 1e-6
"""The least standard deviation to divide by, for values that never differ."""


class RngStatistic(msgspec.Struct, frozen=True):
    """The result of one test."""

    name: str
    method: RngTestMethod
    count: int
    """The number of observations."""
    statistic: float
    degrees: int | None
    p: float
    """The two-sided p-value."""


def chi_square_test(name: str, count: int, statistic: float, degrees: int) -> RngStatistic:
    """Test a chi-square statistic."""
    tail = min(float(chdtr(degrees, statistic)), float(chdtrc(degrees, statistic)))
    return RngStatistic(name, "chi-square", count, float(statistic), degrees, min(1.0, 2 * tail))


def z_test(name: str, count: int, score: float) -> RngStatistic:
    """Test a z-score."""
    return RngStatistic(name, "normal", count, float(score), None, float(2 * ndtr(-abs(score))))


def uniformity_test(name: str, observed: Values) -> RngStatistic:
    """Test counts of equally likely outcomes."""
    expected = observed.sum() / observed.size
    statistic = ((observed - expected) ** 2).sum() / expected
    return chi_square_test(name, int(observed.sum()), statistic, observed.size - 1)


def goodness_of_fit_test(name: str, observed: Values, chances: Sequence[float]) -> RngStatistic:
    """Test counts of outcomes with known probabilities; rare outcomes are pooled."""
    count = int(observed.sum())
    cells = sorted(zip(np.asarray(chances) * count, observed, strict=True), key=lambda cell: -cell[0])
    pooled: list[tuple[float, float]] = []
    for expected, seen in cells:
        if pooled and expected < LEAST_EXPECTED:
            pooled[-1] = (pooled[-1][0] + expected, pooled[-1][1] + seen)
        else:
            pooled.append((expected, seen))
    statistic = sum((seen - expected) ** 2 / expected for expected, seen in pooled)
    return chi_square_test(name, count, statistic, len(pooled) - 1)


def mean_test(name: str, values: Values, expected: float, deviation: float | None = None) -> RngStatistic:
    """Test the mean of independent values, by a known or the sample standard deviation."""
    spread = max(float(values.std(ddof=1)), LEAST_SPREAD) if deviation is None else deviation
    return z_test(name, values.size, (float(values.mean()) - expected) / spread * values.size**0.5)


def coin_test(name: str, heads: int, tosses: int) -> RngStatistic:
    """Test the heads of a fair coin."""
    return z_test(name, tosses, (2 * heads - tosses) / tosses**0.5)


def extreme_count_test(name: str, counts: Values, trials: int, chance: float) -> RngStatistic:
    """Test the most extreme of many binomial counts."""
    low, high = bdtr(counts, trials, chance), bdtrc(counts - 1, trials, chance)
    tails = np.minimum(low, high)
    furthest = int(tails.argmin())
    score = (counts[furthest] - trials * chance) / (trials * chance * (1 - chance)) ** 0.5
    p = min(1.0, 2 * float(tails[furthest]) * counts.size)
    return RngStatistic(name, "binomial", trials, float(score), None, p)


def rare_event_test(name: str, seen: int, count: int, chance: float) -> RngStatistic:
    """Test an event that should practically never happen."""
    return RngStatistic(name, "count", count, float(seen), None, min(1.0, chance) if seen else 1.0)


Bytes = NDArray[np.uint8]
SampleProgress = Callable[[float], None]
"""Callback with the additional share of the work done."""
TABLE = "rng-test"
BLOCKS = 7
"""Blocks of the stream that a shuffle needs: 51 draws of 4 bytes, if none is rejected."""
MIN_SHUFFLES, MAX_SHUFFLES = 2_000, 1_000_000
"""Fewer shuffles make the approximations invalid; more do not fit into memory."""
STEPS = 200


class SampledShuffle(msgspec.Struct, frozen=True, gc=False):
    """One shuffle."""

    order: bytes
    """The cards, one byte each, top card first."""
    output: bytes
    """The bytes that the generator gave for it."""
    entropy: bytes
    """The bytes that the generator was seeded with."""


class ShuffleSource(Protocol):
    """Returns the shuffle of a number."""

    def __call__(self, number: int) -> SampledShuffle:
        """Return a shuffle; the lengths are the same every time."""
        ...


class ShuffleSample(msgspec.Struct, frozen=True):
    """Many shuffles, one row each."""

    decks: Bytes
    output: Bytes
    entropy: Bytes


class HouseShuffler:
    """The house's own generator, with a new secret for every shuffle."""

    def __init__(self, entropy: Entropy) -> None:
        """Draw the secrets from an entropy source."""
        self.entropy = entropy

    def __call__(self, number: int) -> SampledShuffle:
        """Return a shuffle."""
        secret = self.entropy.draw(SECRET_BYTES)
        shuffle = ShuffleInput(TABLE, number, round=number)
        output = b"".join(islice(raw_bytes(secret, shuffle), BLOCKS))
        return SampledShuffle(bytes(order_of(secret, shuffle)), output, secret)


def take_sample(shuffler: ShuffleSource, shuffles: int, step: SampleProgress) -> ShuffleSample:
    """Take a number of shuffles; refuse a number that is too small or too large."""
    if not MIN_SHUFFLES <= shuffles <= MAX_SHUFFLES:
        raise BadInputError(
            f"The number of shuffles must be from {MIN_SHUFFLES:,} to {MAX_SHUFFLES:,}, not {shuffles:,}."
        )
    decks, output, entropy = bytearray(), bytearray(), bytearray()
    every = -(-shuffles // STEPS)
    for number in range(1, shuffles + 1):
        draw = shuffler(number)
        decks += draw.order
        output += draw.output
        entropy += draw.entropy
        if number % every == 0:
            step(every / shuffles)
    return ShuffleSample(*(_rows(each, shuffles) for each in (decks, output, entropy)))


def _rows(taken: bytearray, shuffles: int) -> Bytes:
    return np.frombuffer(taken, np.uint8).reshape(shuffles, -1)


def are_complete_decks(decks: Bytes) -> bool:
    """Return whether every row is a complete deck."""
    if decks.shape[1] != DECK_SIZE:
        return False
    return bool((np.sort(decks, axis=1) == np.arange(DECK_SIZE, dtype=np.uint8)).all())


BITS, WORD_BITS, BLOCK = 8, 32, 32
BYTE_LAGS = (1, 2, 4, BLOCK)
"""Distances in bytes at which bits are compared: neighbours, the words of a draw, and generator blocks."""


def byte_tests(rows: Bytes) -> Iterator[RngStatistic]:
    """Yield the result of every byte test; a row holds the bytes of one shuffle."""
    stream = np.ascontiguousarray(rows).ravel()
    width = rows.shape[1]
    yield uniformity_test("bytes", np.bincount(stream, minlength=1 << BITS))
    pairs = stream[: stream.size // 2 * 2].view(np.uint16)
    yield uniformity_test("pairs of bytes", np.bincount(pairs, minlength=1 << 2 * BITS))
    yield coin_test("bits", int(np.bitwise_count(stream).sum(dtype=np.int64)), stream.size * BITS)
    yield _bit_positions(stream)
    yield coin_test("runs of bits", _bit_changes(stream), stream.size * BITS - 1)
    for lag in sorted({*BYTE_LAGS, width}):
        yield _lag_test(stream, lag, width)
    yield _repeated_blocks(stream)


def _bit_positions(stream: Bytes) -> RngStatistic:
    """Test the ones in each of the 32 bits of a word."""
    words = stream[: stream.size // 4 * 4].view(">u4")
    ones = np.array([np.count_nonzero(words & np.uint32(1 << place)) for place in range(WORD_BITS)])
    squares = ((2 * ones - words.size) ** 2).sum() / words.size
    return chi_square_test("bits by their place", words.size, squares, WORD_BITS)


def _bit_changes(stream: Bytes) -> int:
    """Count the bits that differ from the bit before, inside bytes and between bytes."""
    inside = np.bitwise_count((stream ^ (stream << 1)) & 0xFE).sum(dtype=np.int64)
    between = np.count_nonzero((stream[:-1] & 1) != stream[1:] >> 7)
    return int(inside) + int(between)


def _lag_test(stream: Bytes, lag: int, width: int) -> RngStatistic:
    """Test the bits of bytes at a distance."""
    far = "one shuffle" if lag == width else str(lag * BITS)
    differing = np.bitwise_count(stream[lag:] ^ stream[:-lag]).sum(dtype=np.int64)
    return coin_test(f"correlation of bits, lag {far}", int(differing), (stream.size - lag) * BITS)


def _repeated_blocks(stream: Bytes) -> RngStatistic:
    blocks = stream[: stream.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    count = len(blocks)
    repeated = count - len({row.tobytes() for row in blocks})
    return rare_event_test("blocks seen before", repeated, count, count * count / 2.0 ** (BITS * BLOCK + 1))


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.integer[Any]]
DECK_LAGS = (1, 2, 3, 4)
SIZE = DECK_SIZE
SQUARES = SIZE * (SIZE * SIZE - 1) / 12
"""The sum of squares of all positions, counted from the middle."""


def deck_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Yield the result of every deck test."""
    yield from _position_tests(decks)
    yield from _first_hand_tests(decks)
    yield from _neighbour_tests(decks)
    yield from _run_tests(decks)
    yield from _new_deck_tests(decks)
    yield from _within_deck_tests(decks)
    yield from _between_deck_tests(decks)
    yield _repeated_decks(decks)


def _position_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Test how often each card is in each position: the whole table, and the first card alone."""
    count = len(decks)
    table = np.bincount((decks + np.arange(SIZE) * SIZE).ravel(), minlength=SIZE * SIZE)
    squares = ((table - count / SIZE) ** 2).sum()
    yield chi_square_test("each card in each place", count, squares * (SIZE - 1) / count, (SIZE - 1) ** 2)
    yield extreme_count_test("the most unusual card in a place", table, count, 1 / SIZE)
    yield uniformity_test("the first card", table[:SIZE])


def _first_hand_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Test the first five cards: which cards, and how often ranks and suits repeat."""
    count, hands = len(decks), decks[:, :HAND]
    dealt = np.bincount(hands.ravel(), minlength=SIZE)
    variance = count * HAND * (SIZE - HAND) / SIZE / (SIZE - 1)
    squares = ((dealt - count * HAND / SIZE) ** 2).sum()
    yield chi_square_test("cards of the first hand", count, squares / variance, SIZE - 1)
    yield _repeats("ranks of the first hand", hands >> 2, len(RANKS))
    yield _repeats("suits of the first hand", hands & 3, len(SUITS))


def _repeats(name: str, kinds: IntArray, number: int) -> RngStatistic:
    pairs = sum(
        (kinds[:, one] == kinds[:, other]).astype(np.int64) for one in range(HAND) for other in range(one)
    )
    chances = {pairs: chance for pairs, chance in equal_pairs(number).items() if chance}
    counts = np.bincount(np.asarray(pairs), minlength=max(chances) + 1)
    return goodness_of_fit_test(name, counts[list(chances)], list(chances.values()))


def _neighbour_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Test which cards are neighbours, in either order and in each order."""
    count, pairs = len(decks), _pairs(decks)
    own = _pairs(np.array([DECK], np.uint8))
    for name, sign, degrees in (
        ("neighbours", 1, SIZE * (SIZE - 3) // 2),
        ("neighbours in their order", -1, (SIZE - 1) * (SIZE - 2) // 2),
    ):
        squares = (_beyond_rows(pairs + sign * pairs.T, sign) ** 2).sum()
        variance = count * (_beyond_rows(own + sign * own.T, sign) ** 2).sum() / degrees
        yield chi_square_test(name, count * (SIZE - 1), squares / variance, degrees)
    one_way = pairs[~np.eye(SIZE, dtype=bool)].astype(np.int64)
    yield extreme_count_test("the most unusual neighbours", one_way, count, 1 / SIZE)


def _pairs(decks: Bytes) -> FloatArray:
    """Return how often each card (row) was followed by each other card (column)."""
    followed = decks[:, :-1].astype(np.int64) * SIZE + decks[:, 1:]
    return np.bincount(followed.ravel(), minlength=SIZE * SIZE).reshape(SIZE, SIZE).astype(np.float64)


def _beyond_rows(table: FloatArray, sign: int) -> FloatArray:
    """Return a table less what its row sums explain; the diagonal stays empty."""
    rows = table.sum(axis=1)
    if sign < 0:
        share = rows / SIZE
        beyond: FloatArray = table - (share[:, None] - share[None, :])
        return beyond
    share = (rows - rows.sum() / (2 * (SIZE - 1))) / (SIZE - 2)
    beyond = table - (share[:, None] + share[None, :])
    np.fill_diagonal(beyond, 0)
    return beyond


def _run_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Test runs of high and low cards, of red and black cards, and of ascending cards."""
    for name, kind in (
        ("runs of high and low cards", decks >= SIZE // 2),
        ("runs of red and black cards", ((decks & 3) == 1) | ((decks & 3) == 2)),
    ):
        turns = np.count_nonzero(kind[:, 1:] != kind[:, :-1], axis=1)
        yield goodness_of_fit_test(name, np.bincount(turns, minlength=SIZE), kind_changes())
    rises = np.count_nonzero(decks[:, 1:] > decks[:, :-1], axis=1)
    yield goodness_of_fit_test("ascending runs", np.bincount(rises, minlength=SIZE), ascents())


def _new_deck_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Compare every deck with an unshuffled one."""
    stayed = np.count_nonzero(decks == np.arange(SIZE), axis=1)
    yield goodness_of_fit_test(
        "cards in their old place", np.bincount(stayed, minlength=SIZE + 1), fixed_points()
    )
    products = _products(decks, np.arange(SIZE, dtype=np.uint8))
    yield mean_test("correlation with a new deck", products, 0, SQUARES / (SIZE - 1) ** 0.5)
    inversions = np.zeros(len(decks), np.int64)
    for gap in range(1, SIZE):
        inversions += np.count_nonzero(decks[:, gap:] < decks[:, :-gap], axis=1)
    variance = SIZE * (SIZE - 1) * (2 * SIZE + 5) / 72
    yield mean_test("cards that overtook another", inversions, SIZE * (SIZE - 1) / 4, variance**0.5)
    yield coin_test("even and odd orders", int((inversions & 1).sum()), len(decks))


def _within_deck_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Correlate the cards of a deck with those a few positions later."""
    for lag in DECK_LAGS:
        products = _products(decks[:, lag:], decks[:, :-lag])
        yield mean_test(f"correlation in a deck, lag {lag}", products, -(SIZE - lag) * (SIZE + 1) / 12)


def _between_deck_tests(decks: Bytes) -> Iterator[RngStatistic]:
    """Compare each card's position with its position in the next shuffles."""
    places = np.argsort(decks, axis=1).astype(np.uint8)
    stayed = np.count_nonzero(places[1:] == places[:-1], axis=1)
    yield goodness_of_fit_test(
        "cards that kept their place", np.bincount(stayed, minlength=SIZE + 1), fixed_points()
    )
    upper = places < SIZE // 2
    both = np.count_nonzero(upper[1:] & upper[:-1], axis=1)
    yield goodness_of_fit_test(
        "runs of a card in one half", np.bincount(both, minlength=SIZE // 2 + 1), overlaps()
    )
    for lag in DECK_LAGS:
        products = _products(places[lag:], places[:-lag])
        yield mean_test(f"correlation between shuffles, lag {lag}", products, 0, SQUARES / (SIZE - 1) ** 0.5)


def _products(one: Bytes, other: Bytes) -> FloatArray:
    """Return the row sums of products of two arrays, each centred on the middle of a deck."""
    doubled = ((2 * each.astype(np.int16) - (SIZE - 1)) for each in (one, other))
    left, right = doubled
    sums: FloatArray = (left * right).sum(axis=1, dtype=np.int64) / 4
    return sums


def _repeated_decks(decks: Bytes) -> RngStatistic:
    count = len(decks)
    repeated = count - len({row.tobytes() for row in decks})
    return rare_event_test("decks seen before", repeated, count, count * count / 2 / factorial(SIZE))

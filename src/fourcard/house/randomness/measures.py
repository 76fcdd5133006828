"""Test statistics and their p-values.

All tests are two-sided: results that are too close to the expected ones are suspicious too.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, chdtr, chdtrc, ndtr  # type: ignore[import-untyped]

Method = Literal["chi-square", "normal", "binomial", "count"]
Values = NDArray[np.float64] | NDArray[np.int64]
LEAST_EXPECTED = 5.0
"""Cells with a smaller expected count are pooled."""
LEAST_SPREAD = 1e-6
"""The least standard deviation to divide by, for values that never differ."""


class Measure(msgspec.Struct, frozen=True):
    """The result of one test."""

    name: str
    method: Method
    count: int
    """The number of observations."""
    statistic: float
    degrees: int | None
    p: float
    """The two-sided p-value."""


def chi_square(name: str, count: int, statistic: float, degrees: int) -> Measure:
    """Test a chi-square statistic."""
    tail = min(float(chdtr(degrees, statistic)), float(chdtrc(degrees, statistic)))
    return Measure(name, "chi-square", count, float(statistic), degrees, min(1.0, 2 * tail))


def normal(name: str, count: int, score: float) -> Measure:
    """Test a z-score."""
    return Measure(name, "normal", count, float(score), None, float(2 * ndtr(-abs(score))))


def even(name: str, observed: Values) -> Measure:
    """Test counts of equally likely outcomes."""
    expected = observed.sum() / observed.size
    statistic = ((observed - expected) ** 2).sum() / expected
    return chi_square(name, int(observed.sum()), statistic, observed.size - 1)


def likely(name: str, observed: Values, chances: Sequence[float]) -> Measure:
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
    return chi_square(name, count, statistic, len(pooled) - 1)


def mean(name: str, values: Values, expected: float, deviation: float | None = None) -> Measure:
    """Test the mean of independent values, by a known or the sample standard deviation."""
    spread = max(float(values.std(ddof=1)), LEAST_SPREAD) if deviation is None else deviation
    return normal(name, values.size, (float(values.mean()) - expected) / spread * values.size**0.5)


def coins(name: str, heads: int, tosses: int) -> Measure:
    """Test the heads of a fair coin."""
    return normal(name, tosses, (2 * heads - tosses) / tosses**0.5)


def most_unusual(name: str, counts: Values, trials: int, chance: float) -> Measure:
    """Test the most extreme of many binomial counts."""
    low, high = bdtr(counts, trials, chance), bdtrc(counts - 1, trials, chance)
    tails = np.minimum(low, high)
    furthest = int(tails.argmin())
    score = (counts[furthest] - trials * chance) / (trials * chance * (1 - chance)) ** 0.5
    p = min(1.0, 2 * float(tails[furthest]) * counts.size)
    return Measure(name, "binomial", trials, float(score), None, p)


def never(name: str, seen: int, count: int, chance: float) -> Measure:
    """Test an event that should practically never happen."""
    return Measure(name, "count", count, float(seen), None, min(1.0, chance) if seen else 1.0)

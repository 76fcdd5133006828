"""Measures: a statistic, and how seldom chance alone goes as far from what is expected.

Both ends count: figures that lie too close to what is expected are no chance either.
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
"""Cells of which fewer are expected are put together."""
LEAST_SPREAD = 1e-6
"""Figures that never differ have no spread to divide by."""


class Measure(msgspec.Struct, frozen=True):
    """What one test found."""

    name: str
    method: Method
    count: int
    """How many observations it rests on."""
    statistic: float
    degrees: int | None
    p: float
    """How often chance alone would be at least as far off, on either side."""


def chi_square(name: str, count: int, statistic: float, degrees: int) -> Measure:
    """Measure a sum of squares."""
    tail = min(float(chdtr(degrees, statistic)), float(chdtrc(degrees, statistic)))
    return Measure(name, "chi-square", count, float(statistic), degrees, min(1.0, 2 * tail))


def normal(name: str, count: int, score: float) -> Measure:
    """Measure a figure that is told in standard deviations from its mean."""
    return Measure(name, "normal", count, float(score), None, float(2 * ndtr(-abs(score))))


def even(name: str, observed: Values) -> Measure:
    """Measure counts of things that are all as likely, each observation counted once."""
    expected = observed.sum() / observed.size
    statistic = ((observed - expected) ** 2).sum() / expected
    return chi_square(name, int(observed.sum()), statistic, observed.size - 1)


def likely(name: str, observed: Values, chances: Sequence[float]) -> Measure:
    """Measure counts of things whose chances are known; rare ones are put together."""
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
    """Measure the mean of independent figures, by a known standard deviation or the one that they show."""
    spread = max(float(values.std(ddof=1)), LEAST_SPREAD) if deviation is None else deviation
    return normal(name, values.size, (float(values.mean()) - expected) / spread * values.size**0.5)


def coins(name: str, heads: int, tosses: int) -> Measure:
    """Measure how often a fair coin fell on one side."""
    return normal(name, tosses, (2 * heads - tosses) / tosses**0.5)


def most_unusual(name: str, counts: Values, trials: int, chance: float) -> Measure:
    """Measure the one of many counts that chance has most trouble with; each alone is binomial."""
    low, high = bdtr(counts, trials, chance), bdtrc(counts - 1, trials, chance)
    tails = np.minimum(low, high)
    furthest = int(tails.argmin())
    score = (counts[furthest] - trials * chance) / (trials * chance * (1 - chance)) ** 0.5
    p = min(1.0, 2 * float(tails[furthest]) * counts.size)
    return Measure(name, "binomial", trials, float(score), None, p)


def never(name: str, seen: int, count: int, chance: float) -> Measure:
    """Measure how often something was seen that has next to no chance to be seen even once."""
    return Measure(name, "count", count, float(seen), None, min(1.0, chance) if seen else 1.0)

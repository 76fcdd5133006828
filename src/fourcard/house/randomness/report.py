"""RNG test report: every test, its p-value corrected for the number of tests, and the verdict."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from fourcard.errors import BadInputError
from fourcard.house.randomness.decks import deck_measures
from fourcard.house.randomness.measures import Measure, Method
from fourcard.house.randomness.sampling import Sample, Shuffler, Step, is_whole, take_sample
from fourcard.house.randomness.streams import stream_measures

Subject = Literal["decks", "output", "entropy"]
LEVEL = 0.001
MOST_LEVEL = 0.5
SAMPLING = 0.8
"""The share of the progress bar for taking the sample."""


class Result(msgspec.Struct, frozen=True):
    """One test with its corrected p-value and verdict."""

    of: Subject
    name: str
    method: Method
    count: int
    statistic: float
    degrees: int | None
    p: float
    corrected: float
    passed: bool


class Report(msgspec.Struct, frozen=True):
    """All tests of one sample."""

    shuffles: int
    level: float
    """The probability that a fair generator fails any test."""
    passed: bool
    tests: tuple[Result, ...]

    @property
    def failed(self) -> tuple[Result, ...]:
        """Return the failed tests."""
        return tuple(each for each in self.tests if not each.passed)


def examine(
    shuffler: Shuffler, shuffles: int, level: float = LEVEL, step: Step = lambda _share: None
) -> Report:
    """Run all tests on a number of shuffles of a shuffler."""
    if not 0 < level <= MOST_LEVEL:
        raise BadInputError(f"The level must be above 0 and at most {MOST_LEVEL}, not {level:g}.")
    sample = take_sample(shuffler, shuffles, lambda share: step(share * SAMPLING))
    found = [*_measures(sample)]
    step(1 - SAMPLING)
    return _judged(found, shuffles, level)


def _measures(sample: Sample) -> Iterator[tuple[Subject, Measure]]:
    if not is_whole(sample.decks):
        raise BadInputError("The shuffler returned something that is not a complete deck.")
    yield from (("decks", each) for each in deck_measures(sample.decks))
    yield from (("output", each) for each in stream_measures(sample.output))
    yield from (("entropy", each) for each in stream_measures(sample.entropy))


def _judged(found: Sequence[tuple[Subject, Measure]], shuffles: int, level: float) -> Report:
    corrected = holm([each.p for _, each in found])
    tests = tuple(
        Result(of, each.name, each.method, each.count, each.statistic, each.degrees, each.p, p, p >= level)
        for (of, each), p in zip(found, corrected, strict=True)
    )
    return Report(shuffles, level, all(each.passed for each in tests), tests)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method, which is valid for dependent tests."""
    corrected, highest = [1.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = highest
    return corrected

"""RNG test report: every test, its p-value corrected for the number of tests, and the verdict."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from fourcard.house.fairness.rng_tests import (
    RngStatistic,
    RngTestMethod,
    SampleProgress,
    ShuffleSample,
    ShuffleSource,
    are_complete_decks,
    byte_tests,
    deck_tests,
    take_sample,
)
from fourcard.refusals import BadInputError

Subject = Literal["decks", "output", "entropy"]
DEFAULT_LEVEL = 0.001
MAX_LEVEL = 0.5
SAMPLING_SHARE = 0.8
"""The share of the progress bar for taking the sample."""


class RngTestResult(msgspec.Struct, frozen=True):
    """One test with its corrected p-value and verdict."""

    of: Subject
    name: str
    method: RngTestMethod
    count: int
    statistic: float
    degrees: int | None
    p: float
    corrected: float
    passed: bool


class RngTestReport(msgspec.Struct, frozen=True):
    """All tests of one sample."""

    shuffles: int
    level: float
    """The probability that a fair generator fails any test."""
    passed: bool
    tests: tuple[RngTestResult, ...]

    @property
    def failed(self) -> tuple[RngTestResult, ...]:
        """Return the failed tests."""
        return tuple(each for each in self.tests if not each.passed)


def run_rng_tests(
    shuffler: ShuffleSource,
    shuffles: int,
    level: float = DEFAULT_LEVEL,
    step: SampleProgress = lambda _share: None,
) -> RngTestReport:
    """Run all tests on a number of shuffles of a shuffler."""
    if not 0 < level <= MAX_LEVEL:
        raise BadInputError(f"The level must be above 0 and at most {MAX_LEVEL}, not {level:g}.")
    sample = take_sample(shuffler, shuffles, lambda share: step(share * SAMPLING_SHARE))
    found = [*_run_all(sample)]
    step(1 - SAMPLING_SHARE)
    return _judge(found, shuffles, level)


def _run_all(sample: ShuffleSample) -> Iterator[tuple[Subject, RngStatistic]]:
    if not are_complete_decks(sample.decks):
        raise BadInputError("The shuffler returned something that is not a complete deck.")
    yield from (("decks", each) for each in deck_tests(sample.decks))
    yield from (("output", each) for each in byte_tests(sample.output))
    yield from (("entropy", each) for each in byte_tests(sample.entropy))


def _judge(found: Sequence[tuple[Subject, RngStatistic]], shuffles: int, level: float) -> RngTestReport:
    corrected = holm_correction([each.p for _, each in found])
    tests = tuple(
        RngTestResult(
            of, each.name, each.method, each.count, each.statistic, each.degrees, each.p, p, p >= level
        )
        for (of, each), p in zip(found, corrected, strict=True)
    )
    return RngTestReport(shuffles, level, all(each.passed for each in tests), tests)


def holm_correction(values: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's method, which is valid for dependent tests."""
    corrected, highest = [1.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = highest
    return corrected

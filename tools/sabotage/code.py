"""Code sabotage: alters every enforcement point of the code and expects a test of its clauses to fail.

It imports `fourcard` only after it has instrumented the imports.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256

import msgspec

from tools.claims import files_with_claims
from tools.sabotage.evidence import Citations, Evidence, Plan
from tools.sabotage.imports import has_rules, instrument_imports
from tools.sabotage.outcome import ClauseCounts, chosen_by
from tools.sabotage.points import Point
from tools.sabotage.session import Tests, Trial, forked, with_tests
from tools.sabotage.settings import Written, read_settings
from tools.sabotage.switches import SWITCHES

LEAST_POINTS = 1600
PROGRESS_EVERY = 100
ELSEWHERE = ("tests/browser/",)
"""Tests that run the code in another process, where it is not altered."""


class PointResult(msgspec.Struct, frozen=True):
    """The result of one alteration."""

    point: Point
    plan: Plan
    failed: tuple[str, ...]
    """The tests that noticed it."""

    @property
    def caught(self) -> bool:
        """Say whether a test noticed it."""
        return bool(self.failed)

    def counts(self) -> Iterator[tuple[str, bool]]:
        """Yield the clauses of the point, and whether a test of the clause noticed the alteration.

        A clause that the point only led to counts if its test noticed.
        """
        failed = set(self.failed)
        yield from ((clause, bool(tests & failed)) for clause, tests in self.plan.own.items())
        yield from ((clause, True) for clause, tests in self.plan.led.items() if tests & failed)


def alter_code(counts: ClauseCounts, *, sample: int | None, seed: int, places: Sequence[str]) -> int:
    """Alter every point or a seeded sample, count the results by clause, and return the exit status.

    A sample takes only points that cite clauses themselves.
    """
    points, written = instrument_imports(), read_settings()
    modules = sorted({module for found in written.tests.values() for module in found})
    files = [each for each in files_with_claims() if not any(part in each for part in ELSEWHERE)]

    def work(tests: Tests) -> int:
        evidence = Evidence(tests, points, _warm_up(), written.tests)
        wrong = _wrong(points, written)
        if wrong:
            print(wrong, file=sys.stderr)
            return 2
        same = {each.point for each in written.equivalent}
        numbers = [
            n for n, each in enumerate(points) if chosen_by(places, str(each)) and str(each) not in same
        ]
        if sample is not None:
            numbers = _sample(evidence, numbers, sample, seed)
        if not numbers:
            print("No point was chosen.", file=sys.stderr)
            return 2
        if sample is not None:
            return _alter_sample(evidence, numbers, counts)
        left_out = {each.place for n, each in enumerate(points) if n not in numbers and str(each) not in same}
        counts.whole |= {points[n].place for n in numbers} - left_out
        return _alter(evidence, numbers, [*tests.items], counts)

    return with_tests(files, modules, work)


def _wrong(points: Sequence[Point], written: Written) -> str:
    """Return what is wrong with the points found or the settings, or nothing."""
    if len(points) < LEAST_POINTS:
        return f"Only {len(points)} points were found; the code has more."
    unknown = {each.point for each in written.equivalent} - {*map(str, points)}
    return f"There is no point '{min(unknown)}'." if unknown else ""


def _sample(evidence: Evidence, numbers: Sequence[int], size: int, seed: int) -> list[int]:
    """Return a sample that stays nearly the same when the code changes: the smallest hashes of the names."""
    found = [number for number in numbers if evidence.claiming(number)]
    return sorted(found, key=lambda n: sha256(f"{seed} {evidence.points[n]}".encode()).digest())[:size]


def _alter_sample(evidence: Evidence, numbers: Sequence[int], counts: ClauseCounts) -> int:
    """Try the tests of the clauses at each point, and record what tests reach only for the points left."""
    caught = _caught_at_once(evidence, numbers)
    left = [number for number in numbers if number not in caught]
    again = [test for result in caught.values() for test in result.failed]
    return _alter(evidence, left, [*evidence.near(left), *again], counts, caught.values())


def _caught_at_once(evidence: Evidence, numbers: Sequence[int]) -> dict[int, PointResult]:
    """Return the points at which a test of the clauses that stand there fails, with nothing recorded."""
    plans = [Plan(number, evidence.unrecorded(number), {}, {}) for number in numbers]
    trials: list[Trial] = [partial(_try, plan=plan) for plan in plans]
    return {
        plans[place].number: PointResult(evidence.points[plans[place].number], plans[place], tuple(failed))
        for place, failed in forked(evidence.tests, trials, os.cpu_count() or 1)
        if failed
    }


def _alter(
    evidence: Evidence,
    numbers: Sequence[int],
    tests: Sequence[str],
    counts: ClauseCounts,
    caught: Iterable[PointResult] = (),
) -> int:
    """Record what the tests reach, alter each point, and return the exit status of it all."""
    failing = evidence.record(dict.fromkeys(tests), os.cpu_count() or 1)
    if failing:
        print(f"{len(failing)} tests fail on the unaltered code, such as {min(failing)}", file=sys.stderr)
        return 2
    return _report([*caught, *_results(evidence, numbers, counts)])


def _warm_up() -> Citations:
    """Read the rulebooks once for all trials; return how ids are read."""
    from fourcard.rules.clauses import is_address, proved_through
    from fourcard.rules.loading import every_rulebook

    assert [*every_rulebook()]
    return Citations(is_address, proved_through)


def _results(evidence: Evidence, numbers: Sequence[int], counts: ClauseCounts) -> Iterator[PointResult]:
    plans = [evidence.plan(number) for number in numbers]
    trials: list[Trial] = [partial(_try, plan=plan) for plan in plans]
    for done, (place, failed) in enumerate(forked(evidence.tests, trials, os.cpu_count() or 1), 1):
        plan = plans[place]
        result = PointResult(
            evidence.points[plan.number], plan, plan.tests[:1] if failed is None else tuple(failed)
        )
        for clause, caught in result.counts():
            counts.add(clause, result.point.place, caught=caught)
        _print_result(result, done)
        yield result


def _try(tests: Tests, plan: Plan) -> list[str]:
    """Run the tests of an altered point until one fails for each clause that it cites; return those."""
    _forget()
    SWITCHES.turned = plan.number
    waiting, failed = dict(plan.own), list[str]()
    for test in plan.tests:
        if failed and not any(test in found for found in waiting.values()):
            continue
        if next(tests.run([test])).failed:
            failed.append(test)
            waiting = {clause: found for clause, found in waiting.items() if test not in found}
            if not waiting:
                break
    return failed


def _forget() -> None:
    """Clear what functions of the instrumented modules remember."""
    for name, module in [*sys.modules.items()]:
        for each in vars(module).values() if has_rules(name) else ():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def _print_result(result: PointResult, done: int) -> None:
    """Print what survived at once, and the progress now and then."""
    clauses = " ".join(result.plan.own)
    if not result.plan.tests:
        print(f"UNREACHED {result.point}", flush=True)
    elif not result.caught:
        print(f"SURVIVED  {result.point}  [{len(result.plan.tests)} tests; {clauses}]", flush=True)
    if done % PROGRESS_EVERY == 0:
        print(f"{done} alterations tried", file=sys.stderr, flush=True)


def _report(results: Sequence[PointResult]) -> int:
    """Print the summary, and return the exit status."""
    counts = Counter(
        "caught" if each.caught else "survived" if each.plan.tests else "unreached" for each in results
    )
    modules = len({each.point.module for each in results})
    print(
        f"{len(results)} alterations of the code in {modules} modules: {counts['caught']} caught, "
        f"{counts['survived']} survived, {counts['unreached']} reached by no test of their clauses"
    )
    return 1 if counts["survived"] or counts["unreached"] else 0

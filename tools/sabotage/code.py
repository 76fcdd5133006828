"""Code sabotage: alters every enforcement point of the code and expects a test of its clauses to fail."""

import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from tools.sabotage.imports import Instrumented
from tools.sabotage.points import Point
from tools.sabotage.session import Tests, Trial, forked, with_tests
from tools.sabotage.switches import SWITCHES, Reached

LEAST_POINTS = 1400
PROGRESS_EVERY = 100
NOT_HERE = ("tests/browser/",)
"""Tests that run the code in another process, where it is not altered."""


class PointResult(msgspec.Struct, frozen=True):
    """The result of one alteration."""

    point: Point
    clauses: tuple[str, ...]
    tried: int
    """How many tests ran."""
    seconds: float
    noticed_by: str
    caught: tuple[str, ...]
    survived: tuple[str, ...]
    cited: bool
    codes: tuple[str, ...]


def _record(tests: Tests, chosen: Sequence[str]) -> tuple[Reached, list[tuple[str, float, bool]]]:
    SWITCHES.reached = Reached()
    runs = [(run.test, run.seconds, run.failed) for run in tests.run(chosen, SWITCHES.start)]
    return SWITCHES.reached, runs


def _try(tests: Tests, number: int, chosen: Sequence[str], wanted: Mapping[str, frozenset[str]]) -> Any:
    """Run the tests of a point with it altered, until one fails for each clause that it cites itself."""
    _forget_caches()
    SWITCHES.turned = number
    left = {clause: set(found) for clause, found in wanted.items()}
    failed, ran, started = list[str](), 0, time.perf_counter()
    for test in chosen:
        if failed and not any(test in found for found in left.values()):
            continue
        ran += 1
        if next(tests.run([test])).failed:
            failed.append(test)
            left = {clause: found for clause, found in left.items() if test not in found}
            if not left:
                break
    return failed, ran, time.perf_counter() - started


def _forget_caches() -> None:
    """Forget what the instrumented modules remember."""
    from tools.sabotage.imports import has_rules

    for name, module in list(sys.modules.items()):
        if has_rules(name):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


def _warm_up() -> None:
    """Read the rulebooks once for all trials."""
    from fourcard.rules.clauses import clauses, rulings
    from fourcard.rules.loading import every_rulebook

    clauses(), rulings(), list(every_rulebook())


class CodeSabotage:
    """Everything known about the points: what reaches them and which clauses they cite."""

    def __init__(self, tests: Tests, points: Sequence[Point]) -> None:
        """Record what the tests reach."""
        from fourcard.rules.clauses import is_address, proved_through
        from tools.claims import claims_of

        self.tests, self.points, self.is_address = tests, points, is_address
        self.claims: dict[str, list[str]] = defaultdict(list)
        for test, item in tests.items.items():
            for claim in claims_of(item):
                self.claims[claim].append(test)
        self.proved_through = proved_through
        self.reached, self.seconds = Reached(), dict[str, float]()

    def record(self, workers: int) -> list[str]:
        """Run all tests once; return those that fail."""
        chosen = [t for t in self.tests.items]
        files = defaultdict[str, list[str]](list)
        for test in chosen:
            files[test.split("::")[0]].append(test)
        ordered = sorted(files.values(), key=len, reverse=True)
        trials: list[Trial] = [partial(_record, chosen=part) for part in ordered]
        failed = list[str]()
        for number, found in forked(self.tests, trials, workers):
            if found is None:
                failed += ordered[number][:1]
                continue
            reached, runs = found
            self.reached.add(reached)
            self.seconds |= {test: seconds for test, seconds, _ in runs}
            failed += [test for test, _, bad in runs if bad]
        return failed

    def clauses(self, number: int) -> tuple[list[str], list[str]]:
        """Return the clauses that a point cites itself, and those of what its function returned."""
        point = self.points[number]
        direct = {each for each in point.cited if self.is_address(each)}
        direct |= self.reached.refused_with[number]
        if point.guard is not None:
            direct |= self.reached.refused_with[point.guard]
        return sorted(direct), sorted(self.reached.left_with[number] - direct)

    def tests_of(self, clause: str, number: int) -> set[str]:
        """Return the tests of a clause that reach a point."""
        found = {test for each in self.proved_through(clause) for test in self.claims.get(each, ())}
        return found & self.reached.tests[number]

    def plan(self, number: int) -> tuple[list[str], dict[str, frozenset[str]], list[str]]:
        """Return the tests to run for a point, in order, those of its own clauses, and all its clauses."""
        direct, left = self.clauses(number)
        wanted = {clause: frozenset(self.tests_of(clause, number)) for clause in direct}
        first = {test for found in wanted.values() for test in found}
        then = {test for clause in left for test in self.tests_of(clause, number)} - first
        around = [each for each in self.points[number].cited_around if self.is_address(each)]
        last = {test for clause in around for test in self.tests_of(clause, number)} - first - then
        order = [*self._by_time(first), *self._by_time(then), *self._by_time(last)]
        return order, {c: f for c, f in wanted.items() if f}, [*direct, *left, *around]

    def _by_time(self, tests: set[str]) -> list[str]:
        return sorted(tests, key=lambda test: self.seconds.get(test, 0.0))

    def results(self, numbers: Sequence[int], workers: int) -> Iterator[PointResult]:
        """Alter the points one by one."""
        plans = [self.plan(number) for number in numbers]
        trials: list[Trial] = [
            partial(_try, number=number, chosen=order, wanted=wanted)
            for number, (order, wanted, _) in zip(numbers, plans, strict=True)
        ]
        for index, found in forked(self.tests, trials, workers):
            number, (order, wanted, cited) = numbers[index], plans[index]
            failed, ran, seconds = found if found is not None else (order[:1], 1, 0.0)
            caught = tuple(clause for clause, own in wanted.items() if own & set(failed))
            missed = tuple(clause for clause in wanted if clause not in caught)
            direct, left = self.clauses(number)
            yield PointResult(
                self.points[number], tuple(direct), ran, seconds, failed[0] if failed else "", caught, missed,
                bool(direct or left), tuple(sorted(self.reached.codes[number])),
            )


def main(sample: int | None, seed: int, place: str) -> int:
    instrumented = Instrumented()
    instrumented.install()
    from tools.claims import files_with_claims

    files = [each for each in files_with_claims() if not any(part in each for part in NOT_HERE)]
    return with_tests(files, partial(_work, points=instrumented.points, sample=sample, seed=seed, place=place))


def _work(tests: Tests, points: Sequence[Point], sample: int | None, seed: int, place: str) -> int:
    workers = os.cpu_count() or 1
    started = time.monotonic()
    _warm_up()
    code = CodeSabotage(tests, points)
    import pickle
    cache = Path("/tmp/wt/sab-recording.pkl")
    if cache.exists():
        code.reached, code.seconds, failed = pickle.loads(cache.read_bytes())
    else:
        failed = code.record(workers)
        cache.write_bytes(pickle.dumps((code.reached, code.seconds, failed)))
    print(f"{len(points)} points, {len(tests.items)} tests recorded in {time.monotonic() - started:.0f} s", flush=True)
    if failed:
        print(f"failing: {failed[:20]}")
    numbers = [n for n, point in enumerate(points) if place in str(point)]
    if sample is not None:
        numbers = sorted(random.Random(seed).sample(numbers, min(sample, len(numbers))))
    counts = Counter[str]()
    out = open("/tmp/wt/sab-results.jsonl", "w")
    for done, result in enumerate(code.results(numbers, workers), 1):
        kind = "caught" if result.noticed_by else "survived" if result.tried else "unreached"
        counts[kind] += 1
        out.write(msgspec.json.encode(dict(kind=kind, name=str(result.point), **{f: getattr(result, f) for f in ("clauses","tried","seconds","noticed_by","caught","survived","cited","codes")})).decode() + "\n"); out.flush()
        if kind != "caught":
            print(f"{kind.upper()} {result.point} {' '.join(result.clauses)} {' '.join(result.codes)}", flush=True)
        if done % PROGRESS_EVERY == 0:
            print(f"{done} tried {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(counts, f"{time.monotonic() - started:.0f} s")
    out.close()
    return 1 if counts["survived"] or counts["unreached"] else 0


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", default="")
    o = parser.parse_args()
    sys.exit(main(o.sample, o.seed, o.place))

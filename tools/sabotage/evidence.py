"""Evidence: what the tests reach when nothing is altered, and so which of them must notice an alteration."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import msgspec

from tools.claims import claims_of
from tools.sabotage.points import Point
from tools.sabotage.session import Tests, Trial, forked
from tools.sabotage.switches import SWITCHES, Reached

POLICY = "P"
"""How the ids of policies begin: what no source demands, the house's own tests may prove."""
OF_CLAUSES = "tests/clauses/"
"""Where most tests of clauses are; they are quick."""
Recorded = tuple[Reached, list[tuple[str, float, bool]]]
"""What some tests reached, and for each its seconds and whether it failed."""


class Plan(msgspec.Struct, frozen=True):
    """The tests to run for a point."""

    number: int
    tests: tuple[str, ...]
    """In order: those of the clauses that the point cites itself first, and quick ones first."""
    own: Mapping[str, frozenset[str]]
    """The tests of each clause that the point cites itself."""
    led: Mapping[str, frozenset[str]]
    """The tests of each clause of what the point led to: events, steps or a later refusal."""


class Citations(msgspec.Struct, frozen=True):
    """How ids are read: `fourcard` is imported only once its imports are instrumented."""

    is_address: Callable[[str], bool]
    proved_through: Callable[[str], tuple[str, ...]]


class Evidence:
    """What is known of the points: the tests that reach each, and the clauses that it cites."""

    def __init__(
        self,
        tests: Tests,
        points: Sequence[Point],
        citations: Citations,
        named: Mapping[str, Sequence[str]],
    ) -> None:
        """Index the tests by their claims; ``named`` has test modules for points that cite nothing."""
        self.tests, self.points, self.citations, self.named = tests, points, citations, named
        self.claims: dict[str, list[str]] = defaultdict(list)
        for test, item in tests.items.items():
            for claim in claims_of(item):
                self.claims[claim].append(test)
        self.reached, self.seconds = Reached(), dict[str, float]()

    def claiming(self, number: int) -> set[str]:
        """Return the tests of the clauses that stand in a point's function."""
        cited = filter(self.citations.is_address, self.points[number].cited)
        return {test for clause in cited for test in self._tests_of(clause)}

    def unrecorded(self, number: int) -> tuple[str, ...]:
        """Return the tests of the clauses that stand in a point's function, those of the clauses first."""
        return tuple(sorted(self.claiming(number), key=lambda test: (not test.startswith(OF_CLAUSES), test)))

    def near(self, numbers: Sequence[int]) -> list[str]:
        """Return the tests of every file that claims a clause of some points or is named for them."""
        claiming = {test for n in numbers for test in self.claiming(n) | self._named_tests(n)}
        files = {test.partition("::")[0] for test in claiming}
        return [test for test in self.tests.items if test.partition("::")[0] in files]

    def _tests_of(self, clause: str) -> set[str]:
        return {test for each in self.citations.proved_through(clause) for test in self.claims.get(each, ())}

    def record(self, tests: Iterable[str], workers: int) -> list[str]:
        """Run tests once, file by file; return those that fail."""
        files = defaultdict[str, list[str]](list)
        for test in tests:
            files[test.partition("::")[0]].append(test)
        parts = sorted(files.values(), key=len, reverse=True)
        trials: list[Trial] = [partial(_record, chosen=part) for part in parts]
        failed = list[str]()
        for number, recorded in forked(self.tests, trials, workers):
            if recorded is None:
                failed.append(parts[number][0])
                continue
            reached, runs = recorded
            self.reached.add(reached)
            self.seconds |= {test: seconds for test, seconds, _ in runs}
            failed += [test for test, _, bad in runs if bad]
        return failed

    def plan(self, number: int) -> Plan:
        """Return the tests that must notice an alteration of a point."""
        own, led, around = self._cited(number)
        of_own, of_led = self._tests_by_clause(own, number), self._tests_by_clause(led - own, number)
        only_policies = all(clause.startswith(POLICY) for clause in of_own)
        named = self._named_tests(number) & self.reached.tests[number] if only_policies else set()
        groups = [of_own, of_led, self._tests_by_clause(around - own - led, number), {"": frozenset(named)}]
        ordered = (test for group in groups for test in self._quick_first(group))
        return Plan(number, tuple(dict.fromkeys(ordered)), of_own, of_led)

    def _cited(self, number: int) -> tuple[set[str], set[str], set[str]]:
        """Return the clauses that a point cites itself, those that it led to, and those around it."""
        point, is_address = self.points[number], self.citations.is_address
        own = {*filter(is_address, point.cited)} | self.reached.refused_with[number]
        if point.guard is not None:
            own |= self.reached.refused_with[point.guard]
        led = self.reached.left_with[number]
        if point.function.endswith(".__init__"):
            led = led | self._led_by_class(point)
        return own, led, {*filter(is_address, point.cited_around)}

    def _led_by_class(self, point: Point) -> set[str]:
        """Return the clauses that the methods of a class led to; its constructor returns nothing."""
        start = point.function.removesuffix("__init__")
        return {
            clause
            for number, other in enumerate(self.points)
            if other.module == point.module and other.function.startswith(start)
            for clause in self.reached.left_with[number]
        }

    def _tests_by_clause(self, clauses: set[str], number: int) -> dict[str, frozenset[str]]:
        """Return the tests of each clause that reach a point, where there are any."""
        reaching, found = self.reached.tests[number], dict[str, frozenset[str]]()
        for clause in sorted(clauses):
            if tests := self._tests_of(clause) & reaching:
                found[clause] = frozenset(tests)
        return found

    def _named_tests(self, number: int) -> set[str]:
        """Return the tests of the modules that are named for a point."""
        name = str(self.points[number])
        modules = tuple(m for start, found in self.named.items() if name.startswith(start) for m in found)
        return {test for test in self.tests.items if test.startswith(modules)}

    def _quick_first(self, group: Mapping[str, frozenset[str]]) -> list[str]:
        tests = {test for found in group.values() for test in found}
        return sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test))


def _record(tests: Tests, chosen: Sequence[str]) -> Recorded:
    SWITCHES.reached = Reached()
    runs = [(run.test, run.seconds, run.failed) for run in tests.run(chosen, SWITCHES.start)]
    return SWITCHES.reached, runs

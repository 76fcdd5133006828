"""Data sabotage: alters every cited value of the rulebooks and expects its tests to fail.

For each alteration only the tests that claim its clauses run. An alteration survives if all tests of one of
its clauses pass: those tests do not check the value.
"""

import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import get_context
from types import FrameType
from unittest.mock import patch

import msgspec
import pytest
from rich.progress import track

from fourcard.refusals import RefusedError
from fourcard.rules import differences, loading
from fourcard.rules.clauses import proved_through
from fourcard.rules.sabotage_results import RULEBOOKS
from fourcard.settle_files import reader
from tools.claims import ROOT, collect_claims
from tools.sabotage.alterations import Alteration, every_alteration
from tools.sabotage.outcome import ClauseCounts, chosen_by
from tools.sabotage.settings import read_settings

LEAST_ALTERATIONS = 1000
PROGRESS_EVERY = 100
SECONDS_A_TEST = 60
"""The most processor time of a test, many times that of the slowest."""
TASKS_A_PROCESS = 8
"""A worker process is replaced after this many tasks, because it gets slow and large."""


class AlterationResult(msgspec.Struct, frozen=True):
    """The result of one alteration: the clauses whose tests caught it, and those whose tests did not."""

    alteration: Alteration
    refused_by_loader: bool
    caught: tuple[str, ...]
    survived: tuple[str, ...]
    unclaimed: tuple[str, ...]


class _Results:
    """A pytest plugin that records which tests failed in any phase; a test that does not end fails too."""

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.ran: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Stop a test that runs too long."""
        signal.signal(signal.SIGVTALRM, _overrun)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_A_TEST)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a test's result."""
        self.ran.add(report.nodeid)
        if report.failed:
            self.failed.add(report.nodeid)


def _overrun(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"the test ran for more than {SECONDS_A_TEST} seconds")


_claims: dict[str, list[str]] = {}


def _tests_of(clause: str) -> list[str]:
    """Return the tests that prove a clause, by its own id or by the ruling that overrules it."""
    return [test for address in proved_through(clause) for test in _claims.get(address, [])]


def _try(alteration: Alteration) -> AlterationResult:
    """Run the tests of an alteration's clauses with the altered rulebook."""
    tests = {clause: _tests_of(clause) for clause in alteration.clauses}
    unclaimed = tuple(clause for clause, found in tests.items() if not found)
    original = loading.rulebook_document

    def altered(name: str) -> loading.Document:
        return alteration.document if name == alteration.rulebook else original(name)

    with patch.object(loading, "rulebook_document", altered):
        _forget()
        if _loader_refuses(alteration.rulebook):
            return AlterationResult(alteration, True, alteration.clauses, (), ())
        failed = _run(sorted({test for found in tests.values() for test in found}))
    caught = tuple(clause for clause, found in tests.items() if failed & set(found))
    survived = tuple(clause for clause, found in tests.items() if found and not failed & set(found))
    return AlterationResult(alteration, False, caught, survived, unclaimed)


def _run(tests: list[str]) -> set[str]:
    """Run tests and return those that failed."""
    results = _Results()
    if tests:
        pytest.main(
            ["-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "--tb=no", *tests], plugins=[results]
        )
        assert results.ran, f"none of {tests} ran"
    return results.failed


def _run_unaltered(alterations: list[Alteration]) -> set[str]:
    """Run the tests of the clauses to be altered on the unaltered rulebooks; return those that fail."""
    clauses = {clause for alteration in alterations for clause in alteration.clauses}
    return _run(sorted({test for clause in clauses for test in _tests_of(clause)}))


def _forget() -> None:
    loading.rulebook.cache_clear()
    differences.rulebook_differences.cache_clear()
    reader.settler_for.cache_clear()


def _loader_refuses(name: str) -> bool:
    try:
        for edition in loading.rulebook(name).editions:
            loading.rulebook(name, edition)
    except RefusedError:
        return True
    return False


def _start(claims: dict[str, list[str]]) -> None:
    _claims.update(claims)
    os.chdir(ROOT)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def sabotage(alterations: list[Alteration]) -> list[AlterationResult]:
    """Try every alteration, on all cores, with a progress bar on a terminal."""
    context = get_context("fork")
    claims = collect_claims(parts=True)
    with context.Pool(os.cpu_count(), _start, (claims,), maxtasksperchild=TASKS_A_PROCESS) as pool:
        broken = pool.apply(_run_unaltered, (alterations,))
        if broken:
            raise SystemExit(f"{len(broken)} tests fail on the unaltered rulebooks, such as {min(broken)}")
        outcomes: Iterable[AlterationResult] = pool.imap(_try, alterations, chunksize=4)
        if sys.stderr.isatty():
            outcomes = track(outcomes, "altering rulebooks", len(alterations))
        return [_print_result(outcome, number) for number, outcome in enumerate(outcomes, 1)]


def _print_result(outcome: AlterationResult, number: int) -> AlterationResult:
    """Print what survived at once, and the progress now and then if there is no progress bar."""
    for clause in outcome.survived:
        print(f"SURVIVED  {clause}  {outcome.alteration}", flush=True)
    for clause in outcome.unclaimed:
        print(f"UNCLAIMED {clause}  {outcome.alteration}", flush=True)
    if number % PROGRESS_EVERY == 0 and not sys.stderr.isatty():
        print(f"{number} alterations tried", file=sys.stderr, flush=True)
    return outcome


def report(outcomes: list[AlterationResult]) -> int:
    """Print the summary of all alterations, and return the exit status."""
    counts = Counter(
        survived=sum(bool(o.survived) for o in outcomes),
        unclaimed=sum(bool(o.unclaimed) for o in outcomes),
        refused=sum(o.refused_by_loader for o in outcomes),
    )
    places = {(o.alteration.rulebook, o.alteration.place) for o in outcomes}
    print(
        f"{len(outcomes)} alterations of {len(places)} values of the rulebooks: "
        f"{len(outcomes) - counts['survived'] - counts['unclaimed']} caught "
        f"({counts['refused']} of them refused by the loader), {counts['survived']} survived, "
        f"{counts['unclaimed']} claimed by no test"
    )
    return 1 if counts["survived"] or counts["unclaimed"] else 0


def alter_data(counts: ClauseCounts, *, sample: int | None, seed: int, places: Sequence[str]) -> int:
    """Alter every value or a seeded sample, count the results by clause, and return the exit status."""
    alterations = list(every_alteration())
    if len(alterations) < LEAST_ALTERATIONS:
        print(f"Only {len(alterations)} alterations were found; the rulebooks hold more.", file=sys.stderr)
        return 2
    same = {each.point for each in read_settings().equivalent_values}
    if unknown := same - {*map(str, alterations)}:
        print(f"There is no alteration '{min(unknown)}'.", file=sys.stderr)
        return 2
    alterations = [each for each in alterations if str(each) not in same]
    chosen = [alteration for alteration in alterations if chosen_by(places, str(alteration))]
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, len(chosen)))
    if not chosen:
        print("No alteration was chosen.", file=sys.stderr)
        return 2
    if len(chosen) == len(alterations):
        counts.whole.add(RULEBOOKS)
    outcomes = sabotage(chosen)
    for outcome in outcomes:
        for clause in (*outcome.caught, *outcome.survived):
            counts.add(clause, RULEBOOKS, caught=clause in outcome.caught)
    return report(outcomes)

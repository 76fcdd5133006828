"""Clause claims: collects which tests claim which clauses, without running the tests."""

import contextlib
import io
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KINDS = ("clause", "part")
"""Claims of a whole clause, and claims of a part, which do not count as a proof."""


def claims_of(item: pytest.Item, *kinds: str) -> list[str]:
    """Return the ids that a test claims, for some kinds of claims or all."""
    marks = (mark for kind in kinds or KINDS for mark in item.iter_markers(kind))
    return [str(claim) for mark in marks for claim in mark.args]


class _Collector:
    """A pytest plugin that records the claims of every collected test."""

    def __init__(self) -> None:
        self.claims: dict[str, dict[str, list[str]]] = {
            "clause": defaultdict(list),
            "part": defaultdict(list),
        }
        self.items = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the claims once all tests are collected."""
        self.items = len(session.items)
        for item in session.items:
            for kind, claims in self.claims.items():
                for claim in claims_of(item, kind):
                    claims[claim].append(item.nodeid)


def files_with_claims() -> list[str]:
    """Return the clause tests and the other files with claims; collecting all files would take long."""
    marks = (*(f"mark.{kind}" for kind in KINDS), "by_clause(")
    files = sorted(each for each in (ROOT / "tests").rglob("test_*.py") if each.parent.name != "clauses")
    claiming = [each for each in files if any(mark in each.read_text(encoding="utf-8") for mark in marks)]
    return [str(ROOT / "tests" / "clauses"), *map(str, claiming)]


def collect_claims(*, parts: bool = False) -> dict[str, list[str]]:
    """Return the tests that claim each id, with ``parts`` also those that claim a part of it."""
    collector, noise = _Collector(), io.StringIO()
    arguments = [
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:schemathesis",
        *files_with_claims(),
    ]
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
        status = pytest.main(arguments, plugins=[collector])
    if status != pytest.ExitCode.OK or not collector.items:
        raise SystemExit(f"The tests cannot be collected:\n{noise.getvalue()}")
    found = {claim: list(tests) for claim, tests in collector.claims["clause"].items()}
    if parts:
        for claim, tests in collector.claims["part"].items():
            found.setdefault(claim, []).extend(tests)
    return found

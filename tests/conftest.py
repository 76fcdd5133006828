"""Claims of clauses are checked, suites are timed, and on CI a skipped test is a failure."""

import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from fourcard.rules.rulings import is_address

MOST_CLAIMS = 3
settings.register_profile("fourcard", deadline=None, print_blob=True)
settings.load_profile("fourcard")

_seconds: dict[str, float] = defaultdict(float)
_counts: Counter[str] = Counter()


def claims_of(item: pytest.Item) -> list[str]:
    """Return the ids that a test claims to prove, whole or in part."""
    return [
        str(claim) for name in ("clause", "part") for mark in item.iter_markers(name) for claim in mark.args
    ]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fail the run on a claim of an id that does not exist, or of too many ids."""
    for item in items:
        claims = claims_of(item)
        unknown = [claim for claim in claims if not is_address(claim)]
        if unknown:
            raise pytest.UsageError(f"{item.nodeid} claims {', '.join(unknown)}, which does not exist")
        if len(claims) > MOST_CLAIMS:
            raise pytest.UsageError(f"{item.nodeid} claims {len(claims)} clauses; {MOST_CLAIMS} at most")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add a test's time to its suite."""
    parts = Path(report.nodeid.split("::")[0]).parts
    suite = parts[1] if len(parts) > 2 else "unit"
    _seconds[suite] += report.duration
    _counts[suite] += report.when == "call"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long each suite took."""
    terminalreporter.section("suites")
    for suite in sorted(_seconds):
        terminalreporter.write_line(f"{suite:<12} {_counts[suite]:>5} tests {_seconds[suite]:>7.1f} s")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Count a skipped test as a failure on CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = len(reporter.stats.get("skipped", [])) if reporter else 0
    if os.environ.get("CI") == "true" and skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

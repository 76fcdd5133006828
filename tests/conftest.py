"""Claims of clauses are checked, suites are timed, and on CI a skipped test is a failure."""

import gc
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from fourcard.rules.clauses import is_address
from fourcard.settle_files.reader import settler_for
from tools.claims import KINDS, claims_of

pytest_plugins = ["tests.kit.house_fixtures"]
MAX_CLAIMS = 3
LONG_FIRST = (
    *("browser", "exact", "odds", "laws", "ledgers", "server", "storm", "contract", "tools", "cli"),
    *("house", "api"),
)
"""Folders in the order in which they are handed out, so that no worker ends with a long file.

Those of `exact` fork, and so come before those that start threads.
"""
os.environ.setdefault("FOURCARD_CACHE", str(Path(__file__).parents[1] / ".cache"))
settings.register_profile("fourcard", deadline=None, print_blob=True)
settings.load_profile("fourcard")

_seconds: dict[str, float] = defaultdict(float)
_counts: Counter[str] = Counter()


def pytest_collection_finish() -> None:
    """Collect garbage less often: thousands of collected tests would be looked through each time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True)
def _fresh_games() -> None:
    """Let every test make its own games, so that none passes by what another one left behind."""
    settler_for.cache_clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files over the workers, and fail the run on false claims.

    The tests of a file stay together, because some count what the others have shown. Those of the browser
    are in two halves, each of which shares one Chromium and the houses that it looks at.
    """
    places = {name: place for place, name in enumerate(LONG_FIRST)}
    items.sort(key=lambda item: places.get(item.path.parent.name, len(places)))
    browser = sorted({item.path for item in items if item.path.parent.name == "browser"})
    halves = {path: f"browser {number % 2}" for number, path in enumerate(browser)}
    for item in items:
        group = halves.get(item.path, f"{item.path.parent.name} {item.path.stem}")
        item.add_marker(pytest.mark.xdist_group(group))
        marks = [mark for kind in KINDS for mark in item.iter_markers(kind)]
        if any(not mark.args or mark.kwargs for mark in marks):
            raise pytest.UsageError(f"{item.nodeid} claims nothing, or not by a plain id")
        if marks and any(item.get_closest_marker(name) for name in ("skip", "skipif", "xfail")):
            raise pytest.UsageError(f"{item.nodeid} claims clauses and may be skipped")
        claims = claims_of(item)
        unknown = [claim for claim in claims if not is_address(claim)]
        if unknown:
            raise pytest.UsageError(f"{item.nodeid} claims {', '.join(unknown)}, which does not exist")
        if len(claims) > MAX_CLAIMS:
            raise pytest.UsageError(f"{item.nodeid} claims {len(claims)} clauses; {MAX_CLAIMS} at most")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add a test's time to its suite."""
    parts = Path(report.nodeid.split("::")[0]).parts
    suite = parts[1] if len(parts) > 2 else "unit"
    _seconds[suite] += report.duration
    _counts[suite] += report.when == "call"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long each suite took."""
    if _seconds:
        terminalreporter.section("suites")
    for suite in sorted(_seconds):
        terminalreporter.write_line(f"{suite:<12} {_counts[suite]:>5} tests {_seconds[suite]:>7.1f} s")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Count a test that did not really run as a failure on CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    missed = sum(len(reporter.stats.get(kind, [])) for kind in ("skipped", "xfailed")) if reporter else 0
    if reporter and os.environ.get("CI") and missed and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{missed} tests were skipped, which counts as a failure here", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

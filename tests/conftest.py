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
STREAMS = {
    **dict.fromkeys(("laws", "odds", "browser"), "browser"),
    **dict.fromkeys(("api", "contract", "server", "storm"), "served"),
}
"""Streams that run beside all other suites: their processes, databases and browsers wait a lot."""
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
    """Fail the run on a claim of an id that does not exist, or of too many ids; the browser comes last.

    While a browser is driven, its driver keeps an event loop, and other tests could not have one.
    """
    items.sort(key=lambda item: "browser" in item.path.parts)
    for item in items:
        streams = [STREAMS[part] for part in item.path.parts if part in STREAMS]
        item.add_marker(pytest.mark.xdist_group(streams[0] if streams else "counted"))
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

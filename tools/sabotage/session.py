"""One pytest session whose tests are collected once; each trial then runs some of them in a process of its own."""

import contextlib
import io
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tools.claims import ROOT

SECONDS_A_TEST = 60
"""The most processor time of a test, many times that of the slowest."""
SECONDS_A_TRIAL = 300
"""The most wall time of a trial, after which it counts as noticed: the code does not end any more."""
ARGUMENTS = ("-q", "-s", "--assert=plain", "--tb=no", "-p", "no:cacheprovider", "-p", "no:schemathesis")


class TestRun:
    """One test that ran: whether it failed, and its seconds."""

    def __init__(self, test: str, seconds: float, *, failed: bool) -> None:
        """Store what happened."""
        self.test, self.seconds, self.failed = test, seconds, failed


Trial = Callable[["Tests"], Any]


class Tests:
    """The collected tests by id, in the order of the session."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        """Index the tests."""
        self.items = {item.nodeid: item for item in items}
        self.place = {test: number for number, test in enumerate(self.items)}

    def run(self, tests: Sequence[str], before: Callable[[str], None] | None = None) -> Iterator[TestRun]:
        """Run tests in this order."""
        items = [self.items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if before is not None:
                before(item.nodeid)
            started = time.perf_counter()
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_A_TEST)
            reports = runtestprotocol(item, nextitem=following, log=False)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            failed = any(report.failed for report in reports)
            yield TestRun(item.nodeid, time.perf_counter() - started, failed=failed)

    def tear_down(self) -> None:
        """End what the tests that ran have left standing, such as a server."""
        for item in self.items.values():
            with contextlib.suppress(BaseException):
                item.session._setupstate.teardown_exact(None)
            return


class _Takeover:
    """A pytest plugin that runs the trials instead of the tests."""

    def __init__(self, work: Callable[[Tests], int]) -> None:
        self.work, self.status = work, 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.status = self.work(Tests(session.items))
        return True


def with_tests(files: Sequence[str], work: Callable[[Tests], int]) -> int:
    """Collect the tests of some files, and do some work with them."""
    settings.register_profile("sabotage", database=None, derandomize=True)
    settings.load_profile("sabotage")
    takeover, noise = _Takeover(work), io.StringIO()
    out = sys.stdout
    with contextlib.chdir(ROOT):
        status = pytest.main([*ARGUMENTS, *files], plugins=[takeover])
    return takeover.status


def forked(tests: Tests, trials: Sequence[Trial], workers: int) -> Iterator[tuple[int, Any]]:
    """Run each trial in a process of its own, some at a time; yield its number and result as it ends.

    The result is None if the process ended without one or took too long.
    """
    waiting, running = list(enumerate(trials))[::-1], dict[int, tuple[int, int, float, bytes]]()
    with DefaultSelector() as ends:
        while waiting or running:
            while waiting and len(running) < workers:
                number, trial = waiting.pop()
                end, process = _fork(tests, trial)
                running[end] = (number, process, time.monotonic(), b"")
                ends.register(end, EVENT_READ)
            for key, _ in ends.select(timeout=5):
                number, process, started, found = running[key.fd]
                more = os.read(key.fd, 1 << 20)
                running[key.fd] = (number, process, started, found + more)
                if not more:
                    ends.unregister(key.fd)
                    os.close(key.fd)
                    os.waitpid(process, 0)
                    del running[key.fd]
                    yield number, pickle.loads(found) if found else None
            for number, process, started, _ in running.values():
                if time.monotonic() - started > SECONDS_A_TRIAL:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)


def _fork(tests: Tests, trial: Trial) -> tuple[int, int]:
    """Start a trial; return where its result is read, and its process."""
    receives, sends = os.pipe()
    process = os.fork()
    if process:
        os.close(sends)
        return receives, process
    _run_and_exit(tests, trial, sends)


def _run_and_exit(tests: Tests, trial: Trial, sends: int) -> NoReturn:
    try:
        quiet = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1) if os.environ.get("LOUD") else (0, 1, 2):
            os.dup2(quiet, each)
        signal.signal(signal.SIGVTALRM, _overrun)
        with os.fdopen(sends, "wb") as pipe:
            pipe.write(pickle.dumps(trial(tests)))
        tests.tear_down()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _overrun(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"the test ran for more than {SECONDS_A_TEST} seconds")

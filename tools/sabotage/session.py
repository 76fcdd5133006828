"""One pytest session: tests are collected once, and each trial runs some of them in a process of its own."""

import contextlib
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import Any, NoReturn

import msgspec
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tools.claims import ROOT, claims_of

SECONDS_A_TEST = 60
"""The most processor time of a test, many times that of the slowest."""
SECONDS_A_TRIAL = 600
"""The most wall time of a trial; altered code may wait for ever."""
ARGUMENTS = ("-qq", "-s", "--assert=plain", "--tb=no", "-p", "no:cacheprovider", "-p", "no:schemathesis")


class TestRun(msgspec.Struct, frozen=True):
    """One test that ran."""

    test: str
    seconds: float
    failed: bool


class Tests:
    """The collected tests by id."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        """Index the tests."""
        self.items = {item.nodeid: item for item in items}

    def run(self, tests: Sequence[str], before: Callable[[str], None] | None = None) -> Iterator[TestRun]:
        """Run tests in this order, one when the next result is asked for."""
        items = [self.items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if before is not None:
                before(item.nodeid)
            started = time.perf_counter()
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_A_TEST)
            reports = runtestprotocol(item, nextitem=following, log=False)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            failed = any(report.failed for report in reports)
            yield TestRun(item.nodeid, time.perf_counter() - started, failed)

    def tear_down(self) -> None:
        """End what the tests that ran have left standing, such as a server."""
        session = next(iter(self.items.values())).session
        with contextlib.suppress(Exception):
            session._setupstate.teardown_exact(None)


Trial = Callable[[Tests], Any]
"""Runs tests in a process of its own and returns a result that can be pickled."""


class _Takeover:
    """A pytest plugin that does other work than running all tests."""

    def __init__(self, modules: Sequence[str], work: Callable[[Tests], int]) -> None:
        self.modules, self.work, self.status = tuple(modules), work, 2

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Work with the tests that claim something or are in a named module."""
        chosen = (item for item in session.items if claims_of(item) or item.nodeid.startswith(self.modules))
        self.status = self.work(Tests(chosen))
        return True


def with_tests(files: Sequence[str], modules: Sequence[str], work: Callable[[Tests], int]) -> int:
    """Collect the tests of some files, and do some work with them; return its status."""
    settings.register_profile("sabotage", database=None, derandomize=True)
    settings.load_profile("sabotage")
    takeover = _Takeover(modules, work)
    with contextlib.chdir(ROOT):
        pytest.main([*ARGUMENTS, *files, *modules], plugins=[takeover])
    return takeover.status


class _Process(msgspec.Struct):
    """A trial that runs."""

    number: int
    process: int
    started: float
    found: bytes = b""


def forked(tests: Tests, trials: Sequence[Trial], workers: int) -> Iterator[tuple[int, Any]]:
    """Run each trial in a process of its own, some at a time; yield its number and result as it ends.

    The result is None if the process ended without one or took too long.
    """
    waiting, running = [*enumerate(trials)][::-1], dict[int, _Process]()
    with DefaultSelector() as ends:
        while waiting or running:
            while waiting and len(running) < workers:
                number, trial = waiting.pop()
                end, process = _fork(tests, trial)
                running[end] = _Process(number, process, time.monotonic())
                ends.register(end, EVENT_READ)
            for key, _ in ends.select(timeout=5):
                more = os.read(key.fd, 1 << 20)
                running[key.fd].found += more
                if not more:
                    ends.unregister(key.fd)
                    yield _end(running.pop(key.fd), key.fd)
            for each in running.values():
                if time.monotonic() - each.started > SECONDS_A_TRIAL:
                    os.kill(each.process, signal.SIGKILL)


def _end(ended: _Process, end: int) -> tuple[int, Any]:
    os.close(end)
    os.waitpid(ended.process, 0)
    return ended.number, pickle.loads(ended.found) if ended.found else None


def _fork(tests: Tests, trial: Trial) -> tuple[int, int]:
    """Start a trial; return where its result is read, and its process."""
    receives, sends = os.pipe()
    process = os.fork()
    if not process:
        _run_and_exit(tests, trial, sends)
    os.close(sends)
    return receives, process


def _run_and_exit(tests: Tests, trial: Trial, sends: int) -> NoReturn:
    try:
        quiet = os.open(os.devnull, os.O_RDWR)
        for each in (0, 1, 2):
            os.dup2(quiet, each)
        signal.signal(signal.SIGVTALRM, _overrun)
        result = pickle.dumps(trial(tests))
        tests.tear_down()
        with os.fdopen(sends, "wb") as pipe:
            pipe.write(result)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        os._exit(0)


def _overrun(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"the test ran for more than {SECONDS_A_TEST} seconds")

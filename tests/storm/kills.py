"""Killed processes: afterwards the journal has what was answered, once, and nothing by half."""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.house import House
from fourcard.house.store.address import open_store
from fourcard.house.store.sealing import StoreKey
from tests.kit.invariants import BrokenError, require
from tests.kit.support import ROOT
from tests.kit.waiting import PROCESS_PATIENCE
from tests.storm.checks import checking_observer
from tests.storm.counts import Counts, Failure, describe_failure
from tests.storm.kill_log import ASKS, HEARD, KEY, WINS, LogCheck
from tests.storm.setup import Plan, StoreFactory, setup_requests
from tests.storm.storm import Progress, check_house, check_states
from tests.storm.summary import count_win_moments, win_actions

MAX_GROUPS, MAX_WINS = 30, 8
PLENTY = 150
"""After so many groups nobody waits for a win any longer."""


class Process:
    """A child that plays until it is killed, or that finishes."""

    def __init__(
        self, address: str, log: Path, seed: str, tables: Sequence[str], *, finish: bool = False
    ) -> None:
        """Start it."""
        self.log = log
        more = ["--finish"] if finish else []
        command = [sys.executable, "-m", "tests.storm.child", address, str(log), seed, *tables, *more]
        self._errors = log.with_suffix(".err").open("ab")
        self._running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=self._errors)

    def wait_for(self, times: int, awaited: bytes) -> None:
        """Wait until it has written a sign so many times, or has asked plenty."""
        seen, asked, end = 0, 0, time.monotonic() + PROCESS_PATIENCE
        assert self._running.stdout is not None
        pipe = self._running.stdout.fileno()
        while seen < times and asked < PLENTY:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            sign = os.read(pipe, 1) if ready else b""
            if not sign:
                raise BrokenError(f"a process does not go on: {self._error_text()}")
            seen += sign == awaited
            asked += sign == ASKS

    def kill(self, chance: Random) -> None:
        """Kill it while it starts, while it asks, while it sees to a win, or at any moment."""
        sort = chance.random()
        if sort < 0.1:
            time.sleep(chance.uniform(0.0, 1.5))
        elif sort < 0.6:
            self.wait_for(chance.randrange(1, MAX_WINS), WINS)
            time.sleep(chance.uniform(0.0, 0.01))
        elif sort < 0.85:
            self.wait_for(chance.randrange(1, MAX_GROUPS), ASKS)
            time.sleep(chance.uniform(0.0, 0.01))
        else:
            self.wait_for(chance.randrange(1, MAX_GROUPS), HEARD)
            time.sleep(chance.uniform(0.0, 0.02))
        ended = self._running.poll()
        if ended is not None:
            raise BrokenError(f"a process ended by itself with {ended}: {self._error_text()}")
        os.kill(self._running.pid, signal.SIGKILL)
        self._end()

    def wait(self) -> None:
        """Wait until it has finished."""
        assert self._running.stdout is not None
        self._running.stdout.read()
        self._running.wait(PROCESS_PATIENCE)
        if self._running.returncode:
            raise BrokenError(f"a process failed with {self._running.returncode}: {self._error_text()}")
        self._end()

    def stop(self) -> None:
        """Make sure that it is gone."""
        if self._running.poll() is None:
            self._running.kill()
        self._end()

    def _end(self) -> None:
        self._running.wait()
        if self._running.stdout is not None:
            self._running.stdout.close()
        self._errors.close()

    def _error_text(self) -> str:
        return self.log.with_suffix(".err").read_text(errors="replace")[-2_000:]


MAX_AT_ONCE = 3


def run_kills(plan: Plan, place: StoreFactory, counts: Counts, progress: Progress) -> Failure | None:
    """Kill as many processes as a plan says, and return what broke if something did."""
    for processes, kills in _split_kills(plan):
        word = f"{plan.seed}/{processes.count} at once{', apart' if processes.own_tables else ''}"
        try:
            with tempfile.TemporaryDirectory(prefix="fourcard-kills-") as folder:
                house = KillRun(place.address(), Path(folder), word, plan.tables, processes, counts)
                house.run(kills, lambda number: progress(f"kill {number:,} of {kills:,}"))  # noqa: B023
        except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
            return describe_failure(f"kill {counts.seen['kills']}", error, plan.replay_kills_command())
    return None


def _split_kills(plan: Plan) -> list[tuple["ProcessGroup", int]]:
    """Return which processes there are at once, and how many kills come to them.

    On PostgreSQL half of the kills come to one, and the others to two at the same tables and to three that
    have tables of their own, linked to the same meters.
    """
    if plan.store != "postgres" or plan.tables < MAX_AT_ONCE:
        return [(ProcessGroup(), plan.kills)]
    together = plan.kills // 4
    linked = (plan.kills - together) // 3
    kills_of = {
        ProcessGroup(): plan.kills - together - linked,
        ProcessGroup(2): together,
        ProcessGroup(MAX_AT_ONCE, own_tables=True): linked,
    }
    return [(processes, kills) for processes, kills in kills_of.items() if kills]


WHOLE_EVERY = 25
"""Kills after which everything is audited; in between, states and new events are checked."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """How many processes there are at once, and whether each has tables of its own."""

    count: int = 1
    own_tables: bool = False

    def tables_of(self, number: int, tables: int) -> list[str]:
        """Return the tables of one process: all of them, or every so many."""
        names = [f"t{table}" for table in range(tables)]
        return names[number :: self.count] if self.own_tables else names


class KillRun:
    """A house on a database whose processes are killed."""

    def __init__(
        self, address: str, folder: Path, seed: str, tables: int, processes: ProcessGroup, counts: Counts
    ) -> None:
        """Set the house up."""
        self.address, self.seed, self.tables, self.counts = address, seed, tables, counts
        self.chance, self.numbers = Random(seed), count(1)
        self.observer = checking_observer(counts)
        self.logs = [folder / f"process-{number}.log" for number in range(processes.count)]
        self.tables_of_each = [processes.tables_of(number, tables) for number in range(processes.count)]
        self.own_tables, alone = processes.own_tables, processes.count == 1
        self.log_checks = [LogCheck(log, self.observer, counts, alone=alone) for log in self.logs]
        self.running: list[Process] = []
        house = House(open_store(address), KEY, SystemClock(), SystemEntropy())
        for request in setup_requests(self.chance, tables):
            house.service.do(request.stream, request.command, request.actor)
        house.close()

    def run(self, kills: int, progress: Callable[[int], None] = lambda _: None) -> None:
        """Kill so many processes, check everything after each, and let the last ones finish."""
        try:
            self.running = [self._start(place) for place in range(len(self.logs))]
            for number in range(1, kills + 1):
                self._kill()
                if number % WHOLE_EVERY == 0:
                    self._check_at_rest()
                progress(number)
            self._finish()
        finally:
            for process in self.running:
                process.stop()

    def _start(self, place: int, *, finish: bool = False) -> Process:
        seed = f"{self.seed}/c{next(self.numbers)}"
        return Process(self.address, self.logs[place], seed, self.tables_of_each[place], finish=finish)

    def _kill(self) -> None:
        """Kill one of the processes, check, and start another one in its place."""
        place = self.chance.randrange(len(self.running))
        self.running[place].kill(self.chance)
        self.counts.seen["kills"] += 1
        self.check()
        count_win_moments(self.observer, self.counts, "kills")
        for motion in win_actions(self.log_checks[place].unanswered()):
            self.counts.seen[f"kills while asking to {motion}"] += 1
        self.running[place] = self._start(place)

    def _check_at_rest(self) -> None:
        """Kill all processes, so that nothing moves, and check the whole house."""
        for process in self.running:
            process.stop()
        self.check(whole=True)
        self.running = [self._start(place) for place in range(len(self.logs))]

    def _finish(self) -> None:
        """Let processes end what is under way, in turn where they share tables, and find nothing left."""
        for process in self.running:
            process.stop()
        self.check(whole=True)
        places = range(len(self.logs))
        for together in [places] if self.own_tables else [[place] for place in places]:
            self.running = [self._start(place, finish=True) for place in together]
            for process in self.running:
                process.wait()
        self.running = []
        self.check(whole=True)
        for name in (f"t{number}" for number in range(self.tables)):
            state = self.observer.table(name).state
            require(state.round is None, "a round did not go on to its end", name)
        for log_check in self.log_checks:
            require(not log_check.missing_keys(), "answers are gone", log_check.missing_keys()[:5])

    def check(self, *, whole: bool = False) -> None:
        """Read the new events, compare the logs with them, and find a fresh desk in the same state."""
        for log_check in self.log_checks:
            log_check.collect()
        store = open_store(self.address, writing=False)
        store.key = StoreKey(KEY.secret)
        try:
            with store.reading() as reading:
                self.observer.read_new(reading)
                for log_check in self.log_checks:
                    log_check.catch_up(reading)
            if whole:
                check_house(store, self.observer, self.counts)
            elif len(self.logs) == 1:
                check_states(store, self.observer)
        finally:
            store.close()

"""Measurement helpers: timing, benchmark tables, worker processes, and the CPU and memory of servers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Self, TypeVar

import msgspec
from rich.table import Table

RUNS = 7


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median time of several runs."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return median(times)


def quantile(figures: Sequence[float], share: float) -> float:
    """Return a quantile, such as 0.99, of some figures."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table_of(title: str, *heads: str) -> Table:
    """Return an empty benchmark table: names left-aligned, figures right-aligned."""
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table


READY = "ready"
Decoded = TypeVar("Decoded")


class TimedWork(msgspec.Struct, frozen=True):
    """The work done between two times of the clock that all processes share."""

    begin: float
    end: float
    done: int
    commands: int
    commits: int


class WorkerProcess:
    """One worker process; it answers every number that it receives with the work it did."""

    def __init__(self, module: str, arguments: list[str]) -> None:
        """Start the process."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    def wait(self) -> Self:
        """Wait until the process is ready."""
        found = self.read_line()
        if found != READY:
            raise RuntimeError(f"a worker process failed: {found or 'no output'}")
        return self

    def start(self, number: int) -> None:
        """Start one unit of work."""
        self.send(f"{number}")

    def results(self) -> TimedWork:
        """Return the work done."""
        return self.answer(TimedWork)

    def close(self) -> None:
        """Close its input and wait until it ends."""
        self._process.communicate(timeout=60)

    def send(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def answer(self, kind: type[Decoded]) -> Decoded:
        """Return its next line, decoded as the given type."""
        line = self.read_line()
        if not line:
            raise RuntimeError("a worker process ended without a result")
        return msgspec.json.decode(line, type=kind)

    def read_line(self) -> str:
        """Return its next line; empty once it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


class WorkerGroup:
    """Several worker processes of the same module."""

    def __init__(self, each: list[WorkerProcess]) -> None:
        """Wait until all workers are ready."""
        self._each = [child.wait() for child in each]

    @property
    def pids(self) -> list[int]:
        """Return the process ids."""
        return [child.pid for child in self._each]

    def timed(self, number: int) -> TimedWork:
        """Start all workers at once, and return their work together, from the first start to the last end."""
        for child in self._each:
            child.start(number)
        results = [child.results() for child in self._each]
        for child in self._each:
            child.wait()
        return TimedWork(
            min(one.begin for one in results),
            max(one.end for one in results),
            sum(one.done for one in results),
            sum(one.commands for one in results),
            sum(one.commits for one in results),
        )


@contextmanager
def worker_group(module: str, arguments: list[list[str]]) -> Iterator[WorkerGroup]:
    """Run worker processes of a module, one for each list of arguments."""
    each = [WorkerProcess(module, some) for some in arguments]
    try:
        yield WorkerGroup(each)
    finally:
        for child in each:
            child.close()


def run_worker(work: Callable[[int], TimedWork], clear: Callable[[], object] = lambda: None) -> None:
    """Worker main loop: do the work for every number on standard input, and prepare again after each."""
    print(READY, flush=True)
    for line in sys.stdin:
        print(msgspec.json.encode(work(int(line))).decode(), flush=True)
        clear()
        print(READY, flush=True)


PATIENCE = 60.0
"""Seconds within which a server must answer."""
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
USER_TIME, SYSTEM_TIME = 11, 12
"""The indices of the two times in /proc/PID/stat, counted after the process name."""


PROC = Path("/proc")


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds that a process has used so far, on all cores."""
    fields = (PROC / str(pid) / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])) / TICK


def child_pids(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started and that still run."""
    return [*map(int, (PROC / str(pid) / "task" / str(pid) / "children").read_text(encoding="ascii").split())]


def busy_seconds() -> float:
    """Return the CPU seconds that all programs of the machine have used so far."""
    user, nice, system, _idle, _iowait, irq, softirq, steal, *_ = map(
        int, (PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    )
    return (user + nice + system + irq + softirq + steal) / TICK


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    return int((PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1]) * PAGE


def proportional_bytes(pid: int) -> int:
    """Return the memory of a process in bytes, with its share of the pages that others use too."""
    lines = (PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1_024


class ServerProcess:
    """A server process that is measured from outside."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        """Start a server on a port; its output goes to a log file."""
        self.port = port
        with log.open("ab") as out:
            self._running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        self._log = log

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._running.pid

    def cpu(self) -> float:
        """Return the CPU seconds used so far, on all cores."""
        return cpu_seconds(self.pid)

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        return resident_bytes(self.pid)

    def answers(self, path: str) -> float:
        """Wait until a path answers with status 200, and return the time."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._running.poll() is None:
            if self._get(path)[0] == 200:
                return time.perf_counter()
            time.sleep(0.005)
        raise RuntimeError(f"the measured server failed: {self._log.read_text(encoding='utf-8')}")

    def await_solver(self) -> None:
        """Wait until the house has solved the game, which it does in the background after its start."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            status, answer = self._get("/api/coach")
            if status == 200 and msgspec.json.decode(answer)["ready"]:
                return
            time.sleep(0.1)

    def _get(self, path: str) -> tuple[int, bytes]:
        """Return the status and the body of a response; status 0 if nothing listens."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError:
            return 0, b""
        finally:
            connection.close()

    def kill(self) -> None:
        """Kill the process, as a crash would end it."""
        self._running.kill()
        self._running.wait()

    def end(self) -> None:
        """Terminate the process and wait until it has ended."""
        self._running.send_signal(signal.SIGTERM)
        try:
            self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()


@contextmanager
def running_server(command: list[str], port: int, log: Path) -> Iterator[ServerProcess]:
    """Run a server during the block; yields it once it answers."""
    process = ServerProcess(command, port, log)
    try:
        process.answers("/health")
        yield process
    finally:
        process.end()


def fourcard_command(*arguments: object) -> list[str]:
    """Return a fourcard command line."""
    return [str(Path(sys.executable).parent / "fourcard"), *map(str, arguments)]


def free_port() -> int:
    """Return a free local port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""Server processes: starts a server and reads its CPU time and memory from /proc."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import msgspec

PATIENCE = 60.0
"""Seconds within which a server must answer."""
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
USER_TIME, SYSTEM_TIME = 11, 12
"""The indices of the two times in /proc/PID/stat, counted after the process name."""


class Process:
    """A server process that is measured from outside."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        """Start a server on a port; its output goes to a log file."""
        self.port = port
        with log.open("ab") as out:
            self._running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        self._proc, self._log = Path("/proc") / str(self._running.pid), log

    def cpu(self) -> float:
        """Return the CPU seconds used so far, on all cores."""
        fields = (self._proc / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])) / TICK

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        return int((self._proc / "statm").read_text(encoding="ascii").split()[1]) * PAGE

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
        while time.monotonic() < until and not msgspec.json.decode(self._get("/api/coach")[1])["ready"]:
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

    def end(self) -> None:
        """Terminate the process and wait until it has ended."""
        self._running.send_signal(signal.SIGTERM)
        try:
            self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()


@contextmanager
def server(command: list[str], port: int, log: Path) -> Iterator[Process]:
    """Run a server during the block; yields it once it answers."""
    process = Process(command, port, log)
    try:
        process.answers("/health")
        yield process
    finally:
        process.end()


def fourcard(*arguments: object) -> list[str]:
    """Return a fourcard command line."""
    return [str(Path(sys.executable).parent / "fourcard"), *map(str, arguments)]


def free_port() -> int:
    """Return a free local port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""What a process has used until now, read from the system's own files about it."""

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
"""Seconds in which a server must answer."""
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
USER_TIME, SYSTEM_TIME = 11, 12
"""Where the two times stand in the file about a process, counted from behind its name."""


class Process:
    """A server's process that is measured from outside."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        """Start what will listen at a port; all that it writes goes to a file."""
        self.port = port
        with log.open("ab") as out:
            self._running = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        self._about, self._log = Path("/proc") / str(self._running.pid), log

    def cpu(self) -> float:
        """Return the seconds that it computed until now, on all cores."""
        fields = (self._about / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])) / TICK

    def memory(self) -> int:
        """Return the bytes of its memory that are in use now."""
        return int((self._about / "statm").read_text(encoding="ascii").split()[1]) * PAGE

    def answers(self, path: str) -> float:
        """Wait until an address of its is answered with 200, and return the moment of the clock."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._running.poll() is None:
            if self._asked(path)[0] == 200:
                return time.perf_counter()
            time.sleep(0.005)
        raise RuntimeError(f"a server that was to be measured said: {self._log.read_text(encoding='utf-8')}")

    def await_solver(self) -> None:
        """Wait until a house has solved the game, which it does beside everything else when it starts."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not msgspec.json.decode(self._asked("/api/coach")[1])["ready"]:
            time.sleep(0.1)

    def _asked(self, path: str) -> tuple[int, bytes]:
        """Return the status and the body of an answer, or nothing where nobody listens."""
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
        """Ask it to end, and wait until it has."""
        self._running.send_signal(signal.SIGTERM)
        try:
            self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()


@contextmanager
def server(command: list[str], port: int, log: Path) -> Iterator[Process]:
    """Run a server until it is needed no more; it is yielded once it answers."""
    process = Process(command, port, log)
    try:
        process.answers("/health")
        yield process
    finally:
        process.end()


def fourcard(*arguments: object) -> list[str]:
    """Return a command of the program."""
    return [str(Path(sys.executable).parent / "fourcard"), *map(str, arguments)]


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

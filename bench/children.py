"""Worker processes: each prepares itself, then all are timed together."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

import msgspec

READY = "ready"
Said = TypeVar("Said")


class Timed(msgspec.Struct, frozen=True):
    """The work done between two times of the clock that all processes share."""

    begin: float
    end: float
    done: int
    commands: int
    commits: int


class Child:
    """One worker process; it answers every number that it receives with the work it did."""

    def __init__(self, module: str, arguments: list[str]) -> None:
        """Start the process."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait(self) -> Self:
        """Wait until the process is ready."""
        found = self.heard()
        if found != READY:
            raise RuntimeError(f"a worker process failed: {found or 'no output'}")
        return self

    def ask(self, number: int) -> None:
        """Start one unit of work."""
        self.say(f"{number}")

    def results(self) -> Timed:
        """Return the work done."""
        return self.answer(Timed)

    def close(self) -> None:
        """Close its input and wait until it ends."""
        self._process.communicate(timeout=60)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def answer(self, kind: type[Said]) -> Said:
        """Return its next line, decoded as the given type."""
        line = self.heard()
        if not line:
            raise RuntimeError("a worker process ended without a result")
        return msgspec.json.decode(line, type=kind)

    def heard(self) -> str:
        """Return its next line; empty once it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


class Children:
    """Several worker processes of the same module."""

    def __init__(self, each: list[Child]) -> None:
        """Wait until all workers are ready."""
        self._each = [child.wait() for child in each]

    def timed(self, number: int) -> Timed:
        """Start all workers at once, and return their work together, from the first start to the last end."""
        for child in self._each:
            child.ask(number)
        results = [child.results() for child in self._each]
        for child in self._each:
            child.wait()
        return Timed(
            min(one.begin for one in results),
            max(one.end for one in results),
            sum(one.done for one in results),
            sum(one.commands for one in results),
            sum(one.commits for one in results),
        )


@contextmanager
def children(module: str, arguments: list[list[str]]) -> Iterator[Children]:
    """Run worker processes of a module, one for each list of arguments."""
    each = [Child(module, some) for some in arguments]
    try:
        yield Children(each)
    finally:
        for child in each:
            child.close()


def serve(work: Callable[[int], Timed], clear: Callable[[], object] = lambda: None) -> None:
    """Worker main loop: do the work for every number on standard input, and prepare again after each."""
    print(READY, flush=True)
    for line in sys.stdin:
        print(msgspec.json.encode(work(int(line))).decode(), flush=True)
        clear()
        print(READY, flush=True)

"""Processes that work side by side: each makes itself ready, then all of them are timed together."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

import msgspec

READY = "ready"
Said = TypeVar("Said")


class Timed(msgspec.Struct, frozen=True):
    """What was done between two moments of the clock that all processes share."""

    begin: float
    end: float
    done: int
    commands: int
    commits: int


class Child:
    """One process of its own, which answers every number that it is sent with what it did."""

    def __init__(self, module: str, arguments: list[str]) -> None:
        """Start it."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait(self) -> Self:
        """Wait until it is ready."""
        found = self.heard()
        if found != READY:
            raise RuntimeError(f"a process that was to be measured said: {found or 'nothing'}")
        return self

    def ask(self, number: int) -> None:
        """Let it begin."""
        self.say(f"{number}")

    def told(self) -> Timed:
        """Return what it did."""
        return self.answer(Timed)

    def close(self) -> None:
        """Let it come to its end."""
        self._process.communicate(timeout=60)

    def say(self, line: str) -> None:
        """Write it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def answer(self, kind: type[Said]) -> Said:
        """Return what it wrote as something of a kind."""
        line = self.heard()
        if not line:
            raise RuntimeError("a process that was to be measured ended without an answer")
        return msgspec.json.decode(line, type=kind)

    def heard(self) -> str:
        """Return the next line that it wrote; nothing once it has ended."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


class Children:
    """Some processes of the same kind."""

    def __init__(self, each: list[Child]) -> None:
        """Wait until all of them are ready."""
        self._each = [child.wait() for child in each]

    def timed(self, number: int) -> Timed:
        """Let all begin at once, and return what they did together, from the first begin to the last end."""
        for child in self._each:
            child.ask(number)
        told = [child.told() for child in self._each]
        for child in self._each:
            child.wait()
        return Timed(
            min(one.begin for one in told),
            max(one.end for one in told),
            sum(one.done for one in told),
            sum(one.commands for one in told),
            sum(one.commits for one in told),
        )


@contextmanager
def children(module: str, arguments: list[list[str]]) -> Iterator[Children]:
    """Run processes of a module, one for each list of arguments."""
    each = [Child(module, some) for some in arguments]
    try:
        yield Children(each)
    finally:
        for child in each:
            child.close()


def serve(work: Callable[[int], Timed], clear: Callable[[], object] = lambda: None) -> None:
    """Be a child: do the work as often as the standard input asks, and make ready again after each."""
    print(READY, flush=True)
    for line in sys.stdin:
        print(msgspec.json.encode(work(int(line))).decode(), flush=True)
        clear()
        print(READY, flush=True)

"""One process of the storm: started, heard, and killed at a moment that a seed chose."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.storm.counts import BrokenError

ROOT = Path(__file__).parents[2]
ASKS, HEARD, WINS = b"?", b"!", b"w"
"""What a process says when it is about to ask, when it was answered, and when it is about to see to a win."""
MOST_GROUPS, MOST_WINS = 30, 8
PLENTY = 150
"""After so many groups nobody waits for a win any longer."""
PATIENCE = 120.0
"""Seconds within which a process must answer something, or end."""


class Process:
    """A child that plays until it is killed, or that finishes."""

    def __init__(
        self, address: str, log: Path, seed: str, tables: Sequence[str], *, finish: bool = False
    ) -> None:
        """Start it."""
        self.log = log
        more = ["--finish"] if finish else []
        told = [sys.executable, "-m", "tests.storm.child", address, str(log), seed, *tables, *more]
        self._errors = log.with_suffix(".err").open("ab")
        self._running = subprocess.Popen(told, cwd=ROOT, stdout=subprocess.PIPE, stderr=self._errors)

    def hear(self, groups: int, sign: bytes) -> None:
        """Wait until it has said something so many times, or has asked plenty."""
        heard, asked, end = 0, 0, time.monotonic() + PATIENCE
        assert self._running.stdout is not None
        pipe = self._running.stdout.fileno()
        while heard < groups and asked < PLENTY:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            told = os.read(pipe, 1) if ready else b""
            if not told:
                raise BrokenError(f"a process does not go on: {self._said()}")
            heard += told == sign
            asked += told == ASKS

    def kill(self, chance: Random) -> None:
        """Kill it while it starts, while it asks, while it sees to a win, or at any moment."""
        sort = chance.random()
        if sort < 0.1:
            time.sleep(chance.uniform(0.0, 1.5))
        elif sort < 0.6:
            self.hear(chance.randrange(1, MOST_WINS), WINS)
            time.sleep(chance.uniform(0.0, 0.01))
        elif sort < 0.85:
            self.hear(chance.randrange(1, MOST_GROUPS), ASKS)
            time.sleep(chance.uniform(0.0, 0.01))
        else:
            self.hear(chance.randrange(1, MOST_GROUPS), HEARD)
            time.sleep(chance.uniform(0.0, 0.02))
        ended = self._running.poll()
        if ended is not None:
            raise BrokenError(f"a process ended by itself with {ended}: {self._said()}")
        os.kill(self._running.pid, signal.SIGKILL)
        self._end()

    def wait(self) -> None:
        """Wait until it has finished."""
        assert self._running.stdout is not None
        self._running.stdout.read()
        self._running.wait(PATIENCE)
        if self._running.returncode:
            raise BrokenError(f"a process failed with {self._running.returncode}: {self._said()}")
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

    def _said(self) -> str:
        return self.log.with_suffix(".err").read_text(errors="replace")[-2_000:]

"""Solving the game in a process of its own, so that it holds nobody up and can be stopped."""

import os
import subprocess
import sys
from collections import deque
from contextlib import suppress

from fourcard.odds.cache import VARIABLE, cache_folder
from fourcard.odds.progress import Step
from fourcard.odds.table import all_states

LAST_WORDS = 20
"""How many lines of a process that failed are told."""


class SolveApart:
    """One process that solves and keeps the table of all states, and says how far it is."""

    def __init__(self, threads: int) -> None:
        """Begin to solve with so many threads."""
        self._stopped = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fourcard.odds.apart", str(threads)],
            env={**os.environ, VARIABLE: str(cache_folder())},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def follow(self, step: Step) -> None:
        """Tell each share of the work as it is done, until the process ends or is stopped."""
        words = deque[str](maxlen=LAST_WORDS)
        with self._process as process:
            assert process.stdout is not None
            for line in process.stdout:
                try:
                    step(float(line))
                except ValueError:
                    words.append(line)
        if process.returncode and not self._stopped:
            raise RuntimeError(f"It ended with {process.returncode}.\n{''.join(words)}")

    def stop(self) -> None:
        """End the process at once; a table is kept whole or not at all."""
        self._stopped = True
        self._process.kill()


def _tell(share: float) -> None:
    print(share, flush=True)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked has gone
        all_states(_tell, int(sys.argv[1]))

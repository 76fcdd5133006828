"""Solver process: solves the game in a separate process, so that it blocks nobody and can be stopped.

It then computes the strategy data too, so that the first player who opens the strategy need not wait.
"""

import os
import subprocess
import sys
from collections import deque
from contextlib import suppress

from fourcard.odds.disk_cache import CACHE_VARIABLE, cache_folder
from fourcard.odds.progress import ProgressCallback
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategy_data import strategy_files

OUTPUT_LINES = 20
"""How many lines of a failed process's output the error includes."""


class SolverProcess:
    """A process that caches the table of all states and the strategy data, and reports how much is solved."""

    def __init__(self, threads: int) -> None:
        """Start solving with the given number of threads."""
        self._stopped = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fourcard.odds.solver_process", str(threads)],
            env={**os.environ, CACHE_VARIABLE: str(cache_folder())},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def report_progress(self, step: ProgressCallback) -> None:
        """Report progress until the process ends or is stopped; raise an error if it failed."""
        output = deque[str](maxlen=OUTPUT_LINES)
        with self._process as process:
            assert process.stdout is not None
            for line in process.stdout:
                try:
                    step(float(line))
                except ValueError:
                    output.append(line)
        if process.returncode and not self._stopped:
            raise RuntimeError(
                f"The solver process ended with status {process.returncode}.\n{''.join(output)}"
            )

    def stop(self) -> None:
        """Kill the process; the table is written completely or not at all."""
        self._stopped = True
        self._process.kill()


def _print_progress(share: float) -> None:
    print(share, flush=True)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the parent process has ended
        all_states(_print_progress, int(sys.argv[1]))
        for _name, make in strategy_files():
            make()

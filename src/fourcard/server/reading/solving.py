"""Solver: solves the whole game once, in a separate process, and reports progress."""

import logging
import os
from threading import Lock, Thread

from fourcard.odds.apart import SolveApart
from fourcard.odds.states import States
from fourcard.odds.table import all_states, known_states
from fourcard.server.reading.asking import busy

_log = logging.getLogger(__name__)


class Solver:
    """Solves the game in the background, unless a stored solution exists."""

    def __init__(self) -> None:
        """Start idle."""
        self._lock = Lock()
        self._thread: Thread | None = None
        self._process: SolveApart | None = None
        self._stopped = False
        self._done = 0.0

    def start(self) -> None:
        """Start loading or solving, if nobody has; a failed solve starts again."""
        with self._lock:
            if self._thread is None or not (self._thread.is_alive() or self.ready):
                self._done = 0.0
                self._thread = Thread(target=self._solve, name="solver", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop solving at once."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.stop()

    def _solve(self) -> None:
        """Solve with all processors but one, so that tables keep running; errors are logged."""
        threads = max(1, (os.cpu_count() or 1) - 1)
        try:
            if not self.ready and (apart := self._start_process(threads)) is not None:
                apart.follow(self._add_progress)
            if not (self.ready or self._stopped):  # it was solved, but the result could not be stored
                all_states(self._add_progress, threads)
        except Exception:  # noqa: BLE001  the house works without it: each answer is then counted on request
            _log.exception("The game could not be solved.")

    def _start_process(self, threads: int) -> SolveApart | None:
        with self._lock:
            self._process = None if self._stopped else SolveApart(threads)
            return self._process

    def _add_progress(self, share: float) -> None:
        self._done += share

    @property
    def ready(self) -> bool:
        """Return whether the game is solved."""
        return known_states() is not None

    @property
    def progress(self) -> float:
        """Return the progress, from 0 to 1."""
        return 1.0 if self.ready else min(self._done, 0.999)

    def states(self) -> States:
        """Return the solved states, or refuse until they are known."""
        found = known_states()
        if found is None:
            self.start()
            raise busy(f"the game is being solved, {self.progress:.0%} done; try again in a moment.")
        return found

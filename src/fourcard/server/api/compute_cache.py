"""Compute cache: slow answers computed one at a time and cached, and the game solver."""

import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import BoundedSemaphore, Lock, Thread
from typing import Generic, TypeVar

from fourcard.odds.solver_process import SolverProcess
from fourcard.odds.state_counts import StateTable
from fourcard.odds.states_cache import all_states, available_states
from fourcard.refusals import RefusedError
from fourcard.server.api.params import busy_refusal

Computed = TypeVar("Computed")
MAX_WAITING = 2
"""How many requests may wait for one kind of answer, so that threads remain for everything else."""


class SingleFlightCache(Generic[Computed]):
    """Single-flight LRU cache of one kind of answer: computes one at a time."""

    def __init__(self, most: int, waiting: int = MAX_WAITING) -> None:
        """Keep so many answers; refuse when more than `waiting` requests wait."""
        self._size = most
        self._answers: OrderedDict[Hashable, Computed] = OrderedDict()
        self._lock, self._computing = Lock(), Lock()
        self._places = BoundedSemaphore(waiting)

    def get(self, key: Hashable, work: Callable[[], Computed]) -> Computed:
        """Return a cached answer, or compute it; the same key is never computed twice at once."""
        found = self._lookup(key)
        if found is not None:
            return found[0]
        if not self._places.acquire(blocking=False):
            raise busy_refusal("too many people are waiting for this kind of answer; try again in a moment.")
        try:
            with self._computing:
                found = self._lookup(key)
                return found[0] if found is not None else self._store(key, work())
        finally:
            self._places.release()

    def _lookup(self, key: Hashable) -> tuple[Computed] | None:
        with self._lock:
            if key not in self._answers:
                return None
            self._answers.move_to_end(key)
            return (self._answers[key],)

    def _store(self, key: Hashable, answer: Computed) -> Computed:
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)
        return answer


_log = logging.getLogger(__name__)


class Solver:
    """Solves the game in the background, unless a stored solution exists."""

    def __init__(self) -> None:
        """Start idle."""
        self._lock = Lock()
        self._thread: Thread | None = None
        self._process: SolverProcess | None = None
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
                apart.report_progress(self._add_progress)
            if not (self.ready or self._stopped):  # it was solved, but the result could not be stored
                all_states(self._add_progress, threads)
        except Exception:  # noqa: BLE001  the house works without it: each answer is then counted on request
            _log.exception("The game could not be solved.")

    def _start_process(self, threads: int) -> SolverProcess | None:
        with self._lock:
            self._process = None if self._stopped else SolverProcess(threads)
            return self._process

    def _add_progress(self, share: float) -> None:
        self._done += share

    @property
    def ready(self) -> bool:
        """Return whether the game is solved."""
        return available_states() is not None

    @property
    def progress(self) -> float:
        """Return the progress, from 0 to 1."""
        return 1.0 if self.ready else min(self._done, 0.999)

    def started_progress(self) -> float:
        """Return the progress; if there is none yet, start."""
        if not self.ready:
            self.start()
        return self.progress

    def states(self) -> StateTable:
        """Return the solved states, or refuse until they are known."""
        found = available_states()
        if found is None:
            self.start()
            raise unsolved_refusal(self.progress)
        return found


def unsolved_refusal(progress: float) -> RefusedError:
    """Return the refusal for what needs the solved game."""
    return busy_refusal(f"the game is being solved, {progress:.0%} done; try again in a moment.")

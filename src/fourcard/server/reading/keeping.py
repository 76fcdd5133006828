"""Compute cache: slow answers are computed one at a time, cached, and never queued for long."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import BoundedSemaphore, Lock
from typing import Generic, TypeVar

from fourcard.server.reading.asking import busy

Computed = TypeVar("Computed")
MOST_WAITING = 2
"""How many requests may wait for one kind of answer, so that threads remain for everything else."""


class Kept(Generic[Computed]):
    """Single-flight LRU cache of one kind of answer: computes one at a time."""

    def __init__(self, most: int, waiting: int = MOST_WAITING) -> None:
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
            raise busy("too many people are waiting for this kind of answer; try again in a moment.")
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

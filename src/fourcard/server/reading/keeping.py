"""Compute cache: slow answers are computed one at a time, cached, and never queued for long."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import BoundedSemaphore, Lock
from typing import Generic, TypeVar

from fourcard.server.reading.asking import busy

Answer = TypeVar("Answer")
MOST_WAITING = 2
"""How many requests may wait for one kind of answer, so that threads remain for everything else."""


class Kept(Generic[Answer]):
    """Single-flight LRU cache of one kind of answer: computes one at a time."""

    def __init__(self, most: int, waiting: int = MOST_WAITING) -> None:
        """Keep so many answers; refuse when more than `waiting` requests wait."""
        self._most = most
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._looking, self._working = Lock(), Lock()
        self._room = BoundedSemaphore(waiting)

    def get(self, key: Hashable, work: Callable[[], Answer]) -> Answer:
        """Return a cached answer, or compute it; the same key is never computed twice at once."""
        found = self._look(key)
        if found is not None:
            return found[0]
        if not self._room.acquire(blocking=False):
            raise busy("others wait for answers of this kind; ask again in a moment.")
        try:
            with self._working:
                found = self._look(key)
                return found[0] if found is not None else self._keep(key, work())
        finally:
            self._room.release()

    def _look(self, key: Hashable) -> tuple[Answer] | None:
        with self._looking:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return (self._kept[key],)

    def _keep(self, key: Hashable, answer: Answer) -> Answer:
        with self._looking:
            self._kept[key] = answer
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer

"""How much one person or address may ask in a time: a bucket that fills again, drop by drop."""

import math
import time
from collections.abc import Callable

MOST_BUCKETS = 10_000
"""How many askers are remembered; the ones that asked longest ago are forgotten first."""


class Rate:
    """A limit on how often each of many may do something."""

    def __init__(self, each_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow so many at once, and so many a second after that."""
        self._fill, self._burst, self._clock = each_second, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, who: str) -> int:
        """Count one of somebody's, or return after how many whole seconds the next is taken."""
        now = self._clock()
        left, at = self._buckets.pop(who, (float(self._burst), now))
        left = min(float(self._burst), left + max(0.0, now - at) * self._fill)
        taken = left >= 1.0
        if len(self._buckets) >= MOST_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        self._buckets[who] = (left - 1.0 if taken else left, now)
        return 0 if taken else max(1, math.ceil((1.0 - left) / self._fill))

"""Rate limit: a token bucket per person or address."""

import math
import time
from collections.abc import Callable

MAX_BUCKETS = 10_000
"""How many buckets are kept; the least recently used are dropped first."""


class RateLimiter:
    """Rate limiter with one token bucket per key."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow a burst, then so many per second."""
        self._fill, self._burst, self._clock = per_second, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, key: str) -> int:
        """Count one request of a key; return 0, or the whole seconds to wait."""
        now = self._clock()
        tokens, at = self._buckets.pop(key, (float(self._burst), now))
        tokens = min(float(self._burst), tokens + max(0.0, now - at) * self._fill)
        allowed = tokens >= 1.0
        if len(self._buckets) >= MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        self._buckets[key] = (tokens - 1.0 if allowed else tokens, now)
        return 0 if allowed else max(1, math.ceil((1.0 - tokens) / self._fill))

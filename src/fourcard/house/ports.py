"""Clock and entropy: the system's own, and simulated ones for tests."""

import secrets
import time
from hashlib import shake_256
from typing import Protocol


class Clock(Protocol):
    """Gives the time."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        ...


class Entropy(Protocol):
    """Gives random bytes."""

    def draw(self, count: int) -> bytes:
        """Return a number of new random bytes."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's random number generator."""

    def draw(self, count: int) -> bytes:
        """Return a number of new random bytes."""
        return secrets.token_bytes(count)


class SimulatedClock:
    """A clock that only moves when it is set, forward or back."""

    def __init__(self, at: int = 1_767_225_600_000) -> None:
        """Start at a time; the default is the first of January 2026."""
        self.at = at

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return self.at


class SeededEntropy:
    """Repeatable bytes from a seed, for simulations and tests; never for money."""

    def __init__(self, seed: str | int) -> None:
        """Take the seed."""
        self.seed, self.drawn = str(seed), 0

    def draw(self, count: int) -> bytes:
        """Return a number of new bytes."""
        self.drawn += 1
        return shake_256(f"{self.seed}/{self.drawn}".encode()).digest(count)

"""Where time and chance come from: the machine's own, or twins that a simulation winds and seeds."""

import secrets
import time
from hashlib import shake_256
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        ...


class Entropy(Protocol):
    """Gives bytes that nobody can foresee."""

    def draw(self, count: int) -> bytes:
        """Return so many new bytes."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's chance."""

    def draw(self, count: int) -> bytes:
        """Return so many new bytes."""
        return secrets.token_bytes(count)


class SimulatedClock:
    """A clock that stands until it is set, and may jump either way."""

    def __init__(self, at: int = 1_767_225_600_000) -> None:
        """Begin at a moment, the first of 2026 unless told."""
        self.at = at

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return self.at


class SeededEntropy:
    """Chance that gives the same bytes every time, for simulations and tests, never for money."""

    def __init__(self, seed: str | int) -> None:
        """Begin with a seed."""
        self.seed, self.drawn = str(seed), 0

    def draw(self, count: int) -> bytes:
        """Return so many new bytes."""
        self.drawn += 1
        return shake_256(f"{self.seed}/{self.drawn}".encode()).digest(count)

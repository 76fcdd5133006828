"""Progress callbacks: long work calls one with each finished share of the whole, from 0 to 1."""

from collections.abc import Callable

Step = Callable[[float], None]


def no_progress(share: float) -> None:
    """Ignore progress."""
    del share


def part_of(step: Step, part: float) -> Step:
    """Return a callback for one stage of the work, which is the given part of the whole."""
    return lambda share: step(share * part)

"""Progress callbacks: long work calls one with each finished share of the whole, from 0 to 1."""

from collections.abc import Callable

ProgressCallback = Callable[[float], None]


def no_progress(share: float) -> None:
    """Ignore progress."""
    del share


def scale_progress(step: ProgressCallback, part: float) -> ProgressCallback:
    """Return a callback for one stage of the work, which is the given part of the whole."""
    return lambda share: step(share * part)

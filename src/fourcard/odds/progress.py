"""How long work tells how far it is: a function that is given each share of the whole as it is done."""

from collections.abc import Callable

Step = Callable[[float], None]


def no_progress(share: float) -> None:
    """Tell nobody."""
    del share


def part_of(step: Step, part: float) -> Step:
    """Return a step for one part of the work, whose whole is so much of the greater whole."""
    return lambda share: step(share * part)

"""How things are timed, and the shape of every table of measurements."""

import time
from collections.abc import Callable, Sequence
from statistics import median

from rich.table import Table

RUNS = 7


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median time of several runs."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return median(times)


def share_of(figures: Sequence[float], share: float) -> float:
    """Return the figure below which a share of some lies, such as 0.99 of them."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table_of(title: str, *heads: str) -> Table:
    """Return an empty table of measurements: names on the left, figures on the right."""
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table

"""Timing helpers and the layout of the benchmark tables."""

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
    """Return a quantile, such as 0.99, of some figures."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table_of(title: str, *heads: str) -> Table:
    """Return an empty benchmark table: names left-aligned, figures right-aligned."""
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table

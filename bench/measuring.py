"""How things are timed, and the shape of every table of measurements."""

import time
from collections.abc import Callable
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


def table_of(title: str, *heads: str) -> Table:
    """Return an empty table of measurements: names on the left, figures on the right."""
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table

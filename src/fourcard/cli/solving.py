"""Progress bars on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcard.odds.progress import Step

EventProgress = Callable[[int, int], None]
"""Takes the number of events done and the number of all events."""


@contextmanager
def working(text: str) -> "Iterator[Step]":
    """Yield a step function that draws a bar on a terminal, and does nothing elsewhere."""
    from fourcard.odds.progress import no_progress

    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=1)
        yield lambda share: bar.advance(task, share)


@contextmanager
def event_progress(what: str) -> Iterator[EventProgress]:
    """Yield a function that takes how many events of how many are done, and draws a bar on a terminal."""
    with working(what) as step:
        shown = 0.0

        def update(done: int, total: int) -> None:
            nonlocal shown
            share = done / total if total else 1.0
            step(share - shown)
            shown = share

        yield update


@contextmanager
def solving() -> "Iterator[Step]":
    """Show progress while the whole game is solved for the first time; later runs use the cached table."""
    from fourcard.odds.progress import no_progress
    from fourcard.odds.table import known_states

    if known_states() is not None:
        yield no_progress
        return
    with working("Solving all 122,151,120 states, once") as step:
        yield step

"""What a command shows on standard error while it works for more than a moment."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcard.odds.progress import Step


@contextmanager
def working(text: str) -> "Iterator[Step]":
    """Give a step that draws a bar on a terminal, and nothing where nobody looks."""
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
def solving() -> "Iterator[Step]":
    """Show the first solving of the whole game; a table that has been kept needs none."""
    from fourcard.odds.progress import no_progress
    from fourcard.odds.table import known_states

    if known_states() is not None:
        yield no_progress
        return
    with working("Solving all 122,151,120 states, once") as step:
        yield step

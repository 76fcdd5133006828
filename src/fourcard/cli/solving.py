"""What a command shows on standard error while the whole game is solved for the first time."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcard.odds.progress import Step


@contextmanager
def solving() -> "Iterator[Step]":
    """Give a step that draws a bar on a terminal, unless the table has been kept."""
    from fourcard.odds.progress import no_progress
    from fourcard.odds.states import table_path

    if table_path().exists() or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Solving all 122,151,120 states, once", total=1)
        yield lambda share: bar.advance(task, share)

"""Export: the `export` command writes finished rounds as JSON lines, each with its shuffle proof."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database
from fourcard.cli.output import plain, write_lines
from fourcard.cli.solving import event_progress

if TYPE_CHECKING:
    from collections import Counter

Table = Annotated[str | None, typer.Option("--table", help="Only the rounds of this table.")]
Since = Annotated[
    str | None,
    typer.Option(metavar="MOMENT", help="Only rounds that ended at this day or time (UTC) or later."),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rounds to a new file.")]


def export(
    database: Database = DATABASE, table: Table = None, since: Since = None, output: Output = None
) -> None:
    """Write finished rounds as JSON lines for `fourcard settle` and `fourcard verify-shuffle`."""
    from collections import Counter

    import msgspec

    from fourcard.documents.files import check_new
    from fourcard.house.export import rounds
    from fourcard.house.reports.days import moment_named
    from fourcard.house.store.sql import open_store

    left_out = Counter[str]()
    moment = None if since is None else moment_named(since)
    if output is not None:
        check_new(output, "an export")
    store = open_store(database, writing=False)
    try:
        with event_progress("Exporting") as progress:
            lines = rounds(store, table, moment, left_out, progress)
            count = write_lines((msgspec.json.encode(line) + b"\n" for line in lines), output)
    finally:
        store.close()
    print(_export_summary(count, left_out), file=sys.stderr)


def _export_summary(count: int, left_out: "Counter[str]") -> str:
    """Return a sentence with the number of exported rounds, and of those left out with the reasons."""
    exported = f"{count:,} round{'' if count == 1 else 's'} exported"
    reasons = ", ".join(f"{number:,} {plain(reason)}" for reason, number in sorted(left_out.items()))
    return f"{exported}; {left_out.total():,} left out ({reasons})." if left_out else f"{exported}."

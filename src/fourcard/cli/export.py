"""`fourcard export`: the finished rounds of a house as JSON lines, each with the proof of its shuffle."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.audit import telling
from fourcard.cli.house_opening import DATABASE, Database
from fourcard.cli.output import plain
from fourcard.documents.files import check_new, save
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from collections import Counter

Table = Annotated[str | None, typer.Option("--table", help="Only the rounds of this table.")]
Since = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Only rounds that ended on this day or later, in UTC.")
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rounds to a new file.")]


def export(
    database: Database = DATABASE, table: Table = None, since: Since = None, output: Output = None
) -> None:
    """Write finished rounds as JSON lines that `fourcard settle` and `fourcard verify-shuffle` read."""
    from collections import Counter

    import msgspec

    from fourcard.house.export import rounds
    from fourcard.house.reports.days import moment_named
    from fourcard.house.store.sql import open_store

    left_out = Counter[str]()
    moment = None if since is None else moment_named(since)
    if output is not None:
        check_new(output, "an export")
    store = open_store(database, writing=False)
    try:
        with telling("Exporting") as told:
            lines = rounds(store, table, moment, left_out, told)
            count = written((msgspec.json.encode(line) + b"\n" for line in lines), output)
    finally:
        store.close()
    print(_summary(count, left_out), file=sys.stderr)


def _summary(count: int, left_out: "Counter[str]") -> str:
    """Return what was written, and what no line can tell, in a sentence."""
    told = f"{count:,} round{'' if count == 1 else 's'} exported"
    reasons = ", ".join(f"{number:,} {plain(reason)}" for reason, number in sorted(left_out.items()))
    return f"{told}; {left_out.total():,} left out ({reasons})." if left_out else f"{told}."


def written(lines: Iterable[bytes], output: Path | None) -> int:
    """Write lines to a file, whole or not at all, or to standard output, and return how many there were."""
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in lines:
            count += 1
            yield line

    if output is not None:
        save(output, counted())
    elif hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.writelines(counted())
    else:
        raise BadInputError("Standard output is closed.")
    return count

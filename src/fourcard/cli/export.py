"""`fourcard export`: the finished rounds of a house as JSON lines, each with the proof of its shuffle."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from fourcard.cli.audit import telling
from fourcard.cli.house_opening import DATABASE, Database
from fourcard.cli.output import plain
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from collections import Counter

Table = Annotated[str | None, typer.Option("--table", help="Only the rounds of this table.")]
Since = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="Only rounds that ended at this moment or later, UTC."
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rounds to a file.")]


def export(
    database: Database = DATABASE, table: Table = None, since: Since = None, output: Output = None
) -> None:
    """Write finished rounds as JSON lines that `fourcard settle` and `fourcard verify-shuffle` read."""
    from collections import Counter

    import msgspec

    from fourcard.house.export import rounds
    from fourcard.house.store.sql import open_store

    left_out, count = Counter[str](), 0
    moment = None if since is None else int(since.replace(tzinfo=UTC).timestamp() * 1000)
    store = open_store(database, writing=False)
    try:
        with _writing(output) as sink, telling("Exporting") as told:
            for line in rounds(store, table, moment, left_out, told):
                sink.write(msgspec.json.encode(line) + b"\n")
                count += 1
    finally:
        store.close()
    print(_summary(count, left_out), file=sys.stderr)


def _summary(count: int, left_out: "Counter[str]") -> str:
    """Return what was written, and what no line can tell, in a sentence."""
    told = f"{count:,} round{'' if count == 1 else 's'} exported"
    reasons = ", ".join(f"{number:,} {plain(reason)}" for reason, number in sorted(left_out.items()))
    return f"{told}; {left_out.total():,} left out ({reasons})." if left_out else f"{told}."


@contextmanager
def _writing(output: Path | None) -> Iterator[BinaryIO]:
    """Open the file that rounds go to, or standard output."""
    if output is None:
        if not hasattr(sys.stdout, "buffer"):
            raise BadInputError("Standard output is closed.")
        yield sys.stdout.buffer
        return
    try:
        opened = output.open("wb")
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise BadInputError(f"{output} cannot be written: {reason}.") from None
    with opened:
        yield opened

"""Closed days of a house: `close-days` moves events into signed segments, `segment` writes one to a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    HouseOptions,
    KeepDays,
    ReadOptions,
    open_house,
    open_house_for_reading,
    with_options,
)
from fourcard.cli.output import Json, console, print_rows, struct_table, terminal_status

if TYPE_CHECKING:
    from fourcard.house.segments import ClosedDay

Day = Annotated[str, typer.Argument(metavar="DAY", help="A closed day, such as 2026-01-31.")]
SegmentFile = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="A new file; keep it as secret as the database."),
]


@with_options
def close_days(keep_days: KeepDays = None, *, at: HouseOptions, json: Json = False) -> None:
    """Close the days that are old enough; a served house does it by itself.

    The events of a day (UTC) and their transfers are compressed into a signed segment, and audits, reports
    and replays read them from there. An interrupted closing goes on at the next one.
    """
    from fourcard.house.reports.formats import day_name
    from fourcard.house.segments import KEEP_DAYS

    with open_house(at.database, at.key) as house, terminal_status("Closing days ...") as show:
        closer = house.day_closer(keep_days or KEEP_DAYS)
        closed = [*closer.close_due(lambda day, done: show(f"Closing {day_name(day)}: {done:,} events"))]
    print_rows(closed, _show_closed, json=json)


def _show_closed(closed: "list[ClosedDay]") -> None:
    if not closed:
        print("No day is old enough to be closed.")
        return
    counts = ((f">{name}", name) for name in ("streams", "parts", "events", "transfers", "bytes"))
    console().print(struct_table(closed, "day", *counts))


@with_options
def segment(day: Day, output: SegmentFile, *, at: ReadOptions) -> None:
    """Write the signed segment of a closed day to a file, which anybody with the public key can verify."""
    from fourcard.documents.files import check_new_file, save_file
    from fourcard.house.reports.formats import parse_day
    from fourcard.house.segments import segment_file
    from fourcard.house.store.address import OWNER_ONLY

    check_new_file(output, "a segment")
    with open_house_for_reading(at.database) as reading:
        save_file(output, segment_file(reading, parse_day(day)), OWNER_ONLY)
    print(f"{output} holds the segment of {day}: {output.stat().st_size:,} bytes.")

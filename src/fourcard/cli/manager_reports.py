"""`fourcard manager alerts`, `report` and `export`: what to hear of, figures, and rows for other programs."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.audit import telling
from fourcard.cli.export import written
from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, Asked, OfMeter, Since, Until, reading_as
from fourcard.cli.output import Json, console, plain, print_json, print_table
from fourcard.money import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fourcard.house.reports.progressive.alerts import Alert
    from fourcard.house.reports.progressive.figures import Figures, Report
    from fourcard.house.reports.progressive.lines import Row

BROKEN = 1
By = Annotated[Literal["table", "day", "meter"], typer.Option("--by", help="What a line is.")]
Begins = Annotated[int, typer.Option(metavar="HOUR", help="The hour UTC at which a gaming day begins.")]
OnlyStanding = Annotated[bool, typer.Option("--standing", help="Only what is still so.")]
What = Annotated[Literal["wins", "contributions", "adjustments"], typer.Argument(help="What is exported.")]
Csv = Annotated[bool, typer.Option("--csv", help="Comma-separated values with a head, not JSON lines.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rows to a new file.")]
FORMULA = ("=", "+", "-", "@")
"""What makes a spreadsheet take a text for a formula."""
HEAD = 1
"""The line of comma-separated values that is no row: the names of the columns."""


def alerts(
    since: Since = None,
    until: Until = None,
    standing: OnlyStanding = False,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show what to hear of: shortfalls, chips that differed, links, large and backed out wins, what waits."""
    from fourcard.house.reports.progressive import alerts as heard
    from fourcard.house.reports.progressive.streams import period_named

    period = period_named(since, until)
    with (
        reading_as("wins", Asked(person, password_file, database, key)) as reading,
        telling("Reading") as step,
    ):
        found = heard.alerts(reading, period, step)
    wanted = tuple(each for each in found if each.stands or not standing)
    if json:
        print_json([each.answer() for each in wanted])
    else:
        _show_alerts(wanted)


def _show_alerts(found: "tuple[Alert, ...]") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment

    if not found:
        console().print("There is nothing to hear of.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("moment (UTC)", no_wrap=True)
    for head in ("alert", "what", "by", "clauses"):
        table.add_column(head, overflow="fold")
    for each in found:
        kind = f"[bold yellow]{each.kind}[/]\n[dim]still so[/]" if each.stands else each.kind
        clauses = f"[dim]{' '.join(each.clauses)}[/]"
        table.add_row(moment(each.at), kind, plain(each.sentence), plain(each.by), clauses)
    print_table(console(), table)


def report(
    by: By = "table",
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    begins: Begins = 0,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show what was wagered, contributed, seeded, adjusted and paid, by table, gaming day or meter."""
    from fourcard.house.reports.progressive import figures
    from fourcard.house.reports.progressive.streams import period_named

    period, grouping = period_named(since, until), figures.Grouping(by, begins)
    with (
        reading_as("meters", Asked(person, password_file, database, key)) as reading,
        telling("Adding up") as step,
    ):
        found = figures.report(reading, grouping, meter, period, step)
    if json:
        print_json(found.answer())
    else:
        _show_report(found)
    if not found.holds:
        raise typer.Exit(BROKEN)


def _show_report(found: "Report") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import exact_dollars

    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column(found.by, "total", overflow="fold")
    heads = ("rounds", "wagered", "contributed", "seeded", "adjusted", "paid", "hits")
    for head, foot in zip(heads, _cells(found.total), strict=True):
        table.add_column(head, foot, justify="right")
    if found.by != "table":
        table.add_column("meter after", justify="right")
    for each in found.lines:
        table.add_row(plain(each.key) or "[dim]no table[/]", *_cells(each), *_held(each))
    out = console()
    print_table(out, table)
    explained = f"{exact_dollars(found.opening)} before and {exact_dollars(found.total.change)} of changes"
    verdict = "[green]every unit is told[/]" if found.holds else "[bold red]that is not the sum[/]"
    out.print(f"in meters and reserves {exact_dollars(found.closing)}: {explained}; {verdict}.")


def _cells(each: "Figures") -> tuple[str, ...]:
    from fourcard.house.reports.showing import exact_dollars

    units = (each.contributed, each.seeded, each.adjusted, each.paid)
    hits = f"{each.hits:,}\n[dim]{dollars(each.won)}[/]"
    return (f"{each.rounds:,}", dollars(each.wagered), *map(exact_dollars, units), hits)


def _held(each: "Figures") -> tuple[str, ...]:
    from fourcard.house.reports.showing import exact_dollars

    if each.meter is None or each.reserve is None:
        return ()
    return (f"{exact_dollars(each.meter)}\n[dim]{exact_dollars(each.reserve)} in reserve[/]",)


def export(
    what: What,
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    csv: Csv = False,
    output: Output = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Write wins, contributions or adjustments as JSON lines or comma-separated values."""
    import msgspec

    from fourcard.documents.files import check_new
    from fourcard.house.reports.progressive.lines import COLUMNS, rows
    from fourcard.house.reports.progressive.streams import period_named

    period = period_named(since, until)
    if output is not None:
        check_new(output, "an export")
    with (
        reading_as("wins", Asked(person, password_file, database, key)) as reading,
        telling("Exporting") as step,
    ):
        found = rows(reading, what, meter, period, step)
        if csv:
            count = written(comma_separated(COLUMNS[what], found), output) - HEAD
        else:
            count = written((msgspec.json.encode(row) + b"\n" for row in found), output)
    print(f"{count:,} {what} exported.", file=sys.stderr)


def comma_separated(columns: tuple[str, ...], rows: "Iterable[Row]") -> Iterator[bytes]:
    """Yield the names of the columns, then rows, as comma-separated values."""
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for cells in chain((columns,), (map(_cell, row.values()) for row in rows)):
        writer.writerow(cells)
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def _cell(value: object) -> str:
    """Return a value as a cell; a text that a spreadsheet would calculate is kept from it by a quote."""
    from fourcard.house.actors import legible

    if isinstance(value, str):
        text = legible(value, len(value))
        return f"'{text}" if text.startswith(FORMULA) else text
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)

"""Game Manager reports: the `manager` commands `alerts`, `report` and `export`."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, ManagerSession, OfMeter, Since, Until, reading_as
from fourcard.cli.output import Json, console, plain, print_json, print_table, write_lines
from fourcard.cli.solving import event_progress
from fourcard.money import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fourcard.house.reports.progressive.alerts import Alert
    from fourcard.house.reports.progressive.figures import Figures, Report
    from fourcard.house.reports.progressive.lines import Row

BROKEN = 1
By = Annotated[Literal["table", "day", "meter"], typer.Option("--by", help="Group the figures by this.")]
Begins = Annotated[int, typer.Option(metavar="HOUR", help="The hour (UTC) at which a gaming day begins.")]
OnlyOpen = Annotated[bool, typer.Option("--standing", help="Only alerts that still apply.")]
What = Annotated[Literal["wins", "contributions", "adjustments"], typer.Argument(help="What to export.")]
Csv = Annotated[bool, typer.Option("--csv", help="Write CSV with a header line, default JSON lines.")]
RowsFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rows to a new file.")]
FORMULA = ("=", "+", "-", "@")
"""The first characters that make a spreadsheet read a text as a formula."""
HEADER_LINES = 1
"""The CSV line with the names of the columns, which is not a row."""


def alerts(
    since: Since = None,
    until: Until = None,
    standing: OnlyOpen = False,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show alerts: shortfalls, chip counts that differ, links, large and backed-out wins, what waits."""
    from fourcard.house.reports.progressive import alerts as alert_report
    from fourcard.house.reports.progressive.streams import period_named

    period = period_named(since, until)
    with (
        reading_as("wins", ManagerSession(person, password_file, database, key)) as reading,
        event_progress("Reading") as step,
    ):
        every = alert_report.alerts(reading, period, step)
    shown = tuple(each for each in every if each.stands or not standing)
    if json:
        print_json([each.answer() for each in shown])
    else:
        _show_alerts(shown)


def _show_alerts(shown: "tuple[Alert, ...]") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment

    if not shown:
        console().print("There are no alerts.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("time (UTC)", no_wrap=True)
    for head in ("alert", "what", "by", "clauses"):
        table.add_column(head, overflow="fold")
    for each in shown:
        kind = f"[bold yellow]{each.kind}[/]\n[dim]still open[/]" if each.stands else each.kind
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
        reading_as("meters", ManagerSession(person, password_file, database, key)) as reading,
        event_progress("Adding up") as step,
    ):
        totals = figures.report(reading, grouping, meter, period, step)
    if json:
        print_json(totals.answer())
    else:
        _show_totals(totals)
    if not totals.holds:
        raise typer.Exit(BROKEN)


def _show_totals(totals: "Report") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import exact_dollars

    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column(totals.by, "total", overflow="fold")
    heads = ("rounds", "wagered", "contributed", "seeded", "adjusted", "paid", "hits")
    for head, foot in zip(heads, _figure_cells(totals.total), strict=True):
        table.add_column(head, foot, justify="right")
    if totals.by != "table":
        table.add_column("meter after", justify="right")
    for each in totals.lines:
        table.add_row(plain(each.key) or "[dim]no table[/]", *_figure_cells(each), *_meter_cell(each))
    out = console()
    print_table(out, table)
    parts = f"{exact_dollars(totals.opening)} before, {exact_dollars(totals.total.change)} of changes"
    verdict = "[green]the sum is right[/]" if totals.holds else "[bold red]the sum is wrong[/]"
    out.print(f"in meters and reserves {exact_dollars(totals.closing)}: {parts}; {verdict}.")


def _figure_cells(each: "Figures") -> tuple[str, ...]:
    from fourcard.house.reports.showing import exact_dollars

    units = (each.contributed, each.seeded, each.adjusted, each.paid)
    hits = f"{each.hits:,}\n[dim]{dollars(each.won)}[/]"
    return (f"{each.rounds:,}", dollars(each.wagered), *map(exact_dollars, units), hits)


def _meter_cell(each: "Figures") -> tuple[str, ...]:
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
    output: RowsFile = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Write wins, contributions or adjustments as JSON lines or CSV."""
    import msgspec

    from fourcard.documents.files import check_new
    from fourcard.house.reports.progressive.lines import COLUMNS, rows
    from fourcard.house.reports.progressive.streams import period_named

    period = period_named(since, until)
    if output is not None:
        check_new(output, "an export")
    with (
        reading_as("wins", ManagerSession(person, password_file, database, key)) as reading,
        event_progress("Exporting") as step,
    ):
        exported = rows(reading, what, meter, period, step)
        if csv:
            count = write_lines(comma_separated(COLUMNS[what], exported), output) - HEADER_LINES
        else:
            count = write_lines((msgspec.json.encode(row) + b"\n" for row in exported), output)
    print(f"{count:,} {what} exported.", file=sys.stderr)


def comma_separated(columns: tuple[str, ...], rows: "Iterable[Row]") -> Iterator[bytes]:
    """Yield CSV lines: the names of the columns, then the rows."""
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for cells in chain((columns,), (map(_csv_cell, row.values()) for row in rows)):
        writer.writerow(cells)
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def _csv_cell(value: object) -> str:
    """Return a value as a CSV cell; a quote keeps a spreadsheet from reading text as a formula."""
    from fourcard.house.actors import legible

    if isinstance(value, str):
        text = legible(value, len(value))
        return f"'{text}" if text.startswith(FORMULA) else text
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)

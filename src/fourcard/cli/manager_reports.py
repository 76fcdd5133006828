"""Game Manager reports: alerts, totals, exports, jackpots, wins and win pages."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.house_connect import Begins, Since, TableName, Until
from fourcard.cli.manager_auth import BROKEN, ManagerSession, Meter, OfMeter, Win, reading_as, scanning_as
from fourcard.cli.output import (
    Json,
    card_faces,
    console,
    escape_text,
    new_table,
    print_json,
    print_rows,
    print_table,
    with_card_faces,
    write_lines,
)
from fourcard.money import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fourcard.house.reports.alerts import Alert
    from fourcard.house.reports.consoles import OpenJackpot
    from fourcard.house.reports.meters import MeterTotals, TotalsReport
    from fourcard.house.reports.win_page import WinPage
    from fourcard.house.reports.wins import ExportRow, WinEntry

By = Annotated[Literal["table", "day", "meter"], typer.Option("--by", help="Group the figures by this.")]
OnlyOpen = Annotated[bool, typer.Option("--standing", help="Only alerts that still apply.")]
What = Annotated[Literal["wins", "contributions", "adjustments"], typer.Argument(help="What to export.")]
Csv = Annotated[bool, typer.Option("--csv", help="Write CSV with a header line, default JSON lines.")]
RowsFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rows to a new file.")]
FORMULA = ("=", "+", "-", "@")
"""The first characters that make a spreadsheet read a text as a formula."""
HEADER_LINES = 1
"""The CSV line with the names of the columns, which is not a row."""


def alerts(
    session: ManagerSession,
    since: Since = None,
    until: Until = None,
    standing: OnlyOpen = False,
    json: Json = False,
) -> None:
    """Show alerts: shortfalls, chip counts that differ, links, large and backed-out wins, what waits."""
    from fourcard.house.reports import alerts as alert_report
    from fourcard.house.reports.event_scan import parse_period

    period = parse_period(since, until)
    with scanning_as("wins", session) as (reading, step):
        every = alert_report.alerts(reading, period, step)
    shown = tuple(each for each in every if each.stands or not standing)
    print_rows(shown, _show_alerts, "There are no alerts.", json=json)


def _show_alerts(shown: "tuple[Alert, ...]") -> None:
    from fourcard.house.reports.formats import format_time

    table = new_table("time (UTC)", "alert", "what", "by", "clauses")
    table.columns[0].no_wrap, table.columns[0].overflow = True, "ellipsis"
    for each in shown:
        kind = f"[bold yellow]{each.kind}[/]\n[dim]still open[/]" if each.stands else each.kind
        clauses = f"[dim]{' '.join(each.clauses)}[/]"
        table.add_row(format_time(each.at), kind, escape_text(each.sentence), escape_text(each.by), clauses)
    print_table(console(), table)


def report(
    session: ManagerSession,
    by: By = "table",
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    begins: Begins = 0,
    json: Json = False,
) -> None:
    """Show what was wagered, contributed, seeded, adjusted and paid, by table, gaming day or meter."""
    from fourcard.house.reports import meters
    from fourcard.house.reports.event_scan import parse_period

    period, grouping = parse_period(since, until), meters.Grouping(by, begins)
    with scanning_as("meters", session, "Adding up") as (reading, step):
        totals = meters.totals_report(reading, grouping, meter, period, step)
    if json:
        print_json(totals.answer())
    else:
        _show_totals(totals)
    if not totals.holds:
        raise typer.Exit(BROKEN)


def _show_totals(totals: "TotalsReport") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.formats import exact_dollars

    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column(totals.by, "total", overflow="fold")
    heads = ("rounds", "wagered", "contributed", "seeded", "adjusted", "paid", "hits")
    for head, foot in zip(heads, _figure_cells(totals.total), strict=True):
        table.add_column(head, foot, justify="right")
    if totals.by != "table":
        table.add_column("meter after", justify="right")
    for each in totals.lines:
        table.add_row(escape_text(each.key) or "[dim]no table[/]", *_figure_cells(each), *_meter_cell(each))
    out = console()
    print_table(out, table)
    parts = f"{exact_dollars(totals.opening)} before, {exact_dollars(totals.total.change)} of changes"
    verdict = "[green]the sum is right[/]" if totals.holds else "[bold red]the sum is wrong[/]"
    out.print(f"in meters and reserves {exact_dollars(totals.closing)}: {parts}; {verdict}.")


def _figure_cells(each: "MeterTotals") -> tuple[str, ...]:
    from fourcard.house.reports.formats import exact_dollars

    units = (each.contributed, each.seeded, each.adjusted, each.paid)
    hits = f"{each.hits:,}\n[dim]{dollars(each.won)}[/]"
    return (f"{each.rounds:,}", dollars(each.wagered), *map(exact_dollars, units), hits)


def _meter_cell(each: "MeterTotals") -> tuple[str, ...]:
    from fourcard.house.reports.formats import exact_dollars

    if each.meter is None or each.reserve is None:
        return ()
    return (f"{exact_dollars(each.meter)}\n[dim]{exact_dollars(each.reserve)} in reserve[/]",)


def export(
    session: ManagerSession,
    what: What,
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    csv: Csv = False,
    output: RowsFile = None,
) -> None:
    """Write wins, contributions or adjustments as JSON lines or CSV."""
    import msgspec

    from fourcard.documents.files import check_new_file
    from fourcard.house.reports.event_scan import parse_period
    from fourcard.house.reports.wins import EXPORT_COLUMNS, export_rows

    period = parse_period(since, until)
    if output is not None:
        check_new_file(output, "an export")
    with scanning_as("wins", session, "Exporting") as (reading, step):
        exported = export_rows(reading, what, meter, period, step)
        if csv:
            count = write_lines(comma_separated(EXPORT_COLUMNS[what], exported), output) - HEADER_LINES
        else:
            count = write_lines((msgspec.json.encode(row) + b"\n" for row in exported), output)
    print(f"{count:,} {what} exported.", file=sys.stderr)


def comma_separated(columns: tuple[str, ...], rows: "Iterable[ExportRow]") -> Iterator[bytes]:
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
    from fourcard.house.auth.identity import printable

    if isinstance(value, str):
        text = printable(value, len(value))
        return f"'{text}" if text.startswith(FORMULA) else text
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


FORMS = (".html", ".pdf")
PageFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the page to a new .html or .pdf file.")
]
STYLES = {"logged": "yellow", "paid": "dim", "backed out": "red", "void": "red"}


def jackpots(session: ManagerSession, json: Json = False) -> None:
    """Show the open jackpots: awarded and not paid, or paid and not documented."""
    from fourcard.house.reports.consoles import open_jackpots

    with reading_as("meters", session) as reading:
        rows = open_jackpots(reading)
    print_rows(rows, _show_open_jackpots, "There is no open jackpot.", json=json)


def _show_open_jackpots(rows: "tuple[OpenJackpot, ...]") -> None:
    table = new_table("table", "round", "player", "cards", "hand", ">amount", "stage", "next")
    for each in rows:
        table.add_row(
            escape_text(each.table),
            f"{each.round:,}",
            f"{escape_text(each.player)} at {each.position}",
            with_card_faces(each.cards),
            f"{each.row.replace('_', ' ')}\n[dim]{each.odds}[/]",
            "" if each.cents is None else dollars(each.cents),
            each.stage,
            each.next,
        )
    print_table(console(), table)


def history(
    session: ManagerSession,
    meter: OfMeter = None,
    table: TableName = None,
    since: Since = None,
    until: Until = None,
    json: Json = False,
) -> None:
    """Show every win in the journal: time, table, player, amount, and who confirmed it."""
    from fourcard.house.reports.event_scan import parse_period, table_names
    from fourcard.house.reports.wins import wins

    period = parse_period(since, until)
    with scanning_as("wins", session) as (reading, step):
        table_names(reading, table)
        rows = wins(reading, meter, table, period, step)
    print_rows(rows, _show_wins, "There are no logged wins.", json=json)


def _show_wins(rows: "tuple[WinEntry, ...]") -> None:
    from fourcard.house.reports.formats import format_time

    table = new_table("logged (UTC)", "table", "player", "cards", "hand", ">amount", "marked, confirmed")
    table.columns[0].no_wrap, table.columns[0].overflow = True, "ellipsis"
    for each in rows:
        win = each.win
        table.add_row(
            f"{format_time(win.at)}\n[dim]{escape_text(each.meter)}, win {win.number:,}[/]",
            f"{escape_text(win.table)}\n[dim]round {win.round:,}[/]",
            f"{escape_text(win.player)}\n[dim]position {win.position}[/]",
            card_faces(win.cards),
            win.row.replace("_", " "),
            f"{dollars(each.payment.amount)}\n[{STYLES[each.state]}]{each.state}[/]",
            f"{escape_text(win.marked_by)}, {escape_text(win.confirmed_by)}\n[dim]{win.confirmed_as}[/]",
        )
    out, valid = console(), [each.payment.amount for each in rows if each.undone_at is None]
    print_table(out, table)
    out.print(f"{len(rows):,} logged, {len(valid):,} of them valid, for {dollars(sum(valid))}.")


def win_page(
    session: ManagerSession, meter: Meter, win: Win, output: PageFile = None, json: Json = False
) -> None:
    """Print a win's page for accounting, on the screen or to a file (SM-PROG-9e.6, WA-NEX-8f.7)."""
    from fourcard.documents.files import check_new_file, check_suffix, save_file
    from fourcard.house.reports.win_page import build_win_page

    if output is not None:
        check_suffix(output, FORMS)
        check_new_file(output, "a win page")
    with scanning_as("wins", session) as (reading, step):
        page = build_win_page(reading, meter, win, step)
    if output is not None:
        save_file(output, (_render_page(page, output.suffix.lower()),))
    if json:
        print_json(page.answer())
    elif output is None:
        _show_page(page)
    else:
        print(f"{output} is the page of win {win} of {meter}: {dollars(page.amount)}.")


def _render_page(page: "WinPage", suffix: str) -> bytes:
    from fourcard.house.reports.win_page import win_page_html, win_page_pdf

    return win_page_html(page).encode() if suffix == ".html" else win_page_pdf(page)


def _show_page(page: "WinPage") -> None:
    from fourcard.house.reports.win_page import describe_win, win_page_document, win_page_facts

    out, document = console(), win_page_document(page)
    stamp = f"  [bold red]{document.stamp.upper()}[/]" if document.stamp else ""
    out.print(f"[bold]{document.title}[/], {escape_text(document.subtitle)}{stamp}")
    out.print(f"[bold]{dollars(page.amount)}[/]  {escape_text(describe_win(page))}  ", card_faces(page.cards))
    for group in win_page_facts(page):
        out.print(f"\n[bold]{group.title}[/]")
        for name, text in group.pairs:
            out.print(f"[dim]{escape_text(name):<32}[/] {escape_text(text)}", soft_wrap=True)
    out.print(f"\n[dim]{' '.join(page.clauses)}[/]", soft_wrap=True)
    out.print("[dim]Use -o page.pdf or page.html to write it to a file.[/]")

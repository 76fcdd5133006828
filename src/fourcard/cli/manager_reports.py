"""Game Manager reports: alerts, totals, exports, jackpots, wins and win pages."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.house_connect import Begins, Since, TableName, Until, with_options
from fourcard.cli.manager_auth import (
    BROKEN,
    ManagerOptions,
    ManagerSession,
    Meter,
    OfMeter,
    Win,
    reading_as,
    scanning_as,
)
from fourcard.cli.manager_meters import MOVEMENT_COLUMNS
from fourcard.cli.output import (
    console,
    escape_text,
    keep_times_whole,
    print_json,
    print_rows,
    print_table,
    struct_table,
    with_card_faces,
    write_lines,
)
from fourcard.money import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

    import msgspec

    from fourcard.house.reports.alerts import Alert
    from fourcard.house.reports.consoles import OpenJackpot
    from fourcard.house.reports.meters import MeterTotals, TotalsReport
    from fourcard.house.reports.win_page import WinPage
    from fourcard.house.reports.wins import WinEntry

By = Annotated[Literal["table", "day", "meter"], typer.Option("--by", help="Group the figures by this.")]
OnlyOpen = Annotated[bool, typer.Option("--standing", help="Only alerts that still apply.")]
What = Annotated[Literal["wins", "contributions", "adjustments"], typer.Argument(help="What to export.")]
Csv = Annotated[bool, typer.Option("--csv", help="Write CSV with a header line, default JSON lines.")]
RowsFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rows to a new file.")]
FORMULA = ("=", "+", "-", "@")
"""The first characters that make a spreadsheet read a text as a formula."""
HEADER_LINES = 1
"""The CSV line with the names of the columns, which is not a row."""


@with_options
def alerts(
    since: Since = None, until: Until = None, standing: OnlyOpen = False, *, session: ManagerOptions
) -> None:
    """Show alerts: shortfalls, chip counts that differ, links, large and backed-out wins, what waits."""
    from fourcard.house.reports import alerts as alert_report
    from fourcard.house.reports.event_scan import parse_period

    period = parse_period(since, until)
    with scanning_as("wins", session) as (reading, step):
        every = alert_report.alerts(reading, period, step)
    shown = tuple(each for each in every if each.stands or not standing)
    print_rows(shown, _show_alerts, "There are no alerts.", json=session.json)


def _show_alerts(shown: "tuple[Alert, ...]") -> None:
    def kind(each: "Alert") -> str:
        return f"[bold yellow]{each.kind}[/]\n[dim]still open[/]" if each.stands else each.kind

    columns = ("time (UTC)", "moment"), ("alert", kind), ("what", "sentence"), "by"
    clauses = ("clauses", lambda each: f"[dim]{' '.join(each.clauses)}[/]")
    print_table(console(), keep_times_whole(struct_table(shown, *columns, clauses)))


@with_options
def report(
    by: By = "table",
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    begins: Begins = 0,
    *,
    session: ManagerOptions,
) -> None:
    """Show what was wagered, contributed, seeded, adjusted and paid, by table, gaming day or meter."""
    from fourcard.house.reports import meters
    from fourcard.house.reports.event_scan import parse_period

    period, grouping = parse_period(since, until), meters.Grouping(by, begins)
    with scanning_as("meters", session, "Adding up") as (reading, step):
        totals = meters.totals_report(reading, grouping, meter, period, step)
    if session.json:
        print_json(totals)
    else:
        _show_totals(totals)
    if not totals.holds:
        raise typer.Exit(BROKEN)


def _show_totals(totals: "TotalsReport") -> None:
    from fourcard.house.reports.formats import exact_dollars

    def key(each: "MeterTotals") -> str:
        return escape_text(each.key) or "[dim]no table[/]"

    def after(each: "MeterTotals") -> str:
        if each.meter_units is None or each.reserve_units is None:
            return ""
        return f"{exact_dollars(each.meter_units)}\n[dim]{exact_dollars(each.reserve_units)} in reserve[/]"

    table = struct_table(
        totals.lines,
        (totals.by, key),
        "rounds",
        *MOVEMENT_COLUMNS,
        *([] if totals.by == "table" else [(">meter after", after)]),
        total=totals.total,
    )
    out = console()
    print_table(out, table)
    change = exact_dollars(totals.total.change_units)
    parts = f"{exact_dollars(totals.opening_units)} before, {change} of changes"
    verdict = "[green]the sum is right[/]" if totals.holds else "[bold red]the sum is wrong[/]"
    out.print(f"in meters and reserves {exact_dollars(totals.closing_units)}: {parts}; {verdict}.")


@with_options
def export(
    what: What,
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    csv: Csv = False,
    output: RowsFile = None,
    *,
    session: ManagerSession,
) -> None:
    """Write wins, contributions or adjustments as JSON lines or CSV."""
    import msgspec

    from fourcard.documents.files import check_new_file
    from fourcard.house.reports.event_scan import parse_period
    from fourcard.house.reports.wins import EXPORT_ROWS, export_rows

    period = parse_period(since, until)
    if output is not None:
        check_new_file(output, "an export")
    with scanning_as("wins", session, "Exporting") as (reading, step):
        exported = export_rows(reading, what, meter, period, step)
        if csv:
            count = (
                write_lines(comma_separated(EXPORT_ROWS[what].__struct_fields__, exported), output)
                - HEADER_LINES
            )
        else:
            count = write_lines((msgspec.json.encode(row) + b"\n" for row in exported), output)
    print(f"{count:,} {what} exported.", file=sys.stderr)


def comma_separated(columns: tuple[str, ...], rows: "Iterable[msgspec.Struct]") -> Iterator[bytes]:
    """Yield CSV lines: the names of the columns, then the rows."""
    import csv
    import io

    from msgspec.structs import astuple

    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for cells in chain((columns,), (map(_csv_cell, astuple(row)) for row in rows)):
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


@with_options
def jackpots(*, session: ManagerOptions) -> None:
    """Show the open jackpots: awarded and not paid, or paid and not documented."""
    from fourcard.house.reports.consoles import open_jackpots

    with reading_as("meters", session) as reading:
        rows = open_jackpots(reading)
    print_rows(rows, _show_open_jackpots, "There is no open jackpot.", json=session.json)


def _show_open_jackpots(rows: "tuple[OpenJackpot, ...]") -> None:
    table = struct_table(
        rows,
        "table",
        "round",
        ("player", lambda each: f"{escape_text(each.player)} at {each.position}"),
        ("cards", lambda each: with_card_faces(each.cards)),
        ("hand", lambda each: f"{each.row.replace('_', ' ')}\n[dim]{each.odds}[/]"),
        (">amount", "amount_cents"),
        "stage",
        "next",
    )
    print_table(console(), table)


@with_options
def history(
    meter: OfMeter = None,
    table: TableName = None,
    since: Since = None,
    until: Until = None,
    *,
    session: ManagerOptions,
) -> None:
    """Show every win in the journal: time, table, player, amount, and who confirmed it."""
    from fourcard.house.reports.event_scan import parse_period, table_names
    from fourcard.house.reports.wins import wins

    period = parse_period(since, until)
    with scanning_as("wins", session) as (reading, step):
        table_names(reading, table)
        rows = wins(reading, meter, table, period, step)
    print_rows(rows, _show_wins, "There are no logged wins.", json=session.json)


def _show_wins(rows: "tuple[WinEntry, ...]") -> None:
    def people(each: "WinEntry") -> str:
        names = f"{escape_text(each.marked_by)}, {escape_text(each.confirmed_by)}"
        return f"{names}\n[dim]{each.confirmed_as}[/]"

    table = struct_table(
        rows,
        (
            "logged (UTC)",
            lambda each: f"{each.moment}\n[dim]{escape_text(each.meter)}, win {each.number:,}[/]",
        ),
        ("table", lambda each: f"{escape_text(each.table)}\n[dim]round {each.round:,}[/]"),
        ("player", lambda each: f"{escape_text(each.player)}\n[dim]position {each.position}[/]"),
        ("cards", lambda each: with_card_faces(each.cards)),
        ("hand", "row"),
        (">amount", lambda each: f"{dollars(each.amount_cents)}\n[{STYLES[each.state]}]{each.state}[/]"),
        ("marked, confirmed", people),
    )
    out, valid = console(), [each.amount_cents for each in rows if each.undone_at is None]
    print_table(out, keep_times_whole(table))
    out.print(f"{len(rows):,} logged, {len(valid):,} of them valid, for {dollars(sum(valid))}.")


@with_options
def win_page(meter: Meter, win: Win, output: PageFile = None, *, session: ManagerOptions) -> None:
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
    if session.json:
        print_json(page)
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
    out.print(
        f"[bold]{dollars(page.amount)}[/]  {escape_text(describe_win(page))}  ", with_card_faces(page.cards)
    )
    for group in win_page_facts(page):
        out.print(f"\n[bold]{group.title}[/]")
        for name, text in group.pairs:
            out.print(f"[dim]{escape_text(name):<32}[/] {escape_text(text)}", soft_wrap=True)
    out.print(f"\n[dim]{' '.join(page.clauses)}[/]", soft_wrap=True)
    out.print("[dim]Use -o page.pdf or page.html to write it to a file.[/]")

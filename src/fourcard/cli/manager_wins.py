"""Wins: the `manager` commands `jackpots`, `history` and `win-page`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, ManagerSession, Meter, OfMeter, Since, Until, Win, reading_as
from fourcard.cli.output import Json, card_faces, console, faces_in, plain, print_json, print_table
from fourcard.cli.solving import event_progress
from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.house.reports.progressive.jackpots import OpenJackpot
    from fourcard.house.reports.progressive.wins import LoggedWin
    from fourcard.house.reports.win_page import WinPage

FORMS = (".html", ".pdf")
TableName = Annotated[str | None, typer.Option("--table", help="One table.")]
PageFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the page to a new .html or .pdf file.")
]
STYLES = {"logged": "yellow", "paid": "dim", "backed out": "red", "void": "red"}


def jackpots(
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show the open jackpots: awarded and not paid, or paid and not documented."""
    from fourcard.house.reports.progressive.jackpots import open_jackpots

    with reading_as("meters", ManagerSession(person, password_file, database, key)) as reading:
        rows = open_jackpots(reading)
    if json:
        print_json([each.answer() for each in rows])
    else:
        _show_open_jackpots(rows)


def _show_open_jackpots(rows: "tuple[OpenJackpot, ...]") -> None:
    from rich import box
    from rich.table import Table

    if not rows:
        console().print("There is no open jackpot.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("table", "round", "player", "cards", "hand"):
        table.add_column(head, overflow="fold")
    table.add_column("amount", justify="right")
    for head in ("stage", "next"):
        table.add_column(head, overflow="fold")
    for each in rows:
        table.add_row(
            plain(each.table),
            f"{each.round:,}",
            f"{plain(each.player)} at {each.position}",
            faces_in(each.cards),
            f"{each.row.replace('_', ' ')}\n[dim]{each.odds}[/]",
            "" if each.cents is None else dollars(each.cents),
            each.stage,
            each.next,
        )
    print_table(console(), table)


def history(
    meter: OfMeter = None,
    table: TableName = None,
    since: Since = None,
    until: Until = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show every win in the journal: time, table, player, amount, and who confirmed it."""
    from fourcard.house.reports.progressive.streams import period_named, tables_named
    from fourcard.house.reports.progressive.wins import wins

    period = period_named(since, until)
    with (
        reading_as("wins", ManagerSession(person, password_file, database, key)) as reading,
        event_progress("Reading") as step,
    ):
        tables_named(reading, table)
        rows = wins(reading, meter, table, period, step)
    if json:
        print_json([each.answer() for each in rows])
    else:
        _show_wins(rows)


def _show_wins(rows: "tuple[LoggedWin, ...]") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment

    if not rows:
        console().print("There are no logged wins.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("logged (UTC)", no_wrap=True)
    for head in ("table", "player", "cards", "hand"):
        table.add_column(head, overflow="fold")
    table.add_column("amount", justify="right")
    table.add_column("marked, confirmed", overflow="fold")
    for each in rows:
        win = each.win
        table.add_row(
            f"{moment(win.at)}\n[dim]{plain(each.meter)}, win {win.number:,}[/]",
            f"{plain(win.table)}\n[dim]round {win.round:,}[/]",
            f"{plain(win.player)}\n[dim]position {win.position}[/]",
            card_faces(win.cards),
            win.row.replace("_", " "),
            f"{dollars(each.payment.amount)}\n[{STYLES[each.state]}]{each.state}[/]",
            f"{plain(win.marked_by)}, {plain(win.confirmed_by)}\n[dim]{win.confirmed_as}[/]",
        )
    out, valid = console(), [each.payment.amount for each in rows if each.undone_at is None]
    print_table(out, table)
    out.print(f"{len(rows):,} logged, {len(valid):,} of them valid, for {dollars(sum(valid))}.")


def win_page(
    meter: Meter,
    win: Win,
    output: PageFile = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Print a win's page for accounting, on the screen or to a file (SM-PROG-9e.6, WA-NEX-8f.7)."""
    from fourcard.documents.files import check_ending, check_new, save
    from fourcard.house.reports.win_page import win_page_of

    if output is not None:
        check_ending(output, FORMS)
        check_new(output, "a win page")
    with (
        reading_as("wins", ManagerSession(person, password_file, database, key)) as reading,
        event_progress("Reading") as step,
    ):
        page = win_page_of(reading, meter, win, step)
    if output is not None:
        save(output, (_render_page(page, output.suffix.lower()),))
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
    out.print(f"[bold]{document.title}[/], {plain(document.subtitle)}{stamp}")
    out.print(f"[bold]{dollars(page.amount)}[/]  {plain(describe_win(page))}  ", card_faces(page.cards))
    for group in win_page_facts(page):
        out.print(f"\n[bold]{group.title}[/]")
        for name, text in group.pairs:
            out.print(f"[dim]{plain(name):<32}[/] {plain(text)}", soft_wrap=True)
    out.print(f"\n[dim]{' '.join(page.clauses)}[/]", soft_wrap=True)
    out.print("[dim]Use -o page.pdf or page.html to write it to a file.[/]")

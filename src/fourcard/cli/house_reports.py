"""House reports: `statement`, `balance` and `results`."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    DATABASE,
    Begins,
    Database,
    Player,
    Since,
    TableName,
    Until,
    open_house_for_reading,
)
from fourcard.cli.output import Json, console, escape_text, new_table, print_json, print_table
from fourcard.money import dollars
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.house.reports.statements import Statement, TrialBalance
    from fourcard.house.reports.table_results import TableDay, WagerResult

FIGURES = ("opening", "fills", "credits", "closing", "drop", "win")


def show_results(days: "Sequence[TableDay]") -> None:
    """Print the results of tables and gaming days, and their total."""
    from fourcard.house.reports.table_results import sum_days

    out, whole = console(), sum_days(days)
    if not days:
        out.print("There are no results yet.")
        return
    print_table(out, _days_table(days, whole))
    print_table(out, _wagers_table(whole.wagers))
    for each in days:
        for count in each.counts:
            if count.variance:
                what = "the drop box" if count.of == "drop" else f"the tray ({count.of})"
                figures = f"{dollars(count.cents)} counted, {dollars(count.expected)} in the books"
                out.print(f"[yellow]variance[/] {each.day} {escape_text(each.table)}, {what}: {figures}.")
    parts = f"{dollars(whole.win_by_wagers)} won by wagers, {dollars(whole.variance)} found by counts"
    out.print(f"win {dollars(whole.win)}: {parts}.")


def _days_table(days: "Sequence[TableDay]", whole: "TableDay") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_footer=len(days) > 1)
    table.add_column("day", "total", overflow="fold")
    table.add_column("table", "", overflow="fold")
    table.add_column("rounds", f"{whole.rounds:,}", justify="right")
    table.add_column("void", f"{whole.voids:,}", justify="right")
    for figure in FIGURES:
        table.add_column(figure, dollars(getattr(whole, figure)), justify="right")
    table.add_column("hold", format_percent(whole.hold), justify="right")
    for each in days:
        figures = (dollars(getattr(each, figure)) for figure in FIGURES)
        counts = f"{each.rounds:,}", f"{each.voids:,}"
        table.add_row(each.day, escape_text(each.table), *counts, *figures, format_percent(each.hold))
    return table


def _wagers_table(wagers: "Sequence[WagerResult]") -> "Table":
    from fourcard.rules.cited import WAGER_LABELS

    table = new_table("wager", ">handle", ">taken", ">paid", ">by a meter", ">win", ">hold")
    for each in wagers:
        figures = (each.handle, each.taken, each.paid, each.by_meter, each.win)
        table.add_row(WAGER_LABELS[each.wager], *map(dollars, figures), format_percent(each.hold))
    return table


def format_percent(share: Fraction | None) -> str:
    """Return a share in percent with two decimals, or an empty text for None."""
    return "" if share is None else f"{float(share):.2%}"


Accounts = Annotated[bool, typer.Option("--accounts", help="Show every account, not only the groups.")]
Day = Annotated[str | None, typer.Option(metavar="DATE", help="One gaming day, such as 2026-01-31.")]


def statement(
    player: Player,
    since: Since = None,
    until: Until = None,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show a player's statement: every account movement with its balance, and chips at tables."""
    from fourcard.house.reports import statements
    from fourcard.house.reports.formats import parse_time

    first, end = (None if text is None else parse_time(text) for text in (since, until))
    if first is not None and end is not None and first > end:
        raise BadInputError(f"--until {until} is before --since {since}.")
    with open_house_for_reading(database) as reading:
        report = statements.statement(reading, player, first, end)
    if json:
        print_json(report.answer())
    else:
        _show_statement(report)


def _show_statement(report: "Statement") -> None:
    from fourcard.house.reports.formats import format_time
    from fourcard.money import dollars

    out = console()
    table = new_table("time (UTC)", "what", "by", ">amount", ">balance")
    start = format_time(report.since) if report.since is not None else ""
    table.add_row(start, "[dim]opening balance[/]", "", "", dollars(report.opening))
    for line in report.lines:
        what = line.what.replace("_", " ") + (f" at {escape_text(line.table)}" if line.table else "")
        table.add_row(
            format_time(line.at), what, escape_text(line.by), dollars(line.cents), dollars(line.balance)
        )
    end = format_time(report.until) if report.until is not None else ""
    table.add_row(end, "[dim]closing balance[/]", "", "", f"[bold]{dollars(report.closing)}[/]")
    out.print(f"[bold]{escape_text(report.name)}[/]  [dim]{escape_text(report.player)}[/]")
    out.print(table)
    for name, cents in report.chips:
        out.print(f"chips at {escape_text(name)}: {dollars(cents)}")


def balance(accounts: Accounts = False, database: Database = DATABASE, json: Json = False) -> None:
    """Show the trial balance: what every group of accounts holds or owes, and the sum, which is zero."""
    from fourcard.house.reports.statements import trial_balance

    with open_house_for_reading(database) as reading:
        report = trial_balance(reading)
    if json:
        print_json(report.answer())
    else:
        _show_balance(report, every=accounts)
    if report.sum:
        raise typer.Exit(1)


def _show_balance(report: "TrialBalance", *, every: bool) -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.formats import exact_dollars
    from fourcard.house.reports.statements import GROUP_LABELS

    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column("", "sum", overflow="fold")
    table.add_column("accounts", "", justify="right")
    table.add_column("holds", exact_dollars(report.held), justify="right")
    table.add_column("owes", exact_dollars(report.owed), justify="right")
    for group in report.groups:
        style = "bold" if every else ""
        cells = (exact_dollars(units) if units else "" for units in (group.held, group.owed))
        table.add_row(GROUP_LABELS[group.group], f"{len(group.accounts):,}", *cells, style=style)
        for each in group.accounts if every else ():
            table.add_row(f"  {escape_text(each.account)}", "", *_holds_or_owes(each.units), style="dim")
    console().print(table)
    verdict = "[green]The books balance.[/]" if not report.sum else "[bold red]The books do not balance.[/]"
    console().print(f"held minus owed: {exact_dollars(report.sum)}. {verdict}")


def _holds_or_owes(units: int) -> tuple[str, str]:
    from fourcard.house.reports.formats import exact_dollars

    return (exact_dollars(units), "") if units >= 0 else ("", exact_dollars(-units))


def results(
    day: Day = None,
    table: TableName = None,
    begins: Begins = 0,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show the results of tables by gaming day: inventory, drop, win, hold, and each wager's result."""
    from fourcard.house.reports.formats import parse_day
    from fourcard.house.reports.table_results import sum_days, table_results

    day_number = None if day is None else parse_day(day)
    with open_house_for_reading(database) as reading:
        days = table_results(reading, table=table, day=day_number, begins=begins)
    if json:
        print_json({"days": [each.answer() for each in days], "total": sum_days(days).answer()})
    else:
        show_results(days)

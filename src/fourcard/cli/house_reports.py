"""House reports: the `house` commands `statement`, `balance` and `results`."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, reading_house
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.reports.balances import TrialBalance
    from fourcard.house.reports.statements import Statement

Player = Annotated[str, typer.Argument(help="The player's id.")]
Since = Annotated[str | None, typer.Option(metavar="MOMENT", help="From this day or time (UTC) on.")]
Until = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Up to just before this day or time (UTC).")
]
Accounts = Annotated[bool, typer.Option("--accounts", help="Show every account, not only the groups.")]
Day = Annotated[str | None, typer.Option(metavar="DATE", help="One gaming day, such as 2026-01-31.")]
TableName = Annotated[str | None, typer.Option("--table", help="One table.")]
Begins = Annotated[int, typer.Option(metavar="HOUR", help="The hour (UTC) at which a gaming day begins.")]


def statement(
    player: Player,
    since: Since = None,
    until: Until = None,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show a player's statement: every account movement with its balance, and chips at tables."""
    from fourcard.house.reports import statements
    from fourcard.house.reports.days import moment_named

    first, end = (None if text is None else moment_named(text) for text in (since, until))
    if first is not None and end is not None and first > end:
        raise BadInputError(f"--until {until} is before --since {since}.")
    with reading_house(database) as reading:
        report = statements.statement(reading, player, first, end)
    if json:
        print_json(report.answer())
    else:
        _show_statement(report)


def _show_statement(report: "Statement") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment
    from fourcard.money import dollars

    out = console()
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("time (UTC)", "what", "by"):
        table.add_column(head, overflow="fold")
    for head in ("amount", "balance"):
        table.add_column(head, justify="right", overflow="fold")
    start = moment(report.since) if report.since is not None else ""
    table.add_row(start, "[dim]opening balance[/]", "", "", dollars(report.opening))
    for line in report.lines:
        what = line.what.replace("_", " ") + (f" at {plain(line.table)}" if line.table else "")
        table.add_row(moment(line.at), what, plain(line.by), dollars(line.cents), dollars(line.balance))
    end = moment(report.until) if report.until is not None else ""
    table.add_row(end, "[dim]closing balance[/]", "", "", f"[bold]{dollars(report.closing)}[/]")
    out.print(f"[bold]{plain(report.name)}[/]  [dim]{plain(report.player)}[/]")
    out.print(table)
    for name, cents in report.chips:
        out.print(f"chips at {plain(name)}: {dollars(cents)}")


def balance(accounts: Accounts = False, database: Database = DATABASE, json: Json = False) -> None:
    """Show the trial balance: what every group of accounts holds or owes, and the sum, which is zero."""
    from fourcard.house.reports.balances import trial_balance

    with reading_house(database) as reading:
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

    from fourcard.house.reports.balances import GROUP_LABELS
    from fourcard.house.reports.showing import exact_dollars

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
            table.add_row(f"  {plain(each.account)}", "", *_holds_or_owes(each.units), style="dim")
    console().print(table)
    verdict = "[green]The books balance.[/]" if not report.sum else "[bold red]The books do not balance.[/]"
    console().print(f"held minus owed: {exact_dollars(report.sum)}. {verdict}")


def _holds_or_owes(units: int) -> tuple[str, str]:
    from fourcard.house.reports.showing import exact_dollars

    return (exact_dollars(units), "") if units >= 0 else ("", exact_dollars(-units))


def results(
    day: Day = None,
    table: TableName = None,
    begins: Begins = 0,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show the results of tables by gaming day: inventory, drop, win, hold, and each wager's result."""
    from fourcard.cli.house_results import show_results
    from fourcard.house.reports.days import numbered
    from fourcard.house.reports.results import total
    from fourcard.house.reports.tallying import table_results

    day_number = None if day is None else numbered(day)
    with reading_house(database) as reading:
        days = table_results(reading, table=table, day=day_number, begins=begins)
    if json:
        print_json({"days": [each.answer() for each in days], "total": total(days).answer()})
    else:
        show_results(days)

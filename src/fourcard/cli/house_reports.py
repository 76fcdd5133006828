"""`fourcard house statement`, `balance` and `results`: what the books say."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, reading_house
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.reports.balances import TrialBalance
    from fourcard.house.reports.statements import Statement

Player = Annotated[str, typer.Argument(help="The player's id.")]
Since = Annotated[str | None, typer.Option(metavar="MOMENT", help="From this day or moment on, in UTC.")]
Until = Annotated[str | None, typer.Option(metavar="MOMENT", help="Up to just before this one, in UTC.")]
Accounts = Annotated[bool, typer.Option("--accounts", help="Show every account, not only the groups.")]
Day = Annotated[str | None, typer.Option(metavar="DATE", help="One gaming day, such as 2026-01-31.")]
TableName = Annotated[str | None, typer.Option("--table", help="One table.")]
Begins = Annotated[int, typer.Option(metavar="HOUR", help="The hour UTC at which a gaming day begins.")]


def statement(
    player: Player,
    since: Since = None,
    until: Until = None,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show a player's statement: every movement of the account, the balance after it, and chips at tables."""
    from fourcard.house.reports import statements
    from fourcard.house.reports.days import moment_named

    first, end = (None if text is None else moment_named(text) for text in (since, until))
    if first is not None and end is not None and first > end:
        raise BadInputError(f"A statement cannot begin at {since} and end at {until}, which is before it.")
    with reading_house(database) as reading:
        found = statements.statement(reading, player, first, end)
    if json:
        print_json(found.answer())
    else:
        _show_statement(found)


def _show_statement(found: "Statement") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment
    from fourcard.money import dollars

    out = console()
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("moment (UTC)", "what", "by"):
        table.add_column(head, overflow="fold")
    for head in ("amount", "balance"):
        table.add_column(head, justify="right", overflow="fold")
    start = moment(found.since) if found.since is not None else ""
    table.add_row(start, "[dim]opening balance[/]", "", "", dollars(found.opening))
    for line in found.lines:
        what = line.what.replace("_", " ") + (f" at {plain(line.table)}" if line.table else "")
        table.add_row(moment(line.at), what, plain(line.by), dollars(line.cents), dollars(line.balance))
    end = moment(found.until) if found.until is not None else ""
    table.add_row(end, "[dim]closing balance[/]", "", "", f"[bold]{dollars(found.closing)}[/]")
    out.print(f"[bold]{plain(found.name)}[/]  [dim]{plain(found.player)}[/]")
    out.print(table)
    for name, cents in found.chips:
        out.print(f"chips at {plain(name)}: {dollars(cents)}")


def balance(accounts: Accounts = False, database: Database = DATABASE, json: Json = False) -> None:
    """Show the trial balance: what every group of accounts holds or owes, and the sum, which is zero."""
    from fourcard.house.reports.balances import trial_balance

    with reading_house(database) as reading:
        found = trial_balance(reading)
    if json:
        print_json(found.answer())
    else:
        _show_balance(found, every=accounts)
    if found.sum:
        raise typer.Exit(1)


def _show_balance(found: "TrialBalance", *, every: bool) -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.balances import GROUP_LABELS
    from fourcard.house.reports.showing import exact_dollars

    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column("", "sum", overflow="fold")
    table.add_column("accounts", "", justify="right")
    table.add_column("holds", exact_dollars(found.held), justify="right")
    table.add_column("owes", exact_dollars(found.owed), justify="right")
    for group in found.groups:
        style = "bold" if every else ""
        cells = (exact_dollars(units) if units else "" for units in (group.held, group.owed))
        table.add_row(GROUP_LABELS[group.group], f"{len(group.accounts):,}", *cells, style=style)
        for each in group.accounts if every else ():
            table.add_row(f"  {plain(each.account)}", "", *_columns(each.units), style="dim")
    console().print(table)
    verdict = "[green]The books balance.[/]" if not found.sum else "[bold red]The books do not balance.[/]"
    console().print(f"held less owed: {exact_dollars(found.sum)}. {verdict}")


def _columns(units: int) -> tuple[str, str]:
    from fourcard.house.reports.showing import exact_dollars

    return (exact_dollars(units), "") if units >= 0 else ("", exact_dollars(-units))


def results(
    day: Day = None,
    table: TableName = None,
    begins: Begins = 0,
    database: Database = DATABASE,
    json: Json = False,
) -> None:
    """Show the results of tables by gaming day: inventory, drop, win, hold, and every wager's own."""
    from fourcard.cli.house_results import show
    from fourcard.house.reports.days import numbered
    from fourcard.house.reports.results import total
    from fourcard.house.reports.tallying import table_results

    asked = None if day is None else numbered(day)
    with reading_house(database) as reading:
        found = table_results(reading, table=table, day=asked, begins=begins)
    if json:
        print_json({"days": [each.answer() for each in found], "total": total(found).answer()})
    else:
        show(found)

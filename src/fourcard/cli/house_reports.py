"""House reports: `statement`, `balance` and `results`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    Begins,
    Player,
    ReadOptions,
    Since,
    TableName,
    Until,
    open_house_for_reading,
    with_options,
)
from fourcard.cli.output import console, escape_text, new_table, print_json, print_table, struct_table
from fourcard.money import dollars
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.reports.statements import Statement, TrialBalance
    from fourcard.house.reports.table_results import TableDay

HOLD = (">hold", lambda each: "" if each.hold is None else f"{float(each.hold):.2%}")


def show_results(days: "Sequence[TableDay]") -> None:
    """Print the results of tables and gaming days, and their total."""
    from fourcard.house.reports.table_results import sum_days
    from fourcard.wagers import WAGER_LABELS

    out, whole = console(), sum_days(days)
    if not days:
        out.print("There are no results yet.")
        return
    columns = ("rounds", ("void", "voids"), "opening", "fills", "credits", "closing", "drop", "win", HOLD)
    day = ("day", lambda each: each.day or "total")
    print_table(out, struct_table(days, day, "table", *columns, total=whole if len(days) > 1 else None))
    wager = ("wager", lambda each: WAGER_LABELS[each.wager])
    figures = ("handle", "taken", "paid", ("by a meter", "by_meter"), "win", HOLD)
    print_table(out, struct_table(whole.wagers, wager, *figures))
    dealers = [each for each in whole.dealers if each.rounds or each.handle]
    print_table(out, struct_table(dealers, "dealer", "rounds", *figures))
    for each in days:
        for count in each.counts:
            if count.variance:
                what = "the drop box" if count.of == "drop" else f"the tray ({count.of})"
                counted = f"{dollars(count.cents)} counted, {dollars(count.expected)} in the books"
                out.print(f"[yellow]variance[/] {each.day} {escape_text(each.table)}, {what}: {counted}.")
    parts = f"{dollars(whole.win_of_wagers)} won by wagers, {dollars(whole.variance)} found by counts"
    out.print(f"win {dollars(whole.win)}: {parts}.")


Accounts = Annotated[bool, typer.Option("--accounts", help="Show every account, not only the groups.")]
Day = Annotated[str | None, typer.Option(metavar="DATE", help="One gaming day, such as 2026-01-31.")]


@with_options
def statement(player: Player, since: Since = None, until: Until = None, *, at: ReadOptions) -> None:
    """Show a player's statement: every account movement with its balance, and chips at tables."""
    from fourcard.house.reports import statements
    from fourcard.house.reports.formats import parse_time

    first, end = (None if text is None else parse_time(text) for text in (since, until))
    if first is not None and end is not None and first > end:
        raise BadInputError(f"--until {until} is before --since {since}.")
    with open_house_for_reading(at.database) as reading:
        report = statements.statement(reading, player, first, end)
    if at.json:
        print_json(report)
    else:
        _show_statement(report)


def _show_statement(report: "Statement") -> None:
    from fourcard.house.reports.formats import format_time

    out = console()
    table = new_table("time (UTC)", "what", "by", ">amount", ">balance")
    start = format_time(report.since) if report.since is not None else ""
    table.add_row(start, "[dim]opening balance[/]", "", "", dollars(report.opening))
    for line in report.lines:
        what = line.what.replace("_", " ") + (f" at {escape_text(line.table)}" if line.table else "")
        table.add_row(line.moment, what, escape_text(line.by), dollars(line.cents), dollars(line.balance))
    end = format_time(report.until) if report.until is not None else ""
    table.add_row(end, "[dim]closing balance[/]", "", "", f"[bold]{dollars(report.closing)}[/]")
    out.print(f"[bold]{escape_text(report.name)}[/]  [dim]{escape_text(report.player)}[/]")
    out.print(table)
    for name, cents in report.chips.items():
        out.print(f"chips at {escape_text(name)}: {dollars(cents)}")


@with_options
def balance(accounts: Accounts = False, *, at: ReadOptions) -> None:
    """Show the trial balance: what every group of accounts holds or owes, and the sum, which is zero."""
    from fourcard.house.reports.statements import trial_balance

    with open_house_for_reading(at.database) as reading:
        report = trial_balance(reading)
    if at.json:
        print_json(report)
    else:
        _show_balance(report, every=accounts)
    if report.sum:
        raise typer.Exit(1)


def _show_balance(report: "TrialBalance", *, every: bool) -> None:
    from fourcard.house.reports.formats import exact_dollars
    from fourcard.house.reports.statements import GROUP_LABELS

    table = new_table("", ">accounts", ">holds", ">owes", show_footer=True)
    for column, foot in zip(
        table.columns, ("sum", "", *map(exact_dollars, (report.held, report.owed))), strict=True
    ):
        column.footer = foot
    for group in report.groups:
        cells = (exact_dollars(units) if units else "" for units in (group.held, group.owed))
        style = "bold" if every else ""
        table.add_row(GROUP_LABELS[group.group], f"{len(group.accounts):,}", *cells, style=style)
        for each in group.accounts if every else ():
            owed = exact_dollars(-each.units) if each.units < 0 else ""
            table.add_row(
                f"  {escape_text(each.account)}", "", "" if owed else each.dollars, owed, style="dim"
            )
    console().print(table)
    verdict = "[green]The books balance.[/]" if not report.sum else "[bold red]The books do not balance.[/]"
    console().print(f"held minus owed: {exact_dollars(report.sum)}. {verdict}")


@with_options
def results(day: Day = None, table: TableName = None, begins: Begins = 0, *, at: ReadOptions) -> None:
    """Show the results of tables by gaming day: inventory, drop, win, hold, and each wager's result."""
    from fourcard.house.reports.formats import parse_day
    from fourcard.house.reports.table_results import sum_days, table_results

    day_number = None if day is None else parse_day(day)
    with open_house_for_reading(at.database) as reading:
        days = table_results(reading, table=table, day=day_number, begins=begins)
    if at.json:
        print_json({"days": days, "total": sum_days(days)})
    else:
        show_results(days)

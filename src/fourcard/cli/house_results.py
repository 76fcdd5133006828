"""Table results for people: gaming days, wagers, and variances found by counts."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fourcard.cli.output import console, plain, print_table
from fourcard.money import dollars

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.house.reports.results import TableDay, WagerResult

FIGURES = ("opening", "fills", "credits", "closing", "drop", "win")


def show_results(days: "Sequence[TableDay]") -> None:
    """Print the results of tables and gaming days, and their total."""
    from fourcard.house.reports.results import total

    out, whole = console(), total(days)
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
                out.print(f"[yellow]variance[/] {each.day} {plain(each.table)}, {what}: {figures}.")
    parts = f"{dollars(whole.of_wagers)} won by wagers, {dollars(whole.variance)} found by counts"
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
    table.add_column("hold", percent(whole.hold), justify="right")
    for each in days:
        figures = (dollars(getattr(each, figure)) for figure in FIGURES)
        counts = f"{each.rounds:,}", f"{each.voids:,}"
        table.add_row(each.day, plain(each.table), *counts, *figures, percent(each.hold))
    return table


def _wagers_table(wagers: "Sequence[WagerResult]") -> "Table":
    from rich import box
    from rich.table import Table

    from fourcard.rules.nodes import WAGER_LABELS

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("wager", overflow="fold")
    for head in ("handle", "taken", "paid", "by a meter", "win", "hold"):
        table.add_column(head, justify="right")
    for each in wagers:
        figures = (each.handle, each.taken, each.paid, each.by_meter, each.win)
        table.add_row(WAGER_LABELS[each.wager], *map(dollars, figures), percent(each.hold))
    return table


def percent(share: Fraction | None) -> str:
    """Return a share in percent with two decimals, or an empty text for None."""
    return "" if share is None else f"{float(share):.2%}"

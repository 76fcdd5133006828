"""Rulebook differences: the `differences` command compares the rulebooks point by point."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import WIDE, Json, console, print_json

if TYPE_CHECKING:
    from fourcard.rules.differences import Point


def differences(
    point: Annotated[
        str | None, typer.Argument(help="Only points with this name, such as 'play' or 'positions'.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show also the points on which all agree.")] = False,
    json: Json = False,
) -> None:
    """Show how the rulebooks differ, point by point; naming a point also shows its clauses."""
    from fourcard.rules.differences import points, points_about

    chosen = [p for p in points() if every or p.differs] if point is None else list(points_about(point))
    if json:
        print_json([each.answer() for each in chosen])
        return
    values, tables = [p for p in chosen if not p.pays], [p for p in chosen if p.pays]
    out = console()
    roomy = out.width >= WIDE
    if point is None and roomy:
        _print_matrix(values)
    else:
        for each in values:
            _print_point(each)
    for wager, group in groupby(tables, key=lambda each: each.name.rsplit(".", 1)[0]):
        if roomy:
            _print_tables(wager, list(group))
        else:
            for each in group:
                _print_point(each)
    out.print(f"[bold]{len(chosen)}[/] points; `fourcard differences POINT` shows the clauses of a point")


def _print_matrix(shown: "list[Point]") -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("point", style="yellow", min_width=34)
    for book in shown[0].stands:
        table.add_column(book.replace("-", " "), max_width=13)
    for point in shown:
        words = point.name.removeprefix("wagers.").replace("_", " ").replace(".", ", ")
        table.add_row(words, *(stand.value.replace("_", " ") for stand in point.stands.values()))
    console().print(table)


def _print_point(point: "Point") -> None:
    from rich.table import Table

    from fourcard.rules.differences import SILENT

    out = console()
    same = "" if point.differs else "  [green]all agree[/]"
    out.print(f"[bold yellow]{point.name}[/]{same}")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    by_value: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for book, stand in point.stands.items():
        by_value.setdefault((stand.value, stand.clauses), []).append(book)
    for (value, clauses), books in by_value.items():
        style = "dim" if value == SILENT else ""
        table.add_row(", ".join(books), value, " ".join(clauses), style=style)
    out.print(table)
    if point.pays:
        out.print("  " + ", ".join(f"{row.replace('_', ' ')} {odds}" for row, odds in point.pays.items()))


def _print_tables(wager: str, shown: "list[Point]") -> None:
    """Print the different paytables of a wager side by side, with the id each rulebook gives them."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1, 0, 0), title_justify="left")
    table.title = f"[bold yellow]{wager}[/]: the different paytables, with the id in each rulebook"
    table.add_column("")
    for _ in shown:
        table.add_column("", justify="right", overflow="fold")
    for book in shown[0].stands:
        table.add_row(book, *(point.stands[book].value for point in shown), style="cyan")
    table.add_section()
    rows = dict.fromkeys(row for point in shown for row in point.pays)
    for row in rows:
        cells = (point.pays.get(row, "").removesuffix(" to 1") for point in shown)
        table.add_row(row.replace("_", " "), *cells)
    console().print(table)

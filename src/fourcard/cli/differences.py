"""`fourcard differences`: how the rulebooks differ, from the data."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from fourcard.rules.differences import Point


def differences(
    point: Annotated[
        str | None, typer.Argument(help="Only points named like this, such as 'play' or 'positions'.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also the points on which all agree.")] = False,
    json: Json = False,
) -> None:
    """Show how the rulebooks differ, point by point, with the clause behind every answer."""
    from fourcard.rules.differences import points, points_about

    found = [p for p in points() if every or p.differs] if point is None else list(points_about(point))
    if json:
        print_json([each.answer() for each in found])
        return
    out = console()
    for each in found:
        _print_point(each)
    out.print(f"[bold]{len(found)}[/] points; `fourcard clauses ID` shows a clause")


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

"""Strategy chart: the `strategy` command shows the best decisions and what other strategies cost."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.solving import solving

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from fourcard.odds.base_game import BaseGame
    from fourcard.odds.chart import Cell, Chart
    from fourcard.odds.spots import Strategy

STYLES = {"fold": "dim", "1x": "yellow", "2x": "cyan", "3x": "bold green"}
CHART = "chart"


def strategy(
    bonus: Annotated[str | None, typer.Option(help="The Automatic Bonus table, a file, or 'none'.")] = None,
    rulebook: Annotated[str | None, typer.Option(help="The rulebook of the game and its table.")] = None,
    compare: Annotated[
        list[str] | None, typer.Option(help="Your own strategy, a TOML file; repeat for more.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(help="List every hand of one cell, such as 'pair of nines/6'.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Save the chart as .svg, .png or .html.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the best decision for each hand and up card, and what simpler strategies cost exactly."""
    from fourcard.documents.charts import PICTURES
    from fourcard.documents.files import check_ending

    if output is not None:
        check_ending(output, PICTURES)
    with solving() as step:
        from fourcard.odds.asked import contest_asked
        from fourcard.odds.chart import Chart
        from fourcard.odds.strategies import names, spots_of, strategy_named
        from fourcard.rules import loading

        book = loading.rulebook(rulebook) if rulebook is not None else None
        chosen = {name: strategy_named(name) for name in (*names(), *(compare or ()))}
        spots = spots_of(contest_asked(bonus, book), step)
        chart = Chart(spots)
        if cell is not None:
            _show_cell(chart, cell, json=json)
            return
        games = _games(chart, chosen)
    if output is not None:
        from fourcard.documents.charts import save_picture
        from fourcard.odds.chart_picture import chart_picture

        save_picture(chart_picture(chart, f"this chart costs {float(chart.cost):.4%} of an Ante"), output)
    if json:
        _print_chart_json(chart, games)
    else:
        _print_chart(chart, games)


def _show_cell(chart: "Chart", cell: str, *, json: bool) -> None:
    """Print the best decision for each set of three side cards of one cell."""
    hand, _, up = cell.partition("/")
    sides = chart.sides(hand.strip().lower(), up.strip().upper())
    if json:
        print_json({side: {each: float(n) for each, n in shares.items()} for side, shares in sides.items()})
        return
    out = console()
    for choice, style in reversed(STYLES.items()):
        always = [side for side, shares in sides.items() if shares.get(choice) == 1]
        if always:
            out.print(f"[{style}]{choice}[/] with  {',  '.join(always)}", soft_wrap=True)
    for side, shares in sides.items():
        if len(shares) > 1:
            parts = ", ".join(f"{choice} {float(share):.0%}" for choice, share in shares.items())
            out.print(f"[bold]depends on suits[/] with  {side}:  {parts}")


def _games(chart: "Chart", chosen: "dict[str, Strategy]") -> "dict[str, BaseGame]":
    from fourcard.odds.base_game import base_game

    played = {**chosen, CHART: chart.decide}
    return {name: base_game(chart.spots, each) for name, each in played.items()}


def _print_chart_json(chart: "Chart", games: "dict[str, BaseGame]") -> None:
    from fourcard.odds.figures import exact
    from fourcard.provenance import fingerprint

    best = games["optimal"].house_edge
    print_json(
        {
            "cells": [cell.answer() for cell in chart.cells],
            "exceptions": list(chart.exceptions()),
            "strategies": {
                name: {
                    "house_edge": exact(game.house_edge),
                    "element_of_risk": exact(game.element_of_risk),
                    "cost": exact(game.house_edge - best),
                }
                for name, game in games.items()
            },
            "fingerprint": fingerprint(),
        }
    )


def _print_chart(chart: "Chart", games: "dict[str, BaseGame]") -> None:
    from fourcard.provenance import fingerprint

    out = console()
    out.print(_chart_table(chart))
    out.print("[dim]F: fold; 1 and 3: the Play wager in Antes; *: has exceptions:[/]")
    for sentence in chart.exceptions():
        out.print(f"  {sentence}", soft_wrap=True)
    out.print("[dim]`fourcard strategy --cell 'pair of nines/6'` lists every hand of a cell.[/]")
    out.print(_cost_table(games))
    out.print(f"[dim]{fingerprint()}[/]")


def _chart_table(chart: "Chart") -> "Table":
    from rich import box
    from rich.table import Table

    from fourcard.cards import RANKS

    table = Table(box=box.SIMPLE_HEAD, title="[bold]The best decision[/]  by up card", title_justify="left")
    table.add_column("hand", overflow="fold")
    for rank in RANKS:
        table.add_column(rank.replace("T", "10"), justify="center")
    cells = iter(chart.cells)
    for name in chart.rows:
        table.add_row(name, *(_letter(next(cells)) for _ in RANKS))
    return table


def _letter(cell: "Cell") -> "Text":
    from rich.text import Text

    text = "F" if cell.decision == "fold" else cell.decision[:-1]
    return Text(text + ("*" if cell.mixed else " "), STYLES[cell.decision])


def _cost_table(games: "dict[str, BaseGame]") -> "Table":
    from rich import box
    from rich.table import Table

    from fourcard.odds.strategies import says

    table = Table(box=box.SIMPLE_HEAD, title="[bold]What strategies cost[/]", title_justify="left")
    table.add_column("strategy", overflow="fold")
    for head in ("per Ante", "per unit wagered", "more than the best"):
        table.add_column(head, justify="right", overflow="fold")
    table.add_column("", overflow="fold")
    best = games["optimal"].house_edge
    for name, game in sorted(games.items(), key=lambda each: each[1].house_edge):
        table.add_row(
            plain(name),
            f"{float(game.house_edge):.4%}",
            f"{float(game.element_of_risk):.4%}",
            f"{float(game.house_edge - best):.4%}",
            "This chart with its exceptions." if name == CHART else plain(says(name)),
        )
    return table

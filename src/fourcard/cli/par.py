"""PAR sheet: the `par` command writes a submission's PAR sheet as PDF, HTML or JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.solving import solving, working
from fourcard.cli.submission_argument import SubmissionName

if TYPE_CHECKING:
    from fourcard.odds.par.cover_all import CoverAllSection
    from fourcard.odds.par.rendering import Form
    from fourcard.odds.par.sheet import Sheet
    from fourcard.rules.game import Game

FORMATS: "dict[str, Form]" = {".pdf": "pdf", ".html": "html", ".json": "json"}
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the sheet to a .pdf, .html or .json file.")
]
Strategy = Annotated[str, typer.Option(help="The assumed strategy: a name or a TOML file.")]
Date = Annotated[str | None, typer.Option(help="A date to print on the sheet, default none.")]


def par(
    submission: SubmissionName,
    output: Output = None,
    strategy: Strategy = "optimal",
    date: Date = None,
    precision: Annotated[float, typer.Option(help="Cover All: the standard error to reach.")] = 0.002,
    seed: Annotated[int, typer.Option(help="Cover All: the simulation's seed.")] = 1,
    json: Json = False,
) -> None:
    """Write the PAR sheet of a submission: every wager's exact figures, for a laboratory."""
    from fourcard.documents.files import check_ending, save
    from fourcard.rules.examples import submission_named
    from fourcard.rules.game import resolve_game

    if output is not None:
        check_ending(output, tuple(FORMATS))
    game = resolve_game(submission_named(submission))
    cover_all = _cover_all(game, precision, seed)
    with solving() as step:
        from fourcard.odds.par.sheet import par_sheet

        sheet = par_sheet(game, cover_all, strategy, date, step)
    if output is not None:
        from fourcard.odds.par.rendering import rendered

        save(output, (rendered(sheet, FORMATS[output.suffix.lower()]),))
    if json:
        print_json(sheet.answer())
    elif output is None:
        _print_summary(sheet)
    else:
        console().print(f"{plain(output)} written: {len(sheet.sections)} sections.")


def _cover_all(game: "Game", precision: float, seed: int) -> "CoverAllSection | None":
    """Estimate Cover All if it is offered, with a progress bar on a terminal."""
    if not game.offers("cover_all"):
        return None
    from fourcard.odds.par.cover_all import cover_all_section
    from fourcard.rules.exposure import worst_loss

    with working("Simulating Cover All") as step:
        return cover_all_section(game, worst_loss(game), precision, seed, step)


def _print_summary(sheet: "Sheet") -> None:
    """Print the head and the summary of a sheet."""
    from rich import box
    from rich.table import Table

    from fourcard.odds.par.page import head, wagers

    out = console()
    for name, text in head(sheet):
        out.print(f"[dim]{name:<16}[/] {plain(text)}")
    grid = wagers(sheet)
    table = Table(box=box.SIMPLE_HEAD)
    for place, title in enumerate(grid.headers):
        table.add_column(title, justify="left" if place < grid.text_columns else "right")
    for row in grid.rows:
        table.add_row(*map(plain, row))
    out.print(table)
    out.print(f"[dim]{plain(grid.note)}[/]")
    out.print("[dim]Use -o sheet.pdf, sheet.html or sheet.json to write the whole sheet.[/]")

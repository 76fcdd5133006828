"""PAR sheet: the `par` command writes a submission's PAR sheet as PDF, HTML or JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import (
    Json,
    SubmissionName,
    console,
    escape_text,
    print_json,
    progress_bar,
    solving_progress,
)

if TYPE_CHECKING:
    from fourcard.odds.par_sheet.document import SheetFormat
    from fourcard.odds.par_sheet.sheet import ParSheet
    from fourcard.odds.par_sheet.wager_sections import CoverAllSection
    from fourcard.rules.game import Game

FORMATS: "dict[str, SheetFormat]" = {".pdf": "pdf", ".html": "html", ".json": "json"}
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
    from fourcard.documents.files import check_suffix, save_file
    from fourcard.rules.game import resolve_game
    from fourcard.rules.submission import submission_named

    if output is not None:
        check_suffix(output, tuple(FORMATS))
    game = resolve_game(submission_named(submission))
    cover_all = _cover_all(game, precision, seed)
    with solving_progress() as step:
        from fourcard.odds.par_sheet.sheet import par_sheet

        sheet = par_sheet(game, cover_all, strategy, date, step)
    if output is not None:
        from fourcard.odds.par_sheet.document import render_sheet

        save_file(output, (render_sheet(sheet, FORMATS[output.suffix.lower()]),))
    if json:
        print_json(sheet)
    elif output is None:
        _print_summary(sheet)
    else:
        console().print(f"{escape_text(output)} written: {len(sheet.sections)} sections.")


def _cover_all(game: "Game", precision: float, seed: int) -> "CoverAllSection | None":
    """Estimate Cover All if it is offered, with a progress bar on a terminal."""
    if not game.offers("cover_all"):
        return None
    from fourcard.odds.par_sheet.wager_sections import cover_all_section
    from fourcard.rules.worst_case_loss import worst_loss

    with progress_bar("Simulating Cover All") as step:
        return cover_all_section(game, worst_loss(game), precision, seed, step)


def _print_summary(sheet: "ParSheet") -> None:
    """Print the head and the summary of a sheet."""
    from rich import box
    from rich.table import Table

    from fourcard.odds.par_sheet.document import sheet_facts, wager_table

    out = console()
    for name, text in sheet_facts(sheet):
        out.print(f"[dim]{name:<16}[/] {escape_text(text)}")
    grid = wager_table(sheet)
    table = Table(box=box.SIMPLE_HEAD)
    for place, title in enumerate(grid.headers):
        table.add_column(title, justify="left" if place < grid.text_columns else "right")
    for row in grid.rows:
        table.add_row(*map(escape_text, row))
    out.print(table)
    out.print(f"[dim]{escape_text(grid.note)}[/]")
    out.print("[dim]Use -o sheet.pdf, sheet.html or sheet.json to write the whole sheet.[/]")

"""Jackpot simulation: the `simulate-meter` command plays a year of the progressive."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.amounts import Cents
from fourcard.cli.output import Json, print_json
from fourcard.cli.solving import working
from fourcard.cli.submission_argument import SubmissionName

if TYPE_CHECKING:
    from fourcard.odds.meter_year.measured import Measured
    from fourcard.rules.game import Game


def simulate_meter(
    submission: SubmissionName,
    tables: Annotated[int, typer.Option(help="Tables linked to the meter.")] = 8,
    players: Annotated[int, typer.Option(help="Players at each table, 1 to 7; each makes the wager.")] = 4,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds per table and hour.")] = 50,
    hours: Annotated[int, typer.Option(help="Hours of play per day.")] = 16,
    days: Annotated[int, typer.Option(help="Days of play.")] = 365,
    stake: Annotated[str | None, Cents(help="The wager, default the smallest of the submission.")] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed, default a new one.")] = None,
    chart: Annotated[Path | None, typer.Option(help="Draw the meter: .svg, .png or .html.")] = None,
    json: Json = False,
) -> None:
    """Simulate a year of the progressive: meter, hits and wins compared with exact expectations."""
    from fourcard.cli.amounts import cents
    from fourcard.documents.charts import PICTURES
    from fourcard.documents.files import check_ending
    from fourcard.odds.meter_year.plan import Plan
    from fourcard.odds.simulation.chance import checked_seed
    from fourcard.refusals import RefusedError
    from fourcard.rules.examples import submission_named
    from fourcard.rules.game import resolve_game
    from fourcard.rules.limits import positions_refusal

    plan = Plan(tables, players, rounds_per_hour, hours, days)
    staked = None if stake is None else cents(stake)
    if chart is not None:
        check_ending(chart, PICTURES)
    chosen, game = checked_seed(seed), resolve_game(submission_named(submission))
    refusal = positions_refusal(game, (players,))
    if refusal is not None:
        raise RefusedError(refusal)
    with working("Playing the progressive") as step:
        from fourcard.odds.meter_year.course import play_course
        from fourcard.odds.meter_year.linked import linked_meter
        from fourcard.odds.meter_year.measured import Measured

        measured = Measured(play_course(linked_meter(game, staked), plan, seed=chosen, step=step))
        figures = measured.answer()  # slow: it counts pairs of hands for the standard errors
    if json:
        _print_meter_json(figures, game)
    else:
        from fourcard.cli.simulated_meter import show_meter

        show_meter(measured, game)
    if chart is not None:
        _draw_meter(measured, game, chart)


def _print_meter_json(figures: dict[str, object], game: "Game") -> None:
    from fourcard.provenance import fingerprint

    head = {
        "submission": game.submission.name,
        "rulebook": game.rulebook.id,
        "edition": game.rulebook.edition,
        "paytable": game.submission.wagers["progressive"],
    }
    print_json({**head, **figures, "game": game.hash, "fingerprint": fingerprint()})


def _draw_meter(measured: "Measured", game: "Game", path: Path) -> None:
    from fourcard.odds.meter_year.picture import save_meter_picture

    save_meter_picture(measured, f"The progressive meter of {game.submission.name}", path)

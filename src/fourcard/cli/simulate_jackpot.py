"""Jackpot simulation: the `simulate-meter` command plays a year of the progressive."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import (
    Json,
    SubmissionName,
    cents_option,
    console,
    escape_text,
    new_table,
    print_json,
    progress_bar,
)
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.odds.jackpot_sim.results import HitCount, JackpotResults
    from fourcard.rules.game import Game


def show_meter(measured: "JackpotResults", game: "Game") -> None:
    """Print a jackpot simulation for people."""
    from fourcard.fingerprints import fingerprint
    from fourcard.odds.jackpot_sim.config import count_text

    course, out = measured.run, console()
    plan, linked, speed = course.plan, course.config, course.plan.wagers / course.seconds
    out.print(f"[bold]{escape_text(game.submission.name)}[/]  [dim]{game.rulebook.name}[/]")
    out.print(
        f"{count_text(plan.wagers, 'wager')} of {dollars(linked.stake)}: {count_text(plan.tables, 'table')}, "
        f"{count_text(plan.players, 'player')} at each, {count_text(plan.rounds_per_hour, 'round')} an hour, "
        f"{count_text(plan.hours, 'hour')} a day, {count_text(plan.days, 'day')}"
    )
    terms = linked.terms
    out.print(
        f"{share_text(terms.rate)} to the meter, {share_text(terms.reserve)} to the reserve; starts at "
        f"{dollars(linked.start)}, reset to {dollars(terms.seed)}; fixed awards from the {terms.fixed_awards}"
    )
    out.print(
        f"[dim]{course.seconds:.2f} s ({speed / 1e6:.0f} million wagers a second), seed {course.seed}[/]"
    )
    out.print(hits_table(measured))
    out.print(meter_table(measured))
    out.print(_conservation(measured))
    out.print(f"[dim]{fingerprint()}[/]")


def hits_table(measured: "JackpotResults") -> "Table":
    """Return how often each row and the whole meter were hit, with the expected counts."""
    from fourcard.wagers.wager import odds_by_row

    table = new_table("hand", ">pays", ">hits", ">expected", ">standard error", ">z")
    pays = odds_by_row(measured.run.config.table)
    for row, each in measured.hits.items():
        table.add_row(row.replace("_", " "), str(pays[row]), *_count_cells(each))
    table.add_section()
    table.add_row("the whole meter", "", *_count_cells(measured.wins))
    return table


def meter_table(measured: "JackpotResults") -> "Table":
    """Return the meter's amounts, with the expected ones."""
    from fourcard.meter import UNITS_PER_CENT

    course, average = measured.run, measured.average_win
    table = new_table("", ">measured", ">expected", ">standard error", ">z", ">in the long run")
    table.add_row(
        "average whole meter won",
        _cents(average.average),
        _cents(average.expected),
        "" if average.standard_error is None else f"± {_cents(average.standard_error)}",
        _z_score(average.z),
        _cents(average.long_run),
    )
    expected, long_run = _cents(average.expected), _cents(average.long_run)
    table.add_row("average meter", _cents(course.average_meter), expected, "", "", long_run)
    table.add_section()
    for name, cents in (
        ("highest meter", course.highest // UNITS_PER_CENT),
        ("meter at the end", course.meter.whole_cents),
        ("reserve at the end", course.meter.reserve // UNITS_PER_CENT),
        ("contributions", course.contributed // UNITS_PER_CENT),
        ("total paid", course.from_meter + course.from_tray),
        ("paid from the meter", course.from_meter),
        ("paid from the tray", course.from_tray),
    ):
        table.add_row(name, dollars(cents))
    if course.shortfall:
        table.add_row("because the meter was empty (R59)", dollars(course.shortfall))
    return table


def _conservation(measured: "JackpotResults") -> str:
    """Return the conservation of money: what the meter holds and paid equals what went in."""
    course = measured.run
    held, put_in = course.held_and_paid, course.seeded + course.contributed
    sums = f"meter + reserve + paid from the meter {held:,}, seeds + contributions {put_in:,}"
    equal = "[green]equal[/]" if course.conserved else "[bold red]NOT EQUAL[/]"
    return f"{sums} ten-thousandths of a cent: {equal}"


def _count_cells(each: "HitCount") -> tuple[str, str, str, str]:
    expected, error = f"{float(each.expected):,.1f}", f"± {each.standard_error:,.1f}"
    return f"{each.count:,}", expected, error, _z_score(each.z)


def _cents(figure: float | Fraction | None) -> str:
    return "none" if figure is None else dollars(round(figure))


def _z_score(z: float | None) -> str:
    return "" if z is None else f"{z:+.2f}"


def simulate_meter(
    submission: SubmissionName,
    tables: Annotated[int, typer.Option(help="Tables linked to the meter.")] = 8,
    players: Annotated[int, typer.Option(help="Players at each table, 1 to 7; each makes the wager.")] = 4,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds per table and hour.")] = 50,
    hours: Annotated[int, typer.Option(help="Hours of play per day.")] = 16,
    days: Annotated[int, typer.Option(help="Days of play.")] = 365,
    stake: Annotated[
        str | None, cents_option(help="The wager, default the smallest of the submission.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed, default a new one.")] = None,
    chart: Annotated[Path | None, typer.Option(help="Draw the meter: .svg, .png or .html.")] = None,
    json: Json = False,
) -> None:
    """Simulate a year of the progressive: meter, hits and wins compared with exact expectations."""
    from fourcard.cli.output import parse_cents
    from fourcard.documents.charts import CHART_SUFFIXES
    from fourcard.documents.files import check_suffix
    from fourcard.odds.jackpot_sim.config import JackpotPlan
    from fourcard.odds.simulation.dealing import seed_or_random
    from fourcard.refusals import RefusedError
    from fourcard.rules.game import resolve_game
    from fourcard.rules.limits import positions_refusal
    from fourcard.rules.submission import submission_named

    plan = JackpotPlan(tables, players, rounds_per_hour, hours, days)
    staked = None if stake is None else parse_cents(stake)
    if chart is not None:
        check_suffix(chart, CHART_SUFFIXES)
    chosen, game = seed_or_random(seed), resolve_game(submission_named(submission))
    refusal = positions_refusal(game, (players,))
    if refusal is not None:
        raise RefusedError(refusal)
    with progress_bar("Playing the progressive") as step:
        from fourcard.odds.jackpot_sim.config import jackpot_config
        from fourcard.odds.jackpot_sim.results import JackpotResults
        from fourcard.odds.jackpot_sim.run import run_jackpot

        measured = JackpotResults(run_jackpot(jackpot_config(game, staked), plan, seed=chosen, step=step))
        figures = measured.answer()  # slow: it counts pairs of hands for the standard errors
    if json:
        _print_meter_json(figures, game)
    else:
        show_meter(measured, game)
    if chart is not None:
        _draw_meter(measured, game, chart)


def _print_meter_json(figures: dict[str, object], game: "Game") -> None:
    from fourcard.fingerprints import fingerprint

    head = {
        "submission": game.submission.name,
        "rulebook": game.rulebook.id,
        "edition": game.rulebook.edition,
        "paytable": game.submission.wagers["progressive"],
    }
    print_json({**head, **figures, "game": game.hash, "fingerprint": fingerprint()})


def _draw_meter(measured: "JackpotResults", game: "Game", path: Path) -> None:
    from fourcard.odds.jackpot_sim.results import save_jackpot_chart

    save_jackpot_chart(measured, f"The progressive meter of {game.submission.name}", path)

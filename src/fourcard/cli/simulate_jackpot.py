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
    struct_table,
)
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.odds.jackpot_sim.results import ConservationLaw, JackpotReport


def show_meter(found: "JackpotReport", rulebook: str) -> None:
    """Print a jackpot simulation for people."""
    from fourcard.odds.jackpot_sim.config import count_text

    out, terms, speed = console(), found.terms, found.wagers / found.seconds
    out.print(f"[bold]{escape_text(found.submission)}[/]  [dim]{rulebook}[/]")
    out.print(
        f"{count_text(found.wagers, 'wager')} of {dollars(found.stake)}: "
        f"{count_text(found.tables, 'table')}, {count_text(found.players, 'player')} at each, "
        f"{count_text(found.rounds_per_hour, 'round')} an hour, {count_text(found.hours, 'hour')} a day, "
        f"{count_text(found.days, 'day')}"
    )
    out.print(
        f"{share_text(terms.rate)} to the meter, {share_text(terms.reserve)} to the reserve; starts at "
        f"{dollars(terms.seed)}, reset to {dollars(terms.reset)}; fixed awards from the {terms.fixed_awards}"
    )
    out.print(f"[dim]{found.seconds:.2f} s ({speed / 1e6:.0f} million wagers a second), seed {found.seed}[/]")
    out.print(hits_table(found))
    out.print(meter_table(found))
    out.print(_conservation(found.law))
    out.print(f"[dim]{found.fingerprint}[/]")


def hits_table(found: "JackpotReport") -> "Table":
    """Return how often each row and the whole meter were hit, with the expected counts."""
    return struct_table(
        (*found.hits, found.wins),
        ("hand", lambda each: getattr(each, "row", "the whole meter").replace("_", " ")),
        (">pays", lambda each: getattr(each, "pays", "")),
        ("hits", "count"),
        (">expected", lambda each: f"{float(each.expected):,.1f}"),
        (">standard error", lambda each: f"± {each.standard_error:,.1f}"),
        (">z", lambda each: _z_score(each.z)),
    )


def meter_table(found: "JackpotReport") -> "Table":
    """Return the meter's amounts, with the expected ones."""
    average, meter, paid = found.average_win, found.meter, found.paid
    table = new_table("", ">measured", ">expected", ">standard error", ">z", ">in the long run")
    error = "" if average.standard_error is None else f"± {_cents(average.standard_error)}"
    expected, long_run = _cents(average.expected), _cents(average.expected_in_the_long_run)
    won = _cents(average.average)
    table.add_row("average whole meter won", won, expected, error, _z_score(average.z), long_run)
    table.add_row("average meter", _cents(meter.average), expected, "", "", long_run)
    table.add_section()
    for name, cents in (
        ("highest meter", meter.highest),
        ("meter at the end", meter.final),
        ("reserve at the end", meter.reserve),
        ("contributions", found.contributions),
        ("total paid", paid.total),
        ("paid from the meter", paid.from_meter),
        ("paid from the tray", paid.from_tray),
    ):
        table.add_row(name, dollars(cents))
    if paid.shortfall:
        table.add_row("because the meter was empty (R59)", dollars(paid.shortfall))
    return table


def _conservation(law: "ConservationLaw") -> str:
    """Return the conservation of money: what the meter holds and paid equals what went in."""
    held, put_in = law.meter + law.reserve + law.paid_from_meter, law.seeds + law.contributions
    sums = f"meter + reserve + paid from the meter {held:,}, seeds + contributions {put_in:,}"
    equal = "[green]equal[/]" if law.holds else "[bold red]NOT EQUAL[/]"
    return f"{sums} ten-thousandths of a cent: {equal}"


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
        found = measured.report(game)  # slow: it counts pairs of hands for the standard errors
    if json:
        print_json(found)
    else:
        show_meter(found, game.rulebook.name)
    if chart is not None:
        from fourcard.odds.jackpot_sim.results import save_jackpot_chart

        save_jackpot_chart(measured, f"The progressive meter of {game.submission.name}", chart)

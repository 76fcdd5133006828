"""Jackpot simulation output: the plan, and measured figures compared with expected ones."""

from fractions import Fraction
from typing import TYPE_CHECKING

from fourcard.cli.output import console, plain
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.odds.meter_year.measured import Count, Measured
    from fourcard.rules.game import Game


def show_meter(measured: "Measured", game: "Game") -> None:
    """Print a jackpot simulation for people."""
    from fourcard.odds.meter_year.plan import several
    from fourcard.provenance import fingerprint

    course, out = measured.course, console()
    plan, linked, speed = course.plan, course.linked, course.plan.wagers / course.seconds
    out.print(f"[bold]{plain(game.submission.name)}[/]  [dim]{game.rulebook.name}[/]")
    out.print(
        f"{several(plan.wagers, 'wager')} of {dollars(linked.stake)}: {several(plan.tables, 'table')}, "
        f"{several(plan.players, 'player')} at each, {several(plan.rounds_per_hour, 'round')} an hour, "
        f"{several(plan.hours, 'hour')} a day, {several(plan.days, 'day')}"
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


def hits_table(measured: "Measured") -> "Table":
    """Return how often each row and the whole meter were hit, with the expected counts."""
    from fourcard.wagers.wager import odds_by_row

    table = _figures_table("hand", "pays", "hits", "expected", "standard error", "z")
    pays = odds_by_row(measured.course.linked.table)
    for row, each in measured.hits.items():
        table.add_row(row.replace("_", " "), str(pays[row]), *_count_cells(each))
    table.add_section()
    table.add_row("the whole meter", "", *_count_cells(measured.wins))
    return table


def meter_table(measured: "Measured") -> "Table":
    """Return the meter's amounts, with the expected ones."""
    from fourcard.meter import UNITS_PER_CENT

    course, average = measured.course, measured.average_win
    table = _figures_table("", "measured", "expected", "standard error", "z", "in the long run")
    table.add_row(
        "average whole meter won",
        _cents(average.average),
        _cents(average.this_long),
        "" if average.standard_error is None else f"± {_cents(average.standard_error)}",
        _z_score(average.z),
        _cents(average.long_run),
    )
    expected, long_run = _cents(average.this_long), _cents(average.long_run)
    table.add_row("average meter", _cents(course.average_meter), expected, "", "", long_run)
    table.add_section()
    for name, cents in (
        ("highest meter", course.highest // UNITS_PER_CENT),
        ("meter at the end", course.meter.displayed),
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


def _conservation(measured: "Measured") -> str:
    """Return the conservation of money: what the meter holds and paid equals what went in."""
    course = measured.course
    held, put_in = course.held_and_paid, course.seeded + course.contributed
    sums = f"meter + reserve + paid from the meter {held:,}, seeds + contributions {put_in:,}"
    equal = "[green]equal[/]" if course.conserved else "[bold red]NOT EQUAL[/]"
    return f"{sums} ten-thousandths of a cent: {equal}"


def _figures_table(first: str, *heads: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(first, overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", overflow="fold")
    return table


def _count_cells(each: "Count") -> tuple[str, str, str, str]:
    expected, error = f"{float(each.expected):,.1f}", f"± {each.standard_error:,.1f}"
    return f"{each.count:,}", expected, error, _z_score(each.z)


def _cents(figure: float | Fraction | None) -> str:
    return "none" if figure is None else dollars(round(figure))


def _z_score(z: float | None) -> str:
    return "" if z is None else f"{z:+.2f}"

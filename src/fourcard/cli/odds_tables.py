"""Odds tables: one wager's odds as tables for people."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from fourcard.cli.output import plain
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fourcard.odds.cover_all import CoverAllEstimate
    from fourcard.odds.meter_cycle import MeterCycle
    from fourcard.odds.report import Report

IN_CENTS = ("break_even_meter",)
IN_ANTES = ("ev_per_ante", "average_wager", "bonus_value")


def format_report(report: "Report") -> "Iterator[RenderableType]":
    """Yield one wager's odds: outcomes, figures, assumptions, meter, published figures, clauses."""
    yield f"[bold]{report.label}[/]  table {plain(report.paytable)}  [dim]{report.book.name}[/]"
    yield outcomes_table(report)
    yield figures_table(report)
    yield from (f"[dim]{plain(assumption)}[/]" for assumption in report.assumptions)
    if report.cycle is not None:
        yield _cycle_heading(report.cycle)
        yield cycle_table(report.cycle)
        yield from (f"[dim]{plain(assumption)}[/]" for assumption in report.cycle.assumptions)
    for measure, printed in (report.published or {}).items():
        yield f"[dim]the sources print {measure.replace('_', ' ')} {printed.text} ({printed.clause})[/]"
    yield f"[dim]{' '.join(report.clauses)}[/]"


def comparison_table(reports: "list[Report]") -> "Table":
    """Return the main figures of several paytables of one wager."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=f"[bold]{reports[0].label}[/]", title_justify="left")
    table.add_column("rulebook", overflow="fold")
    table.add_column("table", overflow="fold")
    for head in ("house edge", "hit frequency", "standard deviation", "exact house edge"):
        table.add_column(head, justify="right", overflow="fold")
    for each in reports:
        table.add_row(
            each.book.id,
            each.paytable,
            f"{float(each.house_edge):.4%}",
            f"{float(each.hit_frequency):.4%}",
            f"{each.standard_deviation:.4f}",
            str(each.house_edge),
        )
    return table


def outcomes_table(report: "Report") -> "Table":
    """Return every outcome with its count, probability, net gain and share of the return."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    details = list(dict.fromkeys(key for each in report.outcomes for key in each.detail))
    table.add_column("hand", overflow="fold")
    for key in details:
        table.add_column(key, overflow="fold")
    for head in ("pays", "combinations", "probability", "net", "adds"):
        table.add_column(head, justify="right", overflow="fold")
    for each in report.outcomes:
        table.add_row(
            each.hand.replace("_", " "),
            *(each.detail.get(key, "") for key in details),
            each.pays or "",
            f"{each.count:,}",
            f"{float(each.probability):.6%}",
            f"{float(each.net):+,.2f}",
            f"{float(each.contribution):+.4%}",
        )
    table.caption = f"of {report.outcomes[0].of:,}"
    return table


def figures_table(report: "Report") -> "Table":
    """Return the figures computed from the outcomes, each as a number and as an exact fraction."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column("", style="bold", overflow="fold")
    table.add_column("", justify="right", overflow="fold")
    table.add_column("", style="dim", overflow="fold")
    first = {"house_edge": report.house_edge, "hit_frequency": report.hit_frequency}
    for name, figure in (*first.items(), *report.figures.items()):
        if figure is None:
            table.add_row(name.replace("_", " "), "none", "")
        elif isinstance(figure, Fraction):
            table.add_row(name.replace("_", " "), _format_figure(name, figure), str(figure))
        else:
            for part, share in figure.items():
                table.add_row(f"{name.replace('_', ' ')}: {part}", f"{float(share):.4%}", str(share))
    table.add_row("standard deviation", f"{report.standard_deviation:.4f}", f"√({report.variance})")
    return table


def _cycle_heading(cycle: "MeterCycle") -> str:
    terms = cycle.terms
    takes = f"{share_text(terms.rate)} to the meter, {share_text(terms.reserve)} to the reserve"
    return f"\n[bold]The meter in the long run[/]  {takes}, seed {dollars(terms.seed)}"


def cycle_table(cycle: "MeterCycle") -> "Table":
    """Return the long run of the meter: how often each row is hit, and the average meter when won."""
    from rich import box
    from rich.table import Table

    win = cycle.average_win
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column("", style="bold", overflow="fold")
    table.add_column("", justify="right", overflow="fold")
    table.add_column("", style="dim", overflow="fold")
    counts = {f"wagers per {row.replace('_', ' ')}": each for row, each in cycle.wagers_per_hit.items()}
    for name, figure in (*counts.items(), ("wagers between full-meter wins", cycle.wagers_between_wins)):
        table.add_row(name, *(("none", "") if figure is None else (f"{float(figure):,.2f}", str(figure))))
    table.add_row(
        "average full-meter win", *(("none", "") if win is None else (dollars(round(win)), f"{win} cents"))
    )
    return table


def _format_figure(name: str, figure: Fraction) -> str:
    if name in IN_CENTS:
        return dollars(round(figure))
    if name in IN_ANTES:
        return f"{float(figure):.6f}"
    return f"{float(figure):.4%}"


def estimate_table(estimate: "CoverAllEstimate") -> "Table":
    """Return how often each row was the highest hand at the table."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("highest hand", overflow="fold")
    for head in ("pays", "rounds", "share"):
        table.add_column(head, justify="right", overflow="fold")
    for each in estimate.distribution.outcomes:
        share = f"{float(each.probability):.4%}"
        table.add_row(each.hand.replace("_", " "), each.pays or "", f"{each.count:,}", share)
    return table

"""Simulation output: progress while it runs, then a table or one JSON object."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fourcard.cli.output import console, plain
from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.odds.simulation.results import Totals
    from fourcard.odds.simulation.running import Simulation
    from fourcard.odds.simulation.seating import Seating
    from fourcard.odds.simulation.sessions import Sessions

REFRESH_SECONDS = 0.1
"""Seconds between two updates of the progress bar."""
GROUP_LABELS: dict[str, str] = {
    "ante": "Ante, Play and bonus",
    "progressive_and_envy": "Progressive and Envy",
    "all": "all wagers",
}


@contextmanager
def simulation_progress(
    seating: "Seating", rounds: int | None, of: str | None
) -> "Iterator[Callable[[Totals], None] | None]":
    """Show rounds, estimate and standard error on a terminal while the simulation runs."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from fourcard.odds.simulation.results import estimates

    wager = of or next(iter(seating.stakes))
    columns = (TextColumn("{task.fields[text]}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=rounds, text="preparing")
        shown = 0.0

        def update(totals: "Totals") -> None:
            nonlocal shown
            if time.monotonic() - shown < REFRESH_SECONDS:
                return
            shown = time.monotonic()
            estimate = estimates(seating, totals)[wager]
            figures = f"{estimate.edge:.4%} ± {estimate.standard_error or 0:.4%}"
            text = f"{totals.rounds:,} rounds, {wager} edge {figures}"
            bar.update(task, completed=totals.rounds, text=text)

        yield update


def simulation_json(
    simulation: "Simulation", strategy: str, sessions: "Sessions | None", *, interrupted: bool
) -> dict[str, Any]:
    """Return a simulation as a JSON object."""
    from fourcard.odds.simulation.export import options_of
    from fourcard.odds.simulation.results import base_figures, estimates
    from fourcard.provenance import fingerprint

    seating, totals = simulation.seating, simulation.totals
    wagers = {name: each.answer() for name, each in estimates(seating, totals).items()}
    base = base_figures(seating, totals)
    if base is not None:
        wagers["ante"] |= base.answer()
    book = seating.game.rulebook
    answer: dict[str, Any] = {
        "rulebook": book.id,
        "edition": book.edition,
        "strategy": strategy,
        "players": seating.players,
        "rounds": totals.rounds,
        "seconds": simulation.seconds,
        "seed": simulation.seed,
        "threads": simulation.threads,
        "interrupted": interrupted,
        "wagers": wagers,
        "stakes": dict(seating.stakes),
        "options": options_of(seating.game),
        "settings": dict(seating.game.settings),
    }
    if "progressive" in seating.stakes:
        answer |= {"meter": seating.meter_shown, "reset": seating.reset_shown}
    if sessions is not None:
        answer["bankroll"] = sessions.answer()
    return {**answer, "game": seating.game.hash, "fingerprint": fingerprint()}


def show_simulation(simulation: "Simulation", strategy: str, sessions: "Sessions | None") -> None:
    """Print a simulation for people."""
    from rich import box
    from rich.table import Table

    from fourcard.odds.simulation.results import base_figures, estimates
    from fourcard.provenance import fingerprint
    from fourcard.rules.nodes import WAGER_LABELS

    labels: dict[str, str] = {**dict(WAGER_LABELS.items()), **GROUP_LABELS}
    seating, totals, out = simulation.seating, simulation.totals, console()
    book, positions = seating.game.rulebook, f"{seating.players} position{'s' if seating.players > 1 else ''}"
    speed = totals.rounds / simulation.seconds if simulation.seconds else 0.0
    out.print(f"[bold]{plain(book.name)}[/], {book.edition} edition, {positions}, {plain(strategy)} strategy")
    out.print(
        f"[dim]{totals.rounds:,} rounds in {simulation.seconds:.2f} s ({speed / 1e6:.1f} million a second, "
        f"{simulation.threads} threads), seed {simulation.seed}[/]"
    )
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("wager", overflow="fold")
    for head in ("stake", "house edge", "standard error", "standard deviation", "net"):
        table.add_column(head, justify="right", overflow="fold")
    for name, each in estimates(seating, totals).items():
        stake = each.staked // (totals.rounds * seating.players)
        error, spread = (
            "?" if figure is None else f"{figure:{form}}"
            for figure, form in ((each.standard_error, ".4%"), (each.standard_deviation, ".3f"))
        )
        table.add_row(
            labels[name], dollars(stake), f"{each.edge:.4%}", f"± {error}", spread, dollars(each.net)
        )
    out.print(table)
    base = base_figures(seating, totals)
    if base is not None:
        taken = ", ".join(f"{name} {share:.2%}" for name, share in base.decisions.items() if share)
        risk = f"Element of risk {base.element_of_risk:.4%}"
        out.print(f"{risk}; average wager {base.average_wager:.4f} Antes. Decisions: {taken}.")
    if "progressive" in seating.stakes:
        out.print(f"The meter shows {dollars(seating.meter_shown)} before every round.")
    if sessions is not None:
        _show_sessions(sessions)
    out.print(f"[dim]{fingerprint()}[/]")


def _show_sessions(sessions: "Sessions") -> None:
    from fourcard.odds.simulation.fan import fan_lines

    out, plan = console(), sessions.plan
    out.print(
        f"\n[bold]{plan.sessions:,} sessions[/] of {plan.length:,} rounds with {dollars(plan.bankroll)}"
    )
    for line in fan_lines(sessions):
        out.print(line, markup=False)
    out.print("[dim]░ 5% to 95%, ▒ 25% to 75% of sessions, █ the median[/]")
    ruin = f"{sessions.risk_of_ruin:.3%} ± {sessions.risk_error:.3%}"
    out.print(
        f"Risk of ruin {ruin}: less than {dollars(sessions.needed)} was left, the most that one round "
        f"can cost. {sessions.ahead:.1%} ended ahead."
    )

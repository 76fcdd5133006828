"""What `fourcard simulate` shows: progress while it runs, then a table, or one JSON object."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fourcard.cli.output import console, plain
from fourcard.money import dollars
from fourcard.rules.nodes import WAGER_LABELS

if TYPE_CHECKING:
    from fourcard.odds.simulation.results import Totals
    from fourcard.odds.simulation.running import Simulation
    from fourcard.odds.simulation.seating import Seating
    from fourcard.odds.simulation.sessions import Sessions

EVERY = 0.1
"""Seconds between two movements of the progress bar."""
TITLES: dict[str, str] = {
    **dict(WAGER_LABELS.items()),
    "ante": "Ante, Play and bonus",
    "progressive_and_envy": "Progressive and Envy",
    "all": "everything staked",
}


@contextmanager
def simulation_progress(
    seating: "Seating", rounds: int | None, of: str | None
) -> "Iterator[Callable[[Totals], None] | None]":
    """Show rounds, estimate and error on a terminal while they come in."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from fourcard.odds.simulation.results import estimates

    wager = of or next(iter(seating.stakes))
    columns = (TextColumn("{task.fields[told]}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=rounds, told="getting ready")
        shown = 0.0

        def moved(totals: "Totals") -> None:
            nonlocal shown
            if time.monotonic() - shown < EVERY:
                return
            shown = time.monotonic()
            found = estimates(seating, totals)[wager]
            told = (
                f"{totals.rounds:,} rounds, {wager} edge {found.edge:.4%} ± {found.standard_error or 0:.4%}"
            )
            bar.update(task, completed=totals.rounds, told=told)

        yield moved


def answer(found: "Simulation", strategy: str, sessions: "Sessions | None") -> dict[str, Any]:
    """Return a simulation as scripts read it."""
    from fourcard.odds.simulation.export import options_of
    from fourcard.odds.simulation.results import base_figures, estimates
    from fourcard.provenance import fingerprint

    seating, totals = found.seating, found.totals
    wagers = {name: each.answer() for name, each in estimates(seating, totals).items()}
    base = base_figures(seating, totals)
    if base is not None:
        wagers["ante"] |= base.answer()
    book = seating.game.rulebook
    told: dict[str, Any] = {
        "rulebook": book.id,
        "edition": book.edition,
        "strategy": strategy,
        "players": seating.players,
        "rounds": totals.rounds,
        "seconds": found.seconds,
        "seed": found.seed,
        "threads": found.threads,
        "interrupted": found.interrupted,
        "wagers": wagers,
        "stakes": dict(seating.stakes),
        "options": options_of(seating.game),
        "settings": dict(seating.game.settings),
    }
    if "progressive" in seating.stakes:
        told |= {"meter": seating.meter_shown, "reset": seating.reset_shown}
    if sessions is not None:
        told["bankroll"] = sessions.answer()
    return {**told, "game": seating.game.hash, "fingerprint": fingerprint()}


def show(found: "Simulation", strategy: str, sessions: "Sessions | None") -> None:
    """Print a simulation for people."""
    from rich import box
    from rich.table import Table

    from fourcard.odds.simulation.results import base_figures, estimates
    from fourcard.provenance import fingerprint

    seating, totals, out = found.seating, found.totals, console()
    book, positions = seating.game.rulebook, f"{seating.players} position{'s' if seating.players > 1 else ''}"
    speed = totals.rounds / found.seconds if found.seconds else 0.0
    out.print(f"[bold]{plain(book.name)}[/], {book.edition} edition, {positions}, {plain(strategy)} strategy")
    out.print(
        f"[dim]{totals.rounds:,} rounds in {found.seconds:.2f} s ({speed / 1e6:.1f} million a second, "
        f"{found.threads} threads), seed {found.seed}[/]"
    )
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("wager", overflow="fold")
    for head in ("stake", "house edge", "standard error", "spread of a round", "net"):
        table.add_column(head, justify="right", overflow="fold")
    for name, each in estimates(seating, totals).items():
        stake = each.staked // (totals.rounds * seating.players)
        error, spread = (
            "?" if figure is None else f"{figure:{form}}"
            for figure, form in ((each.standard_error, ".4%"), (each.standard_deviation, ".3f"))
        )
        table.add_row(
            TITLES[name], dollars(stake), f"{each.edge:.4%}", f"± {error}", spread, dollars(each.net)
        )
    out.print(table)
    base = base_figures(seating, totals)
    if base is not None:
        taken = ", ".join(f"{name} {share:.2%}" for name, share in base.decisions.items() if share)
        risk = f"{base.element_of_risk:.4%} of the {base.average_wager:.4f} Antes that a round takes"
        out.print(f"The house keeps {risk}. Decisions: {taken}.")
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
    out.print("[dim]░ 5% to 95%, ▒ 25% to 75% of sessions, █ the middle one[/]")
    ruin = f"{sessions.risk_of_ruin:.3%} ± {sessions.risk_error:.3%}"
    out.print(
        f"Risk of ruin {ruin}: less than {dollars(sessions.needed)}, which a whole round may take, was left. "
        f"{sessions.ahead:.1%} ended ahead."
    )

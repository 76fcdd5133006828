"""Simulation: the `simulate` command plays full rounds and estimates edges and bankrolls."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec import UNSET

from fourcard.cli.output import (
    SUBMISSION,
    Json,
    cents_option,
    console,
    escape_text,
    new_table,
    print_json,
    progress_bar,
    solving_progress,
)
from fourcard.money import dollars
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.odds.simulation.bankrolls import BankrollSessions
    from fourcard.odds.simulation.report import SimulationReport
    from fourcard.odds.simulation.runner import PrecisionGoal, SimulationTotals
    from fourcard.odds.simulation.strategy_kernel import Decisions
    from fourcard.odds.simulation.table_setup import TableSetup
    from fourcard.rules.clauses import SettingValue

REFRESH_SECONDS = 0.1
"""Seconds between two updates of the progress bar."""
GROUP_LABELS: dict[str, str] = {
    "ante": "Ante, Play and bonus",
    "progressive_and_envy": "Progressive and Envy",
    "all": "all wagers",
}


@contextmanager
def simulation_progress(
    seating: "TableSetup", rounds: int | None, of: str | None
) -> "Iterator[Callable[[SimulationTotals], None] | None]":
    """Show rounds, estimate and standard error on a terminal while the simulation runs."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from fourcard.odds.simulation.runner import estimates

    wager = of or next(iter(seating.stakes))
    columns = (TextColumn("{task.fields[text]}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulating", total=rounds, text="preparing")
        shown = 0.0

        def update(totals: "SimulationTotals") -> None:
            nonlocal shown
            if time.monotonic() - shown < REFRESH_SECONDS:
                return
            shown = time.monotonic()
            estimate = estimates(seating, totals)[wager]
            figures = f"{estimate.edge:.4%} ± {estimate.standard_error or 0:.4%}"
            text = f"{totals.rounds:,} rounds, {wager} edge {figures}"
            bar.update(task, completed=totals.rounds, text=text)

        yield update


def show_simulation(report: "SimulationReport", sessions: "BankrollSessions | None") -> None:
    """Print a simulation for people."""
    from fourcard.odds.simulation.runner import BaseEstimate
    from fourcard.rules.loading import rulebook
    from fourcard.wagers import WAGER_LABELS

    labels: dict[str, str] = {**dict(WAGER_LABELS.items()), **GROUP_LABELS}
    out, book = console(), rulebook(report.rulebook, report.edition)
    positions = f"{report.players} position{'s' if report.players > 1 else ''}"
    speed = report.rounds / report.seconds if report.seconds else 0.0
    out.print(
        f"[bold]{escape_text(book.name)}[/], {report.edition} edition, {positions}, "
        f"{escape_text(report.strategy)} strategy"
    )
    out.print(
        f"[dim]{report.rounds:,} rounds in {report.seconds:.2f} s ({speed / 1e6:.1f} million a second, "
        f"{report.threads} threads), seed {report.seed}[/]"
    )
    table = new_table("wager", ">stake", ">house edge", ">standard error", ">standard deviation", ">net")
    for name, each in report.wagers.items():
        stake = each.staked // (report.rounds * report.players)
        error, spread = (
            "?" if figure is None else f"{figure:{form}}"
            for figure, form in ((each.standard_error, ".4%"), (each.standard_deviation, ".3f"))
        )
        table.add_row(
            labels[name], dollars(stake), f"{each.edge:.4%}", f"± {error}", spread, dollars(each.net)
        )
    out.print(table)
    base = report.wagers.get("ante")
    if isinstance(base, BaseEstimate):
        taken = ", ".join(f"{name} {share:.2%}" for name, share in base.decisions.items() if share)
        risk = f"Element of risk {base.element_of_risk:.4%}"
        out.print(f"{risk}; average wager {base.average_wager:.4f} Antes. Decisions: {taken}.")
    if report.not_simulated:
        out.print(f"Not simulated: {', '.join(labels[name] for name in report.not_simulated)}.")
    if report.meter is not UNSET:
        out.print(f"The meter shows {dollars(report.meter)} before every round.")
    if sessions is not None:
        _show_sessions(sessions)
    out.print(f"[dim]{report.fingerprint}[/]")


def _show_sessions(sessions: "BankrollSessions") -> None:
    from fourcard.odds.simulation.bankrolls import bankroll_chart_lines

    out, plan = console(), sessions.plan
    out.print(
        f"\n[bold]{plan.sessions:,} sessions[/] of {plan.length:,} rounds with {dollars(plan.bankroll)}"
    )
    for line in bankroll_chart_lines(sessions):
        out.print(line, markup=False)
    out.print("[dim]░ 5% to 95%, ▒ 25% to 75% of sessions, █ the median[/]")
    ruin = f"{sessions.risk_of_ruin:.3%} ± {sessions.risk_error:.3%}"
    out.print(
        f"Risk of ruin {ruin}: less than {dollars(sessions.needed)} was left, the most that one round "
        f"can cost. {sessions.ahead:.1%} ended ahead."
    )


INTERRUPTED = 130
MAX_NUMBER_LENGTH = 18
ROUNDS = 10_000_000
SESSION = 1_000
SESSIONS = 10_000
Text = str | None
Source = Literal["tray", "meter"]
Wagers = Annotated[
    list[str] | None,
    typer.Option("--wager", metavar="NAME=TABLE:STAKE", help="A side wager, or 'none'; repeat for more."),
]
Settings = Annotated[
    list[str] | None, typer.Option("--setting", metavar="NAME=VALUE", help="A setting of rulings.toml.")
]


def simulate(
    rounds: Annotated[int | None, typer.Option(help="Number of rounds, default ten million.")] = None,
    players: Annotated[int, typer.Option(help="Number of positions in play, 1 to 7.")] = 1,
    rulebook: Annotated[Text, typer.Option(help="The rulebook, default maryland.")] = None,
    edition: Annotated[Text, typer.Option(help="An edition of the rulebook.")] = None,
    submission: Annotated[Text, typer.Option(metavar="SUBMISSION", help=SUBMISSION)] = None,
    strategy: Annotated[str, typer.Option(help="A strategy's name or TOML file.")] = "optimal",
    seed: Annotated[int | None, typer.Option(help="Random seed, default a new one.")] = None,
    threads: Annotated[int | None, typer.Option(help="Number of threads, default all cores.")] = None,
    ante: Annotated[Text, cents_option(help="The Ante; 0 for none.")] = None,
    wager: Wagers = None,
    setting: Settings = None,
    fixed_awards: Annotated[Source, typer.Option(help="Who pays fixed progressive awards.")] = "tray",
    meter: Annotated[Text, cents_option(help="The meter before every round, default its minimum.")] = None,
    reset: Annotated[Text, cents_option(help="The meter after a win of all of it.")] = None,
    precision: Annotated[float | None, typer.Option(help="Stop at this standard error.")] = None,
    of: Annotated[Text, typer.Option(help="The wager whose standard error --precision limits.")] = None,
    bankroll: Annotated[Text, cents_option(help="Follow a bankroll through sessions.")] = None,
    session: Annotated[int, typer.Option(help="Rounds per session.")] = SESSION,
    sessions: Annotated[int, typer.Option(help="Number of sessions.")] = SESSIONS,
    chart: Annotated[Path | None, typer.Option(help="Draw the bankrolls: .svg, .png or .html.")] = None,
    deals: Annotated[Path | None, typer.Option(help="Write the rounds for `fourcard settle`.")] = None,
    json: Json = False,
) -> None:
    """Simulate full rounds: each wager's edge with its standard error, and bankrolls."""
    from fourcard.cli.output import parse_cents
    from fourcard.odds.simulation.bankrolls import BankrollPlan, required_bankroll, simulate_sessions
    from fourcard.odds.simulation.dealing import seed_or_random

    plan = None if bankroll is None else BankrollPlan(parse_cents(bankroll), session, sessions)
    _check_files(deals, rounds, chart, bankrolls=plan is not None)
    seat = _set_up_table(
        submission, rulebook, edition, players, wager or [], setting or [], fixed_awards,
        *(None if amount is None else parse_cents(amount) for amount in (ante, meter, reset)),
    )  # fmt: skip
    goal = _precision_goal(seat, precision, of)
    chosen = seed_or_random(seed)
    most = rounds if rounds is not None else ROUNDS if goal is None else None
    decisions = _strategy_decisions(strategy, seat)
    if plan is not None:
        required_bankroll(seat, decisions, plan)
    from fourcard.odds.simulation.report import simulation_report
    from fourcard.odds.simulation.runner import MAX_ROUNDS
    from fourcard.odds.simulation.runner import simulate as run

    with simulation_progress(seat, most, of) as progress:
        simulation = run(
            seat, decisions, MAX_ROUNDS if most is None else most, seed=chosen, threads=threads, goal=goal,
            progress=progress,
        )  # fmt: skip
    played, stopped = None, simulation.interrupted
    if plan is not None and not stopped:
        try:
            with progress_bar("Playing sessions") as step:
                played = simulate_sessions(seat, decisions, plan, seed=chosen, threads=threads, step=step)
        except KeyboardInterrupt:
            stopped = True
    if simulation.totals.rounds == 0:
        print("fourcard: stopped before any rounds were played.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if deals is not None and not stopped:
        _write_deals(deals, seat, decisions, simulation.totals.rounds, chosen)
    report = simulation_report(simulation, strategy, played, interrupted=stopped)
    if json:
        print_json(report)
    else:
        show_simulation(report, played)
    if chart is not None and played is not None:
        from fourcard.odds.simulation.bankrolls import save_bankroll_chart

        save_bankroll_chart(played, f"{seat.game.rulebook.name}, {strategy} strategy", chart)
    if stopped:
        print(f"fourcard: stopped after {simulation.totals.rounds:,} rounds.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _check_files(deals: Path | None, rounds: int | None, chart: Path | None, *, bankrolls: bool) -> None:
    """Refuse output files that could not be written, before any round is played."""
    from fourcard.documents.charts import CHART_SUFFIXES
    from fourcard.documents.files import check_folder, check_suffix
    from fourcard.odds.simulation.runner import check_export_size

    if deals is not None:
        check_folder(deals)
        check_export_size(rounds or 0)
    if chart is not None:
        if not bankrolls:
            raise BadInputError("A chart shows bankrolls; give one with --bankroll.")
        check_suffix(chart, CHART_SUFFIXES)


def _set_up_table(
    named: str | None,
    rulebook: str | None,
    edition: str | None,
    players: int,
    wagers: list[str],
    settings: list[str],
    fixed_awards: Source,
    ante: int | None,
    meter: int | None,
    reset: int | None,
) -> "TableSetup":
    """Return the table and stakes that the options describe."""
    from fourcard.cli.output import parse_cents
    from fourcard.odds.simulation import table_setup
    from fourcard.rules import loading
    from fourcard.rules.submission import submission_named

    if named is None:
        chosen_rulebook = loading.rulebook(rulebook or "maryland", edition)
        choices = table_setup.select_wagers(wagers, table_setup.offered_side_wagers(chosen_rulebook, players))
        game = table_setup.game_for_selection(
            chosen_rulebook, choices, dict(map(_parse_setting, settings)), fixed_awards
        )
    else:
        if rulebook is not None or edition is not None or settings:
            raise BadInputError(
                "A submission has its own rulebook, edition and settings; leave out "
                "--rulebook, --edition and --setting."
            )
        submitted = submission_named(named)
        choices = table_setup.select_wagers(wagers, table_setup.side_wagers_of_submission(submitted, players))
        game = table_setup.game_of_submission(submitted, choices)
    stakes = {each.name: None if each.stake is None else parse_cents(each.stake) for each in choices.values()}
    return table_setup.table_setup_for(game, stakes, players, ante, meter, reset)


def _parse_setting(text: str) -> "tuple[str, SettingValue]":
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInputError(f"'{text}' is not a setting; write NAME=VALUE.")
    truth: dict[str, bool] = {"true": True, "false": False}
    number = value.isdecimal() and len(value) < MAX_NUMBER_LENGTH
    return name, truth.get(value, int(value) if number else value)


def _precision_goal(seat: "TableSetup", precision: float | None, of: str | None) -> "PrecisionGoal | None":
    if precision is None:
        if of is not None:
            raise BadInputError("--of names the wager that --precision is about; give --precision too.")
        return None
    from fourcard.odds.simulation.runner import PrecisionGoal

    return PrecisionGoal(of or next(iter(seat.stakes)), precision)


def _strategy_decisions(strategy: str, seat: "TableSetup") -> "Decisions":
    from fourcard.odds.strategies import decisions

    with solving_progress() as step:
        return decisions(strategy, seat.game, step)


def _write_deals(file: Path, seat: "TableSetup", decisions: "Decisions", rounds: int, seed: int) -> None:
    """Write the rounds that were played, with a progress bar on a terminal."""
    from fourcard.documents.files import save_file
    from fourcard.odds.simulation.runner import export_rounds

    with progress_bar("Writing rounds") as step:

        def lines() -> Iterator[bytes]:
            for line in export_rounds(seat, decisions, rounds, seed):
                yield line
                step(1 / rounds)

        save_file(file, lines())

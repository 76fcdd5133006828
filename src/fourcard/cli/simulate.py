"""Simulation: the `simulate` command plays full rounds and estimates edges and bankrolls."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import Cents
from fourcard.cli.output import Json, print_json
from fourcard.cli.solving import solving, working
from fourcard.cli.submission_argument import SUBMISSION
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.odds.simulation.deciding import Decisions
    from fourcard.odds.simulation.running import Goal
    from fourcard.odds.simulation.seating import Seating
    from fourcard.rules.rulings import SettingValue

INTERRUPTED = 130
LONGEST_NUMBER = 18
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
    ante: Annotated[Text, Cents(help="The Ante; 0 for none.")] = None,
    wager: Wagers = None,
    setting: Settings = None,
    fixed_awards: Annotated[Source, typer.Option(help="Who pays fixed progressive awards.")] = "tray",
    meter: Annotated[Text, Cents(help="The meter before every round, default its minimum.")] = None,
    reset: Annotated[Text, Cents(help="The meter after a win of all of it.")] = None,
    precision: Annotated[float | None, typer.Option(help="Stop at this standard error.")] = None,
    of: Annotated[Text, typer.Option(help="The wager whose standard error --precision limits.")] = None,
    bankroll: Annotated[Text, Cents(help="Follow a bankroll through sessions.")] = None,
    session: Annotated[int, typer.Option(help="Rounds per session.")] = SESSION,
    sessions: Annotated[int, typer.Option(help="Number of sessions.")] = SESSIONS,
    chart: Annotated[Path | None, typer.Option(help="Draw the bankrolls: .svg, .png or .html.")] = None,
    deals: Annotated[Path | None, typer.Option(help="Write the rounds for `fourcard settle`.")] = None,
    json: Json = False,
) -> None:
    """Simulate full rounds: each wager's edge with its standard error, and bankrolls."""
    from fourcard.cli.amounts import cents
    from fourcard.cli.simulated import show_simulation, simulation_json, simulation_progress
    from fourcard.odds.simulation.chance import checked_seed
    from fourcard.odds.simulation.sessions import Plan, covered, play_sessions

    plan = None if bankroll is None else Plan(cents(bankroll), session, sessions)
    _check_files(deals, rounds, chart, bankrolls=plan is not None)
    seat = _set_up_table(
        submission, rulebook, edition, players, wager or [], setting or [], fixed_awards,
        *(None if amount is None else cents(amount) for amount in (ante, meter, reset)),
    )  # fmt: skip
    goal = _precision_goal(seat, precision, of)
    chosen = checked_seed(seed)
    most = rounds if rounds is not None else ROUNDS if goal is None else None
    decisions = _strategy_decisions(strategy, seat)
    if plan is not None:
        covered(seat, decisions, plan)
    from fourcard.odds.simulation.running import MOST_ROUNDS
    from fourcard.odds.simulation.running import simulate as run

    with simulation_progress(seat, most, of) as progress:
        simulation = run(
            seat, decisions, MOST_ROUNDS if most is None else most, seed=chosen, threads=threads, goal=goal,
            progress=progress,
        )  # fmt: skip
    played, stopped = None, simulation.interrupted
    if plan is not None and not stopped:
        try:
            with working("Playing sessions") as step:
                played = play_sessions(seat, decisions, plan, seed=chosen, threads=threads, step=step)
        except KeyboardInterrupt:
            stopped = True
    if simulation.totals.rounds == 0:
        print("fourcard: stopped before any rounds were played.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if deals is not None and not stopped:
        _write_deals(deals, seat, decisions, simulation.totals.rounds, chosen)
    if json:
        print_json(simulation_json(simulation, strategy, played, interrupted=stopped))
    else:
        show_simulation(simulation, strategy, played)
    if chart is not None and played is not None:
        from fourcard.odds.simulation.fan import save_chart

        save_chart(played, f"{seat.game.rulebook.name}, {strategy} strategy", chart)
    if stopped:
        print(f"fourcard: stopped after {simulation.totals.rounds:,} rounds.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _check_files(deals: Path | None, rounds: int | None, chart: Path | None, *, bankrolls: bool) -> None:
    """Refuse output files that could not be written, before any round is played."""
    from fourcard.documents.charts import PICTURES
    from fourcard.documents.files import check_ending, check_folder
    from fourcard.odds.simulation.export import check_lines

    if deals is not None:
        check_folder(deals)
        check_lines(rounds or 0)
    if chart is not None:
        if not bankrolls:
            raise BadInputError("A chart shows bankrolls; give one with --bankroll.")
        check_ending(chart, PICTURES)


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
) -> "Seating":
    """Return the table and stakes that the options describe."""
    from fourcard.cli.amounts import cents
    from fourcard.odds.simulation import choosing
    from fourcard.rules import loading
    from fourcard.rules.examples import submission_named

    if named is None:
        book = loading.rulebook(rulebook or "maryland", edition)
        choices = choosing.chosen_wagers(wagers, choosing.offered_by(book, players))
        game = choosing.game_chosen(book, choices, dict(map(_parse_setting, settings)), fixed_awards)
    else:
        if rulebook is not None or edition is not None or settings:
            raise BadInputError(
                "A submission has its own rulebook, edition and settings; leave out "
                "--rulebook, --edition and --setting."
            )
        submitted = submission_named(named)
        choices = choosing.chosen_wagers(wagers, choosing.submitted_wagers(submitted, players))
        game = choosing.submitted_game(submitted, choices)
    stakes = {each.name: None if each.stake is None else cents(each.stake) for each in choices.values()}
    return choosing.seating_chosen(game, stakes, players, ante, meter, reset)


def _parse_setting(text: str) -> "tuple[str, SettingValue]":
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInputError(f"'{text}' is not a setting; write NAME=VALUE.")
    truth: dict[str, bool] = {"true": True, "false": False}
    number = value.isdecimal() and len(value) < LONGEST_NUMBER
    return name, truth.get(value, int(value) if number else value)


def _precision_goal(seat: "Seating", precision: float | None, of: str | None) -> "Goal | None":
    if precision is None:
        if of is not None:
            raise BadInputError("--of names the wager that --precision is about; give --precision too.")
        return None
    from fourcard.odds.simulation.running import Goal

    return Goal(of or next(iter(seat.stakes)), precision)


def _strategy_decisions(strategy: str, seat: "Seating") -> "Decisions":
    from fourcard.odds.strategies import decisions

    with solving() as step:
        return decisions(strategy, seat.game, step)


def _write_deals(file: Path, seat: "Seating", decisions: "Decisions", rounds: int, seed: int) -> None:
    """Write the rounds that were played, with a progress bar on a terminal."""
    from fourcard.documents.files import save
    from fourcard.odds.simulation.export import rounds_as_lines

    with working("Writing rounds") as step:

        def lines() -> Iterator[bytes]:
            for line in rounds_as_lines(seat, decisions, rounds, seed):
                yield line
                step(1 / rounds)

        save(file, lines())

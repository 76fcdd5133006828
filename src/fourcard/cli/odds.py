"""Wager odds: the `odds` command computes a wager's exact house edge and outcome counts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import Cents
from fourcard.cli.odds_tables import comparison_table, estimate_table, format_report
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.solving import solving, working
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.odds.cover_all import CoverAllEstimate
    from fourcard.odds.meter_cycle import MeterTerms
    from fourcard.odds.report import Report
    from fourcard.rules.rulebook import AwardSource, Rulebook

Wager = Literal["ante", "aces_up", "bad_beat", "six_card", "progressive", "envy", "cover_all"]
Text = str | None
Source = Literal["tray", "meter"]
SOLVED = ("ante", "bad_beat")
"""The wagers whose odds need the whole game to be solved."""
SEED = "cover_all: the simulation's seed, default 1. progressive: a new meter's cents, or '$5,000'."
LONGEST_NUMBER = 20
MOST_PLAYERS = 6
"""The largest number of players with a printed Cover All column (R46)."""


def odds(
    wager: Annotated[Wager, typer.Argument(help="The wager.")],
    rulebook: Annotated[Text, typer.Option(help="The rulebook, where several print such a table.")] = None,
    paytable: Annotated[Text, typer.Option(help="A printed table's id, or a TOML file.")] = None,
    bonus: Annotated[Text, typer.Option(help="ante: the Automatic Bonus table, a file, or 'none'.")] = None,
    strategy: Annotated[Text, typer.Option(help="ante: a strategy's name or TOML file.")] = None,
    stake: Annotated[Text, Cents(help="six_card, progressive, envy: the stake, default $1.")] = None,
    meter: Annotated[Text, Cents(help="progressive: the meter, default its minimum.")] = None,
    others: Annotated[
        int | None, typer.Option(help="progressive, envy: the number of other players.")
    ] = None,
    envy: Annotated[Text, typer.Option(help="progressive: the Envy schedule, default the table's.")] = None,
    tie_wins: Annotated[bool | None, typer.Option("--tie-wins", help="bad_beat: a tie pays (R40).")] = None,
    players: Annotated[int | None, typer.Option(help="cover_all: positions dealt in, default 6.")] = None,
    precision: Annotated[float | None, typer.Option(help="cover_all: standard error, default 0.001.")] = None,
    seed: Annotated[Text, typer.Option(help=SEED)] = None,
    rate: Annotated[
        Text, typer.Option(help="progressive: the share of a stake that goes to the meter.")
    ] = None,
    reserve: Annotated[
        Text, typer.Option(help="progressive: the share that goes to the reserve, default 0%.")
    ] = None,
    fixed_awards: Annotated[
        Source | None, typer.Option(help="progressive: who pays fixed awards, default the tray.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every printed table of the wager.")] = False,
    json: Json = False,
) -> None:
    """Compute a wager exactly: house edge, hit frequency, standard deviation, and counted outcomes."""
    options: dict[str, object] = {
        "bonus": bonus,
        "strategy": strategy,
        "stake": stake,
        "meter": meter,
        "others": others,
        "envy": envy,
        "tie_wins": tie_wins or None,
        "players": players,
        "precision": precision,
        "seed": seed,
        "rate": rate,
        "reserve": reserve,
        "fixed_awards": fixed_awards,
    }
    _check_options(wager, options, paytable)
    from fourcard.cli.amounts import cents
    from fourcard.rules import loading

    book = loading.rulebook(rulebook) if rulebook is not None else None
    if wager == "cover_all":
        numbers = range(1, MOST_PLAYERS + 1) if every else (MOST_PLAYERS if players is None else players,)
        wanted, first = 0.001 if precision is None else precision, 1 if seed is None else _number(seed)
        _cover_all((paytable, book), numbers, wanted, first, json=json)
        return
    staked, shown = cents("100" if stake is None else stake), None if meter is None else cents(meter)
    terms = _terms(rate, seed, reserve, fixed_awards)
    with solving() if wager in SOLVED else working("Counting") as step:
        from fourcard.odds.question import Question, for_every_table, odds_of

        table, how = paytable if bonus is None else bonus, "optimal" if strategy is None else strategy
        query = Question(wager, book, table, how, staked, shown, others, envy, bool(tie_wins), terms)
        reports = [odds_of(each, step) for each in (for_every_table(query) if every else (query,))]
    if json:
        _print_odds_json(reports)
    else:
        _print_odds(reports, single=not every)


def _check_options(wager: Wager, options: dict[str, object], paytable: Text) -> None:
    """Refuse an option that the wager's odds do not use."""
    from fourcard.odds.question import USED_BY, unused_option

    name = unused_option(wager, options)
    if name is not None:
        belongs = ", ".join(USED_BY[name])
        option = name.replace("_", "-")
        raise BadInputError(f"--{option} does not apply to {wager}; it applies to {belongs}.")
    if options["bonus"] is not None and paytable is not None:
        raise BadInputError("--bonus and --paytable both name the Automatic Bonus table; give one of them.")


def _terms(rate: Text, seed: Text, reserve: Text, fixed_awards: "AwardSource | None") -> "MeterTerms | None":
    """Return the meter's terms, or None if no option names one."""
    if rate is None and seed is None and reserve is None and fixed_awards is None:
        return None
    if rate is None or seed is None:
        raise BadInputError("The meter's long run needs both --rate and --seed; give both.")
    from fourcard.cli.amounts import cents
    from fourcard.odds.meter_cycle import MeterTerms
    from fourcard.odds.shares import share

    reserved = share("0%" if reserve is None else reserve)
    return MeterTerms(share(rate), reserved, cents(seed), "tray" if fixed_awards is None else fixed_awards)


def _number(text: str) -> int:
    """Parse the seed of a simulation."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        raise BadInputError(f"The seed of a simulation is a whole number, not {text!r}.")
    return int(text)


def _print_odds_json(reports: "list[Report]") -> None:
    from fourcard.provenance import fingerprint

    for each in reports:
        print_json({**each.answer(), "fingerprint": fingerprint()})


def _print_odds(reports: "list[Report]", *, single: bool) -> None:
    from fourcard.provenance import fingerprint

    out = console()
    for part in format_report(reports[0]) if single else [comparison_table(reports)]:
        out.print(part)
    out.print(f"[dim]{fingerprint()}[/]")


def _cover_all(
    table: "tuple[Text, Rulebook | None]", numbers: Iterable[int], precision: float, seed: int, *, json: bool
) -> None:
    """Estimate Cover All by simulation for each number of players, with its standard error."""
    from fourcard.provenance import fingerprint

    for number in numbers:
        with working(f"Simulating Cover All, {number} players") as step:
            from fourcard.odds.cover_all import cover_all, cover_all_table

            estimate = cover_all(cover_all_table(number, *table), number, precision, seed, step=step)
        if json:
            print_json({**estimate.answer(), "fingerprint": fingerprint()})
        else:
            _print_estimate(estimate)
    if not json:
        console().print(f"[dim]{fingerprint()}[/]")


def _print_estimate(estimate: "CoverAllEstimate") -> None:
    out = console()
    table = f"table {plain(estimate.chosen.id)}, {estimate.players} player{'s' * (estimate.players > 1)}"
    out.print(f"[bold]Cover All[/]  {table}  [dim]{estimate.chosen.book.name}[/]")
    out.print(estimate_table(estimate))
    edge, error = f"{estimate.house_edge:.3%}", f"{estimate.standard_error:.3%}"
    out.print(f"house edge [bold]{edge}[/] ± {error} (standard error)")
    rounds = f"estimated from {estimate.rounds:,} rounds with seed {estimate.seed}"
    out.print(f"[dim]{rounds}; {' '.join(estimate.clauses)}[/]")

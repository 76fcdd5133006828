"""`fourcard odds`: what a wager costs, exactly, with every outcome counted."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import Cents
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
"""The wagers whose odds need every state of the game."""
SEED = "cover_all: what simulation starts from; 1. progressive: the cents, or '$5,000', of a new meter."
LONGEST_NUMBER = 20
MOST_PLAYERS = 6
"""The most players that a column of Cover All is printed for (R46)."""


def odds(
    wager: Annotated[Wager, typer.Argument(help="The wager to work out.")],
    rulebook: Annotated[Text, typer.Option(help="Whose table, where several print one.")] = None,
    paytable: Annotated[Text, typer.Option(help="A printed table's id, or a TOML file.")] = None,
    bonus: Annotated[Text, typer.Option(help="ante: the Automatic Bonus table, a file, or 'none'.")] = None,
    strategy: Annotated[Text, typer.Option(help="ante: a strategy's name or TOML file.")] = None,
    stake: Annotated[Text, Cents(help="six_card, progressive, envy: the stake; $1.")] = None,
    meter: Annotated[Text, Cents(help="progressive: what the meter shows; else its least.")] = None,
    others: Annotated[int | None, typer.Option(help="progressive, envy: how many other players.")] = None,
    envy: Annotated[Text, typer.Option(help="progressive: the Envy schedule; else the table's.")] = None,
    tie_wins: Annotated[bool | None, typer.Option("--tie-wins", help="bad_beat: a tie pays (R40).")] = None,
    players: Annotated[int | None, typer.Option(help="cover_all: positions dealt in; 6.")] = None,
    precision: Annotated[float | None, typer.Option(help="cover_all: standard error; 0.001.")] = None,
    seed: Annotated[Text, typer.Option(help=SEED)] = None,
    rate: Annotated[
        Text, typer.Option(help="progressive: the share of a stake that the meter takes.")
    ] = None,
    reserve: Annotated[Text, typer.Option(help="progressive: the share that its reserve takes; 0%.")] = None,
    fixed_awards: Annotated[
        Source | None, typer.Option(help="progressive: what pays fixed awards; tray.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every printed table of the wager.")] = False,
    json: Json = False,
) -> None:
    """Work out a wager exactly: house edge, hit frequency, spread, and every outcome with its count."""
    given: dict[str, object] = {
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
    _check_options(wager, given, paytable)
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
        asked = Question(wager, book, table, how, staked, shown, others, envy, bool(tie_wins), terms)
        found = [odds_of(each, step) for each in (for_every_table(asked) if every else (asked,))]
    if json:
        _print_json(found)
    else:
        _print(found, single=not every)


def _check_options(wager: Wager, given: dict[str, object], paytable: Text) -> None:
    """Refuse an option that has no part in a wager's odds, for its value would go unread."""
    from fourcard.odds.question import USED_BY, unused_option

    name = unused_option(wager, given)
    if name is not None:
        belongs = ", ".join(USED_BY[name])
        option = name.replace("_", "-")
        raise BadInputError(f"--{option} has no part in the odds of {wager}; it belongs to {belongs}.")
    if given["bonus"] is not None and paytable is not None:
        raise BadInputError("--bonus and --paytable name the same table of the Automatic Bonus; give one.")


def _terms(rate: Text, seed: Text, reserve: Text, fixed_awards: "AwardSource | None") -> "MeterTerms | None":
    """Return how the meter moves, or None where nothing is said of it."""
    if rate is None and seed is None and reserve is None and fixed_awards is None:
        return None
    if rate is None or seed is None:
        raise BadInputError("What becomes of the meter follows from --rate and --seed together; give both.")
    from fourcard.cli.amounts import cents
    from fourcard.odds.meter_cycle import MeterTerms
    from fourcard.odds.shares import share

    kept = share("0%" if reserve is None else reserve)
    return MeterTerms(share(rate), kept, cents(seed), "tray" if fixed_awards is None else fixed_awards)


def _number(text: str) -> int:
    """Return the seed of a simulation."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        raise BadInputError(f"The seed of a simulation is a whole number, not {text!r}.")
    return int(text)


def _print_json(found: "list[Report]") -> None:
    from fourcard.provenance import fingerprint

    for each in found:
        print_json({**each.answer(), "fingerprint": fingerprint()})


def _print(found: "list[Report]", *, single: bool) -> None:
    from fourcard.cli.odds_tables import comparison, told
    from fourcard.provenance import fingerprint

    out = console()
    for part in told(found[0]) if single else [comparison(found)]:
        out.print(part)
    out.print(f"[dim]{fingerprint()}[/]")


def _cover_all(
    table: "tuple[Text, Rulebook | None]", numbers: Iterable[int], precision: float, seed: int, *, json: bool
) -> None:
    """Estimate Cover All, which is not counted, for each number of players; say how certain that is."""
    from fourcard.provenance import fingerprint

    for number in numbers:
        with working(f"Simulating Cover All, {number} players") as step:
            from fourcard.odds.cover_all import cover_all, cover_all_table

            found = cover_all(cover_all_table(number, *table), number, precision, seed, step=step)
        if json:
            print_json({**found.answer(), "fingerprint": fingerprint()})
        else:
            _print_estimate(found)
    if not json:
        console().print(f"[dim]{fingerprint()}[/]")


def _print_estimate(found: "CoverAllEstimate") -> None:
    from fourcard.cli.odds_tables import estimate_table

    out = console()
    table = f"table {plain(found.chosen.id)}, {found.players} player{'s' * (found.players > 1)}"
    out.print(f"[bold]Cover All[/]  {table}  [dim]{found.chosen.book.name}[/]")
    out.print(estimate_table(found))
    out.print(f"house edge [bold]{found.house_edge:.3%}[/] ± {found.standard_error:.3%} (standard error)")
    out.print(
        f"[dim]estimated from {found.rounds:,} rounds of seed {found.seed}; {' '.join(found.clauses)}[/]"
    )

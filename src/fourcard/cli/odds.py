"""`fourcard odds`: what a wager costs, exactly, with every outcome counted."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import Cents
from fourcard.cli.output import Json, console, print_json
from fourcard.cli.solving import solving, working

if TYPE_CHECKING:
    from fourcard.odds.report import Report

Wager = Literal["ante", "aces_up", "bad_beat", "six_card", "progressive", "envy", "cover_all"]
Text = str | None


def odds(
    wager: Annotated[Wager, typer.Argument(help="The wager to work out.")],
    rulebook: Annotated[Text, typer.Option(help="Whose table, where several print one.")] = None,
    paytable: Annotated[Text, typer.Option(help="A printed table's id, or a TOML file.")] = None,
    bonus: Annotated[Text, typer.Option(help="ante: the Automatic Bonus table, a file, or 'none'.")] = None,
    strategy: Annotated[str, typer.Option(help="ante: a strategy's name or TOML file.")] = "optimal",
    stake: Annotated[str, Cents(help="six_card, progressive, envy: the stake.")] = "100",
    meter: Annotated[Text, Cents(help="progressive: what the meter shows; else its least.")] = None,
    others: Annotated[int, typer.Option(help="progressive, envy: how many other players.")] = 0,
    envy: Annotated[Text, typer.Option(help="progressive: the Envy schedule; else the table's.")] = None,
    tie_wins: Annotated[bool, typer.Option("--tie-wins", help="bad_beat: a tie pays (R40).")] = False,
    players: Annotated[int, typer.Option(help="cover_all: how many positions are dealt in.")] = 6,
    precision: Annotated[float, typer.Option(help="cover_all: the standard error wanted.")] = 0.001,
    seed: Annotated[int, typer.Option(help="cover_all: what the simulation starts from.")] = 1,
    every: Annotated[bool, typer.Option("--all", help="Every printed table of the wager.")] = False,
    json: Json = False,
) -> None:
    """Work out a wager exactly: house edge, hit frequency, spread, and every outcome with its count."""
    from fourcard.cli.amounts import cents
    from fourcard.rules import loading

    book = loading.rulebook(rulebook) if rulebook is not None else None
    staked, shown = cents(stake), None if meter is None else cents(meter)
    if wager == "cover_all":
        _cover_all(players, precision, seed, json=json)
        return
    with solving() as step:
        from fourcard.odds.question import Question, for_every_table, odds_of

        table = bonus or paytable if wager == "ante" else paytable
        asked = Question(wager, book, table, strategy, staked, shown, others, envy, tie_wins)
        found = [odds_of(each, step) for each in (for_every_table(asked) if every else (asked,))]
    if json:
        _print_json(found)
    else:
        _print(found, single=not every)


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


def _cover_all(players: int, precision: float, seed: int, *, json: bool) -> None:
    """Estimate Cover All, which is not counted, and say how certain the estimate is."""
    with working("Simulating Cover All") as step:
        from fourcard.odds.cover_all import cover_all

        found = cover_all(players, precision, seed, step=step)
    from fourcard.provenance import fingerprint

    if json:
        print_json({**found.answer(), "fingerprint": fingerprint()})
        return
    out = console()
    out.print(f"[bold]Cover All[/]  {players} player{'s' * (players > 1)}  [dim]{found.book.name}[/]")
    out.print(f"house edge [bold]{found.house_edge:.3%}[/] ± {found.standard_error:.3%} (standard error)")
    out.print(f"[dim]estimated from {found.rounds:,} rounds of seed {seed}; {' '.join(found.clauses)}[/]")
    out.print(f"[dim]{fingerprint()}[/]")

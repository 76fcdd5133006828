"""Odds commands: `odds` computes a wager exactly, `published` compares printed figures."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.output import (
    Json,
    cents_option,
    console,
    escape_text,
    new_table,
    print_json,
    progress_bar,
    solving_progress,
)
from fourcard.money import dollars, share_text
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fourcard.odds.cover_all import CoverAllEstimate
    from fourcard.odds.jackpot_long_run import MeterCycle, MeterTerms
    from fourcard.odds.published_figures import FigureFinding
    from fourcard.odds.report import OddsReport
    from fourcard.rules.rulebook import AwardSource, Rulebook

IN_CENTS = ("break_even_meter",)
IN_ANTES = ("ev_per_ante", "average_wager", "bonus_value")


def format_report(report: "OddsReport") -> "Iterator[RenderableType]":
    """Yield one wager's odds: outcomes, figures, assumptions, meter, published figures, clauses."""
    yield f"[bold]{report.label}[/]  table {escape_text(report.paytable)}  [dim]{report.rulebook.name}[/]"
    yield outcomes_table(report)
    yield figures_table(report)
    yield from (f"[dim]{escape_text(assumption)}[/]" for assumption in report.assumptions)
    if report.cycle is not None:
        yield _cycle_heading(report.cycle)
        yield cycle_table(report.cycle)
        yield from (f"[dim]{escape_text(assumption)}[/]" for assumption in report.cycle.assumptions)
    for measure, printed in (report.published or {}).items():
        yield f"[dim]the sources print {measure.replace('_', ' ')} {printed.text} ({printed.clause})[/]"
    yield f"[dim]{' '.join(report.clauses)}[/]"


def comparison_table(reports: "list[OddsReport]") -> "Table":
    """Return the main figures of several paytables of one wager."""
    table = new_table(
        "rulebook",
        "table",
        ">house edge",
        ">hit frequency",
        ">standard deviation",
        ">exact house edge",
        title=f"[bold]{reports[0].label}[/]",
    )
    for each in reports:
        table.add_row(
            each.rulebook.id,
            each.paytable,
            f"{float(each.house_edge):.4%}",
            f"{float(each.hit_frequency):.4%}",
            f"{each.standard_deviation:.4f}",
            str(each.house_edge),
        )
    return table


def outcomes_table(report: "OddsReport") -> "Table":
    """Return every outcome with its count, probability, net gain and share of the return."""
    details = list(dict.fromkeys(key for each in report.outcomes for key in each.detail))
    table = new_table("hand", *details, ">pays", ">combinations", ">probability", ">net", ">adds")
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


def figures_table(report: "OddsReport") -> "Table":
    """Return the figures computed from the outcomes, each as a number and as an exact fraction."""
    table = _named_figures()
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
    win, table = cycle.average_win, _named_figures()
    counts = {f"wagers per {row.replace('_', ' ')}": each for row, each in cycle.wagers_per_hit.items()}
    for name, figure in (*counts.items(), ("wagers between full-meter wins", cycle.wagers_between_wins)):
        table.add_row(name, *(("none", "") if figure is None else (f"{float(figure):,.2f}", str(figure))))
    table.add_row(
        "average full-meter win", *(("none", "") if win is None else (dollars(round(win)), f"{win} cents"))
    )
    return table


def _named_figures() -> "Table":
    """Return an empty table of names, figures and their exact values."""
    from rich import box

    table = new_table("", ">", "", show_header=False)
    table.box = box.SIMPLE
    table.columns[0].style, table.columns[2].style = "bold", "dim"
    return table


def _format_figure(name: str, figure: Fraction) -> str:
    if name in IN_CENTS:
        return dollars(round(figure))
    if name in IN_ANTES:
        return f"{float(figure):.6f}"
    return f"{float(figure):.4%}"


def estimate_table(estimate: "CoverAllEstimate") -> "Table":
    """Return how often each row was the highest hand at the table."""
    table = new_table("highest hand", ">pays", ">rounds", ">share")
    for each in estimate.distribution.outcomes:
        share = f"{float(each.probability):.4%}"
        table.add_row(each.hand.replace("_", " "), each.pays or "", f"{each.count:,}", share)
    return table


Wager = Literal["ante", "aces_up", "bad_beat", "six_card", "progressive", "envy", "cover_all"]
Text = str | None
Source = Literal["tray", "meter"]
SOLVED = ("ante", "bad_beat")
"""The wagers whose odds need the whole game to be solved."""
SEED = "cover_all: the simulation's seed, default 1. progressive: a new meter's cents, or '$5,000'."
MAX_NUMBER_LENGTH = 20
MAX_PLAYERS = 6
"""The largest number of players with a printed Cover All column (R46)."""


def odds(
    wager: Annotated[Wager, typer.Argument(help="The wager.")],
    rulebook: Annotated[Text, typer.Option(help="The rulebook, where several print such a table.")] = None,
    paytable: Annotated[Text, typer.Option(help="A printed table's id, or a TOML file.")] = None,
    bonus: Annotated[Text, typer.Option(help="ante: the Automatic Bonus table, a file, or 'none'.")] = None,
    strategy: Annotated[Text, typer.Option(help="ante: a strategy's name or TOML file.")] = None,
    stake: Annotated[Text, cents_option(help="six_card, progressive, envy: the stake, default $1.")] = None,
    meter: Annotated[Text, cents_option(help="progressive: the meter, default its minimum.")] = None,
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
    from fourcard.cli.output import parse_cents
    from fourcard.rules import loading

    chosen_rulebook = loading.rulebook(rulebook) if rulebook is not None else None
    if wager == "cover_all":
        numbers = range(1, MAX_PLAYERS + 1) if every else (MAX_PLAYERS if players is None else players,)
        wanted, first = 0.001 if precision is None else precision, 1 if seed is None else _number(seed)
        _cover_all((paytable, chosen_rulebook), numbers, wanted, first, json=json)
        return
    staked, shown = (
        parse_cents("100" if stake is None else stake),
        None if meter is None else parse_cents(meter),
    )
    terms = _terms(rate, seed, reserve, fixed_awards)
    with solving_progress() if wager in SOLVED else progress_bar("Counting") as step:
        from fourcard.odds.report import OddsQuery, odds_of, queries_for_all_paytables

        table = paytable if bonus is None else bonus
        query = OddsQuery(
            wager,
            rulebook=chosen_rulebook,
            table=table,
            strategy="optimal" if strategy is None else strategy,
            stake=staked,
            meter=shown,
            others=others,
            envy=envy,
            tie_wins=bool(tie_wins),
            terms=terms,
        )
        reports = [odds_of(each, step) for each in (queries_for_all_paytables(query) if every else (query,))]
    if json:
        _print_odds_json(reports)
    else:
        _print_odds(reports, single=not every)


def _check_options(wager: Wager, options: dict[str, object], paytable: Text) -> None:
    """Refuse an option that the wager's odds do not use."""
    from fourcard.odds.report import OPTION_WAGERS, unused_option

    name = unused_option(wager, options)
    if name is not None:
        belongs = ", ".join(OPTION_WAGERS[name])
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
    from fourcard.cli.output import parse_cents
    from fourcard.odds.jackpot_long_run import MeterTerms
    from fourcard.odds.paytable_lookup import parse_percent_or_fraction

    reserved = parse_percent_or_fraction("0%" if reserve is None else reserve)
    return MeterTerms(
        parse_percent_or_fraction(rate),
        reserved,
        parse_cents(seed),
        "tray" if fixed_awards is None else fixed_awards,
    )


def _number(text: str) -> int:
    """Parse the seed of a simulation."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_NUMBER_LENGTH):
        raise BadInputError(f"The seed of a simulation is a whole number, not {text!r}.")
    return int(text)


def _print_odds_json(reports: "list[OddsReport]") -> None:
    from fourcard.fingerprints import fingerprint

    for each in reports:
        print_json({**each.answer(), "fingerprint": fingerprint()})


def _print_odds(reports: "list[OddsReport]", *, single: bool) -> None:
    from fourcard.fingerprints import fingerprint

    out = console()
    for part in format_report(reports[0]) if single else [comparison_table(reports)]:
        out.print(part)
    out.print(f"[dim]{fingerprint()}[/]")


def _cover_all(
    table: "tuple[Text, Rulebook | None]", numbers: Iterable[int], precision: float, seed: int, *, json: bool
) -> None:
    """Estimate Cover All by simulation for each number of players, with its standard error."""
    from fourcard.fingerprints import fingerprint

    for number in numbers:
        with progress_bar(f"Simulating Cover All, {number} players") as step:
            from fourcard.odds.cover_all import cover_all, find_cover_all_paytable

            estimate = cover_all(find_cover_all_paytable(number, *table), number, precision, seed, step=step)
        if json:
            print_json({**estimate.answer(), "fingerprint": fingerprint()})
        else:
            _print_estimate(estimate)
    if not json:
        console().print(f"[dim]{fingerprint()}[/]")


def _print_estimate(estimate: "CoverAllEstimate") -> None:
    out = console()
    table = (
        f"table {escape_text(estimate.paytable.id)}, {estimate.players} player{'s' * (estimate.players > 1)}"
    )
    out.print(f"[bold]Cover All[/]  {table}  [dim]{estimate.paytable.rulebook.name}[/]")
    out.print(estimate_table(estimate))
    edge, error = f"{estimate.house_edge:.3%}", f"{estimate.standard_error:.3%}"
    out.print(f"house edge [bold]{edge}[/] ± {error} (standard error)")
    rounds = f"estimated from {estimate.rounds:,} rounds with seed {estimate.seed}"
    out.print(f"[dim]{rounds}; {' '.join(estimate.clauses)}[/]")


SHOWN = 2
MARKS = {True: "[green]agrees[/]", False: "[bold red]differs[/]", None: "[yellow]not computable[/]"}


def published(
    differing: Annotated[bool, typer.Option("--differing", help="Only figures that do not agree.")] = False,
    json: Json = False,
) -> None:
    """Compare the figures that the sources print with exact ones, and name the closest definition."""
    with solving_progress() as step:
        from fourcard.odds.published_figures import audit_published_figures

        findings = audit_published_figures(step)
    shown = [each for each in findings if not (differing and each.agrees)]
    if json:
        from fourcard.fingerprints import fingerprint

        print_json({"figures": [each.answer() for each in shown], "fingerprint": fingerprint()})
        return
    from fourcard.fingerprints import fingerprint

    out = console()
    out.print(_published_table(shown))
    for each in shown:
        if each.note:
            out.print(f"[dim]{each.figure.clause.id}: {each.note}[/]")
    verdicts = [each.agrees for each in findings]
    out.print(
        f"{len(findings)} printed figures: {verdicts.count(True)} agree, {verdicts.count(False)} differ, "
        f"{verdicts.count(None)} cannot be computed from what is printed."
    )
    out.print(f"[dim]{fingerprint()}[/]")


def _published_table(findings: "list[FigureFinding]") -> "Table":
    heads = ("clause", "figure", ">printed", ">exact", "", "closest definition")
    table = new_table(*heads, title="[bold]Printed and exact[/]")
    for each in findings:
        figure = each.figure
        table.add_row(
            figure.clause.id,
            figure.measure.replace("_", " "),
            figure.text,
            "" if each.ours is None else _value(each, each.ours.value),
            MARKS[each.agrees],
            _closest(each),
        )
    return table


def _value(finding: "FigureFinding", value: "Fraction") -> str:
    return f"{float(value):.4%}" if finding.figure.text.endswith("%") else f"{float(value):,.0f}"


def _closest(finding: "FigureFinding") -> str:
    closest = finding.closest
    if closest is None:
        return ""
    match = finding.match(closest)
    verdict = f", [green]{match}[/]" if match else ""
    if closest is finding.ours:
        return f"none of the others is closer than ours: {closest.basis}"
    against = (
        f"; does not fit {_first_few(finding.contradicting_clauses)}" if finding.contradicting_clauses else ""
    )
    return f"{closest.basis}: {_value(finding, closest.value)}{verdict}{against}"


def _first_few(clauses: tuple[str, ...]) -> str:
    more = f" and {len(clauses) - SHOWN} more" if len(clauses) > SHOWN else ""
    return ", ".join(clauses[:SHOWN]) + more

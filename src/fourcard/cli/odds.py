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
    struct_table,
)
from fourcard.money import dollars, share_text
from fourcard.refusals import BadInputError
from fourcard.wagers import OPTION_WAGERS, SPECIFICATIONS, OddsWager, OptionName

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fourcard.odds.jackpot_long_run import MeterCycleReport, MeterTerms
    from fourcard.odds.published_figures import BasisFigure, PublishedComparison
    from fourcard.odds.report import OddsReport
    from fourcard.rules.rulebook import AwardSource, Rulebook

IN_CENTS = ("break_even_meter", "average_win")
PLAIN = {
    **dict.fromkeys(("ev_per_ante", "average_wager", "bonus_value"), ".6f"),
    **dict.fromkeys(("wagers_per_hit", "wagers_between_wins"), ",.2f"),
    **dict.fromkeys(("standard_deviation", "variance"), ",.4f"),
}
"""The formats of figures that are not shares."""


def format_report(report: "OddsReport") -> "Iterator[RenderableType]":
    """Yield one wager's odds: outcomes, figures, assumptions, meter, published figures, clauses."""
    from fourcard.rules.loading import rulebook

    players = f", {report.players} player{'s' * (report.players > 1)}" if report.players else ""
    name = rulebook(report.rulebook, report.edition).name
    yield f"[bold]{report.label}[/]  table {escape_text(report.paytable)}{players}  [dim]{name}[/]"
    yield outcomes_table(report)
    yield figures_table(report)
    if report.rounds:
        yield f"[dim]estimated from {report.rounds:,} rounds with seed {report.seed}[/]"
    yield from (f"[dim]{escape_text(assumption)}[/]" for assumption in report.assumptions or ())
    if report.meter_cycle:
        cycle = report.meter_cycle
        takes = f"{share_text(cycle.rate)} to the meter, {share_text(cycle.reserve)} to the reserve"
        yield f"\n[bold]The meter in the long run[/]  {takes}, seed {dollars(cycle.seed)}"
        yield figures_table(cycle, leave_out=("rate", "reserve"))
        yield from (f"[dim]{escape_text(assumption)}[/]" for assumption in cycle.assumptions)
    for measure, figure in (report.published or {}).items():
        printed = f"{measure.replace('_', ' ')} {figure.printed} {figure.basis}".rstrip()
        yield f"[dim]the sources print {printed} ({figure.clause})[/]"
    yield f"[dim]{' '.join(report.clauses)}[/]"


def outcomes_table(report: "OddsReport") -> "Table":
    """Return every outcome with its count, probability, net gain and share of the return."""
    from msgspec import UNSET

    details = [
        name
        for name in ("decision", "result", "bonus", "beaten")
        if any(getattr(each, name) is not UNSET for each in report.outcomes)
    ]
    return struct_table(
        report.outcomes,
        "hand",
        *details,
        (">pays", "pays"),
        ("combinations" if not report.rounds else "rounds", "count"),
        (">probability", lambda each: f"{float(each.probability):.6%}"),
        (">net", lambda each: f"{float(each.net):+,.2f}"),
        (">adds", lambda each: f"{float(each.contribution):+.4%}"),
        caption=f"of {report.outcomes[0].of:,}",
    )


def figures_table(report: "OddsReport | MeterCycleReport", leave_out: tuple[str, ...] = ()) -> "Table":
    """Return every figure of a report as a number, and as an exact fraction or with its standard error."""
    from rich import box

    table = new_table("", ">", "", show_header=False)
    table.box = box.SIMPLE
    table.columns[0].style, table.columns[2].style = "bold", "dim"
    for name in report.__struct_fields__:
        value, head = getattr(report, name), name.replace("_", " ")
        parts = value if isinstance(value, dict) else {"": value}
        for part, figure in parts.items() if name not in ("published", *leave_out) else ():
            if figure is None or isinstance(figure, Fraction | float):
                label = f"{head}: {part.replace('_', ' ')}" if part else head
                table.add_row(label, _format_figure(name, figure), _format_exact(figure))
    return table


def _format_figure(name: str, figure: Fraction | float | None) -> str:
    if figure is None:
        return "none"
    if name in IN_CENTS:
        return dollars(round(figure))
    return f"{float(figure):{PLAIN.get(name, '.4%')}}"


def _format_exact(figure: Fraction | float | None) -> str:
    from fourcard.answers import standard_error

    if not isinstance(figure, Fraction):
        return ""
    error = standard_error(figure)
    return f"± {error:.4%} (standard error)" if error else str(figure)


Text = str | None
Source = Literal["tray", "meter"]
SEED = "cover_all: the simulation's seed, default 1. progressive: a new meter's cents, or '$5,000'."
MAX_NUMBER_LENGTH = 20
MAX_PLAYERS = 6
"""The largest number of players with a printed Cover All column (R46)."""


def _help(option: OptionName, text: str) -> str:
    """Return the help of an option with the wagers that it applies to."""
    return f"{', '.join(OPTION_WAGERS[option])}: {text}"


def odds(
    wager: Annotated[OddsWager, typer.Argument(help="The wager.")],
    rulebook: Annotated[Text, typer.Option(help="The rulebook, where several print such a table.")] = None,
    paytable: Annotated[Text, typer.Option(help="A printed table's id, or a TOML file.")] = None,
    bonus: Annotated[
        Text, typer.Option(help=_help("bonus", "the Automatic Bonus table, a file, or 'none'."))
    ] = None,
    strategy: Annotated[Text, typer.Option(help=_help("strategy", "a strategy's name or TOML file."))] = None,
    stake: Annotated[Text, cents_option(help=_help("stake", "the stake, default $1."))] = None,
    meter: Annotated[Text, cents_option(help=_help("meter", "the meter, default its minimum."))] = None,
    others: Annotated[int | None, typer.Option(help=_help("others", "the number of other players."))] = None,
    envy: Annotated[Text, typer.Option(help=_help("envy", "the Envy schedule, default the table's."))] = None,
    tie_wins: Annotated[
        bool | None, typer.Option("--tie-wins", help=_help("tie_wins", "a tie pays (R40)."))
    ] = None,
    players: Annotated[
        int | None, typer.Option(help=_help("players", "positions dealt in, default 6."))
    ] = None,
    precision: Annotated[
        float | None, typer.Option(help=_help("precision", "standard error, default 0.001."))
    ] = None,
    seed: Annotated[Text, typer.Option(help=SEED)] = None,
    rate: Annotated[
        Text, typer.Option(help=_help("rate", "the share of a stake that goes to the meter."))
    ] = None,
    reserve: Annotated[
        Text, typer.Option(help=_help("reserve", "the share that goes to the reserve, default 0%."))
    ] = None,
    fixed_awards: Annotated[
        Source | None, typer.Option(help=_help("fixed_awards", "who pays fixed awards, default the tray."))
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every printed table of the wager.")] = False,
    json: Json = False,
) -> None:
    """Compute a wager exactly: house edge, hit frequency, standard deviation, and counted outcomes."""
    options: dict[OptionName, object] = {
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
        estimates = _cover_all_reports((paytable, chosen_rulebook), numbers, wanted, first)
        _print_reports([*estimates], compared=False, json=json)
        return
    staked, shown = (
        parse_cents("100" if stake is None else stake),
        None if meter is None else parse_cents(meter),
    )
    terms = _terms(rate, seed, reserve, fixed_awards)
    solved = SPECIFICATIONS[wager].odds == "solved"
    with solving_progress() if solved else progress_bar("Counting") as step:
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
    _print_reports(reports, compared=every, json=json)


def _check_options(wager: OddsWager, options: dict[OptionName, object], paytable: Text) -> None:
    """Refuse an option that the wager's odds do not use."""
    from fourcard.odds.report import unused_option

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


def _print_reports(reports: "list[OddsReport]", *, compared: bool, json: bool) -> None:
    """Print reports one after the other, or compared in a table."""
    if json:
        for each in reports:
            print_json(each)
        return
    out = console()
    if compared:
        columns = ("rulebook", ("table", "paytable"), "house_edge", "hit_frequency", "standard_deviation")
        exact = (">exact house edge", lambda each: str(each.house_edge))
        out.print(struct_table(reports, *columns, exact, title=f"[bold]{reports[0].label}[/]"))
    else:
        for part in (part for each in reports for part in format_report(each)):
            out.print(part)
    out.print(f"[dim]{reports[0].fingerprint}[/]")


def _cover_all_reports(
    table: "tuple[Text, Rulebook | None]", numbers: Iterable[int], precision: float, seed: int
) -> "Iterator[OddsReport]":
    """Estimate Cover All by simulation for each number of players, with its standard error."""
    for number in numbers:
        with progress_bar(f"Simulating Cover All, {number} players") as step:
            from fourcard.odds.cover_all import cover_all, find_cover_all_paytable
            from fourcard.odds.report import cover_all_report

            chosen = find_cover_all_paytable(number, *table)
            found = cover_all(chosen, number, precision, seed, step=step)
        yield cover_all_report(found)


SHOWN = 2
MARKS = {True: "[green]agrees[/]", False: "[bold red]differs[/]", None: "[yellow]not computable[/]"}


def published(
    differing: Annotated[bool, typer.Option("--differing", help="Only figures that do not agree.")] = False,
    json: Json = False,
) -> None:
    """Compare the figures that the sources print with exact ones, and name the closest definition."""
    with solving_progress() as step:
        from fourcard.odds.published_figures import audit_published_figures, published_audit

        findings = audit_published_figures(step)
        audit = published_audit(each for each in findings if not (differing and each.agrees))
    if json:
        print_json(audit)
        return
    out = console()
    out.print(
        struct_table(
            audit.figures,
            "clause",
            ("figure", "measure"),
            (">printed", "printed"),
            (">exact", lambda each: "" if each.exact is None else _value(each, each.exact)),
            ("", lambda each: MARKS[each.agrees]),
            ("closest definition", _closest),
            title="[bold]Printed and exact[/]",
        )
    )
    for each in audit.figures:
        if each.note:
            out.print(f"[dim]{each.clause}: {each.note}[/]")
    verdicts = [each.agrees for each in findings]
    out.print(
        f"{len(findings)} printed figures: {verdicts.count(True)} agree, {verdicts.count(False)} differ, "
        f"{verdicts.count(None)} cannot be computed from what is printed."
    )
    out.print(f"[dim]{audit.fingerprint}[/]")


def _value(figure: "PublishedComparison", ours: "BasisFigure") -> str:
    return f"{ours.value:.4%}" if figure.printed.endswith("%") else f"{ours.value:,.0f}"


def _closest(figure: "PublishedComparison") -> str:
    closest = figure.closest
    if closest is None:
        return ""
    if figure.exact is not None and closest.basis == figure.exact.basis:
        return f"none of the others is closer than ours: {closest.basis}"
    verdict = f", [green]{closest.match}[/]" if closest.match else ""
    against = f"; does not fit {_first_few(closest.does_not_fit)}" if closest.does_not_fit else ""
    return f"{closest.basis}: {_value(figure, closest)}{verdict}{against}"


def _first_few(clauses: tuple[str, ...]) -> str:
    more = f" and {len(clauses) - SHOWN} more" if len(clauses) > SHOWN else ""
    return ", ".join(clauses[:SHOWN]) + more

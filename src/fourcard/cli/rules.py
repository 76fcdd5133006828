"""Rules commands: `check`, `paytables`, `clauses` and `differences`."""

from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import (
    WIDE_COLUMNS,
    Json,
    SubmissionName,
    console,
    escape_text,
    new_table,
    print_json,
)
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table

    from fourcard.rules.check_report import CheckReport
    from fourcard.rules.clause_details import ClauseDetails
    from fourcard.rules.clauses import Clause
    from fourcard.rules.differences import DifferencePoint
    from fourcard.rules.posted_sign import SignPanel
    from fourcard.rules.worst_case_loss import WorstLoss

VIOLATED = 1
SILENT = "-"
"""Shown where a rulebook says nothing on a point."""


def check(submission: SubmissionName, json: Json = False) -> None:
    """Check a Rules Submission: every violation with its clause, and the worst-case loss of a round."""
    from fourcard.fingerprints import fingerprint
    from fourcard.rules.check_report import check_report
    from fourcard.rules.submission import submission_named

    report = check_report(submission_named(submission), fingerprint())
    with suppress(BrokenPipeError):
        if json:
            print_json(report)
        else:
            _print_findings(report)
            if report.worst_loss is not None:
                _print_game(report, report.worst_loss)
            console().print(f"[dim]{report.fingerprint}[/]")
    if not report.valid:
        raise typer.Exit(VIOLATED)


def _print_findings(report: "CheckReport") -> None:
    out = console()
    out.print(
        f"[bold]{escape_text(report.submission)}[/]  [dim]{report.rulebook}, {report.edition} edition[/]"
    )
    for finding in report.findings:
        style = "bold red" if finding.level == "error" else "yellow"
        where = f"[{style}]{finding.level}[/]  [bold]{escape_text(finding.where)}[/]"
        out.print(f"{where}  {escape_text(finding.message)}")
        if finding.clauses:
            out.print(f"         [dim]{' '.join(finding.clauses)}[/]")
    errors = sum(finding.level == "error" for finding in report.findings)
    warnings = len(report.findings) - errors
    verdict = "[bold green]valid[/]" if report.valid else "[bold red]not valid[/]"
    out.print(f"{verdict}: {_count(errors, 'error')}, {_count(warnings, 'warning')}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print_game(report: "CheckReport", loss: "WorstLoss") -> None:
    from fourcard.money import dollars
    from fourcard.wagers import WAGER_LABELS

    out = console()
    if loss.total is None:
        names = ", ".join(WAGER_LABELS[name] for name in loss.without_maximum)
        out.print(f"[bold]Worst-case loss[/] of a round: no limit, because {names} has no posted maximum.")
    else:
        parts = ", ".join(f"{WAGER_LABELS[name]} {dollars(cents)}" for name, cents in loss.by_wager.items())
        out.print(
            f"[bold]Worst-case loss[/]: one round costs the house at most [bold]{dollars(loss.total)}[/]"
        )
        out.print(f"[dim]{parts}; awards from the meter not counted[/]")
    for duty in report.duties:
        out.print(f"[dim]{duty.what}: {duty.who} ({' '.join(duty.clauses)})[/]")
    out.print(f"[dim]game {report.game}[/]")


def paytables(submission: SubmissionName, json: Json = False) -> None:
    """Print the posted sign of a submission: what every wager pays, and its limits."""
    from fourcard.fingerprints import fingerprint
    from fourcard.rules.game import resolve_game
    from fourcard.rules.posted_sign import posted_sign
    from fourcard.rules.submission import submission_named

    game = resolve_game(submission_named(submission))
    panels = posted_sign(game)
    if json:
        print_json(
            {
                "submission": game.submission.name,
                "rulebook": game.rulebook.id,
                "edition": game.rulebook.edition,
                "game": game.hash,
                "panels": panels,
                "fingerprint": fingerprint(),
            }
        )
        return
    out = console()
    out.print(f"\n[bold]FOUR CARD POKER[/]  {escape_text(game.submission.operator.name)}")
    rulebook = game.rulebook
    out.print(f"[dim]{escape_text(game.submission.name)}[/]")
    out.print(
        f"[dim]{rulebook.name}: {rulebook.authority}, {rulebook.document}, {rulebook.edition} edition[/]\n"
    )
    for panel in panels:
        out.print(panel_table(panel))
        out.print(f"[dim]{' '.join(panel.clauses)}[/]\n")
    out.print(f"[dim]{fingerprint()}[/]")


def panel_table(panel: "SignPanel") -> "Table":
    """Return one panel of a posted sign as a table."""
    title = f"[bold yellow]{panel.title}[/][dim]{f'  {panel.limits}' if panel.limits else ''}[/]"
    heads = (f">{head}" for head in panel.columns)
    table = new_table("", *heads, title=title, show_header=len(panel.columns) > 1, caption=panel.note or None)
    for row, cells in panel.pays.items():
        table.add_row(row, *cells.values())
    return table


Identifier = Annotated[
    str | None,
    typer.Argument(metavar="[ID]", help="A clause, ruling or policy id, or the start of several clause ids."),
]
MAX_WHOLE = 12
"""The most clauses of a family that are shown in full; more are listed."""


def clauses(
    identifier: Identifier = None,
    source: Annotated[str | None, typer.Option(help="Only one source: MA, SM, MD, WA or IA.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only one kind: engine, procedure, data, config, info or physical.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Only one topic, such as ranking.")] = None,
    unproven: Annotated[bool, typer.Option("--unproven", help="Only clauses without a test.")] = False,
    json: Json = False,
) -> None:
    """Show clauses with their rulings, the code and data that implement them, and their tests."""
    if identifier is not None:
        if source or kind or topic or unproven:
            raise BadInputError("With an id, leave out --source, --kind, --topic and --unproven.")
        _show_identifier(identifier, json=json)
        return
    matching = list(_matching_clauses(source, kind, topic, unproven=unproven))
    if json:
        print_json(_details(matching))
    else:
        _print_list(matching)


def _matching_clauses(
    source: str | None, kind: str | None, topic: str | None, *, unproven: bool
) -> "Iterator[Clause]":
    from fourcard.rules.citations import proven_by
    from fourcard.rules.clauses import KINDS, clauses, sources

    for name, value, known in (
        ("source", source, sources()),
        ("kind", kind, KINDS),
        ("topic", topic, tuple(sorted({clause.topic for clause in clauses().values()}))),
    ):
        if value is not None and value not in known:
            raise BadInputError(f"There is no {name} '{value}'; there are {', '.join(known)}.")
    for clause in clauses().values():
        wanted = (source in (None, clause.source), kind in (None, clause.kind), topic in (None, clause.topic))
        if all(wanted) and not (unproven and proven_by(clause.id)):
            yield clause


def _details(chosen: "Iterable[Clause]") -> "list[ClauseDetails]":
    from fourcard.rules.clause_details import clause_details

    return [clause_details(clause) for clause in chosen]


def _show_identifier(identifier: str, *, json: bool) -> None:
    from fourcard.rules.clauses import clauses, clauses_under, rulings

    addresses = {address.lower(): address for address in (*clauses(), *rulings())}
    identifier = addresses.get(identifier.lower(), identifier)
    if identifier in clauses():
        clause = clauses()[identifier]
        if json:
            print_json(_details([clause]))
        else:
            _print_clause(clause)
    elif identifier in rulings():
        _show_ruling(identifier, json=json)
    elif members := clauses_under(identifier):
        _show_family(members, json=json)
    else:
        from difflib import get_close_matches

        from fourcard.refusal_codes import Code
        from fourcard.refusals import RefusedError, refuse

        near = get_close_matches(identifier.upper(), [*clauses(), *rulings()], 3, 0.7)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        refusal = refuse(Code.ADDRESS_UNKNOWN, address=identifier, hint=hint)
        raise RefusedError(refusal)


def _show_family(members: "tuple[Clause, ...]", *, json: bool) -> None:
    """Show every clause whose id starts alike, in full if they are few."""
    if json:
        print_json(_details(members))
    elif len(members) > MAX_WHOLE:
        _print_list([*members])
    else:
        for number, clause in enumerate(members):
            if number:
                console().print()
            _print_clause(clause)


def _print_clause(clause: "Clause") -> None:
    from fourcard.rules.citations import unobservable
    from fourcard.rules.clauses import rulings

    out = console()
    out.print(f"[bold]{clause.id}[/]  {clause.source} {clause.clause}  [dim]{clause.topic}, {clause.kind}[/]")
    out.print(clause.requirement, markup=False)
    if clause.params:
        out.print(f"[dim]figures[/]  {escape_text(clause.params.replace(';', '; '))}")
    if clause.notes:
        out.print("[dim]notes[/]   ", escape_text(clause.notes))
    for ruling_id in clause.rulings:
        ruling = rulings()[ruling_id]
        overruled = " (overrules this clause)" if clause.id in ruling.overrules else ""
        out.print(f"[cyan]{ruling_id}[/] {ruling.title}{overruled}: {escape_text(ruling.reading)}")
    if clause.id in unobservable():
        out.print(f"[yellow]not observable[/]  {escape_text(unobservable()[clause.id])}")
    _print_places(clause.id)


def _show_ruling(identifier: str, *, json: bool) -> None:
    from fourcard.rules.clause_details import ruling_details
    from fourcard.rules.clauses import rulings

    ruling = rulings()[identifier]
    if json:
        print_json([ruling_details(identifier, ruling)])
        return
    out = console()
    out.print(f"[bold]{identifier}[/]  {ruling.title}")
    if ruling.question:
        out.print("[dim]question[/]", escape_text(ruling.question))
    out.print("[dim]ruling[/]  ", escape_text(ruling.reading))
    for name, setting in ruling.settings.items():
        out.print(f"[dim]setting[/]  {name} = {setting.default!r}, one of {escape_text(setting.values)}")
    if ruling.clauses:
        out.print("[dim]clauses[/] ", ", ".join(ruling.clauses))
    _print_places(identifier)


def _print_places(identifier: str) -> None:
    from fourcard.rules.citations import carried_by, proven_by

    out = console()
    parts = (
        ("implemented by", carried_by(identifier), "no code of its own"),
        ("proven by", proven_by(identifier), "no test"),
    )
    for head, places, none in parts:
        out.print(f"[green]{head}[/]" if places else f"[yellow]{head}[/] {none}")
        for place in places:
            out.print(f"  {place}", markup=False, soft_wrap=True)
    _print_sabotage(identifier)


def _print_sabotage(identifier: str) -> None:
    """Print how many altered rules the tests noticed, in rulebooks and code."""
    from fourcard.rules.sabotage_results import sabotage_result

    result = sabotage_result(identifier)
    for part, counts in (("rulebooks", result.data), ("code", result.code)):
        if counts is not None:
            style = "green" if counts.caught == counts.tried else "yellow"
            found = f"{counts.caught} of {counts.tried} alterations of the {part} caught"
            console().print(f"[{style}]sabotage[/] {found}")


def _print_list(listed: "list[Clause]") -> None:
    from rich.table import Table

    from fourcard.rules.citations import proven_by

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("id", "kind", "topic", "proven", "requirement", "ruling"):
        table.add_column(head, no_wrap=head in ("id", "kind", "topic", "proven"))
    proven = 0
    for clause in listed:
        tests = proven_by(clause.id)
        proven += bool(tests)
        mark = "[green]yes[/]" if tests else "[yellow]no[/]"
        table.add_row(
            clause.id, clause.kind, clause.topic, mark, escape_text(clause.requirement), clause.ruling
        )
    out = console()
    out.print(table)
    out.print(f"[bold]{len(listed)}[/] clauses, [bold]{proven}[/] of them proven by tests")


def differences(
    point: Annotated[
        str | None, typer.Argument(help="Only points with this name, such as 'play' or 'positions'.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show also the points on which all agree.")] = False,
    json: Json = False,
) -> None:
    """Show how the rulebooks differ, point by point; naming a point also shows its clauses."""
    from fourcard.rules.differences import differences_about, rulebook_differences

    chosen = (
        [p for p in rulebook_differences() if every or p.differs]
        if point is None
        else list(differences_about(point))
    )
    if json:
        print_json(chosen)
        return
    values, tables = [p for p in chosen if not p.pays], [p for p in chosen if p.pays]
    out = console()
    roomy = out.width >= WIDE_COLUMNS
    if point is None and roomy:
        _print_matrix(values)
    else:
        for each in values:
            _print_point(each)
    for wager, group in groupby(tables, key=lambda each: each.point.rsplit(".", 1)[0]):
        if roomy:
            _print_tables(wager, list(group))
        else:
            for each in group:
                _print_point(each)
    out.print(f"[bold]{len(chosen)}[/] points; `fourcard differences POINT` shows the clauses of a point")


def _print_matrix(shown: "list[DifferencePoint]") -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("point", style="yellow", min_width=34)
    for rulebook in shown[0].rulebooks:
        table.add_column(rulebook.replace("-", " "), max_width=13)
    for point in shown:
        words = point.point.removeprefix("wagers.").replace("_", " ").replace(".", ", ")
        table.add_row(
            words, *((stand.value or SILENT).replace("_", " ") for stand in point.rulebooks.values())
        )
    console().print(table)


def _print_point(point: "DifferencePoint") -> None:
    from rich.table import Table

    out = console()
    same = "" if point.differs else "  [green]all agree[/]"
    out.print(f"[bold yellow]{point.point}[/]{same}")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    by_value: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for rulebook, stand in point.rulebooks.items():
        by_value.setdefault((stand.value or SILENT, stand.clauses), []).append(rulebook)
    for (value, clauses), rulebooks in by_value.items():
        style = "dim" if value == SILENT else ""
        table.add_row(", ".join(rulebooks), value, " ".join(clauses), style=style)
    out.print(table)
    if point.pays:
        out.print("  " + ", ".join(f"{row.replace('_', ' ')} {odds}" for row, odds in point.pays.items()))


def _print_tables(wager: str, shown: "list[DifferencePoint]") -> None:
    """Print the different paytables of a wager side by side, with the id each rulebook gives them."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1, 0, 0), title_justify="left")
    table.title = f"[bold yellow]{wager}[/]: the different paytables, with the id in each rulebook"
    table.add_column("")
    for _ in shown:
        table.add_column("", justify="right", overflow="fold")
    for rulebook in shown[0].rulebooks:
        table.add_row(rulebook, *(point.rulebooks[rulebook].value or SILENT for point in shown), style="cyan")
    table.add_section()
    rows = dict.fromkeys(row for point in shown for row in point.pays or ())
    for row in rows:
        cells = ((point.pays or {}).get(row, "").removesuffix(" to 1") for point in shown)
        table.add_row(row.replace("_", " "), *cells)
    console().print(table)

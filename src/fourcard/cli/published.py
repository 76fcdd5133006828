"""Published figures: the `published` command compares every printed figure with the exact one."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, print_json
from fourcard.cli.solving import solving

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.table import Table

    from fourcard.odds.audit import Finding

SHOWN = 2
MARKS = {True: "[green]agrees[/]", False: "[bold red]differs[/]", None: "[yellow]not computable[/]"}


def published(
    differing: Annotated[bool, typer.Option("--differing", help="Only figures that do not agree.")] = False,
    json: Json = False,
) -> None:
    """Compare the figures that the sources print with exact ones, and name the closest definition."""
    with solving() as step:
        from fourcard.odds.audit import audit_printed

        findings = audit_printed(step)
    shown = [each for each in findings if not (differing and each.agrees)]
    if json:
        from fourcard.provenance import fingerprint

        print_json({"figures": [each.answer() for each in shown], "fingerprint": fingerprint()})
        return
    from fourcard.provenance import fingerprint

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


def _published_table(findings: "list[Finding]") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="[bold]Printed and exact[/]", title_justify="left")
    for head in ("clause", "figure", "printed", "exact", "", "closest definition"):
        table.add_column(head, justify="right" if head in ("printed", "exact") else "left", overflow="fold")
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


def _value(finding: "Finding", value: "Fraction") -> str:
    return f"{float(value):.4%}" if finding.figure.text.endswith("%") else f"{float(value):,.0f}"


def _closest(finding: "Finding") -> str:
    closest = finding.closest
    if closest is None:
        return ""
    match = finding.match(closest)
    verdict = f", [green]{match}[/]" if match else ""
    if closest is finding.ours:
        return f"none of the others is closer than ours: {closest.basis}"
    against = f"; does not fit {_first_few(finding.misfits)}" if finding.misfits else ""
    return f"{closest.basis}: {_value(finding, closest.value)}{verdict}{against}"


def _first_few(clauses: tuple[str, ...]) -> str:
    more = f" and {len(clauses) - SHOWN} more" if len(clauses) > SHOWN else ""
    return ", ".join(clauses[:SHOWN]) + more

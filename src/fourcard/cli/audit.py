"""Audit: the `audit` command replays a house's journal and compares the result with what is stored."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.solving import event_progress

if TYPE_CHECKING:
    from rich.console import Console

    from fourcard.house.auditing.report import AuditReport, Finding

AUDIT_FAILED = 1
AnchorFile = Annotated[
    Path | None,
    typer.Option("--anchor", metavar="FILE", help="An anchor of this house that was stored elsewhere."),
]


def audit(database: Database = DATABASE, anchor: AnchorFile = None, json: Json = False) -> None:
    """Rebuild a house from its journal and verify everything; exit status 1 if there are findings."""
    from fourcard.house.auditing.audit import audit as audit_house
    from fourcard.house.signing import read_anchor
    from fourcard.house.store.sql import open_store

    anchored = None if anchor is None else read_anchor(anchor)
    store = open_store(database, writing=False)
    try:
        with event_progress("Auditing") as progress:
            report = audit_house(store, anchored, progress)
    finally:
        store.close()
    if json:
        _print_audit_json(report, store.name)
    else:
        _show_audit(report, store.name)
    if not report.clean:
        raise typer.Exit(AUDIT_FAILED)


def _print_audit_json(report: "AuditReport", name: str) -> None:
    import msgspec

    from fourcard.provenance import fingerprint

    answer = {
        "database": name,
        "house": report.house,
        "public_key": report.public_key,
        "clean": report.clean,
        "counts": msgspec.to_builtins(report.counts),
        "findings": [{"where": str(each.place), **msgspec.to_builtins(each)} for each in report.findings],
        "unlisted": report.unlisted,
        "restores": msgspec.to_builtins(report.restores),
        "cannot_exclude": list(report.cannot_exclude),
    }
    print_json({**answer, "fingerprint": fingerprint()})


def _show_audit(report: "AuditReport", name: str) -> None:
    from fourcard.provenance import fingerprint

    out = console()
    house = f"house {report.house}" if report.house else "a house that was never founded"
    out.print(f"[bold]Audit of {plain(name)}[/]: {plain(house)}")
    out.print(f"[dim]key {plain(report.public_key)}[/]\n" if report.public_key else "")
    out.print("Checked by replaying the journal:")
    _show_counts(out, report)
    if report.findings:
        _show_findings(out, report.findings)
    more = f", and {report.unlisted:,} more like these" if report.unlisted else ""
    count = f"[bold red]{len(report.findings):,} found{more}[/]"
    out.print(f"Findings: {'[green]none[/]' if report.clean else count}.\n")
    _show_restores(out, report)
    out.print("What this audit cannot detect:")
    for sentence in report.cannot_exclude:
        out.print(f"- {plain(sentence)}")
    out.print(f"\n[dim]{fingerprint()}[/]")


def _show_counts(out: "Console", report: "AuditReport") -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2))
    for number in range(4):
        table.add_column(justify="left" if number % 2 else "right")
    counts = report.counts
    cells = [(f"{getattr(counts, name):,}", name) for name in counts.__struct_fields__]
    half = (len(cells) + 1) // 2
    for left, right in zip(cells[:half], [*cells[half:], ("", "")], strict=False):
        table.add_row(*left, *right)
    out.print(table)
    out.print()


def _show_restores(out: "Console", report: "AuditReport") -> None:
    """Print every restore, and the events that are known to be lost."""
    from fourcard.house.gap import describe_gap

    causes = {"restore": "a backup was restored", "rollback": "the database was older than before"}
    if report.restores:
        out.print("Restores: the house continued from an older state.")
    for each in report.restores:
        recorded = each.recorded
        rounds = ", ".join(f"round {number} at {table}" for table, number in recorded.voided) or "no round"
        what = f"{causes[recorded.cause]}; {plain(rounds)} void"
        out.print(f"- Restore {recorded.restore}, {each.moment}: {what}.")
        for line in describe_gap(recorded.lost):
            out.print(f"    {plain(line)}")
    if report.restores:
        out.print()


def _show_findings(out: "Console", findings: "tuple[Finding, ...]") -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("place", overflow="fold")
    table.add_column("check", style="bold red")
    table.add_column("finding", overflow="fold")
    for each in findings:
        table.add_row(plain(each.place), each.what, plain(each.sentence))
    out.print(table)

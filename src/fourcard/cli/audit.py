"""`fourcard audit`: everything rebuilt from a house's journal alone, and held against what is kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.solving import working

if TYPE_CHECKING:
    from rich.console import Console

    from fourcard.house.auditing.report import AuditReport, Finding

FOUND = 1
Progress = Callable[[int, int], None]
AnchorFile = Annotated[
    Path | None,
    typer.Option(
        "--anchor", metavar="FILE", help="An anchor of this house, from where nobody at it can change it."
    ),
]


def audit(database: Database = DATABASE, anchor: AnchorFile = None, json: Json = False) -> None:
    """Rebuild a house from its journal and verify everything; findings make the exit status 1."""
    from fourcard.house.auditing.audit import audit as audited
    from fourcard.house.signing import read_anchor
    from fourcard.house.store.sql import open_store

    held = None if anchor is None else read_anchor(anchor)
    store = open_store(database, writing=False)
    try:
        with telling("Auditing") as told:
            report = audited(store, held, told)
    finally:
        store.close()
    if json:
        _print(report, store.name)
    else:
        _show(report, store.name)
    if not report.clean:
        raise typer.Exit(FOUND)


@contextmanager
def telling(what: str) -> Iterator[Progress]:
    """Give what is told how many events are done of how many, and draws a bar on a terminal."""
    with working(what) as step:
        shown = 0.0

        def told(done: int, total: int) -> None:
            nonlocal shown
            share = done / total if total else 1.0
            step(share - shown)
            shown = share

        yield told


def _print(report: "AuditReport", name: str) -> None:
    """Print a report as scripts read it."""
    import msgspec

    from fourcard.provenance import fingerprint

    told = {
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
    print_json({**told, "fingerprint": fingerprint()})


def _show(report: "AuditReport", name: str) -> None:
    """Print a report for people."""
    from fourcard.provenance import fingerprint

    out = console()
    house = f"house {report.house}" if report.house else "a house that was never founded"
    out.print(f"[bold]Audit of {plain(name)}[/]: {plain(house)}")
    out.print(f"[dim]key {plain(report.public_key)}[/]\n" if report.public_key else "")
    out.print("Looked at, all of it worked out anew from the journal:")
    _show_counts(out, report)
    if report.findings:
        _show_findings(out, report.findings)
    more = f", and {report.unlisted:,} more of the same" if report.unlisted else ""
    found = f"[bold red]{len(report.findings):,} found{more}[/]"
    out.print(f"Findings: {'[green]none[/]' if report.clean else found}.\n")
    _show_restores(out, report)
    out.print("What this audit cannot exclude:")
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
    """Name every restore, and what is known of the gap that it left."""
    from fourcard.house.gap import describe_gap

    causes = {"restore": "a backup was restored", "rollback": "the database had been put back"}
    if report.restores:
        out.print("Restores: the house went on from an older state.")
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
    table.add_column("what", style="bold red")
    table.add_column("found", overflow="fold")
    for each in findings:
        table.add_row(plain(each.place), each.what, plain(each.sentence))
    out.print(table)

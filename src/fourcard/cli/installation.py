"""Installation command: `verify-install`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, escape_text, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fourcard.installation.verify import InstallReport

DIFFERENT = 1
ListFile = Annotated[
    Path | None,
    typer.Option("--list", metavar="FILE", help="A list of the release's files that was stored elsewhere."),
]
NoDependencies = Annotated[
    bool, typer.Option("--no-dependencies", help="Do not check the packages that fourcard needs.")
]


def verify_install(
    list_file: ListFile = None, no_dependencies: NoDependencies = False, json: Json = False
) -> None:
    """Compare every installed file and rulebook with the release; exit status 1 if something differs."""
    import msgspec

    from fourcard.fingerprints import fingerprint
    from fourcard.installation.verify import verify_installation

    report = verify_installation(list_file, dependencies=not no_dependencies)
    if json:
        print_json({"clean": report.clean, **msgspec.to_builtins(report), "fingerprint": fingerprint()})
    else:
        _show_report(report, fingerprint())
    if not report.clean:
        raise typer.Exit(DIFFERENT)


def _show_report(report: "InstallReport", fingerprint: str) -> None:
    out = console()
    where = f"a clone of the source code, {report.folder}" if report.clone else report.folder
    out.print(f"[bold]fourcard {report.version}[/] in {escape_text(where)}", soft_wrap=True)
    out.print(f"List    {escape_text(report.list_file)}", soft_wrap=True)
    out.print(f"SHA-256 {report.list_sha256}\n")
    for line in _count_lines(report):
        out.print(escape_text(line), soft_wrap=True)
    out.print()
    for each in report.findings:
        line = f"[bold red]{each.what}[/] {escape_text(each.where)}: {escape_text(each.sentence)}"
        out.print(line, soft_wrap=True)
    count = "[green]none[/]" if report.clean else f"[bold red]{len(report.findings):,} found[/]"
    out.print(f"Findings: {count}.\n")
    out.print("What this check cannot detect:")
    for sentence in report.cannot_detect:
        out.print(f"- {escape_text(sentence)}")
    out.print(f"\n[dim]{escape_text(fingerprint)}[/]")


def _count_lines(report: "InstallReport") -> "Iterator[str]":
    """Yield what was looked at."""
    yield f"{report.files:,} files of the release"
    yield f"{report.compiled:,} compiled files"
    for each in report.rulebooks:
        yield f"rulebook {each.id} {each.sha256} {'as released' if each.released else 'NOT as released'}"
    if report.own_rulebooks is not None:
        yield f"rulebooks of {report.own_rulebooks}: not part of the release, not checked"
    needed = report.dependencies
    if needed is None:
        yield "dependencies: not checked"
    else:
        yield f"{needed.packages:,} packages that fourcard needs, with {needed.files:,} files"
        others = f" ({', '.join(needed.other_packages)})" if needed.other_packages else ""
        yield f"{len(needed.other_packages):,} other packages{others}: files not checked"

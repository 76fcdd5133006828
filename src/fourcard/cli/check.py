"""Submission checks: the `check` and `paytables` commands."""

from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from fourcard.cli.output import Json, console, plain, print_json
from fourcard.cli.submission_argument import SubmissionName

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.rules.checks.finding import Finding
    from fourcard.rules.exposure import WorstLoss
    from fourcard.rules.game import Game
    from fourcard.rules.sign import Panel
    from fourcard.rules.submission import Submission

VIOLATED = 1


def check(submission: SubmissionName, json: Json = False) -> None:
    """Check a Rules Submission: every violation with its clause, and the worst-case loss of a round."""
    from fourcard.provenance import fingerprint
    from fourcard.rules import checking
    from fourcard.rules.duties import duties
    from fourcard.rules.examples import submission_named
    from fourcard.rules.exposure import worst_loss
    from fourcard.rules.game import resolve_game

    read = submission_named(submission)
    findings = checking.check(read)
    broken = any(finding.level == "error" for finding in findings)
    game = None if broken else resolve_game(read)
    loss = worst_loss(game) if game is not None else None
    with suppress(BrokenPipeError):
        if json:
            print_json(
                {
                    "submission": read.name,
                    "rulebook": read.rulebook,
                    "edition": _edition(read),
                    "valid": not broken,
                    "findings": [finding.answer() for finding in findings],
                    "worst_loss": loss.answer() if loss is not None else None,
                    "duties": [duty.answer() for duty in duties(game)] if game is not None else [],
                    "game": game.hash if game is not None else None,
                    "fingerprint": fingerprint(),
                }
            )
        else:
            _print_findings(read, findings)
            if game is not None and loss is not None:
                _print_game(game, loss)
            console().print(f"[dim]{fingerprint()}[/]")
    if broken:
        raise typer.Exit(VIOLATED)


def _edition(read: "Submission") -> str:
    from fourcard.rules.loading import rulebook

    return rulebook(read.rulebook, read.edition).edition


def _print_findings(read: "Submission", findings: "tuple[Finding, ...]") -> None:
    out = console()
    out.print(f"[bold]{plain(read.name)}[/]  [dim]{read.rulebook}, {_edition(read)} edition[/]")
    for finding in findings:
        style = "bold red" if finding.level == "error" else "yellow"
        clauses = " ".join(finding.refusal.clauses)
        out.print(
            f"[{style}]{finding.level}[/]  [bold]{plain(finding.where)}[/]  {plain(finding.refusal.message)}"
        )
        if clauses:
            out.print(f"         [dim]{clauses}[/]")
    errors = sum(finding.level == "error" for finding in findings)
    warnings = len(findings) - errors
    verdict = "[bold red]not valid[/]" if errors else "[bold green]valid[/]"
    out.print(f"{verdict}: {_count(errors, 'error')}, {_count(warnings, 'warning')}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print_game(game: "Game", loss: "WorstLoss") -> None:
    from fourcard.money import dollars
    from fourcard.rules.duties import duties
    from fourcard.rules.nodes import WAGER_LABELS

    out = console()
    if loss.total is None:
        names = ", ".join(WAGER_LABELS[name] for name in loss.unbounded)
        out.print(f"[bold]Worst-case loss[/] of a round: no limit, because {names} has no posted maximum.")
    else:
        parts = ", ".join(f"{WAGER_LABELS[name]} {dollars(cents)}" for name, cents in loss.by_wager.items())
        out.print(
            f"[bold]Worst-case loss[/]: one round costs the house at most [bold]{dollars(loss.total)}[/]"
        )
        out.print(f"[dim]{parts}; awards from the meter not counted[/]")
    for duty in duties(game):
        out.print(f"[dim]{duty.what}: {duty.who} ({' '.join(duty.clauses)})[/]")
    out.print(f"[dim]game {game.hash}[/]")


def paytables(submission: SubmissionName, json: Json = False) -> None:
    """Print the posted sign of a submission: what every wager pays, and its limits."""
    from fourcard.provenance import fingerprint
    from fourcard.rules.examples import submission_named
    from fourcard.rules.game import resolve_game
    from fourcard.rules.sign import sign

    game = resolve_game(submission_named(submission))
    panels = sign(game)
    if json:
        print_json(
            {
                "submission": game.submission.name,
                "rulebook": game.rulebook.id,
                "edition": game.rulebook.edition,
                "game": game.hash,
                "panels": [panel.answer() for panel in panels],
                "fingerprint": fingerprint(),
            }
        )
        return
    out = console()
    out.print(f"\n[bold]FOUR CARD POKER[/]  {plain(game.submission.operator.name)}")
    law = game.rulebook
    out.print(f"[dim]{plain(game.submission.name)}[/]")
    out.print(f"[dim]{law.authority}: {law.document}, {law.edition} edition[/]\n")
    for panel in panels:
        out.print(panel_table(panel))
        out.print(f"[dim]{' '.join(panel.clauses)}[/]\n")
    out.print(f"[dim]{fingerprint()}[/]")


def panel_table(panel: "Panel") -> "Table":
    """Return one panel of a posted sign as a table."""
    from rich import box
    from rich.table import Table

    caption = f"  {panel.limits}" if panel.limits else ""
    table = Table(
        box=box.SIMPLE_HEAD,
        title=f"[bold yellow]{panel.title}[/][dim]{caption}[/]",
        title_justify="left",
        show_header=len(panel.heads) > 1,
    )
    table.add_column("")
    for head in panel.heads:
        table.add_column(head, justify="right")
    for row, cells in panel.rows:
        table.add_row(row, *cells)
    return table

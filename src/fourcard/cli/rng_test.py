"""`fourcard rng-test`: the house's shuffles and the chance behind them, put to statistical tests."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, console, print_json
from fourcard.cli.solving import working
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.randomness.report import Report, Result

FAILED = 1
SHUFFLES = 100_000
LEVEL = 0.001
LEAST_SHOWN = 0.0001
Shuffles = Annotated[int, typer.Option(help="How many decks are shuffled, 2,000 to 1,000,000.")]
Seed = Annotated[
    int | None, typer.Option(help="Draw the secrets from this number, not from the operating system.")
]
Level = Annotated[float, typer.Option(help="How often a fair generator may fail any test at all.")]


def rng_test(
    shuffles: Shuffles = SHUFFLES, seed: Seed = None, level: Level = LEVEL, json: Json = False
) -> None:
    """Test shuffled decks, the generator's output and its entropy; a failed test makes the exit status 1."""
    from fourcard.house.ports import SeededEntropy, SystemEntropy
    from fourcard.house.randomness.report import examine
    from fourcard.house.randomness.sampling import HouseShuffler

    if seed is not None and seed < 0:
        raise BadInputError(f"A seed is a whole number from 0 on, not {seed}.")
    shuffler = HouseShuffler(SystemEntropy() if seed is None else SeededEntropy(seed))
    with working(f"Shuffling {shuffles:,} decks") as step:
        report = examine(shuffler, shuffles, level, step)
    if json:
        _print(report, seed)
    else:
        _show(report, seed)
    if not report.passed:
        raise typer.Exit(FAILED)


def _print(report: "Report", seed: int | None) -> None:
    """Print a report as scripts read it."""
    import msgspec

    from fourcard.house.fairness import ALGORITHM
    from fourcard.provenance import fingerprint

    told = msgspec.to_builtins(report)
    print_json({"algorithm": ALGORITHM, "seed": seed, **told, "fingerprint": fingerprint()})


def _show(report: "Report", seed: int | None) -> None:
    """Print a report for people."""
    from rich import box
    from rich.table import Table

    from fourcard.house.fairness import ALGORITHM
    from fourcard.provenance import fingerprint

    out = console()
    source = "entropy from the operating system" if seed is None else f"seed {seed}"
    out.print(f"[bold]{report.shuffles:,} shuffles[/] by {ALGORITHM}, {source}")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("test", overflow="fold")
    for head in ("observations", "statistic", "degrees", "p", "corrected p", ""):
        table.add_column(head, justify="right", overflow="fold")
    for number, each in enumerate(report.tests):
        if number and each.of != report.tests[number - 1].of:
            table.add_section()
        table.add_row(*_row(each))
    out.print(table)
    failed = len(report.failed)
    verdict = f"[bold red]{failed} failed[/]" if failed else "[green]all passed[/]"
    rule = f"a fair generator fails any of them in no more than one of {1 / report.level:,.4g} runs"
    out.print(f"{len(report.tests)} tests, {verdict}: {rule}.")
    out.print(f"[dim]{fingerprint()}[/]")


def _row(each: "Result") -> tuple[str, ...]:
    """Return the cells of one test; a statistic of no degrees is told in standard deviations."""
    if each.method in {"normal", "binomial"}:
        statistic = f"{each.statistic:+,.2f} sd"
    else:
        statistic = f"{each.statistic:,.{0 if each.method == 'count' else 1}f}"
    degrees = "" if each.degrees is None else f"{each.degrees:,}"
    verdict = "[green]passed[/]" if each.passed else "[bold red]FAILED[/]"
    return (
        f"{each.of}: {each.name}", f"{each.count:,}", statistic, degrees,
        _chance(each.p), _chance(each.corrected), verdict,
    )  # fmt: skip


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= LEAST_SHOWN or p == 0 else f"{p:.1e}"

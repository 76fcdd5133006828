"""Random number tests: the `rng-test` command tests shuffled decks, generator and entropy statistically."""

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
Shuffles = Annotated[int, typer.Option(help="Number of shuffled decks, 2,000 to 1,000,000.")]
Seed = Annotated[int | None, typer.Option(help="Use this seed, default entropy from the operating system.")]
Level = Annotated[float, typer.Option(help="Significance level: how often a fair generator fails any test.")]


def rng_test(
    shuffles: Shuffles = SHUFFLES, seed: Seed = None, level: Level = LEVEL, json: Json = False
) -> None:
    """Test shuffled decks, the generator's output and its entropy; exit status 1 if a test fails."""
    from fourcard.house.ports import SeededEntropy, SystemEntropy
    from fourcard.house.randomness.report import examine
    from fourcard.house.randomness.sampling import HouseShuffler

    if seed is not None and seed < 0:
        raise BadInputError(f"A seed is a whole number, 0 or more, not {seed}.")
    shuffler = HouseShuffler(SystemEntropy() if seed is None else SeededEntropy(seed))
    with working(f"Shuffling {shuffles:,} decks") as step:
        report = examine(shuffler, shuffles, level, step)
    if json:
        _print_rng_json(report, seed)
    else:
        _show_rng(report, seed)
    if not report.passed:
        raise typer.Exit(FAILED)


def _print_rng_json(report: "Report", seed: int | None) -> None:
    import msgspec

    from fourcard.house.fairness import ALGORITHM
    from fourcard.provenance import fingerprint

    results = msgspec.to_builtins(report)
    print_json({"algorithm": ALGORITHM, "seed": seed, **results, "fingerprint": fingerprint()})


def _show_rng(report: "Report", seed: int | None) -> None:
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
        table.add_row(*_test_row(each))
    out.print(table)
    failed = len(report.failed)
    verdict = f"[bold red]{failed} failed[/]" if failed else "[green]all passed[/]"
    rule = f"a fair generator fails any of them in at most one of {1 / report.level:,.4g} runs"
    out.print(f"{len(report.tests)} tests, {verdict}: {rule}.")
    out.print(f"[dim]{fingerprint()}[/]")


def _test_row(each: "Result") -> tuple[str, ...]:
    """Return the cells of one test; normal and binomial statistics are in standard deviations."""
    if each.method in {"normal", "binomial"}:
        statistic = f"{each.statistic:+,.2f} sd"
    else:
        statistic = f"{each.statistic:,.{0 if each.method == 'count' else 1}f}"
    degrees = "" if each.degrees is None else f"{each.degrees:,}"
    verdict = "[green]passed[/]" if each.passed else "[bold red]FAILED[/]"
    return (
        f"{each.of}: {each.name}", f"{each.count:,}", statistic, degrees,
        _p_value(each.p), _p_value(each.corrected), verdict,
    )  # fmt: skip


def _p_value(p: float) -> str:
    return f"{p:.4f}" if p >= LEAST_SHOWN or p == 0 else f"{p:.1e}"

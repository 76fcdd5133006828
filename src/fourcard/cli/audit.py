"""Audit commands: `audit`, `export`, `verify-shuffle` and `rng-test`."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import DATABASE, Database, Key
from fourcard.cli.output import (
    Json,
    console,
    escape_text,
    event_progress,
    new_table,
    print_json,
    printable,
    progress_bar,
    with_card_faces,
    write_lines,
)
from fourcard.cli.settle import REFUSED, STANDARD, File, open_rounds, read_all
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from rich.console import Console

    from fourcard.house.audit.auditor import AuditResult
    from fourcard.house.audit.report import AuditFinding, AuditReport, AuditStart
    from fourcard.house.audit.witness_check import WitnessSource
    from fourcard.house.fairness.own_seed import SeedUse
    from fourcard.house.fairness.receipts import PlayerReceipts
    from fourcard.house.fairness.rng_report import RngTestReport, RngTestResult
    from fourcard.house.fairness.shuffle_proof import Verdict, Verification
    from fourcard.house.head_signatures import HouseKey

AUDIT_FAILED = 1
AnchorFile = Annotated[
    Path | None,
    typer.Option("--anchor", metavar="FILE", help="An anchor of this house that was stored elsewhere."),
]
WitnessPlaces = Annotated[
    list[str] | None,
    typer.Option(
        "--witness",
        metavar="FOLDER|FILE|URL",
        help="A witness of this house: every head it ever got is compared; repeat for more.",
    ),
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="The checkpoint to go on from and to write, default next to the file, or house.checkpoint.",
    ),
]
Full = Annotated[bool, typer.Option("--full", help="Audit everything from the first event.")]


def audit(
    database: Database = DATABASE,
    anchor: AnchorFile = None,
    witness: WitnessPlaces = None,
    checkpoint: CheckpointFile = None,
    full: Full = False,
    key: Key = None,
    json: Json = False,
) -> None:
    """Verify a house by replaying its journal, from the last checkpoint on; exit status 1 with findings."""
    from fourcard.house.audit.auditor import OutsideEvidence, audit_from, audited_identity
    from fourcard.house.head_signatures import read_anchor
    from fourcard.house.house import key_beside, use_key
    from fourcard.house.store.address import open_store

    outside = OutsideEvidence(
        None if anchor is None else read_anchor(anchor), tuple(map(_witness_source, witness or ()))
    )
    place, file = key or key_beside(database), checkpoint or key_beside(database).with_suffix(".checkpoint")
    store = open_store(database, writing=False)
    try:
        signer = use_key(store, place, audited_identity)
        given = _read_checkpoint(file)
        with event_progress("Auditing") as progress:
            result = audit_from(store, given, full=full, outside=outside, progress=progress)
    finally:
        store.close()
    written = _write_checkpoint(result, place, signer, file)
    if json:
        _print_audit_json(result.report, store.name, written)
    else:
        _show_audit(result.report, store.name, written)
    if not result.report.clean:
        raise typer.Exit(AUDIT_FAILED)


def _witness_source(place: str) -> "WitnessSource":
    """Return a witness to compare with; a single file need not begin with the first statement."""
    from fourcard.house.audit.witness_check import WitnessSource
    from fourcard.house.witness_statements import WitnessFile, check_address, open_witness

    file = Path(place).expanduser()
    if file.is_file():
        return WitnessSource(place, WitnessFile(file), complete=False)
    return WitnessSource(place, open_witness(check_address(place)))


def _read_checkpoint(file: Path) -> bytes | None:
    """Return the content of a checkpoint file; None where there is none yet."""
    try:
        return file.read_bytes() if file.exists() else None
    except OSError as error:
        raise BadInputError(f"The checkpoint {file} cannot be read: {error.strerror}.") from None


def _write_checkpoint(
    result: "AuditResult", key: Path, signer: "HouseKey | None", file: Path
) -> dict[str, str]:
    """Write the next checkpoint where that is possible; return its file, or the reason why there is none."""
    from fourcard.documents.files import save_file
    from fourcard.house.audit.checkpoint import write_checkpoint
    from fourcard.house.clock_entropy import clock_for_reading
    from fourcard.house.store.address import OWNER_ONLY

    report = result.report
    if not report.clean:
        return {"reason": "There are findings."}
    if not key.exists():
        return {"reason": f"The key of the house is not at hand: there is no {key}."}
    if signer is None:
        return {"reason": f"{key} is not the key of the house, or an old one."}
    if result.checkpoint is None:
        return {"reason": "Some events are sealed, and this key does not open them."}
    try:
        now = clock_for_reading(key).now()
        save_file(file, [write_checkpoint(result.checkpoint, signer.signer(report.house), now)], OWNER_ONLY)
    except BadInputError as error:
        return {"reason": str(error)}
    return {"file": str(file)}


def _print_audit_json(report: "AuditReport", name: str, written: dict[str, str]) -> None:
    import msgspec

    from fourcard.fingerprints import fingerprint

    answer = {
        "database": name,
        "house": report.house,
        "public_key": report.public_key,
        "clean": report.clean,
        "start": msgspec.to_builtins(report.start),
        "counts": msgspec.to_builtins(report.counts),
        "findings": [{"where": str(each.place), **msgspec.to_builtins(each)} for each in report.findings],
        "unlisted": report.unlisted,
        "restores": msgspec.to_builtins(report.restores),
        "rotations": msgspec.to_builtins(report.rotations),
        "witnesses": msgspec.to_builtins(report.witnesses),
        "unreleased": list(report.unreleased),
        "cannot_exclude": list(report.cannot_exclude),
        "checkpoint": written,
    }
    print_json({**answer, "fingerprint": fingerprint()})


def _show_audit(report: "AuditReport", name: str, written: dict[str, str]) -> None:
    from fourcard.fingerprints import fingerprint

    out = console()
    house = f"house {report.house}" if report.house else "a house that was never founded"
    out.print(f"[bold]Audit of {escape_text(name)}[/]: {escape_text(house)}")
    out.print(f"[dim]key {escape_text(report.public_key)}[/]\n" if report.public_key else "")
    for line in _start_lines(report.start):
        out.print(escape_text(line))
    out.print("Checked by replaying the journal:")
    _show_counts(out, report)
    if report.findings:
        _show_findings(out, report.findings)
    more = f", and {report.unlisted:,} more like these" if report.unlisted else ""
    count = f"[bold red]{len(report.findings):,} found{more}[/]"
    out.print(f"Findings: {'[green]none[/]' if report.clean else count}.\n")
    _show_restores(out, report)
    if report.rotations:
        out.print("Rotations of the key, each signed with the key before:")
        out.print("".join(f"- {each.moment}: {each.public_key}\n" for each in report.rotations))
    for each in report.witnesses:
        statements = f"statements {each.first:,} to {each.last:,}, until {each.until}"
        out.print(f"Witness {escape_text(each.source)}: {statements if each.statements else 'nothing'}.\n")
    if report.unreleased:
        out.print("Rulebooks that are not part of the release:")
        out.print("".join(f"- {escape_text(each)}\n" for each in report.unreleased))
    out.print("What this audit cannot detect:")
    for sentence in report.cannot_exclude:
        out.print(f"- {escape_text(sentence)}")
    file, reason = written.get("file"), written.get("reason", "")
    told = f"No checkpoint was written. {reason}" if file is None else f"Checkpoint written: {file}"
    out.print(f"\n{escape_text(told)}")
    out.print(f"[dim]{fingerprint()}[/]")


def _start_lines(start: "AuditStart") -> "Iterator[str]":
    """Yield where an audit started, and what had been verified before."""
    if start.reason:
        yield f"The checkpoint was not used: {start.reason} Everything is audited from the first event."
    elif start.at is None:
        yield "From the first event."
    else:
        before = start.counts
        yield f"From the checkpoint of {start.moment}, signed with key {start.public_key}."
        yield (
            f"Verified before it: {start.events:,} events, {before.commands:,} commands, "
            f"{before.rounds:,} rounds, {before.transfers:,} transfers."
        )


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
    from fourcard.house.recovery import describe_gap

    causes = {"restore": "a backup was restored", "rollback": "the database was older than before"}
    if report.restores:
        out.print("Restores: the house continued from an older state.")
    for each in report.restores:
        recorded = each.recorded
        rounds = ", ".join(f"round {number} at {table}" for table, number in recorded.voided) or "no round"
        what = f"{causes[recorded.cause]}; {escape_text(rounds)} void"
        out.print(f"- Restore {recorded.restore}, {each.moment}: {what}.")
        for line in describe_gap(recorded.lost):
            out.print(f"    {escape_text(line)}")
    if report.restores:
        out.print()


def _show_findings(out: "Console", findings: "tuple[AuditFinding, ...]") -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("place", overflow="fold")
    table.add_column("check", style="bold red")
    table.add_column("finding", overflow="fold")
    for each in findings:
        table.add_row(escape_text(each.place), each.what, escape_text(each.sentence))
    out.print(table)


Table = Annotated[str | None, typer.Option("--table", help="Only the rounds of this table.")]
Since = Annotated[
    str | None,
    typer.Option(metavar="MOMENT", help="Only rounds that ended at this day or time (UTC) or later."),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the rounds to a new file.")]


def export(
    database: Database = DATABASE, table: Table = None, since: Since = None, output: Output = None
) -> None:
    """Write finished rounds as JSON lines for `fourcard settle` and `fourcard verify-shuffle`."""
    from collections import Counter

    import msgspec

    from fourcard.documents.files import check_new_file
    from fourcard.house.finished_rounds import export_rounds
    from fourcard.house.reports.formats import parse_time
    from fourcard.house.store.address import open_store

    left_out = Counter[str]()
    moment = None if since is None else parse_time(since)
    if output is not None:
        check_new_file(output, "an export")
    store = open_store(database, writing=False)
    try:
        with event_progress("Exporting") as progress:
            lines = export_rounds(store, table, moment, left_out, progress)
            count = write_lines((msgspec.json.encode(line) + b"\n" for line in lines), output)
    finally:
        store.close()
    print(_export_summary(count, left_out), file=sys.stderr)


def _export_summary(count: int, left_out: "Counter[str]") -> str:
    """Return a sentence with the number of exported rounds, and of those left out with the reasons."""
    exported = f"{_rounds(count)} exported"
    reasons = ", ".join(f"{number:,} {escape_text(reason)}" for reason, number in sorted(left_out.items()))
    return f"{exported}; {left_out.total():,} left out ({reasons})." if left_out else f"{exported}."


STYLES: "dict[Verdict, str]" = {
    "fair": "green",
    "committed only": "yellow",
    "not verifiable": "yellow",
    "false": "bold red",
}
Player = Annotated[
    str | None,
    typer.Option("--player", metavar="NAME", help="Judge whether the rounds were fair to this player."),
]
Receipts = Annotated[
    Path | None,
    typer.Option(
        "--receipts",
        metavar="FILE",
        help="The player's receipts, as the player's page or terminal kept them.",
    ),
]


def verify_shuffle(
    file: File = STANDARD, player: Player = None, receipts: Receipts = None, json: Json = False
) -> None:
    """Verify how the cards of exported rounds were shuffled; exit status 1 if a proof is false."""
    import msgspec

    from fourcard.fingerprints import fingerprint

    kept = _read_receipts(player, receipts)
    verdicts: Counter[Verdict] = Counter()
    uses: Counter[SeedUse | None] = Counter()
    out = console()
    for number, verification in _verify_lines(file, kept):
        verdicts[verification.verdict] += 1
        uses[verification.own_seed] += 1
        if json:
            print_json({"line": number, **msgspec.to_builtins(verification), "fingerprint": fingerprint()})
        else:
            _show_verification(out, number, verification)
    if not json:
        counts = ", ".join(f"[{style}]{verdicts[name]:,} {name}[/]" for name, style in STYLES.items())
        out.print(f"{_rounds(verdicts.total())}: {counts}.")
        if kept is not None:
            out.print(escape_text(_seed_summary(kept.player, uses)))
        out.print(f"[dim]{fingerprint()}[/]")
    if verdicts["false"]:
        raise typer.Exit(REFUSED)


def _read_receipts(player: str | None, file: Path | None) -> "PlayerReceipts | None":
    """Return the player's receipts, or None where no player is given."""
    from fourcard.house.fairness.receipts import read_receipts

    if player is None and file is None:
        return None
    if player is None or file is None:
        raise BadInputError("Give --player and --receipts together: a receipt is one player's.")
    return read_receipts(file, player)


def _seed_summary(player: str, uses: "Counter[SeedUse | None]") -> str:
    """Return a sentence that counts what became of the player's seeds."""
    counts = ", ".join(f"{uses[use]:,} {use}" for use in ("used", "withheld", "left out"))
    return f"Seeds of {printable(player)}: {counts}; {_rounds(uses[None])} without a receipt."


def _rounds(count: int) -> str:
    return f"{count:,} round{'' if count == 1 else 's'}"


def _verify_lines(file: Path, receipts: "PlayerReceipts | None") -> "Iterator[tuple[int, Verification]]":
    """Yield the verification of each round with its line number; an invalid line raises."""
    from fourcard.house.fairness.shuffle_proof import verify_proof
    from fourcard.refusal_codes import Code
    from fourcard.refusals import RefusedError, refuse
    from fourcard.settle_files.settle import line_too_long, read_lines

    empty = True
    with open_rounds(file) as source:
        for number, (text, _) in enumerate(read_all(read_lines(source), file), 1):
            if text is not None and not text.strip():
                continue
            empty = False
            try:
                if text is None:
                    raise RefusedError(line_too_long())
                verification = verify_proof(text, receipts)
            except BadInputError as error:
                raise BadInputError(f"There is no round to verify on line {number}: {error}") from None
            yield number, verification
    if empty:
        where = "standard input" if file == STANDARD else file
        raise RefusedError(refuse(Code.ROUND_UNKNOWN, wanted="on line 1", file=where))


def _show_verification(out: "Console", number: int, verification: "Verification") -> None:
    name = f"Line {number}" if verification.id is None else f"Round {verification.id}"
    shuffle = f", table {verification.table}, shuffle {verification.shuffle}"
    where = "" if verification.table is None else shuffle
    style = STYLES[verification.verdict]
    out.print(f"[bold]{escape_text(name)}[/]{escape_text(where)}: [{style}]{verification.verdict}[/]")
    for sentence in verification.findings:
        out.print("  ", with_card_faces(printable(sentence)), sep="")


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
    from fourcard.house.clock_entropy import SeededEntropy, SystemEntropy
    from fourcard.house.fairness.rng_report import run_rng_tests
    from fourcard.house.fairness.rng_tests import HouseShuffler

    if seed is not None and seed < 0:
        raise BadInputError(f"A seed is a whole number, 0 or more, not {seed}.")
    shuffler = HouseShuffler(SystemEntropy() if seed is None else SeededEntropy(seed))
    with progress_bar(f"Shuffling {shuffles:,} decks") as step:
        report = run_rng_tests(shuffler, shuffles, level, step)
    if json:
        _print_rng_json(report, seed)
    else:
        _show_rng(report, seed)
    if not report.passed:
        raise typer.Exit(FAILED)


def _print_rng_json(report: "RngTestReport", seed: int | None) -> None:
    import msgspec

    from fourcard.fingerprints import fingerprint
    from fourcard.house.shuffle_algorithm import ALGORITHM

    results = msgspec.to_builtins(report)
    print_json({"algorithm": ALGORITHM, "seed": seed, **results, "fingerprint": fingerprint()})


def _show_rng(report: "RngTestReport", seed: int | None) -> None:
    from fourcard.fingerprints import fingerprint
    from fourcard.house.shuffle_algorithm import ALGORITHM

    out = console()
    source = "entropy from the operating system" if seed is None else f"seed {seed}"
    out.print(f"[bold]{report.shuffles:,} shuffles[/] by {ALGORITHM}, {source}")
    table = new_table("test", ">observations", ">statistic", ">degrees", ">p", ">corrected p", ">")
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


def _test_row(each: "RngTestResult") -> tuple[str, ...]:
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

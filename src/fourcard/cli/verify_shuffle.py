"""Shuffle verification: the `verify-shuffle` command checks exported rounds against their revealed seeds."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fourcard.cli.output import Json, console, faces_in, plain, print_json, printable
from fourcard.cli.settle import REFUSED, STANDARD, File, open_rounds, read_all
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from rich.console import Console

    from fourcard.house.proof import Verdict, Verification

STYLES: "dict[Verdict, str]" = {"fair": "green", "unverifiable": "yellow", "false": "bold red"}


def verify_shuffle(file: File = STANDARD, json: Json = False) -> None:
    """Verify how the cards of exported rounds were shuffled; exit status 1 if a proof is false."""
    import msgspec

    from fourcard.provenance import fingerprint

    seen: Counter[Verdict] = Counter()
    out = console()
    for number, verification in _verify_lines(file):
        seen[verification.verdict] += 1
        if json:
            print_json({"line": number, **msgspec.to_builtins(verification), "fingerprint": fingerprint()})
        else:
            _show_verification(out, number, verification)
    if not json:
        counts = ", ".join(f"[{style}]{seen[name]:,} {name}[/]" for name, style in STYLES.items())
        out.print(f"{seen.total():,} round{'' if seen.total() == 1 else 's'}: {counts}.")
        out.print(f"[dim]{fingerprint()}[/]")
    if seen["false"]:
        raise typer.Exit(REFUSED)


def _verify_lines(file: Path) -> "Iterator[tuple[int, Verification]]":
    """Yield the verification of each round with its line number; an invalid line raises."""
    from fourcard.house.proof import verify
    from fourcard.lines.stream import lines_of, too_long
    from fourcard.refusals import Code, RefusedError, refuse

    empty = True
    with open_rounds(file) as source:
        for number, (text, _) in enumerate(read_all(lines_of(source), file), 1):
            if text is not None and not text.strip():
                continue
            empty = False
            try:
                if text is None:
                    raise RefusedError(too_long())
                verification = verify(text)
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
    out.print(f"[bold]{plain(name)}[/]{plain(where)}: [{style}]{verification.verdict}[/]")
    for sentence in verification.findings:
        out.print("  ", faces_in(printable(sentence)), sep="")

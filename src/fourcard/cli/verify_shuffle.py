"""`fourcard verify-shuffle`: exported rounds held against the secrets that their decks were shuffled from."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fourcard.cli.output import Json, console, faces_in, plain, print_json, printable
from fourcard.cli.settle import REFUSED, STANDARD, File, read_through, reading
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from rich.console import Console

    from fourcard.house.proof import Verdict, Verification

STYLES: "dict[Verdict, str]" = {"fair": "green", "unverifiable": "yellow", "false": "bold red"}


def verify_shuffle(file: File = STANDARD, json: Json = False) -> None:
    """Verify how the cards of exported rounds were shuffled; a false proof makes the exit status 1."""
    import msgspec

    from fourcard.provenance import fingerprint

    seen: Counter[Verdict] = Counter()
    out = console()
    for number, found in _verified(file):
        seen[found.verdict] += 1
        if json:
            print_json({"line": number, **msgspec.to_builtins(found), "fingerprint": fingerprint()})
        else:
            _show(out, number, found)
    if not json:
        counts = ", ".join(f"[{style}]{seen[name]:,} {name}[/]" for name, style in STYLES.items())
        out.print(f"{seen.total():,} round{'' if seen.total() == 1 else 's'}: {counts}.")
        out.print(f"[dim]{fingerprint()}[/]")
    if seen["false"]:
        raise typer.Exit(REFUSED)


def _verified(file: Path) -> "Iterator[tuple[int, Verification]]":
    """Yield what is found in each round, with the number of its line; what is no round stops it."""
    from fourcard.house.proof import verify
    from fourcard.lines.stream import lines_of, too_long
    from fourcard.refusals import Code, RefusedError, refuse

    none = True
    with reading(file) as source:
        for number, (text, _) in enumerate(read_through(lines_of(source), file), 1):
            if text is not None and not text.strip():
                continue
            none = False
            try:
                if text is None:
                    raise RefusedError(too_long())
                found = verify(text)
            except BadInputError as error:
                raise BadInputError(f"There is no round to verify on line {number}: {error}") from None
            yield number, found
    if none:
        where = "standard input" if file == STANDARD else file
        raise RefusedError(refuse(Code.ROUND_UNKNOWN, wanted="on line 1", file=where))


def _show(out: "Console", number: int, found: "Verification") -> None:
    name = f"Line {number}" if found.id is None else f"Round {found.id}"
    where = "" if found.table is None else f", table {found.table}, shuffle {found.shuffle}"
    style = STYLES[found.verdict]
    out.print(f"[bold]{plain(name)}[/]{plain(where)}: [{style}]{found.verdict}[/]")
    for sentence in found.findings:
        out.print("  ", faces_in(printable(sentence)), sep="")

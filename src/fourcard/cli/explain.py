"""Explanation: the `explain` command narrates one round's settlement, each sentence with its clauses."""

from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from fourcard.cli.output import Json, console, faces_in, plain, print_json, printable
from fourcard.cli.settle import STANDARD, File, open_rounds, read_all

Id = Annotated[str | None, typer.Option("--id", help="The round with this id, default the first.")]
Number = Annotated[int | None, typer.Option("--line", help="The round on this line, counted from 1.")]


def explain(file: File = STANDARD, id: Id = None, line: Number = None, json: Json = False) -> None:
    """Explain one round of a file: what the dealer does, says, takes and pays, each with its clause."""
    import msgspec

    from fourcard.lines.reading import read_round
    from fourcard.lines.telling import tell

    with open_rounds(file) as source:
        text = _find_line(source, file, id, line)
    explanation = tell(read_round(text))
    if json:
        print_json(msgspec.to_builtins(explanation))
        return
    out = console()
    out.print(f"[bold]{plain(explanation.title)}[/]")
    for sentence in explanation.sentences:
        out.print(faces_in(printable(sentence.text)), f"[dim]{' '.join(sentence.clauses)}[/]")
    out.print(f"[dim]{explanation.fingerprint}[/]")


def _find_line(source: BinaryIO, file: Path, wanted: str | None, number: int | None) -> bytes:
    """Return the line with an id or a number, or refuse."""
    from fourcard.lines.stream import lines_of, too_long
    from fourcard.refusals import Code, RefusedError, refuse

    for count, (text, _) in enumerate(read_all(lines_of(source), file), 1):
        if number is not None and number != count:
            continue
        if text is None and number is not None:
            raise RefusedError(too_long())
        if text is not None and text.strip() and (wanted is None or _has_id(text, wanted)):
            return text
    by_id = [] if wanted is None else [f"with id '{wanted}'"]
    by_line = [] if number is None and by_id else [f"on line {1 if number is None else number}"]
    which = " ".join([*by_line, *by_id])
    where = "standard input" if file == STANDARD else file
    raise RefusedError(refuse(Code.ROUND_UNKNOWN, wanted=which, file=where))


def _has_id(text: bytes, wanted: str) -> bool:
    from fourcard.lines.answering import name_of

    name = name_of(text)
    return name is not None and str(name) == wanted

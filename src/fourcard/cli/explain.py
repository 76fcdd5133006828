"""`fourcard explain`: one round's settlement as a dealer would say it, each sentence with its clauses."""

from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from fourcard.cli.output import Json, console, faces_in, plain, print_json, printable
from fourcard.cli.settle import STANDARD, File, read_through, reading

Id = Annotated[str | None, typer.Option("--id", help="The round with this id; the first one otherwise.")]
Number = Annotated[int | None, typer.Option("--line", help="The round on this line, counted from 1.")]


def explain(file: File = STANDARD, id: Id = None, line: Number = None, json: Json = False) -> None:
    """Explain one round of a file: what the dealer does, says, takes and pays, with the clause of each."""
    import msgspec

    from fourcard.lines.reading import read_round
    from fourcard.lines.telling import tell

    with reading(file) as source:
        text = _wanted(source, file, id, line)
    told = tell(read_round(text))
    if json:
        print_json(msgspec.to_builtins(told))
        return
    out = console()
    out.print(f"[bold]{plain(told.title)}[/]")
    for sentence in told.sentences:
        out.print(faces_in(printable(sentence.text)), f"[dim]{' '.join(sentence.clauses)}[/]")
    out.print(f"[dim]{told.fingerprint}[/]")


def _wanted(source: BinaryIO, file: Path, wanted: str | None, number: int | None) -> bytes:
    """Return the line that was asked for, or refuse."""
    from fourcard.lines.stream import lines_of, too_long
    from fourcard.refusals import Code, RefusedError, refuse

    for count, (text, _) in enumerate(read_through(lines_of(source), file), 1):
        if number is not None and number != count:
            continue
        if text is None and number is not None:
            raise RefusedError(too_long())
        if text is not None and text.strip() and (wanted is None or _is_named(text, wanted)):
            return text
    named = [] if wanted is None else [f"with id '{wanted}'"]
    placed = [] if number is None and named else [f"on line {1 if number is None else number}"]
    which = " ".join([*placed, *named])
    where = "standard input" if file == STANDARD else file
    raise RefusedError(refuse(Code.ROUND_UNKNOWN, wanted=which, file=where))


def _is_named(text: bytes, wanted: str) -> bool:
    from fourcard.lines.answering import name_of

    name = name_of(text)
    return name is not None and str(name) == wanted

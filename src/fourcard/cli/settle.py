"""Settle-file commands: `settle` settles finished rounds, `explain` narrates one."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, BinaryIO, TextIO, TypeVar

import typer

from fourcard.cli.output import Json, console, escape_text, print_json, printable, with_card_faces
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.settle_files.settle import AnsweredLine

REFUSED = 1
STANDARD = Path("-")
T = TypeVar("T")
EVERY = 256
"""Lines between two updates of the progress bar."""
File = Annotated[Path, typer.Argument(help="Rounds as JSON lines; default '-', standard input.")]
OptionalFile = Annotated[
    Path | None,
    typer.Argument(help="Rounds as JSON lines, or a kit to check; default '-', standard input."),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the answers to a file.")]
Kit = Annotated[bool, typer.Option("--kit", help="Print the laboratory's kit: rounds and answers.")]
Check = Annotated[bool, typer.Option("--check", help="Run the laboratory's kit of test rounds instead.")]


def settle(
    file: OptionalFile = None,
    output: Output = None,
    check: Check = False,
    kit: Kit = False,
    json: Json = False,
) -> None:
    """Settle finished rounds, one JSON object per line in and out; exit status 1 if a line is refused."""
    if kit:
        from fourcard.settle_files.lab_kit import kit_text

        _binary(sys.stdout, "standard output").write(kit_text())
        return
    if check:
        if output is not None:
            raise BadInputError("--check writes no answers; leave out --output.")
        _check_kit(file, json=json)
        return
    from fourcard.settle_files.settle import settle_stream

    file, refused = file or STANDARD, False
    with (
        open_rounds(file) as source,
        _open_sink(output, source) as sink,
        _line_progress(source, output) as update,
    ):
        write, flush = sink.write, _flusher(source, sink)
        for answered in read_all(settle_stream(source), file):
            write(answered.text)
            flush()
            refused |= answered.refused
            update(answered)
    if refused:
        raise typer.Exit(REFUSED)


@contextmanager
def open_rounds(file: Path) -> Iterator[BinaryIO]:
    """Open a file of rounds, or standard input."""
    if file == STANDARD:
        yield _binary(sys.stdin, "standard input")
        return
    try:
        opened = file.open("rb")
    except OSError as error:
        raise _unreadable(file, error.strerror or "it cannot be opened") from None
    with opened:
        yield opened


def read_all(items: Iterator[T], file: Path) -> Iterator[T]:
    """Yield items read from a file; a read error becomes a refusal that names the file."""
    try:
        yield from items
    except OSError as error:
        raise _unreadable(file, error.strerror or "it breaks off") from None


@contextmanager
def _open_sink(output: Path | None, source: BinaryIO) -> Iterator[BinaryIO]:
    if output is None:
        if _same(sys.stdout, source):
            raise _unwritable("standard output", "it is also the input")
        yield _binary(sys.stdout, "standard output")
        return
    try:
        opened = output.open("ab")
        if _same(opened, source):
            raise _unwritable(output, "it is also the input")
        if stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            opened.truncate(0)
    except OSError as error:
        raise _unwritable(output, error.strerror or "it cannot be opened") from None
    with opened:
        yield opened


def _binary(stream: TextIO, name: str) -> BinaryIO:
    """Return the binary buffer of a standard stream, or refuse a closed one."""
    if not hasattr(stream, "buffer"):
        raise BadInputError(f"{name.capitalize()} is closed.")
    return stream.buffer


def _same(sink: IO[Any], source: BinaryIO) -> bool:
    """Return whether the answers would be written to the file that the rounds are read from."""
    try:
        target, origin = os.fstat(sink.fileno()), os.fstat(source.fileno())
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(target.st_mode) and os.path.samestat(target, origin)


def _unreadable(file: Path, reason: str) -> Exception:
    from fourcard.refusal_codes import Code
    from fourcard.refusals import RefusedError, refuse

    name = "standard input" if file == STANDARD else file
    return RefusedError(refuse(Code.FILE_UNREADABLE, file=name, reason=_lower(reason)))


def _unwritable(output: Path | str, reason: str) -> Exception:
    return BadInputError(f"{output} cannot be written: {_lower(reason)}.")


def _lower(reason: str) -> str:
    return reason[:1].lower() + reason[1:]


def _flusher(source: BinaryIO, sink: BinaryIO) -> Callable[[], None]:
    """Return a function that flushes after each answer, unless the input is a regular file."""
    try:
        whole_file = stat.S_ISREG(os.fstat(source.fileno()).st_mode)
    except (OSError, ValueError):
        whole_file = True
    return (lambda: None) if whole_file else sink.flush


@contextmanager
def _line_progress(source: BinaryIO, output: Path | None) -> Iterator[Callable[["AnsweredLine"], None]]:
    """Show a progress bar on a terminal, unless the answers are printed there."""
    if not sys.stderr.isatty() or (output is None and sys.stdout.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    try:
        size = os.fstat(source.fileno()).st_size or None
    except (OSError, ValueError):
        size = None
    columns = (TextColumn("settling"), BarColumn(), TextColumn("{task.fields[rounds]:,} rounds"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("settling", total=size, rounds=0)
        rounds = read = 0

        def update(answered: "AnsweredLine") -> None:
            nonlocal rounds, read
            rounds, read = rounds + 1, read + answered.read
            if rounds % EVERY == 0:
                bar.update(task, completed=read, rounds=rounds)

        yield update


def _check_kit(file: Path | None, *, json: bool) -> None:
    """Run a kit and print what differs."""
    import msgspec

    from fourcard.fingerprints import fingerprint
    from fourcard.settle_files.lab_kit import kit_differences, kit_text, read_kit

    if file is None:
        head, rounds = read_kit(kit_text(), "the kit")
    else:
        with open_rounds(file) as source:
            text = b"".join(read_all(iter(source), file))
        head, rounds = read_kit(text, str(file))
    differing = [each for each in kit_differences(head, rounds) if each is not None]
    unexplained = [each for each in differing if not each.ruling]
    if json:
        answer = {"kit": head.kit, "rounds": len(rounds), "differences": msgspec.to_builtins(differing)}
        print_json({**answer, "fingerprint": fingerprint()})
    else:
        out = console()
        for each in differing:
            verdict = f"[yellow]changed by {each.ruling}[/]" if each.ruling else "[red]differs[/]"
            out.print(f"{verdict} {escape_text(each.shows)}")
            for change in each.changes:
                expected, actual = _json_text(change.expected), _json_text(change.given)
                out.print(
                    f"  {escape_text(change.at)}: expected {escape_text(expected)}, got {escape_text(actual)}"
                )
        verdict = f"[red]{len(unexplained)} differ[/]" if unexplained else "[green]all as expected[/]"
        if changed := len(differing) - len(unexplained):
            verdict += f", {changed} changed by rulings since"
        out.print(f"Kit {head.kit}: {len(rounds):,} rounds, {verdict}.\n[dim]{fingerprint()}[/]")
    if unexplained:
        raise typer.Exit(REFUSED)


def _json_text(value: object) -> str:
    """Return a value as JSON text."""
    import msgspec

    return "nothing" if value is None else msgspec.json.encode(value).decode()


Id = Annotated[str | None, typer.Option("--id", help="The round with this id, default the first.")]
Number = Annotated[int | None, typer.Option("--line", help="The round on this line, counted from 1.")]


def explain(file: File = STANDARD, id: Id = None, line: Number = None, json: Json = False) -> None:
    """Explain one round of a file: what the dealer does, says, takes and pays, each with its clause."""
    import msgspec

    from fourcard.settle_files.explain import explain_round
    from fourcard.settle_files.reader import read_round

    with open_rounds(file) as source:
        text = _find_line(source, file, id, line)
    explanation = explain_round(read_round(text))
    if json:
        print_json(msgspec.to_builtins(explanation))
        return
    out = console()
    out.print(f"[bold]{escape_text(explanation.title)}[/]")
    for sentence in explanation.sentences:
        out.print(with_card_faces(printable(sentence.text)), f"[dim]{' '.join(sentence.clauses)}[/]")
    out.print(f"[dim]{explanation.fingerprint}[/]")


def _find_line(source: BinaryIO, file: Path, wanted: str | None, number: int | None) -> bytes:
    """Return the line with an id or a number, or refuse."""
    from fourcard.refusal_codes import Code
    from fourcard.refusals import RefusedError, refuse
    from fourcard.settle_files.settle import line_too_long, read_lines

    for count, (text, _) in enumerate(read_all(read_lines(source), file), 1):
        if number is not None and number != count:
            continue
        if text is None and number is not None:
            raise RefusedError(line_too_long())
        if text is not None and text.strip() and (wanted is None or _has_id(text, wanted)):
            return text
    by_id = [] if wanted is None else [f"with id '{wanted}'"]
    by_line = [] if number is None and by_id else [f"on line {1 if number is None else number}"]
    which = " ".join([*by_line, *by_id])
    where = "standard input" if file == STANDARD else file
    raise RefusedError(refuse(Code.ROUND_UNKNOWN, wanted=which, file=where))


def _has_id(text: bytes, wanted: str) -> bool:
    from fourcard.settle_files.settle import line_id

    name = line_id(text)
    return name is not None and str(name) == wanted

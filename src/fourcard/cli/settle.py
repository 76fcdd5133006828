"""`fourcard settle`: finished rounds settled from a file or standard input, and the laboratory's kit."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, BinaryIO, TextIO, TypeVar

import typer

from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.lines.stream import Answered

REFUSED = 1
STANDARD = Path("-")
T = TypeVar("T")
EVERY = 256
"""Lines between two movements of the progress bar."""
File = Annotated[Path, typer.Argument(help="Rounds as JSON lines; '-' or nothing reads standard input.")]
OptionalFile = Annotated[
    Path | None,
    typer.Argument(help="Rounds as JSON lines, or a kit to check; '-' or nothing reads standard input."),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the answers to a file.")]
Kit = Annotated[bool, typer.Option("--kit", help="Print the laboratory's kit, rounds and answers.")]
Check = Annotated[bool, typer.Option("--check", help="Run the laboratory's kit of test rounds instead.")]


def settle(
    file: OptionalFile = None,
    output: Output = None,
    check: Check = False,
    kit: Kit = False,
    json: Json = False,
) -> None:
    """Settle finished rounds, one JSON object a line in and out; refused lines make the exit status 1."""
    if kit:
        from fourcard.lines.kit import kit_text

        _binary(sys.stdout, "standard output").write(kit_text())
        return
    if check:
        if output is not None:
            raise BadInputError("--check writes no answers, so that --output has nothing to hold.")
        _check(file, json=json)
        return
    from fourcard.lines.stream import answers

    file, refused = file or STANDARD, False
    with reading(file) as source, _writing(output, source) as sink, _progress(source, output) as moved:
        write, flush = sink.write, _flusher(source, sink)
        for answered in read_through(answers(source), file):
            write(answered.text)
            flush()
            refused |= answered.refused
            moved(answered)
    if refused:
        raise typer.Exit(REFUSED)


@contextmanager
def reading(file: Path) -> Iterator[BinaryIO]:
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


def read_through(found: Iterator[T], file: Path) -> Iterator[T]:
    """Pass on what is read from a file; where reading fails, say so and blame nothing else."""
    try:
        yield from found
    except OSError as error:
        raise _unreadable(file, error.strerror or "it breaks off") from None


@contextmanager
def _writing(output: Path | None, source: BinaryIO) -> Iterator[BinaryIO]:
    if output is None:
        if _same(sys.stdout, source):
            raise _unwritable("standard output", "the rounds are read from it")
        yield _binary(sys.stdout, "standard output")
        return
    try:
        opened = output.open("ab")
        if _same(opened, source):
            raise _unwritable(output, "the rounds are read from it")
        if stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            opened.truncate(0)
    except OSError as error:
        raise _unwritable(output, error.strerror or "it cannot be opened") from None
    with opened:
        yield opened


def _binary(stream: TextIO, name: str) -> BinaryIO:
    """Return the bytes behind a standard stream, or refuse one that is closed."""
    if not hasattr(stream, "buffer"):
        raise BadInputError(f"{name.capitalize()} is closed.")
    return stream.buffer


def _same(sink: IO[Any], source: BinaryIO) -> bool:
    """Say whether answers would go into the very file that the rounds come from, and be read as rounds."""
    try:
        one, other = os.fstat(sink.fileno()), os.fstat(source.fileno())
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(one.st_mode) and os.path.samestat(one, other)


def _unreadable(file: Path, reason: str) -> Exception:
    from fourcard.refusals import Code, RefusedError, refuse

    name = "standard input" if file == STANDARD else file
    return RefusedError(refuse(Code.FILE_UNREADABLE, file=name, reason=_lower(reason)))


def _unwritable(output: Path | str, reason: str) -> Exception:
    return BadInputError(f"{output} cannot be written: {_lower(reason)}.")


def _lower(reason: str) -> str:
    return reason[:1].lower() + reason[1:]


def _flusher(source: BinaryIO, sink: BinaryIO) -> Callable[[], None]:
    """Return what follows each answer: whoever writes lines by hand or through a pipe waits for them."""
    try:
        whole_file = stat.S_ISREG(os.fstat(source.fileno()).st_mode)
    except (OSError, ValueError):
        whole_file = True
    return (lambda: None) if whole_file else sink.flush


@contextmanager
def _progress(source: BinaryIO, output: Path | None) -> Iterator[Callable[["Answered"], None]]:
    """Show a bar on a terminal, unless the answers themselves go there."""
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

        def moved(answered: "Answered") -> None:
            nonlocal rounds, read
            rounds, read = rounds + 1, read + answered.read
            if rounds % EVERY == 0:
                bar.update(task, completed=read, rounds=rounds)

        yield moved


def _check(file: Path | None, *, json: bool) -> None:
    """Run a kit and say what differs."""
    from fourcard.lines.kit import differences, kit_text, read_kit
    from fourcard.provenance import fingerprint

    if file is None:
        head, rounds = read_kit(kit_text(), "the kit")
    else:
        with reading(file) as source:
            text = b"".join(read_through(iter(source), file))
        head, rounds = read_kit(text, str(file))
    found = [each for each in differences(rounds) if each is not None]
    if json:
        answer = {"kit": head.kit, "rounds": len(rounds), "differences": [_told(each) for each in found]}
        print_json({**answer, "fingerprint": fingerprint()})
    else:
        out = console()
        for each in found:
            out.print(f"[red]differs[/] {plain(each.shows)}")
            for change in each.changes:
                expected, given = _shown(change.expected), _shown(change.given)
                out.print(f"  {plain(change.at)}: expected {plain(expected)}, given {plain(given)}")
        verdict = f"[red]{len(found)} differ[/]" if found else "[green]all as expected[/]"
        out.print(f"Kit {head.kit}: {len(rounds):,} rounds, {verdict}.\n[dim]{fingerprint()}[/]")
    if found:
        raise typer.Exit(REFUSED)


def _shown(value: object) -> str:
    """Return one value of an answer as JSON writes it."""
    import msgspec

    return "nothing" if value is None else msgspec.json.encode(value).decode()


def _told(each: object) -> object:
    import msgspec

    return msgspec.to_builtins(each)

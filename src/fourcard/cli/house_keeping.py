"""House maintenance: the `house` commands `anchor`, `backup`, `upgrade` and `security`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import (
    DATABASE,
    Database,
    Key,
    house_open,
    key_of,
    reading_house,
)
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.store.contract import Store
    from fourcard.house.store.copying import Copied, Progress

LAST, MOST = 50, 1_000_000
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the anchor to a new file.")]
Last = Annotated[int, typer.Option(min=1, max=MOST, help="Number of entries, newest first.")]
ToFile = Annotated[Path, typer.Argument(help="The file of the backup; it must not exist yet.")]


def anchor(output: Output = None, database: Database = DATABASE, key: Key = None) -> None:
    """Sign the current head of every stream, to be stored where nobody at the house can change it."""
    import msgspec

    from fourcard.documents.files import check_new, save
    from fourcard.house.gap import figures_of
    from fourcard.house.guarded_clock import clock_for_reading
    from fourcard.house.house import key_beside, standing
    from fourcard.house.reports.founding import founding

    if output is not None:
        check_new(output, "an anchor")
    with reading_house(database) as reading:
        founded, signer = founding(reading), key_of(database, key)
        assert founded is not None
        if founded.public_key != signer.public:
            raise BadInputError("This is not the key of the house. Give its own key with --key.")
        now = clock_for_reading(key or key_beside(database)).now()
        heads, figures = standing(reading.streams()), figures_of(reading)
        signed = signer.anchor(founded.house, now, heads, figures)
    text = msgspec.json.encode(signed) + b"\n"
    if output is None:
        print(text.decode(), end="")
        return
    save(output, [text])
    print(f"{output} holds the heads of {len(signed.heads):,} streams.")


def backup(file: ToFile, database: Database = DATABASE) -> None:
    """Copy a house into a new file as it is at one moment, even while it runs; its key is not included."""
    part = _partial_file(file)
    try:
        copied = _copy(database, str(part))
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    print(f"{file} holds the house: {copied_text(copied)}.")


def _partial_file(file: Path) -> Path:
    """Return the temporary file of a backup, or refuse to overwrite an existing file."""
    from fourcard.documents.files import check_new

    check_new(file, "a backup")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    return part


def _copy(source: str, target: str) -> "Copied":
    """Copy a consistent snapshot into an empty database."""
    from fourcard.house.store.copying import copy_house

    with copying(source, target) as (house, copy, progress):
        return copy_house(house, copy, progress)


@contextmanager
def copying(source: str, target: str) -> "Iterator[tuple[Store, Store, Progress | None]]":
    """Open a house and an empty database to copy it to; only the owner can read a new file."""
    from fourcard.house.store.house_files import file_of, make_private
    from fourcard.house.store.sql import open_store

    with ExitStack() as stack:
        house = open_store(source, writing=False)
        stack.callback(house.close)
        make_private(file_of(target))
        copy = open_store(target)
        stack.callback(copy.close)
        yield house, copy, stack.enter_context(_copy_progress())


@contextmanager
def _copy_progress() -> Iterator[Callable[[str, int], None] | None]:
    """Show on a terminal how much has been copied."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("Copying ...") as status:
        yield lambda what, done: status.update(f"Copying: {done:,} {what}")


def copied_text(copied: "Copied") -> str:
    """Return how much was copied."""
    return f"{copied.streams:,} streams, {copied.events:,} events, {copied.transfers:,} transfers"


def upgrade(database: Database = DATABASE, key: Key = None) -> None:
    """Migrate the database of a house to this version of the program; make a backup first."""
    with house_open(database, key) as house:
        print(f"{house.store.name} is up to date.")


def security(last: Last = LAST, database: Database = DATABASE, json: Json = False) -> None:
    """Show the security log, newest first: refused commands, sign-ins and failures."""
    import msgspec
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment

    with reading_house(database) as reading:
        notes = reading.security_notes(last)
    if json:
        print_json([{**msgspec.to_builtins(note), "moment": moment(note.at)} for note in notes])
        return
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("time (UTC)", "who", "what", "why"):
        table.add_column(head, overflow="fold")
    table.add_column("repeated", justify="right")
    for note in notes:
        repeated = f"{note.repeated:,}" if note.repeated else ""
        table.add_row(moment(note.at), plain(note.by), plain(note.what), plain(note.reason), repeated)
    console().print(table)

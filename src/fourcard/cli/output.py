"""Input and output of commands: money arguments, JSON, tables, cards and progress bars."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_type_hints

import typer
from msgspec import UNSET

from fourcard.cards import RANKS, parse_card, rank_of, suit_of
from fourcard.money import MoneyError, dollars, parse_dollars
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod, RenderableType
    from rich.table import Column as TableColumn
    from rich.table import Table
    from rich.text import Text

    from fourcard.odds.progress import ProgressCallback

SUBMISSION = "A submission file, or the name of an example such as 'maryland'."
SubmissionName = Annotated[str, typer.Argument(metavar="SUBMISSION", help=SUBMISSION)]


_BARE = re.compile(r"[0-9][0-9,]{0,30}")
"""A whole number without a unit; the units are ``$`` or a decimal point for dollars, ``c`` for cents."""
MAX_DIGITS = 20
"""More digits than any amount has."""
BareNumber = Literal["cents", "dollars", "refused"]
"""What a whole number without a unit means."""
HINTS: dict[BareNumber, str] = {
    "cents": "write cents, or dollars like '$20,000'",
    "dollars": "write it like 25, $1,000 or 2.50",
    "refused": "write it like '$50', '50.00' or '5000c'",
}


def cents_option(*, help: str) -> Any:
    """Return an option that takes an amount in cents."""
    return typer.Option(metavar="CENTS", help=f"{help} Cents, or dollars like '$5'.")


def parse_cents(text: str, *, signed: bool = False) -> int:
    """Parse an option in cents: ``2000000`` or ``$20,000``."""
    return _amount(text, "cents", signed=signed)


def parse_money(text: str, *, signed: bool = False) -> int:
    """Parse an amount with its unit into cents: ``$50``, ``50.00``, ``1.5`` or ``5000c``."""
    return _amount(text, "refused", signed=signed)


def parse_typed_dollars(text: str) -> int:
    """Parse an answer in dollars into cents: ``25``, ``$1,000`` or ``2.50``."""
    return _amount(text, "dollars")


def _amount(text: str, bare: BareNumber, *, signed: bool = False) -> int:
    """Parse an amount into cents, or raise MoneyError for invalid text or an amount out of range."""
    from fourcard.rules.line_options import MAX_CENTS

    size, sign = text.removeprefix("-"), "-" if text.startswith("-") else ""
    if bare == "refused" and _BARE.fullmatch(size):
        number = size.replace(",", "")
        raise MoneyError(f"{text!r} has no unit; write '{sign}${number}' or '{sign}{number}c'.")
    try:
        amount = _unsigned(size, bare)
    except MoneyError:
        raise MoneyError(f"{text!r} is not an amount; {HINTS[bare]}.") from None
    if amount > MAX_CENTS or (sign and not signed):
        raise MoneyError(f"{text!r} is not an amount from $0 to ten billion dollars.")
    return -amount if sign else amount


def _unsigned(text: str, bare: BareNumber) -> int:
    """Parse an amount without a sign; one digit after the decimal point is accepted."""
    if text.endswith("c"):
        return _whole(text.removesuffix("c"))
    if bare == "cents" and not text.startswith("$"):
        return _whole(text)
    return parse_dollars("$" + re.sub(r"(\.[0-9])$", r"\g<1>0", text.removeprefix("$")))


def _whole(text: str) -> int:
    """Parse a number of at most MAX_DIGITS plain digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise MoneyError(f"{text!r} is not a whole number.")
    return int(text)


Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
WIDE_COLUMNS = 120
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
SUIT_SIGNS = "♣♦♥♠"
SUIT_STYLES = ("green", "blue", "red", "bold")


def command_group(name: str, help: str, **options: Any) -> typer.Typer:
    """Return an empty group of commands that prints its help if no command is given."""
    group = typer.Typer(name=name, help=help, context_settings=HELP_OPTIONS, **options)
    group.callback(invoke_without_command=True)(print_help)
    return group


def print_help(context: typer.Context) -> None:
    """Print the help if no command is given."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def print_json(answer: object) -> None:
    """Print one answer as one line of JSON."""
    from fourcard.answers import json_data

    print(json.dumps(json_data(answer)))


Rows = TypeVar("Rows", bound=Sequence[Any])


def print_rows(rows: Rows, show: Callable[[Rows], None], empty: str = "", *, json: bool) -> None:
    """Print rows as JSON for scripts, or show them to people; ``empty`` says that there are none."""
    if json:
        print_json(rows)
    elif empty and not rows:
        console().print(empty)
    else:
        show(rows)


def write_lines(lines: Iterable[bytes], output: Path | None) -> int:
    """Write lines to a new file, atomically, or to standard output; return their number."""
    from fourcard.documents.files import save_file

    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in lines:
            count += 1
            yield line

    if output is not None:
        save_file(output, counted())
    elif hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.writelines(counted())
    else:
        raise BadInputError("Standard output is closed.")
    return count


def console() -> "Console":
    """Return the Rich console; output that does not go to a terminal is WIDE columns wide."""
    from rich.console import Console

    class PlainConsole(Console):
        """A console that lets the command line handle a closed pipe."""

        def on_broken_pipe(self) -> None:
            """Raise, instead of exiting."""
            raise BrokenPipeError

    return PlainConsole(highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDE_COLUMNS)


def new_table(*heads: str, **options: Any) -> "Table":
    """Return an empty table with these columns; ``>`` before a head aligns its figures to the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title_justify="left", **options)
    for head in heads:
        table.add_column(
            head.removeprefix(">"), justify="right" if head.startswith(">") else "left", overflow="fold"
        )
    return table


Column = str | tuple[str, str | Callable[[Any], "RenderableType"]]
"""A field, or a head with a field or with a function from a struct to its cell."""


def struct_table(rows: Iterable[Any], *columns: Column, total: Any = None, **options: Any) -> "Table":
    """Return a table with a row for each struct and a column for each field, formatted by the field's type.

    The fields of a total stand below the columns.
    """
    listed = [*rows]
    table = new_table(show_footer=total is not None, **options)
    every = [*listed] if total is None else [*listed, total]
    types = {id(type(row)): get_type_hints(type(row), include_extras=True) for row in every}

    def cell(row: Any, source: str | Callable[[Any], "RenderableType"]) -> "RenderableType":
        if not isinstance(source, str):
            return source(row)
        return format_value(getattr(row, source), _unit_of(types[id(type(row))].get(source)))

    sources = []
    for column in columns:
        head, source = column if isinstance(column, tuple) else (column.replace("_", " "), column)
        figures = isinstance(source, str) and any(_is_figure(getattr(row, source)) for row in listed)
        justify: JustifyMethod = "right" if figures or head.startswith(">") else "left"
        foot = "" if total is None else cell(total, source)
        table.add_column(head.removeprefix(">"), foot, justify=justify, overflow="fold")
        sources.append(source)
    for row in listed:
        table.add_row(*(cell(row, source) for source in sources))
    return table


def keep_times_whole(table: "Table") -> "Table":
    """Keep the times in the first column of a table on one line."""
    table.columns[0].no_wrap, table.columns[0].overflow = True, "ellipsis"
    return table


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)


def _unit_of(annotation: Any) -> str:
    """Return the unit of a field: that of its type, or of one of the types in its union."""
    if metadata := getattr(annotation, "__metadata__", ()):
        return str(metadata[0])
    return next(filter(None, map(_unit_of, get_args(annotation))), "")


def format_value(value: object, unit: str = "") -> str:
    """Return a value as the text of a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Fraction):
        return _format_figure(value, unit)
    if value is None or value is UNSET:
        return ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(format_value(each, unit) for each in value)
    return escape_text(str(value).replace("_", " ") if unit == "words" else value)


def _format_figure(figure: float | Fraction, unit: str) -> str:
    from fourcard.house.reports.formats import exact_dollars

    if isinstance(figure, int):
        return {"cents": dollars, "units": exact_dollars}.get(unit, "{:,}".format)(figure)
    return f"{float(figure):.4%}" if isinstance(figure, Fraction) else f"{figure:.4f}"


def print_table(out: "Console", table: "Table") -> None:
    """Print a table without breaking any figure; on a narrow terminal it is as wide as in a pipe."""
    from rich.segment import Segment, Segments

    for column in table.columns:
        column.min_width = _widest_figure(out, column)
    drawn = list(out.render(table))
    if max(map(Segment.get_line_length, Segment.split_lines(drawn)), default=0) > out.width < WIDE_COLUMNS:
        drawn = list(out.render(table, out.options.update(max_width=WIDE_COLUMNS)))
    out.print(Segments(drawn), crop=False)


def _widest_figure(out: "Console", column: "TableColumn") -> int:
    """Return the width of the longest figure of a column, which must not be broken."""
    from rich.cells import cell_len
    from rich.text import Text

    cells = (column.header, *column.cells, column.footer)
    texts = (out.render_str(cell) if isinstance(cell, str) else cell for cell in cells)
    words = (word for text in texts if isinstance(text, Text) for word in text.plain.split())
    whole = (word for word in words if column.justify == "right" or "$" in word)
    return max(map(cell_len, whole), default=0)


def printable(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def escape_text(text: object) -> str:
    """Return text from a file or a user with Rich markup and control characters escaped."""
    from rich.markup import escape

    return escape(printable(str(text)))


def card_faces(cards: Iterable[int]) -> "Text":
    """Return cards as rank and suit sign in the suit's colour."""
    from rich.text import Text

    faces = [
        Text(RANKS[rank_of(card)].replace("T", "10") + SUIT_SIGNS[suit_of(card)], SUIT_STYLES[suit_of(card)])
        for card in cards
    ]
    return Text(" ").join(faces)


def with_card_faces(text: str, style: str = "") -> "Text":
    """Return a sentence with its cards as coloured faces."""
    from rich.text import Text

    shown, end = Text(style=style), 0
    for match in CARD.finditer(text):
        shown.append(text[end : match.start()])
        shown.append_text(card_faces([parse_card(match[0])]))
        end = match.end()
    shown.append(text[end:])
    return shown


EventProgress = Callable[[int, int], None]
"""Takes the number of events done and the number of all events."""


@contextmanager
def progress_bar(text: str) -> "Iterator[ProgressCallback]":
    """Yield a step function that draws a bar on a terminal, and does nothing elsewhere."""
    from fourcard.odds.progress import no_progress

    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=1)
        yield lambda share: bar.advance(task, share)


@contextmanager
def terminal_status(text: str) -> "Iterator[Callable[[str], None]]":
    """Yield a function that shows a line about work under way on a terminal; elsewhere it shows nothing."""
    if not sys.stderr.isatty():
        yield lambda _text: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield status.update


@contextmanager
def event_progress(what: str) -> Iterator[EventProgress]:
    """Yield a function that takes how many events of how many are done, and draws a bar on a terminal."""
    with progress_bar(what) as step:
        shown = 0.0

        def update(done: int, total: int) -> None:
            nonlocal shown
            share = done / total if total else 1.0
            step(share - shown)
            shown = share

        yield update


@contextmanager
def solving_progress() -> "Iterator[ProgressCallback]":
    """Show progress while the whole game is solved for the first time; later runs use the cached table."""
    from fourcard.odds.progress import no_progress
    from fourcard.odds.states_cache import available_states

    if available_states() is not None:
        yield no_progress
        return
    with progress_bar("Solving all 122,151,120 states, once") as step:
        yield step

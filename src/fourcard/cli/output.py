"""Output of commands: JSON for scripts, tables and coloured cards for people."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cards import RANKS, parse_card, rank_of, suit_of
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
WIDE = 120
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
SUIT_SIGNS = "♣♦♥♠"
SUIT_STYLES = ("green", "blue", "red", "bold")


def print_json(answer: object) -> None:
    """Print one object as one line of JSON."""
    print(json.dumps(answer))


def write_lines(lines: Iterable[bytes], output: Path | None) -> int:
    """Write lines to a new file, atomically, or to standard output; return their number."""
    from fourcard.documents.files import save

    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in lines:
            count += 1
            yield line

    if output is not None:
        save(output, counted())
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

    return PlainConsole(highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDE)


def print_table(out: "Console", table: "Table") -> None:
    """Print a table without breaking any figure; on a narrow terminal it is as wide as in a pipe."""
    from rich.segment import Segment, Segments

    for column in table.columns:
        column.min_width = _widest_figure(out, column)
    drawn = list(out.render(table))
    if max(map(Segment.get_line_length, Segment.split_lines(drawn)), default=0) > out.width < WIDE:
        drawn = list(out.render(table, out.options.update(max_width=WIDE)))
    out.print(Segments(drawn), crop=False)


def _widest_figure(out: "Console", column: "Column") -> int:
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


def plain(text: object) -> str:
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


def faces_in(text: str, style: str = "") -> "Text":
    """Return a sentence with its cards as coloured faces."""
    from rich.text import Text

    shown, end = Text(style=style), 0
    for match in CARD.finditer(text):
        shown.append(text[end : match.start()])
        shown.append_text(card_faces([parse_card(match[0])]))
        end = match.end()
    shown.append(text[end:])
    return shown

"""What every command prints with: JSON for scripts, tables and coloured cards for people."""

import json
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cards import RANKS, parse_card, rank_of, suit_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for scripts.")]
WIDE = 120
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
SUIT_SIGNS = "♣♦♥♠"
SUIT_STYLES = ("green", "blue", "red", "bold")


def print_json(answer: object) -> None:
    """Print one answer as one line of JSON."""
    print(json.dumps(answer))


def console() -> "Console":
    """Return the console for people; text that is not on a terminal stays wide, so that lines hold."""
    from rich.console import Console

    class PlainConsole(Console):
        """A console that leaves a closed pipe to the command line."""

        def on_broken_pipe(self) -> None:
            """Say that the reader has gone."""
            raise BrokenPipeError

    return PlainConsole(highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDE)


def print_table(out: "Console", table: "Table") -> None:
    """Print a table whose figures all stand whole: too narrow a terminal gets it as wide as a pipe does."""
    from rich.segment import Segment, Segments

    for column in table.columns:
        column.min_width = _widest_figure(out, column)
    drawn = list(out.render(table))
    if max(map(Segment.get_line_length, Segment.split_lines(drawn)), default=0) > out.width < WIDE:
        drawn = list(out.render(table, out.options.update(max_width=WIDE)))
    out.print(Segments(drawn), crop=False)


def _widest_figure(out: "Console", column: "Column") -> int:
    """Return the width of the longest word of a column that must not be broken: an amount, or any figure."""
    from rich.cells import cell_len
    from rich.text import Text

    cells = (column.header, *column.cells, column.footer)
    texts = (out.render_str(cell) if isinstance(cell, str) else cell for cell in cells)
    words = (word for text in texts if isinstance(text, Text) for word in text.plain.split())
    whole = (word for word in words if column.justify == "right" or "$" in word)
    return max(map(cell_len, whole), default=0)


def printable(text: str) -> str:
    """Return a text on one line, with every character that would steer a terminal written out."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def plain(text: object) -> str:
    """Return a text so that no part of it is taken for markup, for whatever a file or a user wrote."""
    from rich.markup import escape

    return escape(printable(str(text)))


def card_faces(cards: Iterable[int]) -> "Text":
    """Return cards as a person likes to see them: rank and suit sign in the suit's colour."""
    from rich.text import Text

    faces = [
        Text(RANKS[rank_of(card)].replace("T", "10") + SUIT_SIGNS[suit_of(card)], SUIT_STYLES[suit_of(card)])
        for card in cards
    ]
    return Text(" ").join(faces)


def faces_in(text: str, style: str = "") -> "Text":
    """Return a sentence with its cards as people like to see them."""
    from rich.text import Text

    shown, end = Text(style=style), 0
    for found in CARD.finditer(text):
        shown.append(text[end : found.start()])
        shown.append_text(card_faces([parse_card(found[0])]))
        end = found.end()
    shown.append(text[end:])
    return shown

"""Document blocks: the one model of everything that prints. The HTML and the PDF writer draw these blocks."""

from typing import Literal

import msgspec

Layout = Literal["report", "form"]
"""A report has many pages, for screen and paper; a form is one printed sheet to sign."""
Pair = tuple[str, str]


class Facts(msgspec.Struct, frozen=True, kw_only=True, tag="facts"):
    """Pairs of a label and its text."""

    pairs: tuple[Pair, ...]
    title: str = ""
    code: bool = False
    """Whether the texts are hashes, set small in a monospaced font."""


class KeyFigures(msgspec.Struct, frozen=True, kw_only=True, tag="figures"):
    """The main figures of a part, printed large: label, value, and a remark below it."""

    items: tuple[tuple[str, str, str], ...]


class DataTable(msgspec.Struct, frozen=True, kw_only=True, tag="table"):
    """A table: the first columns are text, the others numbers."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1
    """How many columns from the left are text."""
    total: bool = False
    """Whether the last row is the total of the others."""
    note: str = ""


class Paragraphs(msgspec.Struct, frozen=True, kw_only=True, tag="paragraphs"):
    """Paragraphs of text."""

    lines: tuple[str, ...]


class ChartImage(msgspec.Struct, frozen=True, kw_only=True):
    """A chart as SVG, with its caption and a text alternative for readers who cannot see it."""

    svg: str
    caption: str
    alt: str


class Charts(msgspec.Struct, frozen=True, kw_only=True, tag="charts"):
    """Charts side by side."""

    charts: tuple[ChartImage, ...]


class CardFace(msgspec.Struct, frozen=True):
    """A playing card as it is drawn."""

    rank: str
    suit: str
    red: bool


class AwardBanner(msgspec.Struct, frozen=True, kw_only=True, tag="award"):
    """An amount in large print, what it was won with, and the cards."""

    amount: str
    text: str
    cards: tuple[CardFace, ...]
    alt: str
    """The cards as text."""


class Columns(msgspec.Struct, frozen=True, kw_only=True, tag="columns"):
    """Groups of facts in two columns."""

    groups: tuple[Facts, ...]


class References(msgspec.Struct, frozen=True, kw_only=True, tag="references"):
    """Clause ids, none of which breaks at the end of a line."""

    ids: tuple[str, ...]


class SignatureLine(msgspec.Struct, frozen=True):
    """A line to sign on: the signer's function, and the name where it is known."""

    title: str
    name: str


class Signatures(msgspec.Struct, frozen=True, kw_only=True, tag="signatures"):
    """Signature lines side by side."""

    lines: tuple[SignatureLine, ...]


Block = Facts | KeyFigures | DataTable | Paragraphs | Charts | AwardBanner | Columns | References | Signatures


class DocumentPart(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a document; a form has a single part without a title."""

    title: str = ""
    subtitle: str = ""
    new_page: bool = True
    """Whether it starts a new page."""
    blocks: tuple[Block, ...]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A whole document."""

    title: str
    subtitle: str
    footer: str
    layout: Layout = "report"
    stamp: str = ""
    """A warning beside the title, in capitals; empty where there is none."""
    parts: tuple[DocumentPart, ...]

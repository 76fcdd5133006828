"""What a page is made of, whatever draws it: the PDF and the HTML are two renderings of these blocks."""

from fourcard.rules.nodes import Frozen


class Facts(Frozen, frozen=True, kw_only=True, tag="facts"):
    """Pairs of a name and what it is."""

    pairs: tuple[tuple[str, str], ...]


class Figures(Frozen, frozen=True, kw_only=True, tag="figures"):
    """The main figures of a part, large, with something exact or explaining below each."""

    items: tuple[tuple[str, str, str], ...]


class Grid(Frozen, frozen=True, kw_only=True, tag="grid"):
    """A table: the first columns are text, the others numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    """How many columns from the left are text."""
    total: bool = False
    """Whether the last row adds up the others."""
    note: str = ""


class Words(Frozen, frozen=True, kw_only=True, tag="words"):
    """Some paragraphs."""

    lines: tuple[str, ...]


class Chart(Frozen, frozen=True, kw_only=True):
    """A drawing with its caption and what it shows, for who cannot see it."""

    svg: str
    caption: str
    shows: str


class Charts(Frozen, frozen=True, kw_only=True, tag="charts"):
    """Drawings side by side."""

    charts: tuple[Chart, ...]


Block = Facts | Figures | Grid | Words | Charts


class Part(Frozen, frozen=True, kw_only=True):
    """One titled part of the document."""

    title: str
    under: str = ""
    fresh: bool = True
    """Whether it begins on a new page."""
    blocks: tuple[Block, ...]


class Page(Frozen, frozen=True, kw_only=True):
    """The whole document."""

    title: str
    under: str
    foot: str
    parts: tuple[Part, ...]

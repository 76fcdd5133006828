"""HTML writer: a document as one HTML file that loads nothing, for screen and paper."""

from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import Any

from fourcard.documents.blocks import (
    AwardBanner,
    Block,
    CardFace,
    ChartImage,
    Charts,
    Columns,
    DataTable,
    Document,
    DocumentPart,
    Facts,
    KeyFigures,
    Paragraphs,
    References,
    Signatures,
)

NAMESPACES = (' xmlns="http://www.w3.org/2000/svg"', ' xmlns:xlink="http://www.w3.org/1999/xlink"')
"""Attributes that an SVG inside an HTML file does not need."""
NARROW_COLUMNS = 5
"""A table of up to so many columns does not fill the page."""
CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(document: Document) -> str:
    """Return a document as one HTML file; each layout has its own stylesheet."""
    style = (files("fourcard.documents") / f"{document.layout}.css").read_text(encoding="utf-8")
    stamp = f'<p class="stamp">{escape(document.stamp)}</p>' if document.stamp else ""
    parts = "\n".join(_part(part) for part in document.parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(f'{document.title}, {document.subtitle}')}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<header><div><h1>{escape(document.title)}</h1>\n<p>{escape(document.subtitle)}</p></div>"
        f"{stamp}</header>\n{parts}\n<footer>{escape(document.footer)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _part(part: DocumentPart) -> str:
    blocks = "\n".join(_block(block) for block in part.blocks)
    if not part.title:
        return blocks
    subtitle = f'<p class="under">{escape(part.subtitle)}</p>\n' if part.subtitle else ""
    return f"<section>\n<h2>{escape(part.title)}</h2>\n{subtitle}{blocks}\n</section>"


def _block(block: Block) -> str:
    return WRITERS[type(block)](block)


def _paragraphs(block: Paragraphs) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in block.lines)


def _facts(block: Facts) -> str:
    pairs = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in block.pairs
    )
    if not block.title:
        return f"<dl>{pairs}</dl>"
    kind = "facts code" if block.code else "facts"
    return f'<div class="{kind}"><h2>{escape(block.title)}</h2><dl>{pairs}</dl></div>\n'


def _columns(block: Columns) -> str:
    return f'<div class="columns">\n{"".join(map(_facts, block.groups))}</div>'


def _figures(block: KeyFigures) -> str:
    return f'<div class="figures">{"".join(_figure(*item) for item in block.items)}</div>'


def _figure(label: str, value: str, remark: str) -> str:
    return (
        f"<div><span>{escape(label)}</span><strong>{escape(value)}</strong>"
        f"<span>{escape(remark)}</span></div>"
    )


def _table(block: DataTable) -> str:
    body = "".join(_row(row, block, last=row is block.rows[-1]) for row in block.rows)
    headers = _cells("th", block.headers, block)
    narrow = "" if len(block.headers) > NARROW_COLUMNS else ' class="narrow"'
    note = f'<p class="note">{escape(block.note)}</p>' if block.note else ""
    return (
        f'<div class="grid"><h3>{escape(block.title)}</h3><div class="scroll"><table{narrow}>'
        f"<thead><tr>{headers}</tr></thead><tbody>{body}</tbody></table></div>{note}</div>"
    )


def _row(row: tuple[str, ...], block: DataTable, *, last: bool) -> str:
    cells = _cells("td", row, block)
    return f'<tr class="total">{cells}</tr>' if last and block.total else f"<tr>{cells}</tr>"


def _cells(tag: str, texts: tuple[str, ...], block: DataTable) -> str:
    kinds = (' class="text"' if column < block.text_columns else "" for column in range(len(texts)))
    return "".join(f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, texts, strict=True))


def _charts(block: Charts) -> str:
    return f'<div class="charts">{"".join(map(_chart, block.charts))}</div>'


def _chart(chart: ChartImage) -> str:
    svg = chart.svg
    for namespace in NAMESPACES:
        svg = svg.replace(namespace, "", 1)
    return (
        f'<figure role="img" aria-label="{escape(chart.alt)}">{svg}'
        f"<figcaption>{escape(chart.caption)}</figcaption></figure>"
    )


def _award(block: AwardBanner) -> str:
    return (
        f'<div class="award"><div><strong>{escape(block.amount)}</strong>'
        f"<p>{escape(block.text)}</p></div>"
        f'<div class="cards" role="img" aria-label="{escape(block.alt)}">'
        f"{''.join(map(_card, block.cards))}</div></div>"
    )


def _card(face: CardFace) -> str:
    colour = "red" if face.red else "black"
    return f'<span class="card {colour}"><b>{escape(face.rank)}</b><i>{face.suit}</i></span>'


def _references(block: References) -> str:
    ids = " ".join(f"<span>{escape(each)}</span>" for each in block.ids)
    return f'<p class="references">{ids}</p>'


def _signatures(block: Signatures) -> str:
    lines = "".join(
        f"<div><b></b><span>{escape(line.title)}</span><span>{escape(line.name)}</span></div>"
        for line in block.lines
    )
    return f'<div class="lines">{lines}</div>'


WRITERS: dict[type[Block], Callable[[Any], str]] = {
    Facts: _facts,
    KeyFigures: _figures,
    DataTable: _table,
    Paragraphs: _paragraphs,
    Charts: _charts,
    AwardBanner: _award,
    Columns: _columns,
    References: _references,
    Signatures: _signatures,
}

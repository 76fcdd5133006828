"""The web page: the same document in one file that loads nothing, for screen and paper."""

from html import escape
from importlib.resources import files

from fourcard.odds.par.blocks import Block, Chart, Charts, Facts, Figures, Grid, Page, Part, Words

STYLE = "sheet.css"
NAMESPACES = (' xmlns="http://www.w3.org/2000/svg"', ' xmlns:xlink="http://www.w3.org/1999/xlink"')
"""What a drawing inside a page does without."""
NARROW = 5
"""So many columns do not fill the page."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html(page: Page) -> str:
    """Return the document as one HTML file."""
    style = (files("fourcard.odds.par") / STYLE).read_text(encoding="utf-8")
    parts = "\n".join(_part(part) for part in page.parts)
    title = escape(f"{page.title}, {page.under}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<header><h1>{escape(page.title)}</h1>\n<p>{escape(page.under)}</p></header>\n"
        f"{parts}\n<footer>{escape(page.foot)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _part(part: Part) -> str:
    under = f'<p class="under">{escape(part.under)}</p>\n' if part.under else ""
    blocks = "\n".join(_block(block) for block in part.blocks)
    return f"<section>\n<h2>{escape(part.title)}</h2>\n{under}{blocks}\n</section>"


def _block(block: Block) -> str:
    if isinstance(block, Facts):
        return f"<dl>{''.join(_pair(*pair) for pair in block.pairs)}</dl>"
    if isinstance(block, Figures):
        return f'<div class="figures">{"".join(_figure(*item) for item in block.items)}</div>'
    if isinstance(block, Grid):
        return _grid(block)
    if isinstance(block, Charts):
        return f'<div class="charts">{"".join(map(_chart, block.charts))}</div>'
    assert isinstance(block, Words)
    return "".join(f"<p>{escape(line)}</p>" for line in block.lines)


def _pair(name: str, text: str) -> str:
    return f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>"


def _figure(name: str, value: str, under: str) -> str:
    return (
        f"<div><span>{escape(name)}</span><strong>{escape(value)}</strong><span>{escape(under)}</span></div>"
    )


def _grid(block: Grid) -> str:
    body = "".join(_row(row, block, last=row is block.rows[-1]) for row in block.rows)
    heads = _cells("th", block.heads, block)
    narrow = "" if len(block.heads) > NARROW else ' class="narrow"'
    note = f'<p class="note">{escape(block.note)}</p>' if block.note else ""
    return (
        f'<div class="grid"><h3>{escape(block.title)}</h3><div class="scroll"><table{narrow}>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{note}</div>"
    )


def _row(row: tuple[str, ...], block: Grid, *, last: bool) -> str:
    cells = _cells("td", row, block)
    return f'<tr class="total">{cells}</tr>' if last and block.total else f"<tr>{cells}</tr>"


def _cells(tag: str, texts: tuple[str, ...], block: Grid) -> str:
    kinds = (' class="text"' if place < block.texts else "" for place in range(len(texts)))
    return "".join(f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, texts, strict=True))


def _chart(chart: Chart) -> str:
    svg = chart.svg
    for namespace in NAMESPACES:
        svg = svg.replace(namespace, "", 1)
    return (
        f'<figure role="img" aria-label="{escape(chart.shows)}">{svg}'
        f"<figcaption>{escape(chart.caption)}</figcaption></figure>"
    )

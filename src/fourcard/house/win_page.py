"""The win page, printed for accounting (SM-PROG-9e.6, WA-PROG-8f.6, WA-NEX-8f.7): one sheet, HTML or PDF."""

from html import escape
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from fourcard.house.win_page_facts import WinPage
from fourcard.house.win_page_words import Face, Group, Line, Sheet, sheet_of
from fourcard.odds.typesetting import NoGlyphError, typeset

STYLE, TEMPLATE = "win_page.css", "win_page.typ"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
UNKNOWN = "\ufffd"
NOTE = f" {UNKNOWN} stands where no font of this PDF has the character; the HTML page shows it."


def win_page_html(page: WinPage) -> str:
    """Return the page as one HTML file that loads nothing."""
    sheet = sheet_of(page)
    style = _file(STYLE).decode()
    stamp = f'<p class="stamp">{escape(sheet.stamp)}</p>' if sheet.stamp else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(f'{sheet.title}, {sheet.under}')}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n<header><div><h1>{escape(sheet.title)}</h1><p>{escape(sheet.under)}</p></div>"
        f"{stamp}</header>\n{_award(sheet)}\n"
        f'<div class="groups">\n{"".join(map(_group, sheet.groups))}</div>\n'
        f'<div class="journal">{_group(sheet.journal)}<p>{_clauses(sheet)}</p></div>\n'
        f'<div class="lines">{"".join(map(_line, sheet.lines))}</div>\n'
        f"<footer>{escape(sheet.foot)}</footer>\n</main>\n</body>\n</html>\n"
    )


def win_page_pdf(page: WinPage) -> bytes:
    """Return the page as one PDF file, with a sign and a note where no font has a character."""
    sheet, unknown = sheet_of(page), list[str]()
    while True:
        noted = replace(sheet, foot=sheet.foot + NOTE) if unknown else sheet
        try:
            return typeset(_file(TEMPLATE), {"sheet": _without(unknown, _json(noted))})
        except NoGlyphError as error:
            if error.text in unknown or _json(error.text)[1:-1] not in _json(sheet):
                raise
            unknown.append(error.text)


def _without(unknown: list[str], text: str) -> str:
    """Return a text in JSON with a sign for everything that no font has."""
    for each in unknown:
        text = text.replace(_json(each)[1:-1], UNKNOWN)
    return text


def _json(given: Sheet | str) -> str:
    return msgspec.json.encode(given).decode()


def _file(name: str) -> bytes:
    return (files("fourcard.house") / name).read_bytes()


def _award(sheet: Sheet) -> str:
    return (
        f'<section class="award"><div><strong>{escape(sheet.amount)}</strong><p>{escape(sheet.won)}</p></div>'
        f'<div class="cards" role="img" aria-label="{escape(sheet.cards_text)}">'
        f"{''.join(map(_card, sheet.cards))}</div></section>"
    )


def _card(face: Face) -> str:
    colour = "red" if face.red else "black"
    return f'<span class="card {colour}"><b>{escape(face.rank)}</b><i>{face.sign}</i></span>'


def _group(group: Group) -> str:
    pairs = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in group.pairs
    )
    return f"<section><h2>{escape(group.title)}</h2><dl>{pairs}</dl></section>\n"


def _clauses(sheet: Sheet) -> str:
    """Return the ids, none of which breaks at the end of a line."""
    return " ".join(f"<span>{escape(clause)}</span>" for clause in sheet.clauses)


def _line(line: Line) -> str:
    return f"<div><b></b><span>{escape(line.title)}</span><span>{escape(line.name)}</span></div>"

"""The PDF: the document set from its own template."""

from importlib.resources import files

import msgspec

from fourcard.odds.par.blocks import Page
from fourcard.odds.typesetting import typeset

TEMPLATE = "sheet.typ"


def pdf(page: Page) -> bytes:
    """Return the document as one PDF file."""
    return typeset(_template(), {"page": msgspec.json.encode(page).decode()})


def _template() -> bytes:
    return (files("fourcard.odds.par") / TEMPLATE).read_bytes()

"""The PDF: the document set by Typst from its own template and fonts, the same bytes every time."""

from importlib.resources import files
from typing import Literal

import msgspec
import typst

from fourcard.odds.par.blocks import Page

TEMPLATE = "sheet.typ"
STANDARD: Literal["ua-1"] = "ua-1"
"""Readable by a screen reader: PDF/UA."""


def pdf(page: Page) -> bytes:
    """Return the document as one PDF file."""
    made = typst.compile(
        _template(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs=_inputs(page),
        pdf_standards=[STANDARD],
    )
    assert isinstance(made, bytes), "a PDF is one file"
    return made


def _template() -> bytes:
    return (files("fourcard.odds.par") / TEMPLATE).read_bytes()


def _inputs(page: Page) -> dict[str, str]:
    return {"page": msgspec.json.encode(page).decode()}

"""PAR sheet files: a sheet as PDF, HTML or JSON."""

from json import dumps
from typing import Literal

from fourcard.documents.html import render_html
from fourcard.documents.pdf import render_pdf
from fourcard.odds.par.page import page_of
from fourcard.odds.par.sheet import Sheet

Form = Literal["pdf", "html", "json"]


def rendered(sheet: Sheet, form: Form) -> bytes:
    """Return a sheet as the content of a file."""
    if form == "json":
        return (dumps(sheet.answer(), indent=2, ensure_ascii=False) + "\n").encode()
    return render_html(page_of(sheet)).encode() if form == "html" else render_pdf(page_of(sheet))

"""PAR sheet files: a sheet as PDF, HTML or JSON."""

from json import dumps
from typing import Literal, get_args

from fourcard.odds.par.sheet import Sheet

Form = Literal["pdf", "html", "json"]
FORMS: tuple[Form, ...] = get_args(Form)


def rendered(sheet: Sheet, form: Form) -> bytes:
    """Return a sheet as the content of a file; imports only what the format needs."""
    if form == "json":
        return (dumps(sheet.answer(), indent=2, ensure_ascii=False) + "\n").encode()
    from fourcard.odds.par.page import page_of  # noqa: PLC0415

    if form == "html":
        from fourcard.documents.html import render_html  # noqa: PLC0415

        return render_html(page_of(sheet)).encode()
    from fourcard.documents.pdf import render_pdf  # noqa: PLC0415

    return render_pdf(page_of(sheet))

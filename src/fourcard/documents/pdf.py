"""PDF writer: a document typeset by Typst with its own fonts, so that the bytes are the same every time."""

import re
from importlib.resources import files

import msgspec

from fourcard.documents.blocks import Document
from fourcard.refusals import BadInputError

TEMPLATE = "document.typ"
MISSING_GLYPH = re.compile(r'the text `"(.+?)"` could not be displayed', re.DOTALL)
ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
REPLACEMENT = "\ufffd"
REPLACEMENT_NOTE = (
    f" {REPLACEMENT} replaces characters that the fonts of this PDF do not have; the HTML page shows them."
)


class MissingGlyphError(BadInputError):
    """A text has a character that none of the fonts can show."""

    def __init__(self, text: str) -> None:
        """Name the characters."""
        shown = text if text.isprintable() else ascii(text)[1:-1]
        codes = " ".join(f"U+{ord(each):04X}" for each in text)
        super().__init__(f"'{shown}' ({codes}) cannot be printed in a PDF; the HTML page can show it.")
        self.text = text


def render_pdf(document: Document, *, replace_missing: bool = False) -> bytes:
    """Return a document as one PDF file.

    A character that no font has is refused or, with ``replace_missing``, replaced, with a note in the footer.
    """
    template = (files("fourcard.documents") / TEMPLATE).read_bytes()
    missing: list[str] = []
    while True:
        footer = document.footer + (REPLACEMENT_NOTE if missing else "")
        text = _json(msgspec.structs.replace(document, footer=footer))
        for each in missing:
            text = text.replace(_json(each)[1:-1], REPLACEMENT)
        try:
            return typeset(template, {"document": text})
        except MissingGlyphError as error:
            known = error.text in missing or _json(error.text)[1:-1] not in _json(document)
            if known or not replace_missing:
                raise
            missing.append(error.text)


def _json(value: Document | str) -> str:
    return msgspec.json.encode(value).decode()


def typeset(template: bytes, inputs: dict[str, str]) -> bytes:
    """Return one PDF file that screen readers can read (PDF/UA), or refuse characters without a glyph."""
    import typst

    try:
        content = typst.compile(
            template, format="pdf", ignore_system_fonts=True, sys_inputs=inputs, pdf_standards=["ua-1"]
        )
    except typst.TypstError as error:
        match = MISSING_GLYPH.search(error.message)
        if match is None:
            raise BadInputError(
                "This cannot be printed in a PDF; the HTML page can show it: " + error.message
            ) from error
        raise MissingGlyphError(ESCAPED.sub(lambda code: chr(int(code[1], 16)), match[1])) from error
    assert isinstance(content, bytes), "a PDF is one file"
    return content

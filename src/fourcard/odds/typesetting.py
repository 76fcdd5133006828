"""PDF files, set by Typst from a template and its own fonts: the same bytes every time."""

import re

import typst

from fourcard.errors import BadInputError

NO_GLYPH = re.compile(r'the text `"(.+?)"` could not be displayed', re.DOTALL)
ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


class NoGlyphError(BadInputError):
    """A text holds something that none of the fonts can show."""

    def __init__(self, text: str) -> None:
        """Say what it is."""
        shown = text if text.isprintable() else ascii(text)[1:-1]
        codes = " ".join(f"U+{ord(each):04X}" for each in text)
        super().__init__(f"'{shown}' ({codes}) cannot be printed in a PDF; the HTML page can show it.")
        self.text = text


def typeset(template: bytes, inputs: dict[str, str]) -> bytes:
    """Return one PDF file, readable by a screen reader (PDF/UA), or refuse what fonts cannot show."""
    try:
        made = typst.compile(
            template, format="pdf", ignore_system_fonts=True, sys_inputs=inputs, pdf_standards=["ua-1"]
        )
    except typst.TypstError as error:
        found = NO_GLYPH.search(error.message)
        if found is None:
            raise BadInputError(
                "This cannot be printed in a PDF; the HTML page can show it: " + error.message
            ) from error
        raise NoGlyphError(ESCAPED.sub(lambda code: chr(int(code[1], 16)), found[1])) from error
    assert isinstance(made, bytes), "a PDF is one file"
    return made

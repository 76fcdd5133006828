"""Licences page: writes docs/reference/licences.md, and checks the licence of each package that is needed."""

import re
import sys
from collections.abc import Iterator

from tools.claims import ROOT
from tools.sbom import Part, SbomError, page_parts, python_parts

PAGE = ROOT / "docs" / "reference" / "licences.md"
ALLOWED = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "LGPL-3.0-only",
        "MIT",
        "MIT-0",
        "MPL-2.0",
        "PSF-2.0",
        "Zlib",
    }
)
"""Licences under which fourcard may need a package that is installed next to it."""
ALLOWED_IN_PAGE = frozenset({"0BSD", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"})
"""Licences of code that is copied into the page."""
HEAD = """# Licences

`fourcard` has the MIT licence. These are the licences of all that it needs to run, in SPDX terms, as the
authors declare them. `make licences` writes this page from `requirements/licences.toml`, and tests compare
that with the metadata of the installed packages. A wheel cannot be built with a package whose licence is
unknown, and the tests fail on one that is not in the allowed list of `tools/licences.py`.

## Python packages

They are installed next to `fourcard`, not copied into it. Their archives can contain libraries of others,
such as OpenBLAS in NumPy and SciPy, OpenSSL in cryptography and libpq in psycopg-binary; the licences of
those are in the archives.
"""
PAGE_HEAD = """
## In the page

This code is copied into the built page. `server/page/licences.json` in the package has the whole text of
each licence.
"""


def page_text() -> str:
    """Return the page: every package with version and licence."""
    return HEAD + "".join(_table(python_parts())) + PAGE_HEAD + "".join(_table(page_parts()))


def _table(parts: list[Part]) -> Iterator[str]:
    yield "\n| package | version | licence | only where |\n|---|---|---|---|\n"
    for part in parts:
        marker = f"`{part.marker}`" if part.marker else ""
        yield f"| {part.name} | {part.version} | {part.licence} | {marker} |\n".replace("|  |", "| |")


def problems(parts: list[Part]) -> Iterator[str]:
    """Yield the parts whose licence is not allowed; of a choice, every licence must be."""
    for part in parts:
        allowed = ALLOWED_IN_PAGE if part.ecosystem == "npm" else ALLOWED
        for licence in re.split(r" AND | OR ", part.licence):
            if licence not in allowed:
                yield f"{part.name} {part.version} has the licence '{licence}', which is not allowed."


def main(arguments: list[str]) -> int:
    """Write or check the page."""
    try:
        found, text = list(problems([*python_parts(), *page_parts()])), page_text()
    except SbomError as error:
        print(error, file=sys.stderr)
        return 1
    if "--write" in arguments and not found:
        PAGE.write_text(text, encoding="utf-8")
    if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        found.append("docs/reference/licences.md is out of date: run `make licences`.")
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Site command: `site` writes the trainer as pages for any web host."""

from pathlib import Path
from typing import Annotated

import typer

from fourcard.cli.output import console, escape_text


def site(
    folder: Annotated[Path, typer.Argument(help="Where to write it; an earlier site there is replaced.")],
) -> None:
    """Write the trainer as pages without a server: calculator, drills, strategy and rules."""
    from fourcard.server.static_site import write_site

    out = console()
    with out.status("Counting and writing the pages"):
        files = write_site(folder)
    size = sum(map(len, files.values())) // 1000
    out.print(
        f"Wrote {len(files)} files ({size} kB) to {escape_text(folder)}. Put the folder on any web host."
    )

"""Site command: `site` writes the trainer as pages for any web host."""

from pathlib import Path
from typing import Annotated

import typer

from fourcard.cli.output import console, escape_text, progress_bar, solving_progress


def site(
    folder: Annotated[Path, typer.Argument(help="Where to write it; an earlier site there is replaced.")],
) -> None:
    """Write the trainer as pages without a server: calculator, drills, Daily Ten, strategy and rules."""
    from fourcard.odds.states_cache import all_states
    from fourcard.server.static_site import check_folder, write_site

    check_folder(folder)
    with solving_progress() as step:
        all_states(step)
    with progress_bar("Counting the strategies and writing the pages") as step:
        files = write_site(folder, step)
    size = sum(map(len, files.values())) // 1000
    console().print(
        f"Wrote {len(files)} files ({size} kB) to {escape_text(folder)}. Put the folder on any web host."
    )

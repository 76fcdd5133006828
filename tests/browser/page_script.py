"""Page scripts: modules of the page as one script, to be called by a test in a browser or in Node."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.page import PARTS, WEB, run_node

POKER = ("poker/cards", "poker/hands", "poker/values", "poker/nearbyHands")


@cache
def poker_script() -> str:
    """Return a script that gives the page's code for cards, hands and values as ``poker``."""
    return f"{page_script(POKER, 'iife')}\nglobalThis.poker = poker;"


def page_script(modules: Sequence[str], form: str) -> str:
    """Return a script with what some modules of the page export: ``esm``, or ``iife`` as ``poker``."""
    with TemporaryDirectory() as folder:
        entry, built = Path(folder, "entry.ts"), Path(folder, "built.js")
        names = [f"export * from {str(WEB / 'src' / each)!r};\n" for each in modules]
        entry.write_text("".join(names), encoding="utf-8")
        program = PARTS / "rolldown" / "bin" / "cli.mjs"
        done = run_node(program, str(entry), "--file", str(built), "--format", form, "--name", "poker")
        assert done.returncode == 0, done.stderr
        return built.read_text(encoding="utf-8")

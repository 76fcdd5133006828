"""Poker script: the page's code for cards, hands and values, to be called by a test in a browser."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.page import PARTS, WEB, run_node

MODULES = ("cards", "hands", "values", "nearbyHands")


@cache
def poker_script() -> str:
    """Return a script that gives the exported functions of the modules as ``poker``."""
    with TemporaryDirectory() as folder:
        entry, built = Path(folder, "entry.ts"), Path(folder, "poker.js")
        names = [f"export * from {str(WEB / 'src' / 'poker' / each)!r};\n" for each in MODULES]
        entry.write_text("".join(names), encoding="utf-8")
        program = PARTS / "rolldown" / "bin" / "cli.mjs"
        done = run_node(program, str(entry), "--file", str(built), "--format", "iife", "--name", "poker")
        assert done.returncode == 0, done.stderr
        return f"{built.read_text(encoding='utf-8')}\nglobalThis.poker = poker;"

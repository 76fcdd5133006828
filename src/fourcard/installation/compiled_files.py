"""Compiled files: Python runs these instead of the sources, so each must hold the code of its source."""

import marshal
from collections.abc import Iterable, Mapping
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

HEADER = 16
LEVELS: Mapping[str, int] = {"": 0, "1": 1, "2": 2}
"""The levels of optimisation, by how the names of compiled files say them."""


def compiled_names(sources: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return the names that this Python gives to compiled files, each with its source and its level."""
    return {
        cache_name(source, level): (source, number)
        for source in sources
        if source.endswith(".py")
        for level, number in LEVELS.items()
    }


def cache_name(source: str, level: str = "") -> str:
    """Return the name of the compiled file in the folder of its source."""
    folder, _, name = source.rpartition("/")
    return f"{folder}/__pycache__/{Path(cache_from_source(name, optimization=level)).name}"


def is_compiled_from(compiled: Path, source: Path, level: int) -> bool:
    """Return whether a compiled file holds exactly the code of its source."""
    try:
        content = compiled.read_bytes()
        stored = marshal.loads(content[HEADER:])
        expected = compile(source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=level)
    except (OSError, EOFError, ValueError, TypeError, SyntaxError):
        return False
    return content[:4] == MAGIC_NUMBER and bool(stored == expected)

"""Rulebook data: five rulebooks, the table of clauses, the rulings, and the tests that prove each clause."""

from importlib.resources import files


def read_text(name: str) -> str:
    """Return the text of a data file in this folder."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")

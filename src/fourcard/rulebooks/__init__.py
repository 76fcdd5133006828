"""The law as data: five rulebooks, the ledger of clauses, the rulings, and which tests prove what."""

from importlib.resources import files


def read_text(name: str) -> str:
    """Return the text of one data file of this folder."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")

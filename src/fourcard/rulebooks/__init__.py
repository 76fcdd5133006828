"""Rulebook data: rulebooks, the table of clauses, the rulings, and the tests that prove each clause.

For study and tests, a folder of one's own adds rulebooks and the rows of their clauses. They are not part of
the release, and everything made with them says so.
"""

import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse

FOLDER_VARIABLE = "FOURCARD_RULEBOOKS"
"""Environment variable that names a folder of one's own."""
CLAUSE_TABLE = "clauses.csv"
NOT_RULEBOOKS = ("rulings.toml", "unobservable.toml")


def read_text(name: str) -> str:
    """Return the text of a data file of the release."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def own_folder() -> Path | None:
    """Return the folder of rulebooks of one's own, if there is one."""
    named = os.environ.get(FOLDER_VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=named, reason="it is not a folder"))
    return Path(named)


@cache
def released_files() -> Mapping[str, Traversable]:
    """Return the file of every rulebook of the release, by id."""
    found = sorted(files(__name__).iterdir(), key=lambda each: each.name)
    return {rulebook_id(each.name): each for each in found if is_rulebook(each.name)}


def own_files() -> Mapping[str, Path]:
    """Return the file of every rulebook of one's own, by id."""
    folder = own_folder()
    found = () if folder is None else sorted(folder.glob("*.toml"))
    for path in found:
        if rulebook_id(path.name) in released_files():
            reason = "the release has a rulebook of that name"
            raise RefusedError(refuse(Code.FILE_UNREADABLE, file=path, reason=reason))
    return {rulebook_id(path.name): path for path in found}


def own_clauses() -> Mapping[str, str]:
    """Return the text of the clause table of one's own rulebooks by its file, if there is one."""
    folder = own_folder()
    table = None if folder is None else folder / CLAUSE_TABLE
    if table is None or not table.is_file():
        return {}
    try:
        return {str(table): table.read_text(encoding="utf-8")}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RefusedError(refuse(Code.FILE_UNREADABLE, file=table, reason=reason)) from None


def rulebook_id(file: str) -> str:
    """Return the id of the rulebook in a file: ``catfish-bend`` for ``catfish_bend.toml``."""
    return file.removesuffix(".toml").replace("_", "-")


def is_rulebook(file: str) -> bool:
    """Return whether a file of the folder is a rulebook, by its name."""
    return file.endswith(".toml") and file not in NOT_RULEBOOKS

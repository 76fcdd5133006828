"""Places of installed files: the package's folder, and in a clone also other folders."""

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from fourcard.refusals import BadInputError

PACKAGE = Path(str(files("fourcard"))).resolve()
LIST_NAME = "fourcard/files.sha256"
PINS_NAME = "fourcard/requirements.txt"
EXAMPLES_NAME = "fourcard/examples/"
_ROOT = PACKAGE.parents[1]
IS_CLONE = PACKAGE.parent.name == "src" and (_ROOT / "pyproject.toml").is_file()
"""Whether the package runs from a clone of the source code."""


def place_of(name: str) -> Path:
    """Return where a listed file is: a clone has the examples and the requirements in other folders."""
    if IS_CLONE and name.startswith(EXAMPLES_NAME):
        return _ROOT / "examples" / name.removeprefix(EXAMPLES_NAME)
    if IS_CLONE and name == PINS_NAME:
        return _ROOT / "requirements" / "run.txt"
    return PACKAGE.parent / name


def package_files() -> Iterator[str]:
    """Yield the name of every file in the package's folder; examples also where they are elsewhere."""
    folders = {"fourcard/": PACKAGE} | ({EXAMPLES_NAME: _ROOT / "examples"} if IS_CLONE else {})
    for prefix, folder in folders.items():
        for path in walk_files(folder):
            yield prefix + path.relative_to(folder).as_posix()


def walk_files(folder: Path) -> Iterator[Path]:
    """Yield every file and link below a folder, in order, without following links."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            yield Path(place) / name


def shipped_list() -> Path:
    """Return the list that a wheel carries, or refuse where there is none."""
    path = place_of(LIST_NAME)
    if path.is_file():
        return path
    what = f"{_ROOT} is a clone of the source code" if IS_CLONE else f"{PACKAGE} is incomplete"
    raise BadInputError(f"{what} and has no list of its files; give the list of the release with --list.")

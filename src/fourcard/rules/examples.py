"""Example submissions by name, to play or to copy."""

from pathlib import Path

from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.submission import Submission, read_submission

PACKAGE = Path(__file__).parents[1]
FOLDERS = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""In an installed wheel, and in a clone."""


def examples() -> dict[str, Path]:
    """Return the example files by name."""
    folder = next((each for each in FOLDERS if each.is_dir()), None)
    return {} if folder is None else {path.stem: path for path in sorted(folder.glob("*.toml"))}


def submission_named(name: str) -> Submission:
    """Return the submission in a file, or the example with that name."""
    known = examples()
    if Path(name).is_file():
        return read_submission(name)
    if name in known:
        return read_submission(known[name])
    if name.endswith(".toml") or Path(name).parent != Path() or Path(name).exists():
        return read_submission(Path(name))
    raise RefusedError(refuse(Code.EXAMPLE_UNKNOWN, name=name, known=", ".join(known)))

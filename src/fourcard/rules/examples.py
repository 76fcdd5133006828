"""The example submissions that come with the system, by name: a table to play or to start one's own from."""

from pathlib import Path

from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.submission import Submission, read_submission

PACKAGE = Path(__file__).parents[1]
FOLDERS = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""Where a wheel carries them, and where a clone has them."""


def examples() -> dict[str, Path]:
    """Return the files of the examples by their names."""
    folder = next((each for each in FOLDERS if each.is_dir()), None)
    return {} if folder is None else {path.stem: path for path in sorted(folder.glob("*.toml"))}


def submission_named(name: str) -> Submission:
    """Return the submission in a file, or the example of that name."""
    known = examples()
    if Path(name).is_file():
        return read_submission(name)
    if name in known:
        return read_submission(known[name])
    if name.endswith(".toml") or Path(name).parent != Path() or Path(name).exists():
        return read_submission(Path(name))
    raise RefusedError(refuse(Code.EXAMPLE_UNKNOWN, name=name, known=", ".join(known)))

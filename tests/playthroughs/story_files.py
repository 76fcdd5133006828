"""Playthrough files: a title, input lines, and under each of them its output."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from fourcard.narration import Sentence
from fourcard.refusals import BadInputError, Refusal


class ScriptError(Exception):
    """A playthrough that cannot be run; the message says where and why."""


class Storyteller(Protocol):
    """Runs a playthrough line by line."""

    def narrate(self, line: str) -> list[str]:
        """Execute a line and return its output."""
        ...


def line_of(said: Sentence) -> str:
    """Return a sentence with its clauses."""
    return f"{said.text}  [{' '.join(said.clauses)}]" if said.clauses else said.text


def line_of_refusal(refusal: Refusal) -> str:
    """Return a refusal with its number, its name and its clauses."""
    cited = f"  [{' '.join(refusal.clauses)}]" if refusal.clauses else ""
    return f"refused {int(refusal.code)} {refusal.name}: {refusal.message}{cited}"


def script(text: str) -> list[str]:
    """Return the title of a file, its input lines and its remarks."""
    title, *rest = text.splitlines()
    return [title, *(line for line in rest if line.startswith(("> ", "# ")))]


def tell(text: str, story: Storyteller) -> str:
    """Return a file with the current output of its lines."""
    return "\n".join(_lines(script(text), story)) + "\n"


def _lines(written: list[str], story: Storyteller) -> Iterator[str]:
    title, *rest = written
    yield title
    after_remark = False
    for number, line in enumerate(rest, 1):
        if not after_remark:
            yield ""
        after_remark = line.startswith("# ")
        yield line
        if line.startswith("> "):
            try:
                yield from story.narrate(line.removeprefix("> "))
            except (ScriptError, BadInputError, ValueError, KeyError, OSError) as error:
                raise ScriptError(f"sentence {number}, {line!r}: {error}") from error


def stories_in(folder: Path) -> dict[str, Path]:
    """Return every playthrough of a folder by name."""
    return {path.stem: path for path in sorted(folder.glob("*.txt"))}


def rewrite(stories: Mapping[str, Path], begin: Callable[[], Storyteller]) -> int:
    """Write every playthrough again, or those named on the command line; report those that fail."""
    wanted, bad = sys.argv[1:], 0
    for name, path in stories.items():
        if wanted and name not in wanted:
            continue
        try:
            path.write_text(tell(path.read_text(encoding="utf-8"), begin()), encoding="utf-8")
        except ScriptError as error:
            print(f"{name}: {error}", file=sys.stderr)
            bad += 1
    return 1 if bad else 0

"""Practice submission: a submission with the console to practise and its approved components."""

import json
import tomllib
from pathlib import Path
from typing import Any

from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.consoles import Console
from fourcard.rules.examples import examples, submission_named
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import ProgressiveWager, Rulebook

DEFAULTS: dict[Console, str] = {"keypad": "shuffle-master", "touch": "washington"}
"""The default rulebook for practising each kind of console."""


def practice_submission(named: str, console: Console | None) -> str:
    """Return the text of a submission, a file or an example, with the wanted console."""
    submission_named(named)
    path = Path(named) if Path(named).is_file() else examples()[named]
    raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    book = rulebook(raw["rulebook"], raw.get("edition"))
    choice, rules = raw.get("progressive"), book.wagers.progressive
    if choice is None or rules is None or "progressive" not in raw["wagers"]:
        raise RefusedError(refuse(Code.NO_CONSOLE))
    if console is not None and choice.get("console", "keypad") != console:
        _fit(choice, book, rules, console)
    return as_toml(raw)


def example_of(rulebook_id: str) -> str:
    """Return the example of a rulebook that offers most wagers, or refuse an unknown rulebook."""
    name = rulebook(rulebook_id).id
    return f"{name}-everything" if f"{name}-everything" in examples() else name


def _fit(choice: dict[str, Any], book: Rulebook, rules: ProgressiveWager, console: Console) -> None:
    """Set the console and what its rulebook requires: approved components and the executive threshold."""
    choice["console"] = console
    approved = rules.components.get(console, {}) if console in book.consoles else {}
    choice["components"] = {name: part.version or "v1" for name, part in approved.items()}
    level = rules.executive_threshold
    if level is not None and level.value == console:
        choice.setdefault("executive_threshold", choice.get("seed", "$5,000"))


def as_toml(document: dict[str, Any]) -> str:
    """Return plain data as the TOML text of a submission."""
    return "\n".join(f"{json.dumps(key)} = {_inline(value)}" for key, value in document.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {_inline(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value, ensure_ascii=False, default=str)

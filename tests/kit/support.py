"""What the tests share: claims of clauses, and submissions that differ in one point."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from fourcard.rules.check import check_submission
from fourcard.rules.checks.finding import CheckFinding
from fourcard.rules.game import Game, assemble_game, decode_game, encode_game, resolve_game
from fourcard.rules.loading import convert_document, resolve_rulebook, rulebook, rulebook_document
from fourcard.rules.submission import Submission

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
WHOLE = bool(os.environ.get("FOURCARD_WHOLE"))
"""Whether long proofs run in full, as in `make thorough`, instead of a sample."""


def by_clause(*rows: tuple[Any, ...]) -> list[Any]:
    """Return parameters that each claim the clause they begin with, whole or in part."""
    return [pytest.param(*row, marks=_claim(row[0]), id="-".join(map(str, row[:2]))) for row in rows]


def _claim(address: str) -> pytest.MarkDecorator:
    return pytest.mark.part(address) if address in IN_PART else pytest.mark.clause(address)


IN_PART = frozenset((Path(__file__).parents[1] / "in_part.txt").read_text(encoding="utf-8").split())
"""Ids of which the tests so far prove the value in the data, but not yet all that the clause demands."""


@cache
def _example(name: str) -> str:
    return (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")


def submission(name: str, **changes: object) -> Submission:
    """Return an example submission with some values changed, such as ``positions__at_table=8``.

    A change to None removes the value. Every approval that the rulebook knows is granted, unless changed.
    """
    return convert_document(plain(name, **changes), Submission, name)


def plain(name: str, **changes: object) -> dict[str, Any]:
    """Return such a submission as plain data."""
    raw: dict[str, Any] = tomllib.loads(_example(name))
    raw["operator"]["approvals"] = list(rulebook(raw["rulebook"], raw.get("edition")).approvals)
    for place, value in changes.items():
        *path, last = place.split("__")
        table = raw
        for key in path:
            table = table.setdefault(key, {})
        if value is None:
            table.pop(last, None)
        else:
            table[last] = value
    return raw


def findings(name: str, **changes: object) -> tuple[CheckFinding, ...]:
    """Return what a check finds in an example with some values changed."""
    return check_submission(submission(name, **changes))


def game(name: str, **changes: object) -> Game:
    """Return the game of an example with some values changed."""
    return resolve_game(submission(name, **changes))


def former_game(made: Game, **settings: object) -> Game:
    """Return a game as an older version stored it: with other settings, and without those given as None."""
    plain = json.loads(encode_game(made))
    changed = {name: value for name, value in (plain["settings"] | settings).items() if value is not None}
    return decode_game(json.dumps({**plain, "settings": changed}).encode())


def game_without_aces_up(name: str) -> Game:
    """Return the game of an example in which the rulebook leaves Aces Up to the house, which has none."""
    without = submission(name, wagers__aces_up=None, limits__posted__aces_up=None)
    document: dict[str, Any] = deepcopy(rulebook_document(without.rulebook))
    document["wagers"]["aces_up"]["offered"]["value"] = "optional"
    changed = resolve_rulebook(document, without.rulebook, without.edition)
    return assemble_game(changed, without, {"automatic_bonus": "standard", **without.wagers})


def game_under(made: Game, **rules: object) -> Game:
    """Return a game under a rulebook with other values, such as ``wagers__envy__several=False``.

    A change to UNSET removes the value; a change to a table replaces it.
    """
    book = made.rulebook
    for place, value in rules.items():
        book = _ruled(book, place.split("__"), value)
    return replace(made, rulebook=book)


def _ruled(node: Any, path: list[str], value: object) -> Any:
    """Return a part of a rulebook in which the value at a path is another."""
    name, *rest = path
    inner = node[name] if isinstance(node, Mapping) else getattr(node, name)
    if rest:
        changed = _ruled(inner, rest, value)
    else:
        changed = value if value is UNSET or isinstance(value, Mapping) else replace(inner, value=value)
    return {**node, name: changed} if isinstance(node, Mapping) else replace(node, **{name: changed})


def names(found: Iterable[CheckFinding], level: str = "error") -> list[str]:
    """Return the names of the findings of one level."""
    return [finding.refusal.name for finding in found if finding.level == level]


def citing(found: Iterable[CheckFinding], clause: str, level: str = "error") -> list[str]:
    """Return the names of the findings of one level that cite a clause."""
    return [f.refusal.name for f in found if f.level == level and clause in f.refusal.clauses]

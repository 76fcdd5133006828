"""Rulebook alterations: every cited value, changed in every small way that a wrong rule could have.

An alteration holds the rulebook, the place, the clauses of the value, what changed, and the whole altered
document.
"""

import copy
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, get_args

import msgspec

from fourcard.money import CENTS_PER_DOLLAR, dollars, parse_dollars
from fourcard.rules import procedures, rulebook
from fourcard.rules import rulebook as shapes
from fourcard.rules.loading import rulebook_document, rulebook_ids
from fourcard.wagers import RowName, TableWager

CLOSED: dict[str, tuple[str, ...]] = {
    "offered": get_args(shapes.Offer),
    "own_tables": get_args(shapes.OwnTables),
    "shuffler": get_args(procedures.ShufflerStanding),
    "dealer_first": get_args(procedures.DealerFirst),
    "executive_threshold": get_args(rulebook.ConsoleKind),
    "starts": get_args(rulebook.StartButton),
    "ends": get_args(rulebook.EndButton),
    "logs_at": get_args(rulebook.ConsoleMotion),
    "final_at": get_args(rulebook.ConsoleMotion),
    "adjusts_at": get_args(rulebook.ConsoleMotion),
    "approvals": get_args(shapes.ApprovalCase),
    "role": get_args(shapes.ComponentRole),
    "same_number_as": get_args(TableWager),
    "tables_of": rulebook_ids(),
    "lowest": get_args(RowName),
    "closes": get_args(shapes.Closing),
    "on_fold": get_args(shapes.FoldEffect),
    "start": get_args(procedures.Side),
    "shares_from": get_args(shapes.AwardSource),
    "up_card": get_args(procedures.UpCard),
    "on_request": get_args(procedures.Spread),
    "fallback": get_args(procedures.DealingMethod),
}


class Alteration(msgspec.Struct, frozen=True):
    """One value of one rulebook changed."""

    rulebook: str
    place: str
    clauses: tuple[str, ...]
    change: str
    document: dict[str, Any]

    def __str__(self) -> str:
        """Return the alteration as one line."""
        return f"{self.rulebook}: {self.place}: {self.change}"


def every_alteration() -> Iterator[Alteration]:
    """Yield every alteration of every rulebook."""
    for name in rulebook_ids():
        original = rulebook_document(name)
        for path, node in _nodes(original, ()):
            for keys, old, new in _changes(path, node):
                yield _altered(name, path, keys, (old, new))
        for path, steps in _procedures(original, ()):
            yield from _swapped(name, path, steps)


def _altered(
    name: str, path: tuple[Any, ...], keys: tuple[str, ...], values: tuple[object, object]
) -> Alteration:
    original, (old, new) = rulebook_document(name), values
    changed = _replaced(original, (*path, *keys), new)
    node: Any = original
    for key in path:
        node = node[key]
    place = ".".join(map(str, (*path, *(key for key in keys if key != "value"))))
    return Alteration(name, place, tuple(node["clauses"]), f"{_short(old)} became {_short(new)}", changed)


def _replaced(value: Any, path: tuple[Any, ...], new: object) -> Any:
    """Return tables and lists with one value replaced; the rest is shared with the original."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = _replaced(value[path[0]], path[1:], new)
    return changed


def _procedures(value: object, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield every table of numbered steps with its path."""
    if not isinstance(value, dict):
        return
    numbers = [node.get("value") if isinstance(node, dict) else None for node in value.values()]
    if len(numbers) > 1 and sorted(map(str, numbers)) == sorted(map(str, range(1, len(numbers) + 1))):
        yield path, value
    for key, item in value.items():
        yield from _procedures(item, (*path, key))


def _swapped(name: str, path: tuple[Any, ...], steps: dict[str, Any]) -> Iterator[Alteration]:
    """Yield the procedure with each pair of neighbouring steps swapped."""
    ordered = sorted(steps, key=lambda step: int(steps[step]["value"]))
    for first, second in pairwise(ordered):
        changed = _replaced(rulebook_document(name), (*path, first, "value"), steps[second]["value"])
        changed = _replaced(changed, (*path, second, "value"), steps[first]["value"])
        clauses = tuple(dict.fromkeys((*steps[first]["clauses"], *steps[second]["clauses"])))
        place = ".".join(map(str, path))
        yield Alteration(name, place, clauses, f"{second} came before {first}", changed)


def _short(value: object) -> str:
    return ", ".join(value) if isinstance(value, dict | list) else str(value)


def _nodes(value: object, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Yield every table that cites clauses, with its path; values by edition have their index in it."""
    if isinstance(value, dict):
        if "clauses" in value:
            yield path, value
        for key, item in value.items():
            yield from _nodes(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _nodes(item, (*path, number))


def _changes(path: tuple[Any, ...], node: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], object, object]]:
    for key, old in node.items():
        if key in ("clauses", "edition"):
            continue
        if key == "pays":
            yield (key,), old, dict(reversed(old.items()))
            for row, odds in old.items():
                yield from (((key, row), odds, new) for new in _others(odds, ()))
        else:
            names = (*path, key)
            yield from (((key,), old, new) for new in _others(old, names))


def _others(old: object, names: tuple[Any, ...]) -> Iterator[object]:
    """Yield wrong values in place of a value."""
    if isinstance(old, bool):
        yield not old
    elif isinstance(old, int):
        yield from (old + 1, old - 1)
    elif isinstance(old, list):
        yield from ([item for item in old if item != dropped] for dropped in old)
        if "order" in names:
            yield old[::-1]
    elif isinstance(old, str):
        closed = next((CLOSED[name] for name in reversed(names) if name in CLOSED), None)
        if closed is not None:
            yield from (other for other in closed if other != old)
        else:
            yield from _other_texts(old)


def _other_texts(old: str) -> Iterator[str]:
    if ratio := re.fullmatch(r"([\d,]+) (to|for) ([\d,]+)", old):
        won = int(ratio[1].replace(",", ""))
        yield f"{won + 1} {ratio[2]} {ratio[3]}"
        if won > 1:
            yield f"{won - 1} {ratio[2]} {ratio[3]}"
        yield f"{won} {'for' if ratio[2] == 'to' else 'to'} {ratio[3]}"
    elif share := re.fullmatch(r"(\d+)%(.*)", old):
        yield f"{int(share[1]) - 1}%{share[2]}"
        if int(share[1]) < 100:
            yield f"{int(share[1]) + 1}%{share[2]}"
    elif old.startswith("$"):
        cents = parse_dollars(old)
        yield from (dollars(cents + 1), dollars(cents - 1), dollars(cents + CENTS_PER_DOLLAR))
    else:
        yield f"{old} X"

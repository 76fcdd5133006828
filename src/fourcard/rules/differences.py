"""Rulebook differences, point by point, derived from the data.

A point is a place where at least one rulebook has a value, such as ``positions.per_player``. Each distinct
paytable of a wager is a point too; equal tables share a point whatever their ids.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.money import Odds, dollars, share_text
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.cited import Cents, Cited, CitedNode, Paytable
from fourcard.rules.loading import every_rulebook
from fourcard.rules.paytables import every_paytable
from fourcard.rules.rulebook import Component, Rulebook


class RulebookValue(msgspec.Struct, frozen=True):
    """What a rulebook says on a point; None if it says nothing."""

    value: str | None
    clauses: tuple[str, ...]


SILENT = RulebookValue(None, ())


class DifferencePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One point and what each rulebook says on it."""

    point: str
    differs: bool
    """Whether the rulebooks differ, silence included."""
    pays: dict[str, str] | UnsetType = UNSET
    """Payouts, if the point is a paytable; the rulebooks then give the id under which they print it."""
    rulebooks: dict[str, RulebookValue]


def _point(
    name: str, stands: dict[str, RulebookValue], pays: dict[str, str] | UnsetType = UNSET
) -> DifferencePoint:
    differs = len({stand.value for stand in stands.values()}) > 1
    return DifferencePoint(point=name, differs=differs, pays=pays, rulebooks=stands)


@cache
def rulebook_differences() -> tuple[DifferencePoint, ...]:
    """Return every point with a value in any rulebook, in the order of the files."""
    rulebooks = {edition_title(rulebook): rulebook for rulebook in every_rulebook()}
    spoken = {name: dict(each.nodes()) for name, each in rulebooks.items()}
    places = dict.fromkeys(
        place for nodes in spoken.values() for place, node in nodes.items() if not isinstance(node, Paytable)
    )
    sections = list(dict.fromkeys(map(_section, places)))
    ordered = sorted(places, key=lambda place: sections.index(_section(place)))
    found = [_point(p, {name: _stand(nodes.get(p)) for name, nodes in spoken.items()}) for p in ordered]
    return (*found, *_table_points(rulebooks))


def _section(place: str) -> str:
    return ".".join(place.split(".")[:2]) if place.startswith("wagers.") else place.split(".", maxsplit=1)[0]


def differences_about(text: str) -> tuple[DifferencePoint, ...]:
    """Return the points with a name such as ``play`` or ``positions.adjacent``, or refuse."""
    wanted = text.strip().lower().replace(" ", "_")
    found = tuple(p for p in rulebook_differences() if wanted and f".{wanted}." in f".{p.point}.".lower())
    if not found:
        raise RefusedError(refuse(Code.POINT_UNKNOWN, point=text))
    return found


def edition_title(rulebook: Rulebook) -> str:
    """Return a rulebook's id, with the edition where it has several."""
    return f"{rulebook.id} ({rulebook.edition})" if len(rulebook.editions) > 1 else rulebook.id


def _stand(node: CitedNode | None) -> RulebookValue:
    if isinstance(node, Cited):
        return RulebookValue(_words(node.value), node.clauses)
    if isinstance(node, Component):
        version = f"{node.version}{' or higher' if node.or_higher else ''}" or "any version"
        return RulebookValue(f"{node.role}, {version}", node.clauses)
    return SILENT


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Cents):
        return dollars(value)
    if isinstance(value, Fraction):
        return share_text(value)
    if isinstance(value, tuple):
        return ", ".join(map(_words, value))
    return str(value)


def _table_points(rulebooks: Mapping[str, Rulebook]) -> list[DifferencePoint]:
    """Return one point for each distinct paytable of a wager, with its id in each rulebook."""
    printed: dict[tuple[str, tuple[tuple[str, Odds], ...]], dict[str, list[tuple[str, Paytable]]]] = {}
    for name, rulebook in rulebooks.items():
        for wager, table_id, table in every_paytable(rulebook):
            key = (wager, tuple(table.pays.items()))
            printed.setdefault(key, defaultdict(list))[name].append((table_id, table))
    found: list[DifferencePoint] = []
    numbers: Counter[str] = Counter()
    for (name_of_wager, rows), holders in printed.items():
        numbers[name_of_wager] += 1
        stands = {name: _printed_as(holders[name]) if name in holders else SILENT for name in rulebooks}
        name = f"wagers.{name_of_wager}.tables.{numbers[name_of_wager]}"
        found.append(_point(name, stands, {row: str(odds) for row, odds in rows}))
    return sorted(found, key=lambda each: each.point.split(".")[1])


def _printed_as(tables: list[tuple[str, Paytable]]) -> RulebookValue:
    clauses = (clause for _, table in tables for clause in table.clauses)
    return RulebookValue(", ".join(table_id for table_id, _ in tables), tuple(clauses))

"""Dealing rules: how each rulebook deals, for the check of a shared round without its house."""

from typing import Any

import msgspec

from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.plain_data import canonical, plain_data

PARTS = ("dealing", "irregularities")


class DealingRules(msgspec.Struct, frozen=True):
    """The part of a rulebook that says in which order cards are dealt."""

    id: str
    edition: str
    rules: Any
    """In the form of a pinned game: each object is a list of names and values, sorted by name."""


class EveryDealing(msgspec.Struct, frozen=True):
    """The dealing rules of each edition of each rulebook."""

    rulebooks: tuple[DealingRules, ...]


def dealing_rules() -> EveryDealing:
    """Return the dealing rules of every rulebook, the default edition of each first."""
    every = [rulebook(name) for name in rulebook_ids()]
    others = [rulebook(each.id, edition) for each in every for edition in each.editions]
    found = {(each.id, each.edition): each for each in (*every, *others)}
    return EveryDealing(
        tuple(
            DealingRules(name, edition, canonical({"rulebook": _dealing_parts(plain_data(each))}))
            for (name, edition), each in found.items()
        )
    )


def _dealing_parts(plain: Any) -> dict[str, Any]:
    return {name: _values(plain[name]) for name in PARTS if plain.get(name) is not None}


def _values(plain: Any) -> Any:
    """Return plain data without the clauses: of each rule only its value."""
    if not isinstance(plain, dict):
        return plain
    if "value" in plain:
        return {"value": plain["value"]}
    return {name: _values(each) for name, each in plain.items() if each is not None}

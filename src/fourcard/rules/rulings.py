"""Rulings: how contradictions and gaps in the sources are read, and which are policy."""

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from fourcard.rulebooks import read_text
from fourcard.rules.clauses import ledger

SettingValue = bool | int | str


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Policy setting: a choice that a ruling leaves to the operator."""

    default: SettingValue
    values: tuple[SettingValue, ...]
    rulebooks: tuple[str, ...] = ()
    """Rulebooks that leave the point open; empty means all."""

    def __post_init__(self) -> None:
        """Reject a default that is not one of the values."""
        if self.default not in self.values:
            raise ValueError(f"the default {self.default!r} is not one of the values")

    def open_in(self, rulebook: str) -> bool:
        """Say whether operators under a rulebook may choose."""
        return not self.rulebooks or rulebook in self.rulebooks


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ruling: how a point is read (R ids), or a policy that no source demands (P ids)."""

    title: str
    clauses: tuple[str, ...]
    reading: str
    question: str = ""
    overrules: tuple[str, ...] = ()
    """Clauses that the ruling overrules; the ruling's own test proves them."""
    settings: dict[str, Setting] = {}
    makes_void: bool = False
    """Whether this ruling makes a round void although its clause does not say so."""


@cache
def rulings() -> Mapping[str, Ruling]:
    """Return every ruling and policy by id."""
    return MappingProxyType(msgspec.convert(tomllib.loads(read_text("rulings.toml")), dict[str, Ruling]))


@cache
def settings() -> Mapping[str, tuple[str, Setting]]:
    """Return every policy setting by name, with the id of the ruling that it belongs to."""
    return MappingProxyType(
        {
            name: (ruling_id, setting)
            for ruling_id, ruling in rulings().items()
            for name, setting in ruling.settings.items()
        }
    )


def is_address(text: str) -> bool:
    """Say whether a text is the id of a clause, a ruling or a policy."""
    return text in ledger() or text in rulings()


def proved_through(address: str) -> tuple[str, ...]:
    """Return the ids whose tests prove an id: its own, and the rulings that overrule it."""
    return (address, *(ruling_id for ruling_id, ruling in rulings().items() if address in ruling.overrules))

"""The rulings: how contradictions and silences of the sources are read, and which of them are policy."""

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from fourcard.rulebooks import read_text
from fourcard.rules.clauses import ledger

SettingValue = bool | int | str


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named choice that a ruling leaves to the operator."""

    default: SettingValue
    values: tuple[SettingValue, ...]
    rulebooks: tuple[str, ...] = ()
    """The rulebooks that leave the point open; none named means all."""

    def __post_init__(self) -> None:
        """Keep the default among the values."""
        if self.default not in self.values:
            raise ValueError(f"the default {self.default!r} is not one of the values")

    def open_in(self, rulebook: str) -> bool:
        """Say whether operators under a rulebook may choose."""
        return not self.rulebooks or rulebook in self.rulebooks


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one point is read (R-ids), or what the system does where no source demands it (P-ids)."""

    title: str
    clauses: tuple[str, ...]
    reading: str
    question: str = ""
    overrules: tuple[str, ...] = ()
    """Clauses whose letter is not followed; the ruling's own test proves them."""
    settings: dict[str, Setting] = {}
    makes_void: bool = False
    """Whether a round is void by this ruling although its clause does not say so."""


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
    """Return the ids whose tests prove an id: its own, and the rulings that overrule its letter."""
    return (address, *(ruling_id for ruling_id, ruling in rulings().items() if address in ruling.overrules))

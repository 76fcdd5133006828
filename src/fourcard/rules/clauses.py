"""Clauses and rulings: what each source says under a stable id, and how contradictions are read."""

import csv
import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args

import msgspec

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rulebooks import CLAUSE_TABLE, own_clauses, read_text
from fourcard.rules.safe_convert import safe_convert

Kind = Literal["engine", "procedure", "data", "config", "info", "physical"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Clause(msgspec.Struct, frozen=True):
    """Clause: one requirement of one source."""

    id: str
    source: str
    """The letters of its source, such as ``MA``."""
    clause: str
    """Its place in the source, such as ``§10(b)``."""
    topic: str
    kind: Kind
    requirement: str
    params: str
    """Figures as ``name=value``, joined by semicolons."""
    ruling: str
    """The rulings that concern it, such as ``R5 R46``."""
    notes: str

    @property
    def rulings(self) -> tuple[str, ...]:
        """Return the ids of the rulings that concern this clause."""
        return tuple(self.ruling.split())

    @property
    def figures(self) -> dict[str, str]:
        """Return the clause's figures by name."""
        return dict(part.split("=", 1) for part in self.params.split(";") if part)


@cache
def clauses() -> Mapping[str, Clause]:
    """Return every clause by id, in the order of the sources; those of one's own rulebooks come last."""
    found = dict[str, Clause]()
    tables = {CLAUSE_TABLE: read_text(CLAUSE_TABLE), **own_clauses()}
    for file, text in tables.items():
        for line, row in enumerate(csv.DictReader(text.splitlines()), 2):
            clause = _clause(row, file, line)
            if clause.id in found:
                raise _unfit(file, line, f"the clause '{clause.id}' is listed twice")
            found[clause.id] = clause
    return MappingProxyType(found)


def _clause(row: dict[str, str], file: str, line: int) -> Clause:
    """Return a row of a clause table, or refuse it."""
    try:
        return safe_convert(row, Clause)
    except msgspec.ValidationError as error:
        raise _unfit(file, line, f"{error}".lower()) from None


def _unfit(file: str, line: int, reason: str) -> RefusedError:
    return RefusedError(refuse(Code.VALUE_UNFIT, file=file, place=f"line {line}", reason=reason))


@cache
def sources() -> tuple[str, ...]:
    """Return the letters of every source, in the order of the clause table."""
    return tuple(dict.fromkeys(clause.source for clause in clauses().values()))


def clauses_under(address: str) -> tuple[Clause, ...]:
    """Return the clauses below a parent id, such as ``MA-10b.1`` for ``MA-10b``."""
    own = address.upper()
    below = (clause for clause in clauses().values() if clause.id.upper().startswith(own))
    return tuple(clause for clause in below if _begins_a_part(clause.id[len(own) - 1 : len(own) + 1]))


def _begins_a_part(both: str) -> bool:
    """Say whether a new part of an id begins between two characters."""
    return len(both) == 2 and not both.isdigit() and not both.isalpha()


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
    return MappingProxyType(safe_convert(tomllib.loads(read_text("rulings.toml")), dict[str, Ruling]))


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
    return text in clauses() or text in rulings()


def proved_through(address: str) -> tuple[str, ...]:
    """Return the ids whose tests prove an id: its own, and the rulings that overrule it."""
    return (address, *(ruling_id for ruling_id, ruling in rulings().items() if address in ruling.overrules))

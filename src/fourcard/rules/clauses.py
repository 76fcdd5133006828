"""Clause table: what each source says, one line per clause, under a stable id."""

import csv
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args

import msgspec

from fourcard.rulebooks import read_text

Source = Literal["MA", "SM", "MD", "WA", "IA"]
Kind = Literal["engine", "procedure", "data", "config", "info", "physical"]
SOURCES: tuple[Source, ...] = get_args(Source)
KINDS: tuple[Kind, ...] = get_args(Kind)


class Clause(msgspec.Struct, frozen=True):
    """Clause: one requirement of one source."""

    id: str
    source: Source
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
def ledger() -> Mapping[str, Clause]:
    """Return every clause by id, in the order of the sources."""
    rows = csv.DictReader(read_text("clauses.csv").splitlines())
    found = [msgspec.convert(row, Clause) for row in rows]
    by_id = {clause.id: clause for clause in found}
    assert len(by_id) == len(found), "a clause id appears twice in the table"
    return MappingProxyType(by_id)


def family(address: str) -> tuple[Clause, ...]:
    """Return the clauses below a parent id, such as ``MA-10b.1`` for ``MA-10b``."""
    own = address.upper()
    below = (clause for clause in ledger().values() if clause.id.upper().startswith(own))
    return tuple(clause for clause in below if _begins_a_part(clause.id[len(own) - 1 : len(own) + 1]))


def _begins_a_part(both: str) -> bool:
    """Say whether a new part of an id begins between two characters."""
    return len(both) == 2 and not both.isdigit() and not both.isalpha()

"""Clause details: clauses and rulings with the code that carries them and the tests that prove them."""

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from fourcard.rules.citations import carried_by, proven_by, unobservable
from fourcard.rules.clauses import Clause, Ruling, Setting, rulings
from fourcard.rules.sabotage_results import SabotageResult, sabotage_result


class ClauseEntry(Clause, frozen=True, kw_only=True):
    """One requirement of one source."""

    proven: bool
    """Whether a test proves it."""


class RulingEntry(msgspec.Struct, frozen=True, kw_only=True):
    """How an unclear point is read (R ids), or what the system does where no source demands it (P ids)."""

    id: str
    title: str
    clauses: tuple[str, ...]
    reading: str
    question: str
    overrules: tuple[str, ...]
    settings: dict[str, Setting]
    makes_void: bool
    carried_by: tuple[str, ...] | UnsetType = UNSET
    tests: tuple[str, ...] | UnsetType = UNSET
    sabotage: SabotageResult | UnsetType = UNSET


class ClauseDetails(ClauseEntry, frozen=True, kw_only=True, rename={"read_by": "rulings"}):
    """A clause with its rulings, the code and data that carry it, and the tests that prove it."""

    read_by: tuple[RulingEntry, ...]
    carried_by: tuple[str, ...]
    tests: tuple[str, ...]
    sabotage: SabotageResult
    """Whether the tests noticed altered rules."""
    not_seen: str | UnsetType = UNSET
    """The part that software cannot observe."""


def clause_entry(clause: Clause) -> ClauseEntry:
    """Return a clause for a list."""
    return ClauseEntry(**asdict(clause), proven=bool(proven_by(clause.id)))


def clause_details(clause: Clause) -> ClauseDetails:
    """Return a clause with everything known about it."""
    tests = proven_by(clause.id)
    return ClauseDetails(
        **asdict(clause),
        proven=bool(tests),
        read_by=tuple(ruling_entry(each, rulings()[each]) for each in clause.rulings),
        carried_by=carried_by(clause.id),
        tests=tests,
        sabotage=sabotage_result(clause.id),
        not_seen=unobservable().get(clause.id, UNSET),
    )


def ruling_entry(id_: str, ruling: Ruling) -> RulingEntry:
    """Return a ruling for a list."""
    return RulingEntry(id=id_, **asdict(ruling))


def ruling_details(id_: str, ruling: Ruling) -> RulingEntry:
    """Return a ruling with the code that carries it and the tests that prove it."""
    return RulingEntry(
        id=id_,
        **asdict(ruling),
        carried_by=carried_by(id_),
        tests=proven_by(id_),
        sabotage=sabotage_result(id_),
    )

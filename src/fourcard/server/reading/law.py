"""Clause, ruling and difference models."""

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.rules.citations import carried_by, manners, proven_by
from fourcard.rules.clauses import Clause
from fourcard.rules.differences import Point
from fourcard.rules.rulings import Ruling, Setting, rulings


class ClauseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One requirement of one source."""

    id: str
    source: str
    clause: str
    """Where it is in the source."""
    topic: str
    kind: str
    requirement: str
    params: str
    ruling: str
    """Ids of its rulings."""
    notes: str
    proven: bool
    """Whether a test proves it."""


class RulingAnswer(msgspec.Struct, frozen=True, kw_only=True):
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


class ClauseWhole(ClauseAnswer, frozen=True, kw_only=True):
    """A clause with its rulings, the code and data that carry it, and the tests that prove it."""

    rulings: tuple[RulingAnswer, ...]
    carried_by: tuple[str, ...]
    tests: tuple[str, ...]
    not_seen: str | UnsetType = UNSET
    """The part that software cannot observe."""


class StandAnswer(msgspec.Struct, frozen=True):
    """What a rulebook says on a point; None if it says nothing."""

    value: str | None
    clauses: list[str]


class PointAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One point and what each rulebook says on it."""

    point: str
    differs: bool
    pays: dict[str, str] | UnsetType = UNSET
    """Payouts, if the point is a paytable; the rulebooks then give the id under which they print it."""
    rulebooks: dict[str, StandAnswer]


def clause_answer(clause: Clause) -> ClauseAnswer:
    """Return a clause for a list."""
    return ClauseAnswer(**_fields(clause), proven=bool(proven_by(clause.id)))


def whole_clause(clause: Clause) -> ClauseWhole:
    """Return a clause with everything known about it."""
    return ClauseWhole(
        **_fields(clause),
        proven=bool(proven_by(clause.id)),
        rulings=tuple(ruling_answer(each, rulings()[each]) for each in clause.rulings),
        carried_by=carried_by(clause.id),
        tests=proven_by(clause.id),
        not_seen=manners().get(clause.id, UNSET),
    )


def _fields(clause: Clause) -> dict[str, str]:
    return {name: getattr(clause, name) for name in clause.__struct_fields__}


def ruling_answer(id_: str, ruling: Ruling) -> RulingAnswer:
    """Return a ruling for a list."""
    return RulingAnswer(
        id=id_,
        title=ruling.title,
        clauses=ruling.clauses,
        reading=ruling.reading,
        question=ruling.question,
        overrules=ruling.overrules,
        settings=ruling.settings,
        makes_void=ruling.makes_void,
    )


def whole_ruling(id_: str, ruling: Ruling) -> RulingAnswer:
    """Return a ruling with the code that carries it and the tests that prove it."""
    found = ruling_answer(id_, ruling)
    return msgspec.structs.replace(found, carried_by=carried_by(id_), tests=proven_by(id_))


def point_answer(point: Point) -> PointAnswer:
    """Return a point for a list."""
    return msgspec.convert(point.answer(), PointAnswer)

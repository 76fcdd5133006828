"""Rule routes: clauses, rulings, and how the rulebooks differ."""

from difflib import get_close_matches
from functools import cache
from typing import Annotated

import msgspec
from litestar import get
from litestar.params import Parameter
from msgspec import UNSET, UnsetType

from fourcard.house.auth.identity import printable
from fourcard.rules.citations import carried_by, proven_by, unobservable
from fourcard.rules.clauses import KINDS, Clause, Ruling, Setting, clauses, rulings, sources
from fourcard.rules.differences import DifferencePoint, rulebook_differences
from fourcard.rules.loading import rulebook_ids, rulebook_source
from fourcard.server.api.params import (
    DEFAULT_LIMIT,
    MAX_TEXT_LENGTH,
    AfterParam,
    LimitParam,
    ListPage,
    NameParam,
    RulebookParam,
    check_known,
    not_found,
    page_after,
)
from fourcard.server.error_handlers import error_responses


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


class ClauseDetails(ClauseAnswer, frozen=True, kw_only=True):
    """A clause with its rulings, the code and data that carry it, and the tests that prove it."""

    rulings: tuple[RulingAnswer, ...]
    carried_by: tuple[str, ...]
    tests: tuple[str, ...]
    not_seen: str | UnsetType = UNSET
    """The part that software cannot observe."""


def clause_answer(clause: Clause) -> ClauseAnswer:
    """Return a clause for a list."""
    return ClauseAnswer(**_fields(clause), proven=bool(proven_by(clause.id)))


def clause_details(clause: Clause) -> ClauseDetails:
    """Return a clause with everything known about it."""
    return ClauseDetails(
        **_fields(clause),
        proven=bool(proven_by(clause.id)),
        rulings=tuple(ruling_answer(each, rulings()[each]) for each in clause.rulings),
        carried_by=carried_by(clause.id),
        tests=proven_by(clause.id),
        not_seen=unobservable().get(clause.id, UNSET),
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


def ruling_details(id_: str, ruling: Ruling) -> RulingAnswer:
    """Return a ruling with the code that carries it and the tests that prove it."""
    found = ruling_answer(id_, ruling)
    return msgspec.structs.replace(found, carried_by=carried_by(id_), tests=proven_by(id_))


TAGS = ["rules"]
Search = Annotated[str, Parameter(max_length=MAX_TEXT_LENGTH, description="Search words; all must occur.")]
MAX_POINTS = 1_000


@get(
    "/api/clauses",
    summary="Clauses",
    tags=TAGS,
    responses=error_responses(400, 429),
    sync_to_thread=True,
)
def list_clauses(
    search: Search = "",
    source: NameParam = None,
    topic: NameParam = None,
    kind: NameParam = None,
    rulebook: RulebookParam = None,
    limit: LimitParam = DEFAULT_LIMIT,
    after: AfterParam = None,
) -> ListPage[ClauseAnswer]:
    """Return the clauses that contain every search word, in source order."""
    check_known("source", source, sources())
    check_known("topic", topic, topics())
    check_known("kind", kind, KINDS)
    check_known("rulebook", rulebook, rulebook_ids())
    words = search.lower().split()
    wanted = (
        clause
        for clause in clauses().values()
        if source in (None, clause.source)
        and topic in (None, clause.topic)
        and kind in (None, clause.kind)
        and (rulebook is None or rulebook_source(rulebook) == clause.source)
        and all(word in _text(clause) for word in words)
    )
    page = page_after(wanted, lambda clause: clause.id, limit, after)
    return ListPage(tuple(map(clause_answer, page.items)), page.next)


@cache
def topics() -> tuple[str, ...]:
    """Return all clause topics."""
    return tuple(sorted({clause.topic for clause in clauses().values()}))


def _text(clause: Clause) -> str:
    parts = (clause.id, clause.clause, clause.topic, clause.requirement, clause.notes, clause.ruling)
    return " ".join(parts).lower()


@get(
    "/api/clauses/{address:str}",
    summary="A clause, a ruling or a policy",
    tags=TAGS,
    responses=error_responses(400, 404, 429),
    sync_to_thread=True,
)
def show_clause(
    address: Annotated[str, Parameter(max_length=60, description="An id, such as MA-10b.2 or R27.")],
) -> ClauseDetails | RulingAnswer:
    """Return a clause with its rulings, the code that carries it and the tests that prove it."""
    known_clauses, readings = clauses(), rulings()
    known = _ids_by_lower_case().get(address.lower(), address)
    if known in known_clauses:
        return clause_details(known_clauses[known])
    if known in readings:
        return ruling_details(known, readings[known])
    near = get_close_matches(address.upper(), [*known_clauses, *readings], 3, 0.7)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise not_found(f"no clause, ruling or policy '{printable(address)}'{hint}")


@cache
def _ids_by_lower_case() -> dict[str, str]:
    return {address.lower(): address for address in (*clauses(), *rulings())}


@get(
    "/api/rulings",
    summary="Rulings and policies",
    tags=TAGS,
    responses=error_responses(400, 429),
    sync_to_thread=True,
)
def list_rulings(
    search: Search = "", limit: LimitParam = DEFAULT_LIMIT, after: AfterParam = None
) -> ListPage[RulingAnswer]:
    """Return the rulings and policies that contain every search word."""
    words = search.lower().split()
    found = (ruling_answer(id_, ruling) for id_, ruling in rulings().items())
    wanted = (each for each in found if all(word in _ruling_text(each) for word in words))
    return page_after(wanted, lambda each: each.id, limit, after)


def _ruling_text(ruling: RulingAnswer) -> str:
    parts = (ruling.id, ruling.title, ruling.question, ruling.reading, *ruling.clauses)
    return " ".join(parts).lower()


@get(
    "/api/differences",
    summary="How the rulebooks differ",
    tags=TAGS,
    responses=error_responses(400, 429),
    sync_to_thread=True,
)
def list_differences(
    search: Search = "",
    all: Annotated[bool, Parameter(description="Include points on which all agree.")] = False,  # noqa: A002
    limit: Annotated[int, Parameter(ge=1, le=MAX_POINTS, description="Most points.")] = MAX_POINTS,
    after: AfterParam = None,
) -> ListPage[DifferencePoint]:
    """Return every point on which the rulebooks differ, computed from their data."""
    words = {*search.lower().replace("_", " ").split()}
    wanted = (point for point in rulebook_differences() if all or point.differs)
    found = (point for point in wanted if not any(word not in _point_text(point) for word in words))
    return page_after(found, lambda each: each.point, limit, after)


def _point_text(point: DifferencePoint) -> str:
    return point.point.replace("_", " ").lower()

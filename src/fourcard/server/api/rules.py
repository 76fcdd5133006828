"""Rule routes: clauses, rulings, and how the rulebooks differ."""

from difflib import get_close_matches
from functools import cache
from typing import Annotated

from litestar import get
from litestar.params import Parameter

from fourcard.house.auth.identity import printable
from fourcard.rules.clause_details import (
    ClauseDetails,
    ClauseEntry,
    RulingEntry,
    clause_details,
    clause_entry,
    ruling_details,
    ruling_entry,
)
from fourcard.rules.clauses import KINDS, Clause, clauses, rulings, sources
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
) -> ListPage[ClauseEntry]:
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
    return ListPage(tuple(map(clause_entry, page.items)), page.next)


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
) -> ClauseDetails | RulingEntry:
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
) -> ListPage[RulingEntry]:
    """Return the rulings and policies that contain every search word."""
    words = search.lower().split()
    found = (ruling_entry(id_, ruling) for id_, ruling in rulings().items())
    wanted = (each for each in found if all(word in _ruling_text(each) for word in words))
    return page_after(wanted, lambda each: each.id, limit, after)


def _ruling_text(ruling: RulingEntry) -> str:
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

"""Rule routes: clauses, rulings, and how the rulebooks differ."""

from difflib import get_close_matches
from functools import cache
from typing import Annotated

from litestar import get
from litestar.params import Parameter

from fourcard.house.actors import legible
from fourcard.rules.clauses import KINDS, SOURCES, Clause, ledger
from fourcard.rules.differences import Point, points
from fourcard.rules.loading import RULEBOOKS
from fourcard.rules.rulings import rulings
from fourcard.server.documented import problems
from fourcard.server.pages import Page
from fourcard.server.reading.asking import (
    DEFAULT_LIMIT,
    LONGEST_TEXT,
    After,
    Book,
    Limit,
    Name,
    absent,
    check_known,
    paged,
)
from fourcard.server.reading.law import (
    ClauseAnswer,
    ClauseWhole,
    PointAnswer,
    RulingAnswer,
    clause_answer,
    point_answer,
    ruling_answer,
    whole_clause,
    whole_ruling,
)

TAGS = ["rules"]
Search = Annotated[str, Parameter(max_length=LONGEST_TEXT, description="Search words; all must occur.")]
SOURCE_OF = dict(zip(RULEBOOKS, SOURCES, strict=True))
"""Source letters of each rulebook; both lists are in the same order."""
MOST_POINTS = 1_000


@get(
    "/api/clauses",
    summary="Clauses",
    tags=TAGS,
    responses=problems(400, 429),
    sync_to_thread=True,
)
def list_clauses(
    search: Search = "",
    source: Name = None,
    topic: Name = None,
    kind: Name = None,
    rulebook: Book = None,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Page[ClauseAnswer]:
    """Return the clauses that contain every search word, in source order."""
    check_known("source", source, SOURCES)
    check_known("topic", topic, topics())
    check_known("kind", kind, KINDS)
    check_known("rulebook", rulebook, RULEBOOKS)
    words = search.lower().split()
    wanted = (
        clause
        for clause in ledger().values()
        if source in (None, clause.source)
        and topic in (None, clause.topic)
        and kind in (None, clause.kind)
        and (rulebook is None or SOURCE_OF[rulebook] == clause.source)
        and all(word in _text(clause) for word in words)
    )
    page = paged(wanted, lambda clause: clause.id, limit, after)
    return Page(tuple(map(clause_answer, page.items)), page.next)


@cache
def topics() -> tuple[str, ...]:
    """Return all clause topics."""
    return tuple(sorted({clause.topic for clause in ledger().values()}))


def _text(clause: Clause) -> str:
    parts = (clause.id, clause.clause, clause.topic, clause.requirement, clause.notes, clause.ruling)
    return " ".join(parts).lower()


@get(
    "/api/clauses/{address:str}",
    summary="A clause, a ruling or a policy",
    tags=TAGS,
    responses=problems(400, 404, 429),
    sync_to_thread=True,
)
def show_clause(
    address: Annotated[str, Parameter(max_length=60, description="An id, such as MA-10b.2 or R27.")],
) -> ClauseWhole | RulingAnswer:
    """Return a clause with its rulings, the code that carries it and the tests that prove it."""
    known_clauses, readings = ledger(), rulings()
    known = _ids_by_lower_case().get(address.lower(), address)
    if known in known_clauses:
        return whole_clause(known_clauses[known])
    if known in readings:
        return whole_ruling(known, readings[known])
    near = get_close_matches(address.upper(), [*known_clauses, *readings], 3, 0.7)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise absent(f"no clause, ruling or policy '{legible(address)}'{hint}")


@cache
def _ids_by_lower_case() -> dict[str, str]:
    return {address.lower(): address for address in (*ledger(), *rulings())}


@get(
    "/api/rulings",
    summary="Rulings and policies",
    tags=TAGS,
    responses=problems(400, 429),
    sync_to_thread=True,
)
def list_rulings(
    search: Search = "", limit: Limit = DEFAULT_LIMIT, after: After = None
) -> Page[RulingAnswer]:
    """Return the rulings and policies that contain every search word."""
    words = search.lower().split()
    found = (ruling_answer(id_, ruling) for id_, ruling in rulings().items())
    wanted = (each for each in found if all(word in _ruling_text(each) for word in words))
    return paged(wanted, lambda each: each.id, limit, after)


def _ruling_text(ruling: RulingAnswer) -> str:
    parts = (ruling.id, ruling.title, ruling.question, ruling.reading, *ruling.clauses)
    return " ".join(parts).lower()


@get(
    "/api/differences",
    summary="How the rulebooks differ",
    tags=TAGS,
    responses=problems(400, 429),
    sync_to_thread=True,
)
def list_differences(
    search: Search = "",
    all: Annotated[bool, Parameter(description="Include points on which all agree.")] = False,  # noqa: A002
    limit: Annotated[int, Parameter(ge=1, le=MOST_POINTS, description="Most points.")] = MOST_POINTS,
    after: After = None,
) -> Page[PointAnswer]:
    """Return every point on which the rulebooks differ, computed from their data."""
    words = {*search.lower().replace("_", " ").split()}
    wanted = (point for point in points() if all or point.differs)
    found = (point for point in wanted if not any(word not in _point_text(point) for word in words))
    page = paged(found, lambda point: point.name, limit, after)
    return Page(tuple(map(point_answer, page.items)), page.next)


def _point_text(point: Point) -> str:
    return point.name.replace("_", " ").lower()

"""Error responses in the OpenAPI document: one description per status."""

from collections.abc import Mapping

from litestar.openapi.datastructures import ResponseSpec

from fourcard.server.faults import Problem

SAID = {
    400: "The request cannot be read; the sentence says why.",
    401: "Nobody has signed in, or the sign-in has ended.",
    403: "It is not for this person, or the request comes from another site.",
    404: "There is nothing of that name.",
    409: "A rule of the house or of the game refuses it; the clauses say which.",
    413: "The request is too large.",
    429: "Too many requests; Retry-After says when the next is taken.",
    503: "The house cannot be reached or is closing; nothing was changed.",
}


def problems(*statuses: int) -> Mapping[int, ResponseSpec]:
    """Return the OpenAPI response specs for these error statuses."""
    return {
        status: ResponseSpec(Problem, description=SAID[status], generate_examples=False)
        for status in statuses
    }

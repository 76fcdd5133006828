"""Error responses in the OpenAPI document: one description per status."""

from collections.abc import Mapping

from litestar.openapi.datastructures import ResponseSpec

from fourcard.server.faults import Problem

SAID = {
    400: "The request is invalid; the message says why.",
    401: "You are not signed in, or your sign-in has ended.",
    403: "You do not have permission, or the request comes from another site.",
    404: "There is nothing with this name.",
    409: "A rule of the house or the game refuses it; the clauses say which.",
    413: "The request is too large.",
    429: "Too many requests; Retry-After says how many seconds to wait.",
    503: "The house cannot be reached or is closing; nothing changed.",
}


def problems(*statuses: int) -> Mapping[int, ResponseSpec]:
    """Return the OpenAPI response specs for these error statuses."""
    return {
        status: ResponseSpec(Problem, description=SAID[status], generate_examples=False)
        for status in statuses
    }

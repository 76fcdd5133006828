"""Error responses: an HTTP status and a refusal with its clauses for every kind of error."""

import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Redirect

from fourcard.house.route_command import InternalError
from fourcard.house.store.interface import StoreError
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.server.json_response import JsonResponse

_log = logging.getLogger(__name__)
CONFLICT = 409
INTERNAL_ERROR = "it had an internal error"
UNREACHABLE = "it cannot be reached"
STATUSES: dict[Code, int] = {
    Code.NOT_SIGNED_IN: 401,
    Code.TOKEN_INVALID: 401,
    Code.SIGN_IN_FAILED: 401,
    Code.SIGN_IN_LOCKED: 429,
    Code.FOREIGN_ORIGIN: 403,
    Code.LINK_SPENT: 403,
    Code.LOCAL_MODE_ONLY: 403,
    Code.NOT_PERMITTED: 403,
    Code.ROLE_NOT_HELD: 403,
    Code.NOT_YOUR_NAME: 403,
    Code.NOT_YOUR_ACCOUNT: 403,
    Code.READING_NOT_PERMITTED: 403,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_SUCH_METER: 404,
    Code.PLAYER_UNKNOWN: 404,
    Code.NOTHING_HERE: 404,
    Code.TOO_FAST: 429,
    Code.REQUEST_UNREADABLE: 400,
    Code.COMMAND_UNWRITABLE: 400,
    Code.KEY_UNFIT: 400,
    Code.PAYOUT_UNREADABLE: 400,
    Code.PAYTABLE_EMPTY: 400,
    Code.HOUSE_IN_TROUBLE: 503,
}
"""HTTP status by refusal code; every other code is a conflict (409)."""


class RefusalBody(msgspec.Struct, frozen=True):
    """Refusal as sent to clients."""

    code: int
    name: str
    message: str
    clauses: tuple[str, ...]


class Problem(msgspec.Struct, frozen=True):
    """Body of every error response."""

    refusal: RefusalBody


def refusal_body(refusal: Refusal) -> RefusalBody:
    """Return a refusal as sent to clients."""
    return RefusalBody(int(refusal.code), refusal.name, refusal.message, refusal.clauses)


def status_of(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    return STATUSES.get(refusal.code, CONFLICT)


def refusal_response(
    refusal: Refusal, status: int | None = None, headers: dict[str, str] | None = None
) -> Response[Problem]:
    """Return a refusal as an HTTP response."""
    found = status or status_of(refusal)
    return JsonResponse(
        Problem(refusal_body(refusal)), status_code=found, media_type=MediaType.JSON, headers=headers
    )


class RateLimitError(RefusedError):
    """Rate limit exceeded."""

    def __init__(self, wait: int) -> None:
        """Take the seconds to wait before the next request."""
        super().__init__(refuse(Code.TOO_FAST, wait=wait))
        self.wait = wait


def on_refused(_request: Request[Any, Any, Any], error: RefusedError) -> Response[Problem]:
    """Handle a refusal by the house."""
    headers = {"Retry-After": str(error.wait)} if isinstance(error, RateLimitError) else None
    return refusal_response(error.refusal, headers=headers)


def on_bad_input(_request: Request[Any, Any, Any], error: BadInputError) -> Response[Problem]:
    """Handle input that cannot be used, and a store that cannot be reached."""
    return refusal_response(refusal_for(error))


def refusal_for(error: BadInputError) -> Refusal:
    """Return the refusal for an error; internal and store errors are detailed only in the log."""
    if isinstance(error, InternalError):
        _log.error("A command caused an internal error: %s", error)
        return refuse(Code.HOUSE_IN_TROUBLE, reason=INTERNAL_ERROR)
    if isinstance(error, StoreError):
        _log.warning("The house cannot be reached: %s", error)
        return refuse(Code.HOUSE_IN_TROUBLE, reason=UNREACHABLE)
    return refuse(Code.REQUEST_UNREADABLE, reason=str(error).rstrip("."))


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Return whether a browser opens this address for a person, not a program calling the API."""
    read = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    return read and not request.scope["path"].startswith("/api/")


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Handle errors of the framework: unknown address, wrong method, invalid field.

    A browser is redirected to the page, which looks up the address behind '#' or says that it is unknown.
    """
    status = error.status_code
    if status == 404 and wants_page(request):
        return Redirect(f"/#{quote(request.scope['path'])}", status_code=303)
    if status == 404:
        return refusal_response(refuse(Code.NOTHING_HERE, what=error.detail or "no such address"), 404)
    reason = _reason(error)
    return refusal_response(refuse(Code.REQUEST_UNREADABLE, reason=reason), status, dict(error.headers or {}))


def _reason(error: HTTPException) -> str:
    """Return what is wrong with a request, without the framework's own wording."""
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first: dict[str, Any] = error.extra[0]
        where = first.get("key") or first.get("source") or "the request"
        return f"{where}: {first.get('message', 'it is invalid')}".rstrip(".")
    return (error.detail or "it is invalid").rstrip(".")


def on_too_deep(_request: Request[Any, Any, Any], _error: RecursionError) -> Response[Problem]:
    """Handle input that is nested too deeply."""
    return refusal_response(refuse(Code.REQUEST_UNREADABLE, reason="it is nested too deeply"))


def on_internal_error(_request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Handle an internal error: details go to the log, not to the client."""
    _log.error("A request caused an internal error.", exc_info=error)
    refusal = refuse(Code.HOUSE_IN_TROUBLE, reason=INTERNAL_ERROR)
    return refusal_response(refusal, 500)


HANDLERS: dict[int | type[Exception], Any] = {
    RefusedError: on_refused,
    BadInputError: on_bad_input,
    HTTPException: on_http,
    RecursionError: on_too_deep,
    Exception: on_internal_error,
}


ERROR_DESCRIPTIONS = {
    400: "The request is invalid; the message says why.",
    401: "You are not signed in, or your sign-in has ended.",
    403: "You do not have permission, or the request comes from another site.",
    404: "There is nothing with this name.",
    409: "A rule of the house or the game refuses it; the clauses say which.",
    413: "The request is too large.",
    429: "Too many requests; Retry-After says how many seconds to wait.",
    503: "The house cannot be reached or is closing; nothing changed.",
}


def error_responses(*statuses: int) -> Mapping[int, ResponseSpec]:
    """Return the OpenAPI response specs for these error statuses."""
    return {
        status: ResponseSpec(Problem, description=ERROR_DESCRIPTIONS[status], generate_examples=False)
        for status in statuses
    }

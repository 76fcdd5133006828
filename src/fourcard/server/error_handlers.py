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
from litestar.types import Send

from fourcard.house.route_command import InternalError
from fourcard.house.store.interface import StoreError
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.server.json_response import send_json

_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()
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
    Code.BOTS_SET_BY_HOUSE: 403,
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


class RateLimitError(RefusedError):
    """Rate limit exceeded."""

    def __init__(self, wait: int) -> None:
        """Take the seconds to wait before the next request."""
        super().__init__(refuse(Code.TOO_FAST, wait=wait))
        self.wait = wait


class BusyError(RefusedError):
    """The server has no room for a request at the moment."""

    def __init__(self, reason: str, wait: int) -> None:
        """Take the reason, and the seconds to wait before the next request."""
        super().__init__(refuse(Code.HOUSE_IN_TROUBLE, reason=f"{reason}; try again in {wait} s"))
        self.wait = wait


class ErrorAnswer(msgspec.Struct, frozen=True):
    """How an error is answered."""

    refusal: Refusal
    status: int
    headers: Mapping[str, str] = {}

    @property
    def body(self) -> Problem:
        """Return what is sent."""
        return Problem(refusal_body(self.refusal))


def error_answer(error: Exception) -> ErrorAnswer:
    """Return the answer to an error; internal errors are detailed in the log, not to the client."""
    if isinstance(error, RefusedError):
        headers = {"retry-after": str(error.wait)} if isinstance(error, RateLimitError | BusyError) else {}
        return ErrorAnswer(error.refusal, status_of(error.refusal), headers)
    if isinstance(error, BadInputError):
        refusal = refusal_for(error)
        return ErrorAnswer(refusal, status_of(refusal))
    if isinstance(error, HTTPException):
        return ErrorAnswer(_http_refusal(error), error.status_code, dict(error.headers or {}))
    if isinstance(error, RecursionError):
        return ErrorAnswer(refuse(Code.REQUEST_UNREADABLE, reason="it is nested too deeply"), 400)
    _log.error("A request caused an internal error.", exc_info=error)
    return ErrorAnswer(refuse(Code.HOUSE_IN_TROUBLE, reason=INTERNAL_ERROR), 500)


async def send_error(send: Send, error: Exception) -> None:
    """Send the answer to an error."""
    answer = error_answer(error)
    headers = ((name.encode(), value.encode()) for name, value in answer.headers.items())
    await send_json(send, answer.status, _encoder.encode(answer.body), headers)


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


def on_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Handle an error of the house, of this server or of the framework.

    A browser that opens an unknown address is redirected to the page, which looks up the address behind '#'
    or says that it is unknown.
    """
    answer = error_answer(error)
    if answer.status == 404 and isinstance(error, HTTPException) and wants_page(request):
        return Redirect(f"/#{quote(request.scope['path'])}", status_code=303)
    return Response(
        answer.body, status_code=answer.status, media_type=MediaType.JSON, headers=dict(answer.headers)
    )


def _http_refusal(error: HTTPException) -> Refusal:
    """Return the refusal for an unknown address, a wrong method or an invalid field."""
    if error.status_code == 404:
        return refuse(Code.NOTHING_HERE, what=error.detail or "no such address")
    return refuse(Code.REQUEST_UNREADABLE, reason=_reason(error))


def _reason(error: HTTPException) -> str:
    """Return what is wrong with a request, without the framework's own wording."""
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first: dict[str, Any] = error.extra[0]
        where = first.get("key") or first.get("source") or "the request"
        return f"{where}: {first.get('message', 'it is invalid')}".rstrip(".")
    return (error.detail or "it is invalid").rstrip(".")


HANDLERS: dict[int | type[Exception], Any] = {Exception: on_error}


ERROR_DESCRIPTIONS = {
    400: "The request is invalid; the message says why.",
    401: "You are not signed in, or your sign-in has ended.",
    403: "You do not have permission, or the request comes from another site.",
    404: "There is nothing with this name.",
    409: "A rule of the house or the game refuses it; the clauses say which.",
    408: "The body of the request did not arrive in time.",
    413: "The request is too large.",
    429: "Too many requests; Retry-After says how many seconds to wait.",
    503: "The house cannot be reached, is busy or is closing; nothing changed.",
}


def error_responses(*statuses: int) -> Mapping[int, ResponseSpec]:
    """Return the OpenAPI response specs for these error statuses."""
    return {
        status: ResponseSpec(Problem, description=ERROR_DESCRIPTIONS[status], generate_examples=False)
        for status in statuses
    }

"""What goes wrong over the wire, as every client gets it: a status, and a refusal with its clauses."""

import logging
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Redirect

from fourcard.errors import BadInputError
from fourcard.house.requests import FaultError
from fourcard.house.store.contract import StoreError
from fourcard.refusals import Code, Refusal, RefusedError, refuse

_log = logging.getLogger(__name__)
CONFLICT = 409
OWN_FAULT = "it met a fault of its own"
UNREACHED = "it cannot be reached"
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
"""How refusals are told apart by a client that looks at the status alone; every other one is a conflict."""


class RefusalBody(msgspec.Struct, frozen=True):
    """Why something may not be."""

    code: int
    name: str
    message: str
    clauses: tuple[str, ...]


class Problem(msgspec.Struct, frozen=True):
    """The body of every answer that is none."""

    refusal: RefusalBody


def body(refusal: Refusal) -> RefusalBody:
    """Return a refusal as clients get it."""
    return RefusalBody(int(refusal.code), refusal.name, refusal.message, refusal.clauses)


def status_of(refusal: Refusal) -> int:
    """Return the status under which a refusal is told."""
    return STATUSES.get(refusal.code, CONFLICT)


def told(
    refusal: Refusal, status: int | None = None, headers: dict[str, str] | None = None
) -> Response[Problem]:
    """Return a refusal as an answer."""
    found = status or status_of(refusal)
    return Response(Problem(body(refusal)), status_code=found, media_type=MediaType.JSON, headers=headers)


class TooFastError(RefusedError):
    """Somebody asks too much in too short a time."""

    def __init__(self, wait: int) -> None:
        """Say when the next is taken."""
        super().__init__(refuse(Code.TOO_FAST, wait=wait))
        self.wait = wait


def on_refused(_request: Request[Any, Any, Any], error: RefusedError) -> Response[Problem]:
    """Tell a refusal of the house."""
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TooFastError) else None
    return told(error.refusal, headers=headers)


def on_bad_input(_request: Request[Any, Any, Any], error: BadInputError) -> Response[Problem]:
    """Tell what cannot be done with what was sent, or that the store cannot be reached."""
    return told(trouble(error))


def trouble(error: BadInputError) -> Refusal:
    """Return what is told of an error; what is wrong here or with the store stands in the log alone."""
    if isinstance(error, FaultError):
        _log.error("A command met a fault: %s", error)
        return refuse(Code.HOUSE_IN_TROUBLE, reason=OWN_FAULT)
    if isinstance(error, StoreError):
        _log.warning("The house cannot be reached: %s", error)
        return refuse(Code.HOUSE_IN_TROUBLE, reason=UNREACHED)
    return refuse(Code.REQUEST_UNREADABLE, reason=str(error).rstrip("."))


def asks_for_page(request: Request[Any, Any, Any]) -> bool:
    """Say whether a browser opens an address for a person, rather than a program asking the API."""
    read = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    return read and not request.scope["path"].startswith("/api/")


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Tell what the framework refuses: an unknown address, a method, a field that does not fit.

    A browser goes on to the page, where an address without its '#' is found, or said to be unknown.
    """
    status = error.status_code
    if status == 404 and asks_for_page(request):
        return Redirect(f"/#{quote(request.scope['path'])}", status_code=303)
    if status == 404:
        return told(refuse(Code.NOTHING_HERE, what=error.detail or "no such address"), 404)
    reason = _reason(error)
    return told(refuse(Code.REQUEST_UNREADABLE, reason=reason), status, dict(error.headers or {}))


def _reason(error: HTTPException) -> str:
    """Return what is wrong with a request in words, without what the framework says of itself."""
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first: dict[str, Any] = error.extra[0]
        where = first.get("key") or first.get("source") or "the request"
        return f"{where}: {first.get('message', 'it does not fit')}".rstrip(".")
    return (error.detail or "it does not fit").rstrip(".")


def on_too_deep(_request: Request[Any, Any, Any], _error: RecursionError) -> Response[Problem]:
    """Tell that what was sent is nested too deeply to be read."""
    return told(refuse(Code.REQUEST_UNREADABLE, reason="it is nested too deeply"))


def on_fault(_request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Tell that the house met a fault of its own; what it was stands in the log, not in the answer."""
    _log.error("A request met a fault.", exc_info=error)
    refusal = refuse(Code.HOUSE_IN_TROUBLE, reason=OWN_FAULT)
    return told(refusal, 500)


HANDLERS: dict[int | type[Exception], Any] = {
    RefusedError: on_refused,
    BadInputError: on_bad_input,
    HTTPException: on_http,
    RecursionError: on_too_deep,
    Exception: on_fault,
}

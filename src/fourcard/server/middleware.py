"""Security middleware: host and origin checks, rate limits, security headers, health, request log."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.server.arrivals import ARRIVAL_KEY, ARRIVALS_AT_ONCE, Arrival
from fourcard.server.authn import SAFE_METHODS, Authenticator, RequestHead
from fourcard.server.compression import GzipSender
from fourcard.server.error_handlers import BusyError, RateLimitError, send_error
from fourcard.server.json_response import send_json
from fourcard.server.live import TOO_MANY
from fourcard.server.rate_limit import RateLimiter
from fourcard.server.request_body import BodyMemory, BodyTimeoutError, TimedBody
from fourcard.server.settings import ServerSettings

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
STRICT_TRANSPORT = "max-age=31536000"
CACHE_CONTROL = b"cache-control"
NO_STORE = (CACHE_CONTROL, b"no-store")
HEALTH_PATH = "/health"
MONITORING_PATHS = frozenset((HEALTH_PATH, "/ready"))
"""Paths for monitoring, allowed under any host name."""
LOGGED_PATHS = frozenset(("/", "/icon.svg", *MONITORING_PATHS))
LOGGED_PREFIXES = ("/api/", "/assets/", "/data/")
"""Paths that the log shows; any other path could be a mistyped sign-in link with its secret."""
MAX_PATH_LENGTH = 200
LOG_SECONDS = 0.1
"""Seconds after which a request is in the log."""
HEAD = "HEAD"
_log = logging.getLogger("fourcard.requests")


class SecurityMiddleware:
    """ASGI middleware in front of the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        authenticator: Authenticator,
        health: Callable[[], msgspec.Struct],
    ) -> None:
        """Wrap an application; its health is told here, before anything that could fail or take long."""
        self._app, self._authenticator, self._health = app, authenticator, health
        self._log, self._arrivals = RequestLog(), asyncio.Semaphore(ARRIVALS_AT_ONCE)
        self._body_memory = BodyMemory(settings.connections)
        limits = settings.limits
        self._rate = RateLimiter(limits.requests, limits.burst)
        self._address_rate = RateLimiter(limits.requests * limits.crowd, limits.burst * limits.crowd)
        self._unverified_rate = RateLimiter(limits.requests, limits.burst * limits.crowd // 2)
        headers = SECURITY_HEADERS | (
            {"strict-transport-security": STRICT_TRANSPORT} if settings.secure else {}
        )
        self._headers = tuple((name.encode(), value.encode()) for name, value in headers.items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == ScopeType.WEBSOCKET and self._wait(self._authenticator.head(scope)):
            close: Any = {"type": "websocket.close", "code": TOO_MANY.code, "reason": TOO_MANY.reason}
            await send(close)
            return
        if scope["type"] == ScopeType.WEBSOCKET:
            await self._serve_live(scope, receive, send)
            return
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            self._log.write()
            return
        began = time.perf_counter()
        status = 0
        without_body = scope["method"] == HEAD

        async def respond(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._with_security(message["headers"])
            elif without_body and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        head = self._authenticator.head(scope)
        refused = self._refused(scope, head)
        if refused is not None:
            await send_error(respond, refused)
        elif scope["path"] == HEALTH_PATH and scope["method"] in ("GET", HEAD):
            await send_json(respond, 200, msgspec.json.encode(self._health()))
        elif scope["method"] in SAFE_METHODS:
            await self._app(_head_as_get(scope), receive, GzipSender(respond) if head.takes_gzip else respond)
        else:
            await self._receive_body(scope, receive, GzipSender(respond) if head.takes_gzip else respond)
        self._log.add(scope, status, began)

    async def _serve_live(self, scope: Any, receive: Receive, send: Send) -> None:
        """Pass on a live connection when it is its turn to start."""
        arrival = scope[ARRIVAL_KEY] = Arrival(self._arrivals)
        await arrival.begin()
        try:
            await self._app(scope, receive, send)
        finally:
            arrival.end()

    async def _receive_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request whose body must arrive in time."""
        body = TimedBody(receive, self._body_memory)
        try:
            await self._app(scope, body.receive, send)
        except (BodyTimeoutError, BusyError) as error:
            await send_error(send, error)
        finally:
            body.end()

    def _with_security(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the headers of a response with those of every response."""
        found = [*headers, *self._headers]
        for name, _ in headers:
            if name == CACHE_CONTROL:
                return found
        return [*found, NO_STORE]

    def _refused(self, scope: Any, head: RequestHead) -> RefusedError | None:
        """Count a request, and return why it is not passed on, or None."""
        authenticator = self._authenticator
        own = authenticator.is_our_host if scope["method"] in SAFE_METHODS else authenticator.is_same_site
        if scope["path"] not in MONITORING_PATHS and not own(head):
            return RefusedError(refuse(Code.FOREIGN_ORIGIN))
        wait = self._wait(head)
        return RateLimitError(wait) if wait else None

    def _wait(self, head: RequestHead) -> int:
        """Count a request or new live connection; return 0, or the seconds to wait."""
        person = self._authenticator.sessions.last_known(head.session) if head.session else None
        rate = self._unverified_rate if head.session and person is None else self._rate
        counted = head.address if person is None else f"{person.kind}/{person.person}"
        return self._address_rate.wait(head.address) or rate.wait(counted)


def _head_as_get(scope: Any) -> Any:
    """Return a HEAD request as GET, except for sign-in links, which HEAD must not use up."""
    return (
        {**scope, "method": "GET"}
        if scope["method"] == HEAD and not _is_sign_in_link(scope["path"])
        else scope
    )


class RequestLine(msgspec.Struct, frozen=True, rename={"logger": "from"}):
    """A request as one line of the log."""

    at: int
    method: str
    path: str
    status: int
    ms: float
    level: str = "info"
    logger: str = _log.name
    what: str = "request"


class RequestLog:
    """Log of requests: a moment later and many at once, because logging each one slows the next down."""

    def __init__(self) -> None:
        """Start with nothing to write."""
        self._waiting: list[tuple[float, str, str, int, float]] = []
        """Time, method, path, status and milliseconds of each request."""

    def add(self, scope: Any, status: int, began: float) -> None:
        """Log a request soon, without the secrets in its path."""
        if not _log.isEnabledFor(logging.INFO):
            return
        if not self._waiting:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self.write)
        milliseconds = round(1000 * (time.perf_counter() - began), 1)
        self._waiting.append((time.time(), scope["method"], scope["path"], status, milliseconds))

    def write(self) -> None:
        """Write what waits."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            record = logging.LogRecord(_log.name, logging.INFO, __file__, 0, "requests", (), None)
            record.lines = [
                RequestLine(int(1000 * at), method, _logged_path(path), status, milliseconds)
                for at, method, path, status, milliseconds in waiting
            ]
            _log.handle(record)


def _is_sign_in_link(path: str) -> bool:
    """Return whether a path is a sign-in link."""
    return path.startswith("/enter/")


def _logged_path(path: str) -> str:
    """Return a path as logged: links without their secret, unknown paths not at all."""
    if _is_sign_in_link(path):
        return "/enter/..."
    return path[:MAX_PATH_LENGTH] if path in LOGGED_PATHS or path.startswith(LOGGED_PREFIXES) else "(nowhere)"


class JsonLogFormatter(logging.Formatter):
    """Log formatter: one JSON object per line with time, level, logger and message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as one line, or as the lines that it carries."""
        lines: list[RequestLine] | None = getattr(record, "lines", None)
        if lines is not None:
            return "\n".join(map(_json_line, lines))
        line: dict[str, object] = {
            "at": int(record.created * 1000),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _json_line(line)


def _json_line(line: object) -> str:
    """Return an object as JSON; characters that are no text are written as their numbers."""
    try:
        return msgspec.json.encode(line).decode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(line))

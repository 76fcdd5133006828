"""Short routes: requests whose arguments and answer are plain reach their handler without the framework.

The framework still describes these routes and finds them by path. It takes every other request, also one
whose path, query or body is invalid, because it tells what is wrong with it.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, get_origin
from urllib.parse import parse_qsl

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import Receive, Scope, Send

from fourcard.server.error_handlers import send_error
from fourcard.server.json_response import send_json

FindPerson = Callable[[Any], Awaitable[object]]
"""Returns the person of a request's scope, or refuses the request."""
BODY, CONTENT_LENGTH = "data", b"content-length"


class RequestBody:
    """The body of a request, which the framework can receive again after it was read here."""

    def __init__(self, scope: Scope, receive: Receive, most: int) -> None:
        """Take a request, and the most bytes that its body may have."""
        self._scope, self._receive, self._most = scope, receive, most
        self._messages: list[Any] = []

    async def read(self) -> bytes | None:
        """Return the body, or None if it is too large or the client has left."""
        for name, value in self._scope["headers"]:
            if name == CONTENT_LENGTH and not (value.isdigit() and int(value) <= self._most):
                return None
        left = self._most
        while left >= 0:
            message: Any = await self._receive()
            self._messages.append(message)
            if message["type"] != "http.request":
                return None
            left -= len(message["body"])
            if left >= 0 and not message.get("more_body", False):
                return b"".join(each["body"] for each in self._messages)
        return None

    async def receive(self) -> Any:
        """Receive again what was read, and then what follows."""
        return self._messages.pop(0) if self._messages else await self._receive()


class ShortRoute(msgspec.Struct, frozen=True):
    """What to call for a route, and where its arguments come from."""

    handler: Callable[..., Awaitable[msgspec.Struct]]
    parts: Mapping[str, object]
    """Parts of the application."""
    people: tuple[tuple[str, FindPerson], ...]
    parameters: type[msgspec.Struct]
    """The values in path and query."""
    body: msgspec.json.Decoder[Any] | None
    encoder: msgspec.json.Encoder
    status: int

    async def arguments(
        self, path: Mapping[str, object], query: bytes, body: RequestBody
    ) -> dict[str, object] | None:
        """Return the arguments that a request holds, or None if they are invalid."""
        asked = parse_qsl(query.decode("latin-1"), keep_blank_values=True) if query else ()
        try:
            found = msgspec.structs.asdict(
                msgspec.convert({**dict(asked), **path}, self.parameters, strict=False)
            )
            if self.body is not None:
                read = await body.read()
                if read is None:
                    return None
                found[BODY] = self.body.decode(read)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
        return {**found, **self.parts}

    async def answer(self, scope: Scope, arguments: dict[str, object]) -> bytes:
        """Return the encoded answer to a request, or raise why there is none."""
        for name, find in self.people:
            arguments[name] = await find(scope)
        return self.encoder.encode(await self.handler(**arguments))


class ShortRoutes:
    """ASGI application in front of the framework."""

    def __init__(
        self, app: Litestar, parts: Mapping[str, object], people: Mapping[str, FindPerson], max_body: int
    ) -> None:
        """Take the short way for every route whose handler needs only these, its path, query and body."""
        self._app, self._max_body = app, max_body
        routes = (each for each in app.routes if isinstance(each, HTTPRoute))
        handlers = (each for route in routes for each in route.route_handler_map.values())
        found = ((handler, _short_route(handler, model, parts, people)) for handler, model in handlers)
        self._routes: dict[object, ShortRoute] = {
            handler: short for handler, short in found if short is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the framework."""
        route, values = self._find(scope)
        if route is None:
            await self._app(scope, receive, send)
            return
        body = RequestBody(scope, receive, self._max_body)
        arguments = await route.arguments(values, scope["query_string"], body)
        if arguments is None:
            await self._app(scope, body.receive, send)
            return
        try:
            answer = await route.answer(scope, arguments)
        except Exception as error:  # noqa: BLE001  every error has an answer
            await send_error(send, error)
        else:
            await send_json(send, route.status, answer)

    def _find(self, scope: Any) -> tuple[ShortRoute | None, Mapping[str, object]]:
        """Return the short route of a request and the values in its path."""
        if scope["type"] != ScopeType.HTTP:
            return None, {}
        try:
            found = self._app.asgi_router.handle_routing(path=scope["path"], method=scope["method"])
        except HTTPException:
            return None, {}
        return self._routes.get(found[1]), found[3]


def _short_route(
    handler: HTTPRouteHandler, model: Any, parts: Mapping[str, object], people: Mapping[str, FindPerson]
) -> ShortRoute | None:
    """Return the short route of a handler, or None if it needs the framework."""
    given = {*model.expected_path_params, *model.expected_query_params}
    names = {each.field_name: each.field_alias for each in given}
    wanted = handler.parsed_fn_signature.parameters
    if (
        _is_extended(handler)
        or not _answers_with_struct(handler)
        or not wanted.keys() <= {*parts, *people, *names, BODY}
        or any(each.is_sequence for each in given)
    ):
        return None
    return ShortRoute(
        handler.fn,
        {name: value for name, value in parts.items() if name in wanted},
        tuple((name, find) for name, find in people.items() if name in wanted),
        _parameters(handler, names),
        msgspec.json.Decoder(wanted[BODY].annotation) if BODY in wanted else None,
        msgspec.json.Encoder(enc_hook=handler.default_serializer),
        handler.status_code,
    )


def _parameters(handler: HTTPRouteHandler, names: Mapping[str, str]) -> type[msgspec.Struct]:
    """Return the values in a handler's path and query, with the framework's checks of each."""
    types = handler.signature_model.__annotations__
    wanted = handler.parsed_fn_signature.parameters
    fields = [
        (name, types[name], wanted[name].default if wanted[name].has_default else msgspec.NODEFAULT)
        for name in names
        if name in wanted
    ]
    return msgspec.defstruct("Parameters", fields, rename=dict(names), kw_only=True)


def _answers_with_struct(handler: HTTPRouteHandler) -> bool:
    answer = handler.parsed_fn_signature.return_type.annotation
    kind = get_origin(answer) or answer
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _is_extended(handler: HTTPRouteHandler) -> bool:
    """Say whether a handler does more than to answer: guards and the like must never be left out."""
    return bool(
        handler.has_sync_callable
        or handler.resolve_guards()
        or handler.resolve_middleware()
        or handler.resolve_before_request()
        or handler.resolve_after_response()
        or handler.resolve_data_dto()
        or handler.resolve_return_dto()
        or handler.resolve_response_headers()
        or handler.resolve_response_cookies()
        or any(layer.after_request for layer in handler.ownership_layers)
        or handler.background
        or handler.cache
    )

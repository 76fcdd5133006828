"""OpenAPI document: completes what the framework generates.

Says which fields are always sent and whether others are forbidden, adds the messages of live tables, removes
bodies of empty responses, names the required sign-in, and lists the errors that any request can get. The
page's TypeScript types are generated from it.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

import msgspec
from litestar import Request
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from fourcard.round.commands import CARD_FIELDS, CardCommand
from fourcard.server.error_handlers import ERROR_DESCRIPTIONS
from fourcard.server.floor.messages import TableMessage
from fourcard.server.live import LiveMessage, LiveRequest
from fourcard.server.middleware import MONITORING_PATHS
from fourcard.version import __version__

API_DESCRIPTION = (
    "Four Card Poker: tables, money, odds and rules, every rule with its clause. Amounts are integer cents, "
    "cards two characters such as As or Td; commands also take cards as numbers from 0 to 51. "
    "Commands carry a key: sent again under the same key, a command runs once. "
    "A live table is a WebSocket at /api/tables/{table}/live, with the same commands: "
    "it sends LiveMessage and takes LiveRequest, as text."
)
SIGN_INS = {
    "cookie": {"type": "apiKey", "in": "cookie", "description": "Session cookie, set at sign-in."},
    "token": {"type": "http", "scheme": "bearer", "description": "The same token for programs."},
}
CARD = "[2-9TJQKAtjqka][cdhsCDHS]"
EMPTY_RESPONSES = ("204", "303")
SCHEMAS = "#/components/schemas/"
PROBLEM = f"{SCHEMAS}Problem"
SIGN_IN_PATH = "/api/sign-in"
"""Answers 401 but needs no sign-in."""
LIVE: Mapping[str, tuple[Any, str]] = {
    "LiveMessage": (LiveMessage, "What a live table sends, by kind."),
    "LiveRequest": (
        LiveRequest,
        "What a client sends to a live table: a command, or a request about the table.",
    ),
}
"""Messages of the WebSocket, which the framework does not describe."""


class StructSchemas(OpenAPISchemaPlugin):
    """OpenAPI plugin for msgspec structs: adds what the framework's own plugin leaves out.

    A struct has its docstring, one that forbids unknown fields says so, and fields that take cards get a
    pattern. The structs of live messages are added to those of the routes.
    """

    def __init__(self) -> None:
        """Start without schemas."""
        self.always_sent: dict[str, list[str]] = {}
        """By component, the fields that an answer always has: also those with a default."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Say whether a type is a struct or a typed dictionary."""
        return not field_definition.is_union and (
            field_definition.is_subclass_of(msgspec.Struct) or field_definition.is_typeddict_type
        )

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return the framework's schema of a type, completed."""
        plugins = (each for each in schema_creator.plugins if isinstance(each, OpenAPISchemaPlugin))
        others = (each for each in plugins if each is not self)
        plugin = next(each for each in others if each.is_plugin_supported_field(field_definition))
        schema = plugin.to_openapi_schema(field_definition, schema_creator)
        kind = field_definition.type_
        schema.description = inspect.getdoc(kind)
        if field_definition.is_typeddict_type:
            schema.additional_properties = True
            return schema
        self.always_sent[_plain_name(str(schema.title))] = [*_always_sent(kind)]
        if kind.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False
        if issubclass(kind, CardCommand) and schema.properties is not None:
            for name in schema.properties.keys() & CARD_FIELDS.keys():
                _describe_cards(schema.properties[name])
        if kind is TableMessage:
            for each in (member for union, _ in LIVE.values() for member in get_args(union)):
                schema_creator.for_field_definition(FieldDefinition.from_annotation(each))
        return schema


def _always_sent(kind: type[msgspec.Struct]) -> Iterator[str]:
    """Yield the fields that every encoded struct has: all but those that can be unset or omitted."""
    config = kind.__struct_config__
    if config.tag_field is not None:
        yield config.tag_field
    for field in msgspec.structs.fields(kind):
        if field.required or (not config.omit_defaults and field.default is not msgspec.UNSET):
            yield field.encode_name


def _plain_name(title: str) -> str:
    """Return the component name for a title: ``ListPage[Mistake]`` becomes ``MistakeListPage``."""
    outer, _, inner = title.rstrip("]").partition("[")
    return f"{inner}{outer}"


def _describe_cards(schema: Any) -> None:
    """Add patterns for card texts to a schema: a list of cards where a list is allowed, else one card."""
    choices = schema.one_of or ()
    several = any(each.type is OpenAPIType.ARRAY for each in choices)
    for each in choices:
        if each.type is OpenAPIType.STRING:
            each.pattern = f"^({CARD}( {CARD})*)?$" if several else f"^{CARD}$"
            each.description = "Cards in order, such as As Td." if several else "A card, such as As."
        _describe_cards(each)
    if schema.items is not None:
        _describe_cards(schema.items)


class OpenApiDocument(JsonRenderPlugin):
    """Serves the completed OpenAPI document, rendered once."""

    def __init__(self, cookie: str, schemas: StructSchemas) -> None:
        """Take the name of the session cookie, and the plugin that describes the structs."""
        super().__init__(path=("/", "/openapi.json"))
        self._cookie, self._schemas, self._rendered = cookie, schemas, b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON."""
        if not self._rendered:
            document = complete_document(openapi_schema, self._cookie, self._schemas.always_sent)
            self._rendered = self.render_json(request, document)
        return self._rendered


def complete_document(
    document: dict[str, Any], cookie: str, always_sent: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return a document with plain names, live messages, all error responses and sign-in requirements."""
    named = _with_plain_names(document)
    paths = {
        path: {method: _operation(path, each) for method, each in item.items()}
        for path, item in named["paths"].items()
    }
    schemes = {**SIGN_INS, "cookie": {**SIGN_INS["cookie"], "name": cookie}}
    schemas = _complete_schemas(named["components"]["schemas"], paths, always_sent)
    components = {**named["components"], "schemas": schemas, "securitySchemes": schemes}
    return {**named, "paths": paths, "components": components}


def _with_plain_names(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document whose components are called by their titles, without modules and brackets."""
    schemas = document["components"]["schemas"]
    names = {name: _plain_name(schema["title"]) for name, schema in schemas.items()}
    assert len({*names.values()}) == len(names), "two components have the same name"
    targets = {f"{SCHEMAS}{name}": f"{SCHEMAS}{plain}" for name, plain in names.items()}

    def renamed(node: Any) -> Any:
        if isinstance(node, list):
            return [renamed(each) for each in node]
        if not isinstance(node, dict):
            return node
        return {name: targets[each] if name == "$ref" else renamed(each) for name, each in node.items()}

    found: dict[str, Any] = renamed(document)
    plain = {
        names[name]: {**each, "title": names[name]} for name, each in found["components"]["schemas"].items()
    }
    return {**found, "components": {**found["components"], "schemas": plain}}


def _complete_schemas(
    schemas: dict[str, Any], paths: dict[str, Any], always_sent: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return all schemas, with live messages; a field that answers always have is required in them.

    What a request may leave out stays optional wherever requests use the same schema.
    """
    live = {
        name: {
            "title": name,
            "description": description,
            "oneOf": [{"$ref": f"{SCHEMAS}{each.__name__}"} for each in get_args(union)],
        }
        for name, (union, description) in LIVE.items()
    }
    known = {**schemas, **live}
    bodies = (
        each["requestBody"] for item in paths.values() for each in item.values() if "requestBody" in each
    )
    requested = _used_schemas([*bodies, live["LiveRequest"]], known)
    return {
        name: schema
        if name in requested or name not in always_sent
        else {**schema, "required": always_sent[name]}
        for name, schema in sorted(known.items())
    }


def _used_schemas(nodes: Iterable[Any], schemas: Mapping[str, Any]) -> set[str]:
    """Return the names of all schemas that parts of a document refer to, directly or not."""
    found = set[str]()
    waiting = [*nodes]
    while waiting:
        for name in {*_references(waiting.pop())} - found:
            found.add(name)
            waiting.append(schemas[name])
    return found


def _references(node: Any) -> Iterator[str]:
    for name, each in node.items() if isinstance(node, dict) else enumerate(node):
        if name == "$ref":
            yield each.removeprefix(SCHEMAS)
        elif isinstance(each, dict | list):
            yield from _references(each)


def _operation(path: str, operation: dict[str, Any]) -> dict[str, Any]:
    responses = {
        status: {
            name: part for name, part in answer.items() if status not in EMPTY_RESPONSES or name != "content"
        }
        for status, answer in operation["responses"].items()
    }
    responses |= {str(status): _error_response(status) for status in _common_statuses(path, operation)}
    return {**operation, "responses": dict(sorted(responses.items())), "security": _security(path, operation)}


def _security(path: str, operation: dict[str, Any]) -> list[dict[str, list[str]]]:
    """Return the security requirements of an operation, including none where sign-in is optional."""
    ways: list[dict[str, list[str]]] = [{name: []} for name in SIGN_INS]
    if _has_optional_sign_in(operation):
        return [{}, *ways]
    return ways if "401" in operation["responses"] and path != SIGN_IN_PATH else []


def _has_optional_sign_in(operation: dict[str, Any]) -> bool:
    """Return whether an operation needs a sign-in only for some parameters."""
    return {} in operation.get("security", ())


def _common_statuses(path: str, operation: dict[str, Any]) -> tuple[int, ...]:
    """Return the error statuses that any such request can get."""
    if path in MONITORING_PATHS:
        return ()
    has_body = "requestBody" in operation
    has_input = has_body or bool(operation.get("parameters"))
    conditions = {400: has_input, 401: _has_optional_sign_in(operation), 413: has_body}
    return (*(status for status, applies in conditions.items() if applies), 403, 429, 503)


def _error_response(status: int) -> dict[str, Any]:
    return {
        "description": ERROR_DESCRIPTIONS[status],
        "content": {"application/json": {"schema": {"$ref": PROBLEM}}},
    }


def openapi_config(cookie: str, schemas: StructSchemas) -> OpenAPIConfig:
    """Return the OpenAPI configuration; the document is served by this server only.

    The framework answers every path below this one itself, so nothing else is served there.
    """
    return OpenAPIConfig(
        title="fourcard",
        version=__version__,
        description=API_DESCRIPTION,
        path="/api/openapi.json",
        render_plugins=[OpenApiDocument(cookie, schemas)],
    )

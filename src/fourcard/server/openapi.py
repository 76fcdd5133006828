"""OpenAPI document: completes what the framework generates.

Adds forbidden extra fields, removes bodies of empty responses, names the required sign-in, and lists the
errors that any request can get.
"""

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from fourcard.round.commands import CARD_FIELDS, CardCommand
from fourcard.server.error_handlers import ERROR_DESCRIPTIONS
from fourcard.server.middleware import MONITORING_PATHS
from fourcard.version import __version__

API_DESCRIPTION = (
    "Four Card Poker: tables, money, odds and rules, every rule with its clause. Amounts are integer cents, "
    "cards two characters such as As or Td; commands also take cards as numbers from 0 to 51. "
    "Commands carry a key: sent again under the same key, a command runs once. "
    "A live table is a WebSocket at /api/tables/{table}/live, with the same commands."
)
SIGN_INS = {
    "cookie": {"type": "apiKey", "in": "cookie", "description": "Session cookie, set at sign-in."},
    "token": {"type": "http", "scheme": "bearer", "description": "The same token for programs."},
}
CARD = "[2-9TJQKAtjqka][cdhsCDHS]"
EMPTY_RESPONSES = ("204", "303")
PROBLEM = "#/components/schemas/Problem"
SIGN_IN_PATH = "/api/sign-in"
"""Answers 401 but needs no sign-in."""


class StructSchemas(OpenAPISchemaPlugin):
    """OpenAPI plugin for msgspec structs: adds what the framework's own plugin leaves out.

    A struct that forbids unknown fields says so, and fields that take cards get a pattern.
    """

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Say whether a type is a struct."""
        return not field_definition.is_union and field_definition.is_subclass_of(msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return the framework's schema of a struct, completed."""
        plugins = (each for each in schema_creator.plugins if isinstance(each, OpenAPISchemaPlugin))
        others = (each for each in plugins if each is not self)
        plugin = next(each for each in others if each.is_plugin_supported_field(field_definition))
        schema = plugin.to_openapi_schema(field_definition, schema_creator)
        struct = msgspec.inspect.type_info(field_definition.type_)
        if isinstance(struct, msgspec.inspect.StructType) and struct.forbid_unknown_fields:
            schema.additional_properties = False
        if issubclass(field_definition.type_, CardCommand) and schema.properties is not None:
            for name in schema.properties.keys() & CARD_FIELDS.keys():
                _describe_cards(schema.properties[name])
        return schema


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

    def __init__(self, cookie: str) -> None:
        """Take the name of the session cookie."""
        super().__init__(path=("/", "/openapi.json"))
        self._cookie, self._rendered = cookie, b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON."""
        if not self._rendered:
            self._rendered = self.render_json(request, complete_document(openapi_schema, self._cookie))
        return self._rendered


def complete_document(document: dict[str, Any], cookie: str) -> dict[str, Any]:
    """Return a document with all error responses, empty bodies removed, and sign-in requirements."""
    paths = {
        path: {method: _operation(path, each) for method, each in item.items()}
        for path, item in document["paths"].items()
    }
    schemes = {**SIGN_INS, "cookie": {**SIGN_INS["cookie"], "name": cookie}}
    components = {**document["components"], "securitySchemes": schemes}
    return {**document, "paths": paths, "components": components}


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


def openapi_config(cookie: str) -> OpenAPIConfig:
    """Return the OpenAPI configuration; the document is served by this server only.

    The framework answers every path below this one itself, so nothing else is served there.
    """
    return OpenAPIConfig(
        title="fourcard",
        version=__version__,
        description=API_DESCRIPTION,
        path="/api/openapi.json",
        render_plugins=[OpenApiDocument(cookie)],
    )

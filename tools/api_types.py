"""API types: writes web/src/lib/apiTypes.ts from the served description, and checks that it is up to date.

The description comes from the application's own route, and openapi-typescript makes the types. Error
responses are left out: each is a Problem, which the page's HTTP client throws.
"""

import asyncio
import sys
from typing import Any

import httpx
import msgspec

from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.head_signatures import KEY_BYTES, HouseKey
from fourcard.house.house import House
from fourcard.house.store.memory import MemoryStore
from fourcard.server.app import Application
from fourcard.server.settings import ServerSettings
from tools.page import PARTS, WEB, PageError, fetch_parts, run_node

TYPES = WEB / "src" / "lib" / "apiTypes.ts"
OPTIONS = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false")
"""Short names for all components; a field with a default is optional in requests, as the description says."""
HEADER = """\
/**
 * API types: what the server takes and sends, by field name. Money is integer cents, a card two characters.
 * Generated from the server's own description by openapi-typescript: `make types` writes this file.
 */
"""
STALE = "web/src/lib/apiTypes.ts differs from the served description: run `make types`."


def description() -> dict[str, Any]:
    """Return the description of the API, as a server answers it."""
    house = House(MemoryStore(), HouseKey(SystemEntropy().draw(KEY_BYTES)))
    app: Any = Application(house, ServerSettings(mode="house")).litestar_app()
    transport = httpx.ASGITransport(app=app)

    async def fetch() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/openapi.json")

    answer = asyncio.run(fetch())
    house.close()
    found: dict[str, Any] = answer.raise_for_status().json()
    return found


def types_of(document: dict[str, Any]) -> str:
    """Return the TypeScript types of a description."""
    program = PARTS / "openapi-typescript" / "bin" / "cli.js"
    done = run_node(program, *OPTIONS, stdin=msgspec.json.encode(_without_errors(document)).decode())
    if done.returncode:
        raise PageError(f"The types of the API could not be written:\n{done.stderr.strip()}")
    return HEADER + done.stdout.partition("*/\n")[2]


def _without_errors(document: dict[str, Any]) -> dict[str, Any]:
    """Return a description with answers only, each operation in its path."""
    paths = {
        path: {method: _answered(operation) for method, operation in item.items()}
        for path, item in document["paths"].items()
    }
    return {**document, "paths": paths}


def _answered(operation: dict[str, Any]) -> dict[str, Any]:
    answers = {status: each for status, each in operation["responses"].items() if status < "400"}
    return {**{name: each for name, each in operation.items() if name != "operationId"}, "responses": answers}


def main(arguments: list[str]) -> int:
    """Write or check the types."""
    try:
        fetch_parts(for_tests=True)
        types = types_of(description())
    except PageError as problem:
        print(problem, file=sys.stderr)
        return 2
    if "--write" in arguments:
        TYPES.write_text(types, encoding="utf-8")
    if TYPES.read_text(encoding="utf-8") != types:
        print(STALE, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Short routes: the same answers as by the framework, and nothing that a route demands is left out."""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import httpx
import msgspec
import pytest
from litestar import Litestar, get
from litestar.datastructures import ResponseHeader
from litestar.exceptions import PermissionDeniedException

from fourcard.server.short_routes import ShortRoutes
from tests.api.served_house import TABLE, ServedHouse, served_house

COMMANDS = f"/api/tables/{TABLE}/commands"
WAGER = {"kind": "place_wager", "position": 1, "wager": "ante", "amount": 1}
VALID = (
    "/api/me",
    "/api/tables",
    "/api/tables?limit=1",
    "/api/tables?limit=7&limit=1&unknown=2",
    "/api/tables?after=%6dain",
    f"/api/tables/{TABLE}",
    f"/api/tables/{TABLE}/?actor=flo&floor=1",
    "/api/tables/nowhere",
    f"/api/tables/{TABLE}/felt",
    "/api/rounds?table=null",
    f"/api/rounds/{TABLE}/1",
    "/api/clauses?search=ante&limit=2",
    "/api/house/tables",
    "/api/odds",
)
INVALID = (
    "/api/tables?limit=0",
    "/api/tables?limit=",
    "/api/tables?limit=one",
    f"/api/tables?after={'x' * 41}",
    f"/api/tables/{'x' * 41}",
    f"/api/rounds/{TABLE}/0",
    f"/api/rounds/{TABLE}/one",
    "/api/games/abc",
    "/api/nowhere",
)
BODIES = {
    "refused": {"key": "a", "command": WAGER},
    "a number as text": {"key": "a", "command": {**WAGER, "amount": "1"}},
    "a wrong number": {"key": "a", "command": {**WAGER, "amount": 1.5}},
    "an unknown field": {"key": "a", "command": WAGER, "more": 1},
    "an unknown command": {"key": "a", "command": {"kind": "win"}},
    "no key": {"key": "", "command": WAGER},
    "only a key": {"key": "a"},
    "null": None,
    "too large": {"key": "a" * 200_000, "command": WAGER},
}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house(rounds=1) as made:
        yield made


def answers(app: object, token: str, method: str, path: str, body: bytes | None) -> tuple[int, str, bytes]:
    """Return the status, type and body of an application's answer."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=cast("Any", app))
        headers = {"authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, content=body, headers=headers)

    found = asyncio.run(ask())
    return found.status_code, found.headers["content-type"], found.content


@pytest.mark.parametrize("person", ["ann", "otto", ""])
def test_every_request_is_answered_as_by_the_framework(served: ServedHouse, person: str) -> None:
    app, framework = served.serving.app(), served.serving.litestar_app()
    token, accepted = served.token(person) if person else "", 0
    requests: list[tuple[str, str, bytes | None]] = [("GET", path, None) for path in (*VALID, *INVALID)]
    requests += [("POST", COMMANDS, msgspec.json.encode(body)) for body in BODIES.values()]
    requests += [("POST", COMMANDS, b'{"key": "a", '), ("DELETE", COMMANDS, None)]
    before = served.heads()
    for request in requests:
        found = answers(app, token, *request)
        assert found == answers(framework, token, *request), request
        accepted += found[0] < 400
    assert accepted >= (11 if person else 3)
    assert served.heads() == before


def test_valid_requests_do_not_reach_the_framework(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, token, passed_on = served.serving.app(), served.token("ann"), list[str]()

    async def count(_app: Litestar, scope: Any, _receive: object, send: Any) -> None:
        passed_on.append(scope["path"])
        await send({"type": "http.response.start", "status": 500, "headers": [(b"content-type", b"")]})
        await send({"type": "http.response.body", "body": b""})

    monkeypatch.setattr(Litestar, "__call__", count)
    for path in (*VALID, *INVALID):
        answers(app, token, "GET", path, None)
    answers(app, token, "POST", COMMANDS, msgspec.json.encode(BODIES["refused"]))
    assert passed_on == [path.partition("?")[0] for path in INVALID]


class Greeting(msgspec.Struct, frozen=True):
    """A plain answer."""

    word: str = "hello"


async def greet() -> Greeting:
    """Return a plain answer."""
    return Greeting()


def deny(_connection: object, _handler: object) -> None:
    """Guard that lets nobody in."""
    raise PermissionDeniedException


async def answer_first(_request: object) -> dict[str, str]:
    """Answer before the handler."""
    return {"word": "first"}


EXTENSIONS: dict[str, tuple[dict[str, Any], int, bytes]] = {
    "nothing": ({}, 200, b'{"word":"hello"}'),
    "a guard": ({"guards": [deny]}, 403, b'{"status_code":403,"detail":"Forbidden"}'),
    "an answer before": ({"before_request": answer_first}, 200, b'{"word":"first"}'),
    "a header": ({"response_headers": [ResponseHeader(name="x", value="y")]}, 200, b'{"word":"hello"}'),
}


@pytest.mark.parametrize(("extension", "status", "body"), EXTENSIONS.values(), ids=EXTENSIONS)
def test_what_a_route_demands_is_never_left_out(extension: dict[str, Any], status: int, body: bytes) -> None:
    app = Litestar([get("/greeting", **extension)(greet)], openapi_config=None, logging_config=None)
    found = answers(ShortRoutes(app, {}, {}, 0), "", "GET", "/greeting", None)
    assert found == answers(app, "", "GET", "/greeting", None)
    assert (found[0], found[2]) == (status, body)

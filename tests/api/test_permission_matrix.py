"""Every route and every kind of command against every role and nobody; none is left out."""

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from fourcard.house.auth.permissions import command_kinds
from tests.api.expected_permissions import (
    FAMILIES,
    NOT_SENT,
    PERMISSIONS,
    acting_roles,
    may_give,
    may_read,
    nameable_roles,
    sample,
)
from tests.api.served_house import PASSWORD, PEOPLE, STAFF_PEOPLE, TABLE, ServedHouse, new_key, served_house

NOBODY = ""
EVERYBODY = (NOBODY, *PEOPLE)
HAND = {"hand": "As Ah Kd 7c 2h", "up": "Ac", "table": TABLE}


LEAVING = ("/api/sign-in", "/api/sign-out")
"""Routes that change who is signed in."""


class RouteCall(msgspec.Struct, frozen=True):
    """How a route is called, and who may call it.

    ``anybody``; ``somebody`` who is signed in; a player of a ``local`` house, which this is not; an
    ``administrator``; whoever the permissions allow to give ``commands``; otherwise whoever may read the
    named report.
    """

    of: str
    path: str = ""
    query: dict[str, str] = {}
    body: dict[str, Any] | None = None


MATRIX: dict[str, RouteCall] = {
    "GET /health": RouteCall("anybody"),
    "GET /ready": RouteCall("anybody"),
    "GET /api/me": RouteCall("anybody"),
    "POST /api/sign-in": RouteCall("anybody", body={"kind": "player", "person": "ann", "password": PASSWORD}),
    "POST /api/sign-out": RouteCall("anybody"),
    "POST /api/me/refill": RouteCall("local"),
    "POST /api/bots": RouteCall("local", body={"bots": 1}),
    "POST /api/passwords": RouteCall(
        "administrator", body={"kind": "staff", "person": "newcomer", "password": "long enough, is it not"}
    ),
    "GET /api/tables": RouteCall("somebody"),
    "GET /api/tables/{table}": RouteCall("somebody", f"/api/tables/{TABLE}"),
    "GET /api/tables/{table}/felt": RouteCall("somebody", f"/api/tables/{TABLE}/felt"),
    "POST /api/tables/{table}/ready": RouteCall("somebody", f"/api/tables/{TABLE}/ready", body={"round": 1}),
    "POST /api/tables/{table}/commands": RouteCall("commands"),
    "POST /api/meters/{meter}/commands": RouteCall("commands"),
    "POST /api/players/{player}/commands": RouteCall("commands"),
    "POST /api/staff/commands": RouteCall("commands"),
    "GET /api/coach": RouteCall("anybody"),
    "GET /api/advice": RouteCall("somebody", query=HAND),
    "GET /api/strategy": RouteCall("somebody", query={"table": TABLE}),
    "GET /api/practice": RouteCall("somebody", query={"table": TABLE}),
    "GET /api/odds": RouteCall("anybody"),
    "GET /api/odds/{wager}": RouteCall("anybody", "/api/odds/aces_up"),
    "POST /api/odds/{wager}": RouteCall("anybody", "/api/odds/aces_up", body={"pays": {"flush": "5 to 1"}}),
    "GET /api/published": RouteCall("anybody"),
    "GET /api/strategies": RouteCall("anybody"),
    "GET /api/par/{name}": RouteCall("somebody", f"/api/par/{TABLE}"),
    "GET /api/clauses": RouteCall("anybody"),
    "GET /api/clauses/{address}": RouteCall("anybody", "/api/clauses/P25"),
    "GET /api/rulings": RouteCall("anybody"),
    "GET /api/differences": RouteCall("anybody"),
    "GET /api/examples": RouteCall("anybody"),
    "GET /api/examples/{name}": RouteCall("anybody", "/api/examples/massachusetts"),
    "POST /api/check": RouteCall("anybody", body={"text": ""}),
    "GET /data/games.json": RouteCall("anybody"),
    "GET /data/strategy/{name}": RouteCall("anybody", "/data/strategy/maryland-standard.json"),
    "GET /data/version.json": RouteCall("anybody"),
    "GET /data/clauses.json": RouteCall("anybody"),
    "GET /data/dealing.json": RouteCall("anybody"),
    "GET /data/rulebooks.json": RouteCall("anybody"),
    "GET /data/rules/{file}": RouteCall("anybody", "/data/rules/maryland.json"),
    "GET /api/rounds": RouteCall("rounds"),
    "GET /api/rounds/{table}/{number}": RouteCall("rounds", f"/api/rounds/{TABLE}/1"),
    "GET /api/rounds/{table}/{number}/review": RouteCall("rounds", f"/api/rounds/{TABLE}/1/review"),
    "GET /api/rounds/export": RouteCall("rounds"),
    "GET /api/games/{game}": RouteCall("somebody", f"/api/games/{'0' * 64}"),
    "GET /api/results": RouteCall("somebody"),
    "GET /api/decisions": RouteCall("somebody"),
    "GET /api/decisions/cells": RouteCall("somebody"),
    "GET /api/decisions/next": RouteCall("somebody"),
    "GET /api/decisions/skill": RouteCall("somebody"),
    "GET /api/sessions": RouteCall("somebody"),
    "GET /api/sessions/{table}/{number}": RouteCall("somebody", f"/api/sessions/{TABLE}/1"),
    "GET /api/house/tables": RouteCall("tables"),
    "GET /api/house/clock": RouteCall("tables"),
    "GET /api/house/results": RouteCall("results"),
    "GET /api/house/balance": RouteCall("balance"),
    "GET /api/house/meters": RouteCall("meters"),
    "GET /api/house/wins": RouteCall("wins"),
    "GET /api/house/staff": RouteCall("staff"),
    "GET /api/house/security-log": RouteCall("security_log"),
}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        yield made


@pytest.fixture(scope="module")
def clients(served: ServedHouse) -> Iterator[dict[str, httpx.Client]]:
    found = {person: served.client(person) for person in EVERYBODY}
    yield found
    for client in found.values():
        client.close()


def endpoints(served: ServedHouse) -> list[str]:
    with served.client() as client:
        paths: dict[str, dict[str, Any]] = client.get("/api/openapi.json").json()["paths"]
    return [f"{method.upper()} {path}" for path, item in paths.items() for method in item]


def test_every_endpoint_is_in_the_matrix(served: ServedHouse) -> None:
    found = endpoints(served)
    assert sorted(found) == sorted(MATRIX)
    assert len(found) >= 44


def allowed(person: str, asked: RouteCall) -> bool:
    """Return whether a signed-in person may call it."""
    match asked.of:
        case "anybody" | "somebody":
            return True
        case "local":
            return False
        case "administrator":
            return "administrator" in acting_roles(person)
        case "rounds":
            return person not in STAFF_PEOPLE or may_read(person, "rounds")
        case what:
            return may_read(person, what)


@pytest.mark.parametrize("name", [name for name, asked in MATRIX.items() if asked.of != "commands"])
def test_each_endpoint_is_for_whom_it_is(
    served: ServedHouse, clients: dict[str, httpx.Client], name: str
) -> None:
    asked, checked = MATRIX[name], 0
    method, _, path = name.partition(" ")
    for person in EVERYBODY:
        client = served.client(person) if path in LEAVING else clients[person]
        answer = client.request(method, asked.path or path, params=asked.query, json=asked.body)
        if path in LEAVING:
            client.close()
        checked += 1
        status = answer.status_code
        if asked.of == "anybody" or (person and allowed(person, asked)):
            assert status not in (401, 403), (name, person, answer.text)
            assert status in (200, 204, 400, 404, 409, 503), (name, person, answer.text)
        elif not person:
            assert status == 401, (name, answer.text)
            assert answer.json()["refusal"]["name"] == "not_signed_in"
        else:
            refusal = answer.json()["refusal"]
            assert status == 403, (name, person, answer.text)
            assert refusal["clauses"] or asked.of == "local", (name, person, refusal)
            assert refusal["message"].endswith(".")
    assert checked == 9


OF_NO_TABLE = (
    "/api/advice?hand=As Ah Kd 7c 2h&up=Ac",
    "/api/strategy?rulebook=maryland",
    "/api/practice",
    "/api/par/maryland?of=example",
    "/api/par/maryland",
)
OF_TABLES = (
    f"/api/advice?hand=As Ah Kd 7c 2h&up=Ac&table={TABLE}",
    f"/api/strategy?table={TABLE}",
    f"/api/practice?table={TABLE}",
    f"/api/par/{TABLE}?of=table",
    "/api/par/maryland?of=table",
    "/api/advice?hand=As Ah Kd 7c 2h&up=Ac&table=nowhere",
    "/api/par/nowhere",
)


def test_what_concerns_a_table_is_for_whom_the_list_of_tables_is(clients: dict[str, httpx.Client]) -> None:
    for path in OF_NO_TABLE:
        assert clients[NOBODY].get(path).status_code in (200, 503), path
    for path in OF_TABLES:
        answer = clients[NOBODY].get(path)
        assert (answer.status_code, answer.json()["refusal"]["name"]) == (401, "not_signed_in"), path
        assert clients["ann"].get(path).status_code in (200, 404, 503), path


KINDS = [
    pytest.param(address, kind, id=f"{kind} {address}")
    for address, kinds in FAMILIES.items()
    for kind in sorted(kinds)
]


def test_every_kind_of_command_is_in_the_matrix() -> None:
    named = {param.values[1] for param in KINDS}
    assert named == {*command_kinds()} - NOT_SENT == {*PERMISSIONS["commands"]} - NOT_SENT
    assert len(KINDS) >= 55


@pytest.mark.parametrize("address", FAMILIES)
def test_nobody_notes_a_password_that_is_not_kept(
    served: ServedHouse, clients: dict[str, httpx.Client], address: str
) -> None:
    before = served.heads()
    for person in PEOPLE:
        for whose in (person, "ann", "dan"):
            command = {"kind": "note_password", "person": whose}
            answer = clients[person].post(address, json={"key": new_key(), "command": command})
            told = answer.status_code, answer.json()["refusal"]["name"]
            assert told == (400, "request_unreadable"), (person, answer.text)
    assert served.heads() == before


def variants(person: str, kind: str) -> list[dict[str, Any]]:
    """Return a command as somebody may try it: without a role, in several roles, for others."""
    own = PERMISSIONS["commands"][kind].get("own")
    names: list[dict[str, str]] = [{own["field"]: whose} for whose in (person, "bob")] if own else [{}]
    if person not in STAFF_PEOPLE:
        roles: list[dict[str, str]] = [{}, {"role": "dealer", "by": "dan"}]
    else:
        held, nameable = {*acting_roles(person)}, nameable_roles(kind)
        best = [role for role in nameable if role in held and role in PERMISSIONS["commands"][kind]["roles"]]
        strange = [role for role in nameable if role not in held]
        roles = [{}, *({"role": role} for role in (*best[:1], *strange[-1:]))]
    return [sample(kind, **role, **name) for role in roles for name in names]


@pytest.mark.parametrize(("address", "kind"), KINDS)
def test_each_command_is_for_whom_the_gate_lets_in(
    clients: dict[str, httpx.Client], address: str, kind: str
) -> None:
    let_in = set[str]()
    for person in PEOPLE:
        for command in variants(person, kind):
            answer = clients[person].post(address, json={"key": new_key(), "command": command})
            status = answer.status_code
            if may_give(person, command):
                let_in.add(person)
                assert status in (200, 404, 409), (person, command, answer.text)
                continue
            assert status == 403, (person, command, answer.text)
            refusal = answer.json()["refusal"]
            assert refusal["name"] in ("not_permitted", "role_not_held", "not_your_account")
            assert refusal["code"] > 0
            assert refusal["clauses"], refusal
    nobody = clients[NOBODY].post(address, json={"key": new_key(), "command": sample(kind)})
    assert nobody.status_code == 401
    assert bool(let_in) == bool(PERMISSIONS["commands"][kind]["roles"])

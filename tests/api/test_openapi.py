"""OpenAPI document: every command, field and refusal, and no outside resources."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from fourcard.house.auth.permissions import command_kinds
from fourcard.server.static_page import page_files
from tests.api.expected_permissions import FAMILIES, sample
from tests.api.served_house import TABLE, LiveViewer, ServedHouse, new_key, served_house
from tests.kit.stored_names import FILE, api_names
from tests.kit.waiting import PATIENCE
from tools import api_types

ADDRESS = re.compile(r"(?:https?:|wss?:)?//[a-z0-9][a-z0-9.-]*\.[a-z]{2,}[^\s\"'`)]*", re.IGNORECASE)
NAMES_ONLY = ("http://www.w3.org/", "https://svelte.dev/e/")
"""Addresses that are never fetched: namespaces, and an explanation link for page errors."""
ANSWERED_ANYWHERE = {"403", "429", "503"}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        yield made


@pytest.fixture(scope="module")
def document(served: ServedHouse) -> Any:
    answer = httpx.get(f"{served.address}/api/openapi.json", timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/vnd.oai.openapi+json"
    return answer.json()


def resolved(document: Any, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference points to."""
    name = schema["$ref"].removeprefix("#/components/schemas/")
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def commands_at(document: Any, address: str) -> dict[str, dict[str, Any]]:
    """Return the commands that a route accepts, by kind."""
    path = re.sub(r"/(tables|meters|players)/\w+", lambda found: f"/{found[1]}/{{{found[1][:-1]}}}", address)
    content = document["paths"][path]["post"]["requestBody"]["content"]
    assert {*content} == {"application/json"}
    sent = resolved(document, content["application/json"]["schema"])
    assert {*sent["properties"]} == {*sent["required"]} == {"key", "command"}
    assert sent["additionalProperties"] is False
    found = [resolved(document, each) for each in sent["properties"]["command"]["oneOf"]]
    return {each["properties"]["kind"]["const"]: each for each in found}


@pytest.mark.parametrize("address", FAMILIES)
def test_every_command_is_described_with_its_kind_and_every_field(document: Any, address: str) -> None:
    commands = commands_at(document, address)
    assert {*commands} == FAMILIES[address]
    for kind, schema in commands.items():
        fields = msgspec.structs.fields(command_kinds()[kind])
        assert {*schema["properties"]} == {"kind", *(field.encode_name for field in fields)}, kind
        needed = {field.encode_name for field in fields if field.required}
        assert {*schema["required"]} == {"kind", *needed}, kind
        assert schema["additionalProperties"] is False


@pytest.mark.parametrize("address", FAMILIES)
def test_a_field_that_is_not_described_is_not_taken(served: ServedHouse, address: str) -> None:
    before = served.heads()
    with served.client("ada") as ada:
        for kind in FAMILIES[address]:
            for strange in misspelt(sample(kind)):
                answer = ada.post(address, json=strange)
                told = answer.status_code, answer.json()["refusal"]["name"]
                assert told == (400, "request_unreadable"), (strange, answer.text)
    assert served.heads() == before


def misspelt(command: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a command with an extra field next to it, an extra field in it, a wrong kind, and no kind."""
    plain = {name: value for name, value in command.items() if name != "kind"}
    wrong = ({**command, "note": "x"}, {**command, "kind": f"{command['kind']}s"}, plain)
    beside = {"key": new_key(), "command": command, "note": "x"}
    return [beside, *({"key": new_key(), "command": each} for each in wrong)]


def test_every_refusal_is_described_as_it_comes(document: Any) -> None:
    described = 0
    for path, item in document["paths"].items():
        for operation in item.values():
            answers = operation["responses"]
            if path in ("/health", "/ready"):
                continue
            assert {*answers} >= ANSWERED_ANYWHERE, path
            assert "requestBody" not in operation or {*answers} >= {"400", "413"}, path
            for status, answer in answers.items():
                if status >= "400":
                    (content,) = answer["content"].values()
                    assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, (path, status)
                    described += 1
                elif status == "204":
                    assert "content" not in answer
    assert described > 200
    refusal = document["components"]["schemas"]["RefusalBody"]
    assert {*refusal["required"]} == {"code", "name", "message", "clauses"}


def test_every_answer_is_a_component_with_a_plain_name(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert [name for name in schemas if not re.fullmatch("[A-Z][A-Za-z]+", name)] == []
    assert all(schema["title"] == name and schema["description"] for name, schema in schemas.items())
    answers = [
        answer["content"]["application/json"]["schema"]
        for item in document["paths"].values()
        for operation in item.values()
        for answer in operation["responses"].values()
        if "application/json" in answer.get("content", ())
    ]
    assert len(answers) > 200
    for schema in answers:
        for each in schema.get("oneOf", [schema]):
            assert resolved(document, each)["type"] == "object"


def test_live_messages_are_described_as_they_come(document: Any, served: ServedHouse) -> None:
    sent, taken = (
        [resolved(document, each) for each in document["components"]["schemas"][name]["oneOf"]]
        for name in ("LiveMessage", "LiveRequest")
    )
    assert [[*each["properties"]] for each in taken] == [
        ["key", "command"],
        ["key", "ready"],
        ["key", "whole"],
        ["key", "speed"],
        ["key", "skip"],
    ]
    described = {each["properties"]["kind"]["const"]: each for each in sent}
    with LiveViewer(served, "ann") as ann:
        messages = [
            ann.receive("table"),
            ann.do("buy_in", player="ann", cents=1000),
            ann.do("fold", position=1),
            ann.answer("unreadable"),
        ]
        ann.until_sequence(messages[1]["sequence"])
        messages += [msgspec.json.decode(each) for each in ann.copy.received]
    kinds = {"table", "change", "done", "refused", "trouble"}
    assert {each["kind"] for each in messages} == {*described} == kinds
    for each in messages:
        schema = described[each["kind"]]
        assert {*each} == {*schema["properties"]} == {*schema["required"]}


def test_what_needs_a_sign_in_names_the_ways_to_sign_in(document: Any, served: ServedHouse) -> None:
    schemes = document["components"]["securitySchemes"]
    assert schemes["cookie"]["name"] == served.serving.authenticator.cookie_name
    open_to_all = {
        path for path, item in document["paths"].items() for each in item.values() if not each["security"]
    }
    assert {"/api/sign-in", "/api/me", "/health"} <= open_to_all
    for path in ("/api/advice", "/api/strategy", "/api/practice", "/api/par/{name}"):
        assert document["paths"][path]["get"]["security"] == [{}, {"cookie": []}, {"token": []}]
    assert not {"/api/tables", "/api/tables/{table}/commands", "/api/house/balance"} & open_to_all
    for path, item in document["paths"].items():
        for operation in item.values():
            assert operation["summary"]
            assert bool(operation["security"]) == ("401" in operation["responses"] and path != "/api/sign-in")


def test_the_description_is_for_anybody_and_in_no_other_form(served: ServedHouse) -> None:
    with served.client() as nobody:
        for path in ("/api", "/api/openapi.yaml", "/api/swagger", "/api/redoc", "/schema", "/docs", "/api/x"):
            for method in ("GET", "POST"):
                answer = nobody.request(method, path)
                assert (answer.status_code, answer.json()["refusal"]["name"]) == (404, "nothing_here")


def test_nothing_that_is_served_comes_from_elsewhere(served: ServedHouse) -> None:
    assert len(page_files()) > 3
    with served.client("ann") as ann:
        paths = ["/", "/icon.svg", *(name for name in page_files() if name.startswith("/assets/"))]
        for path in (*paths, "/api/openapi.json", "/api/tables", f"/api/tables/{TABLE}/felt"):
            answer = ann.get(path)
            assert answer.status_code == 200, path
            found = [each for each in ADDRESS.findall(answer.text) if not each.startswith(NAMES_ONLY)]
            assert found == [], path


def test_paths_parameters_and_fields_are_as_pinned(document: Any) -> None:
    pinned = msgspec.json.decode(FILE.read_bytes())["api"]
    found = msgspec.to_builtins(api_names(document))
    assert found.keys() == pinned.keys()
    assert {name: found[name] for name in found if found[name] != pinned[name]} == {}


def test_the_types_of_the_page_are_those_of_the_served_description(document: Any) -> None:
    types = api_types.TYPES.read_text(encoding="utf-8")
    assert api_types.types_of(document) == types, api_types.STALE
    message = document["components"]["schemas"]["TableMessage"]
    without = {name: each for name, each in message["properties"].items() if name != "commitment"}
    schemas = {**document["components"]["schemas"], "TableMessage": {**message, "properties": without}}
    assert api_types.types_of({**document, "components": {"schemas": schemas}}) != types

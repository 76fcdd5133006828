"""Fuzzing the API with valid and invalid requests by anyone: no internal errors, only documented answers."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.openapi import from_url

from tests.api.served_house import TABLE, ServedHouse, served_house
from tests.api.test_permission_matrix import MATRIX

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ASKERS = ("eve", "ann", "dan", "ada", "")
REAL = {
    "table": TABLE,
    "meter": TABLE,
    "player": "ann",
    "number": 1,
    "name": "massachusetts",
    "address": "P25",
    "file": "maryland.json",
}
"""Existing names by parameter: half of all requests use them."""
VALID, INVALID = 9, 7
"""How many requests of each kind a route gets."""
SLOW = {"GET /api/odds/{wager}": 3, "POST /api/odds/{wager}": 3}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedHouse]:
    with served_house(rounds=3) as made:
        yield made


@pytest.fixture(scope="module")
def tokens(served: ServedHouse) -> list[str]:
    return [served.token(person) if person else "" for person in ASKERS]


@pytest.fixture(scope="module")
def schema(served: ServedHouse) -> Any:
    return from_url(f"{served.address}/api/openapi.json")


@pytest.fixture(scope="module")
def seen() -> Counter[int]:
    return Counter()


def tried(case: schemathesis.Case[Any], token: str, real: bool) -> int:
    """Send a request, check the answer against the document, and return its status."""
    if real:
        for name in REAL.keys() & case.path_parameters.keys():
            case.path_parameters[name] = REAL[name]
    headers = {"authorization": f"Bearer {token}"} if token else {"authorization": ""}
    answer = case.call(headers=headers, cookies={}, timeout=30)
    case.validate_response(answer, checks=CHECKS)
    assert answer.status_code != 500, answer.text
    if answer.status_code >= 400:
        refusal = answer.json()["refusal"]
        assert refusal["message"].endswith("."), refusal
        assert answer.status_code != 503 or "being solved" in refusal["message"], refusal
    return answer.status_code


@pytest.mark.parametrize("name", MATRIX)
def test_every_answer_is_one_that_is_described(
    schema: Any, tokens: list[str], seen: Counter[int], name: str
) -> None:
    method, _, path = name.partition(" ")
    operation = schema[path][method]
    askers = tokens if path != "/api/sign-out" else [""]
    modes = ((GenerationMode.POSITIVE, SLOW.get(name, VALID)), (GenerationMode.NEGATIVE, INVALID))
    for mode, examples in modes:
        if mode is GenerationMode.NEGATIVE and not _can_be_wrong(operation):
            continue

        @seed(1)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[*HealthCheck],
        )
        @given(operation.as_strategy(generation_mode=mode), st.sampled_from(askers), st.booleans())
        def tries(case: schemathesis.Case[Any], token: str, real: bool) -> None:
            seen[tried(case, token, real)] += 1

        tries()


def _can_be_wrong(operation: Any) -> bool:
    """Return whether a route takes any input."""
    raw = operation.definition.raw
    return bool(raw.get("parameters")) or "requestBody" in raw


def test_all_kinds_of_answers_were_seen(seen: Counter[int]) -> None:
    assert sum(seen.values()) >= 450
    assert {200, 204, 400, 401, 403, 404, 409} <= {*seen}
    assert seen[200] >= 60

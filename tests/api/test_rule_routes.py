"""Routes of clauses, rulings, differences and submissions."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fourcard.rules.citations import carried_by, proven_by
from fourcard.rules.clauses import clauses, rulings
from fourcard.rules.differences import rulebook_differences
from fourcard.rules.submission import examples
from fourcard.server.api.submissions import MAX_SUBMISSION_LENGTH
from tests.api.api_client import ApiReader, house_of, read_house
from tests.kit.houses import TestHouse, submission_text


@pytest.fixture(scope="module")
def reader() -> Iterator[ApiReader]:
    with house_of(TestHouse()) as house, read_house(house) as found:
        yield found


def every(reader: ApiReader, path: str, **query: Any) -> list[Any]:
    """Return all pages of a list."""
    items, after = [], None
    while True:
        page = reader.ask(path, **query, after=after)
        assert len(page["items"]) <= query.get("limit", 50)
        items += page["items"]
        after = page["next"]
        if after is None:
            return items


def test_every_clause_is_listed_in_order(reader: ApiReader) -> None:
    found = every(reader, "/api/clauses", limit=200)
    assert [each["id"] for each in found] == [*clauses()]
    for each in found[::50]:
        assert each["requirement"] == clauses()[each["id"]].requirement
        assert each["proven"] == bool(proven_by(each["id"]))


@pytest.mark.parametrize(
    "query",
    [
        {"search": "progressive METER"},
        {"source": "MD", "topic": "ranking"},
        {"rulebook": "catfish-bend", "kind": "engine"},
        {"search": "MA-10b"},
    ],
)
def test_clauses_are_searched_and_chosen(reader: ApiReader, query: dict[str, str]) -> None:
    found = every(reader, "/api/clauses", **query)
    assert 0 < len(found) < len(clauses())
    for each in found:
        text = " ".join(str(value) for value in each.values()).lower()
        assert all(word in text for word in query.get("search", "").lower().split())
        assert query.get("source", each["source"]) == each["source"]
        assert query.get("topic", each["topic"]) == each["topic"]
        assert query.get("kind", each["kind"]) == each["kind"]
        assert "rulebook" not in query or each["source"] == "IA"


def test_a_clause_comes_with_its_ruling_code_and_tests(reader: ApiReader) -> None:
    told = reader.ask("/api/clauses/ia-comp-1.2")
    clause = clauses()["IA-COMP-1.2"]
    assert told["id"] == clause.id
    assert [each["id"] for each in told["rulings"]] == [*clause.rulings]
    assert told["carried_by"] == [*carried_by(clause.id)]
    assert told["tests"] == [*proven_by(clause.id)]


def test_a_ruling_is_shown_by_its_id(reader: ApiReader) -> None:
    told = reader.ask("/api/clauses/R27")
    assert told["reading"] == rulings()["R27"].reading
    assert told["carried_by"] == [*carried_by("R27")]
    assert {each["id"] for each in every(reader, "/api/rulings", limit=60)} == {*rulings()}
    assert all("meter" in str(each).lower() for each in every(reader, "/api/rulings", search="meter"))


def test_differences_are_those_of_the_data(reader: ApiReader) -> None:
    found = reader.ask("/api/differences")
    assert found["next"] is None
    assert len(found["items"]) == sum(point.differs for point in rulebook_differences())
    whole = reader.ask("/api/differences", all="true", limit=1000)["items"]
    assert whole == msgspec.json.decode(msgspec.json.encode(rulebook_differences()))
    some = reader.ask("/api/differences", search="positions per player declared")["items"]
    assert [each["point"] for each in some] == ["positions.per_player_declared"]


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/clauses?source=XX", 400, "There is no source 'XX'"),
        ("/api/clauses?topic=XX", 400, "There is no topic 'XX'"),
        ("/api/clauses?kind=XX", 400, "There is no kind 'XX'"),
        ("/api/clauses?rulebook=XX", 400, "There is no rulebook 'XX'"),
        ("/api/clauses?after=XX", 400, "no page after 'XX'"),
        ("/api/clauses?limit=201", 400, "limit"),
        (f"/api/clauses?search={'x' * 201}", 400, "search"),
        ("/api/clauses/MA-10b", 404, "did you mean"),
        ("/api/examples/nowhere", 404, "no example 'nowhere'"),
        ("/api/examples/..%2Fpyproject", 404, "no"),
    ],
)
def test_what_is_not_there_is_refused(reader: ApiReader, path: str, status: int, says: str) -> None:
    assert says in reader.refused(path, status)


def test_examples_are_given_as_they_are_written(reader: ApiReader) -> None:
    assert [each["name"] for each in reader.ask("/api/examples")["items"]] == [*examples()]
    assert reader.ask("/api/examples/washington") == {
        "name": "washington",
        "text": submission_text("washington"),
    }


@pytest.mark.parametrize("name", [*examples()])
def test_a_valid_submission_has_a_sign(reader: ApiReader, name: str) -> None:
    told = reader.send("/api/check", {"text": submission_text(name)})
    assert told["valid"]
    assert all(each["level"] == "warning" for each in told["findings"])
    assert told["sign"][0]["title"] == "Ante and Play"
    assert told["worst_loss"]["total"] is not None
    assert len(told["game"]) == 64


def test_violations_are_told_with_their_clauses(reader: ApiReader) -> None:
    text = submission_text("massachusetts").replace("at_table = 7", "at_table = 9")
    assert text != submission_text("massachusetts")
    told = reader.send("/api/check", {"text": text})
    assert not told["valid"]
    assert told["sign"] == []
    fault = next(each for each in told["findings"] if each["level"] == "error")
    assert {*fault} == {"level", "where", "code", "name", "message", "clauses"}
    assert fault["clauses"]


@pytest.mark.parametrize(
    "text",
    ["", "name = ", "name = 'x'", 'rulebook = "nevada"', "a" + ".a" * 30_000 + " = 1", "[" * 50_000, "\0"],
)
def test_what_is_no_submission_is_a_finding_too(reader: ApiReader, text: str) -> None:
    told = reader.send("/api/check", {"text": text})
    assert [each["level"] for each in told["findings"]] == ["error"]
    assert told["findings"][0]["message"].startswith("The submission")


def test_a_text_that_is_too_long_is_not_read(reader: ApiReader) -> None:
    told = reader.send("/api/check", {"text": "#" * (MAX_SUBMISSION_LENGTH + 1)}, 400)
    assert "text" in told["refusal"]["message"]

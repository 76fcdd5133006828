"""Changes on a live connection: they follow the whole table, which a client can ask for again."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.api.served_house import (
    LiveViewer,
    ServedHouse,
    assert_no_errors,
    new_key,
    seat_players,
    served_house,
    settled_heads,
)


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    """Serve a house with Ann and Bob while betting is open."""
    with assert_no_errors(), served_house() as made:
        seat_players(made.house)
        settled_heads(made)
        yield made


def kinds(looker: LiveViewer) -> list[str]:
    """Return the kinds of all messages about the table."""
    every = [msgspec.json.decode(each)["kind"] for each in looker.copy.received]
    return [kind for kind in every if kind in ("table", "change")]


def over_http(served: ServedHouse, person: str) -> dict[str, Any]:
    """Return the table as a person sees it over HTTP."""
    with served.client(person) as client:
        found: dict[str, Any] = client.get("/api/tables/main").json()
    return found


def alike(message: dict[str, Any]) -> dict[str, Any]:
    """Return a table without what differs between a connection and a single request."""
    return {**message, "told": [], "version": 0, "waiting": {**message["waiting"], "left": 0}}


def test_a_table_comes_whole_and_then_only_what_changes(served: ServedHouse) -> None:
    with LiveViewer(served, "ann") as ann, LiveViewer(served, "flo") as flo:
        for looker in (ann, flo):
            looker.receive("table")
        for cents in (1_000, 2_000, 3_000):
            done = ann.do("buy_in", player="ann", cents=cents)
            for looker, person in ((ann, "ann"), (flo, "flo")):
                assert alike(looker.until_sequence(done["sequence"])) == alike(over_http(served, person))
        assert kinds(ann) == kinds(flo) == ["table", "change", "change", "change"]


def test_a_client_gets_the_whole_table_when_it_asks(served: ServedHouse) -> None:
    with LiveViewer(served, "ann") as ann, LiveViewer(served, "bob") as bob:
        first = [looker.receive("table") for looker in (ann, bob)]
        answer = ann.answer({"key": "again", "whole": True})
        assert (answer["kind"], answer["key"]) == ("done", "again")
        while kinds(ann) != ["table", "table"]:
            ann.receive()
        assert alike(ann.copy.message) == alike(first[0])
        assert ann.copy.message["told"] == first[0]["told"], "with the narration of its round"
        done = ann.do("buy_in", player="ann", cents=1_000)
        assert ann.until_sequence(done["sequence"])["you"]["chips"] == first[0]["you"]["chips"] + 1_000
        bob.until_sequence(done["sequence"])
        assert (kinds(ann), kinds(bob)) == (["table", "table", "change"], ["table", "change"])


@pytest.mark.parametrize("whole", [False, None, 1, "yes", []])
def test_a_request_that_is_none_is_rejected(served: ServedHouse, whole: object) -> None:
    with LiveViewer(served, "ann") as ann:
        ann.receive("table")
        assert ann.answer({"key": new_key(), "whole": whole})["kind"] == "trouble"
        assert ann.is_alive()

"""Commands sent twice, early, late, for others or in others' names: run once, or not at all."""

from collections.abc import Iterator
from typing import Any

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

ANTE = {"kind": "place_wager", "position": 1, "wager": "ante", "amount": 10_000}


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    """Serve a house with Ann at position 1 and Bob at position 2 while betting is open."""
    with assert_no_errors(), served_house() as made:
        seat_players(made.house)
        settled_heads(made)
        yield made


@pytest.fixture
def ann(served: ServedHouse) -> Iterator[LiveViewer]:
    with LiveViewer(served, "ann") as looker:
        yield looker


@pytest.fixture
def bob(served: ServedHouse) -> Iterator[LiveViewer]:
    with LiveViewer(served, "bob") as looker:
        yield looker


def number(looker: LiveViewer) -> int:
    found = looker.receive("table")["view"]["number"]
    assert isinstance(found, int)
    return found


def dealt(served: ServedHouse, ann: LiveViewer, bob: LiveViewer) -> int:
    """Let both bet and deal the cards; return the number of the round in which Ann decides."""
    here = number(ann)
    assert ann.answer({"key": new_key(), "command": ANTE})["kind"] == "done"
    assert bob.answer({"key": new_key(), "command": {**ANTE, "position": 2}})["kind"] == "done"
    for each in (ann, bob):
        assert each.answer({"key": new_key(), "ready": here})["kind"] == "done"
    found = ann.until("deciding")
    settled_heads(served)
    assert found["view"]["number"] == here
    return here


def refused(looker: LiveViewer, message: dict[str, Any]) -> str:
    found = looker.answer(message)
    assert found["kind"] == "refused", found
    assert found["key"] == message["key"]
    assert found["refusal"]["message"].endswith(".")
    return str(found["refusal"]["name"])


def test_a_command_sent_again_is_done_once(served: ServedHouse, ann: LiveViewer) -> None:
    message = {"key": "only-once", "command": {"kind": "buy_in", "player": "ann", "cents": 5_000}}
    first = ann.answer(message)
    assert (first["kind"], first["repeated"]) == ("done", False)
    after = settled_heads(served)
    for _ in range(3):
        again = ann.answer(message)
        assert again == {**first, "repeated": True}
    with served.client("ann") as over_http, LiveViewer(served, "ann") as elsewhere:
        answer = over_http.post("/api/tables/main/commands", json=message)
        assert (answer.status_code, answer.json()) == (200, {**first, "repeated": True})
        assert elsewhere.answer(message)["repeated"] is True
    assert settled_heads(served) == after


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "buy_in", "player": "ann", "cents": 5_001},
        {"kind": "cash_out", "player": "ann", "cents": 5_000},
        {"kind": "fold", "position": 1},
    ],
    ids=lambda command: command["kind"],
)
def test_another_command_under_a_used_key_is_refused(
    served: ServedHouse, ann: LiveViewer, other: dict[str, Any]
) -> None:
    first = {"kind": "buy_in", "player": "ann", "cents": 5_000}
    assert ann.answer({"key": "used", "command": first})["kind"] == "done"
    after = settled_heads(served)
    assert refused(ann, {"key": "used", "command": other}) == "key_reused"
    assert settled_heads(served) == after


def test_a_key_of_another_person_is_not_a_way_to_the_answer(
    served: ServedHouse, ann: LiveViewer, bob: LiveViewer
) -> None:
    assert ann.answer({"key": "mine", "command": ANTE})["kind"] == "done"
    after = settled_heads(served)
    assert refused(bob, {"key": "mine", "command": ANTE}) == "key_reused"
    assert settled_heads(served) == after


EARLY: dict[str, tuple[dict[str, Any], str]] = {
    "a decision before cards": ({"kind": "play", "position": 1, "amount": 10_000}, "not_now"),
    "a fold before cards": ({"kind": "fold", "position": 1}, "not_now"),
    "a wager that lies nowhere": ({"kind": "withdraw_wager", "position": 1, "wager": "ante"}, "wager_absent"),
    "a hand that nobody sets": ({"kind": "set_hand", "position": 1, "cards": [0, 1, 2, 3]}, "not_now"),
    "a play wager before cards": ({**ANTE, "wager": "play"}, "not_now"),
    "cards from a player": ({"kind": "deal"}, "not_permitted"),
}


@pytest.mark.parametrize(("command", "name"), EARLY.values(), ids=EARLY)
def test_what_comes_too_early_is_refused(
    served: ServedHouse, ann: LiveViewer, command: dict[str, Any], name: str
) -> None:
    before = settled_heads(served)
    assert refused(ann, {"key": new_key(), "command": command}) == name
    assert settled_heads(served) == before


@pytest.mark.parametrize("away", [-1, 0, 1, 2])
def test_only_the_round_under_way_can_be_ready_for(served: ServedHouse, ann: LiveViewer, away: int) -> None:
    before, here = settled_heads(served), number(ann)
    told = ann.answer({"key": new_key(), "ready": here + away})
    assert told["kind"] == ("done" if away == 0 else "refused")
    assert settled_heads(served) == before


def test_what_comes_too_late_is_refused(served: ServedHouse, ann: LiveViewer, bob: LiveViewer) -> None:
    here = dealt(served, ann, bob)
    before = settled_heads(served)
    late = (
        ANTE,
        {**ANTE, "amount": 20_000},
        {**ANTE, "wager": "aces_up"},
        {"kind": "withdraw_wager", "position": 1, "wager": "ante"},
        {"kind": "play", "position": 1, "amount": 9_999},
        {"kind": "play", "position": 1, "amount": 40_000},
        {"kind": "play", "position": 1, "amount": -10_000},
    )
    for command in late:
        refused(ann, {"key": new_key(), "command": command})
    assert refused(bob, {"key": new_key(), "command": {"kind": "fold", "position": 2}})
    assert ann.answer({"key": new_key(), "ready": here + 1})["kind"] == "refused"
    assert settled_heads(served) == before
    assert ann.do("fold", position=1)["kind"] == "done"
    settled_heads(served)
    assert refused(ann, {"key": new_key(), "command": {"kind": "play", "position": 1, "amount": 10_000}})


def test_nobody_acts_for_somebody_else(served: ServedHouse, ann: LiveViewer) -> None:
    before = settled_heads(served)
    of_bob: list[tuple[dict[str, Any], str]] = [
        ({**ANTE, "position": 2}, "not_your_position"),
        ({"kind": "leave_seat", "position": 2}, "not_your_position"),
        ({"kind": "take_seat", "position": 3, "player": "bob"}, "not_your_account"),
        ({"kind": "buy_in", "player": "bob", "cents": 5_000}, "not_your_account"),
        ({"kind": "cash_out", "player": "bob", "cents": 5_000}, "not_your_account"),
        ({"kind": "commit_seed", "player": "bob", "shuffle": 1, "hash": "a" * 64}, "not_your_account"),
        ({"kind": "take_seat", "position": 3, "player": "bot-bea-main"}, "not_your_account"),
        ({"kind": "buy_in", "player": "bot-bea-main", "cents": 5_000}, "not_your_account"),
    ]
    for command, name in of_bob:
        for stamp in ({}, {"by": "bob"}, {"by": "bob", "role": "dealer"}, {"by": "house-dealer"}):
            assert refused(ann, {"key": new_key(), "command": {**command, **stamp}}) == name
    assert settled_heads(served) == before


@pytest.mark.parametrize("person", ["bot-bea-main", "bot-", "bot-anything"])
def test_nobody_is_registered_under_a_name_of_bots(served: ServedHouse, person: str) -> None:
    before = settled_heads(served)
    with served.client("ada") as ada:
        body = {"key": new_key(), "command": {"kind": "register_player", "name": "Bea"}}
        answer = ada.post(f"/api/players/{person}/commands", json=body)
    assert (answer.status_code, answer.json()["refusal"]["name"]) == (409, "bot_name")
    assert settled_heads(served) == before


def test_the_dealer_of_the_house_does_what_is_due_once_whatever_is_sent_meanwhile(
    served: ServedHouse, ann: LiveViewer, bob: LiveViewer
) -> None:
    here = dealt(served, ann, bob)
    assert ann.do("play", position=1, amount=10_000)["kind"] == "done"
    assert bob.do("fold", position=2)["kind"] == "done"
    while ann.receive("table")["view"]["number"] == here:
        ann.send({"key": new_key(), "command": {"kind": "fold", "position": 1}})
    settled_heads(served)
    with served.client("dan") as dan:
        view = dan.get("/api/tables/main").json()["view"]
    assert (view["number"], view["round"]["phase"]) == (here + 1, "betting")

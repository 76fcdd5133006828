"""A dealer at a table with keyed-in cards: cards as text, and stub counts that stay secret."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx
import msgspec
import pytest

from fourcard.cards import cards_named
from fourcard.house.decision import table_stream
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.preconditions import next_step
from fourcard.round.state import RoundState
from tests.api.served_house import (
    QUICK,
    LiveViewer,
    ServedHouse,
    create_house,
    keyed_command,
    keyed_table,
    new_key,
)
from tests.kit.waiting import PATIENCE

CARDS = "As Ah Kd 7c 2h"
FAULT = "'Ax' is not a card; write a rank of 23456789TJQKA and a suit of cdhs, such as As or Td"


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    house = create_house()
    keyed_table(house, "iowa", "catfish-bend")
    keyed_table(house, "cards", "catfish-bend")
    keyed_table(house, "chips", "maryland-everything", progressive=True)
    keyed_table(house, "stub", "massachusetts")
    with ServedHouse(house, QUICK) as hall:
        yield hall


def give(dealer: httpx.Client, table: str, kind: str, **fields: Any) -> dict[str, Any]:
    """Run a command and return its answer."""
    return send(dealer, table, {"kind": kind, **fields})


def send(dealer: httpx.Client, table: str, command: dict[str, Any]) -> dict[str, Any]:
    """Send a command (an offered one, for example) and return its answer."""
    body = {"key": new_key(), "command": command}
    answer: dict[str, Any] = dealer.post(f"/api/tables/{table}/commands", json=body).json()
    return answer


def round_at(served: ServedHouse, table: str) -> RoundState:
    """Return the current round at a table."""
    state = served.house.service.table(table).state
    assert state.round is not None
    return state.round


def due_at(served: ServedHouse, table: str) -> str:
    """Return the next step at a table."""
    expected = next_step(round_at(served, table))
    return "" if expected is None else expected.step


def offered(person: httpx.Client, table: str, kind: str) -> list[dict[str, Any]]:
    """Return the commands of a kind that somebody is offered at a table."""
    shown = person.get(f"/api/tables/{table}").json()
    return [each for each in shown["chances"]["may"] if each["kind"] == kind]


def in_the_journal(served: ServedHouse, table: str, kind: str) -> list[dict[str, Any]]:
    """Return the events of a kind in a table's journal."""
    with served.house.store.reading() as reading:
        records = [*reading.events(table_stream(table))]
    return [msgspec.json.decode(each.body) for each in records if each.kind == kind]


def test_cards_are_given_as_text_or_numbers_and_kept_as_numbers(served: ServedHouse) -> None:
    numbers = cards_named(CARDS)
    forms: tuple[Any, ...] = (CARDS, CARDS.split(), [*numbers], [*CARDS.split()[:2], *numbers[2:]])
    with served.client("dan") as dan:
        before = served.heads()
        for wrong in ("As Ah Kd 7c Ax", ["As", "Ah", "Kd", "7c", "Ax"]):
            refusal = give(dan, "iowa", "deal", cards=wrong)["refusal"]
            assert refusal["name"] == "request_unreadable"
            assert FAULT in refusal["message"]
        twice = give(dan, "iowa", "deal", cards="As Ah Kd 7c As")["refusal"]
        assert (twice["name"], "more than once" in twice["message"]) == ("card_unknown", True)
        assert give(dan, "iowa", "deal", cards="As Ah Kd 7c")["refusal"]["name"] == "cards_unfit"
        assert served.heads() == before
        body = keyed_command("deal", cards=forms[0])
        first = dan.post("/api/tables/iowa/commands", json=body).json()
        for form in forms[1:]:
            same = {**body, "command": {"kind": "deal", "cards": form}}
            again = dan.post("/api/tables/iowa/commands", json=same).json()
            assert again == {**first, "repeated": True}, (
                "a command is the same in whatever form its cards are"
            )
        assert [each["cards"] for each in in_the_journal(served, "iowa", "cards_dealt")] == [[*numbers]]
        lower = give(dan, "cards", "deal", cards="as AH kd 7c 2h")
        assert lower["kind"] == "done"
        exposed = {"irregularity": "player_card_exposed", "position": 1, "card": "As"}
        assert give(dan, "cards", "report_irregularity", **exposed)["kind"] == "done"
        (noted,) = in_the_journal(served, "cards", "irregularity_noted")
        assert noted["card"] == numbers[0]


def test_cards_are_text_on_a_live_connection_too(served: ServedHouse) -> None:
    with LiveViewer(served, "dan", table="iowa") as dan:
        before = served.heads()
        wrong = dan.do("deal", cards="As Ah Kd 7c Ax")
        assert (wrong["kind"], FAULT in wrong["message"]) == ("trouble", True)
        assert served.heads() == before
        assert dan.do("deal", cards=CARDS)["kind"] == "done"


def test_the_description_takes_cards_as_text_and_as_numbers(served: ServedHouse) -> None:
    description = httpx.get(f"{served.address}/api/openapi.json", timeout=PATIENCE).json()
    schemas = description["components"]["schemas"]
    fields = {
        (name, field): each["properties"][field]
        for name, each in schemas.items()
        for field in ("card", "cards", "order", "orders")
        if "kind" in each.get("properties", {}) and name != "InstallTable" and field in each["properties"]
    }
    assert {name for name, _ in fields} == {
        "Deal", "SetHand", "ReportIrregularity", "OpenTable", "BringDeck", "Prepare",
    }  # fmt: skip
    assert [each["type"] for each in fields["ReportIrregularity", "card"]["oneOf"]] == [
        "integer", "string", "null",
    ]  # fmt: skip
    cards = fields["Deal", "cards"]["oneOf"]
    assert [each["type"] for each in cards] == ["array", "string"]
    assert [each["type"] for each in cards[0]["items"]["oneOf"]] == ["integer", "string"]
    assert fields["Prepare", "order"]["oneOf"][:2] == cards
    assert fields["OpenTable", "orders"]["items"]["oneOf"] == cards


def test_a_hand_is_counted_by_the_dealer_and_another_number_of_cards_voids_the_round(
    served: ServedHouse,
) -> None:
    with served.client("dan") as dan:
        give(dan, "iowa", "deal", cards=CARDS)
        count = {"kind": "perform", "step": "verify_hand", "position": 1, "count": None}
        assert offered(dan, "iowa", "perform") == [count]
        before = served.heads()
        refusal = dan.post("/api/tables/iowa/commands", json={"key": "empty", "command": count}).json()[
            "refusal"
        ]
        assert refusal["name"] == "number_unfit"
        assert "5" not in refusal["message"]
        assert served.heads() == before
        assert send(dan, "iowa", {**count, "count": 4})["kind"] == "done"
        (void,) = in_the_journal(served, "iowa", "round_voided")
        assert void["clauses"] == ["IA-IRR-1", "R69"]


def test_chips_are_counted_by_the_dealer_and_a_difference_calls_the_floor(served: ServedHouse) -> None:
    with served.client("dan") as dan, served.client("flo") as flo:
        while due_at(served, "chips") != "count_chips":
            assert give(dan, "chips", "perform", step=due_at(served, "chips"))["kind"] == "done"
        count = {"kind": "perform", "step": "count_chips", "count": None}
        assert offered(dan, "chips", "perform") == [count]
        shown = dan.get("/api/tables/chips").json()["console"]["next"]
        assert shown["command"] == {**count, "role": "dealer"}
        assert send(dan, "chips", {**count, "count": 2})["kind"] == "done"
        assert send(dan, "chips", {**count, "count": 1})["refusal"]["name"] == "chips_differ"
        assert offered(flo, "chips", "perform") == [{**count, "role": "floorperson"}]
        assert send(flo, "chips", {**count, "count": 1, "role": "floorperson"})["kind"] == "done"


def test_a_stub_is_counted_and_judged_by_people_and_no_view_tells_its_size(served: ServedHouse) -> None:
    with served.client("dan") as dan, served.client("flo") as flo:
        cards = iter(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
        while (step := due_at(served, "stub")) != "count_stub":
            if step == "deal":
                answer = give(
                    dan, "stub", "deal", cards=[*islice(cards, upcoming_move(round_at(served, "stub")).count)]
                )
            else:
                answer = give(dan, "stub", "perform", step=step)
            assert answer.get("kind") == "done", answer
        count = {"kind": "perform", "step": "count_stub", "count": None}
        assert offered(dan, "stub", "perform") == [count]
        left = 52 - 5 - 6
        for person in (dan, flo):
            shown = person.get("/api/tables/stub").json()
            assert shown["view"]["decks"][0]["left"] is None
            assert f":{left}" not in msgspec.json.encode([shown["view"], shown["chances"]]).decode()
        assert send(dan, "stub", {**count, "count": left - 1})["kind"] == "done"
        (judge,) = offered(dan, "stub", "judge_count")
        assert judge == {"kind": "judge_count", "stub": None, "hands": {"0": None, "1": None}}
        before = served.heads()
        assert send(dan, "stub", judge)["refusal"]["name"] == "number_unfit"
        assert served.heads() == before
        counted = {**judge, "stub": left - 1, "hands": {"0": 6, "1": 5}}
        assert send(dan, "stub", counted)["kind"] == "done"
        (void,) = in_the_journal(served, "stub", "round_voided")
        assert void["clauses"][0] == "MA-7e-b.3"

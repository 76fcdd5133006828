"""Round routes: every finished round, replayed as it was seen, and nothing hidden."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from fourcard.cards import DECK
from fourcard.house import finished_rounds as exported
from fourcard.house import unit_of_work
from fourcard.house.commands import BuyIn
from fourcard.house.decision import table_stream
from fourcard.house.fairness.shuffle_proof import verify_proof
from fourcard.house.finished_rounds import CompletedRound, RoundCollector, finished_rounds
from fourcard.house.journal import JournalRecord
from fourcard.house.store.memory import MemoryTransaction
from fourcard.round.commands import TakeSeat
from fourcard.round.view import FACE_DOWN
from tests.api.api_client import AUDITOR, DEALER, ApiReader, house_of, house_with_rounds, read_house
from tests.kit.houses import STACK, TestHouse, house_with, play_keyed, player

ANN, BOB = player("ann"), player("bob")
ROUNDS = 45
HIDDEN = ("/api/rounds", "/api/rounds/main/1", "/api/results", "/api/decisions", "/api/rounds/export")


@pytest.fixture(scope="module")
def desk() -> TestHouse:
    """Return a house with three players at one table and two of them at another."""
    made = house_with_rounds("massachusetts-everything", ("ann", "bob", "cy"), ROUNDS)
    made.drawing = frozenset(("ann",))
    return house_with_rounds("maryland", ("bob", "ann"), 12, "other", made, seed=4)


@pytest.fixture(scope="module")
def reader(desk: TestHouse) -> Iterator[ApiReader]:
    with house_of(desk) as house, read_house(house) as found:
        yield found


def every(reader: ApiReader, path: str, actor: Any, **query: Any) -> list[Any]:
    """Return all pages of a list."""
    items, after = [], None
    while True:
        page = reader.ask(path, actor, **query, after=after)
        items += page["items"]
        after = page["next"]
        if after is None:
            return items


def nets(desk: TestHouse, table: str) -> dict[int, dict[str, int]]:
    """Return everybody's net by round, computed independently."""
    with desk.store.reading() as view:
        games = desk.service.cache.game
        ended = finished_rounds(table, view.events(table_stream(table)), games)
        return {
            each.number: {place.player: each.state.nets[at] for at, place in each.state.positions.items()}
            for each in ended
        }


def test_every_round_is_listed_newest_first(reader: ApiReader, desk: TestHouse) -> None:
    found = every(reader, "/api/rounds", ANN, limit=7)
    assert len(found) == ROUNDS + 12
    assert [each["at"] for each in found] == sorted((each["at"] for each in found), reverse=True)
    known = {table: nets(desk, table) for table in ("main", "other")}
    for each in found:
        assert each["net"] == known[each["table"]][each["number"]]["ann"]
        assert each["wagered"] == sum(place["wagered"] for place in each["places"])
        assert {place["player"] for place in each["places"]} == {"ann"}
        assert all(place["hand"] and place["decision"] for place in each["places"])
    assert {each["rulebook"] for each in found} == {"massachusetts", "maryland"}
    assert [each["proven"] for each in found].count(False) <= 2


def test_one_table_can_be_asked_for(reader: ApiReader) -> None:
    assert len(every(reader, "/api/rounds", BOB, table="other", limit=200)) == 12
    assert "nowhere" in reader.refused("/api/rounds", 404, BOB, table="nowhere")


def test_staff_see_everybody_where_they_may(reader: ApiReader) -> None:
    found = every(reader, "/api/rounds", AUDITOR, limit=200)
    assert len(found) == ROUNDS + 12
    assert {place["player"] for each in found for place in each["places"]} == {"ann", "bob", "cy"}
    assert "rounds" in reader.refused("/api/rounds", 403, DEALER)
    assert "signed in" in reader.refused("/api/rounds", 401)


def test_whoever_played_nowhere_has_no_rounds(reader: ApiReader) -> None:
    assert reader.ask("/api/rounds", player("zoe")) == {"items": [], "next": None}
    assert reader.refused("/api/rounds/main/3", 404, player("zoe"))
    assert reader.refused(f"/api/rounds/main/{ROUNDS + 1}", 404, ANN)
    assert reader.refused("/api/rounds/other/3", 404, player("cy"))


@pytest.mark.parametrize("after", ["main:9999", "x", "main", ":"])
def test_a_cursor_of_nothing_is_refused(reader: ApiReader, after: str) -> None:
    assert "no page" in reader.refused("/api/rounds", 400, ANN, after=after)


@pytest.mark.parametrize("limit", [0, 201, "x"])
def test_a_page_has_its_limits(reader: ApiReader, limit: object) -> None:
    assert "limit" in reader.refused("/api/rounds", 400, ANN, limit=limit)


@pytest.mark.parametrize("number", [1, 2, 9, 20, 21, 33, ROUNDS])
def test_a_round_is_told_again_step_by_step(reader: ApiReader, desk: TestHouse, number: int) -> None:
    story = reader.ask(f"/api/rounds/main/{number}", ANN)
    steps = story["steps"]
    assert steps[0]["told"][0]["text"].startswith(f"Round {number}")
    assert steps[0]["view"]["bets_open"]
    assert steps[-1]["view"]["phase"] == "over"
    assert all(step["told"] or step["view"] != before["view"] for before, step in pairwise(steps))
    mine = next(place for place in steps[-1]["view"]["places"] if place["player"] == "ann")
    assert mine["net"] == nets(desk, "main")[number]["ann"]
    assert mine["hand"]
    assert story["title"] == "Harborside Casino, high-limit room"
    assert sum(move["count"] for move in story["plan"] if move["name"] == "deal") == 5 * 5


def test_cards_are_seen_only_when_they_were(reader: ApiReader) -> None:
    """Own cards once looked at, others' once turned up; before that, and always if folded, only backs."""
    backs = 0
    for number in range(1, 15):
        looked = False
        for step in reader.ask(f"/api/rounds/main/{number}", ANN)["steps"]:
            looked = looked or any("look at their cards" in each["text"] for each in step["told"])
            for place in step["view"]["places"]:
                shown = bool(place["cards"]) and FACE_DOWN not in place["cards"]
                assert (place["hand"] is not None) == shown
                assert looked or not shown
                if place["player"] == "ann":
                    assert shown or not looked
                else:
                    assert not shown or step["view"]["phase"] in ("settling", "over")
                    backs += step["view"]["phase"] == "over" and not shown
    assert backs


def test_surveillance_sees_the_rack_and_no_players_own_cards(reader: ApiReader) -> None:
    story = reader.ask("/api/rounds/main/3", AUDITOR)
    deciding = next(step["view"] for step in story["steps"] if step["view"]["phase"] == "deciding")
    assert all(place["cards"] == [FACE_DOWN] * 5 for place in deciding["places"])
    assert len(story["steps"][-1]["view"]["rack"]) == 4


def test_the_proof_is_what_anybody_can_verify(reader: ApiReader) -> None:
    proven = [each for each in every(reader, "/api/rounds", ANN, limit=200) if each["proven"]]
    for each in proven[::7]:
        story = reader.ask(f"/api/rounds/{each['table']}/{each['number']}", ANN)
        found = verify_proof(msgspec.json.encode(story["proof"]))
        assert found.verdict == "committed only", found
        assert story["proof"]["proof"]["commitment"] == story["commitment"]


def test_a_secret_that_is_not_public_is_not_told(reader: ApiReader) -> None:
    unproven = [each for each in every(reader, "/api/rounds", ANN, limit=200) if not each["proven"]]
    for each in unproven:
        story = reader.ask(f"/api/rounds/{each['table']}/{each['number']}", ANN)
        assert story["proof"] is None
        assert len(story["commitment"]) == 64


def test_the_export_is_the_commands(reader: ApiReader, desk: TestHouse) -> None:
    answer = reader.raw("/api/rounds/export", AUDITOR)
    assert answer.headers["content-disposition"] == 'attachment; filename="rounds.jsonl"'
    told = [msgspec.json.decode(line) for line in answer.content.splitlines()]
    assert told == msgspec.json.decode(msgspec.json.encode([*exported.export_rounds(desk.store)]))
    own = reader.raw("/api/rounds/export", player("cy"), table="main").content.splitlines()
    assert 0 < len(own) <= ROUNDS
    assert all(b'"player":"cy"' in line for line in own)
    assert reader.raw("/api/rounds/export", player("cy"), table="other").content == b""
    assert reader.raw("/api/rounds/export", DEALER).status_code == 403
    assert reader.raw("/api/rounds/export", ANN, table="nowhere").status_code == 404


def test_an_export_reads_no_more_of_a_table_than_lies_around_the_own_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unit_of_work, "SNAPSHOT_EVERY", 1)
    made = house_with_rounds("maryland", ("ann", "bob"), 60)
    made.register("cy")
    made.at("main", BuyIn(player="cy", cents=STACK), player("cy"))
    made.at("main", TakeSeat(position=3, player="cy"), player("cy"))
    made.play(made.rehearsal("main", ("ann", "bob", "cy"), 2, "later"), 3)
    with house_of(made) as house, read_house(house) as found:
        read = Counter[str]()

        class Counting(RoundCollector):
            def add(self, record: JournalRecord) -> CompletedRound | None:
                ended = super().add(record)
                read["rounds"] += ended is not None
                return ended

        own = [
            each
            for each in exported.export_rounds(made.store)
            if any(s["player"] == "cy" for s in each["seats"])
        ]
        found.ask("/api/rounds", player("cy"))
        monkeypatch.setattr(exported, "RoundCollector", Counting)
        told = found.raw("/api/rounds/export", player("cy")).content.splitlines()
        assert [msgspec.json.decode(line)["id"] for line in told] == [each["id"] for each in own]
        assert read["rounds"] == len(own) == 3
        assert len(found.raw("/api/rounds/export", AUDITOR).content.splitlines()) == 63
        assert read["rounds"] == 66


def test_a_round_is_listed_as_soon_as_it_is_over_and_no_event_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = house_with_rounds("maryland", ("ann", "bob"), 3)
    with house_of(made) as house, read_house(house) as found:
        monkeypatch.setattr(MemoryTransaction, "events", lambda *_: pytest.fail("the journal is read"))
        assert len(found.ask("/api/rounds", ANN)["items"]) == 3
        assert len(found.ask("/api/results", ANN)["rounds"]) == 3
        monkeypatch.undo()
        made.play(made.rehearsal("main", ("ann", "bob"), 9, "more"), 2)
        assert [each["number"] for each in found.ask("/api/rounds", ANN)["items"]] == [5, 4, 3, 2, 1]
        assert found.ask("/api/rounds/main/5", ANN)["steps"]


def keyed(order: list[int], seed: int) -> TestHouse:
    made = house_with("maryland", ("ann", "bob"), cards="keyed")
    play_keyed(made, "main", ("ann", "bob"), order, seed=seed)
    return made


def told_to_ann(made: TestHouse) -> list[bytes]:
    with house_of(made) as house, read_house(house) as found:
        return [found.raw(path, ANN).content for path in HIDDEN]


@pytest.mark.parametrize("seed", range(3))
def test_two_rounds_that_differ_in_what_was_hidden_read_the_same(seed: int) -> None:
    """Bob folds a hand that nobody sees: whatever it was, ann gets the same bytes."""
    chance = Random(seed)
    order = chance.sample(DECK, len(DECK))
    for tried in range(40):
        first = keyed(order, 100 * seed + tried)
        state = first.house_table("main").state
        assert state.last_round is not None
        bob = state.last_round.positions[2]
        if bob.play_amount == 0 and not bob.face_up:
            break
    else:
        raise AssertionError("bob never folded")
    left = [card for card in DECK if card not in state.last_round.dealt_cards]
    swapped = dict(zip(bob.cards, chance.sample(left, len(bob.cards)), strict=True))
    back = {new: old for old, new in swapped.items()}
    other = keyed([swapped.get(card, back.get(card, card)) for card in order], 100 * seed + tried)
    one, two = told_to_ann(first), told_to_ann(other)
    assert one == two
    assert one[-1] == b""
    story = msgspec.json.decode(one[1])
    assert story["steps"][-1]["view"]["places"][1]["cards"] == [FACE_DOWN] * 5
    assert story["commitment"] == ""
    assert story["proof"] is None

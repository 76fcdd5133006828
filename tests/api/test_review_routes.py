"""Review of rounds and sessions: exact costs, filters at their boundaries, and nothing of other players."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from fourcard.cards import parse_cards
from fourcard.hands import best_hand
from fourcard.odds.states_cache import all_states
from fourcard.odds.verdicts import verdict_on
from tests.api.api_client import AUDITOR, DEALER, ApiReader, house_of, house_with_rounds, read_house
from tests.kit.commands import Command, runner
from tests.kit.houses import TestHouse, player

ANN, BOB, ZOE = player("ann"), player("bob"), player("zoe")
ROUNDS, LATER = 24, 12
MINUTE = 60_000
PAUSE = 30 * MINUTE


@pytest.fixture(scope="module")
def desk() -> TestHouse:
    """Return a house with three players, who come back to the table after a long pause."""
    all_states()
    made = house_with_rounds("shuffle-master", ("ann", "bob", "cy"), ROUNDS)
    bots = made.rehearsal("main", ("ann", "bob", "cy"), 5, "later")
    made.clock.at += PAUSE
    for _ in range(LATER):
        made.clock.at += MINUTE
        made.play(bots)
    return made


@pytest.fixture(scope="module")
def reader(desk: TestHouse) -> Iterator[ApiReader]:
    with house_of(desk) as house, read_house(house) as found:
        yield found


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def listed(reader: ApiReader, actor: Any = ANN, **query: Any) -> list[Any]:
    """Return all rounds of a list, page by page."""
    items, after = [], None
    while True:
        page = reader.ask("/api/rounds", actor, limit=7, after=after, **query)
        items += page["items"]
        after = page["next"]
        if after is None:
            return items


def test_a_review_costs_what_advise_says(reader: ApiReader, fourcard: Command) -> None:
    costs = list[Fraction]()
    for number in range(1, ROUNDS + 1, 3):
        review = reader.ask(f"/api/rounds/main/{number}/review", ANN)
        (decision,) = review["decisions"]
        said = fourcard(
            "advise", decision["hand"], "--up", decision["up"], "--rulebook", review["rulebook"],
            *(("--bonus", review["bonus"]) if review["bonus"] else ()), "--json",
        ).answer  # fmt: skip
        exact = {name: Fraction(value) for name, value in said["exact"].items()}
        cost = exact[said["best"]] - exact[decision["chose"]]
        assert Fraction(decision["antes"]) == cost
        assert decision["verdict"] == verdict_on(cost)
        assert decision["cost"] == pytest.approx(float(cost * decision["ante"]))
        assert decision["advice"]["exact"] == said["exact"]
        assert decision["advice"]["best"] == said["best"]
        result = review["result"]
        assert result["net"] == pytest.approx(result["luck"] - result["cost"])
        costs.append(cost)
    assert any(costs)


def test_a_list_has_the_costs_of_the_reviews(reader: ApiReader) -> None:
    found = listed(reader)
    assert len(found) == ROUNDS + LATER
    for each in found[::5]:
        (place,) = each["places"]
        (decision,) = reader.ask(f"/api/rounds/main/{each['number']}/review", ANN)["decisions"]
        assert (place["cost"], place["verdict"]) == (decision["cost"], decision["verdict"])
        assert " ".join(place["cards"]) == decision["hand"]
        assert each["up"] == decision["up"]


def test_nobody_reads_the_decisions_of_another(reader: ApiReader) -> None:
    path = "/api/rounds/main/1/review"
    own, other = reader.ask(path, ANN), reader.ask(path, BOB)
    assert {each["position"] for each in own["decisions"]}.isdisjoint(
        each["position"] for each in other["decisions"]
    )
    assert "you may see" in reader.refused(path, 404, ZOE)
    assert reader.refused(path, 401)
    assert reader.refused(path, 403, DEALER)
    assert "no session of yours" in reader.refused("/api/sessions/main/1", 404, ZOE)
    assert "no session of yours" in reader.refused("/api/sessions/main/1", 404, AUDITOR)
    for actor in (ZOE, AUDITOR):
        assert reader.ask("/api/decisions/skill", actor) == {"periods": []}
        assert reader.ask("/api/decisions/next", actor)["mistake"] is None
        assert reader.ask("/api/sessions", actor)["items"] == []
    seen = reader.ask(path, AUDITOR)["decisions"]
    view = reader.ask("/api/rounds/main/1", AUDITOR)["steps"][-1]["view"]
    racked = {*view["racked"]}
    open_hands = {each["position"] for each in view["places"] if each["hand"]} | racked
    assert {each["position"] for each in seen} <= open_hands


def test_rounds_are_filtered_at_their_very_times(reader: ApiReader) -> None:
    every = listed(reader)
    middle, newest = every[9], every[0]
    since = listed(reader, since=middle["at"])
    assert since == every[:10]
    assert listed(reader, since=middle["at"] + 1) == every[:9]
    assert listed(reader, until=middle["at"]) == every[10:]
    assert listed(reader, until=middle["at"] + 1) == every[9:]
    assert listed(reader, since=middle["at"], until=middle["at"] + 1) == [middle]
    assert listed(reader, since=newest["at"] + 1) == []
    wrong = [each for each in every if any(place["cost"] for place in each["places"])]
    assert 0 < len(wrong) < len(every)
    assert listed(reader, mistakes=True) == wrong
    assert listed(reader, mistakes=True, table="main", until=middle["at"]) == [
        each for each in wrong if each["at"] < middle["at"]
    ]
    assert "since" in reader.refused("/api/rounds", 400, ANN, since=-1)


def test_mistakes_follow_each_other_to_the_last(reader: ApiReader) -> None:
    dear = reader.ask("/api/decisions", ANN, limit=200)["mistakes"]["items"]
    new = sorted(dear, key=lambda each: -each["number"])
    for order, expected in (("cost", dear), ("recent", new)):
        at: dict[str, Any] = {}
        for place, each in enumerate(expected, 1):
            found = reader.ask("/api/decisions/next", ANN, order=order, **at)
            assert found == {"mistake": each, "place": place, "of": len(expected)}
            at = {name: each[name] for name in ("table", "number", "position")}
        assert reader.ask("/api/decisions/next", ANN, order=order, **at)["mistake"] is None
    right = next(each for each in listed(reader) if not each["places"][0]["cost"])
    at = {"table": "main", "number": right["number"], "position": right["places"][0]["position"]}
    older = [each for each in new if each["number"] < right["number"]]
    assert reader.ask("/api/decisions/next", ANN, order="recent", **at)["mistake"] == older[0]
    assert reader.ask("/api/decisions/next", ANN, order="cost", **at)["mistake"] == dear[0]


def test_a_session_ends_where_a_pause_is_long(reader: ApiReader) -> None:
    later, earlier = reader.ask("/api/sessions", ANN)["items"]
    assert (earlier["first"], earlier["last"], earlier["rounds"]) == (1, ROUNDS, ROUNDS)
    assert (later["first"], later["last"]) == (ROUNDS + 1, ROUNDS + LATER)
    assert later["begin"] - earlier["end"] > PAUSE
    for session in (later, earlier):
        assert reader.ask(f"/api/sessions/main/{session['last']}", ANN) == session
        rounds = listed(reader, table="main", since=session["begin"], until=session["end"] + 1)
        assert [each["number"] for each in rounds] == [*range(session["last"], session["first"] - 1, -1)]
        assert session["result"]["net"] == sum(each["net"] for each in rounds)
        places = [place for each in rounds for place in each["places"]]
        assert session["result"]["cost"] == pytest.approx(sum(place["cost"] or 0 for place in places))
        assert session["decisions"] == sum(place["verdict"] is not None for place in places)
        for name, number in session["verdicts"].items():
            assert number == sum(place["verdict"] == name for place in places)
    page = reader.ask("/api/sessions", ANN, limit=1)
    assert page["items"] == [later]
    assert reader.ask("/api/sessions", ANN, limit=1, after=page["next"])["items"] == [earlier]


def test_skill_adds_up_to_all_decisions(reader: ApiReader) -> None:
    periods = reader.ask("/api/decisions/skill", ANN)["periods"]
    groups = [each for period in periods for each in period["groups"]]
    told = reader.ask("/api/decisions", ANN, limit=200)
    assert sum(each["decisions"] for each in groups) == told["decisions"]
    assert sum(each["best"] for each in groups) == told["right"]
    lost = sum(each["cost"] / each["ante"] for each in told["mistakes"]["items"])
    assert sum(each["lost"] for each in groups) == pytest.approx(lost)
    assert [each["begin"] for each in periods] == sorted(each["begin"] for each in periods)
    hands = [
        best_hand(parse_cards(" ".join(place["cards"])))
        for each in listed(reader)
        for place in each["places"]
    ]
    pairs = [each for each in groups if each["category"] == "pair"]
    assert sum(each["decisions"] for each in pairs) == sum(hand.category.text == "pair" for hand in hands)

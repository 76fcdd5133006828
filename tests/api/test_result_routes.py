"""Results next to their expected values, and decisions next to the best ones."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK, parse_card, parse_cards
from fourcard.hands import best_hand
from fourcard.house.commands import CashOut
from fourcard.house.round_index import SEEN_BY_PLAYER, IndexedPosition, IndexedRound, decode_round
from fourcard.house.store.interface import RoundQuery
from fourcard.odds.base_game import base_game
from fourcard.odds.decision_values import advice
from fourcard.odds.paytable_lookup import paytable_ref
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.odds.report import bad_beat_report, own_hand_report
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import base_terms_of, decision_points, optimal
from fourcard.odds.strategy_chart import chart_cell_of
from fourcard.round.commands import PlaceWager
from fourcard.rules.game import Game
from fourcard.rules.loading import resolve_rulebook, rulebook_document
from fourcard.server.api.decisions import review_decision
from fourcard.server.api.results import RoundConditions, expected_value, wager_value
from tests.api.api_client import AUDITOR, ApiReader, game_of, house_of, house_with_rounds, read_house
from tests.kit.houses import STACK, TestHouse, house_with, play_keyed, player

ANN = player("ann")
ROUNDS = 30


def test_cover_all_is_valued_by_the_rulebook_of_the_game() -> None:
    pinned = game_of("massachusetts-everything")
    document: Any = copy.deepcopy(rulebook_document("massachusetts"))
    for column in document["wagers"]["cover_all"]["columns"].values():
        column["pays"]["three_of_a_kind"] = "9 to 1"
    other = replace(pinned, rulebook=resolve_rulebook(document, "other.toml"))
    conditions = RoundConditions(dealt_in=7, meter=None, solved=False)
    found = [wager_value(each, "cover_all", 500, conditions) for each in (pinned, other)]
    assert all(each is not None for each in found)
    assert found[1].mean > found[0].mean + 0.2  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def desk() -> TestHouse:
    all_states()
    return house_with_rounds("shuffle-master-everything", ("ann", "bob"), ROUNDS)


@pytest.fixture(scope="module")
def reader(desk: TestHouse) -> Iterator[ApiReader]:
    with house_of(desk) as house, read_house(house) as found:
        yield found


@pytest.fixture(scope="module")
def game() -> Game:
    return game_of("shuffle-master-everything")


def test_results_come_oldest_first_and_sum_to_what_is_held(reader: ApiReader, desk: TestHouse) -> None:
    told = reader.ask("/api/results", ANN)
    rounds = told["rounds"]
    assert [each["number"] for each in rounds] == [*range(1, ROUNDS + 1)]
    assert sum(each["net"] for each in rounds) == desk.house_table("main").chips("ann") - STACK
    assert all(each["expected"] < 0 < each["sd"] for each in rounds)
    (note,) = told["notes"]
    assert note.endswith("which is an upper bound.")


def test_results_come_in_pages(reader: ApiReader) -> None:
    whole = reader.ask("/api/results", ANN)
    assert whole["next"] is None
    rounds, after, sizes = [], None, []
    while True:
        page = reader.ask("/api/results", ANN, limit=12, after=after)
        rounds += page["rounds"]
        sizes.append(len(page["rounds"]))
        after = page["next"]
        if after is None:
            break
    assert (rounds, sizes) == (whole["rounds"], [12, 12, 6])
    assert "no page after" in reader.refused("/api/results", 400, ANN, after="main:9999")
    assert "limit" in reader.refused("/api/results", 400, ANN, limit=1001)


def test_expected_values_are_those_of_the_exact_odds(game: Game) -> None:
    table = RoundConditions(dealt_in=2, meter=1_234_567, solved=True)
    base = base_game(decision_points(base_terms_of(game)), optimal)
    aces, beat = (
        own_hand_report(paytable_ref(game, "aces_up")),
        bad_beat_report(paytable_ref(game, "bad_beat")),
    )
    link = ProgressiveOdds(game.tables["progressive"], game.envy_for(100), 100, 1_234_567, 1)
    figures = {
        "ante": (-base.house_edge, base.distribution.standard_deviation),
        "aces_up": (-aces.house_edge, aces.standard_deviation),
        "bad_beat": (-beat.house_edge, beat.standard_deviation),
        "progressive": (-link.house_edge, link.standard_deviation),
    }
    stakes: dict[Any, int] = {"ante": 1000, "play": 3000, "aces_up": 500, "bad_beat": 200, "progressive": 100}
    for wager, (mean, sd) in figures.items():
        found = wager_value(game, wager, stakes[wager], table)
        assert found is not None
        assert found.mean == pytest.approx(float(mean), rel=1e-9)
        assert found.sd == pytest.approx(sd, rel=1e-9)
    total, spread, left_out = expected_value(game, stakes, table)
    assert left_out == ()
    assert total == pytest.approx(sum(float(mean) * stakes[name] for name, (mean, _) in figures.items()))
    assert spread == pytest.approx(sum(sd * stakes[name] for name, (_, sd) in figures.items()))


def test_what_is_not_known_is_left_out_and_named(game: Game) -> None:
    unknown = RoundConditions(dealt_in=2, meter=None, solved=False)
    found = expected_value(game, {"ante": 1000, "aces_up": 500, "progressive": 100}, unknown)
    assert found[2] == ("ante", "progressive")
    assert found[0] == pytest.approx(500 * float(-own_hand_report(paytable_ref(game, "aces_up")).house_edge))


def test_staff_have_no_results_of_their_own(reader: ApiReader) -> None:
    assert reader.ask("/api/results", AUDITOR)["rounds"] == []
    assert reader.ask("/api/decisions", AUDITOR)["decisions"] == 0
    assert reader.refused("/api/results", 401)
    assert reader.refused("/api/decisions", 401)
    assert reader.ask("/api/decisions/cells", AUDITOR) == {"cells": []}
    assert reader.refused("/api/decisions/cells", 401)


def test_decisions_are_held_against_the_best(reader: ApiReader, game: Game) -> None:
    told = reader.ask("/api/decisions", ANN, limit=200)
    mistakes = told["mistakes"]["items"]
    assert told["decisions"] == ROUNDS
    assert told["right"] == ROUNDS - len(mistakes)
    assert told["cost"] == pytest.approx(sum(each["cost"] for each in mistakes))
    assert [each["cost"] for each in mistakes] == sorted((each["cost"] for each in mistakes), reverse=True)
    for each in mistakes:
        values = advice(parse_cards(each["hand"]), parse_card(each["up"]), base_terms_of(game)).values
        assert each["values"] == {name: pytest.approx(float(v * each["ante"])) for name, v in values.items()}
        assert each["cost"] == pytest.approx(each["values"][each["best"]] - each["values"][each["chose"]])
        assert each["cost"] > 0


def test_decisions_are_counted_by_cell_of_the_chart(reader: ApiReader) -> None:
    cells = reader.ask("/api/decisions/cells", ANN)["cells"]
    told = reader.ask("/api/decisions", ANN, limit=200)
    assert sum(each["decisions"] for each in cells) == told["decisions"]
    assert sum(each["best"] for each in cells) == told["right"]
    lost: dict[tuple[str, str], float] = {}
    for each in told["mistakes"]["items"]:
        cell = chart_cell_of(best_hand(parse_cards(each["hand"])), parse_card(each["up"]))
        lost[cell] = lost.get(cell, 0.0) + each["cost"] / each["ante"]
    found = {(each["hand"], each["up"]): each["lost"] for each in cells if each["lost"]}
    assert found == {cell: pytest.approx(each) for cell, each in lost.items()}


def test_mistakes_come_in_pages(reader: ApiReader) -> None:
    whole = reader.ask("/api/decisions", ANN, limit=200)["mistakes"]["items"]
    items, after = [], None
    while True:
        page = reader.ask("/api/decisions", ANN, limit=4, after=after)["mistakes"]
        items += page["items"]
        after = page["next"]
        if after is None:
            break
    assert items == whole


def test_the_chips_of_the_moment_are_known(desk: TestHouse) -> None:
    held = STACK
    with desk.store.reading() as reading:
        rounds = [*map(decode_round, reading.rounds(RoundQuery()))]
    assert len(rounds) == ROUNDS
    for found in rounds:
        (place,) = found.positions_of("ann")
        assert place.chips == held - (place.wagered - (place.decision or 0))
        held += place.net


@pytest.mark.parametrize(
    ("money", "decision", "right", "short"),
    [
        (3000, 3000, True, 0),
        (3000, 1000, False, 0),
        (2999, 2900, False, 1),
        (1000, 1000, False, 2000),
        (999, 0, False, 2001),
        (0, 0, False, 3000),
    ],
)
def test_a_decision_is_compared_with_the_best_of_the_game_and_says_what_chips_lacked(
    money: int, decision: int, right: bool, short: int
) -> None:
    game = game_of("massachusetts")
    aces, up = parse_cards("As Ah Ad 7c 2h"), parse_card("6c")
    place = IndexedPosition(1, "ann", {"ante": 1000}, 0, aces, decision, money, SEEN_BY_PLAYER)
    played = IndexedRound("main", 1, 0, 1, game.hash, None, (), up, 1, None, (place,))
    found = review_decision(game, played, place)
    assert found is not None
    best = found.options.best
    assert (best.name, best.missing_cents, found.cost == 0) == ("3x", short, right)
    values = advice(aces, up, base_terms_of(game)).values
    assert {each.name: each.value for each in found.options.options} == {
        name: value * 1000 for name, value in values.items()
    }


def test_a_fold_for_want_of_chips_stands_among_the_mistakes() -> None:
    """Ann has one cent too little for a Play wager, is dealt three aces, and folds."""
    made = house_with("maryland", ("ann",), cards="keyed")
    aces, ante = parse_cards("As Ah Ad 7c 2h"), 1500
    order = [*aces, *(card for card in DECK if card not in aces)]
    play_keyed(made, "main", ("ann",), (), until=lambda _answer: not made.between("main"))
    made.at("main", CashOut(player="ann", cents=made.house_table("main").chips("ann") - 2 * ante + 1), ANN)
    made.at("main", PlaceWager(position=1, wager="ante", amount=ante), ANN)
    play_keyed(made, "main", ("ann",), order, keys="on")
    with house_of(made) as house, read_house(house) as found:
        told = found.ask("/api/decisions", ANN)
    (mistake,) = told["mistakes"]["items"]
    assert (told["decisions"], told["right"]) == (1, 0)
    assert (mistake["chose"], mistake["best"], mistake["short"]) == ("fold", "3x", 2 * ante + 1)
    assert mistake["cost"] == pytest.approx(mistake["values"]["3x"] + ante)

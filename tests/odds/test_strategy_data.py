"""Strategy data: the values of the chart are those of `advice`, and the encoded answer is computed once."""

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fourcard.answers import json_bytes
from fourcard.cards import DECK, RANKS, parse_card, parse_cards, rank_of
from fourcard.hands import best_hand
from fourcard.odds import strategy_data as data
from fourcard.odds.base_game import base_game
from fourcard.odds.decision_values import advice
from fourcard.odds.paytable_lookup import resolve_base_terms
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import DecisionPoints, optimal
from fourcard.odds.strategy_chart import StrategyChart, chart_cell_of
from fourcard.odds.strategy_data import StrategyData, strategy_data, strategy_files, strategy_json
from fourcard.odds.trainer_games import trainer_games

TERMS = resolve_base_terms("standard", None)


@pytest.fixture(scope="module")
def found() -> StrategyData:
    """Return the data for the standard bonus table, with shorter strategies, which are found sooner."""
    all_states()
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(data, "LENGTHS", (1, 2))
        return strategy_data(TERMS)


def test_the_values_of_a_cell_are_the_averages_of_advice(found: StrategyData) -> None:
    """Every hand of a cell has its advice averaged, by a class of equal hands and each of its up cards."""
    points, chance = DecisionPoints(all_states(), TERMS), Random(25)
    chart = StrategyChart(points)
    row, column = chance.randrange(1, 14), chance.randrange(13)
    cell = found.cells[row][column]
    assert (cell.hand, cell.up) == (found.hands[row], RANKS[column])
    total, sums, best = 0, dict.fromkeys(cell.values, 0.0), dict.fromkeys(cell.shares, 0)
    here = chart.rows[cell.hand]
    for held, size in zip(points.cards[here].tolist(), points.states.sizes[here].tolist(), strict=True):
        for up in (card for card in DECK if rank_of(card) == column and card not in held):
            told = advice(held, up, TERMS)
            total += size
            best[told.best] += size
            for choice, value in told.values.items():
                sums[choice] += size * float(value)
    assert cell.values == {choice: pytest.approx(each / total) for choice, each in sums.items()}
    assert cell.shares == {choice: pytest.approx(each / total) for choice, each in best.items()}
    assert cell.weight == pytest.approx(total / (2_598_960 * 47))


def test_every_example_is_of_its_cell_and_shows_what_is_best(found: StrategyData) -> None:
    for row, column in product(range(16), range(13)):
        cell = found.cells[row][column]
        assert [each.best for each in cell.examples] == [*cell.shares]
        for each in cell.examples:
            hand, up = parse_cards(each.hand), parse_card(each.up)
            assert chart_cell_of(best_hand(hand), up) == (cell.hand, cell.up)
            assert advice(hand, up, TERMS).best == each.best


def test_the_colour_of_a_cell_is_its_best_decision_on_average(found: StrategyData) -> None:
    cells = [cell for row in found.cells for cell in row]
    assert sum(cell.weight for cell in cells) == pytest.approx(1)
    for cell in cells:
        second, most = sorted(cell.values.values())[-2:]
        assert cell.values[cell.decision] == most
        assert cell.margin == pytest.approx(most - second)


def test_every_strength_has_one_row(found: StrategyData) -> None:
    for strength in {int(each) for each in all_states().strengths}:
        assert sum(low <= strength <= high for low, high in found.strengths) == 1
    for hand in ("As Ah Kd Kc 2h", "9s 9h Kd 7c 2h", "As Kh Qd 7c 2h", "As Qh Td 7c 2h"):
        best = best_hand(parse_cards(hand))
        (row,) = (row for row, (low, high) in enumerate(found.strengths) if low <= best.strength <= high)
        assert found.hands[row] == chart_cell_of(best, 0)[0]


def test_the_edges_are_in_order(found: StrategyData) -> None:
    best = base_game(DecisionPoints(all_states(), TERMS), optimal)
    assert found.optimal.house_edge == best.house_edge
    assert [len(each.rules) for each in found.memorise] == [1, 2]
    edges = [found.optimal.house_edge, found.chart.house_edge]
    edges += [each.house_edge for each in reversed(found.memorise)]
    assert edges == sorted(edges)


def test_the_answer_is_computed_once_and_then_read(
    found: StrategyData, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    computed: list[Any] = []

    def compute(terms: Any) -> StrategyData:
        computed.append(terms)
        return found

    monkeypatch.setenv("FOURCARD_CACHE", str(tmp_path))
    monkeypatch.setattr(data, "strategy_data", compute)
    assert strategy_json(TERMS) == strategy_json(TERMS) == json_bytes(found)
    assert computed == [TERMS]
    strategy_json(resolve_base_terms("none", None))
    assert len(computed) == 2


def test_every_game_has_its_file() -> None:
    games = {f"{game.id}-{bonus.id}.json" for game in trainer_games().games for bonus in game.bonuses}
    assert games
    assert games == dict(strategy_files()).keys()

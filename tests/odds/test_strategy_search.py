"""Strategies to memorise: found by search, said in words, counted exactly, and kept in files."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from fourcard.money import Odds
from fourcard.odds.base_game import base_game
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.paytable_lookup import resolve_base_terms
from fourcard.odds.rule_words import rule_sentence
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import (
    DecisionPoints,
    StrategyFile,
    StrategyRule,
    optimal,
    read_strategy,
    strategy_text,
)
from fourcard.odds.strategy_search import RuleStrategy, hand_groups, rule_strategies

LENGTHS = range(1, 9)


@pytest.fixture(scope="module")
def points() -> DecisionPoints:
    """Return the decision points with the standard bonus table."""
    return DecisionPoints(all_states(), resolve_base_terms("standard", None))


@pytest.fixture(scope="module")
def found(points: DecisionPoints) -> tuple[RuleStrategy, ...]:
    """Return the strategies of one to eight rules."""
    return rule_strategies(points, LENGTHS)


def test_five_rules_cost_less_than_is_asked_and_every_rule_saves_something(
    found: tuple[RuleStrategy, ...], points: DecisionPoints
) -> None:
    edges = [each.house_edge for each in found]
    assert [len(each.rules) for each in found] == [*LENGTHS]
    assert edges[4] < Fraction(292, 10_000)
    assert all(longer < shorter for shorter, longer in pairwise(edges))
    best = base_game(points, optimal).house_edge
    assert [each.cost for each in found] == [edge - best for edge in edges]
    assert all(each.cost > 0 for each in found)


def test_a_strategy_that_was_saved_is_read_again_and_has_the_same_edge(
    found: tuple[RuleStrategy, ...], points: DecisionPoints, tmp_path: Path
) -> None:
    for each in (found[0], found[-1]):
        path = tmp_path / "found.toml"
        path.write_text(strategy_text(each.file), encoding="utf-8")
        again = read_strategy(path)
        assert again == each.file
        assert base_game(points, again).house_edge == each.house_edge


def test_no_rule_of_a_strategy_can_be_left_out(
    found: tuple[RuleStrategy, ...], points: DecisionPoints
) -> None:
    five = found[4]
    for place in range(len(five.rules)):
        rules = (*five.rules[:place], *five.rules[place + 1 :])
        without = StrategyFile(name="four", otherwise=five.otherwise, rules=rules)
        assert base_game(points, without).house_edge > five.house_edge


def test_the_shortest_strategies_are_those_that_players_know(found: tuple[RuleStrategy, ...]) -> None:
    assert found[1].rules == (
        StrategyRule(bet="3x", at_least="pair T", says="Play 3x with a pair of tens or better."),
        StrategyRule(bet="1x", at_least="pair 3", says="Play 1x with a pair of threes or better."),
    )


def test_where_the_bonus_makes_every_hand_worth_playing_nothing_is_folded(points: DecisionPoints) -> None:
    always = BaseTerms(Fraction(1), Fraction(1), True, 1, 3, {"high_card": Odds("4 to 1")})
    (one,) = rule_strategies(DecisionPoints(points.states, always), (1,))
    assert one.otherwise == "1x"
    assert one.decisions["fold"] == 0


def test_a_strategy_without_rules_is_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    path.write_text(strategy_text(StrategyFile(name="none", otherwise="1x", rules=())), encoding="utf-8")
    assert read_strategy(path) == StrategyFile(name="none", otherwise="1x", rules=())


UNLESS, IF = (f" {word} you hold a card of the up card's rank" for word in ("unless", "if"))


@pytest.mark.parametrize(
    ("low", "high", "up", "matching", "hands"),
    [
        ("pair 9", None, range(8), None, "a pair of nines or better against a nine or lower"),
        (
            "pair J",
            "pair Q",
            range(10, 13),
            False,
            f"a pair of jacks or queens against a queen or higher{UNLESS}",
        ),
        ("pair", None, range(13), True, f"any pair or better{IF}"),
        ("pair 5", "pair 9", range(11, 13), None, "a pair of fives to nines against a king or an ace"),
        ("pair T", "pair T", range(8, 9), None, "a pair of tens against a ten"),
        (None, "high_card", range(13), None, "every hand without a pair"),
        (None, "pair 3", range(3, 6), None, "a pair of threes or lower against a five to a seven"),
        ("high card A", "pair 4", range(13), None, "ace high to a pair of fours"),
        ("straight", None, range(13), None, "a straight or better"),
    ],
)
def test_a_rule_says_in_words_what_its_file_says(
    low: str | None, high: str | None, up: range, matching: bool | None, hands: str
) -> None:
    groups = hand_groups()
    first = next((each for each in groups if each.from_text == low), None)
    last = next((each for each in groups if each.to_text == (high or "").replace("_", " ")), None)
    assert (first is None, last is None) == (low is None, high is None)
    assert rule_sentence("3x", first, last, up, matching) == f"Play 3x with {hands}."
    assert rule_sentence("fold", first, last, up, matching) == f"Fold {hands}."

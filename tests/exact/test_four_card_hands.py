"""Every four-card hand, counted and ordered by two evaluators that share no code."""

from collections import Counter
from itertools import combinations
from random import Random

import msgspec
import pytest

from fourcard.cards import DECK, cards_text
from fourcard.hands import Category, best_hand, rank_four
from tests.exact.independent_counts import every, fours_scored
from tests.exact.second_evaluator import best_score, best_shown, by_importance, category, score

HANDS = 270_725
STRENGTHS = 2_535
SAMPLE = 3_000
COUNTS = {
    "high_card": 177_408,
    "pair": 82_368,
    "two_pair": 2_808,
    "straight": 2_772,
    "flush": 2_816,
    "three_of_a_kind": 2_496,
    "straight_flush": 44,
    "four_of_a_kind": 13,
}


class Kind(msgspec.Struct, frozen=True):
    """The results of the two evaluators for one hand, without its suits."""

    category: str
    strength: int
    row: str
    name: str
    score: int


Kinds = Counter[Kind]


@pytest.fixture(scope="module")
def kinds() -> Kinds:
    """Return the number of four-card hands for each pair of results."""
    found: Kinds = Counter()
    for four, scored in zip(every(4).tolist(), fours_scored().tolist(), strict=True):
        hand = rank_four(four)
        found[Kind(hand.category.text, hand.strength, hand.rows[0], hand.name, scored)] += 1
    return found


@pytest.fixture(scope="module")
def score_strengths(kinds: Kinds) -> dict[int, int]:
    """Return the strength that the reference gives each score of the second evaluator."""
    return {kind.score: kind.strength for kind in kinds}


def test_every_four_card_hand_falls_into_a_category_as_often_as_counting_says(kinds: Kinds) -> None:
    by_category: Counter[str] = Counter()
    for kind, hands in kinds.items():
        by_category[kind.category] += hands
    assert by_category == COUNTS
    assert by_category.total() == HANDS


def test_rarer_rows_within_a_category_occur_as_often_as_counting_says(kinds: Kinds) -> None:
    by_row: Counter[str] = Counter()
    for kind, hands in kinds.items():
        by_row[kind.row] += hands
    special = {"four_aces": 1, "royal_flush": 4, "pair_of_aces": 6_336}
    ordinary = {"four_of_a_kind": 13 - 1, "straight_flush": 44 - 4, "pair": 82_368 - 6_336}
    assert by_row == COUNTS | special | ordinary


def test_a_rarer_row_is_the_top_of_its_category(kinds: Kinds) -> None:
    tops = {
        "four_aces": ("four_of_a_kind", 1),
        "royal_flush": ("straight_flush", 1),
        "pair_of_aces": ("pair", 66),
    }
    for row, (own, size) in tops.items():
        in_category = sorted({kind.strength for kind in kinds if kind.category == own})
        assert sorted({kind.strength for kind in kinds if kind.row == row}) == in_category[-size:]


def test_there_are_2535_strengths_numbered_from_zero_without_a_gap(kinds: Kinds) -> None:
    assert {kind.strength for kind in kinds} == set(range(STRENGTHS))


def test_both_evaluators_put_every_hand_in_the_same_category(kinds: Kinds) -> None:
    assert [kind for kind in kinds if kind.category != category(kind.score)] == []
    assert {kind.category for kind in kinds} == {each.text for each in Category}


def test_both_evaluators_put_all_hands_in_the_same_order(kinds: Kinds) -> None:
    pairs = sorted({(kind.score, kind.strength) for kind in kinds})
    assert [strength for _, strength in pairs] == list(range(STRENGTHS))
    assert len({scored for scored, _ in pairs}) == STRENGTHS


def test_a_hand_is_announced_by_a_name_that_tells_its_strength(kinds: Kinds) -> None:
    assert (
        len({kind.name for kind in kinds}) == len({(kind.name, kind.strength) for kind in kinds}) == STRENGTHS
    )


@pytest.mark.parametrize("dealt", [4, 5, 6])
def test_the_best_four_of_the_cards_are_what_trying_every_four_finds(
    dealt: int, score_strengths: dict[int, int]
) -> None:
    random = Random(dealt)
    for _ in range(SAMPLE):
        cards = random.sample(DECK, dealt)
        hand = best_hand(cards)
        assert hand.strength == score_strengths[best_score(cards)], cards_text(cards)
        assert score(hand.cards) == best_score(cards), cards_text(cards)


@pytest.mark.parametrize("dealt", [4, 5, 6])
def test_the_cards_shown_are_dealt_ones_by_importance_with_suits_s_h_d_c_first(dealt: int) -> None:
    random = Random(100 + dealt)
    for _ in range(SAMPLE):
        cards = random.sample(DECK, dealt)
        shown = best_hand(cards).cards
        assert set(shown) <= set(cards), cards_text(cards)
        assert shown == by_importance(shown) == best_shown(cards), cards_text(cards)


def test_a_low_straight_is_shown_as_four_three_two_ace() -> None:
    sequences = [four for four in combinations(DECK, 4) if {card // 4 for card in four} == {0, 1, 2, 12}]
    assert len(sequences) == 4**4
    assert {cards_text(rank_four(four).cards)[::3] for four in sequences} == {"432A"}

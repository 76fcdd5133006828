"""Four-card hands by example: what each is called, what it can win, and which four of five or six play."""

import random
from itertools import combinations

import pytest

from fourcard.bonus_hands import best_five, rank_five, rows_of_six
from fourcard.cards import DECK, CardCountError, cards_text, parse_cards
from fourcard.hands import Category, Hand, best_hand, rank_four
from tests.exact.second_evaluator import score

NAMED = {
    "As Ah Ad Ac": ("four_of_a_kind", "four aces", 2534),
    "6s 6h 6d 6c": ("four_of_a_kind", "four sixes", 2526),
    "2s 2h 2d 2c": ("four_of_a_kind", "four twos", 2522),
    "As Ks Qs Js": ("straight_flush", "straight flush, ace high", 2521),
    "4d 3d 2d Ad": ("straight_flush", "straight flush, four high", 2511),
    "6s 6h 6d 2c": ("three_of_a_kind", "three sixes, two", None),
    "Ks Js 7s 3s": ("flush", "flush, king, jack, seven and three", None),
    "Th 9d 8c 7s": ("straight", "straight, ten high", None),
    "6s 6h 3d 3c": ("two_pair", "two pair, sixes and threes", None),
    "As Ah Kd 7c": ("pair", "pair of aces, king and seven", 1556),
    "2s 2h 6d 5c": ("pair", "pair of twos, six and five", None),
    "Qs Th 9d 2c": ("high_card", "high card, queen, ten, nine and two", None),
    "6d 4c 3s 2h": ("high_card", "high card, six, four, three and two", None),
    "5s 4h 3d 2c": ("straight", "straight, five high", None),
    "6c 5d 4s 2h": ("high_card", "high card, six, five, four and two", None),
}


@pytest.mark.parametrize("cards", NAMED)
def test_a_hand_has_its_category_its_name_and_its_place(cards: str) -> None:
    hand = rank_four(parse_cards(cards))
    category, name, strength = NAMED[cards]
    assert (hand.category.text, hand.name) == (category, name)
    assert strength is None or hand.strength == strength
    assert cards_text(hand.cards) == cards


def test_the_lowest_hand_of_all_is_five_four_three_and_deuce_less_a_straight() -> None:
    lowest = min(rank_four(four) for four in combinations(parse_cards("2c 3d 4h 5s 6c 7d"), 4))
    assert (lowest.name, lowest.strength) == ("high card, six, four, three and two", 0)


@pytest.mark.parametrize(
    ("cards", "rows"),
    [
        ("As Ah Ad Ac", ("four_aces", "four_of_a_kind")),
        ("Ks Kh Kd Kc", ("four_of_a_kind",)),
        ("As Ks Qs Js", ("royal_flush", "straight_flush")),
        ("Ks Qs Js Ts", ("straight_flush",)),
        ("4s 3s 2s As", ("straight_flush",)),
        ("As Ah Kd 7c", ("pair_of_aces", "pair")),
        ("Ks Kh Ad 7c", ("pair",)),
        ("As Ah Kd Kc", ("two_pair",)),
        ("As Ah Ad Kc", ("three_of_a_kind",)),
        ("As Kh Qd Jc", ("straight",)),
        ("As Ks Qs Ts", ("flush",)),
        ("As Kh Qd Tc", ("high_card",)),
    ],
)
def test_a_hand_knows_the_rows_it_can_win(cards: str, rows: tuple[str, ...]) -> None:
    hand = rank_four(parse_cards(cards))
    assert hand.rows == rows
    assert hand.is_pair_of_aces is (rows[0] == "pair_of_aces")


def test_four_cards_are_needed_no_more_no_fewer() -> None:
    for cards in ("As Ah Ad", "As Ah Ad Ac Ks"):
        with pytest.raises(CardCountError):
            rank_four(parse_cards(cards))


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("As Ah Ad Ac Ks Kh", "As Ah Ad Ac"),
        ("2s 2h 2d 3s 3h As", "2s 2h 2d As"),
        ("As Ah Ad Ks Kh Kd", "As Ah Ad Ks"),
        ("As Ah Ks Kh Qs Qh", "As Ah Ks Kh"),
        ("2s 2h 3s 3h Ad Kc", "3s 3h 2s 2h"),
        ("As Ah 9d 8c 7s 6h", "9d 8c 7s 6h"),
        ("Ah As 2d 3c 4s 9h", "4s 3c 2d As"),
        ("5s 4h 3d 2c As 9h", "5s 4h 3d 2c"),
        ("Kc Kd 2h 3h 4h 9h", "9h 4h 3h 2h"),
        ("9h 8h 7h 6h 5h 4h", "9h 8h 7h 6h"),
        ("9s 8h 7h 6h 5h Ts", "8h 7h 6h 5h"),
        ("9h 8h 7h 6c 2h 6h", "9h 8h 7h 6h"),
        ("Js Jd Jc 9s 8s 7s", "Js Jd Jc 9s"),
        ("Ac Kc Qc Jd Ts Td", "Ac Kc Qc Jd"),
        ("2c 3c 4c 5c As Ah", "5c 4c 3c 2c"),
    ],
)
def test_the_best_four_play_with_the_first_suits_shown(cards: str, best: str) -> None:
    assert cards_text(best_hand(parse_cards(cards)).cards) == best


def test_the_best_hand_is_what_trying_every_four_finds_even_of_few_ranks_or_suits() -> None:
    chance = random.Random(11)
    for size in (4, 5, 6):
        for number in range(400):
            deck = (DECK, DECK[:20], DECK[::2], DECK[-24:])[number % 4]
            cards = chance.sample(deck, size)
            best = best_hand(cards)
            tried = max((rank_four(four) for four in combinations(cards, 4)), key=lambda h: (h, h.cards))
            assert (best, best.cards) == (tried, tried.cards)
            assert score(best.cards) == max(score(four) for four in combinations(cards, 4))
            if size > 4:
                five = best_five(cards)
                of_five = max((rank_five(c) for c in combinations(cards, 5)), key=lambda h: (h, h.cards))
                assert (five, five.cards) == (of_five, of_five.cards)
            if size == 6:
                assert rows_of_six(cards) == best_five(cards).rows


def test_hands_compare_by_strength_alone_and_a_category_by_its_place() -> None:
    assert rank_four(parse_cards("As Kh Qd Tc")) == rank_four(parse_cards("Ah Kd Qc Ts"))
    assert [category.text for category in sorted(Category)] == [
        "high_card",
        "pair",
        "two_pair",
        "straight",
        "flush",
        "three_of_a_kind",
        "straight_flush",
        "four_of_a_kind",
    ]
    assert Hand(Category.PAIR, (1, 3, 2), ()) < Hand(Category.PAIR, (2, 1, 0), ())

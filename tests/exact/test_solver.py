"""The table of all states, compared with an independent enumeration of the dealer's completions."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.cards import DECK, card_text, cards_text, parse_card, parse_cards
from fourcard.odds.solver import count_state
from fourcard.odds.state_counts import COMPLETIONS, HANDS, STATES, StateTable
from fourcard.odds.states_cache import all_states
from tests.exact import independent_counts as by_hand
from tests.exact.second_evaluator import CATEGORIES

RANDOM_STATES = 12
LEAST_STATES = 120
CHOSEN = (
    # No pair: the weakest hand, three to a straight, four to a straight, an ace, a suit of three.
    ("2c 3d 4h 6s 7c", "7d 8s 5h 2s Ac"),
    ("Ks Jd 9h 7c 2s", "Kd Qs 2d 8h"),
    ("As Kd Jh 9c 7s", "Ac Qd 2s Tc"),
    ("Qs Ts 8s 6d 3h", "Js 9s 2s Qd"),
    # A pair: aces, the pairs at which the decision turns, an up card above, below and equal to it.
    ("As Ah Kd 7c 2h", "Ac Kc 2c 8d"),
    ("Ad Ac 3h 2s 6d", "As 4s 5d Kh"),
    ("Ts Th Jd 4c 2h", "Tc Jc 9d Ad 2s"),
    ("9s 9d Kh 5c 3s", "9h 2c Td Ac"),
    ("3s 3h Kd 9c 6h", "3c 4d 2d Kc"),
    ("2s 2h Ad Kc Qh", "2c Ac 3d Jd"),
    # Two pair, the second one of twos, and with the up card of a pair's rank.
    ("Ks Kd 5h 5c 9s", "Kh 5s 9d As 2d"),
    ("3s 3d 2h 2c As", "2s 3c Ac Kd"),
    # Straights: the lowest, of five cards, with a pair in it, the highest.
    ("As 2d 3h 4c 9s", "5h Ad 4s 9c"),
    ("9s 8d 7h 6c 5s", "Td 4c 9h 2s"),
    ("Th 9s 9d 8c 7h", "Jd 6s 9c Ac"),
    ("As Kd Qh Jc 3s", "Tc Ad 2s Jd"),
    # Flushes: of four, of five, with a pair; up cards of that suit and of others.
    ("Ks 9s 6s 2s 3d", "As 3s 3c Kd"),
    ("Ad Jd 8d 7d 4d", "Kd 2d Ac 8s"),
    ("Th 7h 6h 2h Ts", "Ah Tc 3h 2d"),
    # Three of a kind, alone and with a pair; the fourth card up.
    ("8s 8d 8h Kc 3s", "8c Kd 2d As"),
    ("2s 2d 2h Ac Ad", "2c As 3d Kh"),
    # Straight flushes: the lowest, the highest, of five cards; up cards that lengthen one.
    ("As 2s 3s 4s 9d", "5s Ad 4d 9s"),
    ("Ah Kh Qh Jh 2c", "Th Ac 2h As"),
    ("8c 7c 6c 5c 4c", "9c 3c 8d Kc"),
    ("8d 7d 6d 5d 8s", "9d 8h 4d As"),
    # Four of a kind: the lowest, one between, aces.
    ("2s 2h 2d 2c Kh", "Ks Ac 3d"),
    ("9s 9h 9d 9c Ah", "As 2c Td"),
    ("As Ah Ad Ac Kh", "Ks 2c Qh"),
)
"""Hands of every kind with up cards of every kind."""


def states() -> list[tuple[tuple[int, ...], int]]:
    """Return the states to check: chosen ones and random ones."""
    chosen = [(parse_cards(hand), parse_card(up)) for hand, ups in CHOSEN for up in ups.split()]
    random = Random(40)
    for _ in range(RANDOM_STATES):
        *hand, up = random.sample(DECK, 6)
        chosen.append((tuple(hand), up))
    return chosen


@pytest.fixture(scope="module")
def table() -> StateTable:
    """Return the table of all states."""
    return all_states()


@pytest.mark.parametrize(
    ("hand", "up"), states(), ids=lambda each: card_text(each) if isinstance(each, int) else cards_text(each)
)
def test_a_state_is_what_looking_at_every_completion_counts(
    hand: tuple[int, ...], up: int, table: StateTable
) -> None:
    below, tied = by_hand.counted(hand, up)
    for found in (table.look_up(hand, up), count_state(hand, up)):
        assert (found.below, found.tied, found.above) == (below, tied, COMPLETIONS - below - tied)


def test_the_states_looked_at_are_of_every_kind() -> None:
    seen, ups = set(), set()
    for hand, up in states():
        strength = by_hand.best_strength(np.array([hand], np.uint8))[0]
        seen.add(by_hand.row_of_strength()[strength])
        ranks, suits = [card // 4 for card in hand], [card % 4 for card in hand]
        ups |= {
            ("held", ranks.count(up // 4)),
            ("suit", suits.count(up % 4)),
            ("over all", up // 4 > max(ranks)),
            ("under all", up // 4 < min(ranks)),
            ("rank", up // 4 if up // 4 in {0, 12} else None),
        }
    assert seen == {*CATEGORIES, "pair_of_aces", "royal_flush", "four_aces"}
    assert ups >= {("held", n) for n in range(4)} | {("suit", n) for n in range(6)}
    assert ups >= {("over all", True), ("under all", True), ("rank", 0), ("rank", 12)}
    assert len(states()) >= LEAST_STATES


def test_the_dealers_completions_are_all_looked_at() -> None:
    dealer = by_hand.dealer_strengths(parse_cards("As Ah Kd 7c 2h"), parse_card("Ac"))
    assert len(dealer) == COMPLETIONS == by_hand.COMPLETIONS == 1_370_754


def test_every_hand_stands_in_the_table_once(table: StateTable) -> None:
    fives = by_hand.every(5)
    held = by_hand.suit_masks(fives)
    first = by_hand.first_of_their_kind(held)
    assert np.array_equal(table.cards, fives[first])
    assert np.array_equal(table.places, np.flatnonzero(first))
    assert np.array_equal(table.strengths, by_hand.five_strengths()[first])
    names = np.sort(held, axis=1).astype(np.int64) @ [1 << 39, 1 << 26, 1 << 13, 1]
    sizes = dict(zip(*np.unique(names, return_counts=True), strict=True))
    assert table.sizes.tolist() == [sizes[name] for name in names[first]]
    assert table.sizes.sum(dtype=np.int64) == HANDS == 2_598_960
    assert STATES == HANDS * 47 == 122_151_120


def test_no_state_counts_more_hands_than_the_dealer_has(table: StateTable) -> None:
    total = table.counts.sum(axis=2, dtype=np.int64)
    assert total.shape == (134_459, 47)
    assert total.max() == COMPLETIONS
    assert total.min() == 0


def test_each_of_the_dealers_hands_is_met_under_each_of_its_six_cards(table: StateTable) -> None:
    over_up_cards = table.counts.sum(axis=1, dtype=np.int64)
    assert (over_up_cards % 6 == 0).all()
    assert (over_up_cards.sum(axis=1) <= 6 * 10_737_573).all()


def test_an_up_card_counts_alike_in_suits_that_the_hand_holds_alike(table: StateTable) -> None:
    """Suits that hold the same ranks can be exchanged without changing the hand."""
    held = by_hand.suit_masks(table.cards)
    mine = table.cards[:, :, None]
    compared = 0
    for one in range(3):
        rows = np.flatnonzero(held[:, one] == held[:, one + 1])
        for rank in range(13):
            card = 4 * rank + one
            free = rows[~(mine[rows, :, 0] == card).any(axis=1)]
            column = card - (mine[free, :, 0] < card).sum(axis=1)
            assert np.array_equal(table.counts[free, column], table.counts[free, column + 1])
            compared += len(free)
    assert compared > 500_000


def four_of_a_kind_beaten(four: int, kicker: int, up: int) -> int:
    """Return the completions that make a higher four of a kind, of four cards or three beside the up card."""
    higher = set(range(four + 1, 13)) - {kicker}
    return sum(43 * 42 // 2 if rank == up else 42 for rank in higher)


def test_four_of_a_kind_loses_only_to_a_higher_one_and_never_ties(table: StateTable) -> None:
    rows = np.flatnonzero(table.strengths > by_hand.row_of_strength().index("four_of_a_kind") - 1)
    assert table.sizes[rows].sum(dtype=np.int64) == 13 * 48
    for row in rows.tolist():
        ranks = [card // 4 for card in table.cards[row].tolist()]
        four, kicker = max(ranks, key=ranks.count), min(ranks, key=ranks.count)
        ups = [card // 4 for card in DECK if card not in table.cards[row]]
        below = [COMPLETIONS - four_of_a_kind_beaten(four, kicker, up) for up in ups]
        assert table.counts[row].tolist() == [[each, 0] for each in below]


def test_a_hand_weaker_than_any_of_six_cards_beats_none(table: StateTable) -> None:
    """The dealer's weakest six cards are 8-7-6-4-3-2 without a flush: four of them are at least 8-7-6-4."""
    weakest = by_hand.best_strength(np.array([parse_cards("8c 7d 6h 4s 3c 2d")], np.uint8))[0]
    under = table.strengths < weakest
    assert 0 < under.sum() < len(under)
    assert not table.counts[under].any()
    assert not table.counts[table.strengths == weakest, :, 0].any()
    assert table.counts[table.strengths == weakest, :, 1].any()


def test_a_state_is_found_whatever_the_suits_are_called_and_however_the_cards_lie(table: StateTable) -> None:
    random = Random(41)
    for _ in range(60):
        *cards, up = random.sample(DECK, 6)
        stands_for, column_card = by_hand.standing_for(tuple(cards), up)
        row = int(np.flatnonzero((table.cards == stands_for).all(axis=1))[0])
        column = column_card - sum(card < column_card for card in stands_for)
        expected = table.counts[row, column].tolist()
        for becomes in permutations(range(4)):
            renamed = by_hand.suits_renamed((*random.sample(cards, 5), up), becomes)
            found = table.look_up(renamed[:5], renamed[5])
            assert [found.below, found.tied] == expected


def shares(below: NDArray[np.bool_], tied: NDArray[np.bool_]) -> list[float]:
    """Return how often the dealer is lower and equal."""
    return [float(below.mean()), float(tied.mean())]


def test_dealing_at_random_finds_the_same_shares_within_its_error(table: StateTable) -> None:
    deals = by_hand.dealt(42, 400_000, 11)
    player, dealer = by_hand.best_strength(deals[:, :5]), by_hand.best_strength(deals[:, 5:])
    weights = table.sizes.astype(np.int64)[:, None] * table.counts.sum(axis=1, dtype=np.int64)
    exact = weights.sum(axis=0) / (STATES * COMPLETIONS)
    for share, true in zip(shares(dealer < player, dealer == player), exact.tolist(), strict=True):
        error = (true * (1 - true) / len(deals)) ** 0.5
        assert abs(share - true) < 4 * error
        assert error < 0.001

"""Dealing plans, cuts and stacked decks, as plain functions."""

import copy
import random
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest

from fourcard.cards import DECK
from fourcard.dealing import BONUS, EXTRA, DealPlan, cut_deck, deal_plan, stack_deck
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.rules import loading
from fourcard.rules.game import Game
from fourcard.settlers.showdown import DEALER
from tests.kit.deals import WAYS
from tests.kit.support import game

TAKEN = {"MA auto": 10, "SM auto": 10, "MD bonus": 7, "MD old": 10, "WA auto": 10, "IA auto": 10}
"""Cards that a deal takes beside the players' fives: the dealer's six where not said otherwise."""


def game_of(way: str) -> Game:
    """Return the game of a way of dealing."""
    example, changes = WAYS[way]
    return game(example, **changes)


def dealt_by(deal: DealPlan, deck: Sequence[int]) -> tuple[dict[int, list[int]], int]:
    """Deal a deck by a plan, written apart from the package: who holds what, the dealer's up card last."""
    held: dict[int, list[int]] = {}
    rest, up = list(deck), None
    for move in deal.moves:
        if move.name == "deal":
            held.setdefault(move.to, []).extend(rest[: move.count])
            up = rest[move.count - 1] if move.up else up
            del rest[: move.count]
        elif move.name == "turn_up_card":
            up = held[move.to].pop(move.place)
            held[DEALER].append(up)
    assert up is not None
    return held, up


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", range(1, 8))
def test_a_plan_takes_five_cards_a_player_and_leaves_the_rest_as_the_stub(way: str, players: int) -> None:
    deal = deal_plan(game_of(way), range(1, players + 1))
    assert (deal.player_cards, deal.dealer_cards) == (5, 6)
    assert deal.cards == 5 * players + TAKEN.get(way, 6)
    assert deal.stub == 52 - 5 * players - TAKEN.get(way, 6)
    assert sum(move.up for move in deal.moves) + sum(m.name == "turn_up_card" for m in deal.moves) == 1


@pytest.mark.parametrize("way", WAYS)
def test_every_group_of_positions_is_served_from_the_dealers_left(way: str) -> None:
    made = game_of(way)
    for size in range(1, 8):
        for group in combinations(range(1, 8), size):
            served = [move.to for move in deal_plan(made, reversed(group)).moves if move.name == "deal"]
            players = [to for to in served if to > 0]
            assert tuple(players[:size]) == group
            assert players == [*group] * (len(players) // size)


@pytest.mark.parametrize("way", [way for way in WAYS if way.endswith(("shoe", "hand", "manual"))])
def test_the_dealer_is_served_last_in_every_pass(way: str) -> None:
    served = [move.to for move in deal_plan(game_of(way), (2, 4)).moves]
    assert served[:15] == [2, 4, 0] * 5
    assert set(served[15:]) <= {DEALER}


@pytest.mark.parametrize(
    ("way", "order"),
    [
        ("MA auto", [1, 6, DEALER, EXTRA]),
        ("SM auto", [1, 6, DEALER, EXTRA]),
        ("MD auto", [DEALER, 1, 6]),
        ("MD bonus", [BONUS, DEALER, 1, 6]),
        ("MD old", [1, 6, DEALER, EXTRA]),
        ("WA auto", [1, 6, DEALER, EXTRA]),
        ("IA auto", [1, 6, DEALER, EXTRA]),
    ],
)
def test_a_machine_serves_in_the_order_of_its_rulebook(way: str, order: list[int]) -> None:
    assert [move.to for move in deal_plan(game_of(way), (6, 1)).moves if move.name == "deal"] == order


def test_nobody_at_the_table_leaves_the_dealers_cards_alone() -> None:
    deal = deal_plan(game_of("MA shoe"), ())
    assert {move.to for move in deal.moves} == {DEALER}
    assert (deal.cards, deal.stub) == (6, 46)


def test_a_method_that_stands_in_for_the_submitted_one_makes_its_own_plan() -> None:
    made = game_of("IA auto")
    assert deal_plan(made, (1,), "manual").cards == 11
    assert deal_plan(made, (1,)).cards == 15
    assert deal_plan(made, (1,), "manual") == deal_plan(game_of("IA manual"), (1,))


@pytest.mark.parametrize("way", WAYS)
def test_every_move_of_every_plan_cites_a_clause(way: str) -> None:
    for move in deal_plan(game_of(way), range(1, 8)).moves:
        assert move.clauses
        assert len(set(move.clauses)) == len(move.clauses)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", range(1, 8))
def test_a_stacked_deck_deals_the_hands_that_were_wanted(way: str, players: int) -> None:
    cards = list(DECK)
    random.Random(players).shuffle(cards)
    wanted = {p: tuple(cards[5 * p : 5 * p + 5]) for p in range(1, players + 1)}
    wanted[DEALER] = tuple(cards[40:46])
    used = {card for hand in wanted.values() for card in hand}
    deal = deal_plan(game_of(way), range(1, players + 1))
    deck = stack_deck(deal, wanted, (card for card in cards if card not in used))
    assert sorted(deck) == list(DECK)
    held, up = dealt_by(deal, deck)
    assert {p: tuple(held[p]) for p in wanted if p != DEALER} == {
        p: hand for p, hand in wanted.items() if p != DEALER
    }
    assert sorted(held[DEALER]) == sorted(wanted[DEALER])
    assert up == wanted[DEALER][-1]


@pytest.mark.parametrize("way", WAYS)
def test_a_stacked_deck_fills_what_was_left_open(way: str) -> None:
    deal = deal_plan(game_of(way), (1, 2))
    wanted = {2: DECK[:2]}
    deck = stack_deck(deal, wanted, DECK[2:])
    assert sorted(deck) == list(DECK)
    held, _ = dealt_by(deal, deck)
    assert tuple(held[2][:2]) == DECK[:2]
    assert len(held[2]) == len(held[1]) == 5
    assert len(held[DEALER]) == 6
    assert stack_deck(deal, {}, DECK) == DECK


@pytest.mark.parametrize("way", ["MA shoe", "MA auto", "MD auto"])
def test_a_dealers_hand_without_an_up_card_leaves_that_card_open(way: str) -> None:
    deal = deal_plan(game_of(way), (1,))
    held, up = dealt_by(deal, stack_deck(deal, {DEALER: DECK[:5]}, DECK[5:]))
    assert set(DECK[:5]) <= set(held[DEALER])
    assert up not in DECK[:5]


@pytest.mark.parametrize("depth", [0, 1, 10, 26, 51, 52])
def test_a_cut_puts_the_upper_cards_under_the_rest(depth: int) -> None:
    done = cut_deck(DECK, depth)
    assert sorted(done) == list(DECK)
    assert done[52 - depth :] == DECK[:depth]
    assert done[: 52 - depth] == DECK[depth:]
    assert cut_deck(done, 52 - depth) == DECK
    steps = [(after - before) % 52 for before, after in pairwise(done)]
    assert steps == [1] * 51, "a cut only turns the order"


def test_a_cut_of_a_few_cards_reads_as_expected() -> None:
    assert cut_deck((1, 2, 3, 4, 5), 2) == (3, 4, 5, 1, 2)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("cards_a_pass", 0, "at least one card"),
        ("dealer_together", 0, "at least one card"),
        ("every", 0, "every round"),
    ],
)
def test_a_rulebook_that_deals_or_counts_nothing_is_refused(
    key: str, value: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: dict[str, Any] = copy.deepcopy(loading.rulebook_document("catfish-bend"))
    manual = broken["dealing"]["manual"]
    (manual["counting"] if key == "every" else manual)[key]["value"] = value
    monkeypatch.setattr(loading, "rulebook_document", lambda _name: broken)
    loading.rulebook.cache_clear()
    try:
        with pytest.raises(RefusedError) as refused:
            loading.rulebook("catfish-bend")
    finally:
        loading.rulebook.cache_clear()
    assert refused.value.refusal.code == Code.VALUE_UNFIT
    assert reason in refused.value.refusal.message

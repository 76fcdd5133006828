"""The side bets counted a second time: by enumeration, by closed forms, and by pairs of hands."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from fourcard.money import Odds
from fourcard.odds.decision_values import base_terms
from fourcard.odds.distribution import WagerOutcome
from fourcard.odds.hand_counting import hand_counts, player_dealer_pairs, six_card_counts, two_player_pairs
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.paytable_lookup import PaytableRef, find_paytable, printed_paytables
from fourcard.odds.side_bets import (
    BeatenHands,
    bad_beat_distribution,
    beaten_hands,
    own_hand_distribution,
    six_card_distribution,
)
from fourcard.odds.strategies import decision_points
from fourcard.rules.loading import rulebook
from tests.exact import independent_counts as by_hand
from tests.second.hands import FIVE_CARD_ORDER

RARE = ("straight_flush", "four_of_a_kind")
HANDS = comb(52, 5)
PAIRS = HANDS * comb(47, 6)
STRAIGHT_FLUSHES = 4 * (11 * 39 + 11 * 9 - 10)
"""Eleven runs of four in a suit, with a card of another suit or of their own; ten runs of five hold two."""
FOUR_CARD = {
    "four_aces": 48,
    "four_of_a_kind": 12 * 48,
    "royal_flush": 4 * 48,
    "straight_flush": STRAIGHT_FLUSHES - 4 * 48,
    "three_of_a_kind": 13 * 4 * comb(48, 2),
    "flush": 4 * (comb(13, 5) + comb(13, 4) * 39) - STRAIGHT_FLUSHES,
    "two_pair": comb(13, 2) * 6 * 6 * 44,
}
"""How many of the 2,598,960 hands have such a best four cards, where a closed form is short."""
FIVE_CARD = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "pair": 1_098_240,
    "high_card": 1_302_540,
}
"""The well-known frequencies of five-card poker."""
SIX_CARD = {
    "royal_flush": 188,
    "straight_flush": 1_656,
    "four_of_a_kind": 14_664,
    "full_house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three_of_a_kind": 732_160,
    "two_pair": 2_532_816,
    "pair": 9_730_740,
    "high_card": 6_612_900,
}
"""The best five of six cards, as public tables of six-card poker have them."""


def own_counts(*, five_cards: bool) -> dict[str, int]:
    """Return the hands of each kind, as the evaluators sort them."""
    return {kind[0]: count for kind, count in hand_counts(five_cards=five_cards).items()}


def test_the_hands_of_each_kind_are_as_many_as_enumeration_and_closed_forms_say() -> None:
    rows = by_hand.row_of_strength()
    counted: Counter[str] = Counter()
    for strength, count in enumerate(np.bincount(by_hand.five_strengths()).tolist()):
        counted[rows[strength]] += count
    found = own_counts(five_cards=False)
    assert found == counted
    assert FOUR_CARD.items() <= found.items()
    assert sum(found.values()) == HANDS


def test_five_cards_are_as_often_of_each_category_as_in_ordinary_poker() -> None:
    counted = np.bincount(by_hand.five_categories()).tolist()
    assert own_counts(five_cards=True) == FIVE_CARD
    assert dict(zip(FIVE_CARD_ORDER, counted, strict=True)) == FIVE_CARD


def edge_of(outcomes: Mapping[str, Odds], counts: Mapping[str, int], total: int) -> Fraction:
    """Return the house edge of "to" odds: what is lost, less what is won."""
    won = sum(outcomes[row].value * counts[row] for row in outcomes)
    return Fraction(total - sum(counts[row] for row in outcomes) - won, total)


@pytest.mark.parametrize(
    "table", list(printed_paytables("aces_up")), ids=lambda each: f"{each.rulebook.id}-{each.id}"
)
def test_the_edge_of_every_aces_up_table_follows_from_the_counts(table: PaytableRef) -> None:
    counts = own_counts(five_cards=False)
    counts["four_of_a_kind"] += counts["four_aces"]
    counts["straight_flush"] += counts["royal_flush"]
    found = own_hand_distribution("aces_up", table.pays)
    assert found.house_edge == edge_of(table.pays, counts, HANDS)
    assert {each.hand: each.count for each in found.outcomes if each.pays} == {
        row: counts[row] for row in table.pays
    }
    assert round(found.hit_frequency, 4) == Fraction(1856, 10_000)


def by_ranks(held: tuple[int, ...], *, low_ace: bool) -> str:
    """Return the best five of six ranks, suits apart."""
    often = sorted((held.count(rank) for rank in set(held)), reverse=True)
    if often[0] == 4:
        return "four_of_a_kind"
    if often[0] == 3 and often[1] >= 2:
        return "full_house"
    if has_run(set(held), low_ace=low_ace):
        return "straight"
    if often[0] == 3:
        return "three_of_a_kind"
    return ("high_card", "pair", "two_pair", "two_pair")[often.count(2)]


def has_run(ranks: set[int], *, low_ace: bool, top: int | None = None) -> bool:
    """Say whether five ranks in a row are held, or those up to a top."""
    runs = [{rank % 13 for rank in range(high - 4, high + 1)} for high in range(3 if low_ace else 4, 13)]
    return any(run <= ranks for run in (runs if top is None else runs[-1:]))


@cache
def six_by_hand(*, low_ace: bool) -> Counter[str]:
    """Count six cards by their ranks, then move those of which five share a suit to where they belong."""
    found: Counter[str] = Counter()
    for held in combinations_with_replacement(range(13), 6):
        often = [held.count(rank) for rank in set(held)]
        if max(often) <= 4:
            found[by_ranks(held, low_ace=low_ace)] += prod(comb(4, times) for times in often)
    for size in (5, 6):
        for suited in combinations(range(13), size):
            ranks = set(suited)
            kind = "straight_flush" if has_run(ranks, low_ace=low_ace) else "flush"
            if has_run(ranks, low_ace=low_ace, top=12):
                kind = "super_royal" if ranks == set(range(7, 13)) else "royal_flush"
            for other in range(13) if size == 5 else (None,):
                held = suited if other is None else (*suited, other)
                times = 4 * (1 if other is None else 3)
                found[by_ranks(tuple(sorted(held)), low_ace=low_ace)] -= times
                found[kind] += times
    return found


@pytest.mark.parametrize("low_ace", [True, False])
def test_six_cards_are_as_often_of_each_kind_as_counting_by_ranks_and_suits_says(low_ace: bool) -> None:
    found: Counter[str] = Counter()
    for kind, count in six_card_counts(low_ace=low_ace).items():
        found["super_royal" if kind[0].startswith("super") else kind[0]] += count
    assert found == six_by_hand(low_ace=low_ace)
    assert found.total() == comb(52, 6)
    if low_ace:
        assert found.pop("super_royal") == 4
        found["royal_flush"] += 4
        assert found == SIX_CARD
    else:
        assert found["straight"] < SIX_CARD["straight"]


@pytest.mark.parametrize("stake", [100, 500, 2_500])
def test_a_super_royal_wins_its_amount_whatever_the_stake_and_keeps_the_stake(stake: int) -> None:
    chosen = find_paytable("six_card", "A", rulebook("maryland"))
    found = {each.hand: each for each in six_card_distribution(chosen.pays, stake).outcomes}
    assert found["super_royal_diamonds"].net * stake == 100_000_000
    assert found["super_royal_spades"].net * stake == 10_000_000
    assert [found[f"super_royal_{suit}"].count for suit in ("diamonds", "hearts", "spades", "clubs")] == [
        1
    ] * 4
    assert found["royal_flush"].count == 184
    assert found["royal_flush"].net == 1_000


def test_the_edge_of_the_six_card_bonus_follows_from_the_counts() -> None:
    for chosen in printed_paytables("six_card"):
        amounts = {row: odds for row, odds in chosen.pays.items() if row.startswith("super")}
        counts = dict(SIX_CARD)
        counts["royal_flush"] -= len(amounts)
        total = comb(52, 6)
        ordinary = {row: odds for row, odds in chosen.pays.items() if row not in amounts}
        lost = edge_of(ordinary, counts, total) - Fraction(len(amounts), total)
        prizes = sum(odds.value for odds in amounts.values())
        assert six_card_distribution(chosen.pays, 100).house_edge == lost - Fraction(prizes) / 100 / total


@pytest.fixture(scope="module")
def beaten() -> BeatenHands:
    """Return the hands that are beaten under the rules of the manufacturer."""
    return beaten_hands(decision_points(base_terms(rulebook("shuffle-master"), {})))


@cache
def rare_against_rare() -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Count every straight flush or four of a kind against every one of the other side, hand by hand."""
    fives, sixes = by_hand.holding_a_run_or_four(5), by_hand.holding_a_run_or_four(6)
    rows = by_hand.row_of_strength()
    mine, theirs = by_hand.best_strength(fives), by_hand.best_strength(sixes)
    strengths = np.unique(theirs)
    dealers = [(int(each), by_hand.masks(sixes[theirs == each])) for each in strengths]
    player, dealer, tied = Counter[str](), Counter[str](), Counter[str]()
    for mask, strength in zip(by_hand.masks(fives), mine.tolist(), strict=True):
        for other, masks in dealers:
            apart = int((masks & mask == 0).sum())
            if other > strength:
                player[rows[strength]] += apart
            elif other < strength:
                dealer[rows[other]] += apart
            else:
                tied[rows[strength]] += apart
    return player, dealer, tied


def test_rare_hands_are_beaten_as_often_as_hand_against_hand_says(beaten: BeatenHands) -> None:
    """A straight flush or better is beaten only by one, so the lists of both sides hold all that counts."""
    sides = (beaten.player, beaten.dealer, beaten.tied)
    for found, counted in zip(sides, rare_against_rare(), strict=True):
        rare = {kind[0]: n for kind, n in zip(hand_kinds(), found, strict=True) if kind[-1] in RARE}
        assert rare == {row: counted[row] for row in rare}
        assert len(rare) == 4
    assert rare_against_rare()[0]["four_aces"] == rare_against_rare()[2]["four_of_a_kind"] == 0
    assert min(rare_against_rare()[0]["straight_flush"], rare_against_rare()[1]["royal_flush"]) > 1_000


def test_four_of_a_kind_meets_four_of_a_kind_as_often_as_a_closed_form_says() -> None:
    """Eleven other ranks are whole; beside four of them the dealer has any two of 43, a player one."""
    quads = [index for index, kind in enumerate(hand_kinds()) if kind[-1] == "four_of_a_kind"]
    pairs = player_dealer_pairs()
    assert sum(pairs[a][b] for a in quads for b in quads) == 624 * 11 * comb(43, 2)
    together, players = two_player_pairs()
    both = [index for index, (four, _) in enumerate(together) if four[-1] == "four_of_a_kind"]
    assert sum(players[a][b] for a in both for b in both) == 624 * 11 * 43
    royal = [index for index, (_, five) in enumerate(together) if five == ("royal_flush",)]
    assert sum(players[a][b] for a in royal for b in royal) == 4 * 3


def test_pairs_of_hands_add_up_to_the_hands_of_each_side() -> None:
    counts = list(hand_counts(five_cards=False).values())
    assert [sum(row) for row in player_dealer_pairs()] == [count * comb(47, 6) for count in counts]
    together, players = two_player_pairs()
    assert players == tuple(zip(*players, strict=True))
    for place, five_cards in ((0, False), (1, True)):
        found: Counter[tuple[str, ...]] = Counter()
        for names, row in zip(together, players, strict=True):
            found[names[place]] += sum(row)
        assert found == {kind: n * comb(47, 5) for kind, n in hand_counts(five_cards=five_cards).items()}


def test_somebody_is_beaten_or_nobody(beaten: BeatenHands) -> None:
    assert sum(beaten.player) + sum(beaten.dealer) + sum(beaten.tied) == PAIRS


def test_frequent_hands_are_beaten_as_often_as_dealing_at_random_finds(beaten: BeatenHands) -> None:
    deals = by_hand.dealt(44, 500_000, 11)
    player, dealer = by_hand.best_strength(deals[:, :5]), by_hand.best_strength(deals[:, 5:])
    rows = np.array(by_hand.row_of_strength())
    seen = (rows[player[dealer > player]], rows[dealer[dealer < player]], rows[player[dealer == player]])
    compared = 0
    for exact, sampled in zip((beaten.player, beaten.dealer, beaten.tied), seen, strict=True):
        for kind, count in zip(hand_kinds(), exact, strict=True):
            share = count / PAIRS
            error = (share * (1 - share) / len(deals)) ** 0.5
            assert abs((sampled == kind[0]).sum() / len(deals) - share) <= 4 * error + 1 / len(deals)
            compared += share > 0.0005
    assert compared >= 14


@pytest.mark.parametrize("name", ["BBB-01", "BBB-02", "BBB-03"])
def test_a_bad_beat_pays_for_what_is_beaten_and_a_tie_loses(name: str, beaten: BeatenHands) -> None:
    chosen = find_paytable("bad_beat", name, rulebook("washington"))
    where = decision_points(base_terms(chosen.rulebook, {}))

    def counts(outcomes: tuple[WagerOutcome, ...]) -> Counter[tuple[str, str]]:
        return Counter({(each.hand, each.beaten or ""): each.count for each in outcomes})

    expected: Counter[tuple[str, str]] = Counter()
    for side, found in (("player", beaten.player), ("dealer", beaten.dealer), ("tie", beaten.tied)):
        for kind, count in zip(hand_kinds(), found, strict=True):
            expected[kind[-1], side] += count if kind[-1] in chosen.pays else 0
    losing = bad_beat_distribution(where, chosen.pays)
    winning = bad_beat_distribution(where, chosen.pays, tie_wins=True)
    strict, lenient = counts(tuple(losing.outcomes)), counts(tuple(winning.outcomes))
    assert strict.pop(("loses", "")) + sum(strict.values()) == PAIRS
    assert lenient.pop(("loses", "")) + sum(lenient.values()) == PAIRS
    assert lenient == +expected
    assert strict == {key: count for key, count in (+expected).items() if key[1] != "tie"}
    paid = sum(chosen.pays[row].value * count for (row, _), count in strict.items())
    assert losing.house_edge == 1 - (paid + sum(strict.values())) / Fraction(PAIRS)
    assert losing.house_edge > winning.house_edge

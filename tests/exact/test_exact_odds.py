"""The base game and its decisions, computed a second time from the counts of the states.

The counts themselves are tested in ``test_solver``; here a strategy's value is added up as whole numbers,
with the rules of the game written out again: ties win, Ante and Play pay 1 to 1, a fold costs the Ante.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.cards import parse_cards
from fourcard.hands import best_hand
from fourcard.money import Odds
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.odds.hand_kinds import WinnableRows, hand_kinds
from fourcard.odds.paytable_lookup import find_paytable
from fourcard.odds.report import ante_report
from fourcard.odds.state_counts import COMPLETIONS, STATES, StateCounts
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import (
    DecisionPoints,
    Decisions,
    checked_decisions,
    find_strategy,
    strategy_names,
)
from fourcard.rules.loading import rulebook
from tests.exact import independent_counts as by_hand

DEALS = STATES * COMPLETIONS
Table = Mapping[str, int | Fraction]
TABLES: dict[str, Table] = {
    "none": {},
    "standard": {"four_of_a_kind": 25, "straight_flush": 20, "three_of_a_kind": 2},
    "FCP-08": {"four_of_a_kind": 10, "straight_flush": 5, "three_of_a_kind": Fraction(3, 2), "flush": 1},
    "high cards break even folded": {"high_card": 1, "pair_of_aces": Fraction(1, 3)},
    "high cards always play": {"high_card": 2, "royal_flush": 100, "pair": Fraction(5, 7)},
    "high cards always play the most": {"high_card": 4},
}
"""What a bonus table pays, by row; the last ones are invented and reverse decisions."""
SLOW = ("standard", "FCP-08", "high cards always play")
"""The tables for tests that examine every state several times."""
FIGURES = {"basic": (0.033971, 0.015832), "optimal": (0.027879, 0.013013)}
"""Per Ante and per unit wagered; public analyses print 3.40%, 2.79% and 1.30%, Washington 1.58%."""


def terms(table: Table, *, ties_win: bool = True) -> BaseTerms:
    """Return the contest of all rulebooks with a bonus table."""
    odds = {
        row: Odds(f"{Fraction(pays).numerator} to {Fraction(pays).denominator}")
        for row, pays in table.items()
    }
    return BaseTerms(ante=Fraction(1), play=Fraction(1), ties_win=ties_win, least=1, most=3, bonus=odds)


@cache
def spots(name: str, *, ties_win: bool = True) -> DecisionPoints:
    """Return the spots of the contest with one of the tables."""
    return DecisionPoints(all_states(), terms(TABLES[name], ties_win=ties_win))


def bonus_of(table: Table, kind: WinnableRows) -> Fraction:
    """Return what a kind of hand is paid: by its own row, or by that of its category."""
    return next((Fraction(table[row]) for row in kind if row in table), Fraction(0))


def bonuses(table: Table, strengths: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return 42 times the bonus of each strength: whole numbers for every table here."""
    rows = by_hand.row_of_strength()
    plain = {"pair_of_aces": "pair", "four_aces": "four_of_a_kind", "royal_flush": "straight_flush"}
    paid = [42 * bonus_of(table, (row, plain.get(row, row))) for row in rows]
    assert all(each.denominator == 1 for each in paid)
    return np.array([int(each) for each in paid], np.int64)[strengths]


def values(
    where: DecisionPoints, table: Table, wager: Decisions | int, *, ties_win: bool = True
) -> NDArray[np.int64]:
    """Return 42 * 1,370,754 times the value of a decision in every spot."""
    bonus = bonuses(table, where.states.strengths)[:, None] * COMPLETIONS
    wagered = np.asarray(wager).astype(np.int64)
    played: NDArray[np.int64] = 42 * (1 + wagered) * balances(ties_win=ties_win) + bonus
    return np.where(wagered == 0, -42 * COMPLETIONS, played)


@lru_cache(maxsize=1)
def balances(*, ties_win: bool) -> NDArray[np.int64]:
    """Return how many more of the dealer's hands are beaten than lost to, in every spot."""
    counts = all_states().counts
    won = counts[:, :, 0].astype(np.int64)
    if ties_win:
        won += counts[:, :, 1]
    return 2 * won - COMPLETIONS


@cache
def decided(name: str, strategy: str) -> Decisions:
    """Return what a strategy decides with one of the tables, in every spot."""
    return checked_decisions(find_strategy(strategy), spots(name))


@cache
def played_game(name: str, strategy: str) -> BaseGame:
    """Return the results of a strategy with one of the tables."""
    return base_game(spots(name), find_strategy(strategy))


def mean(where: DecisionPoints, of_spots: NDArray[np.int64]) -> Fraction:
    """Return the mean over all deals of values in every spot."""
    total = (of_spots.sum(axis=1) * where.states.sizes).tolist()
    return Fraction(sum(total), 42 * DEALS)


def basic_wager(strengths: NDArray[np.uint16]) -> Decisions:
    """Return 3x with tens or better, 1x with threes or better, else a fold."""
    threes, tens = (best_hand(parse_cards(text)).strength for text in ("3s 3h 4d 2c", "Ts Th 3d 2c"))
    return np.select([strengths >= tens, strengths >= threes], [3, 1], 0).astype(np.uint8)


def basic_by_hand(where: DecisionPoints) -> Decisions:
    """Return what basic strategy decides, in every spot."""
    column = basic_wager(where.states.strengths)[:, None]
    return np.broadcast_to(column, (len(column), 47))


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("strategy", ["basic", "optimal", "blind"])
def test_a_strategys_edge_is_the_sum_over_all_states(name: str, strategy: str) -> None:
    where = spots(name)
    chosen = basic_by_hand(where) if strategy == "basic" else decided(name, strategy)
    found = played_game(name, strategy)
    assert found.ev_per_ante == -found.house_edge == mean(where, values(where, TABLES[name], chosen))
    average = 1 + Fraction(int((chosen.sum(axis=1, dtype=np.int64) * where.states.sizes).sum()), STATES)
    assert found.average_wager == average
    assert found.element_of_risk == found.house_edge / average
    assert sum(found.decisions.values()) == sum(found.results.values()) == 1


@pytest.mark.parametrize("name", TABLES)
def test_the_optimal_strategy_takes_the_highest_value_and_then_the_smallest_wager(name: str) -> None:
    where = spots(name)
    every = np.stack([values(where, TABLES[name], wager) for wager in range(4)])
    best = every.argmax(axis=0)
    """The first of equal values, which is the smallest wager."""
    assert np.array_equal(decided(name, "optimal"), best)
    sums = every.sum(axis=2, dtype=np.int64).argmax(axis=0)
    assert np.array_equal(decided(name, "blind")[:, 0], sums)


@pytest.mark.parametrize("name", SLOW)
def test_no_strategy_is_better_than_the_optimal_in_any_state(name: str) -> None:
    where = spots(name)
    most = values(where, TABLES[name], decided(name, "optimal"))
    better: dict[str, int] = {}
    for other in strategy_names():
        theirs = values(where, TABLES[name], decided(name, other))
        assert (theirs <= most).all()
        better[other] = int((theirs < most).sum())
    assert better.pop("optimal") == 0
    assert set(better) == {"basic", "expert", "blind"}
    assert min(better.values()) > 1_000


@pytest.mark.parametrize("strategy", FIGURES)
def test_the_published_figures_of_the_game_come_out(strategy: str) -> None:
    found = played_game("standard", strategy)
    edge, risk = FIGURES[strategy]
    assert round(float(found.house_edge), 6) == edge
    assert round(float(found.element_of_risk), 6) == risk


def test_every_better_strategy_costs_less() -> None:
    edges = [played_game("standard", name).house_edge for name in strategy_names()]
    assert strategy_names() == ("optimal", "basic", "expert", "blind")
    assert edges[0] < edges[2] < edges[3] <= edges[1]


def test_the_rulebooks_own_terms_are_those_written_out_here() -> None:
    chosen = find_paytable("automatic_bonus", "standard", rulebook("massachusetts"))
    for name in ("massachusetts", "maryland", "washington", "catfish-bend", "shuffle-master"):
        assert base_terms(rulebook(name), chosen.pays) == terms(TABLES["standard"])
    found = ante_report(chosen, rulebook("massachusetts"), "basic")
    assert found.house_edge == played_game("standard", "basic").house_edge
    assert found.hit_frequency == sum(
        each.probability for each in found.distribution.outcomes if each.net > 0
    )


def test_where_ties_lose_the_edge_is_higher_by_what_they_won() -> None:
    winning, losing = spots("standard"), spots("standard", ties_win=False)
    chosen = basic_by_hand(losing)
    found = base_game(losing, find_strategy("basic"))
    assert found.ev_per_ante == mean(losing, values(losing, TABLES["standard"], chosen, ties_win=False))
    every = np.stack([values(losing, TABLES["standard"], wager, ties_win=False) for wager in range(4)])
    assert np.array_equal(checked_decisions(find_strategy("optimal"), losing), every.argmax(axis=0))
    tied = winning.states.counts[:, :, 1].astype(np.int64)
    lost = np.where(chosen > 0, 2 * (1 + chosen.astype(np.int64)) * tied * 42, 0)
    assert played_game("standard", "basic").ev_per_ante - found.ev_per_ante == mean(losing, lost)


def test_the_bonus_is_paid_to_every_hand_that_the_table_names_and_nobody_folds() -> None:
    found = played_game("standard", "basic")
    assert found.bonus_hit_frequency == Fraction(624 + 2_072 + 58_656, 2_598_960)
    assert found.bonus_value == Fraction(25 * 624 + 20 * 2_072 + 2 * 58_656, 2_598_960)


@pytest.mark.parametrize("strategy", ["optimal", "basic", "expert", "blind"])
def test_nobody_folds_a_hand_that_a_side_wager_names(strategy: str) -> None:
    """Bad Beat, progressive and Envy need two pair or better, which is why their odds ask for no strategy."""
    where = spots("none")
    named = where.states.strengths >= best_hand(parse_cards("3s 3h 2d 2c")).strength
    assert where.states.sizes[named].sum(dtype=np.int64) == 624 + 2_072 + 58_656 + 114_616 + 101_808 + 123_552
    assert decided("none", strategy)[named].min() > 0


def test_a_hand_that_folds_loses_its_bonus_and_one_that_plays_wins_it_even_beaten() -> None:
    found = played_game("high cards always play", "basic")
    assert found.terms.bonus_for(("high_card",)) == 2
    lost = [each for each in found.distribution.outcomes if each.result == "loss"]
    assert {each.net for each in lost if each.hand == "royal_flush"} == {Fraction(-4 + 100)}
    assert {each.net for each in lost if each.hand == "pair"} == {-4 + Fraction(5, 7), -2 + Fraction(5, 7)}
    assert not [each for each in found.distribution.outcomes if each.hand == "high_card"]


def test_dealing_at_random_comes_to_the_same_edge_within_its_error() -> None:
    found = played_game("standard", "basic")
    deals = by_hand.dealt(43, 400_000, 11)
    player, dealer = by_hand.best_strength(deals[:, :5]), by_hand.best_strength(deals[:, 5:])
    wager = basic_wager(player)
    bonus = bonuses(TABLES["standard"], player) / 42
    net = np.where(wager == 0, -1.0, np.where(dealer <= player, 1.0 + wager, -1.0 - wager) + bonus)
    error = found.distribution.standard_deviation / len(net) ** 0.5
    assert error < 0.006
    assert abs(float(net.mean()) - float(found.ev_per_ante)) < 4 * error
    assert abs(float(net.std()) - found.distribution.standard_deviation) < 0.05


@pytest.mark.parametrize("of", [COMPLETIONS, COMPLETIONS * 47, 4, 8, 12])
@pytest.mark.parametrize("name", TABLES)
def test_a_decision_turns_just_past_its_threshold(name: str, of: int) -> None:
    rules = terms(TABLES[name])
    for kind in hand_kinds():
        bonus = bonus_of(TABLES[name], kind)
        least, most = rules.thresholds(kind, of)
        near = {0, of, of // 2, *(turn + by for turn in (least, most) for by in (-1, 0, 1, 2))}
        for won in (each for each in near if 0 <= each <= of):
            worth = [(wager, (1 + wager) * Fraction(2 * won - of, of) + bonus) for wager in (1, 2, 3)]
            by_value = max(((-1, 0), *((value, -wager) for wager, value in worth)))
            best = rules.best(kind, won, of)
            assert best == -by_value[1]
            assert best == (3 if won > most else 1 if won > least else 0)
            assert rules.value(best, kind, won, of) == by_value[0]


def test_at_equal_value_the_smaller_wager_is_best() -> None:
    plain, even = terms({}), terms(TABLES["high cards break even folded"])
    kind: WinnableRows = ("high_card",)
    assert [plain.best(kind, won, 4) for won in range(5)] == [0, 0, 1, 3, 3]
    assert plain.value(1, kind, 1, 4) == -1
    assert plain.value(1, kind, 2, 4) == plain.value(3, kind, 2, 4) == 0
    assert [even.best(kind, won) for won in (0, 1)] == [0, 1]
    assert even.value(1, kind, 0) == -1
    always = terms(TABLES["high cards always play"])
    assert [always.best(kind, won) for won in (0, COMPLETIONS // 2, COMPLETIONS // 2 + 1)] == [1, 1, 3]


def test_a_tie_is_beaten_where_ties_win() -> None:
    counts = StateCounts(below=10, tied=3)
    assert terms({}).hands_beaten(counts) == 13
    assert terms({}, ties_win=False).hands_beaten(counts) == 10

"""What holds of exact odds whatever a table pays: laws that Hypothesis tries to break."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fourcard.cards import DECK
from fourcard.money import Odds
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.odds.side_bets import bad_beat_distribution, own_hand_distribution, six_card_distribution
from fourcard.odds.state_counts import COMPLETIONS
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import (
    DecisionPoints,
    Decisions,
    Strategy,
    blind,
    checked_decisions,
    find_strategy,
    optimal,
)
from fourcard.rules.cited import Paytable
from fourcard.wagers import SPECIFICATIONS, TableWager
from tests.exact.independent_counts import suits_renamed

FEW = settings(max_examples=7)
"""For laws that look at every state in every example."""
Table = dict[str, Odds]
PAYS = st.tuples(st.integers(1, 5_000), st.integers(1, 7))


def to(pays: tuple[int, int]) -> Odds:
    """Return odds such as "3 to 2"."""
    return Odds(f"{pays[0]} to {pays[1]}")


def tables(wager: TableWager) -> st.SearchStrategy[Table]:
    """Draw a table that pays some rows of a wager."""
    rows = st.sampled_from(SPECIFICATIONS[wager].rows)
    return st.dictionaries(rows, PAYS.map(to), min_size=1).map(
        lambda found: {str(k): v for k, v in found.items()}
    )


BONUSES = tables("automatic_bonus") | st.dictionaries(
    st.sampled_from([row for kind in hand_kinds() for row in kind]), PAYS.map(to)
)
"""Tables for the Automatic Bonus, also ones that pay hands which no printed table pays."""


def contest_with(bonus: Mapping[str, Odds]) -> BaseTerms:
    """Return the contest of every rulebook with a bonus."""
    return BaseTerms(Fraction(1), Fraction(1), ties_win=True, least=1, most=3, bonus=bonus)


@cache
def spots() -> DecisionPoints:
    """Return the spots of the game without a bonus."""
    return DecisionPoints(all_states(), contest_with({}))


@cache
def basic() -> Decisions:
    """Return what basic strategy decides, whatever the bonus."""
    return checked_decisions(find_strategy("basic"), spots())


def played(bonus: Mapping[str, Odds], strategy: Strategy) -> BaseGame:
    """Return the base game with a bonus."""
    return base_game(DecisionPoints(spots().states, contest_with(bonus)), strategy)


SIDE_BETS: dict[str, Callable[[Table], Distribution]] = {
    "aces_up": lambda pays: own_hand_distribution("aces_up", pays),
    "six_card": lambda pays: six_card_distribution(pays, 500),
    "bad_beat": lambda pays: bad_beat_distribution(spots(), pays),
    "bad_beat with ties": lambda pays: bad_beat_distribution(spots(), pays, tie_wins=True),
}


@pytest.mark.parametrize("wager", SIDE_BETS)
@FEW
@given(st.data(), PAYS, PAYS)
def test_an_edge_is_linear_in_every_cell(
    wager: str, data: st.DataObject, one: tuple[int, int], other: tuple[int, int]
) -> None:
    table = data.draw(tables(wager.partition(" ")[0]))
    row = data.draw(st.sampled_from(sorted(table)))
    low, high = (SIDE_BETS[wager]({**table, row: to(pays)}) for pays in (one, other))
    hit = sum((each.probability for each in low.outcomes if each.hand == row), Fraction(0))
    assert low.house_edge - high.house_edge == hit * (Fraction(*other) - Fraction(*one))
    assert (low.house_edge >= high.house_edge) == (hit == 0 or Fraction(*one) <= Fraction(*other))


@pytest.mark.parametrize("wager", SIDE_BETS)
@FEW
@given(st.data())
def test_something_always_happens_and_only_one_thing(wager: str, data: st.DataObject) -> None:
    table = data.draw(tables(wager.partition(" ")[0]))
    found = SIDE_BETS[wager](table)
    assert sum(each.probability for each in found.outcomes) == 1
    assert found.hit_frequency == 1 - next(
        each.probability for each in found.outcomes if each.hand == "loses"
    )
    assert {each.hand for each in found.outcomes} <= {*table, "loses"}
    assert found.variance >= 0
    assert all(each.count >= 0 and each.of == found.outcomes[0].of for each in found.outcomes)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=4), st.integers(1, 100))
def test_only_outcomes_that_add_up_are_a_distribution(counts: list[int], of: int) -> None:
    outcomes = [WagerOutcome("any", count, of, None, Fraction(0)) for count in counts]
    if sum(counts) == of:
        assert Distribution(outcomes).mean == 0
    else:
        with pytest.raises(AssertionError, match="probabilities must add up to one"):
            Distribution(outcomes)


@FEW
@given(BONUSES, PAYS, PAYS, st.data())
def test_the_base_games_edge_is_linear_in_every_bonus_where_decisions_stay(
    table: Table, one: tuple[int, int], other: tuple[int, int], data: st.DataObject
) -> None:
    row = data.draw(st.sampled_from([row for kind in hand_kinds() for row in kind]))
    low, high = (played({**table, row: to(pays)}, lambda _: basic()) for pays in (one, other))
    gained = Fraction(*other) - Fraction(*one)
    wins = {
        kind[0] for kind in hand_kinds() if next((each for each in kind if each in {*table, row}), "") == row
    }
    outcomes = low.distribution.outcomes
    share = sum((each.probability for each in outcomes if each.hand in wins), Fraction(0))
    assert low.house_edge - high.house_edge == gained * share
    assert high.bonus_value - low.bonus_value == gained * share


@FEW
@given(BONUSES, PAYS, st.data())
def test_raising_a_bonus_never_raises_the_edge_of_the_best_play(
    table: Table, more: tuple[int, int], data: st.DataObject
) -> None:
    assume(table)
    row = data.draw(st.sampled_from(sorted(table)))
    before = table[row].value
    raised = before + Fraction(*more)
    higher = {**table, row: to((raised.numerator, raised.denominator))}
    assert played(higher, optimal).house_edge <= played(table, optimal).house_edge


@FEW
@given(BONUSES)
def test_the_best_play_is_at_least_as_good_as_any_other_under_any_table(table: Table) -> None:
    best = played(table, optimal).house_edge
    assert best <= played(table, lambda _: basic()).house_edge
    assert best <= played(table, blind).house_edge


@given(
    st.lists(st.sampled_from(DECK), min_size=6, max_size=6, unique=True),
    st.permutations(range(4)),
    st.permutations(range(5)),
    BONUSES,
)
def test_neither_suit_labels_nor_order_change_the_advice(
    cards: list[int], suits: list[int], order: list[int], table: Table
) -> None:
    terms = contest_with(table)
    *hand, up = cards
    renamed = suits_renamed((*(hand[place] for place in order), up), tuple(suits))
    one, other = all_states().look_up(hand, up), all_states().look_up(renamed[:5], renamed[5])
    assert one == other
    assert one.below + one.tied + one.above == COMPLETIONS
    for kind in hand_kinds():
        assert terms.best(kind, terms.hands_beaten(one)) == terms.best(kind, terms.hands_beaten(other))


ODDS = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=6)


@given(ODDS, ODDS, st.integers(1, 3), st.integers(0, 3), st.none() | PAYS, st.integers(1, 400), st.data())
def test_thresholds_turn_decisions_where_their_values_do(
    ante: Fraction,
    play: Fraction,
    least: int,
    wider: int,
    bonus: tuple[int, int] | None,
    of: int,
    data: st.DataObject,
) -> None:
    paid = {} if bonus is None else {"high_card": to((bonus[0] % 40 + 1, bonus[1]))}
    terms = BaseTerms(ante, play, ties_win=True, least=least, most=least + wider, bonus=paid)
    kind = ("high_card",)
    low, high = terms.thresholds(kind, of)
    near = {turn + by for turn in (low, high) for by in (0, 1)} | {data.draw(st.integers(0, of))}
    for won in (each for each in near if 0 <= each <= of):
        assert terms.best(kind, won, of) == (terms.most if won > high else terms.least if won > low else 0)


@given(st.integers(0, 400), st.integers(1, 12))
def test_more_hands_beaten_never_lower_the_wager(won: int, wider: int) -> None:
    terms = contest_with({})
    wagers = [terms.best(("pair",), each, 400) for each in range(won, min(won + wider, 400) + 1)]
    assert all(one <= other for one, other in pairwise(wagers))


def paytable(rows: Mapping[str, Odds], cards: int = 4) -> Paytable:
    """Return a table under no clause."""
    return Paytable(clauses=(), pays=dict(rows), cards=cards)  # type: ignore[arg-type]


PROGRESSIVES = st.fixed_dictionaries(
    {"four_aces": st.just(Odds("100% of meter"))},
    optional={
        "four_of_a_kind": st.sampled_from([Odds("300 for 1"), Odds("10% of meter")]),
        "straight_flush": st.sampled_from([Odds("100 for 1"), Odds("2.5% of meter"), Odds("$75")]),
        "three_of_a_kind": st.sampled_from([Odds("9 for 1"), Odds("5 to 1")]),
    },
)
ENVIES = st.dictionaries(
    st.sampled_from(["four_aces", "four_of_a_kind", "straight_flush"]),
    st.integers(1, 1_000).map(lambda dollars: Odds(f"${dollars}")),
    min_size=1,
)


@settings(max_examples=25)
@given(PROGRESSIVES, ENVIES, st.sampled_from([100, 500]), st.integers(0, 10**7), st.integers(0, 5))
def test_a_progressives_edge_is_linear_in_the_meter_and_in_the_others(
    rows: Mapping[str, Odds], envy: Mapping[str, Odds], stake: int, meter: int, others: int
) -> None:
    def bet(meter: int, others: int) -> ProgressiveOdds:
        return ProgressiveOdds(paytable(rows), paytable(envy), stake, meter, others)

    base, here = bet(0, 0), bet(meter, others)
    by_meter = bet(1, 0).house_edge - base.house_edge
    by_other = bet(0, 1).house_edge - base.house_edge
    assert here.house_edge == base.house_edge + meter * by_meter + others * by_other
    assert by_meter < 0
    assert by_other == -here.envy_from_one.mean < 0
    assert bet(meter, others + 1).fixed_return - here.fixed_return == here.envy_from_one.mean
    assert here.variance >= 0
    turn, without_meter = here.break_even_meter, base.house_edge + others * by_other
    assert (turn is None) == (without_meter < 0)
    assert turn is None or without_meter + turn * by_meter == 0

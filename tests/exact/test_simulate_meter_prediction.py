"""The long run of the meter, computed again: by every sequence of a few wagers, and by many long runs."""

from fractions import Fraction
from itertools import product

import msgspec
import numpy as np
import pytest

from fourcard.money import Odds
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.jackpot_long_run import (
    MeterCycle,
    MeterTerms,
    average_win_error,
    expected_average_from,
    second_moment,
    variance_per_wager,
)
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.rules.cited import Paytable
from fourcard.rules.rulebook import AwardSource
from fourcard.wagers import RowName

STAKE, START = 100, 900
PAYS: dict[RowName, Odds] = {
    "four_aces": Odds("100% of meter"),
    "royal_flush": Odds("100% of meter"),
    "straight_flush": Odds("40% of meter"),
    "three_of_a_kind": Odds("3 for 2"),
    "flush": Odds("$1.20"),
}
COUNTS = (7, 5, 15, 10, 5, 18)
"""Out of 60, how often each row comes, and none: rows as frequent as no deck has them."""
TERMS = [
    (Fraction(1, 2), Fraction(0), 1_000, "tray"),
    (Fraction(1, 3), Fraction(1, 4), 0, "tray"),
    (Fraction(1, 2), Fraction(1, 5), 700, "meter"),
]


class Effect(msgspec.Struct, frozen=True):
    """The effect of an outcome on the meter."""

    chance: Fraction
    whole: bool
    left: Fraction
    taken: Fraction


def cycle_of(rate: Fraction, reserve: Fraction, seed: int, fixed: AwardSource) -> MeterCycle:
    """Return a meter whose hands have the frequencies of ``COUNTS``."""
    wager = ProgressiveOdds(Paytable(clauses=(), pays=PAYS), None, STAKE, 0, 0)
    rows = zip((*PAYS, "loses"), COUNTS, (*PAYS.values(), None), strict=True)
    outcomes = [WagerOutcome(row, count, sum(COUNTS), odds, Fraction(0)) for row, count, odds in rows]
    vars(wager)["own"] = Distribution(outcomes)
    return MeterCycle(wager, MeterTerms(rate, reserve, seed, fixed))


def effects(fixed: AwardSource) -> list[Effect]:
    """Return the same outcomes, written out by hand."""
    from_meter, one, nothing = int(fixed == "meter"), Fraction(1), Fraction(0)
    return [
        Effect(Fraction(12, 60), True, nothing, nothing),
        Effect(Fraction(15, 60), False, Fraction(6, 10), nothing),
        Effect(Fraction(10, 60), False, one, Fraction(150 * from_meter)),
        Effect(Fraction(5, 60), False, one, Fraction(120 * from_meter)),
        Effect(Fraction(18, 60), False, one, nothing),
    ]


@pytest.mark.parametrize(("rate", "reserve", "seed", "fixed"), TERMS)
def test_the_first_wagers_find_what_all_their_courses_find_on_average(
    rate: Fraction, reserve: Fraction, seed: int, fixed: AwardSource
) -> None:
    cycle, wagers = cycle_of(rate, reserve, seed, fixed), 5
    won = Fraction(0)
    for course in product(effects(fixed), repeat=wagers):
        meter, kept, chance, paid = Fraction(START), Fraction(0), Fraction(1), Fraction(0)
        for effect in course:
            meter, kept, chance = meter + rate * STAKE, kept + reserve * STAKE, chance * effect.chance
            if effect.whole:
                paid, meter, kept = paid + meter, seed + kept, Fraction(0)
            else:
                meter = meter * effect.left - effect.taken
        won += chance * paid
    assert expected_average_from(cycle, START, wagers) == pytest.approx(
        float(won / wagers / Fraction(1, 5)), rel=1e-12
    )


@pytest.mark.parametrize(("rate", "reserve", "seed", "fixed"), TERMS)
def test_in_the_long_run_the_start_no_longer_matters(
    rate: Fraction, reserve: Fraction, seed: int, fixed: AwardSource
) -> None:
    cycle = cycle_of(rate, reserve, seed, fixed)
    assert cycle.average_win is not None
    assert expected_average_from(cycle, START, 10**9) == pytest.approx(float(cycle.average_win), rel=1e-6)
    assert expected_average_from(cycle, 10 * START, 10**9) == pytest.approx(
        float(cycle.average_win), rel=1e-6
    )


@pytest.mark.parametrize(("rate", "reserve", "seed", "fixed"), TERMS)
def test_many_courses_spread_as_the_variance_of_a_wager_says(
    rate: Fraction, reserve: Fraction, seed: int, fixed: AwardSource
) -> None:
    cycle, courses, wagers = cycle_of(rate, reserve, seed, fixed), 30_000, 400
    mean, chance = cycle.average_win, np.random.default_rng(8)
    assert mean is not None
    rows = effects(fixed)
    drawn = chance.choice(len(rows), (wagers, courses), p=[float(each.chance) for each in rows])
    left = np.array([float(each.left) for each in rows])
    taken = np.array([float(each.taken) for each in rows])
    meter, kept, sums = np.full(courses, float(START)), np.zeros(courses), np.zeros(courses)
    found = meter
    for outcome in drawn:
        found, kept = meter + float(rate) * STAKE, kept + float(reserve) * STAKE
        whole = outcome == 0
        sums += whole * (found - float(mean))
        meter = np.where(whole, seed + kept, found * left[outcome] - taken[outcome])
        kept = np.where(whole, 0, kept)
    variance = variance_per_wager(cycle)
    assert variance is not None
    assert float((found**2).mean()) == pytest.approx(float(second_moment(cycle, mean)), rel=0.03)
    assert float(sums.var()) / wagers == pytest.approx(float(variance), rel=0.04)


def test_the_standard_error_without_shares_is_that_of_the_number_of_wins() -> None:
    """If only whole meters are paid, the average deviates because there are too many or too few wins."""
    pays: dict[RowName, Odds] = {"four_aces": PAYS["four_aces"]}
    wager = ProgressiveOdds(Paytable(clauses=(), pays=pays), None, STAKE, 0, 0)
    for reserve in (Fraction(0), Fraction(1, 10)):
        cycle = MeterCycle(wager, MeterTerms(Fraction(1, 5), reserve, 500_000))
        mean, chance, wagers = cycle.average_win, Fraction(48, 2_598_960), 10**7
        assert mean == 500_000 + (Fraction(1, 5) + reserve) * STAKE / chance
        off = float((1 - chance) / chance / wagers) ** 0.5
        assert average_win_error(cycle, wagers) == pytest.approx(float(mean - 500_000) * off)


def test_a_table_without_a_whole_meter_has_hits_and_no_wins() -> None:
    pays: dict[RowName, Odds] = {"four_aces": Odds("10% of meter")}
    wager = ProgressiveOdds(Paytable(clauses=(), pays=pays), None, STAKE, 0, 0)
    cycle = MeterCycle(wager, MeterTerms(Fraction(1, 5), Fraction(0), 500_000))
    assert cycle.wagers_per_hit == {"four_aces": 54_145}
    assert (cycle.wagers_between_wins, cycle.average_win) == (None, None)
    assert (expected_average_from(cycle, 0, 10), average_win_error(cycle, 10)) == (None, None)
    assert cycle.report().average_win is None

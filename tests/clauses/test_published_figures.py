"""Every printed figure beside the exact one (R91), and what the sources say of the meter's cost."""

from fractions import Fraction
from functools import cache

import pytest

from fourcard.meter import Meter, contribute, pay_meter_award
from fourcard.money import Odds
from fourcard.odds.paytable_lookup import find_envy_paytable, find_paytable
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.odds.published_figures import (
    ROUNDED,
    TRUNCATED,
    FigureFinding,
    audit_published_figures,
    published_figures,
)
from fourcard.rules.clauses import clauses
from fourcard.rules.loading import rulebook
from tests.kit.support import by_clause

Row = tuple[str, str, float, bool]
ACES_UP_EDGES = {
    "01": ("1.98%", 1.9786, True),
    "02": ("2.58%", 2.5752, True),
    "03": ("2.78%", 2.7759, True),
    "04": ("3.37%", 3.3724, True),
    "05": ("3.89%", 3.8917, True),
    "06": ("4.24%", 4.2355, True),
    "07": ("6.15%", 6.1486, True),
    "08": ("0.28%", 0.2789, True),
    "09": ("4.98%", 5.0328, False),
}
FIGURES: list[Row] = [
    ("SM-BB-4-HE", "20.3%", 19.4722, False),
    ("SM-BB-4-HIT", "5.6%", 5.5782, True),
    ("SM-PROG-3.4", "22.8%", 24.4350, False),
    ("SM-PROG-3.5", "20.98%", 24.6788, False),
    ("SM-PROG-3.6", "2.36%", 2.3606, True),
    ("SM-PROG-3.7", "2.36%", 2.3606, True),
    ("SM-PROG-3.8", "54,145 to 1", 5414500.0, True),
    ("SM-PROG-3.9", "54,145 to 1", 5414500.0, True),
    *((f"WA-FCP-{number}-AU-HE", *figure) for number, figure in ACES_UP_EDGES.items()),
    *((f"WA-FCP-{number}-AU-HIT", "18.56%", 18.5622, True) for number in ACES_UP_EDGES),
    *((f"WA-FCP-{n}-AB-HE", "1.58%", 2.7879, False) for n in ACES_UP_EDGES if n != "08"),
    *((f"WA-FCP-{n}-AB-HIT", "2.37%", 2.3606, False) for n in ACES_UP_EDGES if n != "08"),
    ("WA-FCP-08-AB-HE", "0.80%", 1.0622, False),
    ("WA-FCP-08-AB-HIT", "6.77%", 6.7707, True),
    ("WA-BBB-01-HE", "20.3%", 19.4722, False),
    ("WA-BBB-01-HIT", "5.6%", 5.5782, True),
    ("WA-BBB-02-HE", "23.1%", 21.3820, False),
    ("WA-BBB-02-HIT", "5.6%", 5.5782, True),
    ("WA-BBB-03-HE", "11.4%", 10.8577, False),
    ("WA-BBB-03-HIT", "5.6%", 5.5782, True),
]
"""Clause, the figure as the source prints it, the exact one in percent, and whether they agree."""


@cache
def findings() -> dict[str, FigureFinding]:
    return {finding.figure.clause.id: finding for finding in audit_published_figures()}


@pytest.mark.parametrize(("clause", "printed", "exact", "agrees"), by_clause(*FIGURES))
def test_a_printed_figure_stands_beside_the_exact_one(
    clause: str, printed: str, exact: float, agrees: bool
) -> None:
    found = findings()[clause]
    assert found.figure.text == printed
    assert found.ours is not None
    assert round(float(found.ours.value) * 100, 4) == exact
    assert found.agrees is agrees


@pytest.mark.parametrize(
    ("clause", "average", "rate"),
    by_clause(("SM-PROG-3.10", "$22,000", "31.40%"), ("SM-PROG-3.11", "$14,536", "25.00%")),
)
def test_an_average_award_is_not_computable_without_a_rate_but_its_rate_is_told(
    clause: str, average: str, rate: str
) -> None:
    found = findings()[clause]
    assert (found.figure.text, found.ours, found.agrees) == (average, None, None)
    assert f"needs a rate of {rate}" in found.note


@pytest.mark.clause("R91")
def test_every_printed_figure_is_audited_and_none_is_bent() -> None:
    math = [clause for clause in clauses().values() if clause.topic == "math" and clause.kind == "data"]
    assert {clause.id for clause in math} == set(findings())
    assert len(findings()) == len(published_figures()) == 53
    for found in findings().values():
        closest = found.closest
        assert (closest is None) == (found.agrees is not False)
        if closest is not None:
            others = [found.ours, *found.others]
            assert all(
                abs(closest.value - found.printed) <= abs(o.value - found.printed) for o in others if o
            )


@pytest.mark.parametrize(
    ("clause", "basis", "match"),
    [
        ("WA-FCP-01-AB-HE", "basic strategy, per unit wagered", ROUNDED),
        ("WA-FCP-08-AB-HE", "basic strategy, per unit wagered", None),
        ("SM-PROG-3.4", "meter at the printed average, Envy from 2 other players", ROUNDED),
        ("SM-PROG-3.5", "meter at the printed average, Envy from 5 other players", TRUNCATED),
        ("WA-BBB-02-HE", "hands of two decks, ties pay", ROUNDED),
        ("WA-BBB-01-HE", "ties lose (R40)", None),
        ("WA-FCP-09-AU-HE", "of the stake", None),
    ],
)
def test_what_comes_closest_is_named(clause: str, basis: str, match: str | None) -> None:
    found = findings()[clause]
    assert found.closest is not None
    assert (found.closest.basis, found.match(found.closest)) == (basis, match)


@pytest.mark.parametrize(
    ("clause", "misfits"),
    [
        ("WA-FCP-01-AB-HIT", {"WA-FCP-08-AB-HIT"}),
        ("WA-FCP-01-AB-HE", {"WA-FCP-08-AB-HE"}),
        ("SM-PROG-3.4", {"SM-PROG-3.5"}),
        ("SM-PROG-3.5", {"SM-PROG-3.4"}),
        ("WA-FCP-09-AU-HE", set()),
    ],
)
def test_a_definition_that_fits_one_figure_only_says_so(clause: str, misfits: set[str]) -> None:
    assert set(findings()[clause].contradicting_clauses) == misfits


def test_advice_on_growth_is_told_with_what_fixed_awards_take_back() -> None:
    found = findings()["WA-REC-2"]
    assert (found.figure.text, found.agrees) == ("70%", None)
    assert "34.93% (Pays 1) and 48.47% (Pays 2)" in found.note


@pytest.mark.clause("R92")
def test_odds_of_the_top_award_are_one_in_so_many_hands() -> None:
    found = findings()["SM-PROG-3.8"]
    assert found.ours is not None
    assert found.ours.value == 54_145
    assert found.ours.value != 54_146


def _wager(book: str, table: str, meter: int) -> ProgressiveOdds:
    chosen = find_paytable("progressive", table, rulebook(book))
    return ProgressiveOdds(chosen.table, find_envy_paytable(chosen.rulebook, table, 100), 100, meter, 0)


@pytest.mark.clause("SM-PROG-4.2", "WA-PROG-3.2", "WA-NEX-3.2")
@pytest.mark.parametrize("book", ["shuffle-master", "washington"])
@pytest.mark.parametrize(("table", "seed"), [("1", 500_000), ("2", 100_000)])
def test_reseeding_is_inside_the_advantage_at_the_average_meter(book: str, table: str, seed: int) -> None:
    rate, once_in = Fraction(1, 4), 54_145
    average = seed + rate * 100 * once_in
    assert average.denominator == 1
    found = _wager(book, table, int(average))
    assert found.house_edge == found.long_run(rate, seed)
    assert found.long_run(rate, 0) - found.long_run(rate, seed) == Fraction(seed, 100 * once_in)


@pytest.mark.clause("WA-REC-5")
def test_raising_the_rate_cuts_the_house_advantage_by_as_much() -> None:
    found = _wager("washington", "1", 500_000)
    lower, higher = found.long_run(Fraction(1, 4), 500_000), found.long_run(Fraction(3, 10), 500_000)
    assert lower - higher == Fraction(1, 20)


def _after_a_jackpot(reserve_rate: Fraction, *, stakes_between: int = 0) -> list[int]:
    """Return what the meter shows after each of two jackpots, a thousand stakes before the first."""
    meter, shown = Meter(amount=500_000 * 10_000, reset_amount=10_000), []
    for stakes in (1_000, stakes_between):
        for _ in range(stakes):
            meter, _moved = contribute(meter, 100, Fraction(1, 4), reserve_rate)
        meter, _paid = pay_meter_award(meter, Odds("100% of meter"), 100, "meter")
        shown.append(meter.whole_cents)
    return shown


@pytest.mark.clause("WA-REC-8")
def test_a_reserve_softens_the_fall_after_a_jackpot() -> None:
    bare, softened = _after_a_jackpot(Fraction(0)), _after_a_jackpot(Fraction(1, 10))
    assert (bare[0], softened[0]) == (10_000, 10_000 + 1_000 * 10)


@pytest.mark.clause("WA-REC-10")
def test_back_to_back_jackpots_leave_no_reserve_to_start_from() -> None:
    first, second = _after_a_jackpot(Fraction(1, 10))
    assert (first, second) == (20_000, 10_000)
    assert _after_a_jackpot(Fraction(1, 10), stakes_between=100)[1] == 10_000 + 100 * 10

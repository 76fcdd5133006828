"""The progressive and Envy counted a second time, over pairs of hands of one deck.

Envy is paid only for rare hands, which can be listed: every hand of a player is compared with each of them.
This gives the mean and the variance for any number of other players, with the dependence of the hands.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.odds.distribution import Distribution
from fourcard.odds.jackpot_long_run import MeterCycle, MeterTerms
from fourcard.odds.paytable_lookup import PaytableError, find_envy_paytable, find_paytable
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.odds.published_figures import published_figures
from fourcard.odds.report import envy_report, progressive_report
from fourcard.rules.cited import Paytable
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import AwardSource
from tests.exact import independent_counts as by_hand
from tests.second.hands import FIVE_CARD_ORDER

HANDS = comb(52, 5)
OTHERS = comb(47, 5)
WITH_ENVY = (("A", "A"), ("B", "B"), ("C", "C"), ("C", "C-royal"), ("A", "C-royal"))
GENERAL = {"four_aces": "four_of_a_kind", "royal_flush": "straight_flush", "pair_of_aces": "pair"}


def progressive(
    table: str = "A", envy: str | None = "A", stake: int = 100, meter: int = 2_000_000, others: int = 0
) -> ProgressiveOdds:
    """Return a progressive of Maryland, whose tables rank four and five cards."""
    book = rulebook("maryland")
    schedule = None if envy is None else find_envy_paytable(book, envy, stake)
    return ProgressiveOdds(find_paytable("progressive", table, book).table, schedule, stake, meter, others)


def rows_of(table: Paytable, places: by_hand.Places) -> list[str | None]:
    """Return the row that a table pays each hand: its own, or that of its category."""
    five = table.cards == 5
    named: tuple[str, ...] = FIVE_CARD_ORDER if five else by_hand.row_of_strength()
    codes: by_hand.Values = by_hand.five_categories() if five else by_hand.five_strengths()
    known, general = {str(row) for row in table.pays}, {} if five else GENERAL
    rows = [next((row for row in (each, general.get(each)) if row in known), None) for each in named]
    return [rows[code] for code in codes[places].tolist()]


def cents(table: Paytable, rows: Iterable[str | None], stake: int, meter: int) -> NDArray[np.int64]:
    """Return 100 times the cents that come back, for every row."""
    worth: dict[str | None, int] = {None: 0}
    for row, odds in table.pays.items():
        text = str(odds)
        if text.endswith("of meter"):
            worth[str(row)] = meter * int(text.partition("%")[0])
        elif text.endswith("for 1"):
            worth[str(row)] = 100 * stake * int(text.partition(" ")[0])
        else:
            worth[str(row)] = 100 * 100 * int(text.removeprefix("$").replace(",", ""))
    return np.array([worth[row] for row in rows], np.int64)


@cache
def rare() -> by_hand.Places:
    """Return the places of all hands that an Envy schedule may name: straight flush or four of a kind."""
    return by_hand.place(by_hand.holding_a_run_or_four(5))


@cache
def apart(kind: tuple[str | None, ...]) -> dict[str, NDArray[np.int64]]:
    """Return, for every hand that stands for others, the rare hands of each row that share no card."""
    first, _ = by_hand.classes_of_fives()
    own = by_hand.masks(by_hand.every(5)[first])
    theirs = by_hand.masks(by_hand.every(5)[rare()])
    rows = np.array([each or "" for each in kind])
    found: dict[str, NDArray[np.int64]] = {}
    for row in sorted(set(rows.tolist()) - {""}):
        found[row] = np.zeros(len(own), np.int64)
        for mask in theirs[rows == row]:
            found[row] += (own & mask) == 0
    return found


def moments(bet: ProgressiveOdds) -> tuple[Fraction, Fraction]:
    """Return the mean and the variance of the whole gain on a unit, counted hand against hand."""
    first, sizes = by_hand.classes_of_fives()
    unit = 100 * bet.stake
    own = cents(bet.table, rows_of(bet.table, first), bet.stake, bet.meter) - unit
    mean = Fraction(int((own * sizes).sum()), HANDS * unit)
    square = Fraction(int(sum((own.astype(object) ** 2) * sizes)), HANDS * unit**2)
    variance = square - mean**2
    if bet.envy is None:
        return mean, variance
    paid = tuple(rows_of(bet.envy, rare()))
    mine = cents(bet.envy, rows_of(bet.envy, first), bet.stake, 0)
    from_one = np.zeros(len(first), np.int64)
    for row, count in apart(paid).items():
        from_one += count * cents(bet.envy, [row], bet.stake, 0)[0]
    envy = Fraction(int((mine * sizes).sum()), HANDS * unit)
    envy_square = Fraction(int(sum((mine.astype(object) ** 2) * sizes)), HANDS * unit**2)
    both = HANDS * OTHERS * unit**2
    with_own = Fraction(int(sum(own.astype(object) * from_one * sizes)), both) - mean * envy
    with_each = Fraction(int(sum(mine.astype(object) * from_one * sizes)), both) - envy**2
    n = bet.others
    whole = variance + 2 * n * with_own + n * (envy_square - envy**2) + n * (n - 1) * with_each
    return mean + n * envy, whole


@pytest.mark.parametrize("others", [0, 1, 2, 6])
@pytest.mark.parametrize(("table", "envy"), WITH_ENVY)
def test_mean_and_variance_are_those_of_hand_against_hand(table: str, envy: str, others: int) -> None:
    bet = progressive(table, envy, stake=500, meter=1_234_500, others=others)
    mean, variance = moments(bet)
    assert (-bet.house_edge, bet.variance) == (mean, variance)
    assert bet.standard_deviation == float(variance) ** 0.5


@pytest.mark.parametrize("others", range(7))
def test_envy_alone_has_the_mean_and_variance_of_the_difference(others: int) -> None:
    bet = progressive("A", "A", others=others)
    found = envy_report(rulebook("maryland"), "A", 100, others)
    assert -found.house_edge == others * bet.envy_from_one.mean
    assert found.house_edge == bet.house_edge - bet.own.house_edge
    one, two = (progressive("A", "A", others=n).envy_variance for n in (1, 2))
    assert found.variance == bet.envy_variance == others * one + comb(others, 2) * (two - 2 * one)


def test_hands_of_one_deck_hinder_each_other() -> None:
    """Four aces at one position leave none for another: Envy is steadier than independent hands make it."""
    aces = {"four_aces": "$100"}
    book = rulebook("maryland")
    table = find_envy_paytable(book, "A", 100)
    only = Paytable(clauses=(), pays={row: odds for row, odds in table.pays.items() if row in aces})
    bet = ProgressiveOdds(find_paytable("progressive", "A", book).table, only, 100, 0, 2)
    chance = Fraction(48, HANDS)
    assert bet.envy_from_one.mean == 100 * chance
    assert bet.envy_variance == 2 * 100**2 * chance - (2 * 100 * chance) ** 2


@pytest.mark.parametrize("others", range(7))
@pytest.mark.parametrize(("table", "envy"), WITH_ENVY)
def test_at_the_break_even_meter_nobody_has_an_edge(table: str, envy: str, others: int) -> None:
    low, high = (progressive(table, envy, meter=meter, others=others) for meter in (0, 100_000))
    turn = low.break_even_meter
    assert turn == high.break_even_meter
    assert (turn is None) == (low.house_edge < 0)
    if turn is None:
        return
    assert low.house_edge + (high.house_edge - low.house_edge) * turn / 100_000 == 0
    under, over = (progressive(table, envy, meter=int(turn) + by, others=others) for by in (0, 1))
    assert under.house_edge >= 0 > over.house_edge


def test_a_table_without_a_share_of_the_meter_never_breaks_even() -> None:
    envy = find_envy_paytable(rulebook("maryland"), "A", 100)
    table = find_paytable("progressive", "A", rulebook("maryland")).table
    fixed = Paytable(clauses=(), pays={row: odds for row, odds in table.pays.items() if "for" in odds})
    bet = ProgressiveOdds(fixed, envy, 100, 2_000_000, 3)
    assert bet.break_even_meter is None
    assert bet.top is None
    assert bet.fixed_return == 1 - bet.house_edge
    assert bet.long_run(Fraction(1, 4), 10_000) == bet.house_edge - Fraction(1, 4)


@pytest.mark.parametrize(("table", "share"), [("A", Fraction(0)), ("B", Fraction(0)), ("C", Fraction(1, 10))])
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(15, 100), Fraction(29, 100)])
def test_in_the_long_run_the_edge_is_that_at_the_meter_which_neither_grows_nor_falls(
    table: str, share: Fraction, rate: Fraction
) -> None:
    """Each round adds the rate; the top award sets the meter to its seed, a tenth takes a tenth of it."""
    stake, seed, others = 100, 500_000, 4
    top, tenth = (
        (Fraction(4, HANDS), Fraction(36, HANDS)) if table == "C" else (Fraction(48, HANDS), Fraction(0))
    )
    steady = (rate * stake + top * seed) / (top + share * tenth)
    low, high = (progressive(table, stake=stake, meter=meter, others=others) for meter in (0, 100_000))
    at_steady = low.house_edge + (high.house_edge - low.house_edge) * steady / 100_000
    assert low.long_run(rate, seed) == high.long_run(rate, seed) == at_steady
    assert low.top is not None
    assert low.top.probability == top


FIXED_HANDS = {
    "A": {300: 624 - 48, 100: 2_072, 9: 58_656},
    "C": {300: 624, 50: 3_744, 40: 5_108, 30: 10_200, 9: 54_912},
}
"""By table, how many hands win so many for 1."""


@pytest.mark.parametrize("table", ["A", "C"])
@pytest.mark.parametrize("fixed", ["tray", "meter"])
@pytest.mark.parametrize(
    ("rate", "reserve"), [(Fraction(7, 10), Fraction(0)), (Fraction(3, 5), Fraction(1, 40))]
)
def test_the_average_win_is_what_a_meter_comes_to_hand_by_hand(
    table: str, fixed: AwardSource, rate: Fraction, reserve: Fraction
) -> None:
    """What a meter of x is expected to be when it is won is a straight line in x, and holds a hand later too.

    From x the next hand finds x + rate; it wins that, or leaves a tenth less, or a fixed award less, or all.
    """
    stake, seed = 100, 500_000
    top, tenth = (
        (Fraction(4, HANDS), Fraction(36, HANDS)) if table == "C" else (Fraction(48, HANDS), Fraction(0))
    )
    fixed_hands = FIXED_HANDS[table].items() if fixed == "meter" else ()
    drain = sum((Fraction(pays * stake * count, HANDS) for pays, count in fixed_hands), Fraction(0))
    slope = top / (top + tenth / 10)
    level = ((top + slope * (1 - top - tenth / 10)) * rate * stake - slope * drain) / top
    cycle = MeterCycle(progressive(table, None, stake=stake), MeterTerms(rate, reserve, seed, fixed))
    assert cycle.win_chance == top
    assert cycle.average_win == level + slope * (seed + reserve * stake / top)
    for row, count in {"four_of_a_kind": 624 if table == "C" else 576}.items():
        assert cycle.wagers_per_hit[row] == Fraction(HANDS, count)


def test_a_meter_that_fixed_awards_empty_has_no_average() -> None:
    cycle = MeterCycle(progressive("A", None), MeterTerms(Fraction(1, 5), Fraction(0), 500_000, "meter"))
    assert cycle.average_win is None
    assert "the meter runs dry and has no average." in [*cycle.assumptions][-1]


@pytest.mark.clause("R92")
def test_four_aces_are_one_hand_in_54145() -> None:
    printed = {each.text for each in published_figures() if each.measure == "top_odds"}
    assert printed == {"54,145 to 1"}
    for table in ("1", "2"):
        chosen = find_paytable("progressive", table, rulebook("shuffle-master"))
        top = ProgressiveOdds(chosen.table, None, 100, 0, 0).top
        assert top is not None
        assert top.probability == Fraction(1, 54_145)


def test_the_report_carries_what_was_counted() -> None:
    chosen = find_paytable("progressive", "A", rulebook("maryland"))
    found = progressive_report(chosen, "A", 100, 2_000_000, 3)
    bet = progressive(others=3)
    mean, variance = moments(bet)
    assert (found.house_edge, found.variance) == (-mean, variance)
    assert found.envy == 3 * bet.envy_from_one.mean
    assert found.house_edge_without_envy == bet.own.house_edge == mean_edge(bet.own)
    assert found.break_even_meter == bet.break_even_meter
    assert found.hit_frequency == Fraction(624 + 2_072 + 58_656, HANDS)


def mean_edge(outcomes: Distribution) -> Fraction:
    """Return what is lost less what is won, outcome by outcome."""
    return -sum((Fraction(each.count, each.of) * each.net for each in outcomes.outcomes), Fraction(0))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"stake": 0}, "A stake must be more than $0, and a meter at least $0."),
        ({"meter": -1}, "A stake must be more than $0, and a meter at least $0."),
        ({"others": 7}, "There can be 0 to 6 other players, not 7."),
        ({"others": -1}, "There can be 0 to 6 other players, not -1."),
        ({"others": 1}, "Envy needs a schedule. Choose one, or set the other players to 0."),
    ],
)
def test_what_no_table_has_is_refused_in_a_sentence(change: dict[str, int], sentence: str) -> None:
    table = find_paytable("progressive", "A", rulebook("maryland")).table
    asked = {"stake": 100, "meter": 0, "others": 0, **change}
    with pytest.raises(PaytableError) as refused:
        ProgressiveOdds(table, None, **asked)
    assert str(refused.value) == sentence

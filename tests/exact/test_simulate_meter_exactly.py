"""A jackpot run computed a second time, stake by stake and hand by hand, and its conservation law."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import pytest
from msgspec.structs import replace

from fourcard.bonus_hands import rank_five
from fourcard.hands import best_of
from fourcard.meter import UNITS_PER_CENT, Meter, contribute, pay_meter_award
from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.jackpot_long_run import MeterTerms
from fourcard.odds.jackpot_sim.config import JackpotConfig, JackpotPlan, RowAward, jackpot_config
from fourcard.odds.jackpot_sim.results import JackpotResults
from fourcard.odds.jackpot_sim.run import PURPOSE, JackpotRun, JackpotWin, run_jackpot
from fourcard.odds.progressive import hit_covariance
from fourcard.odds.simulation.dealing import deal, deal_buffers, generator_state, new_shoe
from fourcard.rules.cited import Paytable
from fourcard.rules.game import resolve_game
from fourcard.rules.rulebook import AwardSource
from fourcard.settlers.wager_settler import MeterAward
from fourcard.wagers import RowName
from tests.kit.support import ROOT, submission

FREQUENT: dict[RowName, Odds] = {
    "four_of_a_kind": Odds("60% of meter"),
    "three_of_a_kind": Odds("100% of meter"),
    "flush": Odds("12.5% of meter"),
    "straight": Odds("7 for 2"),
    "two_pair": Odds("$1.37"),
}
"""A table whose awards are frequent enough for thousands of rounds to hold every case."""
PLAN = JackpotPlan(tables=3, players=4, rounds_per_hour=50, hours=20, days=1)
SMALLEST_SAMPLE = 15


def frequent(
    cards: Literal[4, 5], fixed: AwardSource, shares: AwardSource = "meter", rate: str = "1/3"
) -> JackpotConfig:
    """Return a meter that is won often, with stakes that leave fractions of a cent."""
    awards: dict[str, RowAward] = {}
    for row, odds in FREQUENT.items():
        source = fixed if odds.kind is not OddsKind.METER else "meter" if odds.value == 1 else shares
        of_meter = odds.kind is OddsKind.METER or source == "meter"
        awards[row] = (
            MeterAward(odds, 101, source) if of_meter else int(odds.value * (101 if "for" in odds else 1))
        )
    table = Paytable(clauses=(), pays=FREQUENT, cards=cards)
    return JackpotConfig(table, awards, 101, 777, MeterTerms(Fraction(rate), Fraction(1, 7), 500, fixed))


def rows_dealt(linked: JackpotConfig, plan: JackpotPlan, seed: int) -> Iterator[list[str | None]]:
    """Yield the rows that the positions of every round win, as the readable reference ranks them."""
    deals = deal_buffers(plan.rounds, plan.players)
    deal(new_shoe(generator_state(seed, PURPOSE, 0)), deals, plan.rounds, plan.players)
    hands = iter(deals.players.tolist())
    for _ in range(plan.rounds):
        found: list[str | None] = []
        for hand in (next(hands) for _ in range(plan.players)):
            ordered = sorted(hand, reverse=True)
            rows = rank_five(ordered).rows if linked.table.cards == 5 else best_of(ordered).rows
            found.append(next((row for row in rows if row in linked.awards), None))
        yield found


def played_slowly(linked: JackpotConfig, plan: JackpotPlan, seed: int) -> dict[str, object]:
    """Return a run computed step by step: every stake and every award in order."""
    terms, meter, wins = (
        linked.terms,
        Meter(amount=linked.start * UNITS_PER_CENT, reset_amount=linked.terms.seed),
        [],
    )
    hits, total, highest, sums = Counter[str](), 0, meter.amount, Counter[str]()
    for turn, rows in enumerate(rows_dealt(linked, plan, seed), start=1):
        for _ in rows:
            meter, _part = contribute(meter, linked.stake, terms.rate, terms.reserve)
        total, highest = total + meter.amount, max(highest, meter.amount)
        winners = [(position, row) for position, row in enumerate(rows, start=1) if row is not None]
        sums["crowded"] += sum(isinstance(linked.awards[row], MeterAward) for _, row in winners) > 1
        for position, row in reversed(winners):
            hits[row] += 1
            award = linked.awards[row]
            if isinstance(award, int):
                sums["tray"] += award
                continue
            meter, paid = pay_meter_award(meter, award.odds, award.stake, award.source)
            sums["tray"] += paid.from_tray - paid.meter_to_tray
            sums["meter"] += paid.from_meter + paid.meter_to_tray
            sums["short"] += paid.shortfall
            if paid.whole_meter:
                wins.append(JackpotWin(turn, position, paid.amount))
    assert sums["crowded"] >= SMALLEST_SAMPLE
    assert len(wins) >= SMALLEST_SAMPLE
    return {
        "meter": meter,
        "wins": tuple(wins),
        "hits": dict(hits),
        "sum_of_meters": total,
        "highest": highest,
        "from_meter": sums["meter"],
        "from_tray": sums["tray"],
        "shortfall": sums["short"],
    }


@pytest.mark.parametrize(
    ("cards", "fixed", "shares"),
    [
        (4, "tray", "meter"),
        (4, "meter", "meter"),
        (4, "meter", "tray"),
        (5, "tray", "tray"),
        (5, "meter", "meter"),
    ],
)
def test_the_meter_is_that_of_every_stake_and_award_one_by_one(
    cards: Literal[4, 5], fixed: AwardSource, shares: AwardSource
) -> None:
    linked = frequent(cards, fixed, shares)
    course = run_jackpot(linked, PLAN, seed=11)
    for name, value in played_slowly(linked, PLAN, 11).items():
        assert getattr(course, name) == value, name
    assert course.conserved
    assert course.config.contribution.to_meter == 101 * UNITS_PER_CENT // 3


def test_a_dry_meter_is_topped_up_by_the_tray_to_the_cent() -> None:
    linked = frequent(4, "meter", rate="1/50")
    course = run_jackpot(linked, PLAN, seed=4)
    slow = played_slowly(linked, PLAN, 4)
    assert course.shortfall == slow["shortfall"] == course.from_tray == slow["from_tray"]
    assert course.shortfall > 0
    assert course.meter == slow["meter"]
    assert course.conserved


def everything(name: str) -> JackpotConfig:
    """Return the meter of an example."""
    return jackpot_config(resolve_game(submission(f"{name}-everything")))


@pytest.mark.parametrize("name", ["maryland", "massachusetts", "shuffle-master", "washington"])
def test_a_submission_says_what_every_row_is_paid_from(name: str) -> None:
    game = resolve_game(submission(f"{name}-everything"))
    linked, choice = jackpot_config(game), game.submission.progressive
    assert choice is not None
    assert linked.from_right
    assert (linked.start, linked.terms.seed, linked.terms.rate) == (choice.seed, choice.reset, choice.rate)
    for row, odds in game.tables["progressive"].pays.items():
        if odds.kind is OddsKind.METER:
            assert linked.awards[row] == MeterAward(odds, linked.stake, "meter")
        else:
            assert linked.awards[row] == linked.stake * odds.value


@pytest.mark.parametrize("name", ["maryland", "massachusetts", "shuffle-master", "washington"])
def test_nothing_is_lost_whatever_the_submission(name: str) -> None:
    course = run_jackpot(everything(name), JackpotPlan(days=20, tables=5, players=3), seed=2)
    law = JackpotResults(course).conservation()
    assert course.conserved
    assert law.holds is True
    for change in ({"from_meter": course.from_meter + 1}, {"seeded": course.seeded - 1}):
        assert not replace(course, **change).conserved


def test_the_path_starts_at_the_seed_rises_evenly_and_shows_every_win() -> None:
    linked = frequent(4, "tray")
    course = run_jackpot(linked, JackpotPlan(tables=1, days=1, hours=2), seed=3)
    assert course.path[0] == (0, 777)
    assert course.path[-1] == (course.plan.rounds, course.meter.whole_cents)
    assert [turn for turn, _ in course.path] == sorted(turn for turn, _ in course.path)
    for win in course.wins:
        assert (win.round, win.amount) in course.path


@pytest.mark.parametrize("cards", [4, 5])
def test_hits_of_one_deck_have_the_variance_of_hand_against_hand(cards: Literal[4, 5]) -> None:
    """Hands of one deck are dependent: the variance over many rounds matches the pairs of hands."""
    linked, rounds, seats = frequent(cards, "tray"), 40_000, 4
    rows = ("three_of_a_kind", "flush", "straight", "two_pair", "four_of_a_kind")
    courses = [
        run_jackpot(
            linked, JackpotPlan(tables=1, players=seats, rounds_per_hour=100, hours=20, days=1), seed=seed
        )
        for seed in range(rounds // 2_000)
    ]
    chance = sum((linked.cycle.chances[row] for row in rows), Fraction(0))
    together = hit_covariance(linked.table, rows)
    expected = 2_000 * (seats * chance * (1 - chance) + seats * (seats - 1) * together)
    assert JackpotResults(courses[0])._count(rows).standard_error ** 2 == pytest.approx(float(expected))
    off = [sum(course.hits[row] for row in rows) - chance * 2_000 * seats for course in courses]
    seen = sum(float(each) ** 2 for each in off) / len(off)
    assert seen / float(expected) == pytest.approx(1, abs=4 * (2 / len(off)) ** 0.5)
    assert -1 < together / (chance * (1 - chance)) < 1


def year(name: str, seed: int) -> JackpotResults:
    """Return a year of an example."""
    return JackpotResults(run_jackpot(everything(name), JackpotPlan(), seed=seed))


@pytest.mark.parametrize("name", ["massachusetts", "maryland", "washington"])
def test_a_year_shows_what_is_predicted(name: str) -> None:
    measured = year(name, 1)
    course, average = measured.run, measured.average_win
    assert course.plan.wagers == 9_344_000
    assert course.conserved
    for each in (*measured.hits.values(), measured.wins):
        assert each.z is not None
        assert abs(each.z) < 3
    assert average.z is not None
    assert average.expected is not None
    assert abs(average.z) < 3
    assert average.expected_in_the_long_run is not None
    assert 0.9 < average.expected / float(average.expected_in_the_long_run) < 1
    assert course.average_meter == pytest.approx(average.expected, rel=0.2)


def test_the_document_and_its_picture_are_those_of_the_year_that_they_name() -> None:
    measured = year("massachusetts", 1)
    page = (ROOT / "docs" / "mathematician" / "simulation.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "meter-year.svg").read_text(encoding="utf-8")
    for row, each in measured.hits.items():
        told = f"{each.count:,} | {float(each.expected):,.1f} | {each.standard_error:,.1f} | {each.z:+.2f} |"
        assert told in page, row
    average = measured.average_win
    assert average.average is not None
    assert f"{dollars(round(average.average))} | {dollars(round(average.expected or 0))} |" in page
    assert f"{dollars(measured.run.highest // UNITS_PER_CENT)}." in page
    assert f"won {measured.wins.count} times (172.6 to be expected), on average $18,723" in picture


def test_wins_of_many_months_spread_as_their_standard_error_says() -> None:
    """The averages of successive years deviate by their standard error, neither much more nor much less."""
    off = [_z(year("massachusetts", seed)) for seed in range(20, 36)]
    mean, square = sum(off) / len(off), sum(each**2 for each in off) / len(off)
    assert abs(mean) < 4 / len(off) ** 0.5
    assert 1 - 4 * (2 / len(off)) ** 0.5 < square < 1 + 4 * (2 / len(off)) ** 0.5


def _z(measured: JackpotResults) -> float:
    z = measured.average_win.z
    assert z is not None
    return z


def test_a_course_of_one_round_has_no_average_win() -> None:
    course: JackpotRun = run_jackpot(everything("maryland"), JackpotPlan(1, 1, 1, 1, 1), seed=1)
    measured = JackpotResults(course)
    assert (course.wins, measured.average_win.average, measured.average_win.z) == ((), None, None)
    assert course.path == ((0, 1_000_000), (1, 1_000_012))

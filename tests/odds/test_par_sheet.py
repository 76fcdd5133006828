"""The PAR sheet: its figures agree with the counts and add up, and its documents hold them all."""

import json
import re
from fractions import Fraction
from functools import cache
from math import isclose, sqrt
from typing import Any

import pytest

from fourcard.answers import json_data
from fourcard.documents.html import render_html
from fourcard.documents.pdf import render_pdf
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.par_sheet.document import par_document
from fourcard.odds.par_sheet.section import (
    BAND_ROUNDS,
    band_at,
    confidence,
    rarest_material_award,
    volatility_index,
)
from fourcard.odds.par_sheet.sheet import ParSheet, par_sheet
from fourcard.odds.par_sheet.wager_sections import base_section, cover_all_section
from fourcard.odds.paytable_lookup import PaytableRef
from fourcard.odds.report import ante_report, own_hand_report, progressive_report
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import read_submission
from fourcard.rules.worst_case_loss import worst_loss
from tests.kit.support import EXAMPLES, game

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
COARSE = 0.05


@cache
def example(name: str) -> Game:
    return resolve_game(read_submission(EXAMPLES / f"{name}.toml"))


@cache
def sheet(name: str) -> ParSheet:
    found = example(name)
    return par_sheet(found, cover_all_section(found, worst_loss(found), COARSE, 1))


def answer(name: str) -> Any:
    """Return a sheet as a script reads it."""
    return json.loads(json.dumps(json_data(sheet(name))))


def counted(name: str) -> list[Any]:
    return [section for section in answer(name)["sections"] if section["wager"] != "cover_all"]


def exact(figure: dict[str, Any]) -> Fraction:
    assert float(Fraction(figure["fraction"])) == figure["value"]
    return Fraction(figure["fraction"])


@pytest.mark.parametrize("name", NAMES)
def test_every_wager_of_a_submission_has_its_section(name: str) -> None:
    found = example(name)
    offered = {"ante", *found.tables, *found.submission.wagers} - {"automatic_bonus"}
    assert {section["wager"] for section in answer(name)["sections"]} == offered


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_and_contributions_add_up(name: str) -> None:
    for section in counted(name):
        first, *further = section["tables"]
        assert first["whole"]
        assert not any(table["whole"] for table in further)
        assert sum(exact(row["probability"]) for row in first["rows"]) == 1
        assert sum(row["count"] for row in first["rows"]) == first["of"]
        own = section["tables"] if section["wager"] == "ante" else [first]
        rows = [row for table in own for row in table["rows"]]
        assert sum(exact(row["contribution_to_return"]) for row in rows) == exact(section["return"])
        assert sum(exact(row["contribution_to_house_edge"]) for row in rows) == exact(section["house_edge"])
        assert exact(section["return"]) == 1 - exact(section["element_of_risk"])
        if section["wager"] != "ante":
            assert exact(section["return"]) == 1 - exact(section["house_edge"])


@pytest.mark.parametrize("name", NAMES)
def test_outcomes_lead_to_the_same_measures(name: str) -> None:
    for section in counted(name):
        shares = [(Fraction(each["count"], each["of"]), exact(each["net"])) for each in section["outcomes"]]
        mean = sum((share * net for share, net in shares), Fraction(0))
        variance = sum((share * net**2 for share, net in shares), Fraction(0)) - mean**2
        assert (exact(section["house_edge"]), exact(section["variance"])) == (-mean, variance)
        assert isclose(section["standard_deviation"], sqrt(variance))
        assert isclose(section["volatility_index"], 1.645 * section["standard_deviation"])


def test_figures_are_those_of_the_reports() -> None:
    found = example("massachusetts")
    base, aces_up = counted("massachusetts")
    bonus, table = (
        PaytableRef(wager, "", found.tables[wager], found.rulebook)
        for wager in ("automatic_bonus", "aces_up")
    )
    for section, report in (
        (base, ante_report(bonus, found.rulebook, "optimal")),
        (aces_up, own_hand_report(table)),
    ):
        assert exact(section["house_edge"]) == report.house_edge
        assert exact(section["hit_frequency"]) == report.hit_frequency
        assert len(section["outcomes"]) == len(report.outcomes)


def test_a_strategy_can_be_chosen() -> None:
    found = example("massachusetts")
    basic = base_section(found, worst_loss(found), "basic")
    assert basic.house_edge > sheet("massachusetts").counted[0].house_edge
    assert "Strategy basic" in basic.assumptions[0]


def test_a_fixed_prize_makes_the_edge_depend_on_the_stake() -> None:
    least, most = (each for each in counted("maryland-everything") if each["wager"] == "six_card")
    assert (least["stake"], most["stake"]) == (100, 2500)
    assert exact(least["house_edge"]) < exact(most["house_edge"])


def test_settings_of_the_game_are_followed() -> None:
    loses = example("washington-everything")
    wins = game("washington-everything", settings={"bad_beat_tie": "wins"})
    edges = [
        next(each for each in par_sheet(played, None).counted if each.wager == "bad_beat").house_edge
        for played in (loses, wins)
    ]
    assert edges[1] < edges[0]


def test_the_progressive_breaks_even_where_it_says() -> None:
    found = example("massachusetts-everything")
    small, large = (each for each in counted("massachusetts-everything") if each["wager"] == "progressive")
    points = {point["name"]: point for point in small["by_meter"]}
    assert exact(points["break-even alone"]["house_edge_alone"]) == 0
    assert exact(points["break-even with 5 others"]["house_edge_full_table"]) == 0
    assert [each["others"] for each in small["by_others"]] == list(range(6))
    table = PaytableRef("progressive", "A", found.tables["progressive"], found.rulebook)
    for section in (small, large):
        for others in (0, 5):
            report = progressive_report(table, "A", section["stake"], 500_000, others)
            assert exact(section["by_others"][others]["house_edge"]) == report.house_edge
            assert isclose(section["by_others"][others]["standard_deviation"], report.standard_deviation)


def test_the_long_run_pays_out_rate_reserve_and_resets() -> None:
    (section,) = (each for each in counted("maryland-existing") if each["wager"] == "progressive")
    rows = section["tables"][0]["rows"]
    fixed = sum(exact(row["contribution_to_return"]) for row in rows if "meter" not in (row["pays"] or ""))
    top = next(exact(row["probability"]) for row in rows if row["pays"] == "100% of meter")
    long_run = exact(section["by_others"][0]["long_run_house_edge"])
    assert long_run == 1 - fixed - Fraction(15, 100) - top * 100_000 / 100


def test_no_long_run_is_given_where_fixed_awards_drain_the_meter() -> None:
    drained = game("maryland-existing", progressive__fixed_awards="meter")
    found = next(each for each in par_sheet(drained, None).counted if each.wager == "progressive")
    assert "may run dry" in found.assumptions[-1]


def test_cover_all_is_estimated_and_says_how_well() -> None:
    (section,) = (
        each for each in answer("massachusetts-everything")["sections"] if each["wager"] == "cover_all"
    )
    assert [column["players"] for column in section["columns"]] == [1, 2, 3, 4, 5, 6]
    for column in section["columns"]:
        assert 0 < column["house_edge"]["standard_error"] <= COARSE
        rows = column["tables"][0]["rows"]
        sampled = [row[name] for row in rows for name in row if name.startswith(("prob", "contribution"))]
        sampled += [column["confidence"]["rarest_material_award"]["probability"], column["return"]]
        assert all({*each} == {"value", "standard_error"} for each in sampled)
        assert sum(row["count"] for row in rows) == column["rounds"]
        returned = sum(row["contribution_to_return"]["value"] for row in rows)
        assert isclose(returned, column["return"]["value"])


def test_bands_are_so_many_deviations_wide() -> None:
    assert band_at(10_000, Fraction(1), 2.0, 1.96, Fraction(0)) == pytest.approx((0.9608, 1.0392))
    first, *_, last = confidence(Fraction(9, 10), 3.0, None, Fraction(0)).bands
    assert (first.rounds, last.rounds) == (BAND_ROUNDS[0], BAND_ROUNDS[-1]) == (10**3, 10**7)
    assert (first.at90.low, first.at90.high) == pytest.approx(
        (0.9 - 1.645 * 3 / sqrt(1000), 0.9 + 1.645 * 3 / sqrt(1000))
    )
    assert volatility_index(2.0) == 3.29


def test_a_band_never_falls_under_what_can_come_back() -> None:
    assert confidence(Fraction(1, 2), 50.0, None, Fraction(0)).bands[0].at95.low == 0


@pytest.mark.parametrize(("hits", "reliable"), [(Fraction(10), True), (Fraction(999, 100), False)])
def test_a_band_is_reliable_from_ten_expected_hits(hits: Fraction, reliable: bool) -> None:
    chance = hits / 1000
    rows = [
        WagerOutcome("flush", chance.numerator, chance.denominator, "100 to 1", Fraction(100)),
        WagerOutcome("loses", chance.denominator - chance.numerator, chance.denominator, None, Fraction(-1)),
    ]
    found = rarest_material_award(Distribution(rows))
    assert found is not None
    assert found.probability == chance
    assert confidence(Fraction(1), 1.0, found, Fraction(0)).bands[0].reliable is reliable


def test_the_rarest_award_counts_only_if_it_shapes_the_variance() -> None:
    rows = [
        WagerOutcome("four_aces", 1, 1_000_000, "10 to 1", Fraction(10)),
        WagerOutcome("flush", 100_000, 1_000_000, "5 to 1", Fraction(5)),
        WagerOutcome("loses", 899_999, 1_000_000, None, Fraction(-1)),
    ]
    found = rarest_material_award(Distribution(rows))
    assert found is not None
    assert found.hands == ("flush",)


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_of_a_table_is_cited(name: str) -> None:
    found = example(name)
    tables = [*found.tables.values(), *found.envy.values()]
    cited = {clause["id"] for clause in answer(name)["clauses"] if clause["says"]}
    assert {clause for table in tables for clause in table.clauses} <= cited


@pytest.mark.parametrize("name", ["maryland-everything", "massachusetts-everything", "washington-everything"])
def test_every_cited_clause_and_section_stands_in_the_page(name: str) -> None:
    page = render_html(par_document(sheet(name)))
    assert all(clause.id in page for clause in sheet(name).clauses)
    assert all(section["title"] in page for section in answer(name)["sections"])
    assert example(name).hash in page


def test_the_page_loads_nothing_and_escapes_what_it_is_told() -> None:
    named = game("massachusetts", operator__name="<script>alert(1)</script> & Söhne")
    page = render_html(par_document(par_sheet(named, None, date="15 November")))
    assert not re.search(r"https?:|//[a-z]|<script|<link|<img|@import|url\(", page)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; Söhne" in page
    assert "15 November" in page
    assert len(re.findall("<svg", page)) == 4


def test_documents_are_the_same_every_time() -> None:
    first, second = (par_sheet(example("washington"), None) for _ in range(2))
    assert first == second
    pages = [par_document(each) for each in (first, second)]
    assert render_html(pages[0]) == render_html(pages[1])
    made = [render_pdf(page) for page in pages]
    assert made[0] == made[1]
    assert made[0].startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", made[0])) > 1


def test_the_pdf_takes_any_name_as_text() -> None:
    named = game("maryland", operator__name='#panic() $x$ [*_`\\ "} #import \u202e')
    assert render_pdf(par_document(par_sheet(named, None))).startswith(b"%PDF")


def test_every_example_is_looked_at() -> None:
    assert len(NAMES) >= 10

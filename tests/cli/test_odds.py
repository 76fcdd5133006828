"""`odds`, `advise`, `strategy` and `published` as scripts and people use them."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fourcard.odds import decision_values, state_counts
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.paytable_lookup import printed_paytables, resolve_base_terms
from fourcard.odds.strategies import DecisionPoints, decision_points
from fourcard.odds.strategy_chart import StrategyChart
from fourcard.refusal_codes import Code
from fourcard.rules.loading import rulebook, rulebook_ids
from tests.clauses.test_published_figures import findings
from tests.kit.commands import Command, said


def exact(figure: dict[str, Any]) -> Fraction:
    """Return a figure's fraction, after making sure that its value is the same number."""
    fraction = Fraction(figure["fraction"])
    assert figure["value"] == float(fraction)
    return fraction


def add_up(answer: dict[str, Any]) -> Fraction:
    """Return the house edge that the outcomes lead to, after making sure that they are all."""
    outcomes = answer["outcomes"]
    assert sum(each["count"] for each in outcomes) == outcomes[0]["of"]
    nets = (Fraction(each["count"], each["of"]) * exact(each["net"]) for each in outcomes)
    return -sum(nets, Fraction(0))


@cache
def default_chart() -> StrategyChart:
    """Return the chart of the default game, whose cells take seconds to split."""
    return StrategyChart(decision_points(resolve_base_terms(None, None)))


@pytest.fixture(autouse=True)
def _one_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands show one and the same chart of the default game."""

    def chart_of(spots: DecisionPoints) -> StrategyChart:
        known = default_chart()
        return known if known.points.terms == spots.terms else StrategyChart(spots)

    monkeypatch.setattr("fourcard.odds.strategy_chart.StrategyChart", chart_of)


TABLES = [
    (wager, each.id, each.rulebook.id)
    for wager in ("aces_up", "six_card", "bad_beat", "progressive", "automatic_bonus")
    for each in printed_paytables(wager)
]


@pytest.mark.parametrize(("wager", "table", "book"), TABLES)
def test_every_table_has_exact_odds_whose_outcomes_add_up(
    fourcard: Command, wager: str, table: str, book: str
) -> None:
    base = wager == "automatic_bonus"
    named = ("ante", "--bonus", table) if base else (wager, "--paytable", table)
    answer = fourcard("odds", *named, "--rulebook", book, "--json").answer
    assert (answer["wager"], answer["paytable"], answer["rulebook"]) == (named[0], table, book)
    assert exact(answer["house_edge"]) == add_up(answer)
    assert 0 < exact(answer["hit_frequency"]) < 1
    assert answer["standard_deviation"] ** 2 == pytest.approx(exact(answer["variance"]))
    assert answer["clauses"]
    if base:
        assert exact(answer["ev_per_ante"]) == -exact(answer["house_edge"])
        assert sum(map(exact, answer["decisions"].values())) == 1
        assert list(answer["decisions"]) == ["fold", "1x", "2x", "3x"]
        risk = exact(answer["house_edge"]) / exact(answer["average_wager"])
        assert exact(answer["element_of_risk"]) == risk


def test_the_base_game_under_each_strategy(fourcard: Command) -> None:
    edges = {
        name: exact(fourcard("odds", "ante", "--strategy", name, "--json").answer["house_edge"])
        for name in ("optimal", "expert", "blind", "basic")
    }
    assert edges["optimal"] == Fraction(8840827253, 317119576410)
    assert edges["basic"] == Fraction(6583447951, 193795296695)
    assert list(edges) == sorted(edges, key=edges.__getitem__)
    assert exact(fourcard("odds", "ante", "--bonus", "none", "--json").answer["bonus_value"]) == 0


def test_six_card_prizes_weigh_less_on_a_larger_stake(fourcard: Command) -> None:
    edges = [
        exact(fourcard("odds", "six_card", "--stake", stake, "--json").answer["house_edge"])
        for stake in ("100", "$5", "2500")
    ]
    assert edges == sorted(edges)
    prizes = Fraction(1_300_000, 20_358_520)
    assert edges[1] - edges[0] == prizes - prizes / 5


def test_a_tie_of_the_bad_beat_may_pay(fourcard: Command) -> None:
    loses = fourcard("odds", "bad_beat", "--json").answer
    pays = fourcard("odds", "bad_beat", "--tie-wins", "--json").answer
    assert exact(pays["house_edge"]) < exact(loses["house_edge"])
    assert {each.get("beaten") for each in pays["outcomes"]} == {"player", "dealer", "tie", None}
    assert loses["published"]["house_edge"] == {"printed": "20.3%", "clause": "SM-BB-4-HE", "basis": ""}


def test_the_progressive_breaks_even_where_it_says(fourcard: Command) -> None:
    for others in ("0", "3"):
        asked = ("odds", "progressive", "--paytable", "A", "--rulebook", "maryland", "--others", others)
        answer = fourcard(*asked, "--json").answer
        meter = exact(answer["break_even_meter"])
        under, over = (
            exact(fourcard(*asked, "--meter", str(cents), "--json").answer["house_edge"])
            for cents in (int(meter), int(meter) + 1)
        )
        assert under >= 0 > over
        without = exact(answer["house_edge_without_envy"])
        assert exact(answer["house_edge"]) == without - exact(answer["envy"])


def test_the_meter_in_the_long_run_is_told_where_it_is_said_how_it_moves(fourcard: Command) -> None:
    asked = ("odds", "progressive", "--paytable", "C", "--rulebook", "maryland")
    moves = ("--rate", "12.5%", "--reserve", "1/40", "--seed", "$10,000")
    plain, told = (fourcard(*asked, *more, "--json").answer for more in ((), moves))
    cycle = told.pop("meter_cycle")
    assert plain == told
    assert exact(cycle["rate"]) == Fraction(1, 8)
    assert (cycle["seed"], cycle["fixed_awards"]) == (1_000_000, "tray")
    assert exact(cycle["wagers_per_hit"]["straight_flush"]) == Fraction(2_598_960, 36)
    assert exact(cycle["wagers_between_wins"]) == 649_740
    assert exact(cycle["average_win"]) == (15 + Fraction(4, 2_598_960) * 1_000_000) * 2_598_960 / Fraction(
        "7.6"
    )
    drained = fourcard(*asked, *moves, "--fixed-awards", "meter", "--json").answer["meter_cycle"]
    assert drained["average_win"] is None
    assert any("R59" in each for each in drained["assumptions"])
    people = fourcard(*asked, *moves).out
    for words in (
        "The meter in the long run  12.5% to the meter, 2.5% to the reserve",
        "$56,558.42",
        "WA-REC-7",
    ):
        assert words in people
    assert "The meter in the long run" not in fourcard(*asked).out


def test_envy_alone_is_a_gain(fourcard: Command) -> None:
    answer = fourcard("odds", "envy", "--rulebook", "maryland", "--paytable", "C-royal", "--json").answer
    assert exact(answer["house_edge"]) == -exact(answer["envy_from_each_other"])
    assert exact(answer["hit_frequency"]) == Fraction(40, 2_598_960)


def test_a_table_of_ones_own(fourcard: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[pays]\nfour_of_a_kind = "50 to 1"\npair_of_aces = "3 to 2"\n', encoding="utf-8")
    answer = fourcard("odds", "aces_up", "--paytable", str(own), "--json").answer
    assert answer["paytable"] == "own"
    assert [each["count"] for each in answer["outcomes"][:2]] == [624, 81_096]
    assert exact(answer["house_edge"]) == add_up(answer)


def test_all_tables_at_once(fourcard: Command) -> None:
    done = fourcard("odds", "aces_up", "--all")
    assert done.status == 0
    assert "3214/162435" in done.out
    lines = fourcard("odds", "envy", "--all", "--json").out.splitlines()
    schedules = [rulebook(name).wagers.envy for name in rulebook_ids()]
    assert len(lines) == sum(len(each.paytables) for each in schedules if each is not None)


def test_odds_speak_to_people_too(fourcard: Command) -> None:
    done = fourcard("odds", "aces_up", "--paytable", "FCP-09")
    for words in ("Aces Up", "four of a kind", "5.0328%", "545/10829", "4.98%", "WA-FCP-09-AU"):
        assert words in done.out


STATE = ("As Ah Kd 7c 2h", "--up", "Ac")


def test_advice_answers_as_the_contract_says(fourcard: Command) -> None:
    answer = fourcard("advise", *STATE, "--json").answer
    assert answer["dealer"] == {"below": 944_120, "tied": 1_220, "above": 425_414, "of": 1_370_754}
    assert answer["best"] == "3x"
    assert answer["ev"]["fold"] == -1.0
    assert answer["exact"]["3x"] == "94532/62307"
    for choice, value in answer["ev"].items():
        assert value == float(Fraction(answer["exact"][choice]))


def test_advice_without_the_table_is_the_same(fourcard: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = fourcard("advise", *STATE, "--json").answer
    monkeypatch.setattr(decision_values, "available_states", lambda: None)
    assert fourcard("advise", *STATE, "--json").answer == looked_up


def test_advice_follows_the_bonus_table(fourcard: Command) -> None:
    flush = ("2h 5h 9h Jh 3c", "--up", "As")
    without, with_bonus = (
        fourcard("advise", *flush, "--bonus", bonus, "--json").answer["ev"]["1x"]
        for bonus in ("FCP-01", "FCP-08")
    )
    assert with_bonus == pytest.approx(without + 1)
    assert "best" in fourcard("advise", *flush).out


def test_the_smaller_wager_is_best_at_equal_value() -> None:
    even = BaseTerms(Fraction(1), Fraction(1), ties_win=True, least=1, most=3, bonus={})
    half = state_counts.COMPLETIONS // 2
    assert [even.best(("high_card",), won) for won in (half, half + 1)] == [1, 3]
    quarter = [state_counts.COMPLETIONS // 4, state_counts.COMPLETIONS // 4 + 1]
    assert [even.best(("high_card",), won) for won in quarter] == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("advise", "As Ah Kd 7c 2h", "--up", "As"), "The up card As is among the player's cards."),
        (("advise", "As Ah Kd 7c", "--up", "Ac"), "4 cards were given where 5 are needed."),
        (("advise", "As Ah Kd 7c 2x", "--up", "Ac"), "'2x' is not a card"),
        (("advise", "As As Kd 7c 2h", "--up", "Ac"), "The card As appears more than once."),
        (("advise", "As Ah Kd 7c 2h", "--up", "Ax"), "'Ax' is not a card"),
        (("advise", *STATE, "--bonus", "FCP-10"), "There is no Automatic Bonus paytable 'FCP-10'"),
        (("advise", *STATE, "--rulebook", "nevada"), "nevada"),
        (("odds", "poker"), "'poker' is not one of"),
        (("odds", "aces_up", "--paytable", "VIII"), "There is no Aces Up paytable 'VIII'"),
        (("odds", "aces_up", "--paytable", "nowhere.toml"), "nowhere.toml"),
        (("odds", "aces_up", "--rulebook", "nevada"), "nevada"),
        (("odds", "bad_beat", "--rulebook", "maryland"), "has no paytable for the Bad Beat Bonus"),
        (("odds", "ante", "--strategy", "hope"), "'hope' is not a strategy"),
        (("odds", "six_card", "--stake", "0"), "A stake must be more than $0"),
        (("odds", "six_card", "--stake", "-5"), "is not an amount from $0"),
        (("odds", "six_card", "--stake", "much"), "'much' is not an amount"),
        (("odds", "progressive", "--others", "7"), "There can be 0 to 6 other players, not 7."),
        (("odds", "progressive", "--meter", "-1"), "is not an amount from $0"),
        (("odds", "progressive", "--envy", "Z"), "There is no Envy schedule 'Z'"),
        (("odds", "envy", "--rulebook", "catfish-bend"), "has no Envy"),
        (("odds", "envy", "--rulebook", "maryland", "--stake", "200"), "not $2"),
        (("odds", "envy", "--paytable", "Z"), "There is no Envy schedule 'Z'"),
        (("odds", "six_card", "--all", "--rulebook", "massachusetts"), "has no paytable for Six Card Bonus"),
        (("odds", "envy", "--all", "--rulebook", "catfish-bend"), "has no paytable for Envy"),
        (("odds", "aces_up", "--strategy", "basic"), "--strategy does not apply to aces_up"),
        (("odds", "ante", "--tie-wins"), "--tie-wins does not apply to ante"),
        (("odds", "bad_beat", "--players", "3"), "--players does not apply"),
        (
            ("odds", "ante", "--bonus", "standard", "--paytable", "FCP-08"),
            "both name the Automatic Bonus table",
        ),
        (("odds", "cover_all", "--rulebook", "maryland"), "The rulebook maryland has no Cover All."),
        (("odds", "cover_all", "--paytable", "nonsense"), "nonsense"),
        (("odds", "cover_all", "--seed", "-1"), "seed"),
        (
            ("odds", "cover_all", "--seed", "first"),
            "The seed of a simulation is a whole number, not 'first'.",
        ),
        (("odds", "cover_all", "--rate", "5%"), "--rate does not apply to cover_all"),
        (("odds", "progressive", "--rate", "20%"), "needs both --rate and --seed; give both."),
        (("odds", "progressive", "--seed", "$5,000"), "give both."),
        (("odds", "progressive", "--reserve", "5%"), "give both."),
        (("odds", "progressive", "--fixed-awards", "meter"), "give both."),
        (("odds", "progressive", "--rate", "3/2", "--seed", "1"), "'3/2' is not a share from 0% to 100%"),
        (("odds", "progressive", "--rate", "1/0", "--seed", "1"), "'1/0' is not a share"),
        (("odds", "progressive", "--rate", "20", "--seed", "1"), "'20' is not a share"),
        (("odds", "progressive", "--rate", "20%", "--seed", "-1"), "is not an amount from $0"),
        (
            ("odds", "progressive", "--rate", "80%", "--reserve", "1/4", "--seed", "1"),
            Code.RATES_OVER_WHOLE.sentence.format(total="105%"),
        ),
        (("odds", "ante", "--bonus", ""), "There is no Automatic Bonus paytable ''"),
        (("odds", "ante", "--strategy", ""), "'' is not a strategy"),
        (("odds", "progressive", "--envy", ""), "There is no Envy schedule ''"),
        (("odds", "aces_up", "--paytable", "x" * 300), "There is no Aces Up paytable"),
        (("strategy", "--cell", "pair of nines/1"), "There is no cell for 'pair of nines' and up card '1'"),
        (("odds", "cover_all", "--players", "7"), "7"),
        (("odds", "cover_all", "--precision", "0"), "precision"),
        (("strategy", "-o", "chart.doc"), "chart.doc must end in"),
        (("strategy", "-o", "nowhere/chart.svg"), "cannot be written"),
        (("strategy", "--compare", "hope"), "'hope' is not a strategy"),
    ],
)
def test_bad_input_gets_one_sentence(fourcard: Command, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in fourcard(*arguments).sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[pays]\nfour_of_a_kind = "-5 to 1"\n', "'-5 to 1' is not an award"),
        ('[pays]\nfour_of_a_kind = "0 to 1"\n', "'0 to 1' is not an award"),
        ('[pays]\nfull_house = "5 to 1"\n', "'full_house'"),
        ('[pays]\nfive_of_a_kind = "5 to 1"\n', "five_of_a_kind"),
        ("[pays]\n", "has no rows"),
        ('[pays]\nfour_of_a_kind = "10% of meter"\n', "is not a valid award for Aces Up"),
        ('[pays]\nfour_of_a_kind = "$50"\n', "is not a valid award for Aces Up"),
        ("pays = 3\n", "pays"),
        ("[pays\n", "own.toml"),
    ],
)
def test_a_bad_table_of_ones_own_gets_one_sentence(
    fourcard: Command, tmp_path: Path, text: str, sentence: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    assert sentence in fourcard("odds", "aces_up", "--paytable", str(own)).sentence


@pytest.mark.parametrize(
    ("wager", "text", "sentence"),
    [
        ("ante", 'three_of_a_kind = "3 for 1"', "is not a valid award for Automatic Bonus"),
        ("ante", 'three_of_a_kind = "$5"', "is not a valid award for Automatic Bonus"),
        ("bad_beat", 'flush = "$5"', "is not a valid award for Bad Beat Bonus"),
        ("progressive", 'full_house = "5 for 1"', "'full_house'"),
        ("progressive", 'straight = "5 for 1"', "Give the meter amount"),
    ],
)
def test_rows_and_awards_that_a_wager_cannot_have_are_refused(
    fourcard: Command, tmp_path: Path, wager: str, text: str, sentence: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f"[pays]\n{text}\n", encoding="utf-8")
    assert sentence in fourcard("odds", wager, "--paytable", str(own)).sentence


def test_a_five_card_progressive_of_ones_own(fourcard: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('cards = 5\n[pays]\nfull_house = "50 for 1"\n', encoding="utf-8")
    asked = ("odds", "progressive", "--paytable", str(own), "--meter", "0")
    assert fourcard(*asked, "--json").answer["outcomes"][0]["count"] == 3_744
    own.write_text('cards = 5\n[pays]\nfour_aces = "50 for 1"\n', encoding="utf-8")
    assert "'four_aces'" in fourcard(*asked).sentence


@pytest.mark.clause("R56")
def test_a_preset_seed_grows_with_the_stake_where_the_maker_says_so(fourcard: Command) -> None:
    for book, stake, meter in (("shuffle-master", "$5", "$25,000"), ("maryland", "$5", "$5,000")):
        asked = ("odds", "progressive", "--rulebook", book, "--stake", stake, "--json")
        assert f"The meter shows {meter};" in fourcard(*asked).answer["assumptions"][0]


def test_envy_may_come_from_nobody_and_its_schedule_is_found(fourcard: Command) -> None:
    answer = fourcard("odds", "envy", "--paytable", "C-royal", "--others", "0", "--json").answer
    assert answer["rulebook"] == "maryland"
    assert exact(answer["house_edge"]) == 0
    assert fourcard("odds", "envy", "--paytable", "1", "--json").answer["rulebook"] == "shuffle-master"


def test_no_meter_breaks_even_where_envy_alone_beats_the_house(fourcard: Command) -> None:
    answer = fourcard("odds", "progressive", "--paytable", "C", "--others", "6", "--json").answer
    assert exact(answer["house_edge"]) < 0
    assert answer["break_even_meter"] is None


def test_a_printed_figure_is_cited_from_the_rulebook_that_was_asked(fourcard: Command) -> None:
    for book, clause in (("washington", "WA-BBB-01-HE"), ("shuffle-master", "SM-BB-4-HE")):
        asked = ("odds", "bad_beat", "--paytable", "BBB-01", "--rulebook", book, "--json")
        assert fourcard(*asked).answer["published"]["house_edge"]["clause"] == clause


@pytest.mark.parametrize("table", ["FCP-01", "FCP-04", "FCP-09"])
def test_of_equal_bonus_tables_the_one_asked_is_cited_and_says_what_its_figures_are_of(
    fourcard: Command, table: str
) -> None:
    asked = ("odds", "ante", "--rulebook", "washington", "--bonus", table)
    published = fourcard(*asked, "--json").answer["published"]
    assert {name: figure["clause"] for name, figure in published.items()} == {
        "house_edge": f"WA-{table}-AB-HE",
        "hit_frequency": f"WA-{table}-AB-HIT",
    }
    told = said(fourcard(*asked))
    assert (
        f"house edge 1.58% of the base game; its strategy and basis are not stated (WA-{table}-AB-HE)" in told
    )
    assert f"hit frequency 2.37% of the Automatic Bonus alone (WA-{table}-AB-HIT)" in told


def test_every_hand_of_a_cell_can_be_listed(fourcard: Command) -> None:
    sides = fourcard("strategy", "--cell", "pair of kings/A", "--json").answer
    assert sides["A 7 2"] == {"3x": 1.0}
    assert all(sum(shares.values()) == pytest.approx(1) for shares in sides.values())
    assert "3x with  A Q T" in fourcard("strategy", "--cell", "Pair of kings / a").out


def test_an_id_that_rulebooks_print_differently_asks_which(fourcard: Command) -> None:
    told = fourcard("odds", "envy", "--paytable", "A", "--json").answer
    assert told["rulebook"] == "massachusetts"
    twice = fourcard("odds", "progressive", "--paytable", "A", "--json").answer
    assert twice["rulebook"] == "massachusetts"


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_the_chart_is_a_picture_too(fourcard: Command, tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"chart.{suffix}"
    done = fourcard("strategy", "-o", str(picture))
    assert done.status == 0
    begins = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>"}
    content = picture.read_bytes()
    assert content.startswith(begins[suffix])
    assert suffix == "png" or b"pair of kings" in content
    assert [path.name for path in tmp_path.iterdir()] == [picture.name]
    assert "pair of queens before an ace: 3x with an ace in the hand; otherwise 1x (but for 1.35%" in done.out


def test_the_chart_costs_what_it_says_and_covers_every_cell(fourcard: Command) -> None:
    answer = fourcard("strategy", "--json").answer
    assert len(answer["cells"]) == 16 * 13
    costs = {name: exact(each["cost"]) for name, each in answer["strategies"].items()}
    assert costs["optimal"] == 0 < costs["chart"] < costs["expert"] < costs["blind"] < costs["basic"]
    assert costs["chart"] < Fraction(1, 2_000)
    by_place = {(cell["hand"], cell["up"]): cell for cell in answer["cells"]}
    assert by_place["pair of aces", "A"]["decision"] == "3x"
    assert by_place["pair of twos", "2"]["decision"] == "1x"
    assert by_place["anything else", "A"]["shares"] == {"fold": 1.0}


def test_a_strategy_to_memorise_is_printed_saved_and_used(fourcard: Command, tmp_path: Path) -> None:
    path = tmp_path / "three.toml"
    answer = fourcard("strategy", "--rules", "3", "-o", str(path), "--json").answer
    assert [rule["bet"] for rule in answer["rules"]] == ["1x", "3x", "1x"]
    used = fourcard("odds", "ante", "--strategy", str(path), "--json").answer
    assert used["house_edge"] == answer["house_edge"]
    assert used["element_of_risk"] == answer["element_of_risk"]
    told = fourcard("strategy", "--rules", "3").out
    assert all(rule["says"] in told for rule in answer["rules"])
    assert f"{answer['house_edge']['value']:.4%} of the Ante" in told


def test_the_audit_tells_people_and_scripts_the_same(
    fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "fourcard.odds.published_figures.audit_published_figures", lambda _step: tuple(findings().values())
    )
    answer = fourcard("published", "--json").answer
    verdicts = [each["agrees"] for each in answer["figures"]]
    assert (verdicts.count(True), verdicts.count(False), verdicts.count(None)) == (26, 24, 3)
    told = fourcard("published", "--differing")
    assert "53 printed figures: 26 agree, 24 differ, 3 cannot be computed" in told.out
    assert "WA-FCP-01-AU-HE" not in told.out

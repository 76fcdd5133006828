"""`fourcard simulate-meter` as scripts and people use it: answers, pictures and refusals."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fourcard.refusal_codes import Code
from tests.kit.commands import Command
from tests.kit.support import EXAMPLES

MARYLAND, MASSACHUSETTS = EXAMPLES / "maryland-everything.toml", EXAMPLES / "massachusetts-everything.toml"
A_WEEK = ("--days", 7, "--seed", 5)
WAGERS = 8 * 4 * 50 * 16 * 7


def test_the_answer_sets_what_was_measured_beside_what_is_expected(fourcard: Command) -> None:
    found = fourcard("simulate-meter", MARYLAND, *A_WEEK, "--json").answer
    assert (found["rulebook"], found["edition"], found["paytable"]) == ("maryland", "proposed", "C")
    assert (found["wagers"], found["rounds"], found["stake"], found["seed"]) == (WAGERS, WAGERS // 4, 100, 5)
    assert found["terms"]["rate"]["fraction"] == "1/8"
    assert (found["terms"]["reserve"]["value"], found["terms"]["reset"]) == (0.025, 1_000_000)
    rows = {each["row"]: each for each in found["hits"]}
    assert [*rows][:2] == ["royal_flush", "straight_flush"]
    for each in (*rows.values(), found["wins"]):
        off = each["count"] - each["expected"]["value"]
        assert each["z"] == pytest.approx(off / each["standard_error"])
        assert abs(each["z"]) < 4
    assert Fraction(rows["full_house"]["expected"]["fraction"]) == Fraction(3_744 * WAGERS, 2_598_960)
    assert found["wins"]["count"] == rows["royal_flush"]["count"] == len(found["won"])
    assert found["meter"]["final"] <= found["meter"]["highest"]
    assert found["paid"]["total"] == found["paid"]["from_meter"] + found["paid"]["from_tray"]
    assert found["contributions"] == WAGERS * 15
    assert found["fingerprint"].startswith("fourcard ")


def test_the_prediction_is_that_of_the_odds(fourcard: Command) -> None:
    played = fourcard("simulate-meter", MASSACHUSETTS, *A_WEEK, "--json").answer
    asked = ("--rulebook", "massachusetts", "--paytable", "A", "--rate", "20%", "--reserve", "5%")
    counted = fourcard("odds", "progressive", *asked, "--seed", "$5,000", "--json").answer["meter_cycle"]
    assert played["average_win"]["expected_in_the_long_run"] == counted["average_win"]
    assert counted["average_win"]["fraction"] == "1853625/1"
    for each in played["hits"]:
        per_hit = Fraction(counted["wagers_per_hit"][each["row"]]["fraction"])
        assert Fraction(each["expected"]["fraction"]) * per_hit == WAGERS
    between = Fraction(counted["wagers_between_wins"]["fraction"])
    assert Fraction(played["wins"]["expected"]["fraction"]) == WAGERS / between


def test_nothing_is_lost_to_the_ten_thousandth_of_a_cent(fourcard: Command) -> None:
    law = fourcard("simulate-meter", MASSACHUSETTS, *A_WEEK, "--json").answer["law"]
    held = law["meter"] + law["reserve"] + law["paid_from_meter"]
    assert held == law["seeds"] + law["contributions"]
    assert law["contributions"] == WAGERS * 25 * law["units_per_cent"]
    assert law["holds"] is True


def test_a_seed_gives_the_same_year_again(fourcard: Command) -> None:
    def played(seed: int | None, submission: object = MARYLAND) -> dict[str, Any]:
        seeded = () if seed is None else ("--seed", seed)
        found = fourcard("simulate-meter", submission, "--days", 2, *seeded, "--json").answer
        assert found.pop("seconds") > 0
        return dict(found)

    first, other, drawn = played(1), played(2), played(None)
    assert first == played(1) == played(1, "maryland-everything")
    assert first["hits"] != other["hits"]
    assert played(drawn["seed"]) == drawn


def test_a_stake_of_the_submission_may_be_chosen(fourcard: Command) -> None:
    small, large = (
        fourcard("simulate-meter", MARYLAND, "--days", 2, "--seed", 1, "--stake", stake, "--json").answer
        for stake in ("$1", "500")
    )
    assert (small["stake"], large["stake"]) == (100, 500)
    assert [each["count"] for each in small["hits"]] == [each["count"] for each in large["hits"]]
    assert large["law"]["contributions"] == 5 * small["law"]["contributions"]


def test_a_person_reads_two_tables_and_the_law(fourcard: Command) -> None:
    done = fourcard("simulate-meter", MASSACHUSETTS, *A_WEEK, "--tables", 1, "--players", 1)
    assert (done.status, done.err) == (0, "")
    for words in (
        "Harborside Casino, high-limit room  Massachusetts",
        "5,600 wagers of $1: 1 table, 1 player at each, 50 rounds an hour, 16 hours a day, 7 days",
        "20% to the meter, 5% to the reserve; starts at $5,000, reset to $5,000",
        "three of a kind",
        "the whole meter",
        "average whole meter won",
        "$18,536.25",
        "ten-thousandths of a cent: equal",
    ):
        assert words in " ".join(done.out.split()) or words in done.out


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_the_meter_is_a_picture_too(fourcard: Command, tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"meter.{suffix}"
    done = fourcard("simulate-meter", MASSACHUSETTS, *A_WEEK, "--chart", picture, "--json")
    won = len(done.answer["won"])
    begins = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>"}
    content = picture.read_bytes()
    assert content.startswith(begins[suffix])
    if suffix == "svg":
        for words in (
            "Harborside Casino",
            f"won {won} times (3.3 expected)",
            "in the long run, $18,536",
        ):
            assert words in content.decode()
    assert [path.name for path in tmp_path.iterdir()] == [picture.name]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--tables", "0"), "The number of tables must be from 1 to 1,000, not 0."),
        (("--players", "0"), "The number of players at a table must be from 1 to 7, not 0."),
        (("--players", "8"), "The number of players at a table must be from 1 to 7, not 8."),
        (("--rounds-per-hour", "0"), "The number of rounds an hour must be from 1"),
        (("--hours", "25"), "The number of hours a day must be from 1 to 24, not 25."),
        (("--days", "-1"), "The number of days must be from 1"),
        (("--days", "36525", "--tables", "1000"), "the maximum is 1,000,000,000. Reduce the plan."),
        (("--days", "soon"), "'soon' is not a valid int"),
        (("--seed", "-1"), "The seed must be a whole number"),
        (("--stake", "$2"), Code.STAKE_NOT_TAKEN.sentence.format(amount="$2", known="$1 or $5")),
        (("--stake", "much"), "'much' is not an amount"),
        (("--chart", "meter.gif"), "meter.gif must end in"),
        (("--chart", "nowhere/meter.svg"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], sentence: str, fourcard: Command) -> None:
    assert sentence in fourcard("simulate-meter", MARYLAND, *arguments).sentence


def test_a_submission_without_a_meter_is_refused(fourcard: Command, tmp_path: Path) -> None:
    plain = fourcard("simulate-meter", EXAMPLES / "maryland.toml")
    assert plain.sentence == "The submission offers no progressive, so there is no meter to simulate."
    assert "nowhere.toml cannot be read" in fourcard("simulate-meter", "nowhere.toml").sentence
    assert "Missing argument" in fourcard("simulate-meter").sentence
    text, changed = MASSACHUSETTS.read_text(encoding="utf-8"), tmp_path / "changed.toml"
    changed.write_text(text.replace('rate = "20%"', 'rate = "99%"'), encoding="utf-8")
    assert "Meter and reserve together take 104%" in fourcard("simulate-meter", changed).sentence
    small = text.replace("at_table = 6", "at_table = 3")
    assert small != text
    changed.write_text(small, encoding="utf-8")
    assert fourcard("simulate-meter", changed).sentence == Code.POSITION_UNKNOWN.sentence.format(
        position="4", most="3"
    )


def test_a_meter_that_runs_dry_is_told(fourcard: Command, tmp_path: Path) -> None:
    text, changed = MASSACHUSETTS.read_text(encoding="utf-8"), tmp_path / "changed.toml"
    changed.write_text(text.replace('fixed_awards = "tray"', 'fixed_awards = "meter"'), encoding="utf-8")
    asked = ("simulate-meter", changed, *A_WEEK)
    found = fourcard(*asked, "--json").answer
    assert found["paid"]["shortfall"] == found["paid"]["from_tray"] > 0
    assert found["average_win"]["expected_in_the_long_run"] is None
    assert found["average_win"]["z"] is None
    assert found["law"]["holds"] is True
    assert "because the meter was empty (R59)" in fourcard(*asked).out

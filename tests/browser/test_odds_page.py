"""Odds page: its figures match `fourcard odds`, its PAR sheets `fourcard par`."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import percent
from tests.browser.served_house import BrowserHouse
from tests.kit.commands import Command, runner
from tests.kit.support import EXAMPLES

CHOICES = {
    "aces_up": (
        {"Wager": "Aces Up", "Rulebook": "Maryland", "Paytable": "E"},
        ("--rulebook", "maryland", "--paytable", "E"),
    ),
    "ante": (
        {
            "Wager": "Ante, Play and Automatic Bonus",
            "Rulebook": "Washington",
            "Automatic Bonus": "FCP-04",
            "Strategy": "basic",
        },
        ("--rulebook", "washington", "--bonus", "FCP-04", "--strategy", "basic"),
    ),
}
"""Selections on the page, and the same as command options."""
BUSY = "503 .*/api/published"
"""While published figures are checked for one window, others get 503 and retry."""
A_SHEET = 60_000
"""Milliseconds until a PAR sheet must be ready."""


@pytest.fixture
def window(running_house: BrowserHouse, open_window: OpenWindow) -> BrowserWindow:
    window = open_window(running_house, f"{running_house.address}/#/odds")
    window.ignore_faults(BUSY)
    return window


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def choose(page: Page, choices: Mapping[str, str]) -> None:
    for label, chosen in choices.items():
        page.get_by_role("combobox", name=label, exact=True).select_option(chosen)


def odds_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Odds", exact=True)


def expect_odds(page: Page, said: dict[str, Any]) -> None:
    """Expect the figures of the command, rounded and exact."""
    odds = odds_of(page)
    edge, hits = said["house_edge"], said["hit_frequency"]
    expect(odds).to_contain_text(f"House edge{percent(edge['value'], 3)}")
    expect(odds).to_contain_text(f"Hit frequency{percent(hits['value'], 2)}")
    expect(odds).to_contain_text(f"Standard deviation{said['standard_deviation']:.3f}")
    row = odds.get_by_role("region", name="Figures").get_by_role("row", name="house edge")
    expect(row.get_by_role("cell").first).to_have_text(percent(edge["value"], 4))
    expect(row.get_by_role("cell").last).to_have_text(edge["fraction"])


@pytest.mark.parametrize("wager", CHOICES)
def test_the_odds_are_those_of_the_command(window: BrowserWindow, fourcard: Command, wager: str) -> None:
    choices, options = CHOICES[wager]
    choose(window.page, choices)
    said = fourcard("odds", wager, *options, "--json").answer
    expect_odds(window.page, said)
    outcomes = odds_of(window.page).get_by_role("region", name="Every outcome").get_by_role("row")
    expect(outcomes).to_have_count(len(said["outcomes"]) + 1)
    for row, outcome in zip(outcomes.all_inner_texts()[1:], said["outcomes"], strict=True):
        assert {outcome["hand"].replace("_", " "), f"{outcome['count']:,}"} <= {*row.split("\t")}


def test_a_paytable_of_ones_own_changes_the_edge_as_the_command_says(
    window: BrowserWindow, fourcard: Command, tmp_path: Path
) -> None:
    page, file = window.page, tmp_path / "own.toml"
    own = page.get_by_role("group", name="Paytable")
    own.get_by_label("three of a kind").fill("8 to 1")
    own.get_by_label("straight", exact=True).fill("5 to 1")
    expect(odds_of(page).get_by_role("heading", name="your own paytable")).to_be_visible()
    file.write_text("[pays]\n" + "".join(rows_of(own)), encoding="utf-8")
    said = fourcard("odds", "aces_up", "--rulebook", "massachusetts", "--paytable", file, "--json").answer
    expect_odds(page, said)
    own.get_by_label("pair of aces").fill("")
    file.write_text("[pays]\n" + "".join(rows_of(own)), encoding="utf-8")
    less = fourcard("odds", "aces_up", "--rulebook", "massachusetts", "--paytable", file, "--json").answer
    assert less["house_edge"]["value"] > said["house_edge"]["value"]
    expect_odds(page, less)
    page.get_by_role("button", name="Reset to the printed paytable").click()
    printed = ("--rulebook", "massachusetts", "--paytable", "I", "--json")
    expect_odds(page, fourcard("odds", "aces_up", *printed).answer)


def rows_of(own: Locator) -> Iterator[str]:
    """Yield the rows of the paytable editor as lines of a TOML file."""
    for field in own.get_by_role("textbox").all():
        name = field.evaluate("field => field.labels[0].innerText").strip()
        if field.input_value():
            yield f'{name.replace(" ", "_")} = "{field.input_value()}"\n'


def test_a_payout_that_cannot_be_read_is_refused_in_a_sentence(window: BrowserWindow) -> None:
    window.ignore_faults(f"status of 400|{BUSY}")
    own = window.page.get_by_role("group", name="Paytable")
    printed = odds_of(window.page).get_by_role("heading", name="Aces Up, Massachusetts, paytable I")
    expect(printed).to_be_visible()
    three = own.get_by_label("three of a kind", exact=True)
    before = three.input_value()
    three.fill("banana")
    refusal = odds_of(window.page).get_by_role("alert")
    expect(refusal).to_have_text(
        "Three of a kind cannot pay 'banana'. Write the payout like 3 to 2 or 300 for 1."
    )
    expect(printed).to_be_visible()
    three.fill(before)
    expect(refusal).to_be_hidden()


def test_strategies_are_compared_under_the_bonus_that_is_shown(
    window: BrowserWindow, fourcard: Command
) -> None:
    page = window.page
    page.get_by_role("link", name="Strategies").click()
    page.get_by_role("combobox", name="Rulebook").select_option("Shuffle Master")
    bonus = page.get_by_role("combobox", name="Automatic Bonus")
    expect(bonus).to_have_value("FCP-01")
    for name in ("FCP-01", "FCP-04"):
        bonus.select_option(name)
        options = ("--rulebook", "shuffle-master", "--bonus", name, "--strategy", "basic", "--json")
        said = fourcard("odds", "ante", *options).answer
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="basic", exact=True))
        expect(row.get_by_role("cell").first).to_contain_text(said["house_edge"]["fraction"])
        expect(row.get_by_role("cell").nth(1)).to_contain_text(said["element_of_risk"]["fraction"])


def test_a_par_sheet_is_the_one_of_the_command(
    window: BrowserWindow, fourcard: Command, tmp_path: Path
) -> None:
    """A table of this house has the name of the example but another game."""
    window.page.get_by_role("link", name="PAR sheets").click()
    file = tmp_path / "par-maryland.json"
    save(window.page, "JSON of Maryland", file)
    assert fourcard("par", EXAMPLES / "maryland.toml", "-o", tmp_path / "said.json").status == 0
    shown, said = (json.loads(each.read_bytes()) for each in (file, tmp_path / "said.json"))
    assert (shown["submission"], shown["sections"]) == (said["submission"], said["sections"])


def test_a_par_sheet_comes_as_a_document_too(window: BrowserWindow, tmp_path: Path) -> None:
    window.page.get_by_role("link", name="PAR sheets").click()
    file = tmp_path / "par-maryland.pdf"
    save(window.page, "PDF of Maryland", file)
    assert file.read_bytes().startswith(b"%PDF-")


def save(page: Page, link: str, file: Path) -> None:
    """Download a link under its suggested name."""
    with page.expect_download(timeout=A_SHEET) as download:
        page.get_by_role("link", name=link, exact=True).click()
    assert download.value.suggested_filename == file.name
    download.value.save_as(file)

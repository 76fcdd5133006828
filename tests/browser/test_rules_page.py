"""Rules page: clauses, differences between rulebooks, and the findings of `fourcard check`."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.served_house import BrowserHouse
from tests.kit.commands import Command, runner
from tests.kit.support import EXAMPLES, ROOT

LEDGER = ROOT / "src" / "fourcard" / "rulebooks" / "clauses.csv"
EXAMPLE = EXAMPLES / "massachusetts.toml"
PAIR = {"Shuffle Master": "shuffle-master", "Maryland (Proposed)": "maryland (proposed)"}
NO_RULE = "no rule"


@pytest.fixture
def window(running_house: BrowserHouse, open_window: OpenWindow) -> BrowserWindow:
    return open_window(running_house, f"{running_house.address}/#/rules/clauses")


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def clauses() -> dict[str, dict[str, str]]:
    with LEDGER.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def test_a_clause_is_found_by_its_words_and_shown_in_full(window: BrowserWindow) -> None:
    page, known = window.page, clauses()
    wanted = "MD-07E1"
    page.get_by_role("searchbox", name="Search").fill("play one to three times ante")
    page.get_by_role("combobox", name="Source").select_option("Maryland")
    found = page.get_by_role("main").get_by_role("listitem")
    expect(page.get_by_text(known["MA-1-AU.1"]["requirement"])).to_have_count(0)
    expect(found.filter(has_text=f"{wanted} ")).to_contain_text(known[wanted]["requirement"])
    shown = [each.get_by_role("link").inner_text() for each in found.all()]
    assert {known[each]["source"] for each in shown} == {"MD"}
    page.get_by_role("link", name=wanted, exact=True).click()
    expect(page.get_by_role("blockquote")).to_have_text(known[wanted]["requirement"])
    expect(page.get_by_role("heading", name=wanted)).to_contain_text(known[wanted]["clause"])
    expect(page.get_by_role("main")).to_contain_text("test_a_play_wager_is_one_to_three_antes")


def test_words_that_no_clause_has_find_none(window: BrowserWindow) -> None:
    window.page.get_by_role("searchbox", name="Search").fill("roulette")
    expect(window.page.get_by_role("main")).to_contain_text("No clauses found.")
    expect(window.page.get_by_role("main").get_by_role("listitem")).to_have_count(0)


def test_two_rulebooks_differ_where_the_page_says_so(window: BrowserWindow, fourcard: Command) -> None:
    page = window.page
    page.get_by_role("link", name="Differences").click()
    side_by_side = page.get_by_role("group", name="Compare")
    expect(side_by_side).to_be_visible()
    for book in side_by_side.get_by_role("checkbox").all():
        book.set_checked(book.evaluate("box => box.labels[0].innerText").strip() in PAIR)
    page.get_by_role("searchbox", name="Search").fill("wagers")
    expect(row_of(page, "leaving may lose wagers")).to_be_visible()
    expect_stand(
        row_of(page, "leaving may lose wagers"),
        fourcard("differences", "leaving_may_lose_wagers", "--json").answer,
    )
    cells = page.get_by_role("cell")
    shown = cells.all_inner_texts()
    assert len(shown) > len(PAIR)
    assert all(one != other for one, other in in_rows(shown))
    page.get_by_role("checkbox", name="Also show points that are the same").check()
    expect(cells).not_to_have_count(len(shown))
    more = cells.all_inner_texts()
    assert {*in_rows(shown)} < {*in_rows(more)}


def in_rows(cells: list[str]) -> list[tuple[str, str]]:
    """Return the cells of every row."""
    return [*zip(cells[::2], cells[1::2], strict=True)]


def row_of(page: Page, point: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=point, exact=True))


def expect_stand(row: Locator, points: list[dict[str, Any]]) -> None:
    """Expect the value and clauses of a point in each rulebook, as in the command."""
    (point,) = points
    for cell, book in zip(row.get_by_role("cell").all(), PAIR.values(), strict=True):
        stand = point["rulebooks"][book]
        expect(cell).to_have_text(" ".join([stand["value"] or NO_RULE, *stand["clauses"]]))
    one, other = (point["rulebooks"][book]["value"] for book in PAIR.values())
    assert one != other


def editor_of(page: Page) -> Locator:
    page.get_by_role("link", name="Submission", exact=True).click()
    text = page.get_by_role("textbox", name="Text (TOML)")
    expect(text).to_have_value(EXAMPLE.read_text(encoding="utf-8"))
    return text


def check_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Check result")


def findings_of(page: Page) -> list[str]:
    """Return the findings as text, one line each."""
    found = check_of(page).get_by_role("list").first.get_by_role("listitem").all_inner_texts()
    return [" ".join(each.split()) for each in found]


def test_an_example_is_valid_and_posts_its_sign(window: BrowserWindow) -> None:
    page = window.page
    editor_of(page)
    check = check_of(page)
    expect(check.get_by_role("status")).to_have_text("Valid")
    expect(check.get_by_role("heading", name="Posted sign")).to_contain_text("Harborside Casino, pit 3")
    sign = check.get_by_role("table", name="Aces Up")
    expect(sign).to_contain_text("$5 to $100")
    expect(sign.get_by_role("row", name="four of a kind")).to_contain_text("50 to 1")


def test_a_broken_limit_is_found_as_the_command_finds_it(
    window: BrowserWindow, fourcard: Command, tmp_path: Path
) -> None:
    page, file = window.page, tmp_path / "broken.toml"
    text = editor_of(page)
    file.write_text(broken(text.input_value()), encoding="utf-8")
    text.fill(broken(text.input_value()))
    expect(check_of(page).get_by_role("status")).to_have_text("2 errors")
    done = fourcard("check", file, "--json")
    assert done.status == 1
    said = json.loads(done.out)["findings"]
    lines = [page_line(text, "[limits.posted.aces_up]"), page_line(text, "at_table = 9")]
    assert findings_of(page) == [
        " ".join([each["level"], each["where"], f"line {line}", each["message"], *each["clauses"]])
        for each, line in zip(said, lines, strict=True)
    ]
    check_of(page).get_by_role("button", name=f"line {lines[1]}").click()
    chosen = "text => text.value.slice(text.selectionStart, text.selectionEnd)"
    assert text.evaluate(chosen) == "at_table = 9"
    expect(check_of(page).get_by_role("heading", name="Posted sign")).to_have_count(0)


def broken(text: str) -> str:
    """Return a submission with too many positions and a maximum below the minimum."""
    return text.replace("at_table = 7", "at_table = 9").replace('most = "$100"', 'most = "$1"')


def page_line(text: Locator, line: str) -> int:
    return text.input_value().split("\n").index(line) + 1


def test_a_text_that_is_no_submission_is_refused_as_the_command_refuses_it(
    window: BrowserWindow, fourcard: Command, tmp_path: Path
) -> None:
    page, file = window.page, tmp_path / "unreadable.toml"
    text = editor_of(page)
    text.fill(text.input_value().replace('chip = "$1"', "chip ="))
    expect(check_of(page).get_by_role("status")).to_have_text("1 error")
    file.write_text(text.input_value(), encoding="utf-8")
    said = fourcard("check", file).sentence.removeprefix(str(file))
    assert findings_of(page) == [f"error line 4 The submission{said}"]

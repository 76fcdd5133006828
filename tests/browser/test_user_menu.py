"""The header shows the user and the role on every screen, and how to switch user."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.browser_window import SIZES
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse


def header(page: Page) -> str:
    return page.get_by_role("banner").inner_text()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_browser_that_opens_both_links_is_told_whom_it_is_now(
    running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize
) -> None:
    page = open_window(running_house, size=size).page
    who = page.get_by_role("banner").get_by_role("group").first
    expect(who).to_contain_text(re.compile(r"Guest \d+"))
    guest = re.search(r"Guest \d+", header(page))
    assert guest is not None
    who.locator("summary").click()
    expect(who).to_contain_text(f"You are {guest[0]}, a player.")
    expect(who).to_contain_text("private window")
    page.goto(running_house.staff)
    expect(who.locator("summary")).to_contain_text("staff")
    assert "staff" in header(page)
    who.locator("summary").click()
    expect(who).to_contain_text("staff. Staff can't play.")
    expect(who).to_contain_text("open the first link from the terminal")


def test_the_history_knows_which_commitments_this_browser_saw(
    fresh_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(fresh_house))
    page = person.page
    person.open_table("shuffle-master")
    person.sit_down()
    for _ in range(2):
        person.wager("Ante")
        person.deal()
        person.decide("Fold")
        person.result()
    number = person.round - 1
    person.leave()
    page.goto(f"{fresh_house.address}/#/history/shuffle-master/{number}?show=proof")
    check = page.get_by_role("region", name="Were the cards fair?")
    when = f"during round {number - 1}" if number > 1 else "before the first round"
    expect(check).to_contain_text(f"This browser saw the same commitment at the table {when}")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(check).to_contain_text("This browser did not see the commitment at the table")


def test_the_note_on_who_one_is_closes_on_escape_outside_clicks_and_navigation(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    page = open_window(running_house).page
    who = page.get_by_role("banner").get_by_role("group").first
    summary, note = (
        who.locator("summary"),
        who.get_by_text(re.compile(r"^You are Guest \d+, a player\.$")),
    )

    def open_note() -> None:
        summary.click()
        expect(note).to_be_visible()

    open_note()
    page.get_by_role("link", name="Odds").focus()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    expect(summary).to_be_focused()

    open_note()
    note.click()
    expect(note).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(note).to_be_hidden()

    open_note()
    page.evaluate("location.hash = '#/rules'")
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    expect(note).to_be_hidden()

    open_note()
    page.go_back()
    expect(page.get_by_role("heading", name="Choose your table")).to_be_visible()
    expect(note).to_be_hidden()

"""Every page, at every size and in both themes: accessible, no small text, no sideways scrolling."""

import pytest
from playwright.sync_api import expect

from tests.browser.browser_window import BrowserWindow, accessibility_violations
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS, faults_everywhere
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse

PLAYERS_PAGES = (
    "table",
    "calculator",
    "calculator?hand=As+Ah+Kd+7c+2h&up=Ac",
    "drills",
    "daily",
    "strategy?hand=pair+of+nines&up=6",
    "settings",
    "shared",
    "history",
    "odds",
    "odds/strategies",
    "odds/published",
    "odds/par",
    "rules",
    "rules/clauses",
    "rules/maryland",
    "rules/clause/MD-07E1",
    "rules/differences",
    "rules/rulings",
    "rules/submission",
)
STAFF_PAGES = ("staff", "staff/table/maryland", "staff/reports", "staff/tasks")


@pytest.fixture(scope="module")
def players_window(running_house: BrowserHouse, open_window_for_file: OpenWindow) -> BrowserWindow:
    """Open one window for all pages of players."""
    return open_window_for_file(running_house, size=SCREENS["laptop"])


@pytest.fixture(scope="module")
def staff_window(running_house: BrowserHouse, open_window_for_file: OpenWindow) -> BrowserWindow:
    """Open one window for all pages of staff."""
    return open_window_for_file(running_house, running_house.staff, SCREENS["laptop"])


def faults_of_page(window: BrowserWindow, place: str) -> dict[str, list[str]]:
    """Open a page, and return what is wrong with it by size and theme."""
    window.page.goto("about:blank")
    window.page.goto(f"{window.address}/#/{place}")
    expect(window.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    window.wait_until_idle()
    return faults_everywhere(window.page)


@pytest.mark.parametrize("place", PLAYERS_PAGES)
def test_a_page_for_players(players_window: BrowserWindow, place: str) -> None:
    assert faults_of_page(players_window, place) == {}


@pytest.mark.parametrize("place", STAFF_PAGES)
def test_a_page_for_staff(staff_window: BrowserWindow, place: str) -> None:
    assert faults_of_page(staff_window, place) == {}


def test_a_round_from_the_seat_to_the_history(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    person = PlayerPage(open_window(quiet_house, size=SCREENS["laptop"]))
    page, found = person.page, dict[str, dict[str, list[str]]]()
    person.open_table("maryland")
    found["before sitting down"] = faults_everywhere(page)
    page.get_by_role("button", name="Sit down", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["buying in"] = faults_everywhere(page)
    page.keyboard.press("Escape")
    person.sit_down()
    person.choose_smallest_chip()
    for wager in person.offered_wagers():
        person.wager(wager)
    found["wagering"] = faults_everywhere(page)
    person.deal()
    expect(person.decision).to_be_visible()
    found["deciding"] = faults_everywhere(page)
    person.decide("Fold")
    person.result()
    found["the end"] = faults_everywhere(page)
    person.leave()
    page.goto(f"{person.window.address}/#/history")
    page.locator("main a[href^='#/history/']").first.click()
    expect(page.get_by_role("main")).to_contain_text("Luck and skill")
    person.window.wait_until_idle()
    found["that round"] = faults_everywhere(page)
    assert {where: faults for where, faults in found.items() if faults} == {}


def test_a_page_for_nobody_in_particular(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(running_house, f"{running_house.address}/")
    expect(window.page.get_by_role("main")).to_contain_text("link")
    assert accessibility_violations(window.page) == []

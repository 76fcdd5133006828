"""Accessibility: every page, on phone and desktop, passes an axe scan without severe violations."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.browser_window import PHONE, SIZES, accessibility_violations
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import InputMethod, PlayerPage
from tests.browser.served_house import BrowserHouse

FOR_PLAYERS = (
    "table",
    "history",
    "odds",
    "odds/strategies",
    "odds/published",
    "odds/par",
    "rules",
    "rules/clause/MD-07E1",
    "rules/differences",
    "rules/rulings",
    "rules/submission",
)
FOR_STAFF = ("staff", "staff/table/maryland", "staff/reports", "staff/tasks")


def how_at(size: ViewportSize) -> InputMethod:
    return "touch" if size is PHONE else "mouse"


def scanned(person: PlayerPage, places: tuple[str, ...]) -> dict[str, list[str]]:
    """Open pages, and return the violations of each once it has loaded."""
    found = dict[str, list[str]]()
    for place in places:
        person.page.goto(f"{person.window.address}/#/{place}")
        expect(person.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        person.window.wait_until_idle()
        found[place] = accessibility_violations(person.page)
        wide = person.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        found[place] += [f"{wide} pixels wider than the window"] if wide > 0 else []
    return {place: wrong for place, wrong in found.items() if wrong}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_round_from_the_seat_to_the_history(
    running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize
) -> None:
    person = PlayerPage(open_window(running_house, size=size), how_at(size))
    found = dict[str, list[str]]()
    person.open_table("maryland")
    found["before sitting down"] = accessibility_violations(person.page)
    person.press(person.page.get_by_role("button", name="Sit down", exact=True))
    expect(person.page.get_by_role("dialog")).to_be_visible()
    found["buying in"] = accessibility_violations(person.page)
    person.page.keyboard.press("Escape")
    person.sit_down()
    person.wager("Ante")
    found["wagering"] = accessibility_violations(person.page)
    person.deal()
    expect(person.decision).to_be_visible()
    found["deciding"] = accessibility_violations(person.page)
    person.decide("Fold")
    person.result()
    found["the end"] = accessibility_violations(person.page)
    for name in (
        "My mistakes",
        "Strategy grid",
        "How to play",
        *(() if size is PHONE else ("Keys",)),
    ):
        person.press(person.page.get_by_role("button", name=name, exact=True))
        expect(person.page.get_by_role("dialog", name=name)).to_be_visible()
        person.window.wait_until_idle()
        found[name] = accessibility_violations(person.page)
        person.page.keyboard.press("Escape")
    person.leave()
    person.page.goto(f"{person.window.address}/#/history")
    person.press(person.page.locator("main a[href^='#/history/']").first)
    expect(person.page.get_by_role("main")).to_contain_text("Luck and skill")
    person.window.wait_until_idle()
    found["one round"] = accessibility_violations(person.page)
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_pages_for_players(running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize) -> None:
    assert scanned(PlayerPage(open_window(running_house, size=size)), FOR_PLAYERS) == {}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_pages_for_staff(running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize) -> None:
    assert scanned(PlayerPage(open_window(running_house, running_house.staff, size=size)), FOR_STAFF) == {}


def test_a_page_for_nobody_in_particular(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(running_house, f"{running_house.address}/")
    expect(window.page.get_by_role("main")).to_contain_text("link")
    assert accessibility_violations(window.page) == []

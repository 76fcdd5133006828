"""The main states of each page look like their reference pictures, on a laptop and on a phone."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS
from tests.browser.pictures import MAX_SHARE, difference
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse

DATE = datetime(2026, 5, 4, 12, tzinfo=UTC)
"""The date of the Daily Ten in the pictures."""
VARIES = ".user, .money, .sign, .meter, .meter-sign, .timer, .own .card, .dealer > .card, .own .name"
"""What differs between two runs: who one is, the meters, the seconds left and the hand of a drill."""
CHANCE = (
    ".felt .card, .felt .caption, .dealer > p, .felt .plate *, .discards *, .heading p, .decision .hand, "
    "aside :is(p, table, .lines, button), .coach"
)
"""What the cards and earlier rounds at the table change."""
LOADING = re.compile("…$")
PAGES = {
    "lobby": "table",
    "calculator": "calculator?hand=As+Ah+Kd+7c+2h&up=Ac&rulebook=maryland",
    "strategy": "strategy?rulebook=maryland",
    "settings": "settings",
    "rules": "rules/maryland",
    "daily": "daily",
    "drills": "drills",
    "history": "history",
}


def looks(window: BrowserWindow, name: str, hidden: str = VARIES) -> Iterator[str]:
    """Compare the shown page with its pictures, and yield those that differ too much."""
    for screen in ("laptop", "phone"):
        window.page.set_viewport_size(SCREENS[screen])
        window.page.evaluate("scrollTo(0, 0)")
        apart = difference(window.page, f"{name}-{screen}", hidden)
        if apart > MAX_SHARE:
            yield f"{name} on a {screen}: {apart:.1%} of the picture differ"
    window.page.set_viewport_size(SCREENS["laptop"])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_like_its_pictures(
    quiet_house: BrowserHouse, open_window: OpenWindow, name: str
) -> None:
    window = open_window(quiet_house, size=SCREENS["laptop"])
    window.page.clock.set_fixed_time(DATE)
    window.page.goto(f"{window.address}/#/{PAGES[name]}")
    expect(window.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    window.wait_until_idle()
    expect(window.page.get_by_text(LOADING)).to_have_count(0)
    assert [*looks(window, name)] == []


def test_the_table_looks_like_its_pictures(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    window, hidden = open_window(quiet_house, size=SCREENS["laptop"]), f"{VARIES}, {CHANCE}"
    person = PlayerPage(window)
    person.open_table("maryland")
    different = [*looks(window, "table-free", hidden)]
    person.sit_down()
    person.choose_smallest_chip()
    for wager in person.offered_wagers():
        person.wager(wager)
    different += looks(window, "table-betting", hidden)
    person.deal()
    expect(person.decision).to_be_visible()
    different += looks(window, "table-decision", hidden)
    person.decide("Fold")
    person.result()
    different += looks(window, "table-result", f"{hidden}, .result, .spots *")
    person.leave()
    assert different == []

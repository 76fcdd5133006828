"""The main states of each page look like their reference pictures, on a laptop and on a phone."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS
from tests.browser.pictures import MAX_SHARE, difference
from tests.browser.served_house import BrowserHouse

DATE = datetime(2026, 5, 4, 12, tzinfo=UTC)
"""The date of the Daily Ten in the pictures."""
NAMES_AND_MONEY = ".user, .money"
CARDS = ".card > *, .caption, .tile, .amount"
"""What the chance of the cards changes."""
PAGES = {
    "lobby": ("table", ".sign"),
    "calculator": ("calculator?hand=As+Ah+Kd+7c+2h&up=Ac&rulebook=maryland", ""),
    "strategy": ("strategy?rulebook=maryland", ""),
    "settings": ("settings", ""),
    "rules": ("rules/maryland", ""),
    "daily": ("daily", ""),
    "drills": ("drills", CARDS),
    "history": ("history", ""),
}


def looks(window: BrowserWindow, name: str, hidden: str) -> Iterator[str]:
    """Compare the shown page with its pictures, and yield those that differ too much."""
    for screen in ("laptop", "phone"):
        window.page.set_viewport_size(SCREENS[screen])
        window.page.evaluate("scrollTo(0, 0)")
        apart = difference(window.page, f"{name}-{screen}", f"{NAMES_AND_MONEY}, {hidden}".rstrip(", "))
        if apart > MAX_SHARE:
            yield f"{name} on a {screen}: {apart:.1%} of the picture differ"
    window.page.set_viewport_size(SCREENS["laptop"])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_like_its_pictures(
    quiet_house: BrowserHouse, open_window: OpenWindow, name: str
) -> None:
    place, hidden = PAGES[name]
    window = open_window(quiet_house, size=SCREENS["laptop"])
    window.page.clock.set_fixed_time(DATE)
    window.page.goto(f"{window.address}/#/{place}")
    expect(window.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    window.wait_until_idle()
    assert [*looks(window, name, hidden)] == []

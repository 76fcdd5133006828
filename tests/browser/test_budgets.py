"""Budgets: the first page is light and shows quickly, and nothing on it moves when cards are dealt."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tools import page

MAX_SCRIPTS = 130_000
"""Bytes of compressed scripts that the first page loads."""
MAX_ALL_SCRIPTS = 210_000
"""Bytes of the compressed scripts of all pages together."""
MAX_FIRST_PAINT = 1_000
"""Milliseconds until the first page shows something."""
MAX_SHIFT = 0.001
"""The layout shift that a deal may cause; a table that jumps by a line has about 0.05."""
LOADED_FIRST = re.compile(r'(?:src|href)="\.?/(assets/[^"]+\.js)"')
FIRST_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity"""
WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((each) => shifts.push(each.value)))
    .observe({ type: "layout-shift" });
}"""


def compressed(file: Path) -> int:
    """Return how many bytes of a file are sent."""
    return len(gzip.compress(file.read_bytes(), 9))


def test_the_first_page_loads_few_scripts() -> None:
    index = (page.PAGE / "index.html").read_text(encoding="utf-8")
    scripts = LOADED_FIRST.findall(index)
    assert scripts
    sizes = {name: compressed(page.PAGE / name) for name in scripts}
    assert sum(sizes.values()) <= MAX_SCRIPTS, sizes


def test_all_pages_together_are_light() -> None:
    sizes = {each.name: compressed(each) for each in page.PAGE.rglob("*.js")}
    assert len(sizes) > 1
    assert sum(sizes.values()) <= MAX_ALL_SCRIPTS, sizes


def test_the_first_page_shows_within_a_second(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    window, shown = open_window(running_house), list[float]()
    for _ in range(3):
        window.page.goto("about:blank")
        window.page.goto(f"{running_house.address}/#/table")
        expect(window.page.get_by_role("heading").first).to_be_visible()
        shown.append(window.page.evaluate(FIRST_PAINT))
    assert min(shown) < MAX_FIRST_PAINT, shown


@pytest.mark.parametrize("size", SCREENS)
def test_nothing_moves_when_cards_are_dealt(
    quiet_house: BrowserHouse, open_window: OpenWindow, size: str
) -> None:
    window = open_window(quiet_house, size=SCREENS[size])
    person = PlayerPage(window)
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    window.page.evaluate(WATCH_SHIFTS)
    person.deal()
    expect(person.decision).to_be_visible()
    shifts = window.page.evaluate("shifts")
    person.decide("Fold")
    person.result()
    person.leave()
    assert sum(shifts) < MAX_SHIFT, shifts

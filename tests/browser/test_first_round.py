"""First round: few clicks from an empty house to a decision, and a guide that leads through the round."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import QUICK, OpenWindow, serve_house
from tests.browser.page_checks import SCREENS
from tests.browser.player_page import DEAL, InputMethod, PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.waiting import wait_until

MAX_CLICKS = 4
"""From the link that the server prints to the first decision."""
COUNT_CLICKS = (
    "addEventListener('click', ({ isTrusted }) => (window.clicks = (window.clicks ?? 0) + isTrusted), true)"
)
FAKE_BROWSER = """#!{python}
import pathlib, sys
pathlib.Path({out!r}).write_text(sys.argv[1])
"""


@pytest.mark.parametrize("how", ["mouse", "keys"])
def test_a_newcomer_is_led_to_a_decision_and_through_the_round(
    running_house: BrowserHouse, open_window: OpenWindow, how: InputMethod
) -> None:
    window = open_window(running_house, "about:blank", SCREENS["laptop"])
    person, page = PlayerPage(window, how), window.page
    page.add_init_script(COUNT_CLICKS)

    def press(what: Locator, key: str) -> None:
        """Click, or press a key of the table; Enter goes to what has the focus."""
        if how == "mouse":
            what.click()
        else:
            what.focus()
            page.keyboard.press(key)

    page.goto(running_house.player)
    guide = page.get_by_role("status", name="Guide")
    press(page.get_by_role("link", name="Start here"), "Enter")
    expect(guide).to_contain_text("1 of 5")
    press(person.spot("Ante"), "a")
    expect(guide).to_contain_text("2 of 5")
    press(page.get_by_role("button", name="Deal", exact=True), "Enter")
    expect(person.decision).to_be_visible()
    if how == "mouse":
        assert 1 <= page.evaluate("clicks") <= MAX_CLICKS
    expect(guide).to_contain_text("3 of 5")
    press(page.get_by_role("button", name="Next"), "Enter")
    expect(guide).to_contain_text("The coach would choose")
    person.decide("Play 1x")
    expect(guide).to_contain_text("5 of 5")
    expect(guide).to_contain_text("That was a whole round.")
    if how == "mouse":
        press(page.get_by_role("button", name="Done"), "Enter")
    else:
        expect(page.get_by_role("button", name=DEAL)).to_be_enabled()
        page.keyboard.press("Space")
        person.decide("Fold")
        person.result()
    expect(guide).to_be_hidden()
    person.leave()
    page.goto(f"{window.address}/#/table")
    expect(page.get_by_role("heading", name="Choose your table")).to_be_visible()
    window.wait_until_idle()
    expect(page.get_by_role("link", name="Start here")).to_be_hidden()


def test_serve_opens_the_players_page_in_a_browser_unless_told_otherwise(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(FAKE_BROWSER.format(python=sys.executable, out=str(opened)), encoding="utf-8")
    browser.chmod(0o755)
    environment = {"BROWSER": str(browser), "CI": ""}
    with serve_house(tmp_path, *QUICK, "--browser", **environment) as house:
        wait_until(lambda: opened.exists() and opened.stat().st_size > 0)
        assert opened.read_text(encoding="utf-8") == house.player
    opened.unlink()
    with serve_house(tmp_path, *QUICK, **environment):
        pass
    assert not opened.exists()

"""What surrounds a round at the table, by mouse and by keyboard: undo, rebet, help, paytables, money."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS
from tests.browser.player_page import InputMethod, PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.waiting import wait_until

ANTE = 1000
LINES = 3
ROUNDS = 2
LISTEN = """() => {
  const status = document.querySelector("[aria-label=Announcements]");
  window.heard = [];
  new MutationObserver(() => heard.push(status.textContent.trim()))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""
"""Notes what screen readers hear."""


class Player(PlayerPage):
    """A player who presses buttons with the mouse, or uses the keys that the table has for them."""

    def use(self, name: str, key: str) -> None:
        """Press a button, or its key."""
        if self.how == "keys":
            self.page.keyboard.press(key)
        else:
            self.page.get_by_role("button", name=name, exact=True).click()

    def activate(self, what: Locator) -> None:
        """Click, or focus and press Enter."""
        if self.how == "keys":
            what.focus()
            self.page.keyboard.press("Enter")
        else:
            what.click()

    def bets(self, amount: int) -> None:
        """Wait until so much is on the table, in cents."""
        name = re.compile(r"^Ante, position \d+, " + (f"\\${amount // 100}$" if amount else "empty$"))
        expect(self.page.get_by_role("button", name=name)).to_be_visible()


@pytest.mark.parametrize("how", ["mouse", "keys"])
def test_everything_around_a_round(
    quiet_house: BrowserHouse, open_window: OpenWindow, how: InputMethod
) -> None:
    person = Player(open_window(quiet_house, size=SCREENS["laptop"]), how)
    page = person.page
    person.open_table("maryland")
    page.evaluate(LISTEN)
    person.sit_down()
    person.choose_smallest_chip()
    person.wager("Ante")
    person.use("Double", "x")
    person.bets(2 * ANTE)
    person.use("Undo", "z")
    person.bets(ANTE)
    person.use("Clear", "c")
    person.bets(0)
    person.use("Undo", "z")
    person.bets(ANTE)
    person.deal()
    expect(person.decision).to_be_visible()
    person.decide("Fold")
    person.result()
    person.use("Rebet and deal", "Space")
    expect(person.decision).to_be_visible()
    person.decide("Play 1x")
    person.result()
    wait_until(lambda: any(said.startswith("Coach: ") for said in page.evaluate("heard")))
    heard = page.evaluate("heard")
    results = [said for said in heard if re.match(r"You (won|lost|broke)", said)]
    assert len(results) == ROUNDS, heard
    assert results[0].startswith("You lost $10: Ante \u2212$10"), results
    if how == "mouse":
        dealt = [
            said for said in heard if re.match(r"Your decision\. You hold .+\. The dealer shows the ", said)
        ]
        assert len(dealt) == ROUNDS, heard
    log = page.get_by_role("log")
    expect(log.get_by_role("link")).to_have_count(0)
    person.activate(page.get_by_role("button", name="Settings", exact=True))
    page.get_by_role("dialog", name="Settings").get_by_role("checkbox", name="Show the rules").press("Space")
    page.keyboard.press("Escape")
    expect(log.get_by_role("link").first).to_be_attached()
    person.leave()


@pytest.mark.parametrize("how", ["mouse", "keys"])
def test_help_paytables_narration_and_money(
    quiet_house: BrowserHouse, open_window: OpenWindow, how: InputMethod
) -> None:
    person = Player(open_window(quiet_house, size=SCREENS["laptop"]), how)
    page = person.page
    person.open_table("maryland")
    person.sit_down()
    person.use("Keys", "?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("undo the last chip or change")
    page.keyboard.press("Escape")
    log = page.get_by_role("log")
    low = log.bounding_box()
    if how == "keys":
        page.get_by_role("tab", name="Coach").focus()
        page.keyboard.press("ArrowRight")
    else:
        page.get_by_role("tab", name="What pays").click()
    expect(
        page.get_by_role("tabpanel", name="What pays").get_by_role("table", name="Aces Up")
    ).to_be_visible()
    assert log.bounding_box() == low, "paytables move nothing"
    height = log.evaluate("(log) => log.clientHeight / parseFloat(getComputedStyle(log).lineHeight)")
    assert round(height) == LINES
    person.activate(page.get_by_role("button", name="Everything that the dealer said"))
    assert log.evaluate("(log) => log.clientHeight") > 2 * LINES * height
    money = page.get_by_role("region", name="Your account")
    person.activate(money.locator("summary"))
    expect(money).to_contain_text(
        re.compile(r"Account\s*\$800.*Chips at tables\s*\$200.*All your money\s*\$1,000")
    )
    expect(money).to_contain_text("You still have your seat.")
    person.activate(money.get_by_role("button", name=re.compile("^Cash out at")))
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()
    expect(money).to_contain_text(re.compile(r"Account\s*\$1,000"))

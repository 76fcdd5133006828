"""Page object: a player at a table with mouse, keyboard or touch, and parsing of displayed amounts."""

import re
from typing import Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.browser_window import BrowserWindow

MINUS = "\N{MINUS SIGN}"
AMOUNT = re.compile(rf"([+{MINUS}]?)\$([\d,]+)(?:\.(\d\d))?")


def amounts(text: str) -> list[int]:
    """Return every amount of money in a text, in cents."""
    return [
        (-1 if sign == MINUS else 1) * (100 * int(whole.replace(",", "")) + int(part or 0))
        for sign, whole, part in AMOUNT.findall(text)
    ]


def cents(text: str) -> int:
    """Return the one amount of money in a text, in cents."""
    (amount,) = amounts(text)
    return amount


def percent(share: float, digits: int) -> str:
    """Return a share as the page writes it: "1.979%"."""
    return f"{100 * share:.{digits}f}%".replace("-", MINUS)


InputMethod = Literal["mouse", "keys", "touch"]
WAGER_KEYS = {
    "Ante": "a",
    "Aces Up": "u",
    "Bad Beat Bonus": "b",
    "Six Card Bonus": "s",
    "Cover All": "v",
    "Progressive": "p",
}
DECISION_KEYS = {"Fold": "f", "Play 1x": "1", "Play 2x": "2", "Play 3x": "3"}
DEAL = re.compile(r"^(Deal|Rebet and deal)$")
"""The button that deals: after a round the wagers of the last one are placed again with it."""
SHARE = re.compile(r"([+\u2212])\$([\d,]+(?:\.\d\d)?)")


CERTAIN_BYTES = """given => {
  crypto.getRandomValues = array => {
    if (array.length !== given.length) return Crypto.prototype.getRandomValues.call(crypto, array);
    delete crypto.getRandomValues;
    array.set(given);
    return array;
  };
}"""
"""Makes the browser's next draw of as many bytes give these."""


class PlayerPage:
    """A player in a browser window."""

    def __init__(self, window: BrowserWindow, how: InputMethod = "mouse") -> None:
        """Use a window in which the player is signed in."""
        self.window, self.how = window, how
        self.page: Page = window.page

    def open_table(self, table: str) -> None:
        """Open the page of a table."""
        self.page.goto(f"{self.window.address}/#/table/{table}")
        expect(self.page.get_by_role("region", name="Your controls")).to_be_visible()

    def sit_down(self, dollars: int | None = None) -> int:
        """Take the offered seat with chips (default: the suggested buy-in), and return its position."""
        sit = self.page.get_by_role("button", name="Sit down", exact=True)
        expect(sit).to_be_visible()
        buy = self.page.get_by_role("button", name=re.compile(r"^Buy .* and sit down$"))
        if self.how == "keys":
            self.page.keyboard.press("Enter")
            expect(buy).to_be_focused()
            self.page.keyboard.press("Enter")
        else:
            self.press(sit)
            if dollars is not None:
                self.page.get_by_label("Buy-in in dollars").fill(str(dollars))
            self.press(buy)
        expect(self.page.get_by_role("button", name=DEAL)).to_be_visible()
        expect(self.page.get_by_role("dialog")).to_be_hidden()
        return self.position

    def buy(self, dollars: int) -> None:
        """Buy more chips."""
        self.press(self.page.get_by_role("button", name="More chips"))
        self.page.get_by_label("Buy-in in dollars").fill(str(dollars))
        self.press(self.page.get_by_role("button", name=f"Buy ${dollars}", exact=True))
        expect(self.page.get_by_role("dialog", name="More chips")).to_be_hidden()

    @property
    def position(self) -> int:
        """Return the player's first position."""
        name = self.spot("Ante").first.get_attribute("aria-label") or ""
        found = re.search(r"position (\d+)", name)
        assert found is not None, name
        return int(found[1])

    def spot(self, wager: str) -> Locator:
        """Return the player's betting spots of a wager."""
        return self.page.get_by_role("button", name=re.compile(rf"^{wager}, position \d+, "))

    def offered_wagers(self) -> list[str]:
        """Return the wagers that the player can place."""
        return [wager for wager in WAGER_KEYS if self.spot(wager).count()]

    def wager(self, wager: str) -> None:
        """Put a chip on a spot, and wait until the server has accepted it."""
        spot, money = self.spot(wager).first, self.page.get_by_role("group", name="Your money")
        expect(spot).to_be_enabled()
        before = money.inner_text()
        if self.how == "keys":
            self.page.keyboard.press(WAGER_KEYS[wager])
        else:
            self.press(spot)
        expect(money).not_to_have_text(before, use_inner_text=True)
        expect(spot).to_have_accessible_name(re.compile(rf"^{wager}, position \d+, \$"))

    def choose_smallest_chip(self) -> None:
        """Select the smallest chip; on an empty spot it bets the minimum."""
        chip = self.page.get_by_role("radio", name=re.compile(" chip$")).first
        expect(chip).to_be_enabled()
        expect(self.spot("Ante").first).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press("1")
        else:
            chip.locator("xpath=ancestor::label").click()
        expect(chip).to_be_checked()

    def deal(self) -> None:
        """Press Deal."""
        deal = self.page.get_by_role("button", name="Deal", exact=True)
        expect(deal).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press("Enter")
        else:
            self.press(deal)

    def draw_seed(self, seed: str) -> None:
        """Let the browser draw a certain seed for the next shuffle: its chance gives these bytes once.

        The page draws a seed by itself when the player sits down, so that one must be out of the way.
        """
        self.press(self.page.get_by_role("tab", name="Fair shuffle"))
        received = self.page.get_by_text("The house has the hash of your seed")
        expect(received).to_be_visible()
        self.page.evaluate(CERTAIN_BYTES, [*bytes.fromhex(seed)])
        self.press(self.page.get_by_role("button", name="Draw a new seed"))
        expect(self.page.get_by_test_id("own-seed")).to_have_text(seed)
        expect(received).to_be_visible()
        self.press(self.page.get_by_role("tab", name="Coach"))

    def show_whole_log(self) -> None:
        """Show everything that the dealer said, and not the last three sentences only."""
        self.press(self.page.get_by_role("button", name="Everything that the dealer said"))

    def leave(self) -> None:
        """Leave the table, so that it does not wait for this player.

        By key, because the next round may move the button between the press and the release of a mouse.
        """
        self.page.get_by_role("button", name="Leave the table").press("Space")
        expect(self.page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()

    @property
    def decision(self) -> Locator:
        """Return the decision controls, which are there only when the player has to decide."""
        return self.page.get_by_role("region", name=re.compile("^Your decision, position"))

    def decide(self, choice: str) -> None:
        """Decide as soon as possible."""
        button = self.decision.get_by_role("button", name=choice, exact=True)
        expect(button).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press(DECISION_KEYS[choice])
        else:
            self.press(button)
        expect(self.decision).to_be_hidden()

    def cards(self, label: str = "Cards of position") -> list[str]:
        """Return the names of the cards of a hand (default: the player's own)."""
        wanted = f"{label} {self.position}" if label.endswith("position") else label
        hand = self.page.get_by_label(re.compile(rf"^{wanted}(:|$)")).first
        return [card.get_attribute("aria-label") or "" for card in hand.get_by_role("img").all()]

    @property
    def outcome(self) -> Locator:
        """Return the result sentence, which is there when the round has ended."""
        return self.page.get_by_role("group", name="Result of the round").get_by_role("paragraph")

    @property
    def jackpot(self) -> Locator:
        """Return the notice that a progressive win waits for staff."""
        return self.page.get_by_text("A win waits for the floor to confirm it.")

    def result(self) -> str:
        """Wait for the end of the round, and return the result sentence."""
        expect(self.outcome).to_be_visible()
        return self.outcome.inner_text()

    def ended_or_awaits_staff(self) -> bool:
        """Wait until the round ends or waits for staff; return whether it has ended."""
        expect(self.outcome.or_(self.jackpot)).to_be_visible()
        return self.outcome.is_visible()

    @property
    def round(self) -> int:
        """Return the number of the current round."""
        found = re.search(r"round (\d+)", self.page.locator("main").inner_text())
        return int(found[1]) if found else 0

    def money(self) -> dict[str, int]:
        """Return the player's money by place, in cents."""
        text = self.page.get_by_role("group", name="Your money").inner_text()
        found = re.findall(r"(Chips|In play|Account)\s+\$([\d,]+(?:\.\d\d)?)", text)
        return {where: _cents(amount) for where, amount in found}

    def result_net(self) -> int:
        """Return the sum of the wager results in the result sentence, in cents."""
        shares = SHARE.findall(self.result())
        return sum(_cents(amount) * (1 if sign == "+" else -1) for sign, amount in shares)

    def press(self, what: Locator) -> None:
        """Click, or tap with touch input."""
        if self.how == "touch":
            what.tap()
        else:
            what.click()


def _cents(amount: str) -> int:
    return round(100 * float(amount.replace(",", "")))

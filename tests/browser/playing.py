"""A person at a table in the browser, who finds things by what they are called, with the mouse or by keys."""

import re
from typing import Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.watching import Window

How = Literal["mouse", "keys", "touch"]
KEYS = {
    "Ante": "a",
    "Aces Up": "u",
    "Bad Beat Bonus": "b",
    "Six Card Bonus": "s",
    "Cover All": "v",
    "Progressive": "p",
}
DECISIONS = {"Fold": "f", "Play 1x": "1", "Play 2x": "2", "Play 3x": "3"}
SHARE = re.compile(r"([+\u2212])\$([\d,]+(?:\.\d\d)?)")


class Person:
    """Somebody who has come by the player's link."""

    def __init__(self, window: Window, how: How = "mouse") -> None:
        """Look at the page as it is."""
        self.window, self.how = window, how
        self.page: Page = window.page

    def go_to(self, table: str) -> None:
        """Walk to a table."""
        self.page.goto(f"{self.window.address}/#/table/{table}")
        expect(self.page.get_by_role("region", name="Your controls")).to_be_visible()

    def sit_down(self, dollars: int | None = None) -> int:
        """Take the seat that is offered, with so many chips or those offered, and return its position."""
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
        expect(self.page.get_by_role("button", name="Deal", exact=True)).to_be_visible()
        return self.position

    def buy(self, dollars: int) -> None:
        """Change money of the account into more chips."""
        self.press(self.page.get_by_role("button", name="More chips"))
        self.page.get_by_label("Buy-in in dollars").fill(str(dollars))
        self.press(self.page.get_by_role("button", name=f"Buy ${dollars}", exact=True))
        expect(self.page.get_by_role("dialog", name="More chips")).to_be_hidden()

    @property
    def position(self) -> int:
        """Return the first own position."""
        name = self.spot("Ante").first.get_attribute("aria-label") or ""
        found = re.search(r"position (\d+)", name)
        assert found is not None, name
        return int(found[1])

    def spot(self, wager: str) -> Locator:
        """Return the own betting spots of a wager."""
        return self.page.get_by_role("button", name=re.compile(rf"^{wager}, position \d+, "))

    def offered(self) -> list[str]:
        """Return the wagers that can be placed at the own position."""
        return [wager for wager in KEYS if self.spot(wager).count()]

    def wager(self, wager: str) -> None:
        """Put a chip on a spot, and wait until the house has taken it."""
        spot, money = self.spot(wager).first, self.page.get_by_role("group", name="Your money")
        expect(spot).to_be_enabled()
        before = money.inner_text()
        if self.how == "keys":
            self.page.keyboard.press(KEYS[wager])
        else:
            self.press(spot)
        expect(money).not_to_have_text(before, use_inner_text=True)
        expect(spot).to_have_accessible_name(re.compile(rf"^{wager}, position \d+, \$"))

    def choose_smallest_chip(self) -> None:
        """Take up the smallest chips; one of them on an empty spot stands for the least that it takes."""
        chip = self.page.get_by_role("radio", name=re.compile(" chip$")).first
        expect(chip).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press("1")
        else:
            chip.check(force=True)
        expect(chip).to_be_checked()

    def deal(self) -> None:
        """Have the cards dealt."""
        deal = self.page.get_by_role("button", name="Deal", exact=True)
        expect(deal).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press("Enter")
        else:
            self.press(deal)

    def choose_seed(self, seed: str) -> None:
        """Mix a seed of one's own into the next shuffle."""
        question = self.page.get_by_text("Is the shuffle fair?")
        self.press(question)
        self.page.get_by_label(re.compile("^Your own seed")).fill(seed)
        self.press(self.page.get_by_role("button", name="Use this seed"))
        expect(self.page.get_by_text("Your seed goes into the next shuffle.")).to_be_visible()
        self.press(question)

    def leave(self) -> None:
        """Get up, so that nobody waits for a person who has gone."""
        self.press(self.page.get_by_role("button", name="Leave the table"))
        expect(self.page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()

    @property
    def decision(self) -> Locator:
        """Return where the person decides, which is there only when it is time."""
        return self.page.get_by_role("region", name=re.compile("^Your decision, position"))

    def decide(self, choice: str) -> None:
        """Decide once asked."""
        button = self.decision.get_by_role("button", name=choice, exact=True)
        expect(button).to_be_enabled()
        if self.how == "keys":
            self.page.keyboard.press(DECISIONS[choice])
        else:
            self.press(button)
        expect(self.decision).to_be_hidden()

    def cards(self, label: str = "Cards of position") -> list[str]:
        """Return the cards of some hand as they are called, such as those of the own position."""
        wanted = f"{label} {self.position}" if label.endswith("position") else label
        hand = self.page.get_by_label(re.compile(rf"^{wanted}(:|$)")).first
        return [card.get_attribute("aria-label") or "" for card in hand.get_by_role("img").all()]

    @property
    def outcome(self) -> Locator:
        """Return the sentence on the end of the round, which is there once it has ended."""
        return self.page.get_by_role("status", name="Result of the round").get_by_role("paragraph")

    @property
    def jackpot(self) -> Locator:
        """Return the sentence that says that a win of the progressive waits for the staff."""
        return self.page.get_by_text("A jackpot! It waits for the floor to confirm it.")

    def result(self) -> str:
        """Wait for the end of the round, and return what it brought, in words."""
        expect(self.outcome).to_be_visible()
        return self.outcome.inner_text()

    def ended_or_waits(self) -> bool:
        """Wait until the round ends, or waits for the staff to confirm a win; say whether it has ended."""
        expect(self.outcome.or_(self.jackpot)).to_be_visible()
        return self.outcome.is_visible()

    @property
    def round(self) -> int:
        """Return the number of the round that the table is at."""
        found = re.search(r"round (\d+)", self.page.locator("main").inner_text())
        return int(found[1]) if found else 0

    def money(self) -> dict[str, int]:
        """Return the own money by where it is, in cents."""
        text = self.page.get_by_role("group", name="Your money").inner_text()
        found = re.findall(r"(Chips|On the felt|Account)\s+\$([\d,]+(?:\.\d\d)?)", text)
        return {where: _cents(amount) for where, amount in found}

    def told_net(self) -> int:
        """Return the sum of what the result of the round says of each wager, in cents."""
        shares = SHARE.findall(self.result())
        return sum(_cents(amount) * (1 if sign == "+" else -1) for sign, amount in shares)

    def press(self, what: Locator) -> None:
        """Click, or tap on a phone."""
        if self.how == "touch":
            what.tap()
        else:
            what.click()


def _cents(amount: str) -> int:
    return round(100 * float(amount.replace(",", "")))

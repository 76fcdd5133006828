"""Page object: somebody who decides in the drills or the Daily Ten, and what Python says about it."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Literal

from playwright.sync_api import Locator, Page, expect

from fourcard.cards import RANK_NAMES, RANKS, SUIT_NAMES, rank_of, suit_of
from fourcard.odds.decision_values import Advice, BaseTerms, advice, base_terms
from fourcard.odds.verdicts import verdict_on
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import paytable
from tests.browser.player_page import MINUS

InputMethod = Literal["mouse", "keys"]
State = tuple[frozenset[int], int]
"""A hand without its order, and the up card."""
CHOICES = {"fold": "Fold", "1x": "Play 1x", "2x": "Play 2x", "3x": "Play 3x"}
KEYS = {"fold": "f", "1x": "1", "2x": "2", "3x": "3"}
NEXT = re.compile("^(Next hand|See your result)$")
CERTAIN_CHANCE = """let state = 20261119;
Math.random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};"""
"""Makes the browser's chance the same in every run."""


def card_name(card: int) -> str:
    """Return a card's name as screen readers hear it: "10 of spades"."""
    rank = RANKS[rank_of(card)]
    digits = "10" if rank == "T" else rank
    return f"{digits if digits.isdigit() else RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


CARD_NUMBERS = {card_name(card): card for card in range(52)}


@cache
def terms_of(name: str, bonus: str) -> BaseTerms:
    """Return the terms of a rulebook with a bonus table."""
    rules = rulebook(name)
    return base_terms(rules, paytable(rules, "automatic_bonus", bonus).pays)


def advised(hand: Sequence[int], up: int, rules: str = "massachusetts", bonus: str = "standard") -> Advice:
    """Return what `fourcard advise` says about a position."""
    return advice(sorted(hand), up, terms_of(rules, bonus))


def cost_of(said: Advice, choice: str) -> Fraction:
    """Return what a choice costs against the best one, in Antes."""
    return said.values[said.best] - said.values[choice]


class TrainerPage:
    """Somebody who decides with mouse or keyboard."""

    def __init__(self, page: Page, how: InputMethod = "mouse") -> None:
        """Use a page that shows a position."""
        self.page = page
        self.how: InputMethod = how
        self.place = page.get_by_role("region", name=re.compile(r"^Hand( \d+ of 10)?$"))
        self.choices = page.get_by_role("group", name="Your decision")
        self.feedback = page.get_by_role("region", name="Feedback")
        self.next_button = page.get_by_role("button", name=NEXT)

    def shown(self) -> State:
        """Return the position on the screen, once a decision is asked for."""
        expect(self.choices).to_be_visible()
        cards = _cards(self.place)
        own = _cards(self.place.get_by_role("group", name="Your cards"))
        (up,) = {*cards} - {*own}
        return frozenset(own), up

    def choose(self, choice: str) -> None:
        """Make a choice, and wait for its feedback."""
        if self.how == "keys":
            self.page.keyboard.press(KEYS[choice])
        else:
            self.choices.get_by_role("button", name=CHOICES[choice], exact=True).click()
        expect(self.feedback).to_be_visible()

    def decide(self, choice: str = "") -> Advice:
        """Make a choice (default: the best one), check all that is said about it, and return the advice."""
        hand, up = self.shown()
        said = advised([*hand], up)
        chosen = choice or said.best
        self.choose(chosen)
        self.expect_feedback(said, chosen)
        return said

    def expect_feedback(self, said: Advice, chosen: str) -> None:
        """Expect the verdict, the exact cost and the value of each choice."""
        cost = cost_of(said, chosen)
        expect(self.feedback).to_contain_text(re.compile(verdict_on(cost), re.IGNORECASE))
        if cost:
            expect(self.feedback).to_contain_text(f"costs {float(cost):.4f} Antes")
            expect(self.feedback).to_contain_text(f"{CHOICES[said.best]} is best")
        rows = self.feedback.locator("tbody tr").all_inner_texts()
        figures = [re.findall(rf"[+{MINUS}]\d\.\d{{4}}", row) for row in rows]
        assert figures == [[f"{float(each):+.4f}".replace("-", MINUS)] for each in said.values.values()]

    def next(self) -> None:
        """Go on to the next position or the result."""
        if self.how == "keys":
            expect(self.next_button).to_be_focused()
            self.page.keyboard.press("Enter")
        else:
            self.next_button.click()
        expect(self.feedback).to_be_hidden()


def _cards(place: Locator) -> list[int]:
    names = place.get_by_role("img").evaluate_all("images => images.map(each => each.ariaLabel)")
    return [CARD_NUMBERS[name] for name in names]

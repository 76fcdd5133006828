"""Drills: each decision judged as Python does, missed ones come back, the clock, and what is stored."""

import json
import re
from collections import Counter
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from fourcard.cards import parse_cards, rank_of
from fourcard.hands import Category, best_hand
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import faults_everywhere
from tests.browser.served_house import BrowserHouse
from tests.browser.trainer_page import CERTAIN_CHANCE, TrainerPage, advised, cost_of

STORED = "fourcard.drills"
FIRST_RETURN, SECOND_RETURN = 3, 8
"""Decisions until a missed position comes back, and until its kind does after that."""
CLASSES = ("no_pair", "low_pair", "high_pair", "two_pair", "strong")


def class_of(hand: frozenset[int]) -> str:
    """Return the class of a hand, told apart as players do."""
    held = best_hand(sorted(hand))
    if held.category is Category.PAIR:
        return "high_pair" if held.ranks[0] >= rank_of(32) else "low_pair"
    return {Category.HIGH_CARD: "no_pair", Category.TWO_PAIR: "two_pair"}.get(held.category, "strong")


def progress(**values: Any) -> dict[str, Any]:
    """Return stored progress."""
    empty = {"decisions": 0, "best": 0, "lost": 0, "streak": 0, "longest": 0, "missed": []}
    return {"version": 1, **empty, "classes": {each: [] for each in CLASSES}, **values}


@pytest.fixture
def window(running_house: BrowserHouse, open_window: OpenWindow) -> BrowserWindow:
    """Open the drills without signing in: they need no account."""
    window = open_window(running_house, f"{running_house.address}/#/settings")
    window.page.add_init_script(CERTAIN_CHANCE)
    window.page.reload()
    return window


def drill(window: BrowserWindow, query: str = "", stored: object = None) -> TrainerPage:
    """Open the drills with what the browser has stored."""
    text = stored if isinstance(stored, str) else json.dumps(stored)
    change = "([name, text]) => text === 'null' ? localStorage.clear() : localStorage.setItem(name, text)"
    window.page.goto(f"{window.address}/#/settings")
    window.page.evaluate(change, [STORED, text])
    window.page.goto(f"{window.address}/#/drills{query}")
    return TrainerPage(window.page)


def score(page: Page) -> str:
    return page.get_by_role("region", name="Score").inner_text()


def test_every_class_by_mouse_and_keyboard(window: BrowserWindow) -> None:
    person, lost, right = drill(window), 0.0, 0
    page = window.page
    classes = page.get_by_role("group", name="Hands")
    for number, name in enumerate(("No pair", "Low pair", "High pair", "Two pair", "Strong hands")):
        classes.get_by_role("radio", name=name).check()
        expect(page).to_have_url(re.compile(f"class={CLASSES[number]}"))
        person.how = "keys" if number % 2 else "mouse"
        for choice in ("", "2x"):
            hand, _ = person.shown()
            assert class_of(hand) == CLASSES[number]
            said = person.decide(choice)
            cost = float(cost_of(said, choice or said.best))
            lost, right = lost + cost, right + (cost == 0)
            person.next()
    assert f"{lost / 10:.4f}\nAntes, 10 in all, {10 * right}% best" in score(page)
    classes.get_by_role("radio", name="All hands").check()
    learn = page.get_by_role("region", name="What to learn next")
    worst = learn.get_by_role("row").nth(1)
    learn.get_by_role("button", name="Drill these").click()
    expect(worst.get_by_role("button", name="Drill")).to_have_attribute("aria-pressed", "true")
    hand, up = person.shown()
    spoken = page.locator("[aria-live=polite]").first
    expect(spoken).to_have_text(re.compile(f"^Your hand is {best_hand(sorted(hand)).name}: "))
    person.choose("2x")
    expect(spoken).to_have_text(re.compile("costs .* is best"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Enter or Space")
    page.keyboard.press("Escape")
    assert faults_everywhere(page) == {}
    page.get_by_role("link", name="Open in the calculator").click()
    expect(page.get_by_role("heading", name="Best choice")).to_be_visible()
    asked = parse_qs(page.url.partition("?")[2])
    assert {*parse_cards(asked["hand"][0])} == hand
    assert parse_cards(asked["up"][0]) == (up,)


def test_a_missed_hand_comes_back_after_growing_intervals(window: BrowserWindow) -> None:
    person = drill(window, "?class=low_pair")
    person.how = "keys"
    missed = person.shown()
    person.decide("2x")
    shown = [missed]
    for _ in range(FIRST_RETURN + 1 + SECOND_RETURN + 1):
        person.next()
        shown.append(person.shown())
        person.decide()
    first = FIRST_RETURN + 1
    assert [at for at, state in enumerate(shown) if state == missed] == [0, first]
    second = first + SECOND_RETURN + 1
    assert kind(*shown[second]) == kind(*missed)
    expect(person.feedback).to_contain_text("You missed a hand like this before")
    assert f"{second}\nlongest {second}" in score(window.page)


def kind(hand: frozenset[int], up: int) -> tuple[int, int]:
    return best_hand(sorted(hand)).ranks[0], rank_of(up)


def test_a_class_that_costs_more_comes_more_often(window: BrowserWindow) -> None:
    costly, mastered = [[0.9, False]] * 20, [[0, True]] * 20
    classes = dict.fromkeys(CLASSES, mastered) | {"two_pair": costly}
    person = drill(window, stored=progress(classes=classes, decisions=100, best=80, lost=18.0))
    person.how = "keys"
    found = Counter[str]()
    for _ in range(12):
        hand, up = person.shown()
        found[class_of(hand)] += 1
        person.choose(advised([*hand], up).best)
        person.next()
    assert found["two_pair"] > 2 * found["strong"] + 1, found
    expect(window.page.get_by_role("region", name="What to learn next")).to_contain_text(
        re.compile("^What to learn next\\s*Two pair")
    )


def test_a_decision_that_comes_too_late_is_a_miss(window: BrowserWindow) -> None:
    window.page.clock.install()
    person = drill(window, "?class=no_pair&clock=4", progress(streak=7, longest=7, decisions=7, best=7))
    hand, up = person.shown()
    timer = window.page.get_by_role("timer")
    expect(timer).to_have_accessible_name(re.compile("Time left: [34] seconds"))
    window.page.clock.fast_forward(2000)
    expect(person.choices).to_be_visible()
    window.page.clock.fast_forward(3000)
    expect(person.feedback).to_contain_text("Time is up: the hand is folded")
    expect(person.feedback.get_by_role("row", name="Fold")).to_contain_text("yours")
    assert "0\nlongest 7" in score(window.page)
    stored = json.loads(window.page.evaluate("(name) => localStorage.getItem(name)", STORED))
    assert [({*each["hand"]}, each["up"]) for each in stored["missed"]] == [({*hand}, up)]
    window.page.get_by_role("group", name="Clock").get_by_role("radio", name="No clock").check()
    person.shown()
    expect(timer).to_be_hidden()


BAD = ("{", "[1, 2]", {"version": 2}, progress(decisions=-1), progress(lost="much"), progress(classes=None))


def test_bad_progress_counts_as_none(window: BrowserWindow) -> None:
    for stored in BAD:
        drill(window, stored=stored).shown()
        assert "0 in all" in score(window.page), stored
    missed = {"hand": [0, 1, 2, 3, 3], "up": 9, "terms": "massachusetts-standard", "stage": 0, "due": 0}
    lists = {each: [[0.5, False], ["1"], None, [-1, True]] for each in CLASSES}
    person = drill(window, stored=progress(decisions=5, classes=lists, missed=[missed, 7, None, {}]))
    person.decide()
    stored = json.loads(window.page.evaluate("(name) => localStorage.getItem(name)", STORED))
    assert stored["decisions"] == 6
    assert sum(len(each) for each in stored["classes"].values()) == len(CLASSES) + 1
    assert stored["missed"] == []


def test_progress_is_reset_after_a_question(window: BrowserWindow) -> None:
    window.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    window.page.goto(f"{window.address}/#/drills")
    person = TrainerPage(window.page, "keys")
    for _ in range(2):
        person.decide()
        person.next()
    assert "2\nlongest 2" in score(window.page)
    for answer in ("Keep them", "Reset"):
        window.page.get_by_role("button", name="Reset").press("Enter")
        question = window.page.get_by_role("dialog", name="Reset your drills?")
        question.get_by_role("button", name=answer).press("Enter")
        expect(question).to_be_hidden()
        assert f"{2 if answer == 'Keep them' else 0}\nlongest" in score(window.page)
    person.shown()

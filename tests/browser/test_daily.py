"""Daily Ten: the same ten decisions as Python draws from the date, one try, and the result to share."""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import expect

from fourcard.cards import card_text, cards_text, parse_cards
from fourcard.odds.verdicts import verdict_on
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import faults_everywhere
from tests.browser.served_house import BrowserHouse
from tests.browser.test_drills import class_of
from tests.browser.trainer_page import State, TrainerPage, advised, cost_of
from tests.kit.support import ROOT

TODAY = date(2026, 11, 19)
YESTERDAY = TODAY - timedelta(days=1)
STORED = "fourcard.daily"
DRAWS = (
    *[("no_pair", 6)] * 2,
    *[("low_pair", 4)] * 3,
    ("low_pair", 1),
    *[("high_pair", 4)] * 2,
    ("two_pair", 1),
    ("strong", 1),
)
SQUARES = {
    "best": "\N{LARGE GREEN SQUARE}",
    "inaccuracy": "\N{LARGE YELLOW SQUARE}",
    "mistake": "\N{LARGE ORANGE SQUARE}",
    "blunder": "\N{LARGE RED SQUARE}",
}
MASK = (1 << 64) - 1


def split_mix(seed: int) -> Iterator[int]:
    """Give the numbers of SplitMix64 from a seed."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        mixed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def drawn(numbers: Iterator[int], count: int, limit: int) -> list[int]:
    """Draw different numbers below a limit, as docs/player/training.md says."""
    found = [*range(limit)]
    for at in range(count):
        other = at + next(numbers) % (limit - at)
        found[at], found[other] = found[other], found[at]
    return found[:count]


def margin(state: State) -> Fraction:
    """Return what the best choice gains over the second best."""
    values = sorted(advised([*state[0]], state[1]).values.values())
    return values[-1] - values[-2]


@cache
def ten_of(day: date) -> list[State]:
    """Return the ten decisions of a date."""
    found = list[State]()
    seed = 100 * int(f"{day:%Y%m%d}")
    for place in drawn(split_mix(seed), 10, 10):
        numbers, candidates = split_mix(seed + place + 1), list[State]()
        wanted, count = DRAWS[place]
        while len(candidates) < count:
            *hand, up = drawn(numbers, 6, 52)
            if class_of(frozenset(hand)) == wanted:
                candidates.append((frozenset(hand), up))
        found.append(min(candidates, key=margin))
    return found


@pytest.fixture
def windows(running_house: BrowserHouse, open_window: OpenWindow) -> list[BrowserWindow]:
    """Open two browsers at noon of the same date."""
    opened = [open_window(running_house, f"{running_house.address}/#/settings") for _ in range(2)]
    for window in opened:
        window.page.clock.set_fixed_time(f"{TODAY}T12:00:00Z")
    return opened


def open_daily(window: BrowserWindow, stored: object = None, day: date | None = None) -> TrainerPage:
    """Open the page, with what the browser has stored and on a date."""
    window.page.goto(f"{window.address}/#/settings")
    if stored is not None:
        text = stored if isinstance(stored, str) else json.dumps(stored)
        window.page.evaluate("([name, text]) => localStorage.setItem(name, text)", [STORED, text])
    if day is not None:
        window.page.clock.set_fixed_time(f"{day}T12:00:00Z")
    window.page.goto(f"{window.address}/#/daily")
    return TrainerPage(window.page)


def tries(dates: dict[date, tuple[str, float | None]]) -> dict[str, Any]:
    """Return stored tries by date: the choices and the cents."""
    made = {str(day): {"choices": choices, "cents": cents} for day, (choices, cents) in dates.items()}
    return {"version": 1, "dates": made}


def expect_result(window: BrowserWindow, costs: list[Fraction], streak: int = 1) -> None:
    """Expect the exact score of ten decisions, and its text to share."""
    page, cents = window.page, f"{float(1000 * sum(costs)):,.1f}\N{CENT SIGN}"
    result = page.get_by_role("region", name="Your result")
    expect(result.get_by_role("heading")).to_contain_text(f"{cents} lost per $10 Ante")
    expect(page.get_by_role("status").filter(has_text=f"All ten are decided: {cents}")).to_be_attached()
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    result.get_by_role("button", name="Copy result").press("Enter")
    expect(result.get_by_role("button", name="Result copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == [
        f"fourcard Daily Ten {TODAY}",
        "".join(SQUARES[verdict_on(cost)] for cost in costs),
        f"{cents} lost per $10 Ante \N{MIDDLE DOT} {costs.count(Fraction(0))} of 10 best"
        + (f" \N{MIDDLE DOT} {streak} days in a row" if streak > 1 else ""),
        f"{window.address}/#/daily",
    ]


def test_everybody_gets_the_ten_of_the_date(windows: list[BrowserWindow]) -> None:
    expected = ten_of(TODAY)
    told = " ".join((ROOT / "docs" / "player" / "training.md").read_text(encoding="utf-8").split())
    for hand, up in (expected[0], expected[-1]):
        assert f"`{cards_text(sorted(hand, reverse=True))}` against `{card_text(up)}`" in told
    guesses = ["1x", "3x", "fold", "2x", "1x"] * 2
    window, other = windows
    person, costs = open_daily(window), list[Fraction]()
    for number, (choice, state) in enumerate(zip(guesses, expected, strict=True), 1):
        expect(person.place).to_have_accessible_name(f"Hand {number} of 10")
        assert person.shown() == state
        costs.append(cost_of(person.decide(choice), choice))
        if number == 4:
            window.page.reload()
        else:
            person.next()
    expect_result(window, costs)
    decisions = window.page.get_by_role("region", name="Your ten decisions").locator("li .cost")
    assert decisions.all_inner_texts() == [f"{float(1000 * cost):,.1f}\N{CENT SIGN}" for cost in costs]

    person = open_daily(other)
    person.how = "keys"
    for hand, up in expected:
        assert person.shown() == (hand, up)
        person.choose(advised([*hand], up).best)
        person.next()
    expect_result(other, [Fraction(0)] * 10)

    page = window.page
    hardest = page.get_by_role("region", name=re.compile("^Yesterday.s hardest hand$"))
    hand, up = min(ten_of(YESTERDAY), key=margin)
    expect(hardest).to_contain_text(f"{float(margin((hand, up))):.4f} Antes")
    link = hardest.get_by_role("link", name="Open in the calculator").get_attribute("href") or ""
    asked = re.search(r"hand=([^&]*)&up=(..)", link)
    assert asked is not None
    assert {*parse_cards(asked[1].replace("+", " "))} == hand
    assert parse_cards(asked[2]) == (up,)
    said = advised([*hand], up)
    expect(hardest.get_by_role("row").filter(has_text="best")).to_contain_text(
        f"{float(said.values[said.best]):+.4f}".replace("-", "\N{MINUS SIGN}")
    )
    assert faults_everywhere(page) == {}


def test_a_date_has_one_try(windows: list[BrowserWindow]) -> None:
    window, _ = windows
    page, done = window.page, "0" * 10
    before = {YESTERDAY - timedelta(days=each): (done, 100.0) for each in range(3)}
    person = open_daily(window, tries(before | {TODAY: ("012301230", None)}))
    expect(person.place).to_have_accessible_name("Hand 10 of 10")
    other = window.context.new_page()
    other.clock.set_fixed_time(f"{TODAY}T12:00:00Z")
    other.goto(page.url)
    elsewhere = TrainerPage(other)
    elsewhere.shown()
    person.choose("fold")
    person.next()
    elsewhere.choices.get_by_role("button", name="Play 3x").click()
    choices = ["fold", "1x", "2x", "3x"] * 2 + ["fold", "fold"]
    states = zip(choices, ten_of(TODAY), strict=True)
    costs = [cost_of(advised([*hand], up), choice) for choice, (hand, up) in states]
    expect_result(window, costs, streak=4)
    heading = other.get_by_role("heading", name="Your result")
    expect(heading).to_have_text(page.get_by_role("heading", name="Your result").inner_text())

    open_daily(window, day=TODAY + timedelta(days=1)).shown()
    open_daily(window, day=TODAY)
    expect_result(window, costs, streak=4)
    expect(page.get_by_role("region", name="Your result")).to_contain_text(re.compile(r"Longest\s*4"))


BAD = (
    "{",
    '"text"',
    {"version": 2, "dates": {str(TODAY): {"choices": "0" * 10, "cents": 0}}},
    {"version": 1, "dates": [str(TODAY)]},
    {"version": 1, "dates": {str(TODAY): {"choices": "0" * 11, "cents": 0}, "today": None}},
    {"version": 1, "dates": {str(TODAY): {"choices": "99", "cents": None}}},
)


def test_bad_tries_count_as_none(windows: list[BrowserWindow]) -> None:
    for stored in BAD:
        person = open_daily(windows[0], stored)
        expect(person.place).to_have_accessible_name("Hand 1 of 10")
    open_daily(windows[0], BAD[0]).decide()
    kept = json.loads(windows[0].page.evaluate("(name) => localStorage.getItem(name)", STORED))
    assert [*kept["dates"]] == [str(TODAY)]

"""Speed: how long a round takes at each player's speed, measured in the page of a house as it is served."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenWindow, serve_house
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse

INSTANT = 400
"""Milliseconds that each half of a round takes at most."""
LEAST_NORMAL = 1_500
"""Milliseconds that a round at normal speed takes at least, alone with two bots."""
LEAST_DEAL = 600
"""Of them, until the first decision."""
ROUNDS = 9
"""Rounds that are measured; the middle one counts, because the machine is shared."""
DEAL = "button:is([aria-label=Deal], [aria-label='Rebet and deal']):enabled"
FOLD = "button[aria-label=Fold]:enabled"
DECISION = "[aria-label^='Your decision']"
RESULT = "[aria-label='Result of the round'] p"
TIME = """async ([press, gone, appears]) => {
  const until = async (found) => { while (!found()) await new Promise(requestAnimationFrame); };
  const one = (selector) => document.querySelector(selector);
  await until(() => one(press));
  const start = performance.now();
  one(press).click();
  await until(() => !one(gone));
  await until(() => one(appears));
  return performance.now() - start;
}"""
"""Presses a button, and returns the milliseconds until one thing has gone and another is there."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house with the dealer's usual pauses and two bots."""
    with serve_house(tmp_path_factory.mktemp("usual")) as house:
        yield house


def choose_speed(person: PlayerPage, speed: str) -> None:
    """Choose a speed in the settings at the table."""
    person.press(person.page.get_by_role("button", name="Settings", exact=True))
    settings = person.page.get_by_role("dialog", name="Settings")
    settings.get_by_role("radio", name=speed).check(force=True)
    person.page.keyboard.press("Escape")
    expect(settings).to_be_hidden()


def sit(person: PlayerPage, table: str, speed: str) -> PlayerPage:
    """Take a seat with an Ante down, at a speed."""
    person.open_table(table)
    choose_speed(person, speed)
    person.sit_down()
    person.choose_smallest_chip()
    person.wager("Ante")
    return person


def until_decision(page: Page) -> float:
    """Return how long a deal takes, in milliseconds."""
    return float(page.evaluate(TIME, [DEAL, RESULT, DECISION]))


def until_result(page: Page) -> float:
    """Return how long the rest of a round takes after a fold, in milliseconds."""
    return float(page.evaluate(TIME, [FOLD, DECISION, RESULT]))


def play_round(person: PlayerPage) -> tuple[float, float]:
    """Return the milliseconds from Deal to the decision, and from a fold to the result."""
    return until_decision(person.page), until_result(person.page)


def test_a_round_takes_as_long_as_the_player_wants(served: BrowserHouse, open_window: OpenWindow) -> None:
    person = sit(PlayerPage(open_window(served)), "maryland", "Instant")
    deals, results = zip(*(play_round(person) for _ in range(ROUNDS)), strict=True)
    assert sorted(deals)[ROUNDS // 2] < INSTANT, deals
    assert sorted(results)[ROUNDS // 2] < INSTANT, results
    choose_speed(person, "Fast")
    fast = sum(play_round(person))
    choose_speed(person, "Normal")
    normal = sum(play_round(person))
    assert sum(map(min, (deals, results))) < fast < normal
    assert normal > LEAST_NORMAL, "the dealer of this house makes no pauses"
    until_decision(person.page)
    person.page.keyboard.press("f")
    expect(person.page.get_by_role("button", name="Skip")).to_be_enabled()
    skipped = float(person.page.evaluate(TIME, ["button[aria-label=Skip]:enabled", DECISION, RESULT]))
    assert skipped < normal / 3, (skipped, normal)
    person.leave()


def test_with_two_people_the_slower_counts(served: BrowserHouse, open_window: OpenWindow) -> None:
    quick = sit(PlayerPage(open_window(served)), "washington", "Instant")
    slow = sit(PlayerPage(open_window(served)), "washington", "Normal")
    first, second = sorted((quick, slow), key=lambda person: person.position)
    second.deal()
    expect(second.page.get_by_role("button", name="Deal", exact=True)).to_be_disabled()
    assert until_decision(first.page) > LEAST_DEAL
    for person in (first, second):
        person.decide("Fold")
    for person in (first, second):
        person.result()
        person.leave()

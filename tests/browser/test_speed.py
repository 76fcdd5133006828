"""Speed: how long a round takes at each player's speed, measured in the page of a house as it is served."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenWindow, serve_house
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse

INSTANT = 400
"""Milliseconds that each half of a round takes at most."""
ROUNDS = 4
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
"""Presses a button, and returns the milliseconds until something else has gone and what it leads to is there."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house with the dealer's usual pauses and two bots."""
    with serve_house(tmp_path_factory.mktemp("usual")) as house:
        yield house


def sit(window_page: PlayerPage, table: str, speed: str) -> PlayerPage:
    """Take a seat with an Ante down, at a speed."""
    window_page.page.evaluate("(speed) => localStorage.setItem('fourcard.speed', JSON.stringify(speed))", speed)
    window_page.open_table(table)
    window_page.sit_down()
    window_page.choose_smallest_chip()
    window_page.wager("Ante")
    return window_page


def until_decision(page: Page) -> float:
    """Return how long a deal takes, in milliseconds."""
    return float(page.evaluate(TIME, [DEAL, RESULT, DECISION]))


def until_result(page: Page) -> float:
    """Return how long the rest of a round takes after a fold, in milliseconds."""
    return float(page.evaluate(TIME, [FOLD, DECISION, RESULT]))


def test_a_round_at_instant_takes_no_time(served: BrowserHouse, open_window: OpenWindow) -> None:
    person = sit(PlayerPage(open_window(served)), "maryland", "instant")
    rounds = [(until_decision(person.page), until_result(person.page)) for _ in range(ROUNDS)]
    person.leave()
    deals, results = zip(*rounds, strict=True)
    assert sorted(deals)[ROUNDS // 2] < INSTANT, rounds
    assert sorted(results)[ROUNDS // 2] < INSTANT, rounds

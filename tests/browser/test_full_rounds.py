"""Full rounds under each rulebook with mouse, keyboard and touch."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.browser_window import PHONE, SIZES
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import InputMethod, PlayerPage
from tests.browser.served_house import BrowserHouse, StaffClient

TABLES = {
    "massachusetts": ["Ante", "Aces Up", "Cover All", "Progressive"],
    "shuffle-master": ["Ante", "Aces Up", "Bad Beat Bonus", "Progressive"],
    "maryland": ["Ante", "Aces Up", "Six Card Bonus", "Progressive"],
    "washington": ["Ante", "Aces Up", "Bad Beat Bonus", "Progressive"],
    "catfish-bend": ["Ante", "Aces Up"],
}
"""The tables of a local house, one for each rulebook, with their wagers."""


@pytest.fixture(scope="module")
def staff(running_house: BrowserHouse) -> Iterator[StaffClient]:
    with StaffClient(running_house) as person:
        yield person


def play_round(person: PlayerPage, staff: StaffClient, wagers: list[str], choice: str) -> None:
    """Play a round, and compare the shown result and chips with the server's."""
    table = person.page.url.rpartition("/")[2]
    person.choose_smallest_chip()
    before = person.money()
    for wager in wagers:
        person.wager(wager)
    assert person.money()["In play"] + person.money()["Chips"] == before["Chips"]
    person.deal()
    expect(person.decision).to_be_visible()
    assert len(person.cards()) == 5
    assert "face-down card" not in person.cards()
    dealt = person.cards("Dealer's cards")
    assert dealt.count("face-down card") == len(dealt) - 1
    person.decide(choice)
    if not person.ended_or_awaits_staff():
        staff.confirm_win(table)
    net = person.result_net()
    assert "face-down card" not in person.cards("Dealer's cards")
    assert person.money()["Chips"] - before["Chips"] == net
    ended = staff.table_state(table)["view"]["last"]["places"]
    assert net == next(place["net"] for place in ended if place["position"] == person.position)


@pytest.mark.parametrize("how", ["mouse", "keys"])
@pytest.mark.parametrize("table", TABLES)
def test_a_whole_round(
    running_house: BrowserHouse, staff: StaffClient, open_window: OpenWindow, table: str, how: InputMethod
) -> None:
    person = PlayerPage(open_window(running_house), how)
    person.open_table(table)
    person.sit_down()
    assert sorted(person.offered_wagers()) == sorted(TABLES[table])
    play_round(person, staff, person.offered_wagers(), "Play 1x" if how == "mouse" else "Play 3x")
    person.leave()


def test_a_whole_round_by_touch_on_a_phone(
    running_house: BrowserHouse, staff: StaffClient, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house, size=PHONE), "touch")
    person.open_table("maryland")
    person.sit_down()
    play_round(person, staff, person.offered_wagers(), "Play 2x")
    person.leave()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_fold_in_a_window_that_nothing_is_wider_than(
    running_house: BrowserHouse, staff: StaffClient, open_window: OpenWindow, size: ViewportSize
) -> None:
    person = PlayerPage(open_window(running_house, size=size))
    person.open_table("massachusetts")
    person.sit_down()
    person.show_whole_log()
    play_round(person, staff, ["Ante"], "Fold")
    expect(person.page.get_by_role("log")).to_contain_text(re.compile(r"\(you\) folds"))
    assert person.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    person.leave()

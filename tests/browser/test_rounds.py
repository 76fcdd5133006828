"""Whole rounds under each rulebook, by mouse, by keys and by touch."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Opening
from tests.browser.playing import How, Person
from tests.browser.serving import Served
from tests.browser.staff import Staff
from tests.browser.watching import PHONE, SIZES

TABLES = {
    "massachusetts": ["Ante", "Aces Up", "Cover All", "Progressive"],
    "shuffle-master": ["Ante", "Aces Up", "Bad Beat Bonus", "Progressive"],
    "maryland": ["Ante", "Aces Up", "Six Card Bonus", "Progressive"],
    "washington": ["Ante", "Aces Up", "Bad Beat Bonus", "Progressive"],
    "catfish-bend": ["Ante", "Aces Up"],
}
"""The tables of a house of one's own, one of each rulebook, and the wagers on their felt."""


@pytest.fixture(scope="module")
def staff(served: Served) -> Iterator[Staff]:
    with Staff(served) as person:
        yield person


def play_round(person: Person, staff: Staff, wagers: list[str], choice: str) -> None:
    """Place wagers, have the cards dealt, decide, and hold words and chips to what the house says."""
    table = person.page.url.rpartition("/")[2]
    person.choose_smallest_chip()
    before = person.money()
    for wager in wagers:
        person.wager(wager)
    assert person.money()["On the felt"] + person.money()["Chips"] == before["Chips"]
    person.deal()
    expect(person.decision).to_be_visible()
    assert len(person.cards()) == 5
    assert "a card face down" not in person.cards()
    dealt = person.cards("Dealer's cards")
    assert dealt.count("a card face down") == len(dealt) - 1
    person.decide(choice)
    if not person.ended_or_waits():
        staff.confirm(table)
    net = person.told_net()
    assert "a card face down" not in person.cards("Dealer's cards")
    assert person.money()["Chips"] - before["Chips"] == net
    ended = staff.look(table)["view"]["last"]["places"]
    assert net == next(place["net"] for place in ended if place["position"] == person.position)


@pytest.mark.parametrize("how", ["mouse", "keys"])
@pytest.mark.parametrize("table", TABLES)
def test_a_whole_round(served: Served, staff: Staff, opened: Opening, table: str, how: How) -> None:
    person = Person(opened(served), how)
    person.go_to(table)
    person.sit_down()
    assert sorted(person.offered()) == sorted(TABLES[table])
    play_round(person, staff, person.offered(), "Play 1x" if how == "mouse" else "Play 3x")
    person.leave()


def test_a_whole_round_by_touch_on_a_phone(served: Served, staff: Staff, opened: Opening) -> None:
    person = Person(opened(served, size=PHONE), "touch")
    person.go_to("maryland")
    person.sit_down()
    play_round(person, staff, person.offered(), "Play 2x")
    person.leave()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_fold_in_a_window_that_nothing_is_wider_than(
    served: Served, staff: Staff, opened: Opening, size: ViewportSize
) -> None:
    person = Person(opened(served, size=size))
    person.go_to("massachusetts")
    person.sit_down()
    play_round(person, staff, ["Ante"], "Fold")
    expect(person.page.get_by_role("log")).to_contain_text(re.compile(r"\(you\) folds"))
    assert person.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    person.leave()

"""A round goes on after the page was loaded again, and after the server was killed and started again."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.serving import Served

TABLE = "maryland"
GONE = r"WebSocket|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE"
"""What a browser writes on its console while nobody answers."""


def until_the_decision(person: Person) -> tuple[list[str], list[str], dict[str, int]]:
    """Sit down and play until the own decision; return the own cards, the dealer's, and the money."""
    person.go_to(TABLE)
    person.sit_down()
    person.wager("Ante")
    person.wager("Aces Up")
    person.deal()
    return seen_in_the_decision(person)


def seen_in_the_decision(person: Person) -> tuple[list[str], list[str], dict[str, int]]:
    expect(person.decision).to_be_visible()
    return person.cards(), person.cards("Dealer's cards"), person.money()


def test_a_reload_in_mid_round_changes_nothing(served: Served, opened: Opening) -> None:
    person = Person(opened(served))
    before = until_the_decision(person)
    person.page.reload()
    assert seen_in_the_decision(person) == before
    person.decide("Play 1x")
    person.result()
    person.leave()


def test_a_reload_before_the_cards_keeps_the_wagers(served: Served, opened: Opening) -> None:
    person = Person(opened(served))
    person.go_to(TABLE)
    person.sit_down()
    person.wager("Ante")
    before = person.money()
    person.page.reload()
    expect(person.page.get_by_role("button", name="Deal", exact=True)).to_be_enabled()
    assert person.money() == before
    person.press(person.page.get_by_role("button", name=re.compile("^Take back Ante")))
    expect(person.page.get_by_role("group", name="Your money")).not_to_contain_text("On the felt")
    person.leave()


def test_a_round_survives_a_killed_server(own_house: Served, opened: Opening) -> None:
    person = Person(opened(own_house))
    before = until_the_decision(person)
    person.window.forgive(GONE)
    own_house.kill()
    expect(person.page.get_by_role("alert")).to_contain_text("The connection to the house is lost.")
    own_house.start()
    expect(person.page.get_by_role("alert")).to_be_hidden(timeout=30_000)
    assert seen_in_the_decision(person) == before
    person.decide("Play 2x")
    chips = before[2]["Chips"] + before[2]["On the felt"]
    assert person.told_net() == person.money()["Chips"] - chips
    assert own_house.stop() == 0

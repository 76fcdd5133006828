"""Counts on the staff page: the field starts empty, and a wrong number has consequences."""

from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Browser, Locator, expect

from fourcard.cards import DECK
from fourcard.house.decision import table_stream
from fourcard.round.commands import Deal, Perform
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.preconditions import next_step
from fourcard.table.autopilot import next_command
from tests.api.served_house import CREW, PASSWORD, QUICK, ServedHouse, create_house, keyed_table
from tests.browser.browser_window import BrowserWindow


@pytest.fixture
def hall() -> Iterator[ServedHouse]:
    """Serve one table that waits for a chip count, and one that waits for a stub count."""
    house = create_house()
    for table, example, step in (
        ("chips", "maryland-everything", "count_chips"),
        ("stub", "massachusetts", "count_stub"),
    ):
        keyed_table(house, table, example, progressive=table == "chips")
        cards = iter(DECK)
        while True:
            state = house.service.table(table).state
            assert state.round is not None
            expected, act = next_step(state.round), next_command(state)
            if expected is not None and expected.step == step:
                break
            if isinstance(act, Deal):
                act = Deal(cards=tuple(islice(cards, upcoming_move(state.round).count)))
            assert isinstance(act, Deal | Perform)
            house.do(table_stream(table), act, CREW)
    with ServedHouse(house, QUICK) as served:
        yield served


@pytest.fixture
def window(browser: Browser, hall: ServedHouse) -> Iterator[BrowserWindow]:
    """Open a window."""
    made = BrowserWindow(browser, hall.address)
    yield made
    made.close()


def sign_in(window: BrowserWindow, person: str, table: str) -> None:
    """Sign in as staff, and open a table's console."""
    page = window.page
    page.goto(f"{window.address}/#/staff")
    page.get_by_role("radio", name="Staff").check()
    page.get_by_role("textbox", name="Name").fill(person)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("main")).to_contain_text(f"{person.title()}: ")
    page.goto(f"{window.address}/#/staff/table/{table}")


def enter(field: Locator, button: Locator, number: int) -> None:
    """Enter a count into its empty, required field, and send it."""
    expect(field).to_have_value("")
    assert field.get_attribute("placeholder") is None
    assert field.evaluate("each => each.required")
    field.fill(str(number))
    button.click()


def test_chips_are_entered_by_who_counts_and_a_difference_calls_the_floor(
    window: BrowserWindow, hall: ServedHouse
) -> None:
    sign_in(window, "dan", "chips")
    due_next = window.page.get_by_role("region", name="Next step")
    button = due_next.get_by_role("button", name="Count the progressive chips as dealer")
    before = hall.heads()
    button.click()
    assert hall.heads() == before, "a count without a number is not sent"
    enter(due_next.get_by_label("Number counted"), button, 2)
    said = window.page.get_by_role("region", name="Dealer log")
    expect(said).to_contain_text("2 chips for 1 accepted wager: a floorperson is called.")
    expect(due_next).to_contain_text("by the floorperson")


def test_a_stub_is_entered_and_judged_by_who_counts(window: BrowserWindow, hall: ServedHouse) -> None:
    sign_in(window, "dan", "stub")
    page = window.page
    page.get_by_text("Other actions at this table").click()
    button = page.get_by_role("button", name="perform, step count stub")
    enter(page.get_by_label("Number counted"), button, 40)
    said = page.get_by_role("region", name="Dealer log")
    expect(said).to_contain_text("The stub has 40 cards, not 41.")
    judge = page.get_by_role("button", name="judge count")
    page.get_by_label("Cards in the stub").fill("40")
    page.get_by_label("Dealer's hand").fill("6")
    enter(page.get_by_label("Hand at position 1"), judge, 5)
    expect(said).to_contain_text("void")
    state = hall.house.service.table("stub").state
    assert state.decks[0].removed

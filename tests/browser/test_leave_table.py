"""Leaving a table: chips return to the account every way, and the page shows where chips are."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.browser_window import DESKTOP, PHONE
from tests.browser.conftest import QUICK, OpenWindow, serve_house
from tests.browser.player_page import DEAL, InputMethod, PlayerPage
from tests.browser.served_house import BrowserHouse

TABLES = ("shuffle-master", "maryland", "washington", "catfish-bend")
CLOSING = "massachusetts"
"""A table at which no other test of the house without bots plays."""
PURSE = "$1,000"


def change_table(page: Page) -> None:
    """Go back to the lobby."""
    page.get_by_role("link", name="Change table").click()
    expect(page.get_by_role("heading", name="Choose your table")).to_be_visible()


def account(page: Page, amount: str = PURSE) -> None:
    """Expect the header to show the account and no chips."""
    money = page.get_by_role("region", name="Your account")
    expect(money).to_have_text(re.compile(rf"^\s*Account \{amount}\s*$"))
    expect(page.get_by_role("region", name="Your chips")).to_be_hidden()


def test_one_sits_at_three_tables_after_each_other_and_has_all_money_at_the_fourth(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house))
    for table in TABLES[:3]:
        person.open_table(table)
        person.sit_down()
        assert person.money()["Chips"] > 0
        change_table(person.page)
        account(person.page)
    person.open_table(TABLES[3])
    assert person.money() == {"Chips": 0, "Account": 100_000}
    person.sit_down()
    person.leave()


@pytest.mark.parametrize(("how", "size"), [("mouse", DESKTOP), ("touch", PHONE)], ids=["mouse", "touch"])
def test_one_leaves_by_pointer_while_bets_are_open_and_after_a_result(
    quiet_house: BrowserHouse, open_window: OpenWindow, how: InputMethod, size: ViewportSize
) -> None:
    person = PlayerPage(open_window(quiet_house, size=size), how)
    leave = person.page.get_by_role("button", name="Leave the table")
    sit = person.page.get_by_role("button", name="Sit down", exact=True)
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    person.press(leave)
    expect(sit).to_be_visible()
    assert account_of(person) == 100_000
    assert person.money() == {"Chips": 0} | ({"Account": 100_000} if size is DESKTOP else {})
    person.sit_down()
    person.wager("Ante")
    person.deal()
    person.decide("Fold")
    net = person.result_net()
    expect(person.page.get_by_role("button", name=DEAL)).to_be_visible()
    person.press(leave)
    expect(sit).to_be_visible()
    assert account_of(person) == 100_000 + net


def account_of(person: PlayerPage) -> int:
    """Return a player's account as the server knows it; there must be no chips at any table."""
    answer = person.page.request.get(f"{person.window.address}/api/me").json()
    assert answer["stacks"] == []
    return int(answer["account"])


def test_a_seat_kept_for_a_round_says_so_and_is_cashed_out_after_it(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house))
    page = person.page
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    change_table(page)
    chips = page.get_by_role("region", name="Your chips")
    expect(chips).to_contain_text("You leave after this round.")
    expect(page.get_by_role("region", name="Your account")).to_contain_text("Chips $")
    chips.get_by_role("link").click()
    notice = page.get_by_role("status", name="Notice")
    expect(notice).to_contain_text("You leave after this round")
    person.decide("Play 1x")
    assert person.result_net() is not None
    net = person.result_net()
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()
    expect(notice).to_be_hidden()
    assert person.money() == {"Chips": 0, "Account": 100_000 + net}


def test_who_stays_after_all_keeps_the_seat(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    person = PlayerPage(open_window(quiet_house))
    page = person.page
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("button", name="Stay", exact=True).click()
    expect(page.get_by_role("status", name="Notice")).to_be_hidden()
    person.decide("Fold")
    person.result()
    expect(page.get_by_role("button", name=DEAL)).to_be_visible()
    assert person.money()["Chips"] > 0
    person.leave()


def test_the_lobby_shows_where_chips_lie_and_cashes_them_out(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house))
    page = person.page
    person.open_table("maryland")
    person.sit_down()
    held = person.money()["Chips"] // 100
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    money = page.get_by_role("region", name="Your account")
    expect(money).to_contain_text(f"Chips ${held}")
    page.get_by_role("navigation").get_by_role("link", name="Play").click()
    chips = page.get_by_role("region", name="Your chips")
    expect(chips).to_contain_text(f"${held}")
    expect(chips).to_contain_text("You still have your seat.")
    chips.get_by_role("button", name=re.compile("^Cash out at ")).click()
    account(page)


def test_the_staff_call_the_last_hand_and_the_table_closes_with_it(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person, floor = PlayerPage(open_window(quiet_house)), open_window(quiet_house, quiet_house.staff).page
    page = person.page
    person.open_table(CLOSING)
    person.sit_down()
    person.wager("Ante")
    floor.goto(f"{quiet_house.address}/#/staff/table/{CLOSING}")
    floor.get_by_text("Other actions at this table").click()
    floor.get_by_role("button", name=re.compile("^last hand$", re.IGNORECASE)).click()
    expect(page.get_by_role("status", name="Notice")).to_contain_text("Last hand: the table closes")
    person.deal()
    person.decide("Fold")
    net = person.result_net()
    expect(page.get_by_text("This table is closed. Staff must open it.")).to_be_visible()
    assert person.money() == {"Chips": 0, "Account": 100_000 + net}
    change_table(page)
    closed = page.get_by_role("link", name=re.compile("^Harborside Casino"))
    expect(closed).to_contain_text("closed")
    account(page, f"${1_000 + net // 100}")


@pytest.fixture
def hurried_house(tmp_path: Path) -> Iterator[BrowserHouse]:
    """Serve a house where betting closes 8 seconds after the first wager: time enough to press Deal."""
    with serve_house(tmp_path, *QUICK, "--bots", "0", "--wagering", "8") as house:
        yield house


def test_who_has_gone_delays_nobody_after_one_round_and_loses_the_seat_after_three(
    hurried_house: BrowserHouse, open_window: OpenWindow
) -> None:
    ann, gone = PlayerPage(open_window(hurried_house)), PlayerPage(open_window(hurried_house))
    for person in (ann, gone):
        person.open_table("maryland")
        person.sit_down()
    seat = ann.page.get_by_role("region", name=re.compile(rf"^Position {gone.position}, (?!empty)"))
    gone.page.goto("about:blank")
    for number in range(4):
        waits = number < 2
        expect(seat).to_be_visible()
        expect(seat.get_by_text("sits out")).to_be_visible(visible=not waits)
        assert play_alone(ann) is waits, "he sat down in the first round, and missed one"
    expect(seat).to_be_hidden()


def play_alone(person: PlayerPage) -> bool:
    """Play a round and fold; return whether the table waited for another player."""
    person.wager("Ante")
    person.deal()
    waits = person.page.get_by_text("Waiting for the other players.")
    expect(waits.or_(person.decision)).to_be_visible()
    waited = waits.is_visible()
    person.decide("Fold")
    person.result()
    return waited

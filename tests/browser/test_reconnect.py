"""A round continues after a page reload, and after the server was killed and restarted."""

import re

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse, StaffClient
from tests.kit.waiting import wait_until

TABLE = "maryland"
GONE = r"WebSocket|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE"
"""Console errors while the server is down."""


def until_the_decision(person: PlayerPage) -> tuple[list[str], list[str], dict[str, int]]:
    """Play until the player's decision; return the player's cards, the dealer's cards and the money."""
    person.open_table(TABLE)
    person.sit_down()
    person.wager("Ante")
    person.wager("Aces Up")
    person.deal()
    return seen_in_the_decision(person)


def seen_in_the_decision(person: PlayerPage) -> tuple[list[str], list[str], dict[str, int]]:
    expect(person.decision).to_be_visible()
    return person.cards(), person.cards("Dealer's cards"), person.money()


def test_a_reload_in_mid_round_changes_nothing(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    person = PlayerPage(open_window(running_house))
    before = until_the_decision(person)
    person.page.reload()
    assert seen_in_the_decision(person) == before
    person.decide("Play 1x")
    person.result()
    person.leave()


def test_a_reload_before_the_cards_keeps_the_wagers(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table(TABLE)
    person.sit_down()
    person.wager("Ante")
    before = person.money()
    person.page.reload()
    expect(person.page.get_by_role("button", name="Deal", exact=True)).to_be_enabled()
    assert person.money() == before
    person.press(person.page.get_by_role("button", name=re.compile("^Take back Ante")))
    expect(person.page.get_by_role("group", name="Your money")).not_to_contain_text("In play")
    person.leave()


def test_a_round_survives_a_killed_server(own_house: BrowserHouse, open_window: OpenWindow) -> None:
    person = PlayerPage(open_window(own_house))
    before = until_the_decision(person)
    person.window.ignore_faults(GONE)
    own_house.kill()
    expect(person.page.get_by_role("alert")).to_contain_text("Connection lost.")
    own_house.start()
    expect(person.page.get_by_role("alert")).to_be_hidden(timeout=30_000)
    assert seen_in_the_decision(person) == before
    person.decide("Play 2x")
    chips = before[2]["Chips"] + before[2]["In play"]
    assert person.result_net() == person.money()["Chips"] - chips
    assert own_house.stop() == 0


def test_a_page_that_misses_a_change_asks_for_the_whole_table(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person, lost, asked = PlayerPage(open_window(running_house)), list[str](), list[str]()

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def to_page(message: str | bytes) -> None:
            if not lost and '"kind":"change"' in str(message):
                lost.append(str(message))
            else:
                page.send(message)

        def to_server(message: str | bytes) -> None:
            if '"whole":true' in str(message):
                asked.append(str(message))
            server.send(message)

        server.on_message(to_page)
        page.on_message(to_server)

    person.page.route_web_socket(re.compile("/live$"), between)
    until_the_decision(person)
    person.decide("Play 1x")
    person.result()
    person.leave()
    assert (len(lost), len(asked)) == (1, 1)


def test_the_coach_judges_a_decision_though_the_page_missed_the_end_of_its_round(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person, pages, silent = PlayerPage(open_window(quiet_house)), list[WebSocketRoute](), list[bool]()

    def between(page: WebSocketRoute) -> None:
        pages.append(page)
        server = page.connect_to_server()
        server.on_message(lambda message: None if silent else page.send(message))
        page.on_message(server.send)

    person.page.route_web_socket(re.compile("/live$"), between)
    until_the_decision(person)
    with StaffClient(quiet_house) as staff:
        number = staff.table_state(TABLE)["view"]["number"]
        silent.append(True)
        person.page.keyboard.press("f")
        wait_until(lambda: staff.table_state(TABLE)["view"]["number"] > number)
    silent.clear()
    pages[-1].close()
    coach = person.page.get_by_role("region", name="Coach")
    expect(coach).to_contain_text(re.compile("Fold (was best|cost )"))
    person.leave()

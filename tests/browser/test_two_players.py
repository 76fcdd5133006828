"""Two players at one table see the same, except each other's face-down cards."""

import json
from typing import Any

from playwright.sync_api import WebSocket, expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.waiting import wait_until

TABLE = "washington"
DOWN = "face-down card"
HAND_SIZE = 5
HIDDEN = "??"


def noted(window: BrowserWindow) -> list[dict[str, Any]]:
    """Return a list that collects all messages to a window from now on."""
    heard = list[dict[str, Any]]()

    def listening(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    window.page.on("websocket", listening)
    return heard


def cards_at(person: PlayerPage, position: int) -> list[str]:
    return person.cards(f"Cards of position {position}")


def sees_hand(person: PlayerPage, position: int) -> bool:
    """Return whether all cards of a position are shown face up."""
    cards = cards_at(person, position)
    return len(cards) == HAND_SIZE and DOWN not in cards


def test_two_people_play_a_round_together(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    ann, ben = PlayerPage(open_window(quiet_house)), PlayerPage(open_window(quiet_house), "keys")
    heard = [noted(ann.window), noted(ben.window)]
    for person in (ann, ben):
        person.open_table(TABLE)
    here, there = ann.sit_down(), ben.sit_down()
    assert here != there
    for person in (ann, ben):
        person.wager("Ante")
    ann.deal()
    expect(ann.page.get_by_text("Waiting for the other players.")).to_be_visible()
    ben.deal()
    first, second = sorted(((here, ann), (there, ben)))
    expect(first[1].decision).to_be_visible()
    wait_until(lambda: sees_hand(ann, here) and sees_hand(ben, there))
    assert set(cards_at(ann, there) + cards_at(ben, here)) == {DOWN}
    assert ann.cards("Dealer's cards") == ben.cards("Dealer's cards")
    first[1].decide("Play 1x")
    second[1].decide("Play 2x")
    for person in (ann, ben):
        person.result()
    for position in (here, there):
        assert cards_at(ann, position) == cards_at(ben, position)
        assert DOWN not in cards_at(ann, position)
    assert ann.cards("Dealer's cards") == ben.cards("Dealer's cards")
    assert was_hidden(heard[0], there) >= 2
    assert was_hidden(heard[1], here) >= 2
    for person in (ann, ben):
        person.leave()


def was_hidden(heard: list[dict[str, Any]], position: int) -> int:
    """Count the messages with another player's cards; before the showdown all must be hidden."""
    tables = [message["view"]["round"] for message in heard if message["kind"] == "table"]
    count = 0
    for seen in filter(None, tables):
        cards = [place["cards"] for place in seen["places"] if place["position"] == position]
        if cards and cards[0] and seen["phase"] in {"dealing", "deciding"}:
            assert set(cards[0]) == {HIDDEN}, seen["phase"]
            count += 1
    return count


def test_somebody_without_a_seat_watches(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    ann, watcher = PlayerPage(open_window(quiet_house)), PlayerPage(open_window(quiet_house))
    ann.open_table(TABLE)
    position = ann.sit_down()
    watcher.open_table(TABLE)
    ann.wager("Ante")
    ann.deal()
    expect(ann.decision).to_be_visible()
    wait_until(lambda: watcher.cards("Dealer's cards") == ann.cards("Dealer's cards"))
    assert set(cards_at(watcher, position)) == {DOWN}
    expect(watcher.decision).to_be_hidden()
    ann.decide("Fold")
    ann.result()
    ann.leave()

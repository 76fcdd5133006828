"""Two people at one table see the same, but for the other's cards before they are turned."""

import json
from typing import Any

from playwright.sync_api import WebSocket, expect

from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.serving import Served
from tests.browser.watching import Window

TABLE = "washington"
DOWN = "a card face down"
HIDDEN = "??"


def noted(window: Window) -> list[dict[str, Any]]:
    """Return a list that fills with whatever the house sends to a window from now on."""
    heard = list[dict[str, Any]]()

    def listening(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    window.page.on("websocket", listening)
    return heard


def cards_at(person: Person, position: int) -> list[str]:
    return person.cards(f"Cards of position {position}")


def test_two_people_play_a_round_together(own_house: Served, opened: Opening) -> None:
    ann, ben = Person(opened(own_house)), Person(opened(own_house), "keys")
    heard = [noted(ann.window), noted(ben.window)]
    for person in (ann, ben):
        person.go_to(TABLE)
    here, there = ann.sit_down(), ben.sit_down()
    assert here != there
    for person in (ann, ben):
        person.wager("Ante")
    ann.deal()
    expect(ann.page.get_by_text("Waiting for the others to be ready.")).to_be_visible()
    ben.deal()
    first, second = sorted(((here, ann), (there, ben)))
    expect(first[1].decision).to_be_visible()
    assert DOWN not in cards_at(ann, here) + cards_at(ben, there)
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


def was_hidden(heard: list[dict[str, Any]], position: int) -> int:
    """Count the messages in which another's cards lay face down; all before the dealer turned them must."""
    tables = [message["view"]["round"] for message in heard if message["kind"] == "table"]
    count = 0
    for seen in filter(None, tables):
        cards = [place["cards"] for place in seen["places"] if place["position"] == position]
        if cards and cards[0] and seen["phase"] in {"dealing", "deciding"}:
            assert set(cards[0]) == {HIDDEN}, seen["phase"]
            count += 1
    return count


def test_somebody_without_a_seat_watches(own_house: Served, opened: Opening) -> None:
    ann, watcher = Person(opened(own_house)), Person(opened(own_house))
    ann.go_to(TABLE)
    position = ann.sit_down()
    watcher.go_to(TABLE)
    ann.wager("Ante")
    ann.deal()
    expect(ann.decision).to_be_visible()
    assert set(watcher.cards(f"Cards of position {position}")) == {DOWN}
    assert watcher.cards("Dealer's cards") == ann.cards("Dealer's cards")
    expect(watcher.decision).to_be_hidden()
    ann.decide("Fold")
    ann.result()

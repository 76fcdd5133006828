"""Two players at one table see the same, except each other's face-down cards."""

from typing import Any

from playwright.sync_api import WebSocket, expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.table_copy import TableCopy
from tests.kit.waiting import wait_until

TABLE = "washington"
DOWN = "face-down card"
HAND_SIZE = 5
HIDDEN = "??"


Heard = list[tuple[str | bytes, dict[str, Any]]]
"""Messages as they were sent, each with the table after it."""


def noted(window: BrowserWindow) -> Heard:
    """Return a list that collects all messages to a window from now on."""
    heard = Heard()

    def listening(socket: WebSocket) -> None:
        copy = TableCopy()
        socket.on("framereceived", lambda frame: heard.append((frame, copy.take(frame))))

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


def was_hidden(heard: Heard, position: int) -> int:
    """Count the messages with another player's cards; before the showdown all must be hidden.

    No message before the showdown may name one of these cards, in whatever part of it.
    """
    before, shown = list[str](), set[str]()
    for sent, message in heard:
        view: dict[str, Any] = message["view"] if message["kind"] == "table" else {}
        for seen in filter(None, (view.get("round"), view.get("last"))):
            cards = [place["cards"] for place in seen["places"] if place["position"] == position]
            if not cards or not cards[0]:
                continue
            if seen["phase"] in {"dealing", "deciding"}:
                assert set(cards[0]) == {HIDDEN}, seen["phase"]
                before.append(str(sent))
            elif before and HIDDEN not in cards[0]:
                shown |= {*cards[0]}
    assert len(shown) == HAND_SIZE
    assert not [sent for sent in before for card in shown if f'"{card}"' in sent or f" {card}" in sent]
    return len(before)

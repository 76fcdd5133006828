"""Hidden stays hidden: rounds that differ only in what a viewer may not see look the same to that viewer.

A round is played and looked at after every act. Then every card that the viewer has not seen up to some
moment is dealt again among the places where unseen cards lay, and the round is played again: up to that
moment the viewer must get the same bytes, in views, in sentences and in the list of what may be done.
"""

import random
import re
from collections.abc import Iterator

import msgspec
import pytest

from fourcard.cards import DECK, card_text
from fourcard.round.commands import Fold, PlaceWager, Play
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.view import Viewer
from fourcard.table.legal_commands import legal_commands
from fourcard.table.narrate import TableNarrator
from fourcard.table.table_driver import Table
from fourcard.table.view import table_view
from fourcard.wagers import WagerName
from tests.kit.support import game

SEATS = (1, 2, 4)
VIEWERS = (
    Viewer("seat", "p1"),
    Viewer("seat", "p4"),
    Viewer("seat", "nobody"),
    Viewer("dealer"),
    Viewer("floor"),
    Viewer("surveillance"),
)
WAGERS: dict[str, dict[WagerName, int]] = {
    "massachusetts": {"ante": 2500, "aces_up": 500},
    "massachusetts-everything": {"ante": 2500, "aces_up": 500, "cover_all": 100, "progressive": 100},
    "shuffle-master-everything": {"ante": 2500, "aces_up": 500, "bad_beat": 500, "progressive": 100},
    "maryland": {"ante": 2500, "aces_up": 500},
    "maryland-everything": {"ante": 2500, "aces_up": 500, "six_card": 500, "progressive": 100},
    "maryland-existing": {"ante": 2500, "aces_up": 500},
    "washington-everything": {"ante": 2500, "aces_up": 500, "bad_beat": 500, "progressive": 100},
    "catfish-bend": {"ante": 2500, "aces_up": 500},
}
CARD = re.compile(rf"\b[{'23456789TJQKA'}][cdhs]\b")


def looks(name: str, order: list[int], choices: dict[int, int], viewer: Viewer) -> Iterator[bytes]:
    """Play a round with a deck in an order and yield everything that a viewer gets after every act."""
    at = Table(game(name), lambda: order)
    narrator = TableNarrator(at.state)
    for position in SEATS:
        at.seat(position, f"p{position}")
    at.begin()
    for position in SEATS:
        for wager, amount in WAGERS[name].items():
            if wager != "aces_up" or choices[position] != 1:
                at.may(PlaceWager(position=position, wager=wager, amount=amount)) or at.do(
                    PlaceWager(position=position, wager=wager, amount=amount)
                )
    told = 0
    while True:
        said = [sentence.text for sentence in narrator.narrate(at.events[told:])]
        told = len(at.events)
        mine = legal_commands(at.state, "player", viewer.player) if viewer.kind == "seat" else ()
        yield msgspec.json.encode((table_view(at.state, viewer), said, mine))
        if at.state.round is None:
            return
        command = at.next_command()
        if command is None:
            position = positions_to_decide(at.state.round)[0]
            times = choices[position]
            command = Play(position=position, amount=times * 2500) if times else Fold(position=position)
        at.do(command)


def seen_in(look: bytes) -> set[str]:
    """Return the cards that a look names."""
    return set(CARD.findall(look.decode()))


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: f"{viewer.kind}{viewer.player}")
@pytest.mark.parametrize("name", WAGERS)
def test_a_viewer_gets_the_same_bytes_whatever_lies_face_down(name: str, viewer: Viewer) -> None:
    chance = random.Random(f"{name} {viewer}")
    compared = 0
    for _ in range(6):
        order = list(DECK)
        chance.shuffle(order)
        choices = {position: chance.choice((0, 1, 2, 3)) for position in SEATS}
        first = list(looks(name, order, choices, viewer))
        moment = chance.randrange(len(first))
        seen = {card for look in first[: moment + 1] for card in seen_in(look)}
        places = [place for place, card in enumerate(order) if card_text(card) not in seen]
        cards = [order[place] for place in places]
        chance.shuffle(cards)
        other = list(order)
        for place, card in zip(places, cards, strict=True):
            other[place] = card
        second = list(looks(name, other, choices, viewer))
        for number in range(moment + 1):
            assert first[number] == second[number], (number, first[number].decode(), second[number].decode())
            compared += 1
    assert compared > 20


def test_the_test_would_see_a_leak() -> None:
    """Two different decks do look different once the cards lie open."""
    one, other = list(DECK), list(reversed(DECK))
    choices = dict.fromkeys(SEATS, 1)
    first = list(looks("massachusetts", one, choices, VIEWERS[0]))
    second = list(looks("massachusetts", other, choices, VIEWERS[0]))
    assert first[0] == second[0]
    assert first[-1] != second[-1]


def test_own_cards_are_seen_only_when_players_may_look() -> None:
    order = list(DECK)
    random.Random(1).shuffle(order)
    looked = list(looks("massachusetts", order, dict.fromkeys(SEATS, 0), Viewer("seat", "p1")))
    counts = [len(seen_in(look)) for look in looked]
    assert counts[0] == 0
    assert 1 in counts
    assert counts.index(1) < counts.index(6)
    folded = list(looks("massachusetts", order, dict.fromkeys(SEATS, 0), Viewer("dealer")))
    assert max(len(seen_in(look)) for look in folded) == 6 + 3 * 5


def test_the_rack_is_open_to_the_floor_alone_and_only_afterwards() -> None:
    order = list(DECK)
    for viewer in VIEWERS:
        looked = list(looks("shuffle-master-everything", order, dict.fromkeys(SEATS, 1), viewer))
        views = [msgspec.json.decode(look)[0] for look in looked]
        assert all(view["round"]["rack"] is None for view in views if view["round"])
        racks = views[-1]["last"]["rack"]
        assert (racks is not None) == (viewer.kind in ("floor", "surveillance"))

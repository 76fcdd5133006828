"""What is told of people, decks and counts is held to what can be."""

import pytest

from fourcard.cards import DECK
from fourcard.round.commands import LeaveSeat, Perform, PlaceWager, PlaceWagers, TakeSeat
from fourcard.round.events import WagerPlaced
from fourcard.table.commands import OpenTable
from tests.kit.deals import act, dealt_round, order, prompted, report, unknown
from tests.kit.decks import closed
from tests.kit.tables import bet, current_round, refused, table, until


@pytest.mark.clause("MD-07F")
def test_a_player_is_one_person_however_the_name_is_spaced() -> None:
    at = table("maryland", (1,))
    again = TakeSeat(position=3, player="  p1 ")
    assert refused(at, again).name == "positions_not_adjacent"
    at.do(TakeSeat(position=3, player=" Ann   Lee "))
    assert at.state.seats[3] == "Ann Lee"
    at.do(LeaveSeat(position=1))
    assert [*current_round(at).positions] == [3]
    assert refused(at, TakeSeat(position=4, player=" \t ")).name == "name_missing"


def test_several_wagers_are_placed_together_or_none_of_them_is() -> None:
    at = table("maryland-everything", (1,))
    together = PlaceWagers(position=1, wagers={"progressive": 100, "aces_up": 500, "ante": 2500})
    assert at.do(together) == [
        WagerPlaced(1, "ante", 2500),
        WagerPlaced(1, "aces_up", 500),
        WagerPlaced(1, "progressive", 100),
    ]
    assert (
        refused(at, PlaceWagers(position=1, wagers={"ante": 5000, "aces_up": 1})).name == "wager_not_in_chips"
    )
    assert refused(at, PlaceWagers(position=1, wagers={})).name == "no_wager"


@pytest.mark.parametrize(("amount", "name"), [(10**12, "wager_above_most"), (10**12 + 1, "wager_too_large")])
def test_a_wager_is_no_larger_than_any_amount(amount: int, name: str) -> None:
    assert refused(table("maryland"), PlaceWager(position=1, wager="ante", amount=amount)).name == name


@pytest.mark.parametrize("decks", [("red", "Red"), ("red", " red"), ("", " ")])
def test_backs_that_look_alike_are_alike(decks: tuple[str, str]) -> None:
    at = closed("massachusetts-everything")
    assert refused(at, OpenTable(decks=decks)).name == "backs_alike"


@pytest.mark.clause("MA-7e.2")
@pytest.mark.parametrize(("count", "taken"), [(-1, False), (0, True), (52, True), (53, False)])
def test_a_stub_has_no_more_cards_than_a_deck(count: int, *, taken: bool) -> None:
    at = dealt_round("MA shoe", count=True).at
    while prompted(at)[0] != "count_stub":
        act(at)
    assert (at.may(Perform(step="count_stub", count=count)) is None) is taken


@pytest.mark.clause("MD-07B1")
def test_who_has_wagered_and_has_no_cards_yet_is_told_that_the_wagers_lie() -> None:
    at = table("maryland")
    bet(at)
    while current_round(at).betting_stage == "betting":
        act(at)
    assert current_round(at).betting_stage == "no-more-bets"
    assert refused(at, LeaveSeat(position=1)).name == "wagers_lie"
    until(at, "deciding")
    assert refused(at, LeaveSeat(position=1)).name == "must_stay"


@pytest.mark.clause("R72")
def test_a_card_that_lies_open_before_the_dealer_is_not_a_players() -> None:
    at = table("maryland")
    bet(at)
    until(at, "settling")
    while not current_round(at).dealer_shown:
        act(at)
    for card in current_round(at).dealer:
        assert refused(at, report("player_card_exposed", position=1, card=card)).name == "not_described"


def test_where_nobody_knows_the_order_only_who_keys_the_cards_names_one_that_lies_face_up() -> None:
    at = table("massachusetts")
    bet(at)
    until(at, "dealing")
    known = order(at)
    unknown(at)
    for card in DECK:
        assert refused(at, report("one_face_up_card", card=card, role="floorperson")).name == "not_your_duty"
    assert at.may(report("one_face_up_card", card=known[0])) is None

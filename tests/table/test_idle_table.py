"""An idle table: its spread cards are left alone until somebody comes."""

import pytest

from fourcard.round.commands import LeaveSeat
from fourcard.table.commands import BeginRound, BringDeck, GoIdle, OrderShuffle, Prepare, ReportFailure
from fourcard.table.table_driver import Table
from tests.kit.decks import due, opened, play, ready, until
from tests.kit.tables import refused

IDLE = ["clear_shoe_and_rack", "spread_cards"]
ARRIVAL = ["turn_face_up", "show_first_player", "turn_face_down", "wash", "stack"]


def idle() -> Table:
    """Return a table of Maryland whose cards lie spread face down."""
    at = opened("maryland")
    ready(at)
    at.do(GoIdle(spread="face-down"))
    return at


@pytest.mark.clause("MA-5e.1")
def test_a_deck_that_is_gone_is_not_spread() -> None:
    at = opened("massachusetts-everything")
    until(at, "shuffle_by_machine")
    at.do(Prepare(step="shuffle_by_machine", count=51))
    assert at.state.decks[0].removed
    refusal = refused(at, GoIdle(spread="face-up"))
    assert (refusal.name, "bring a deck" in refusal.message) == ("deck_unprepared", True)


def test_no_deck_is_brought_while_cards_lie_spread() -> None:
    at = idle()
    assert refused(at, BringDeck(back="green")).message == "The table is idle."
    at.seat(1, "p1")
    assert at.may(BringDeck(back="green")) is None


def test_what_is_ordered_at_an_idle_table_waits_for_who_comes() -> None:
    at = idle()
    spread = due(at)
    assert spread == IDLE
    for command in (ReportFailure(device="shuffler"), OrderShuffle(role="floorperson")):
        if at.may(command) is None:
            at.do(command)
        assert due(at) == spread
    ready(at)
    at.seat(1, "p1")
    assert due(at)[: len(ARRIVAL)] == ARRIVAL
    assert len(due(at)) == len(set(due(at)))


def test_both_decks_of_an_idle_table_are_spread_and_shown_to_who_comes() -> None:
    at = opened("massachusetts-everything")
    play(at)
    at.do(LeaveSeat(position=1))
    assert at.state.decks[at.state.active].in_shuffler
    at.do(GoIdle(spread="face-up"))
    assert [(due(at, n), at.state.decks[n].in_shuffler) for n in (0, 1)] == [(["spread_cards"], False)] * 2
    for number in (0, 1):
        ready(at, number)
    at.seat(1, "p1")
    for number in (0, 1):
        assert due(at, number)[:4] == ["show_first_player", "turn_face_down", "wash", "stack"]
    ready(at)
    assert due(at, 1 - at.state.active) == ["shuffle_by_machine", "square_stack"]
    at.do(BeginRound())
    assert at.state.decks[1 - at.state.active].in_shuffler

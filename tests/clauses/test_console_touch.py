"""The touch display: the winner's spot, the hand button, confirm, and a card that logs, adjusts and pays."""

import pytest
from msgspec.structs import replace

from fourcard.progressive.console import MotionDone, PressHand, SelectSpot, WinLogged, WinMarked
from tests.kit.consoles import (
    CONFIRM,
    DEALER,
    EXECUTIVE,
    FLOORPERSON,
    J_POT,
    JPH,
    MD_TOUCH,
    NOTHING,
    PRIZES,
    RUN,
    SEVENS_ALONE,
    SUPERVISOR,
    SWIPE,
    THREE_SEVENS,
    THREE_SIXES,
    TRAY,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    awards,
    on_consoles,
)
from tests.kit.houses import player
from tests.kit.support import by_clause

SEED = 5_000_00 * 10_000
SPOT, SEVENS = SelectSpot(position=1), PressHand(hand="three_of_a_kind")
FIRST_AND_LAST = {1: THREE_SEVENS, 2: NOTHING, 3: THREE_SIXES}


@pytest.mark.parametrize(("clause", "setup"), on_consoles(wa_touch="WA-NEX-8d.1"))
def test_the_dealer_selects_the_spot_of_the_winner_whose_turn_it_is(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup, FIRST_AND_LAST)
    at.bet(progressive=(1, 3))
    assert at.refused(SPOT).name == "no_win_waits"
    at.start()
    assert at.refused(SPOT).name == "no_win_waits"
    for winner, other in ((3, 1), (1, 3)):
        assert at.to_award() == winner
        early = at.refused(SEVENS)
        assert (early.name, clause in early.clauses) == ("motion_not_due", True)
        assert at.refused(SelectSpot(position=2)).name == "spot_unlit"
        assert at.refused(SelectSpot(position=7)).name == "spot_unlit"
        wrong = at.refused(SelectSpot(position=other))
        assert (wrong.name, clause in wrong.clauses) == ("spot_not_due", True)
        right = SelectSpot(position=winner)
        for who in (FLOORPERSON, SUPERVISOR, EXECUTIVE):
            assert at.refused(replace(right, role=who.roles[0]), who).name == "not_permitted"
        (moved,) = at.do(right).events
        assert isinstance(moved, MotionDone)
        assert (moved.motion, moved.position, clause in moved.clauses) == ("select_spot", winner, True)
        # Until a hand is marked the spot can be selected once more.
        at.do(right)
        assert (at.console.selected_spot, at.console.steps_done) == (winner, ("select_spot",))
        at.do(SEVENS)
        assert at.console.steps_done == ("select_spot", "press_hand")
        assert at.refused(right).name == "motion_not_due"
        at.confirm()
    assert [win.logged.position for win in at.meter.last_wins] == [3, 1]


@pytest.mark.parametrize(("clause", "setup"), on_consoles(wa_touch="WA-NEX-8d.2", md="MD-11D10a"))
def test_the_dealer_presses_the_hand_button_of_the_selected_spot(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, SEVENS_ALONE)
    assert at.refused(SEVENS).name == "motion_not_due"
    at.do(SPOT)
    for early in (CONFIRM, SWIPE):
        refusal = at.refused(early)
        assert (refusal.name, clause in refusal.clauses) == ("motion_not_due", True)
    for foreign in (JPH, J_POT, RUN):
        assert at.refused(foreign).name == "motion_foreign"
    assert at.refused(PressHand(hand="pair")).name == "hand_unknown"
    for who in (FLOORPERSON, SUPERVISOR, EXECUTIVE):
        assert at.refused(replace(SEVENS, role=who.roles[0]), who).name == "not_permitted"
    assert at.refused(SEVENS, player("p1")).name == "not_permitted"
    moved, marked = at.do(SEVENS).events
    assert isinstance(moved, MotionDone)
    assert isinstance(marked, WinMarked)
    assert (moved.motion, moved.position, clause in moved.clauses) == ("press_hand", 1, True)
    assert (marked.position, marked.row, marked.by) == (1, "three_of_a_kind", DEALER.person)
    assert at.meter.win_count == 0


@pytest.mark.parametrize(("clause", "setup"), on_consoles(wa_touch="WA-NEX-8f.1", md="MD-11D10c", ma="P29"))
def test_confirm_is_pressed_before_the_card_is_swiped(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, SEVENS_ALONE)
    at.mark()
    early = at.refused(SWIPE)
    assert (early.name, clause in early.clauses) == ("motion_not_due", True)
    assert at.console.pressed_by == ""
    (moved,) = at.do(CONFIRM).events
    assert at.console.pressed_by == "susan"
    assert isinstance(moved, MotionDone)
    assert (moved.motion, clause in moved.clauses) == ("press_confirm", True)
    assert at.refused(CONFIRM).name == "motion_not_due"
    assert (at.meter.win_count, at.won(1)) == (0, [])
    at.do(SWIPE)
    assert (at.meter.win_count, at.won(1)) == (1, [(TRAY, 900)])
    for again in (CONFIRM, SWIPE):
        assert at.refused(again).name == "no_win_waits"


@pytest.mark.parametrize(("clause", "setup"), on_consoles(wa_touch="WA-NEX-8f.3"))
def test_the_card_records_the_win_in_the_game_manager(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    shown = at.meter.displayed
    for motion in (SPOT, PressHand(hand="four_aces"), CONFIRM):
        at.do(motion)
        assert (at.meter.win_count, at.meter.last_wins, at.meter.unpaid_wins) == (0, (), ())
    told = [event for event in at.do(SWIPE).events if isinstance(event, WinLogged)]
    assert [clause in event.clauses for event in told] == [True]
    (kept,) = at.meter.last_wins
    win = kept.logged
    assert (at.meter.win_count, win.number, win.table, win.round, win.position) == (1, 1, "main", 1, 1)
    assert (win.row, win.player, win.cards) == ("four_aces", "p1", at.round.positions[1].cards)
    assert (win.payment.amount, win.before, win.payment.whole_meter) == (shown, shown, True)
    assert (win.marked_by, win.confirmed_by, win.confirmed_as) == ("dora", "susan", "supervisor")
    assert at.meter.hits == {"four_aces": 1}


@pytest.mark.parametrize(("clause", "setup"), on_consoles(wa_touch="WA-NEX-8f.4"))
def test_the_card_adjusts_the_meter_too(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    before, shown = at.meter.amounts, at.meter.displayed
    for motion in (SPOT, PressHand(hand="four_aces"), CONFIRM):
        assert awards(at.do(motion)) == []
        assert (at.meter.amounts, at.meter.displayed, at.won(1)) == (before, shown, []), clause
    (paid,) = awards(at.do(SWIPE))
    assert (paid.position, paid.payment.amount, paid.payment.from_tray) == (1, shown, 0)
    left = before.amount - shown * 10_000
    assert at.meter.amounts.amount == left + SEED + before.reserve
    assert at.meter.displayed == at.meter.amounts.whole_cents < shown
    assert (at.meter.amounts.whole_meter_wins, at.meter.amounts.reserve, at.meter.unpaid_wins) == (1, 0, ())
    assert at.meter.last_wins[0].sign_adjusted
    assert (at.won(1), at.meter.owed) == ([(PRIZES, shown)], 0)
    assert at.balanced()


@pytest.mark.parametrize(("clause", "setup"), by_clause(("WA-NEX-8f.4", WA_TOUCH), ("P32", MD_TOUCH)))
def test_a_fixed_award_leaves_the_meter_alone(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, SEVENS_ALONE)
    before = at.meter.amounts
    at.mark()
    (paid,) = awards(at.confirm())
    assert (paid.payment.from_tray, paid.payment.from_meter) == (900, 0), clause
    assert (at.meter.amounts, at.meter.win_count, at.won(1)) == (before, 1, [(TRAY, 900)])

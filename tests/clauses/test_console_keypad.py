"""The keypad: the hand button, the supervisor's key at JPH, J-pot that logs, Run that adjusts and pays."""

import pytest
from msgspec.structs import replace

from fourcard.progressive.console import KeyWithdrawn, MotionDone, PressHand, SelectSpot, WinLogged, WinMarked
from fourcard.round.commands import CompleteDocument, Perform, ReportIrregularity, TakeSeat
from fourcard.table.commands import BeginRound, CloseTable, GoIdle
from tests.kit.consoles import (
    CONFIRM,
    DEALER,
    EXECUTIVE,
    FLOORPERSON,
    FOUR_ACES,
    J_POT,
    JPH,
    MD_KEYPAD,
    PRIZES,
    RUN,
    SEVENS_ALONE,
    SM,
    SUPERVISOR,
    SWIPE,
    TRAY,
    WA_KEYPAD,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    awards,
    on_consoles,
)
from tests.kit.houses import player
from tests.kit.support import by_clause

SEED = 5_000_00 * 10_000
ACES = PressHand(hand="four_aces")


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9c.1", "WA-PROG-8d.1", md="MD-11D10a"))
def test_the_dealer_marks_a_winner_by_the_hand_button_before_anything_else(
    clause: str, setup: ConsoleSetup
) -> None:
    at = ConsoleTable(setup)
    assert at.refused(ACES).name == "no_win_waits"
    at.bet()
    at.start()
    assert at.refused(ACES).name == "no_win_waits"
    winner = at.to_award()
    for early in (JPH, J_POT):
        refusal = at.refused(early)
        assert (refusal.name, clause in refusal.clauses) == ("motion_not_due", True)
    assert at.refused(RUN).name == "key_there"
    for foreign in (SelectSpot(position=winner), CONFIRM, SWIPE):
        assert at.refused(foreign).name == "motion_foreign"
    assert at.refused(PressHand(hand="pair")).name == "hand_unknown"
    for who in (FLOORPERSON, SUPERVISOR, EXECUTIVE):
        assert at.refused(replace(ACES, role=who.roles[0]), who).name == "not_permitted"
    assert at.refused(ACES, player("p1")).name == "not_permitted"
    moved, marked = at.do(ACES).events
    assert isinstance(moved, MotionDone)
    assert isinstance(marked, WinMarked)
    assert (moved.motion, moved.position, clause in moved.clauses) == ("press_hand", 1, True)
    assert (marked.position, marked.row, marked.by) == (1, "four_aces", DEALER.person)
    assert at.meter.win_count == 0


@pytest.mark.parametrize(
    ("clause", "setup"), on_consoles("SM-PROG-9e.2", "WA-PROG-8f.2", md="MD-11D10c", ma="P29")
)
def test_the_key_is_turned_to_jph_and_then_j_pot_is_pressed(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    at.mark()
    early = at.refused(J_POT)
    assert (early.name, clause in early.clauses) == ("motion_not_due", True)
    (turned,) = at.do(JPH).events
    assert isinstance(turned, MotionDone)
    assert (turned.motion, clause in turned.clauses, at.console.key) == ("turn_to_jph", True, "jph")
    assert at.refused(JPH).name == "key_there"
    # A key that is turned back before J-pot was merely withdrawn, and J-pot needs it again.
    assert at.do(RUN).events == (KeyWithdrawn(SUPERVISOR.person),)
    assert (at.console.key, at.meter.win_count) == ("run", 0)
    assert at.refused(J_POT).name == "motion_not_due"
    at.do(JPH)
    moved, logged = at.do(J_POT).events
    assert isinstance(moved, MotionDone)
    assert isinstance(logged, WinLogged)
    assert (moved.motion, clause in moved.clauses) == ("press_j_pot", True)
    assert at.refused(J_POT).name == "win_logged_already"
    assert at.refused(JPH).name == "key_there"
    assert at.meter.win_count == 1


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9e.3", "WA-PROG-8f.3"))
def test_j_pot_records_the_win_in_the_game_manager(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    shown = at.meter.amounts.whole_cents
    for motion in (ACES, JPH):
        at.do(motion)
        assert (at.meter.win_count, at.meter.last_wins, at.meter.unpaid_wins) == (0, (), ())
    told = [event for event in at.do(J_POT).events if isinstance(event, WinLogged)]
    assert [clause in event.clauses for event in told] == [True]
    (win,) = at.meter.unpaid_wins
    assert (at.meter.win_count, [each.logged for each in at.meter.last_wins]) == (1, [win])
    assert (win.number, win.table, win.round, win.position) == (1, "main", 1, 1)
    assert (win.row, win.player, win.cards) == ("four_aces", "p1", at.round.positions[1].cards)
    assert (win.payment.amount, win.before, win.payment.whole_meter) == (shown, shown, True)
    assert (win.marked_by, win.confirmed_by, win.confirmed_as) == ("dora", "susan", "supervisor")
    assert (at.meter.last_wins[0].sign_adjusted, at.meter.last_wins[0].backed_out) == (False, False)
    assert at.meter.hits == {"four_aces": 1}


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9f.2", "WA-PROG-8g.2"))
def test_the_meter_is_adjusted_when_the_key_is_back_at_run(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    before, shown = at.meter.amounts, at.meter.displayed
    for motion in (ACES, JPH, J_POT):
        assert awards(at.do(motion)) == []
        assert (at.meter.displayed, at.won(1)) == (shown, []), clause
    assert (at.meter.owed, at.account(PRIZES)) == (shown * 10_000, shown)
    (paid,) = awards(at.do(RUN))
    assert (paid.position, paid.payment.amount, paid.payment.from_tray) == (1, shown, 0)
    left = before.amount - shown * 10_000
    assert at.meter.amounts.amount == left + SEED + before.reserve
    assert at.meter.displayed == at.meter.amounts.whole_cents
    assert (at.meter.amounts.whole_meter_wins, at.meter.amounts.reserve, at.meter.unpaid_wins) == (1, 0, ())
    assert at.meter.last_wins[0].sign_adjusted
    assert (at.won(1), at.meter.owed) == ([(PRIZES, shown)], 0)
    assert at.balanced()


@pytest.mark.parametrize(
    ("clause", "setup"), by_clause(("SM-PROG-9f.2", SM), ("WA-PROG-8g.2", WA_KEYPAD), ("P32", MD_KEYPAD))
)
def test_a_fixed_award_goes_the_same_way_and_leaves_the_meter_alone(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, SEVENS_ALONE)
    before = at.meter.amounts
    at.mark()
    at.do(JPH)
    at.do(J_POT)
    assert (at.meter.win_count, at.won(1)) == (1, []), clause
    (paid,) = awards(at.do(RUN))
    assert (paid.payment.from_tray, paid.payment.from_meter) == (900, 0)
    assert (at.meter.amounts, at.won(1)) == (before, [(TRAY, 900)])


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9f.1", "WA-PROG-8g.1"))
def test_the_table_rests_until_the_key_is_back_at_run(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    resting = (
        Perform(step="settle", position=1),
        CompleteDocument(position=3, role="supervisor"),
        ReportIrregularity(irregularity="shoe_failure"),
        BeginRound(),
        GoIdle(spread="face-up"),
        CloseTable(),
        TakeSeat(position=5, player="nobody"),
    )

    def names() -> set[str]:
        return {at.refused(command).name for command in resting}

    def rests() -> bool:
        return all(at.refused(command).clauses == (clause,) for command in resting)

    at.mark()
    assert "key_at_jph" not in names()
    at.do(JPH)
    assert (names(), rests()) == ({"key_at_jph"}, True)
    at.do(RUN)
    assert "key_at_jph" not in names()
    at.do(JPH)
    at.do(J_POT)
    assert (names(), rests()) == ({"key_at_jph"}, True)
    (moved, *_) = at.do(RUN).events
    assert isinstance(moved, MotionDone)
    assert (moved.motion, clause in moved.clauses, at.console.key) == ("turn_to_run", True, "run")
    assert "key_at_jph" not in names()
    assert at.refused(RUN).name == "key_there"
    at.finish()
    at.end()
    at.begin()


@pytest.mark.clause("R63")
@pytest.mark.parametrize("setup", [SM, WA_KEYPAD], ids=str)
def test_two_winners_of_the_same_hand_take_a_cycle_each(setup: ConsoleSetup) -> None:
    at = at_award(setup, {**SEVENS_ALONE, 3: "6s 6h 6d Qc 3d"})
    sevens = PressHand(hand="three_of_a_kind")
    for winner, count in ((3, 1), (1, 2)):
        assert at.to_award() == winner
        for early in (JPH, J_POT):
            assert at.refused(early).name == "motion_not_due"
        at.do(sevens)
        assert at.console.mark is not None
        assert at.console.mark.position == winner
        (paid,) = awards(at.confirm())
        assert (paid.position, paid.payment.amount, at.meter.win_count) == (winner, 900, count)
    assert [win.logged.position for win in at.meter.last_wins] == [3, 1]
    at.finish()


@pytest.mark.clause("R63")
@pytest.mark.parametrize("setup", [SM, WA_KEYPAD], ids=str)
def test_two_winners_of_different_hands_take_the_button_of_the_one_whose_turn_it_is(
    setup: ConsoleSetup,
) -> None:
    at = at_award(setup, {**SEVENS_ALONE, 3: FOUR_ACES})
    assert at.refused(PressHand(hand="three_of_a_kind")).name == "hand_wrong"
    assert [award.position for award in at.finish()] == [3, 1]

"""A win on either console: marked or cancelled, verified, final once logged, shown, paid; the game ended."""

import pytest
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.progressive.console import GameReset, PressHand, SelectSpot, WinMarked, WinUnmarked
from fourcard.round.commands import PayAward
from fourcard.table.commands import BeginRound
from tests.kit.consoles import (
    CONFIRMING,
    DEALER,
    ENDS,
    FOUR_ACES,
    FOUR_EIGHTS,
    J_POT,
    JPH,
    NOTHING,
    NOTHING_ELSE,
    PRIZES,
    RUN,
    SEVENS_ALONE,
    SM,
    STRAIGHT_FLUSH,
    THREE_SEVENS,
    TRAY,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    on_consoles,
)
from tests.kit.houses import player

ROWS = ("four_aces", "four_of_a_kind", "straight_flush", "three_of_a_kind")
ACES, SEVENS = PressHand(hand="four_aces"), PressHand(hand="three_of_a_kind")
THREE_WINS = {1: STRAIGHT_FLUSH, 2: THREE_SEVENS, 3: FOUR_EIGHTS}


def first_of(at: ConsoleTable) -> tuple[object, ...]:
    """Return what confirms a marked win, up to the motion before the one that logs it."""
    return CONFIRMING[at.kind][:1]


def log(at: ConsoleTable) -> None:
    """Let a supervisor log the marked win, and on a touch display adjust the meter with it."""
    for motion in CONFIRMING[at.kind][:2]:
        at.do(motion)


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9c.2", "WA-PROG-8d.2", "WA-NEX-8d.3"))
def test_the_same_hand_button_cancels_and_another_does_not(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    at.mark()
    other = at.refused(SEVENS)
    assert (other.name, clause in other.clauses) == ("hand_marked", True)
    assert at.do(ACES).events == (WinUnmarked(1),)
    assert at.console.mark is None
    for motion in first_of(at):
        assert at.refused(motion).name == "motion_not_due"
    at.do(ACES)
    assert at.console.mark is not None
    assert at.console.mark.row == "four_aces"
    # It still cancels when somebody has begun to confirm, who then begins again.
    for motion in first_of(at):
        at.do(motion)
    assert at.do(ACES).events == (WinUnmarked(1),)
    assert at.refused(CONFIRMING[at.kind][1]).name == "motion_not_due"
    assert (at.meter.win_count, at.won(1)) == (0, [])
    at.do(ACES)
    for motion in CONFIRMING[at.kind][1 if at.kind == "keypad" else 0 :]:
        at.do(motion)
    assert (at.meter.win_count, len(at.won(1))) == (1, 1)


@pytest.mark.parametrize(
    ("clause", "setup"),
    on_consoles("SM-PROG-9e.1", "WA-PROG-8f.1", "WA-NEX-8f.1", md="MD-11D10a", ma="P29"),
)
def test_a_win_is_verified_against_the_cards_before_anybody_confirms_it(
    clause: str, setup: ConsoleSetup
) -> None:
    at = at_award(setup, THREE_WINS)
    for winner, right in ((3, "four_of_a_kind"), (2, "three_of_a_kind"), (1, "straight_flush")):
        assert at.to_award() == winner
        if at.kind == "touch":
            at.do(SelectSpot(position=winner))
        for row in (each for each in ROWS if each != right):
            wrong = at.refused(PressHand(hand=row))
            assert (wrong.name, wrong.clauses) == ("hand_wrong", (clause,))
        for motion in first_of(at):
            assert at.refused(motion).name == "motion_not_due"
        (marked,) = [e for e in at.do(PressHand(hand=right)).events if isinstance(e, WinMarked)]
        assert (marked.position, marked.row, clause in marked.clauses) == (winner, right, True)
        at.confirm()


@pytest.mark.parametrize(
    ("clause", "setup"),
    on_consoles("SM-PROG-9e.1", "WA-PROG-8f.1", "WA-NEX-8f.1", md="MD-11D10a", ma="P29"),
)
def test_a_hand_that_does_not_qualify_is_never_marked(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup, {1: NOTHING, 2: NOTHING_ELSE})
    at.bet()
    at.start()
    while at.table.round is not None:
        for motion in (ACES, SEVENS, *first_of(at)):
            refusal = at.refused(motion)
            assert (refusal.name, refusal.clauses) == ("no_win_waits", (clause,))
        at.step()
    assert at.meter.win_count == 0


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9h.1", "WA-PROG-8i.1", "WA-NEX-8h.1"))
def test_once_a_win_is_logged_no_button_undoes_it(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    for tried in range(1 + len(first_of(at))):
        # Up to the moment of the log the button still cancels, whatever was done before it.
        at.mark()
        for motion in first_of(at)[:tried]:
            at.do(motion)
        assert at.do(ACES).events == (WinUnmarked(1),), clause
        if at.console.key == "jph":
            at.do(RUN)
    at.mark()
    log(at)
    assert (at.meter.win_count, at.meter.last_wins[0].backed_out) == (1, False)
    for button in (ACES, SEVENS):
        undone = at.refused(button)
        if at.kind == "keypad":
            assert (undone.name, clause in undone.clauses) == ("win_final", True)
        else:
            assert undone.name == "no_win_waits"
    if at.kind == "keypad":
        at.do(RUN)
    assert (at.meter.win_count, at.meter.last_wins[0].sign_adjusted) == (1, True)
    assert len(at.won(1)) == 1


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9e.5", "WA-PROG-8f.5", "WA-NEX-8f.6"))
def test_the_monitor_shows_the_prize_from_the_log_on(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, {**SEVENS_ALONE, 3: FOUR_ACES})
    shown = at.meter.displayed
    for winner, due in ((3, shown), (1, 900)):
        assert at.to_award() == winner
        at.mark()
        for motion in first_of(at):
            at.do(motion)
            assert at.prize is None, clause
        at.do(CONFIRMING[at.kind][1])
        assert at.prize == due
        if at.kind == "keypad":
            at.do(RUN)
            assert at.prize is None
    at.finish()
    at.end()
    assert at.prize is None


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9e.4", "WA-PROG-8f.4", "WA-NEX-8f.5"))
def test_the_prize_is_paid_by_the_house_and_by_nobody_else(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup, {**SEVENS_ALONE, 3: FOUR_ACES})
    shown = at.meter.displayed
    forged = PayAward(position=3, payment=Payment(from_meter=shown, whole_meter=True), before=shown, after=0)
    for role in ("dealer", "supervisor", "executive"):
        assert at.refused(replace(forged, role=role)).name == "not_permitted", clause
    at.mark()
    assert at.refused(forged).name == "not_permitted"
    at.confirm()
    assert at.won(3) == [(PRIZES, shown)]
    assert at.round.undocumented_positions == (3,)
    assert at.to_award() == 1
    at.mark()
    at.confirm()
    assert at.won(1) == [(TRAY, 900)]
    at.finish()
    assert (at.won(3), at.won(1), at.meter.owed) == ([(PRIZES, shown)], [(TRAY, 900)], 0)
    assert at.balanced()


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9g", "WA-PROG-8h", "WA-NEX-8g"))
def test_the_dealer_ends_the_game_once_all_action_is_settled(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup)
    end, absent = ENDS[setup.kind], ENDS["touch" if setup.kind == "keypad" else "keypad"]

    def refused_as(name: str) -> bool:
        refusal = at.refused(end)
        return (refusal.name, refusal.clauses) == (name, (clause,))

    assert refused_as("game_under_way")
    at.bet()
    at.to_award()
    assert refused_as("game_under_way")
    at.mark()
    at.confirm()
    while at.table.round is not None:
        assert refused_as("game_under_way")
        at.step()
    early = at.refused(BeginRound())
    assert (early.name, early.clauses) == ("game_not_over", (clause,))
    assert at.refused(absent).name == "button_absent"
    for role in ("floorperson", "supervisor", "executive"):
        assert at.refused(replace(end, role=role)).name == "not_your_duty"
    assert at.refused(end, player("p1")).name == "not_permitted"
    assert at.do(end).events == (GameReset(1),)
    assert (at.lights, at.prize, at.console.win_staff) == ({}, None, {})
    assert refused_as("game_over_already")
    motions = (ACES, *CONFIRMING[at.kind][:2])
    assert {at.refused(motion).name for motion in motions} == {"no_game"}
    at.begin()
    assert refused_as("game_under_way")


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9g", "WA-PROG-8h", "WA-NEX-8g"))
def test_a_game_without_a_winner_is_ended_too_and_one_that_never_began_is_not(
    clause: str, setup: ConsoleSetup
) -> None:
    at = ConsoleTable(setup, {1: NOTHING})
    at.bet()
    assert at.finish() == []
    assert at.refused(BeginRound()).clauses == (clause,)
    at.end()
    assert at.refused(ENDS[at.kind]).name == "game_over_already"
    assert at.refused(ENDS[at.kind], DEALER).clauses == (clause,)


def test_a_key_that_is_turned_for_a_cancelled_win_still_stands_at_jph() -> None:
    at = at_award(SM)
    at.mark()
    at.do(JPH)
    at.do(ACES)
    assert (at.console.key, at.refused(J_POT).name) == ("jph", "motion_not_due")
    at.do(RUN)
    assert at.console.key == "run"
    assert at.finish()[0].position == 1

"""Adjusting a meter at the Game Manager, at every boundary: two people, nothing below zero, no win twice."""

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import (
    ApproveAdjustment,
    EnterReading,
    InstallTable,
    MeterCommand,
    MeterPart,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.decision import meter_stream
from fourcard.house.meter_state import LAST_WINS
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CallOff, ReportIrregularity
from fourcard.rules.line_options import MAX_CENTS
from fourcard.table.commands import CloseTable
from tests.kit.consoles import (
    ACES_ALONE,
    EXECUTIVE,
    FOUR_EIGHTS,
    J_POT,
    JPH,
    RUN,
    SM,
    SUPERVISOR,
    THREE_SEVENS,
    THREE_SIXES,
    WA_TOUCH,
    ConsoleTable,
    at_award,
    other_rules,
)

SEED, CHIPS = 500_000, 75
"""Cents with which the manufacturer's meter starts, and what three chips of a dollar bring to it."""
UNIT = 10_000
FIRST = ApproveAdjustment(number=1, role="executive")
THREE_FIVES = "5s 5h 5d Jc 4c"
MANUAL = ("SM-PROG-9h.2", "P30")


def add(cents: int, part: MeterPart = "meter", reason: str = "a count") -> ProposeAdjustment:
    """Return a proposal to add cents, or to take them away."""
    return ProposeAdjustment(cents=cents, part=part, reason=reason, role="supervisor")


def back(win: int) -> ProposeBackOut:
    """Return a proposal to back a win out."""
    return ProposeBackOut(win=win, reason="a misdeal", role="supervisor")


def approved(at: ConsoleTable, command: MeterCommand) -> None:
    """Propose something and have it approved."""
    at.manage(command)
    at.manage(replace(FIRST, number=at.meter.proposal_count))


def told(refusal: Refusal) -> tuple[Code, tuple[str, ...]]:
    """Return what a refusal is, and by which clauses."""
    return refusal.code, refusal.clauses


def shown(at: ConsoleTable) -> tuple[int, int]:
    """Return what meter and reserve hold in cents, fractions included."""
    assert at.balanced()
    return at.meter.amounts.amount // UNIT, at.meter.amounts.reserve // UNIT


@pytest.fixture
def at() -> ConsoleTable:
    """Return a table with a round open for wagers, on a meter of its own."""
    return ConsoleTable(SM)


@pytest.fixture
def won() -> ConsoleTable:
    """Return a table whose first winner has taken the whole meter, the game ended."""
    at = at_award(SM)
    at.finish()
    at.end()
    return at


UNFIT = (Code.ADJUSTMENT_UNFIT, ("R59", "P30"))


def test_a_meter_is_adjusted_to_exactly_zero_and_not_a_cent_below(at: ConsoleTable) -> None:
    assert told(at.not_managed(add(-SEED - 1))) == UNFIT
    approved(at, add(-SEED))
    assert shown(at) == (0, 0)
    assert told(at.not_managed(add(-1))) == UNFIT
    approved(at, add(1))
    assert shown(at) == (1, 0)


def test_a_reserve_is_adjusted_like_the_meter_and_apart_from_it(at: ConsoleTable) -> None:
    assert told(at.not_managed(add(-1, "reserve"))) == UNFIT
    approved(at, add(300, "reserve"))
    assert shown(at) == (SEED, 300)
    refusal = at.not_managed(add(-301, "reserve"))
    assert told(refusal) == UNFIT
    assert "the reserve holds $3" in refusal.message
    approved(at, add(-300, "reserve"))
    assert shown(at) == (SEED, 0)


@pytest.mark.parametrize("cents", [0, MAX_CENTS + 1, -MAX_CENTS - 1])
def test_nothing_and_more_than_is_kept_cannot_be_adjusted(at: ConsoleTable, cents: int) -> None:
    assert told(at.not_managed(add(cents))) == (Code.ADJUSTMENT_AMOUNT, ("P30",))


def test_the_most_that_is_kept_can_be_adjusted(at: ConsoleTable) -> None:
    for cents in (MAX_CENTS, -MAX_CENTS):
        approved(at, add(cents, "reserve"))
    assert shown(at) == (SEED, 0)


def test_what_was_there_when_proposed_must_be_there_when_approved(at: ConsoleTable) -> None:
    for _ in range(2):
        at.manage(add(-SEED // 2 - 1))
    at.manage(FIRST)
    second = replace(FIRST, number=2)
    assert told(at.not_managed(second)) == UNFIT
    assert [*at.meter.proposals] == [2]
    at.manage(RejectAdjustment(number=2, reason="too much", role="supervisor"))
    assert told(at.not_managed(second)) == (Code.ADJUSTMENT_UNKNOWN, ("P30",))
    assert shown(at) == (SEED // 2 - 1, 0)


def test_nobody_approves_the_own_proposal_in_whatever_role_it_was_made(at: ConsoleTable) -> None:
    at.manage(add(100), EXECUTIVE)
    own = at.not_managed(FIRST, EXECUTIVE)
    assert told(own) == (Code.ADJUSTMENT_OWN, ("P30",))
    assert "'edith'" in own.message
    at.manage(FIRST, BOT_STAFF)
    assert shown(at) == (SEED + 100, 0)


def test_who_proposed_it_may_take_it_back(at: ConsoleTable) -> None:
    at.manage(add(100), SUPERVISOR)
    at.manage(RejectAdjustment(number=1, reason="a slip", role="supervisor"), SUPERVISOR)
    assert (at.meter.proposals, shown(at)) == ({}, (SEED, 0))


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_what_was_never_proposed_is_neither_approved_nor_rejected(at: ConsoleTable, number: int) -> None:
    at.manage(add(100))
    reject = RejectAdjustment(number=number, reason="no", role="supervisor")
    for command in (replace(FIRST, number=number), reject):
        assert told(at.not_managed(command)) == (Code.ADJUSTMENT_UNKNOWN, ("P30",))


def test_a_proposal_is_approved_once_and_the_same_key_adjusts_nothing_again(at: ConsoleTable) -> None:
    at.manage(add(100))
    keyed = replace(FIRST, key="once")
    first, again = at.manage(keyed), at.manage(keyed)
    assert (first.repeated, again.repeated, first.events) == (False, True, again.events)
    assert told(at.not_managed(FIRST)) == (Code.ADJUSTMENT_UNKNOWN, ("P30",))
    assert shown(at) == (SEED + 100, 0)


def test_a_win_is_backed_out_once(won: ConsoleTable) -> None:
    assert (won.meter.win_count, shown(won)) == (1, (SEED, 0))
    won.manage(back(1))
    waits = won.not_managed(back(1))
    assert told(waits) == (Code.ADJUSTMENT_WAITS, ("P30",))
    assert "Adjustment 1 " in waits.message
    won.manage(FIRST)
    assert shown(won) == (SEED + CHIPS, 0)
    assert told(won.not_managed(back(1))) == (Code.WIN_UNKNOWN, MANUAL)
    assert told(won.not_managed(FIRST)) == (Code.ADJUSTMENT_UNKNOWN, ("P30",))
    assert [win.backed_out for win in won.meter.last_wins] == [True]


@pytest.mark.parametrize("win", [-1, 0, 2])
def test_a_win_that_was_never_logged_is_not_backed_out(won: ConsoleTable, win: int) -> None:
    assert told(won.not_managed(back(win))) == (Code.WIN_UNKNOWN, MANUAL)


def test_a_win_that_is_logged_and_not_paid_comes_before_every_adjustment() -> None:
    at = at_award(SM)
    at.manage(add(100))
    at.mark()
    for motion in (JPH, J_POT):
        at.do(motion)
    assert told(at.not_managed(back(1))) == (Code.WIN_UNADJUSTED, ("P30",))
    first = at.not_managed(FIRST)
    assert told(first) == (Code.WIN_UNADJUSTED, ("P30",))
    assert "Win 1 at table 'main'" in first.message
    at.do(RUN)
    at.manage(FIRST)
    approved(at, back(1))
    assert shown(at) == (SEED + CHIPS + 100, 0)


@pytest.mark.parametrize(("order", "left"), [((1, 2), 2 * SEED), ((2, 1), SEED)])
def test_a_later_winner_keeps_the_start_that_an_earlier_one_left(
    won: ConsoleTable, order: tuple[int, int], left: int
) -> None:
    """The start after the first win was the second winner's; it comes back with the second win alone."""
    won.begin()
    won.bet()
    won.finish()
    assert (won.meter.win_count, shown(won)) == (2, (SEED, 0))
    after = {1: 2 * SEED + CHIPS, 2: SEED + CHIPS}
    approved(won, back(order[0]))
    assert shown(won) == (after[order[0]], 0)
    approved(won, back(order[1]))
    assert shown(won) == (left + 2 * CHIPS, 0)


def test_the_prize_that_comes_back_makes_up_for_a_start_that_is_gone(won: ConsoleTable) -> None:
    approved(won, add(-SEED))
    approved(won, back(1))
    assert shown(won) == (CHIPS, 0)
    approved(won, add(-CHIPS))
    assert (shown(won), won.meter.absorbed) == ((0, 0), 0)


def test_the_house_bears_what_a_backed_out_start_lacks() -> None:
    """The meter had been adjusted to nothing before it was won, and the new start went as well."""
    at = ConsoleTable(SM)
    approved(at, add(-SEED))
    at.bet()
    at.finish()
    assert shown(at) == (SEED, 0)
    approved(at, add(-SEED))
    approved(at, back(1))
    assert (shown(at), at.meter.absorbed) == ((0, 0), (SEED - CHIPS) * UNIT)


def test_a_win_that_was_backed_out_does_not_come_back_again_with_a_void_round() -> None:
    at = at_award(WA_TOUCH)
    before = shown(at)
    at.mark()
    at.confirm()
    approved(at, back(1))
    assert shown(at) == before
    at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4, role="supervisor"))
    assert shown(at) == (SEED, 0)
    assert told(at.not_managed(back(1))) == (Code.WIN_UNKNOWN, ("WA-NEX-8h.2", "P30"))


@pytest.mark.clause("SM-PROG-9h.2")
def test_a_console_without_manual_adjustment_backs_no_win_out() -> None:
    with other_rules(SM, manual_adjustment=False):
        at = at_award(SM)
    at.mark()
    at.confirm()
    assert told(at.not_managed(back(1))) == (Code.WIN_UNKNOWN, MANUAL)


@pytest.mark.parametrize("cents", [-1, 0, SEED, SEED + 5, MAX_CENTS, MAX_CENTS + 1])
def test_a_reading_of_a_restored_meter_becomes_its_amount(at: ConsoleTable, cents: int) -> None:
    """The fractions of a cent that no sign shows stay where a reading agrees with the meter (P38)."""
    stream = meter_stream(at.meter.name)
    states = at.house.service.cache.states
    restored = replace(
        at.meter, unconfirmed_restore=1, amounts=replace(at.meter.amounts, amount=SEED * UNIT + 7)
    )
    states[stream] = restored
    reading = EnterReading(cents=cents, reason="read off the sign", role="supervisor")
    if not 0 <= cents <= MAX_CENTS:
        assert told(at.not_managed(reading)) == (Code.READING_UNFIT, ("P38",))
        return
    (proposed,) = at.manage(reading).events
    assert (proposed.reading, proposed.cents) == (cents, cents - SEED)
    approved_units = cents * UNIT + (7 if cents == SEED else 0)
    at.manage(ApproveAdjustment(number=1, role="executive"))
    assert (at.meter.amounts.amount, at.meter.unconfirmed_restore) == (approved_units, 0)


@pytest.mark.clause("P38")
def test_a_table_leaves_a_restored_meter_once_it_is_confirmed(at: ConsoleTable) -> None:
    stream, states = meter_stream(at.meter.name), at.house.service.cache.states
    at.do(CallOff())
    at.do(CloseTable(role="floorperson"))
    same = InstallTable(submission=SM.text, cards="keyed")
    other = replace(same, meter="another")
    states[stream] = replace(at.meter, unconfirmed_restore=1)
    assert told(at.refused(other, BOT_STAFF)) == (Code.METER_UNCONFIRMED, ("P38",))
    at.do(same, BOT_STAFF)
    states[stream] = replace(at.meter, unconfirmed_restore=0)
    at.do(other, BOT_STAFF)
    assert [name for name in ("main", "another") if at.house.service.cache.meter(name).tables] == ["another"]


@pytest.mark.clause("P30")
def test_two_wins_that_were_backed_out_do_not_come_back_again_with_their_void_round() -> None:
    all_from_meter = WA_TOUCH.but("from meter", progressive__fixed_awards="meter")
    at = at_award(all_from_meter, {**ACES_ALONE, 3: FOUR_EIGHTS})
    before = shown(at)
    for _ in range(2):
        at.to_award()
        at.mark()
        at.confirm()
    for number in (2, 1):
        approved(at, back(number))
    assert shown(at) == before
    at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4, role="supervisor"))
    assert shown(at) == (SEED, 0)


def test_a_proposal_on_a_win_of_a_void_round_can_only_be_rejected() -> None:
    at = at_award(WA_TOUCH)
    at.mark()
    at.confirm()
    at.manage(back(1))
    at.do(ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4, role="supervisor"))
    assert told(at.not_managed(FIRST)) == (Code.WIN_UNKNOWN, ("P30",))
    at.manage(RejectAdjustment(number=1, reason="the round was void", role="supervisor"))
    assert (shown(at), at.meter.proposals) == ((SEED, 0), {})


def test_only_a_win_that_can_still_be_read_is_backed_out() -> None:
    hands = {1: THREE_SEVENS, 2: THREE_SIXES, 3: THREE_FIVES, 0: "Ks Qh 8c 7c 2h 3h"}
    at = ConsoleTable(SM, hands)
    while at.meter.win_count <= LAST_WINS:
        at.bet()
        at.finish()
        at.end()
        at.begin(hands)
    readable = [win.logged.number for win in at.meter.last_wins]
    assert readable == [*range(at.meter.win_count - LAST_WINS + 1, at.meter.win_count + 1)]
    assert told(at.not_managed(back(readable[0] - 1))) == (Code.WIN_UNKNOWN, MANUAL)
    approved(at, back(readable[0]))

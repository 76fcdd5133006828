"""Several winners in one round, and a logged win that is backed out by a manual adjustment."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_FLOORPERSON
from fourcard.house.commands import ApproveAdjustment, ProposeAdjustment, ProposeBackOut, RejectAdjustment
from fourcard.progressive.console import PressHand
from tests.kit.consoles import (
    ACES_ALONE,
    CONFIRMING,
    EXECUTIVE,
    FOUR_ACES,
    FOUR_EIGHTS,
    MD_KEYPAD,
    MD_TOUCH,
    NOTHING,
    RUN,
    SM,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    on_consoles,
)
from tests.kit.support import by_clause

# Two winners in one round: from the dealer's right, each at the meter as it stands at the own turn.

FROM_METER: dict[str, Any] = {"progressive__fixed_awards": "meter"}


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("SM-APP-A.1", SM),
        ("WA-PROG-8c.1", WA_KEYPAD.but("from meter", **FROM_METER)),
        ("WA-NEX-8c.1", WA_TOUCH.but("from meter", **FROM_METER)),
        ("R58", WA_KEYPAD.but("from meter", **FROM_METER)),
        ("R58", WA_TOUCH.but("from meter", **FROM_METER)),
    ),
)
def test_winners_are_paid_from_the_dealers_right_each_at_the_meter_as_it_stands(
    clause: str, setup: ConsoleSetup
) -> None:
    from_meter = "from meter" in setup.name
    aces_last = ConsoleTable(setup, {**ACES_ALONE, 3: FOUR_EIGHTS})
    aces_last.bet()
    shown = aces_last.meter.displayed + (75 if setup == SM else 60)
    first, second = aces_last.finish()
    assert (first.position, second.position) == (3, 1), clause
    assert first.payment.amount == 30_000
    assert second.payment.amount == shown - (30_000 if from_meter else 0)
    aces_first = ConsoleTable(setup, {1: FOUR_EIGHTS, 2: NOTHING, 3: FOUR_ACES})
    aces_first.bet()
    first, second = aces_first.finish()
    assert (first.position, first.payment.amount) == (3, shown)
    assert (second.position, second.payment.amount) == (1, 30_000)
    reset = 500_000 + (6 if from_meter else 0)
    assert aces_first.meter.displayed == reset - (30_000 if from_meter else 0)
    for at in (aces_last, aces_first):
        assert [win.logged.number for win in at.meter.last_wins] == [1, 2]
        assert at.balanced()


THREE_WINNERS = {1: FOUR_ACES, 2: FOUR_EIGHTS, 3: "Js Jh Jd Jc 3s"}


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("WA-PROG-8c.2", WA_KEYPAD.but("from meter", **FROM_METER)),
        ("WA-NEX-8c.2", WA_TOUCH.but("from meter", **FROM_METER)),
    ),
)
def test_winners_are_paid_in_the_order_that_the_house_names(clause: str, setup: ConsoleSetup) -> None:
    paid = {}
    for order in ("settlement", "dealer-left", "highest-hand"):
        at = ConsoleTable(setup.but(order, progressive__winner_order=order), THREE_WINNERS)
        at.bet()
        awards = at.finish()
        paid[order] = [award.position for award in awards]
        assert at.meter.displayed == 500_006 - (0 if order == "settlement" else 60_000)
        cited = clause in awards[0].steps[0].clauses
        assert cited == (order != "settlement")
        assert at.balanced()
    assert paid == {"settlement": [3, 2, 1], "dealer-left": [1, 2, 3], "highest-hand": [1, 3, 2]}


TABLE_C: dict[str, Any] = {
    "wagers__progressive": "C",
    "progressive__envy": "C-royal",
    "progressive__seed": "$10,000",
    "progressive__reset": "$10,000",
}


@pytest.mark.clause("R58")
@pytest.mark.parametrize("setup", [MD_KEYPAD, MD_TOUCH], ids=str)
def test_a_second_winner_of_the_whole_meter_gets_what_it_started_from_anew(setup: ConsoleSetup) -> None:
    royals = {1: "As Ks Qs Js Ts", 2: "8c 7d 6c 4h 2d", 3: "Ah Kh Qh Jh Th"}
    at = ConsoleTable(setup.but("C", **TABLE_C), {**royals, 0: "5s 5h Jd Tc 9c 4d"})
    at.bet()
    at.start()
    shown = at.meter.displayed
    assert shown == 1_000_037
    first, second = at.finish("floorperson")
    assert (first.payment.amount, second.payment.amount) == (shown, 1_000_008)
    assert (at.meter.amounts.whole_meter_wins, at.balanced()) == (2, True)


# Once a win is logged it takes the Game Manager to return it to the meter, and two people there.

BACK = ProposeBackOut(win=1, reason="the wrong player was paid", role="supervisor")
APPROVED = ApproveAdjustment(number=1, role="executive")
MANUAL = on_consoles("SM-PROG-9h.2", "WA-PROG-8i.2", "WA-NEX-8h.2", md="P30", ma="P30")


@pytest.mark.parametrize(("clause", "setup"), MANUAL)
def test_a_logged_win_is_backed_out_by_a_manual_adjustment_alone(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    before = at.meter.amounts
    at.mark()
    none = at.not_managed(BACK)
    assert (none.name, clause in none.clauses) == ("win_unknown", True)
    for motion in CONFIRMING[at.kind][:2]:
        at.do(motion)
    if at.kind == "keypad":
        final = at.refused(PressHand(hand="four_aces"))
        assert (final.name, clause in final.clauses) == ("win_final", True)
        assert at.not_managed(BACK).name == "win_unadjusted"
        at.do(RUN)
    at.finish()
    at.end()
    prize = at.won(1)
    after = at.meter.amounts
    for role in ("dealer", "floorperson"):
        assert at.not_managed(replace(BACK, role=role)).name == "not_permitted"
    assert at.not_managed(replace(BACK, reason=" ")).name == "reason_unfit"
    assert at.not_managed(replace(BACK, win=2)).name == "win_unknown"
    at.manage(BACK)
    assert at.meter.amounts == after
    assert at.not_managed(BACK).name == "adjustment_waits"
    assert at.not_managed(replace(APPROVED, role="supervisor")).name == "not_permitted"
    assert at.not_managed(replace(APPROVED, number=2)).name == "adjustment_unknown"
    at.manage(APPROVED)
    assert (at.meter.amounts.amount, at.meter.amounts.reserve) == (before.amount, before.reserve)
    assert (at.meter.displayed, at.meter.amounts.reversed_wins) == (before.whole_cents, (0,))
    assert (at.meter.last_wins[0].backed_out, at.meter.win_count, at.won(1)) == (True, 1, prize)
    assert at.not_managed(BACK).name == "win_unknown"
    assert at.balanced()


@pytest.mark.clause("P30")
@pytest.mark.parametrize("setup", [SM, WA_TOUCH], ids=str)
def test_nobody_approves_an_adjustment_of_the_own_and_none_is_approved_while_a_prize_is_owed(
    setup: ConsoleSetup,
) -> None:
    at = at_award(setup)
    amount = at.meter.amounts.amount
    more = ProposeAdjustment(cents=12_34, reason="found in the drop", role="executive")
    at.manage(more, BOT_FLOORPERSON)
    assert at.not_managed(APPROVED, BOT_FLOORPERSON).name == "adjustment_own"
    if at.kind == "keypad":
        at.mark()
        for motion in CONFIRMING[at.kind][:2]:
            at.do(motion)
        assert at.not_managed(APPROVED).name == "win_unadjusted"
        at.do(RUN)
        amount = at.meter.amounts.amount
    at.manage(APPROVED, EXECUTIVE)
    assert at.meter.amounts.amount == amount + 12_34 * 10_000
    gone = ProposeAdjustment(cents=-at.meter.displayed - 1, reason="too much", role="supervisor")
    assert at.not_managed(gone).name == "adjustment_unfit"
    at.manage(replace(gone, cents=gone.cents + 1))
    at.manage(RejectAdjustment(number=2, reason="no need", role="supervisor"))
    assert at.not_managed(replace(APPROVED, number=2)).name == "adjustment_unknown"
    assert at.balanced()

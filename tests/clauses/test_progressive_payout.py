"""Maryland's progressive payout: hand and light verified, then validated, then paid by the odds of .12."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.progressive.console import PressHand, SelectSpot, WinMarked
from fourcard.progressive.decide import decide
from fourcard.progressive.win_confirmation import MeterPort
from fourcard.refusals import Refusal
from fourcard.round.commands import PayAward
from fourcard.round.decide_settlement import price_award
from fourcard.table.decide import decide as decide_table
from tests.kit.consoles import (
    ACES_ALONE,
    CONFIRMING,
    FOUR_ACES,
    FOUR_EIGHTS,
    MD_KEYPAD,
    MD_TOUCH,
    NOTHING,
    PRIZES,
    SM,
    STRAIGHT_FLUSH,
    THREE_SEVENS,
    TRAY,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    awards,
)
from tests.kit.support import by_clause

ACES = PressHand(hand="four_aces")


def on_both(*clauses: str) -> list[Any]:
    """Return every clause on both of Maryland's consoles."""
    return by_clause(*((clause, setup) for clause in clauses for setup in (MD_KEYPAD, MD_TOUCH)))


@pytest.mark.parametrize(("clause", "setup"), on_both("MD-11D10a", "MD-11D10b", "MD-11D10c", "MD-11D10d"))
def test_a_win_is_verified_then_validated_then_paid(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    confirming = [replace(motion, role="floorperson") for motion in CONFIRMING[at.kind]]
    paying = PayAward(position=1, payment=Payment(from_meter=1), before=1, after=0)
    for motion in confirming[:2]:
        assert at.refused(motion).name == "motion_not_due", clause
    assert at.refused(paying).name == "not_permitted"
    marked = [event for event in at.mark().events if isinstance(event, WinMarked)]
    assert [event.clauses for event in marked] == [("MD-11D10a", "MD-11D10b")]
    for motion in confirming:
        assert at.won(1) == []
        assert at.refused(paying).name == "not_permitted"
        at.do(motion)
    assert at.meter.last_wins[0].logged.confirmed_as == "floorperson"
    assert at.won(1) == [(PRIZES, 500_037)]


@pytest.mark.parametrize(("clause", "setup"), on_both("MD-11D10b"))
def test_a_winner_whose_light_is_off_is_not_marked(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    if at.kind == "touch":
        at.do(SelectSpot(position=1))
    meters = MeterPort(lambda current_round: price_award(at.meter.amounts, current_round))
    dark = replace(at.table, round=replace(at.round, locked_stakes=((2, 100), (3, 100))))
    unlit = decide(at.console, dark, ACES, meters)
    assert isinstance(unlit, Refusal)
    assert (unlit.name, unlit.clauses) == ("spot_unlit", (clause,))
    lit = decide(at.console, at.table, ACES, meters)
    assert not isinstance(lit, Refusal)


@pytest.mark.parametrize("setup", [SM, WA_TOUCH], ids=str)
def test_elsewhere_the_hand_button_asks_for_no_light(setup: ConsoleSetup) -> None:
    at = at_award(setup)
    if at.kind == "touch":
        at.do(SelectSpot(position=1))
    dark = replace(at.table, round=replace(at.round, locked_stakes=((2, 100),)))
    told = decide(
        at.console, dark, ACES, MeterPort(lambda current_round: price_award(at.meter.amounts, current_round))
    )
    assert not isinstance(told, Refusal)


@pytest.mark.clause("MD-11D10b")
def test_a_spot_without_a_light_is_not_selected() -> None:
    at = ConsoleTable(MD_TOUCH)
    at.bet(progressive=(1, 3))
    at.to_award()
    unlit = at.refused(SelectSpot(position=2))
    assert (unlit.name, "MD-11D10b" in unlit.clauses) == ("spot_unlit", True)


def paytable(name: str, seed: str = "$5,000") -> dict[str, Any]:
    """Return the changes for one of Maryland's progressive tables."""
    envy = "C-royal" if name == "C" else name
    meter = {"progressive__seed": seed, "progressive__reset": seed}
    return {"wagers__progressive": name, "progressive__envy": envy, **meter}


FIXED = [
    ("A", FOUR_EIGHTS, 300),
    ("A", STRAIGHT_FLUSH, 100),
    ("A", THREE_SEVENS, 9),
    ("B", FOUR_EIGHTS, 300),
    ("B", STRAIGHT_FLUSH, 100),
    ("B", THREE_SEVENS, 15),
    ("C", FOUR_EIGHTS, 300),
    ("C", "8s 8h 8d Ac Ad", 50),
    ("C", "Ad Jd 8d 6d 2d", 40),
    ("C", "8s 7h 6d 5c 4h", 30),
    ("C", THREE_SEVENS, 9),
]


@pytest.mark.clause("MD-11D10d")
@pytest.mark.parametrize("stake", [100, 500])
@pytest.mark.parametrize(("table", "hand", "odds"), FIXED)
def test_a_fixed_award_is_paid_by_its_odds_for_one(table: str, hand: str, odds: int, stake: int) -> None:
    at = ConsoleTable(MD_KEYPAD.but(table, **paytable(table, "$10,000")), {1: hand, 2: NOTHING})
    at.bet(progressive=(1,), stake=stake)
    (paid,) = at.finish("floorperson")
    assert (paid.payment.from_tray, paid.payment.from_meter) == (odds * stake, 0)
    assert at.won(1) == [(TRAY, odds * stake)]


SHARES = [
    ("A", FOUR_ACES, 100, 100, 1_000_012),
    ("A", FOUR_ACES, 500, 100, 1_000_062),
    ("B", FOUR_ACES, 100, 100, 1_000_012),
    ("C", "Ad Kd Qd Jd Td", 100, 100, 1_000_012),
    ("C", "Ad Kd Qd Jd Td", 500, 100, 1_000_062),
    ("C", "Kd Qd Jd Td 9d", 100, 10, 100_001),
]


@pytest.mark.clause("MD-11D10d")
@pytest.mark.parametrize(("table", "hand", "stake", "percent", "award"), SHARES)
def test_a_share_of_the_meter_is_paid_of_what_it_shows(
    table: str, hand: str, stake: int, percent: int, award: int
) -> None:
    at = ConsoleTable(MD_TOUCH.but(table, **paytable(table, "$10,000")), {1: hand, 2: NOTHING})
    at.bet(progressive=(1,), stake=stake)
    (paid,) = at.finish("floorperson")
    assert paid.payment.amount == award == paid.before * percent // 100
    assert at.won(1) == [(PRIZES, award)]


@pytest.mark.clause("MD-11D10di")
@pytest.mark.parametrize("setup", [MD_KEYPAD, MD_TOUCH], ids=str)
def test_the_tray_never_pays_the_whole_meter(setup: ConsoleSetup) -> None:
    """Not even where a house has the tray pay everything else (R60)."""
    at = at_award(setup.but("tray", settings__part_share_from="tray", progressive__fixed_awards="tray"))
    shown = at.meter.displayed
    right = price_award(at.meter.amounts, at.round)
    forged = replace(right, payment=replace(right.payment, from_meter=0, from_tray=shown))
    split = replace(right, payment=replace(right.payment, from_meter=shown - 1, from_tray=1))
    for award in (forged, split):
        refusal = decide_table(at.table, award)
        assert isinstance(refusal, Refusal)
        assert refusal.name == "whole_meter_from_tray"
    assert not isinstance(decide_table(at.table, right), Refusal)
    at.mark()
    (paid,) = awards(at.confirm("floorperson"))
    assert (paid.payment.from_tray, paid.payment.from_meter, at.won(1)) == (0, shown, [(PRIZES, shown)])


@pytest.mark.clause("MD-11D10di")
def test_a_tenth_of_the_meter_may_come_from_the_tray() -> None:
    tray = MD_KEYPAD.but("C", **paytable("C", "$10,000"), settings__part_share_from="tray")
    at = ConsoleTable(tray, {**ACES_ALONE, 1: "Kd Qd Jd Td 9d"})
    at.bet(progressive=(1,))
    (paid,) = at.finish("floorperson")
    assert (paid.payment.from_tray, at.won(1)) == (100_001, [(TRAY, 100_001)])

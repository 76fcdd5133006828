"""Who confirms a win: not who marked it, from which rank on, and an executive for a large one."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_STAFF
from fourcard.progressive.console import PressHand, SelectSpot
from fourcard.round.commands import ActorRole, CompleteDocument
from tests.kit.consoles import (
    CONFIRM,
    CONFIRMING,
    FOUR_ACES,
    FOUR_EIGHTS,
    MA_KEYPAD,
    MA_TOUCH,
    MD_KEYPAD,
    MD_TOUCH,
    NOTHING,
    PRIZES,
    SEVENS_ALONE,
    SM,
    STRAIGHT_FLUSH,
    SWIPE,
    THREE_SEVENS,
    TRAY,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    on_consoles,
)
from tests.kit.support import by_clause

HANDS = {
    "four_aces": FOUR_ACES,
    "four_of_a_kind": FOUR_EIGHTS,
    "straight_flush": STRAIGHT_FLUSH,
    "three_of_a_kind": THREE_SEVENS,
}
RANKS: tuple[ActorRole, ...] = ("floorperson", "supervisor", "casino-supervisor", "executive")


@pytest.mark.parametrize("row", HANDS)
@pytest.mark.parametrize(
    ("clause", "setup", "least"),
    by_clause(
        ("SM-PROG-9d", SM, "supervisor"),
        ("WA-PROG-8e", WA_KEYPAD, "supervisor"),
        ("WA-NEX-8e", WA_TOUCH, "supervisor"),
        ("MD-11D10c", MD_KEYPAD, "floorperson"),
        ("MD-11D10c", MD_TOUCH, "floorperson"),
        ("P29", MA_KEYPAD, "floorperson"),
        ("P29", MA_TOUCH, "floorperson"),
    ),
)
def test_every_win_waits_for_somebody_of_the_right_rank(
    clause: str, setup: ConsoleSetup, least: ActorRole, row: str
) -> None:
    at = at_award(setup, {1: HANDS[row], 2: NOTHING})
    at.mark()
    for motion in CONFIRMING[at.kind]:
        assert at.won(1) == []
        for role in RANKS[: RANKS.index(least)]:
            under = at.refused(replace(motion, role=role))
            assert (under.name, clause in under.clauses) == ("not_your_duty", True)
        assert at.refused(replace(motion, role="dealer")).name in ("not_permitted", "not_your_duty")
        at.do(replace(motion, role=least))
    assert len(at.won(1)) == 1
    assert (at.meter.last_wins[0].logged.confirmed_as, at.meter.last_wins[0].logged.row) == (least, row)


@pytest.mark.clause("R61")
@pytest.mark.parametrize("setup", [SM, WA_KEYPAD, WA_TOUCH, MD_KEYPAD, MA_KEYPAD], ids=str)
def test_who_ranks_higher_may_confirm_as_well(setup: ConsoleSetup) -> None:
    for role in RANKS[RANKS.index("supervisor") :]:
        at = at_award(setup, SEVENS_ALONE)
        at.mark()
        at.confirm(role)
        assert at.won(1) == [(TRAY, 900)]


@pytest.mark.clause("R61")
@pytest.mark.parametrize("setup", [SM, WA_KEYPAD, WA_TOUCH, MA_KEYPAD, MA_TOUCH], ids=str)
def test_awards_of_the_meter_alone_are_confirmed_unless_a_house_asks_for_every_win(
    setup: ConsoleSetup,
) -> None:
    fixed = setup.but("as the sources say", settings=None)
    at = ConsoleTable(fixed, {**SEVENS_ALONE, 2: STRAIGHT_FLUSH, 3: FOUR_ACES})
    at.bet()
    assert at.to_award() == 3
    at.mark()
    at.confirm()
    while at.table.round is not None:
        assert at.round.awaited_step is None
        at.step()
    assert (at.won(1), at.won(2), len(at.won(3))) == ([(TRAY, 900)], [(TRAY, 10_000)], 1)
    assert at.meter.win_count == 1
    always = at_award(setup, SEVENS_ALONE)
    assert always.won(1) == []


@pytest.mark.parametrize(("clause", "setup"), on_consoles("P29", "P29", "P29", md="P29", ma="P29"))
def test_who_marked_a_win_neither_confirms_it_nor_completes_its_document(
    clause: str, setup: ConsoleSetup
) -> None:
    at = at_award(setup)
    if at.kind == "touch":
        at.do(SelectSpot(position=1), BOT_STAFF)
    at.do(PressHand(hand="four_aces"), BOT_STAFF)
    for motion in CONFIRMING[at.kind]:
        for role in ("supervisor", "executive"):
            same = at.refused(replace(motion, role=role), BOT_STAFF)
            assert (same.name, clause in same.clauses) == ("same_person", True)
        at.do(motion)
    document = CompleteDocument(position=1, role="supervisor")
    assert at.round.undocumented_positions == (1,)
    same = at.refused(document, BOT_STAFF)
    assert (same.name, clause in same.clauses) == ("same_person", True)
    at.do(document)
    assert not at.round.undocumented_positions
    at.finish()


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("P23", SM),
        ("P23", WA_KEYPAD),
        ("P23", WA_TOUCH),
        ("P23", MA_KEYPAD),
        ("MD-11D10dii", MD_KEYPAD),
        ("MD-11D10dii", MD_TOUCH),
    ),
)
def test_the_winning_cards_stay_until_the_document_is_complete(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    at.mark()
    at.confirm()
    assert at.round.undocumented_positions == (1,)
    document = CompleteDocument(position=1, role="supervisor")
    assert at.refused(replace(document, role="dealer")).name == "not_permitted"
    while at.round.undocumented_positions:
        assert not at.round.positions[1].racked, clause
        at.step()
    assert at.meter.owed == 0
    at.finish()
    fixed = at_award(setup, SEVENS_ALONE)
    fixed.mark()
    fixed.confirm()
    assert fixed.round.undocumented_positions == ()
    assert fixed.refused(document).name == "document_unasked"


# From the submitted level on an executive's card is needed at Washington's touch display.

SHOWN = 500_060


def level(cents: int) -> dict[str, Any]:
    """Return the change that sets the level of an executive's card."""
    return {"progressive__executive_threshold": f"${cents // 100:,}.{cents % 100:02}"}


@pytest.mark.parametrize("clause", by_clause(("WA-NEX-8f.2",), ("R64",)))
@pytest.mark.parametrize("under", [-1, 0, 1])
def test_a_card_of_the_right_rank_completes_a_win_by_its_level(clause: str, under: int) -> None:
    at = at_award(WA_TOUCH.but("level", **level(SHOWN + under)))
    assert at.meter.displayed == SHOWN
    at.mark()
    at.do(CONFIRM)
    if under > 0:
        at.do(SWIPE)
        assert at.meter.last_wins[0].logged.confirmed_as == "supervisor"
    else:
        for role in ("supervisor", "casino-supervisor"):
            needed = at.refused(replace(SWIPE, role=role))
            assert (needed.name, clause in needed.clauses) == ("executive_needed", True)
        assert (at.meter.win_count, at.won(1)) == (0, [])
        at.do(replace(SWIPE, role="executive"))
        assert at.meter.last_wins[0].logged.confirmed_as == "executive"
    assert at.won(1) == [(PRIZES, SHOWN)]


@pytest.mark.parametrize("clause", by_clause(("WA-NEX-8f.2",), ("R64",)))
def test_a_fixed_award_has_a_level_too_and_confirm_needs_no_executive(clause: str) -> None:
    at = at_award(WA_TOUCH.but("level", **level(900)), SEVENS_ALONE)
    at.mark()
    at.do(CONFIRM)
    assert at.refused(SWIPE).name == "executive_needed", clause
    at.do(replace(SWIPE, role="executive"))
    under = at_award(WA_TOUCH.but("level", **level(901)), SEVENS_ALONE)
    under.mark()
    under.confirm()
    assert at.won(1) == under.won(1) == [(TRAY, 900)]


@pytest.mark.parametrize("clause", by_clause(("WA-NEX-8f.2",), ("R64",)))
def test_a_card_is_swiped_by_nobody_under_a_supervisor_and_the_keypad_knows_no_level(clause: str) -> None:
    at = at_award(WA_TOUCH)
    at.mark()
    assert at.refused(SWIPE).name == "motion_not_due"
    at.do(CONFIRM)
    assert at.refused(replace(SWIPE, role="floorperson")).name == "not_your_duty"
    assert at.refused(replace(SWIPE, role="dealer")).name == "not_permitted"
    at.do(SWIPE)
    keypad = at_award(WA_KEYPAD.but("level", **level(1)))
    keypad.mark()
    keypad.confirm("supervisor")
    assert at.won(1) == keypad.won(1) == [(PRIZES, SHOWN)], clause

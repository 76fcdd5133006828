"""Maryland's progressive chips: locked in by the system, collected, counted, and put into the tray."""

import copy
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.commands import InstallTable
from fourcard.house.decision import table_stream
from fourcard.progressive.console import Press, PressHand, ReportLink
from fourcard.refusals import RefusedError
from fourcard.round.commands import Deal, Perform, PlaceWager
from fourcard.round.events import CardsDealt, ChipsDiffered, ProgressiveLocked, StepDone
from fourcard.rules.loading import resolve_rulebook, rulebook_document
from tests.kit.consoles import (
    MD_KEYPAD,
    MD_TOUCH,
    NOTHING,
    NOTHING_ELSE,
    STARTS,
    TRAY,
    ConsoleSetup,
    ConsoleTable,
)
from tests.kit.houses import TestHouse, house_with, player, submission_text
from tests.kit.support import by_clause
from tests.kit.tables import bet, refused, table

NO_WIN = {1: NOTHING, 2: NOTHING_ELSE, 3: "Qs Js 6h 4s 2s"}
NO_SIX_CARD: dict[str, Any] = {
    "wagers__six_card": None,
    "limits__posted__six_card": None,
    "dealing__dealer_first": None,
    "dealing__stack": None,
}
SHOE = MD_KEYPAD.but("shoe", **NO_SIX_CARD, dealing__method="shoe")
HAND = MD_KEYPAD.but("hand", **NO_SIX_CARD, dealing__method="hand")
ANNOUNCE, COLLECT = Perform(step="announce_no_more_bets"), Perform(step="collect_chips")
COUNT, PUT_AWAY = Perform(step="count_chips", count=2), Perform(step="put_chips_in_tray")


def with_chips(setup: ConsoleSetup, positions: tuple[int, ...] = (1, 3)) -> ConsoleTable:
    """Return a table with an Ante everywhere and progressive chips at some positions, nothing announced."""
    at = ConsoleTable(setup, NO_WIN)
    at.bet(progressive=positions)
    return at


def locked(setup: ConsoleSetup) -> ConsoleTable:
    """Return a table with two progressive wagers locked in."""
    at = with_chips(setup)
    at.start()
    return at


def step_done(at: ConsoleTable, command: Any) -> tuple[str, ...]:
    """Do a step and return the clauses that order it."""
    first = at.do(command).events[0]
    assert isinstance(first, StepDone)
    return first.clauses


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("MD-08C1", SHOE),
        ("MD-09A3b", HAND),
        ("MD-10A2b", MD_KEYPAD),
        ("MD-10A2b", MD_TOUCH),
    ),
)
def test_the_dealer_locks_the_system_before_any_card(clause: str, setup: ConsoleSetup) -> None:
    at, lock = with_chips(setup), STARTS[setup.kind]
    assert at.refused(lock).name == "out_of_order"
    at.do(ANNOUNCE)
    assert at.round.locked_stakes is None
    early = at.refused(Deal())
    assert (early.name, early.clauses) == ("out_of_order", (clause,))
    assert at.refused(COLLECT).name == "out_of_order"
    told = at.do(lock).events
    assert isinstance(told[0], StepDone)
    assert told[0].clauses == (clause,)
    assert [event.stakes for event in told if isinstance(event, ProgressiveLocked)] == [((1, 100), (3, 100))]
    assert at.refused(lock).name == "out_of_order"
    assert at.refused(at.wager(2), player("p2")).name == "betting_closed"
    assert at.refused(at.wager(1, amount=500), player("p1")).name == "betting_closed"


@pytest.mark.clause("MD-02C2.2")
@pytest.mark.parametrize("setup", [SHOE, HAND, MD_KEYPAD, MD_TOUCH], ids=str)
def test_no_chip_is_recognised_after_no_more_bets(setup: ConsoleSetup) -> None:
    at = with_chips(setup, positions=(1,))
    at.do(at.wager(2), player("p2"))
    at.do(ANNOUNCE)

    def unrecognised() -> bool:
        late = (at.wager(3), at.wager(3, accepted=False))
        told = {at.refused(chip, who).name for chip in late for who in (player("p3"), None)}
        return told == {"betting_closed"} and 3 not in at.lights

    assert unrecognised()
    at.do(STARTS[setup.kind])
    assert unrecognised()
    while at.round.phase != "settling":
        at.step()
        assert unrecognised()
    assert at.round.locked_stakes == ((1, 100), (2, 100))


@pytest.mark.parametrize(
    ("clause", "setup", "step"),
    [
        pytest.param(clause, setup, step, marks=pytest.mark.clause(clause), id=f"{clause}-{setup}")
        for setup, clauses in (
            (SHOE, ("MD-08C2a", "MD-08C2b", "MD-08C2c")),
            (HAND, ("MD-09A4a", "MD-09A4b", "MD-09A4c")),
            (MD_KEYPAD, ("MD-10A3a", "MD-10A3b", "MD-10A3c")),
            (MD_TOUCH, ("MD-10A3a", "MD-10A3b", "MD-10A3c")),
        )
        for clause, step in zip(clauses, (COLLECT, COUNT, PUT_AWAY), strict=True)
    ],
)
def test_the_chips_are_collected_counted_and_put_into_the_tray_before_any_card(
    clause: str, setup: ConsoleSetup, step: Perform
) -> None:
    at, steps = locked(setup), (COLLECT, COUNT, PUT_AWAY)
    for each in steps:
        waits = at.refused(Deal())
        assert (waits.name, clause in waits.clauses) == ("out_of_order", each is step)
        for other in (other for other in steps if other is not each):
            assert at.refused(other).name == "out_of_order"
        for role in ("floorperson", "supervisor"):
            assert at.refused(replace(each, role=role)).name == "not_your_duty"
        assert (clause in step_done(at, each)) == (each is step)
    assert any(isinstance(event, CardsDealt) for event in at.step().events)


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(("MD-08C2b", SHOE), ("MD-09A4b", HAND), ("MD-10A3b", MD_KEYPAD), ("MD-10A3b", MD_TOUCH)),
)
@pytest.mark.parametrize("chips", [0, 1, 3])
def test_a_count_that_differs_from_the_accepted_wagers_holds_the_cards_back(
    clause: str, setup: ConsoleSetup, chips: int
) -> None:
    at = locked(setup)
    at.do(COLLECT)
    (differed,) = at.do(replace(COUNT, count=chips)).events
    assert isinstance(differed, ChipsDiffered)
    assert (differed.chips, differed.accepted, clause in differed.clauses) == (chips, 2, True)
    held_back = at.refused(Deal())
    assert (held_back.name, clause in held_back.clauses) == ("chips_differ", True)
    assert at.refused(PUT_AWAY).name == "out_of_order"
    assert at.refused(COUNT).name == "chips_differ"
    at.do(replace(COUNT, role="floorperson"))
    assert at.refused(Deal()).name == "out_of_order"
    at.do(PUT_AWAY)
    assert any(isinstance(event, CardsDealt) for event in at.step().events)


@pytest.mark.clause("R104")
@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(("MD-08C2c", SHOE), ("MD-09A4c", HAND), ("MD-10A3c", MD_KEYPAD), ("MD-10A3c", MD_TOUCH)),
)
def test_the_tray_then_holds_the_chips_and_the_layout_none(clause: str, setup: ConsoleSetup) -> None:
    at = with_chips(setup)
    spot, held = ledger.layout_account(at.name, "progressive"), at.account(TRAY)
    assert at.account(spot) == 200
    at.start()
    for step in (COLLECT, COUNT):
        at.do(step)
        assert (at.account(spot), at.account(TRAY)) == (200, held)
    assert clause in step_done(at, PUT_AWAY)
    assert (at.account(spot), at.account(TRAY), at.round.tray_change) == (0, held + 200, 200)
    assert all("progressive" not in place.on_layout for place in at.round.positions.values())


@pytest.mark.clause("MD-08C2.0")
@pytest.mark.parametrize("setup", [SHOE, HAND, MD_KEYPAD], ids=str)
def test_chips_are_collected_whenever_a_progressive_wager_was_made_and_never_else(
    setup: ConsoleSetup,
) -> None:
    for positions in ((2,), (1, 2, 3)):
        at = with_chips(setup, positions)
        at.start()
        for step in (COLLECT, replace(COUNT, count=len(positions)), PUT_AWAY):
            assert at.refused(Deal()).name == "out_of_order"
            step_done(at, step)
        assert any(isinstance(event, CardsDealt) for event in at.step().events)
    none = with_chips(setup, ())
    none.start()
    for step in (COLLECT, replace(COUNT, count=0), PUT_AWAY):
        assert none.refused(step).name == "out_of_order"
    assert any(isinstance(event, CardsDealt) for event in none.step().events)


# No progressive without a system: none offered, none described, none that the table can reach.


@pytest.mark.clause("MD-02C.0")
def test_a_table_has_a_system_exactly_where_the_progressive_is_offered() -> None:
    without = house_with("maryland")
    assert without.house_table("main").console is None
    for command in (Press(button="coin_in"), PressHand(hand="four_aces")):
        assert without.refused(table_stream("main"), command).name == "no_console"
    plain = table("maryland")
    bet(plain, {"ante": 2_500})
    chip = PlaceWager(position=1, wager="progressive", amount=100)
    assert refused(plain, chip).name == "wager_not_offered"
    offering = TestHouse()
    offering.staff()
    offering.at("main", InstallTable(submission=submission_text("maryland-everything")))
    console = offering.house_table("main").console
    assert console is not None
    assert console.kind == "keypad"


def test_a_rulebook_with_a_progressive_and_no_system_is_refused() -> None:
    changed: Any = copy.deepcopy(rulebook_document("maryland"))
    del changed["consoles"]
    with pytest.raises(RefusedError, match="a progressive has a console"):
        resolve_rulebook(changed, "maryland.toml", "proposed")


@pytest.mark.clause("MD-02C.0")
@pytest.mark.parametrize("setup", [MD_KEYPAD, MD_TOUCH], ids=str)
def test_no_progressive_wager_is_taken_while_the_system_is_out_of_reach(setup: ConsoleSetup) -> None:
    at = with_chips(setup, positions=())
    at.do(ReportLink(up=False, reason="the cable is out"))
    assert at.refused(at.wager(2), player("p2")).name == "link_down"
    at.do(ReportLink(up=True, reason="it is in again"))
    at.do(at.wager(2), player("p2"))
    assert at.lights == {2: "placed"}

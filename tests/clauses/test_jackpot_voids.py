"""A void takes awards back: nobody undoes a win by it who could not have confirmed it, nor who marked it."""

import pytest

from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.progressive.console import PressHand, SelectSpot
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, ReportIrregularity
from tests.kit.consoles import (
    CONFIRMING,
    MA_KEYPAD,
    MD_TOUCH,
    SM,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
)
from tests.kit.support import by_clause

BOTH = Actor("dale", "staff", ("dealer", "supervisor", "executive"))
EVERY = by_clause(
    ("P33", SM, "supervisor"),
    ("P33", WA_KEYPAD, "supervisor"),
    ("P33", WA_TOUCH, "supervisor"),
    ("P33", MD_TOUCH, "floorperson"),
    ("P33", MA_KEYPAD, "floorperson"),
)


def wrong(role: ActorRole) -> ReportIrregularity:
    """Report a wrong number of cards, which makes a round void at any time."""
    return ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=4, role=role)


def unranked(at: ConsoleTable, least: ActorRole) -> list[Refusal]:
    """Return what those hear who could not have confirmed the win."""
    below: tuple[ActorRole, ...] = ("dealer",) if least == "floorperson" else ("dealer", "floorperson")
    return [at.refused(wrong(role)) for role in below]


@pytest.mark.parametrize("done", ["waiting", "marked", "paid"])
@pytest.mark.parametrize(("clause", "setup", "least"), EVERY)
def test_a_void_that_undoes_a_win_is_for_who_could_confirm_it(
    clause: str, setup: ConsoleSetup, least: ActorRole, done: str
) -> None:
    at = at_award(setup)
    if done != "waiting":
        at.mark()
    if done == "paid":
        at.confirm()
    for refusal in unranked(at, least):
        assert refusal.name == "not_your_duty"
    at.do(wrong(least))
    assert at.table.round is None
    assert (at.meter.owed, at.balanced(), clause) == (0, True, "P33")


@pytest.mark.parametrize(("clause", "setup", "least"), EVERY)
def test_who_marked_a_win_makes_no_void_of_it_in_any_rank(
    clause: str, setup: ConsoleSetup, least: ActorRole
) -> None:
    at = at_award(setup)
    at.house.do(STAFF, HireStaff(person=BOTH.person, name="Dale", roles=BOTH.roles), BOT_STAFF)
    for motion in at_motions(at):
        at.do(motion, BOTH)
    for role in ("supervisor", "executive"):
        refusal = at.refused(wrong(role), BOTH)
        assert (refusal.name, clause in refusal.clauses) == ("same_person", True)
    for motion in CONFIRMING[setup.kind]:
        at.do(motion)
    assert at.refused(wrong("executive"), BOTH).name == "same_person"
    assert unranked(at, least)[0].name == "not_your_duty"
    at.do(wrong("executive"))
    assert at.balanced()


def at_motions(at: ConsoleTable) -> list[object]:
    """Return what the dealer does on the console to mark the win that waits."""
    step = at.round.awaited_step
    assert step is not None
    marks: list[object] = [PressHand(hand=step.row or step.hand)]
    return [SelectSpot(position=step.position), *marks] if at.console.kind == "touch" else marks


@pytest.mark.clause("P33")
def test_without_a_win_a_dealer_reports_as_before() -> None:
    at = ConsoleTable(SM)
    at.bet()
    at.start()
    while at.round.phase != "deciding":
        at.step()
    at.do(wrong("dealer"))
    assert at.table.round is None

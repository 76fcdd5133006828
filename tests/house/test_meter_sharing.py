"""What tables on one meter have in common, and what of a link outlives a new setting up."""

import pytest

from fourcard.house.auth.security import security_notes
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import CashOut, InstallTable
from fourcard.house.decision import meter_stream
from fourcard.money import dollars
from fourcard.progressive.console import PressHand, ReportLink, TurnKey
from fourcard.refusal_codes import Code
from fourcard.round.commands import CallOff, CorrectPayment
from fourcard.table.commands import CloseTable
from tests.kit.consoles import SM, WA_TOUCH, ConsoleSetup, ConsoleTable, at_award
from tests.kit.houses import STACK, TestHouse, player, submission_text


def single(stake: str) -> ConsoleSetup:
    """Return a game that takes one denomination on its meter (R57)."""
    return SM.but(stake, progressive__stakes=[stake], settings__one_denomination=True)


@pytest.mark.clause("R57", "R58")
def test_one_denomination_holds_for_every_table_of_a_meter() -> None:
    house = TestHouse()
    house.at("one", InstallTable(submission=single("$1").text, meter="shared"))
    other = InstallTable(submission=single("$5").text, meter="shared")
    assert house.refused("table/two", other).code is Code.METER_TERMS
    house.do("table/two", InstallTable(submission=single("$1").text, meter="shared"))


def test_a_lost_link_stays_lost_when_the_table_is_set_up_anew_on_the_same_meter() -> None:
    at = ConsoleTable(SM)
    at.do(ReportLink(up=False, reason="the cable is out"))
    at.do(CallOff())
    at.do(CloseTable(role="floorperson"))
    at.house.at(at.name, InstallTable(submission=SM.text, cards="keyed"), BOT_STAFF)
    assert not at.console.linked
    at.house.at(at.name, InstallTable(submission=SM.text, cards="keyed", meter="another"), BOT_STAFF)
    assert at.console.linked


@pytest.mark.parametrize("reason", ["", " ", "x" * 201, "a\nb", "\x1b[31m"])
def test_a_link_is_lost_for_a_reason_that_can_be_read(reason: str) -> None:
    at = ConsoleTable(WA_TOUCH)
    refusal = at.refused(ReportLink(up=False, reason=reason))
    assert (refusal.code, refusal.clauses) == (Code.REASON_UNFIT, ("P31",))
    at.do(ReportLink(up=False, reason="x" * 200))
    assert at.refused(at.wager(1), player("p1")).code is Code.LINK_DOWN


def test_nothing_is_corrected_that_nobody_has_handed_over() -> None:
    at = at_award(SM)
    early = CorrectPayment(position=1, wager="progressive", handed=1, reason="a slip", role="supervisor")
    assert at.refused(early).code is Code.AWARD_AWAITED
    at.mark()
    at.confirm()
    at.do(early)


def test_who_tries_to_see_to_a_win_alone_stands_in_the_security_log() -> None:
    at = at_award(SM)
    at.do(PressHand(hand="four_aces"), BOT_STAFF)
    assert at.refused(TurnKey(to="jph", role="supervisor"), BOT_STAFF).code is Code.SAME_PERSON
    at.house.service.security.flush()
    with at.house.store.reading() as reading:
        noted = [(note.by, note.what, note.reason) for note in security_notes(reading)]
    assert ("crew", "turn_key", "same_person") in noted


def test_a_table_is_linked_and_unlinked_once_whenever_it_changes_its_meter() -> None:
    house = TestHouse()
    plain, progressive = submission_text("catfish-bend"), SM.text
    for submission, meter, linked in (
        (progressive, "", {"main": 2}),
        (progressive, "", {"main": 2}),
        (progressive, "other", {"main": 3, "other": 2}),
        (progressive, "main", {"main": 4, "other": 3}),
        (plain, "", {"main": 5, "other": 3}),
        (plain, "", {"main": 5, "other": 3}),
    ):
        house.at("main", InstallTable(submission=submission, meter=meter))
        heads = {name: count for name, count in house.heads().items() if name.startswith("meter/")}
        assert heads == {meter_stream(name): count for name, count in linked.items()}


def test_a_chip_that_lost_its_registration_is_placed_again_with_no_other_chip() -> None:
    at = ConsoleTable(SM)
    one = player("p1")
    ante = int(at.table.game.submission.limits.posted["ante"].least)
    at.do(CallOff())
    at.do(CashOut(player="p1", cents=STACK - ante - 100), one)
    at.begin()
    at.do(at.wager(1, "ante", ante), one)
    at.do(at.wager(1), one)
    for up in (False, True):
        at.do(ReportLink(up=up, reason="the cable"))
    assert (at.round.positions[1].unregistered, at.house.house_table("main").chips("p1")) == (100, 0)
    refusal = at.refused(at.wager(1, "ante", 2 * ante), one)
    assert refusal.message == Code.CHIPS_SHORT.sentence.format(held="$0", needed=dollars(ante))
    at.do(at.wager(1), one)
    assert at.lights[1] == "placed"

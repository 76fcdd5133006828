"""A console asks the rulebook: with one of its rules off, it no longer demands what that rule says.

And it asks for the right person itself, also where no house has checked permissions before.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.progressive.console import (
    ConsoleCommand,
    ConsoleState,
    PressHand,
    ReportLink,
    SelectSpot,
    WinUnmarked,
)
from fourcard.progressive.decide import decide
from fourcard.progressive.win_confirmation import MeterPort
from fourcard.refusals import Refusal
from fourcard.round.decide_settlement import price_award
from tests.kit.consoles import (
    CONFIRMING,
    FLOORPERSON,
    JPH,
    MD_KEYPAD,
    RUN,
    SM,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    at_award,
    on_consoles,
    other_rules,
)
from tests.kit.houses import player
from tests.kit.support import by_clause

ACES, SEVENS = PressHand(hand="four_aces"), PressHand(hand="three_of_a_kind")


def refused_by_itself(at: ConsoleTable, command: ConsoleCommand) -> Refusal:
    """Return the refusal by the console of a table alone."""
    refused = direct(at, command)
    assert isinstance(refused, Refusal)
    return refused


def direct(
    at: ConsoleTable, command: ConsoleCommand, console: ConsoleState | None = None
) -> Refusal | list[Any]:
    """Return what the console of a table, or another one, decides by itself."""
    meter = MeterPort(lambda current: price_award(at.meter.amounts, current))
    return decide(console or at.console, at.table, command, meter)


@pytest.mark.parametrize(
    ("clause", "setup"), on_consoles("SM-PROG-5.3", "WA-PROG-4.3", "WA-NEX-4.3", md="MD-07E4a.2")
)
def test_without_the_rule_a_console_takes_a_chip_on_any_sensor(clause: str, setup: ConsoleSetup) -> None:
    with other_rules(setup, own_sensor=False):
        at = ConsoleTable(setup)
    at.bet(progressive=())
    refusal = at.refused(at.wager(1), player("p2"))
    assert (refusal.name, clause in refusal.clauses) == ("not_your_position", False)


@pytest.mark.parametrize(("clause", "setup"), on_consoles("SM-PROG-9c.2", "WA-PROG-8d.2", "WA-NEX-8d.3"))
def test_without_the_rule_the_same_hand_button_cancels_nothing(clause: str, setup: ConsoleSetup) -> None:
    with other_rules(setup, hand_toggles=False):
        at = at_award(setup)
    at.mark()
    refusal = at.refused(ACES)
    assert (refusal.name, refusal.clauses) == ("hand_marked", (clause,))


@pytest.mark.parametrize(
    ("clause", "setup"),
    on_consoles("SM-PROG-9e.1", "WA-PROG-8f.1", "WA-NEX-8f.1", md="MD-11D10a", ma="P29"),
)
def test_without_the_rule_no_card_is_verified(clause: str, setup: ConsoleSetup) -> None:
    with other_rules(setup, verified=False):
        at = at_award(setup)
    _, marked = at.mark("three_of_a_kind").events
    assert (marked.row, clause in marked.clauses) == ("three_of_a_kind", False)
    assert at.do(SEVENS).events == (WinUnmarked(1),)


@pytest.mark.parametrize(("clause", "setup"), by_clause(("MD-11D10b", MD_KEYPAD)))
@pytest.mark.parametrize("verified", [True, False])
def test_a_hand_is_marked_at_a_lit_sensor_alone_where_the_rule_says_so(
    clause: str, setup: ConsoleSetup, verified: bool
) -> None:
    with other_rules(setup, lights_registered=False, light_verified=verified):
        at = at_award(setup)
    if not verified:
        at.mark()
        return
    refusal = at.refused(ACES)
    assert (refusal.name, refusal.clauses) == ("spot_unlit", (clause,))


@pytest.mark.parametrize(("clause", "setup"), by_clause(("SM-PROG-9d", SM), ("WA-PROG-8e", WA_KEYPAD)))
def test_who_may_not_turn_the_key_to_jph_does_not_withdraw_it(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    at.mark()
    turned, withdrawn = (replace(each, role="floorperson") for each in (JPH, RUN))
    assert clause in at.refused(turned, FLOORPERSON).clauses
    at.do(JPH)
    refusal = at.refused(withdrawn, FLOORPERSON)
    assert (refusal.name, clause in refusal.clauses) == ("not_your_duty", True)
    assert at.console.key == "jph"


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("SM-PROG-9c.1", SM), ("WA-PROG-8d.1", WA_KEYPAD), ("WA-NEX-8d.1", WA_TOUCH), ("MD-11D10a", MD_KEYPAD)
    ),
)
def test_a_console_by_itself_lets_the_dealer_alone_mark(clause: str, setup: ConsoleSetup) -> None:
    at = at_award(setup)
    marking = ACES if at.kind == "keypad" else SelectSpot(position=1)
    refused = refused_by_itself(at, replace(marking, role="supervisor"))
    assert (refused.name, clause in refused.clauses) == ("not_your_duty", True)
    assert not isinstance(direct(at, marking), Refusal)


@pytest.mark.clause("P31")
def test_a_console_by_itself_lets_no_player_report_its_link() -> None:
    at = ConsoleTable(SM)
    lost = ReportLink(up=False, reason="the cable is out")
    refused = refused_by_itself(at, replace(lost, role="player"))
    assert (refused.name, refused.clauses) == ("not_your_duty", ("P31",))
    assert not isinstance(direct(at, lost), Refusal)


@pytest.mark.parametrize(
    ("clause", "setup"), on_consoles("SM-PROG-9d", "WA-PROG-8e", "WA-NEX-8e", md="MD-11D10c", ma="P29")
)
def test_a_console_by_itself_lets_another_role_confirm_and_people_without_names(
    clause: str, setup: ConsoleSetup
) -> None:
    """A table away from a house names nobody, so nobody is the same person twice."""
    at = at_award(setup)
    at.mark()
    assert at.console.mark is not None
    nameless = replace(at.console, mark=replace(at.console.mark, by=""))
    confirming = CONFIRMING[at.kind][0]
    assert not isinstance(direct(at, replace(confirming, by=""), nameless), Refusal)
    refused = refused_by_itself(at, replace(confirming, role="dealer"))
    assert (refused.name, clause in refused.clauses) == ("not_your_duty", True)

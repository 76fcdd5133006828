"""The outer gate of the progressive system: its console, its Game Manager, and who reads of them."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fourcard.house.auth.permissions import permissions, reading_refusal
from fourcard.house.commands import (
    ActingRole,
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    EnterReading,
    MeterCommand,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.progressive.console import (
    ConsoleCommand,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
)
from fourcard.progressive.decide import decide as decide_console
from fourcard.progressive.win_confirmation import MeterPort
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole
from fourcard.round.decide_settlement import price_award
from tests.kit.consoles import MA_TOUCH, MD_KEYPAD, SM, WA_TOUCH, ConsoleSetup, ConsoleTable, at_award
from tests.kit.houses import ANN, ROLES, code_of, holder, refusal_of, staff

DEALERS: tuple[ActingRole, ...] = ("dealer",)
FLOOR: tuple[ActingRole, ...] = ("floorperson", "supervisor", "casino-supervisor", "executive")
SUPERVISORS, EXECUTIVES = FLOOR[1:], FLOOR[3:]
GIVEN_BY: list[tuple[Any, tuple[ActingRole, ...]]] = [
    (Press(button="coin_in"), (*DEALERS, *FLOOR)),
    (Press(button="j_pot"), (*DEALERS, *FLOOR)),
    (PressHand(hand="four_aces"), DEALERS),
    (SelectSpot(position=1), DEALERS),
    (TurnKey(to="jph"), FLOOR),
    (SwipeCard(), FLOOR),
    (ReportLink(up=False, reason="r"), (*DEALERS, *FLOOR)),
    (CloseLink(reason="r"), SUPERVISORS),
    (OpenLink(reason="r"), SUPERVISORS),
    (ChangeTerms(submission="", reason="r"), EXECUTIVES),
    (ProposeAdjustment(cents=1, reason="r"), SUPERVISORS),
    (ProposeBackOut(win=1, reason="r"), SUPERVISORS),
    (EnterReading(cents=1, reason="r"), SUPERVISORS),
    (ApproveAdjustment(number=1), EXECUTIVES),
    (RejectAdjustment(number=1, reason="r"), SUPERVISORS),
]
"""Every command of a console and of a Game Manager, and the roles in which it is given."""


def _name(value: object) -> str:
    return type(value).__name__ if hasattr(value, "role") else ""


def test_every_command_of_console_and_manager_is_looked_at() -> None:
    looked = {type(command) for command, _ in GIVEN_BY}
    assert looked == {*get_args(ConsoleCommand), *get_args(MeterCommand)}


@pytest.mark.parametrize(("command", "roles"), GIVEN_BY, ids=_name)
@pytest.mark.parametrize("role", ROLES)
def test_a_command_is_given_in_these_roles_and_no_other(
    command: Any, roles: tuple[ActingRole, ...], role: ActingRole
) -> None:
    given = replace(command, role=role)
    assert code_of(holder(role), given) == ("" if role in roles else "not_permitted")


@pytest.mark.parametrize(("command", "roles"), GIVEN_BY, ids=_name)
def test_a_refusal_names_the_clauses_of_its_row(command: Any, roles: tuple[ActingRole, ...]) -> None:
    assert roles
    refusal = refusal_of(ANN, command)
    assert refusal is not None
    assert refusal.clauses == permissions().commands[str(command.__struct_config__.tag)].clauses != ()


@pytest.mark.parametrize(("command", "roles"), GIVEN_BY, ids=_name)
def test_who_minds_tables_and_people_touches_no_meter(command: Any, roles: tuple[ActingRole, ...]) -> None:
    for role in roles:
        assert code_of(staff("administrator"), replace(command, role=role)) == "role_not_held"


@pytest.mark.part("P30")
def test_a_meter_is_adjusted_by_a_proposal_of_a_supervisor_and_the_word_of_an_executive() -> None:
    proposal = ProposeAdjustment(cents=1, reason="r", role="supervisor")
    approval = ApproveAdjustment(number=1, role="executive")
    assert code_of(staff("floorperson"), replace(proposal, role="floorperson")) == "not_permitted"
    assert code_of(staff("supervisor"), proposal) == ""
    assert code_of(staff("supervisor"), replace(approval, role="supervisor")) == "not_permitted"
    assert code_of(staff("supervisor"), approval) == "role_not_held"
    assert code_of(staff("executive"), approval) == ""


def test_a_dealer_reads_meters_and_the_floor_their_wins_too() -> None:
    assert reading_refusal(ANN, "meters", "ann") is not None
    assert reading_refusal(staff("administrator"), "meters") is not None
    assert reading_refusal(staff("dealer"), "meters") is None
    assert reading_refusal(staff("dealer"), "wins") is not None
    assert reading_refusal(ANN, "wins", "ann") is not None
    for role in ("floorperson", "supervisor", "executive", "auditor"):
        assert reading_refusal(staff(role), "meters") is None
        assert reading_refusal(staff(role), "wins") is None


@pytest.mark.parametrize("setup", [SM, WA_TOUCH, MD_KEYPAD, MA_TOUCH], ids=str)
def test_the_gate_never_keeps_out_what_a_console_lets_a_role_do(setup: ConsoleSetup) -> None:
    at = at_award(setup)
    checked = _let_in(at)
    at.mark()
    checked += _let_in(at)
    at.confirm()
    checked += _let_in(at)
    at.finish()
    checked += _let_in(at)
    assert checked > 10


MOTIONS: tuple[Any, ...] = (
    *(Press(button=button) for button in ("coin_in", "start_game", "game_over", "end_game")),
    *(Press(button=button) for button in ("j_pot", "confirm")),
    PressHand(hand="four_aces"),
    SelectSpot(position=1),
    TurnKey(to="jph"),
    TurnKey(to="run"),
    SwipeCard(),
    ReportLink(up=False, reason="r"),
)


def _let_in(at: ConsoleTable) -> int:
    """Count everything that the console lets anybody do now, seeing that the gate does too."""
    meters, found = MeterPort(lambda current_round: price_award(at.meter.amounts, current_round)), list[Any]()
    for role in get_args(ActorRole):
        for motion in MOTIONS:
            command = replace(motion, role=role)
            if not isinstance(decide_console(at.console, at.table, command, meters), Refusal):
                found.append(command)
    assert [command for command in found if refusal_of(holder(command.role), command) is not None] == []
    return len(found)

"""Preconditions of a round's commands: the actor's role, the phase of the round, and the step that is due."""

from collections.abc import Sequence
from typing import get_args

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.commands import ActorRole, Command, Perform
from fourcard.round.due import due
from fourcard.round.state import Phase, RoundState
from fourcard.rules.nodes import Cited, Node, cite, holds
from fourcard.rules.rulebook import Role

AUTHORITY: tuple[ActorRole, ...] = get_args(ActorRole)
PHASE_WORDS: dict[Phase, str] = {
    "betting": "open for wagers",
    "dealing": "being dealt",
    "stub": "waiting for the stub to be put away",
    "deciding": "waiting for decisions",
    "settling": "being settled",
    "over": "over",
    "void": "void",
}


def words(step: str) -> str:
    """Return a step's name with spaces, for messages: ``announce no more bets``."""
    return step.replace("_", " ")


def told(count: int | None) -> str:
    """Return a count for messages: its digits, or "nothing" where it is missing."""
    return "nothing" if count is None else str(count)


def named(command: Command) -> str:
    """Return a command's tag with spaces, for messages: ``place wager``."""
    return words(str(type(command).__struct_config__.tag))


def phase_refusal(
    state: RoundState, command: Command, phases: Sequence[Phase], *nodes: Node | None
) -> Refusal | None:
    """Refuse a command that does not belong to the round's current phase."""
    if state.phase in phases:
        return None
    return refuse(Code.NOT_NOW, cite(*nodes), what=named(command), phase=PHASE_WORDS[state.phase])


def dealer_refusal(state: RoundState, command: Command) -> Refusal | None:
    """Refuse the dealer's work to any other role (MA-10a.3, MD-11A2, IA-COMP-1.3)."""
    if command.role == "dealer":
        return None
    rule = state.rules.duty("may_touch_cards")
    what = words(command.step) if isinstance(command, Perform) else named(command)
    return refuse(Code.NOT_YOUR_DUTY, cite(rule), what=what, who="dealer", role=command.role)


def owner_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a player who acts at another player's position; the dealer may act for the player."""
    place = state.places.get(position)
    rule = state.rules.duty("may_touch_cards")
    if place is None:
        seated = state.rules.wagering.seated
        return refuse(Code.NOT_SEATED, cite(seated) if holds(seated) else (), position=position)
    if command.role not in ("player", "dealer"):
        who = f"dealer and {place.player}"
        return refuse(Code.NOT_YOUR_DUTY, cite(rule), what="act at a position", who=who, role=command.role)
    if command.role == "player" and command.by != place.player:
        figures = {"position": position, "player": place.player, "by": command.by or "anybody"}
        return refuse(Code.NOT_YOUR_POSITION, cite(rule), **figures)
    return None


def duty_refusal(
    command: Command, what: str, rule: Cited[tuple[Role, ...]] | None, least: ActorRole
) -> Refusal | None:
    """Refuse a role without the authority that the rulebook names; where it names none, ``least`` applies."""
    roles = rule.value if rule is not None else (least,)
    if any(has_authority(command.role, role) for role in roles):
        return None
    who = " or ".join(role.replace("-", " ") for role in roles)
    return refuse(Code.NOT_YOUR_DUTY, cite(rule), what=what, who=who, role=command.role)


def has_authority(role: ActorRole, required: Role) -> bool:
    """Say whether a role has the authority of another; nobody but a dealer does a dealer's own work."""
    if required in ("dealer", "player", "owner"):
        return role == required
    least = required.removesuffix("-or-above")
    return AUTHORITY.index(role) >= next(n for n, each in enumerate(AUTHORITY) if each == least)


def order_refusal(state: RoundState, command: Perform) -> Refusal | None:
    """Refuse a step that is not the next one, or not at the right position."""
    expected = due(state)
    if expected is None:
        return _nothing_due(state, command)
    if (command.step, command.position) == (expected.step, expected.position):
        return None
    at = f" at position {expected.position}" if expected.position > 0 else ""
    return refuse(
        Code.OUT_OF_ORDER, expected.clauses, step=words(command.step), due=words(expected.step) + at
    )


def _nothing_due(state: RoundState, command: Perform) -> Refusal:
    """Refuse a step while the round waits for an award, a judgement or a decision, not for the dealer."""
    if state.awaiting is not None:
        return refuse(Code.AWARD_AWAITED, state.awaiting.clauses, position=state.awaiting.position)
    if state.wrong_count is not None:
        return refuse(Code.COUNT_UNJUDGED, cite(state.rules.duty("judges_wrong_count")))
    clauses = cite(state.rules.deciding.start) if state.phase == "deciding" else ()
    figures = {"what": words(command.step), "phase": PHASE_WORDS[state.phase]}
    return refuse(Code.NOT_NOW, clauses, **figures)

"""Asking whether a command may be: who acts, in which part of the round, and what is due."""

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
    """Return a step as a person reads it: ``announce no more bets``."""
    return step.replace("_", " ")


def told(count: int | None) -> str:
    """Return a number as a person reads it, where there may be none."""
    return "nothing" if count is None else str(count)


def named(command: Command) -> str:
    """Return what a command is called, as a person reads it: ``place wager``."""
    return words(str(type(command).__struct_config__.tag))


def phase_refusal(
    state: RoundState, command: Command, phases: Sequence[Phase], *nodes: Node | None
) -> Refusal | None:
    """Return why a command does not belong to the part that the round is in, or None."""
    if state.phase in phases:
        return None
    what = named(command)
    return refuse(Code.NOT_NOW, cite(*nodes), what=what, phase=PHASE_WORDS[state.phase])


def dealer_refusal(state: RoundState, command: Command) -> Refusal | None:
    """Refuse what only the dealer's hands may do to anybody else (MA-10a.3, MD-11A2, IA-COMP-1.3)."""
    if command.role == "dealer":
        return None
    rule = state.rules.duty("may_touch_cards")
    what = words(command.step) if isinstance(command, Perform) else named(command)
    return refuse(Code.NOT_YOUR_DUTY, cite(rule), what=what, who="dealer", role=command.role)


def owner_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a player who acts at another's position; a dealer enters what its player does."""
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
    """Refuse a person without the authority that the rulebook names, or else the least that makes sense."""
    named = rule.value if rule is not None else (least,)
    allowed = any(has_authority(command.role, role) for role in named)
    if allowed:
        return None
    who = " or ".join(role.replace("-", " ") for role in named)
    return refuse(Code.NOT_YOUR_DUTY, cite(rule), what=what, who=who, role=command.role)


def has_authority(role: ActorRole, wanted: Role) -> bool:
    """Say whether a person of one role may do what is another's: a dealer's own work is nobody else's."""
    if wanted in ("dealer", "player", "owner"):
        return role == wanted
    least = wanted.removesuffix("-or-above")
    return AUTHORITY.index(role) >= next(n for n, each in enumerate(AUTHORITY) if each == least)


def order_refusal(state: RoundState, command: Perform) -> Refusal | None:
    """Refuse a motion that is not the one due, or not at its position."""
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
    """Say what a round waits for where that is not the dealer: a price, or a decision."""
    if state.awaiting is not None:
        return refuse(Code.AWARD_AWAITED, state.awaiting.clauses, position=state.awaiting.position)
    if state.wrong_count is not None:
        return refuse(Code.COUNT_UNJUDGED, cite(state.rules.duty("judges_wrong_count")))
    clauses = cite(state.rules.deciding.start) if state.phase == "deciding" else ()
    figures = {"what": words(command.step), "phase": PHASE_WORDS[state.phase]}
    return refuse(Code.NOT_NOW, clauses, **figures)

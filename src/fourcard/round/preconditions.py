"""Preconditions of a round's commands: the next step, the actor's role and the phase of the round."""

from collections.abc import Iterator, Sequence
from typing import get_args

import msgspec

from fourcard.dealer_script import DealerActionName
from fourcard.dealing import DealMove
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import ActorRole, Command, DealerStep, Fold, Perform, Play, SetHand
from fourcard.round.state import CHIP_STEPS, CitedStep, RoundPhase, RoundState
from fourcard.rules.cited import Cited, CitedNode, clauses_of, is_set
from fourcard.rules.rulebook import Role
from fourcard.settlers.showdown import DEALER


class NextStep(msgspec.Struct, frozen=True, gc=False):
    """The dealer's next step, its position (0 for none) and the clauses that order it."""

    step: DealerStep
    clauses: tuple[str, ...]
    position: int = 0
    kept: DealerActionName | None = None
    """How the cards stay on the table, where a hand that is due to be racked must stay."""


def next_step(state: RoundState) -> NextStep | None:
    """Return the dealer's next step, or None while others must act or the round is finished."""
    phase = state.phase
    if phase == "settling" and state.awaited_step is None:
        turn = state.dealer_turn
        clauses = turn.actions[0].clauses if turn.actions else turn.pending_steps[0].step.clauses
        first = turn.actions[0].act if turn.act == "rack_hand" else None
        return NextStep(turn.act, clauses, turn.position, None if first == turn.act else first)
    if phase == "dealing":
        move = next_move(state)
        return NextStep(move.name, move.clauses, move.to)
    due: tuple[DealerStep, tuple[str, ...]] | None = None
    if phase == "betting":
        due = next(steps_before_cards(state), None)
        dealing = state.rules.dealing
        due = due or ("deal", clauses_of(dealing.start, dealing.dealt_in))
    elif phase == "stub" and state.wrong_count is None:
        due = next(steps_after_cards(state), None)
    elif phase == "deciding" and not state.players_looked:
        due = state.rules.look_steps[state.steps_performed]
    return None if due is None else NextStep(*due)


def steps_before_cards(state: RoundState) -> Iterator[CitedStep]:
    """Yield the open steps before the first card; chip steps only if there are chips (MD-08C2.0)."""
    for number, (step, clauses) in enumerate(state.rules.before_cards):
        if number < state.steps_performed:
            continue
        if step == "lock_out" and not state.rules.game.offers("progressive"):
            continue
        if step in CHIP_STEPS and not state.locked_stakes:
            continue
        yield step, clauses


def steps_after_cards(state: RoundState) -> Iterator[CitedStep]:
    """Yield the open steps after the last card; the stub count only where it is due."""
    for number, (step, clauses) in enumerate(state.rules.after_cards):
        if number >= state.steps_performed and (step != "count_stub" or state.count_due):
            yield step, clauses


def next_move(state: RoundState) -> DealMove:
    """Return the next move of the deal."""
    assert state.plan is not None
    return state.plan.moves[state.move_index]


def expected_hand_sizes(state: RoundState) -> dict[int, int]:
    """Return the right size of each hand: during the deal what it was dealt, then what the plan orders."""
    dealt = {DEALER: len(state.dealer), **{p: len(state.positions[p].cards) for p in state.dealt_in}}
    if state.plan is None or state.phase in ("betting", "dealing"):
        return dealt
    return {p: state.plan.dealer_cards if p == DEALER else state.plan.player_cards for p in dealt}


def positions_to_decide(state: RoundState) -> tuple[int, ...]:
    """Return the positions that still have to decide, in the order in which they are required."""
    rules = state.rules.deciding
    required = state.rules.wagers_to_decide
    waiting = [
        p
        for p, place in state.positions.items()
        if place.play_amount is None and not place.abandoned and required <= place.wagers.keys()
    ]
    return tuple(sorted(waiting, reverse=rules.start.value == "dealer-right"))


ROLES_BY_AUTHORITY: tuple[ActorRole, ...] = get_args(ActorRole)
PHASE_PHRASES: dict[RoundPhase, str] = {
    "betting": "open for wagers",
    "dealing": "being dealt",
    "stub": "waiting for the stub to be put away",
    "deciding": "waiting for decisions",
    "settling": "being settled",
    "over": "over",
    "void": "void",
}


def step_text(step: str) -> str:
    """Return a step's name with spaces, for messages: ``announce no more bets``."""
    return step.replace("_", " ")


def count_text(count: int | None) -> str:
    """Return a count for messages: its digits, or "nothing" where it is missing."""
    return "nothing" if count is None else str(count)


def command_text(command: Command) -> str:
    """Return a command's tag with spaces, for messages: ``place wager``."""
    return step_text(str(type(command).__struct_config__.tag))


def phase_refusal(
    state: RoundState, command: Command, phases: Sequence[RoundPhase], *nodes: CitedNode | None
) -> Refusal | None:
    """Refuse a command that does not belong to the round's current phase."""
    if state.phase in phases:
        return None
    return refuse(
        Code.NOT_NOW, clauses_of(*nodes), what=command_text(command), phase=PHASE_PHRASES[state.phase]
    )


def dealer_refusal(state: RoundState, command: Command) -> Refusal | None:
    """Refuse the dealer's work to any other role (MA-10a.3, MD-11A2, IA-COMP-1.3)."""
    if command.role == "dealer":
        return None
    rule = state.rules.duty("may_touch_cards")
    what = step_text(command.step) if isinstance(command, Perform) else command_text(command)
    return refuse(Code.NOT_YOUR_DUTY, clauses_of(rule), what=what, who="dealer", role=command.role)


def owner_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a player who acts at another player's position; the dealer may act for the player.

    A decision touches the cards, which only their owner may do; anything else belongs to whoever sits there.
    """
    place, seated = state.positions.get(position), state.rules.wagering.seated
    if place is None:
        return refuse(
            Code.NOT_SEATED, clauses_of(seated) if is_set(seated) else (), where=f"at position {position}"
        )
    if command.role == "dealer" or (command.role == "player" and command.by == place.player):
        return None
    rule = state.rules.duty("may_touch_cards") if isinstance(command, (Play, Fold, SetHand)) else None
    clauses = clauses_of(rule or seated)
    if command.role != "player":
        who = f"dealer and {place.player}"
        return refuse(Code.NOT_YOUR_DUTY, clauses, what="act at a position", who=who, role=command.role)
    figures = {"position": position, "player": place.player, "by": command.by or "anybody"}
    return refuse(Code.NOT_YOUR_POSITION, clauses, **figures)


def duty_refusal(
    command: Command, what: str, rule: Cited[tuple[Role, ...]] | None, least: ActorRole
) -> Refusal | None:
    """Refuse a role without the authority that the rulebook names; where it names none, ``least`` applies."""
    roles = rule.value if rule is not None else (least,)
    if any(has_authority(command.role, role) for role in roles):
        return None
    who = " or ".join(role.replace("-", " ") for role in roles)
    return refuse(Code.NOT_YOUR_DUTY, clauses_of(rule), what=what, who=who, role=command.role)


def has_authority(role: ActorRole, required: Role) -> bool:
    """Say whether a role has the authority of another; nobody but a dealer does a dealer's own work."""
    if required in ("dealer", "player", "owner"):
        return role == required
    least = required.removesuffix("-or-above")
    return ROLES_BY_AUTHORITY.index(role) >= next(
        n for n, each in enumerate(ROLES_BY_AUTHORITY) if each == least
    )


def order_refusal(state: RoundState, command: Perform) -> Refusal | None:
    """Refuse a step that is not the next one, or not at the right position."""
    expected = next_step(state)
    if expected is None:
        return _not_now_refusal(state, command)
    if (command.step, command.position) == (expected.step, expected.position):
        return None
    at = f" at position {expected.position}" if expected.position > 0 else ""
    return refuse(
        Code.OUT_OF_ORDER, expected.clauses, step=step_text(command.step), due=step_text(expected.step) + at
    )


def _not_now_refusal(state: RoundState, command: Perform) -> Refusal:
    """Refuse a step while the round waits for an award, a judgement or a decision, not for the dealer."""
    if state.awaited_step is not None:
        return refuse(Code.AWARD_AWAITED, state.awaited_step.clauses, position=state.awaited_step.position)
    if state.wrong_count is not None:
        return refuse(Code.COUNT_UNJUDGED, clauses_of(state.rules.duty("judges_wrong_count")))
    clauses = clauses_of(state.rules.deciding.start) if state.phase == "deciding" else ()
    figures = {"what": step_text(command.step), "phase": PHASE_PHRASES[state.phase]}
    return refuse(Code.NOT_NOW, clauses, **figures)

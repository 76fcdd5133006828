"""Next step of a round: what the dealer does next, or which players still have to decide."""

from collections.abc import Iterator

import msgspec

from fourcard.dealing import Move
from fourcard.round.commands import Motion
from fourcard.round.rules import DueStep
from fourcard.round.state import RoundState
from fourcard.rules.nodes import cite
from fourcard.rules.procedures import StepName
from fourcard.wagers.showdown import DEALER


class Due(msgspec.Struct, frozen=True, gc=False):
    """The dealer's next step, its position (0 for none) and the clauses that order it."""

    step: Motion
    clauses: tuple[str, ...]
    position: int = 0


CHIP_STEPS: tuple[StepName, ...] = ("collect_chips", "count_chips", "put_chips_in_tray")


def due(state: RoundState) -> Due | None:
    """Return the dealer's next step, or None while others must act or the round is finished."""
    return next(_next_steps(state), None)


def _next_steps(state: RoundState) -> Iterator[Due]:
    if state.phase == "betting":
        yield from (Due(step, clauses) for step, clauses in before_cards(state))
        yield Due("deal", cite(state.rules.dealing.start, state.rules.dealing.dealt_in))
    elif state.phase == "dealing":
        move = next_move(state)
        yield Due(move.name, move.clauses, move.to)
    elif state.phase == "stub" and state.wrong_count is None:
        yield from (Due(step, clauses) for step, clauses in after_cards(state))
    elif state.phase == "deciding" and not state.looked:
        step, clauses = state.rules.look[state.step]
        yield Due(step, clauses)
    elif state.phase == "settling" and state.awaiting is None:
        turn = state.turns[state.turn]
        clauses = turn.deeds[0].clauses if turn.deeds else turn.dues[0].step.clauses
        yield Due(turn.act, clauses, turn.position)


def before_cards(state: RoundState) -> Iterator[DueStep]:
    """Yield the open steps before the first card; chip steps only if there are chips (MD-08C2.0)."""
    for number, (step, clauses) in enumerate(state.rules.before_cards):
        if number < state.step:
            continue
        if step == "lock_out" and not state.rules.game.offers("progressive"):
            continue
        if step in CHIP_STEPS and not state.stakes:
            continue
        yield step, clauses


def after_cards(state: RoundState) -> Iterator[DueStep]:
    """Yield the open steps after the last card; the stub count only where it is due."""
    for number, (step, clauses) in enumerate(state.rules.after_cards):
        if number >= state.step and (step != "count_stub" or state.count_due):
            yield step, clauses


def next_move(state: RoundState) -> Move:
    """Return the next move of the deal."""
    assert state.plan is not None
    return state.plan.moves[state.move]


def right_sizes(state: RoundState) -> dict[int, int]:
    """Return the right size of each hand: during the deal what it was dealt, then what the plan orders."""
    dealt = {DEALER: len(state.dealer), **{p: len(state.places[p].cards) for p in state.dealt_in}}
    if state.plan is None or state.phase in ("betting", "dealing"):
        return dealt
    return {p: state.plan.dealer_cards if p == DEALER else state.plan.player_cards for p in dealt}


def deciders(state: RoundState) -> tuple[int, ...]:
    """Return the positions that still have to decide, in the order in which they are asked."""
    rules = state.rules.deciding
    asked = state.rules.asked
    waiting = [
        p
        for p, place in state.places.items()
        if place.decision is None and not place.abandoned and place.cards and asked <= place.wagers.keys()
    ]
    return tuple(sorted(waiting, reverse=rules.start.value == "dealer-right"))

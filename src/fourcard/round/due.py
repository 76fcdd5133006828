"""What a round waits for: the next thing that the dealer does, or the player who is to decide."""

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
    """The next motion, to a position or at 0 to none, with the clauses that order it."""

    step: Motion
    clauses: tuple[str, ...]
    position: int = 0


CHIP_STEPS: tuple[StepName, ...] = ("collect_chips", "count_chips", "put_chips_in_tray")


def due(state: RoundState) -> Due | None:
    """Return what the dealer does next, or None while others are to act or the round is finished."""
    return next(_due(state), None)


def _due(state: RoundState) -> Iterator[Due]:
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
    """Yield what is still to be done before the first card; chips only where there are some (MD-08C2.0)."""
    for number, (step, clauses) in enumerate(state.rules.before_cards):
        if number < state.step:
            continue
        if step == "lock_out" and not state.rules.game.offers("progressive"):
            continue
        if step in CHIP_STEPS and not state.stakes:
            continue
        yield step, clauses


def after_cards(state: RoundState) -> Iterator[DueStep]:
    """Yield the steps after the last card that are still to be done; the count only where it is due."""
    for number, (step, clauses) in enumerate(state.rules.after_cards):
        if number >= state.step and (step != "count_stub" or state.count_due):
            yield step, clauses


def next_move(state: RoundState) -> Move:
    """Return the move of the deal that is due."""
    assert state.plan is not None
    return state.plan.moves[state.move]


def right_sizes(state: RoundState) -> dict[int, int]:
    """Return how many cards each hand must have: while dealing what came to it, then what the rule says."""
    dealt = {DEALER: len(state.dealer), **{p: len(state.places[p].cards) for p in state.dealt_in}}
    if state.plan is None or state.phase in ("betting", "dealing"):
        return dealt
    return {p: state.plan.dealer_cards if p == DEALER else state.plan.player_cards for p in dealt}


def deciders(state: RoundState) -> tuple[int, ...]:
    """Return the positions that are still to decide, in the order in which they are asked."""
    rules = state.rules.deciding
    asked = state.rules.asked
    waiting = [
        p
        for p, place in state.places.items()
        if place.decision is None and not place.abandoned and place.cards and asked <= place.wagers.keys()
    ]
    return tuple(sorted(waiting, reverse=rules.start.value == "dealer-right"))

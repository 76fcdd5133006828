"""Play or fold: each player decides once, clockwise from the dealer's left; and hands set by players."""

from fourcard.hands import HAND_SIZE, best_hand, rank_four
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import owner_refusal, phase_refusal, words
from fourcard.round.commands import Command, Fold, Play, SetHand
from fourcard.round.due import deciders
from fourcard.round.events import Decided, HandFolded, HandSet, PlayMade, RoundEvent, ShowdownReached
from fourcard.round.state import RoundState
from fourcard.rules.limits import play_refusal
from fourcard.rules.nodes import cite


def play(state: RoundState, command: Play) -> Decided:
    """Make a Play wager within the rulebook's limits, usually one to three times the Ante."""
    refusal = turn_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    ante = state.places[command.position].wagers.get("ante", 0)
    refusal = play_refusal(state.rules.game, ante, command.amount)
    return refusal or [PlayMade(command.position, int(command.amount)), *_showdown_after_last(state)]


def fold(state: RoundState, command: Fold) -> Decided:
    """Fold: forfeit the Ante, which the dealer collects after the last decision."""
    refusal = turn_refusal(state, command, command.position)
    return refusal or [HandFolded(command.position), *_showdown_after_last(state)]


def _showdown_after_last(state: RoundState) -> list[RoundEvent]:
    return [ShowdownReached()] if len(deciders(state)) == 1 else []


def turn_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a decision that comes early, late or out of turn, or that this position does not have."""
    rules = state.rules.deciding
    refusal = owner_refusal(state, command, position) or phase_refusal(
        state, command, ("deciding",), rules.asked
    )
    if refusal is not None:
        return refusal
    if not state.looked:
        step, clauses = state.rules.look[state.step]
        return refuse(Code.OUT_OF_ORDER, clauses, step="decide", due=words(step))
    waiting = deciders(state)
    if position not in waiting:
        return refuse(Code.NO_DECISION, cite(rules.asked), position=position)
    if position != waiting[0]:
        return refuse(Code.ASKED_LATER, cite(rules.start), position=position, due=waiting[0])
    return None


def set_hand(state: RoundState, command: SetHand) -> Decided:
    """Set a player's four-card hand, and record the better hand that was missed, if any (R27)."""
    rule = state.rules.duty("chooses_best_hand")
    refusal = owner_refusal(state, command, command.position)
    begun = state.phase == "settling" and (state.turn > 0 or state.due > 0 or state.awaiting is not None)
    refusal = refusal or phase_refusal(
        state, command, ("deciding",) if begun else ("deciding", "settling"), rule
    )
    if refusal is not None:
        return refusal
    place = state.places[command.position]
    if state.rules.game.settings.get("player_sets_hand") is not True:
        return refuse(Code.PRESENTED_UNASKED, (*cite(rule), "R27"))
    if not state.looked:
        step, clauses = state.rules.look[state.step]
        return refuse(Code.OUT_OF_ORDER, clauses, step="set hand", due=words(step))
    four = len(command.cards) == len(set(command.cards)) == HAND_SIZE
    if not four or not set(command.cards) <= set(place.cards):
        return refuse(Code.PRESENTED_FOREIGN, (*cite(rule), "R27"))
    best = best_hand(place.cards)
    could_have = best.cards if best > rank_four(command.cards) else ()
    return [HandSet(command.position, tuple(command.cards), could_have)]

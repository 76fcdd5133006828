"""Decisions: asked clockwise from the dealer's left, a Play wager or a fold, each once."""

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
    """Make a Play wager of one to three Antes, as the rulebook allows."""
    refusal = turn_refusal(state, command, command.position)
    if refusal is not None:
        return refusal
    ante = state.places[command.position].wagers.get("ante", 0)
    refusal = play_refusal(state.rules.game, ante, command.amount)
    return refusal or [PlayMade(command.position, int(command.amount)), *_closing(state)]


def fold(state: RoundState, command: Fold) -> Decided:
    """Forfeit the Ante; it is collected when everybody has decided."""
    refusal = turn_refusal(state, command, command.position)
    return refusal or [HandFolded(command.position), *_closing(state)]


def _closing(state: RoundState) -> list[RoundEvent]:
    return [ShowdownReached()] if len(deciders(state)) == 1 else []


def turn_refusal(state: RoundState, command: Command, position: int) -> Refusal | None:
    """Refuse a decision that is early, late, out of turn, or not that position's to make."""
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
    """Take the four cards that a player presents, and record a better hand that could have been set (R27)."""
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

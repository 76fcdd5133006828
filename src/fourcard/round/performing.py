"""Steps of the dealer: announcement, lock-out, chips, moves of the deal, stub, and acts of the settlement."""

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import dealer_refusal, has_authority, order_refusal, told, words
from fourcard.round.commands import Perform, ReportIrregularity
from fourcard.round.delivering import dealt_in_refusal, move_done
from fourcard.round.due import CHIP_STEPS, before_cards, deciders, next_move
from fourcard.round.events import (
    BetsClosed,
    ChipsDiffered,
    Decided,
    ProgressiveLocked,
    RoundEvent,
    ShowdownReached,
    StepDone,
)
from fourcard.round.paying import act_done
from fourcard.round.state import RoundState
from fourcard.round.stub import stub_step_done
from fourcard.round.trouble import report
from fourcard.rules.nodes import cite


def perform(state: RoundState, command: Perform) -> Decided:
    """Perform the dealer's next step, or refuse it with the step that comes first."""
    refusal = _actor_refusal(state, command) or order_refusal(state, command)
    if refusal is not None:
        return refusal
    if state.phase == "betting":
        return _perform_before_cards(state, command)
    if state.phase == "dealing":
        return _perform_deal_move(state, command)
    if state.phase == "stub":
        return stub_step_done(state, command)
    if state.phase == "deciding":
        looked = StepDone("let_players_look", state.rules.look[state.step][1])
        return [looked] if deciders(state) else [looked, ShowdownReached()]
    return act_done(state)


def _perform_deal_move(state: RoundState, command: Perform) -> Decided:
    """Perform a move of the deal; a hand with the wrong number of cards is an irregularity."""
    move, count = next_move(state), command.count
    if move.name != "verify_hand" or count is None or count < 0 or count == move.count:
        return move_done(state, command)
    irregularity = ReportIrregularity(
        irregularity="wrong_number_of_cards", position=command.position, count=count, role=command.role
    )
    return report(state, irregularity)


def _actor_refusal(state: RoundState, command: Perform) -> Refusal | None:
    """Refuse roles other than the dealer; the floor recounts chips that did not agree (R65)."""
    if command.step != "count_chips" or state.chips_differ is None:
        return dealer_refusal(state, command)
    if has_authority(command.role, "floorperson"):
        return None
    chips, accepted = state.chips_differ
    clauses = (*state.rules.dealing.before_cards["count_chips"].clauses, "R65")
    return refuse(Code.CHIPS_DIFFER, clauses, chips=chips, accepted=accepted)


def _perform_before_cards(state: RoundState, command: Perform) -> Decided:
    if command.step == "deal":
        return refuse(Code.STEP_DONE_BY, step="deal")
    refusal = dealt_in_refusal(state)
    if refusal is not None:
        return refusal
    step, clauses = next(before_cards(state))
    count = command.count if step == "count_chips" else None
    done: list[RoundEvent] = [StepDone(step, clauses, count=count)]
    if step == "announce_no_more_bets":
        locks = [] if state.rules.locks_by_step else locked(state)
        return [*done, BetsClosed(clauses), *locks]
    if step == "lock_out":
        closes = [BetsClosed(clauses)] if state.moment == "betting" else []
        return [*done, *closes, *locked(state)]
    return _handle_chips(state, command, done)


def locked(state: RoundState) -> list[RoundEvent]:
    """Lock in the progressive wagers that the system registered; return other chips (R99, MD-07E4b)."""
    if not state.rules.game.offers("progressive"):
        return []
    places = sorted(state.places.items())
    stakes = tuple((p, place.wagers["progressive"]) for p, place in places if "progressive" in place.wagers)
    returned = tuple((p, place.unregistered) for p, place in places if place.unregistered)
    clauses = cite(state.rules.wagering.chip_unregistered) or ("R99",)
    return [ProgressiveLocked(stakes, returned, clauses if returned else ())]


def _handle_chips(state: RoundState, command: Perform, done: list[RoundEvent]) -> Decided:
    """Collect, count and put away the progressive chips; the count must match the wagers (MD-08C2b, R65)."""
    step, clauses = next(before_cards(state))
    assert step in CHIP_STEPS
    assert state.stakes is not None
    if step != "count_chips":
        return done
    accepted = len(state.stakes)
    if command.count is None or command.count < 0:
        wanted = "the number of chips"
        return refuse(Code.NUMBER_UNFIT, clauses, step=words(step), wanted=wanted, count=told(command.count))
    if command.count != accepted:
        return [ChipsDiffered(command.count, accepted, (*clauses, "R65"))]
    return done

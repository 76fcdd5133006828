"""Round decisions: turn a command into events or a refusal, without changing the state.

A round runs from the placing of wagers through the deal to the settlement of all of them (MA-1-ROUND,
IA-DEF-6); play has begun once the first cards are dealt (IA-AUTO-3).
"""

from collections.abc import Callable
from typing import Any

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import (
    CallOff,
    CompleteDocument,
    ConfirmAward,
    CorrectPayment,
    Deal,
    Fold,
    JudgeCount,
    LeaveSeat,
    PayAward,
    Perform,
    PlaceWager,
    PlaceWagers,
    Play,
    ReportIrregularity,
    RoundCommand,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.decide_deal import deal, dealt_in_refusal, judge_count, perform_move, perform_stub_step
from fourcard.round.decide_settlement import (
    complete_document,
    confirm_award,
    correct_payment,
    pay_award,
    perform_act,
)
from fourcard.round.decide_wagers import (
    call_off,
    fold,
    leave_seat,
    place_wager,
    place_wagers,
    play,
    set_hand,
    take_seat,
    treat_as_abandoned,
    withdraw_wager,
)
from fourcard.round.events import (
    BetsClosed,
    ChipsDiffered,
    ProgressiveBooked,
    ProgressiveLocked,
    RoundEvent,
    RoundEventsOrRefusal,
    ShowdownReached,
    StepDone,
)
from fourcard.round.irregularities import report_irregularity
from fourcard.round.preconditions import (
    count_text,
    dealer_refusal,
    has_authority,
    next_move,
    order_refusal,
    positions_to_decide,
    step_text,
    steps_before_cards,
)
from fourcard.round.state import CHIP_STEPS, RoundState
from fourcard.rules.cited import clauses_of


def perform(state: RoundState, command: Perform) -> RoundEventsOrRefusal:
    """Perform the dealer's next step, or refuse it with the step that comes first."""
    refusal = _actor_refusal(state, command) or order_refusal(state, command)
    if refusal is not None:
        return refusal
    if state.phase == "betting":
        return _perform_before_cards(state, command)
    if state.phase == "dealing":
        return _verify_hand(state, command) if command.step == "verify_hand" else perform_move(state)
    if state.phase == "stub":
        return perform_stub_step(state, command)
    if state.phase == "deciding":
        looked = StepDone(*state.rules.look_steps[state.steps_performed])
        return [looked] if positions_to_decide(state) else [looked, ShowdownReached()]
    return perform_act(state, command.by)


def _verify_hand(state: RoundState, command: Perform) -> RoundEventsOrRefusal:
    """Count a hand; one with the wrong number of cards is an irregularity."""
    move, count = next_move(state), command.count
    if count == move.count:
        return [StepDone(move.name, move.clauses, move.to, count=count)]
    if count is None or count < 0:
        step, wanted = step_text(move.name), "the number of cards that lie there"
        return refuse(Code.NUMBER_UNFIT, move.clauses, step=step, wanted=wanted, count=count_text(count))
    irregularity = ReportIrregularity(
        irregularity="wrong_number_of_cards", position=command.position, count=count, role=command.role
    )
    return report_irregularity(state, irregularity)


def _actor_refusal(state: RoundState, command: Perform) -> Refusal | None:
    """Refuse roles other than the dealer; the floor recounts chips that did not agree (R65)."""
    if command.step != "count_chips" or state.chips_differ is None:
        return dealer_refusal(state, command)
    if has_authority(command.role, "floorperson"):
        return None
    chips, accepted = state.chips_differ
    clauses = (*dict(state.rules.before_cards)["count_chips"], "R65")
    return refuse(Code.CHIPS_DIFFER, clauses, chips=chips, accepted=accepted)


def _perform_before_cards(state: RoundState, command: Perform) -> RoundEventsOrRefusal:
    if command.step == "deal":
        return refuse(Code.STEP_DONE_BY, step="deal")
    refusal = dealt_in_refusal(state)
    if refusal is not None:
        return refusal
    step, clauses = next(steps_before_cards(state))
    count = command.count if step == "count_chips" else None
    done: list[RoundEvent] = [StepDone(step, clauses, count=count)]
    if step == "announce_no_more_bets":
        locks = [] if state.rules.locks_by_step else lock_progressive(state)
        return [*done, BetsClosed(clauses), *locks]
    if step == "lock_out":
        closes = [BetsClosed(clauses)] if state.betting_stage == "betting" else []
        return [*done, *closes, *lock_progressive(state)]
    return _handle_chips(state, command, done)


def lock_progressive(state: RoundState) -> list[RoundEvent]:
    """Lock in the progressive wagers that the system registered; return other chips (R99, MD-07E4b)."""
    if not state.rules.game.offers("progressive"):
        return []
    places = sorted(state.positions.items())
    stakes = tuple((p, place.wagers["progressive"]) for p, place in places if "progressive" in place.wagers)
    returned = tuple((p, place.unregistered) for p, place in places if place.unregistered)
    clauses = clauses_of(state.rules.wagering.chip_unregistered) or ("R99",)
    return [ProgressiveLocked(stakes, returned, clauses if returned else ())]


def _handle_chips(state: RoundState, command: Perform, done: list[RoundEvent]) -> RoundEventsOrRefusal:
    """Collect, count and put away the progressive chips; the count must match the wagers (MD-08C2b, R65)."""
    step, clauses = next(steps_before_cards(state))
    assert step in CHIP_STEPS
    assert state.locked_stakes is not None
    if step in state.rules.chips_to_tray_at:
        done.append(ProgressiveBooked(state.locked_stakes))
    if step != "count_chips":
        return done
    accepted = len(state.locked_stakes)
    if command.count is None or command.count < 0:
        wanted = "the number of chips"
        return refuse(
            Code.NUMBER_UNFIT, clauses, step=step_text(step), wanted=wanted, count=count_text(command.count)
        )
    if command.count != accepted:
        return [ChipsDiffered(command.count, accepted, (*clauses, "R65"))]
    return done


_DECIDERS: dict[type, Callable[[RoundState, Any], Refusal | list[RoundEvent]]] = {
    CallOff: call_off,
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    PlaceWager: place_wager,
    PlaceWagers: place_wagers,
    WithdrawWager: withdraw_wager,
    Perform: perform,
    Deal: deal,
    JudgeCount: judge_count,
    Play: play,
    Fold: fold,
    SetHand: set_hand,
    PayAward: pay_award,
    ConfirmAward: confirm_award,
    CompleteDocument: complete_document,
    CorrectPayment: correct_payment,
    TreatAsAbandoned: treat_as_abandoned,
    ReportIrregularity: report_irregularity,
}


def decide(state: RoundState, command: RoundCommand) -> Refusal | list[RoundEvent]:
    """Return the events of a command, or the refusal with its reason."""
    return _DECIDERS[type(command)](state, command)

"""Round decisions: turn a command into events or a refusal, without changing the state."""

from collections.abc import Callable
from typing import Any

from fourcard.refusals import Refusal
from fourcard.round.choosing import fold, play, set_hand
from fourcard.round.commands import (
    CallOff,
    CompleteDocument,
    CorrectPayment,
    Deal,
    Fold,
    JudgeCount,
    LeaveSeat,
    PayAward,
    Perform,
    PlaceWager,
    Play,
    ReportIrregularity,
    RoundCommand,
    SetHand,
    TakeSeat,
    TreatAsAbandoned,
    WithdrawWager,
)
from fourcard.round.delivering import deal
from fourcard.round.events import RoundEvent
from fourcard.round.paying import complete_document, correct_payment, pay_award
from fourcard.round.performing import perform
from fourcard.round.state import RoundState
from fourcard.round.stub import judge_count
from fourcard.round.trouble import report
from fourcard.round.voiding import call_off
from fourcard.round.wagering import leave_seat, place_wager, take_seat, treat_as_abandoned, withdraw_wager

_DECIDERS: dict[type, Callable[[RoundState, Any], Refusal | list[RoundEvent]]] = {
    CallOff: call_off,
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    PlaceWager: place_wager,
    WithdrawWager: withdraw_wager,
    Perform: perform,
    Deal: deal,
    JudgeCount: judge_count,
    Play: play,
    Fold: fold,
    SetHand: set_hand,
    PayAward: pay_award,
    CompleteDocument: complete_document,
    CorrectPayment: correct_payment,
    TreatAsAbandoned: treat_as_abandoned,
    ReportIrregularity: report,
}


def decide(state: RoundState, command: RoundCommand) -> Refusal | list[RoundEvent]:
    """Return the events of a command, or the refusal with its reason."""
    return _DECIDERS[type(command)](state, command)

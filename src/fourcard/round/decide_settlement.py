"""Settlement of a round: acts of the dealer, progressive awards, their documents, and corrected payments."""

from collections.abc import Sequence

from msgspec.structs import astuple

from fourcard.dealer_script import RACKING
from fourcard.meter import UNITS_PER_CENT, Meter, Payment, pay_meter_award
from fourcard.money import OddsKind, Rounding, dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import CompleteDocument, ConfirmAward, CorrectPayment, PayAward
from fourcard.round.events import (
    ActPerformed,
    AwardAwaited,
    AwardConfirmed,
    AwardPaid,
    DocumentCompleted,
    PaymentCorrected,
    RoundEnded,
    RoundEvent,
    RoundEventsOrRefusal,
    WagersSettled,
)
from fourcard.round.preconditions import dealer_refusal, duty_refusal, phase_refusal
from fourcard.round.state import RoundState
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.line_options import MAX_CENTS
from fourcard.settlers.wager_settler import MeterAward, PendingStep, SettlementStep
from fourcard.settling import split_by_source
from fourcard.wagers import WAGER_LABELS


def perform_act(state: RoundState, by: str) -> RoundEventsOrRefusal:
    """Perform the next act; refuse it while a payout that it depends on is not documented."""
    turn = state.dealer_turn
    last = state.turn_index + 1 == len(state.dealer_turns)
    for position in state.undocumented_positions:
        racked = [action.position for action in turn.actions if action.act in RACKING]
        if last or position in racked:
            return refuse(Code.DOCUMENT_INCOMPLETE, _stay_clauses(state), position=position)
    return _settle_act(state, turn.pending_steps, (), by)


def _settle_act(
    state: RoundState, pending: Sequence[PendingStep], paid: tuple[SettlementStep, ...], by: str
) -> list[RoundEvent]:
    """Settle up to the next award that waits, or to the end of the act and of the round."""
    steps: list[SettlementStep] = []
    for due in pending:
        if due.waits:
            moved: list[RoundEvent] = [WagersSettled(tuple(steps))] if steps else []
            return [*moved, AwardAwaited(due.step, by if due.second_person else "")]
        steps.append(due.step)
    turn = state.dealer_turn
    done: list[RoundEvent] = [ActPerformed(turn.act, turn.position, tuple(steps), turn.actions)]
    if state.turn_index + 1 == len(state.dealer_turns):
        done.append(RoundEnded(_nets(state, (*state.steps, *paid, *steps))))
    return done


def _nets(state: RoundState, steps: Sequence[SettlementStep]) -> tuple[tuple[int, int], ...]:
    """Return the net result of each position."""
    nets = dict.fromkeys(sorted(state.positions), 0)
    for step in steps:
        nets[step.position] += step.amount if step.action == "pay" else -step.amount
    return tuple(nets.items())


def _stay_clauses(state: RoundState) -> tuple[str, ...]:
    rules = state.rules.game.rulebook.wagers.progressive
    return clauses_of(rules.cards_stay_until_documented) if rules is not None else ()


def pay_award(state: RoundState, command: PayAward) -> RoundEventsOrRefusal:
    """Pay the award that waits, at the meter's amount at its turn (R58, MD-12D4), and continue the act."""
    step = state.awaited_step
    refusal = dealer_refusal(state, command)
    if refusal is not None:
        return refusal
    if step is None or step.position != command.position or state.awaited_at_table is not None:
        return refuse(Code.NO_AWARD_AWAITED, position=command.position)
    refusal = _price_refusal(state, command, step)
    if refusal is not None:
        return refusal
    award = state.pending_step.meter_award
    steps = (step,) if award is None else split_by_source(step, command.payment)
    rules = state.rules.game.rulebook.wagers.progressive
    stays = rules is not None and is_set(rules.cards_stay_until_documented) and command.payment.from_meter > 0
    paid = AwardPaid(step.position, steps, command.payment, command.before, command.after, not stays)
    rest = state.dealer_turn.pending_steps[state.settled_in_turn + 1 :]
    return [paid, *_settle_act(state, rest, steps, command.by)]


def confirm_award(state: RoundState, command: ConfirmAward) -> RoundEventsOrRefusal:
    """Confirm a large award, which is then paid; not by the person who would have paid it (R61)."""
    duty = state.rules.duty("validates_jackpot")
    refusal = duty_refusal(command, "confirm an award", duty, "floorperson")
    if refusal is not None:
        return Refusal(refusal.code, refusal.message, ("R61",))
    step = state.awaited_at_table
    if step is None or step.position != command.position:
        return refuse(Code.NO_AWARD_AWAITED, ("R61",), position=command.position)
    if command.by and command.by == state.awaited_by:
        return refuse(Code.AWARD_OWN, ("R61",), person=command.by)
    rest = state.dealer_turn.pending_steps[state.settled_in_turn + 1 :]
    return [AwardConfirmed(step, command.by), *_settle_act(state, rest, (step,), state.awaited_by)]


def _price_refusal(state: RoundState, command: PayAward, step: SettlementStep) -> Refusal | None:
    """Refuse a wrong amount, and a whole-meter award paid from the tray (MD-11D10di)."""
    award, payment = (
        state.pending_step.meter_award,
        command.payment,
    )
    least = min(command.before, command.after, *(int(part) for part in astuple(payment)))
    if least < 0:
        return refuse(Code.AWARD_UNFIT, step.clauses, due="in no part below $0", paid=dollars(least))
    if award is None:
        return _fixed_award_refusal(command, step)
    worth = award.odds.pays(award.stake, Rounding.DOWN, command.before)
    if payment.amount != worth:
        return refuse(Code.AWARD_UNFIT, step.clauses, due=dollars(worth), paid=dollars(payment.amount))
    whole = award.odds.kind is OddsKind.METER and award.odds.value == 1
    if whole and payment.from_tray:
        return refuse(Code.WHOLE_METER_FROM_TRAY, step.clauses)
    if payment.whole_meter != whole:
        kind = "the whole meter" if whole else "a part of the meter"
        return refuse(Code.AWARD_UNFIT, step.clauses, due=kind, paid=dollars(payment.amount))
    return _parts_refusal(command, award, step)


def _fixed_award_refusal(command: PayAward, step: SettlementStep) -> Refusal | None:
    """Refuse anything but the fixed amount from the tray for an award that only had to be confirmed."""
    right = Payment(from_tray=step.amount, wins_before=command.payment.wins_before)
    if command.payment != right:
        return refuse(
            Code.AWARD_UNFIT,
            step.clauses,
            due=describe_payment(right),
            paid=describe_payment(command.payment),
        )
    if command.before != command.after:
        due, paid = (f"followed by {dollars(each)} on the meter" for each in (command.before, command.after))
        return refuse(Code.AWARD_UNFIT, step.clauses, due=due, paid=paid)
    return None


def _parts_refusal(command: PayAward, award: MeterAward, step: SettlementStep) -> Refusal | None:
    """Refuse a payment whose parts, or whose remaining meter, do not follow from the meter's amount."""
    payment = command.payment
    seed = (payment.reset_units - payment.reserve_units) // UNITS_PER_CENT if payment.whole_meter else 0
    shown = command.before * UNITS_PER_CENT
    if seed < 0:
        return refuse(Code.AWARD_UNFIT, step.clauses, due="seeded at $0 or more", paid=dollars(seed))
    meter = Meter(
        amount=shown, reserve=payment.reserve_units, reset_amount=seed, whole_meter_wins=payment.wins_before
    )
    left, right = pay_meter_award(meter, award.odds, award.stake, award.source)
    if payment != right:
        return refuse(
            Code.AWARD_UNFIT, step.clauses, due=describe_payment(right), paid=describe_payment(payment)
        )
    fraction = 1 if payment.whole_meter else 0
    if not left.whole_cents <= command.after <= left.whole_cents + fraction:
        due, paid = (
            f"followed by {dollars(each)} on the meter" for each in (left.whole_cents, command.after)
        )
        return refuse(Code.AWARD_UNFIT, step.clauses, due=due, paid=paid)
    return None


def describe_payment(payment: Payment) -> str:
    """Return the parts of a payment by source, for messages."""
    seeded = payment.reset_units // UNITS_PER_CENT
    parts = {
        "from the meter": payment.from_meter,
        "from the tray": payment.from_tray,
        "from the meter to the tray": payment.meter_to_tray,
        "to reseed the meter": seeded,
        "short": payment.shortfall,
    }
    return ", ".join(f"{dollars(cents)} {where}" for where, cents in parts.items() if cents) or "nothing"


def price_award(meter: Meter, state: RoundState) -> PayAward:
    """Return the payment of the award that waits: at the meter's amount (R58), or fixed from the tray."""
    assert state.awaited_step is not None
    award = state.pending_step.meter_award
    left, payment = meter, Payment(from_tray=state.awaited_step.amount, wins_before=meter.whole_meter_wins)
    if award is not None:
        left, payment = pay_meter_award(meter, award.odds, award.stake, award.source)
    before, after = meter.whole_cents, left.whole_cents
    return PayAward(position=state.awaited_step.position, payment=payment, before=before, after=after)


def complete_document(state: RoundState, command: CompleteDocument) -> RoundEventsOrRefusal:
    """Release the cards of a documented payout; the floor completes the document."""
    refusal = duty_refusal(
        command, "complete the document", state.rules.duty("validates_jackpot"), "supervisor"
    )
    if refusal is not None:
        return refusal
    if command.position not in state.undocumented_positions:
        return refuse(Code.DOCUMENT_UNASKED, _stay_clauses(state), position=command.position)
    return [DocumentCompleted(command.position)]


def _unpaid_award_refusal(state: RoundState, command: CorrectPayment) -> Refusal | None:
    """Refuse to correct an award that is not paid yet."""
    award = state.awaited_step
    if award is None or (award.position, award.wager) != (command.position, command.wager):
        return None
    return refuse(Code.AWARD_AWAITED, award.clauses, position=command.position)


def correct_payment(state: RoundState, command: CorrectPayment) -> RoundEventsOrRefusal:
    """Record and correct a wrong payment, also one on a losing wager."""
    refusal = duty_refusal(command, "correct a payment", None, "supervisor")
    refusal = refusal or phase_refusal(state, command, ("settling", "over"))
    refusal = refusal or _unpaid_award_refusal(state, command)
    if refusal is not None:
        return refusal
    settled = [
        step for step in state.steps if (step.position, step.wager) == (command.position, command.wager)
    ]
    due = sum(step.amount for step in settled if step.action == "pay")
    if not settled:
        label = WAGER_LABELS[command.wager]
        return refuse(Code.PAYMENT_ABSENT, wager=label, position=command.position)
    if command.handed == due:
        return refuse(Code.PAYMENT_RIGHT, amount=dollars(due))
    if not 0 <= command.handed <= MAX_CENTS:
        return refuse(Code.AWARD_UNFIT, due=dollars(due), paid=dollars(command.handed))
    if not command.reason.strip():
        return refuse(Code.REASON_MISSING)
    return [
        PaymentCorrected(command.position, command.wager, due, command.handed, command.reason, command.by)
    ]

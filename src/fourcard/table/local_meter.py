"""Local meter: the progressive meter of a single table.

It grows with locked stakes, prices the awards that wait, and reverses void rounds. A house with many tables
keeps its meters elsewhere; a single table, the terminal game and tests use this one.
"""

from collections.abc import Iterable
from fractions import Fraction

from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    Meter,
    Payment,
    contribute,
    meter_after_payment,
    reverse_contribution,
    reverse_payment,
)
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.round.commands import PayAward
from fourcard.round.decide_settlement import describe_payment, price_award
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundEnded, RoundVoided
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.table.events import TableEvent


class LocalMeter:
    """The meter of one table, updated from the table's events."""

    def __init__(self, game: Game, meter: Meter | None = None) -> None:
        """Start from a meter; default: the submission's seed."""
        choice = game.submission.progressive
        self.rate = (choice.rate or Fraction(0)) if choice is not None else Fraction(0)
        self.reserve_rate = choice.reserve if choice is not None else Fraction(0)
        seed = choice.seed or 0 if choice is not None else 0
        reset = choice.reset if choice is not None else None
        self.meter = meter or Meter(amount=seed * UNITS_PER_CENT, reset_amount=reset)
        self._contributed: list[Contribution] = []
        self._paid: list[Payment] = []
        self.absorbed = 0
        """Units that the house paid because the meter no longer had them (R66)."""

    def apply_events(self, events: Iterable[TableEvent]) -> None:
        """Apply a table's events: add contributions, subtract awards, reverse a void round."""
        for event in events:
            if isinstance(event, ProgressiveLocked):
                for _, stake in event.stakes:
                    self.meter, part = contribute(self.meter, stake, self.rate, self.reserve_rate)
                    self._contributed.append(part)
            elif isinstance(event, AwardPaid):
                self.meter = meter_after_payment(self.meter, event.payment)
                self._paid.append(event.payment)
            elif isinstance(event, RoundVoided):
                self._reverse()
            elif isinstance(event, RoundEnded):
                self._contributed, self._paid = [], []

    def _reverse(self) -> None:
        for payment in reversed(self._paid):
            self.meter, absorbed = reverse_payment(self.meter, payment)
            self.absorbed += absorbed
        for part in reversed(self._contributed):
            self.meter, absorbed = reverse_contribution(self.meter, part)
            self.absorbed += absorbed
        self._contributed, self._paid = [], []

    def price_award(self, state: RoundState) -> PayAward:
        """Return the payment of the award that waits, at the meter's current amount (R58)."""
        return price_award(self.meter, state)

    def award_refusal(self, state: RoundState | None, command: PayAward) -> Refusal | None:
        """Refuse a payment that differs from what the meter gives for the award that waits."""
        if state is None or state.awaited_step is None or state.awaited_step.position != command.position:
            return None
        try:
            right = self.price_award(state)
        except RefusedError as error:
            return error.refusal
        if (command.payment, command.before, command.after) == (right.payment, right.before, right.after):
            return None
        figures = {"due": _describe_award(right), "paid": _describe_award(command)}
        return refuse(Code.AWARD_UNFIT, state.awaited_step.clauses, **figures)


def _describe_award(award: PayAward) -> str:
    """Return an award for messages: its parts, and the meter before and after it."""
    shown = f"a meter of {dollars(award.before)} that then shows {dollars(award.after)}"
    return f"{describe_payment(award.payment)} at {shown}"

"""Progressive meter arithmetic, pure and exact: contribute, price an award, pay it, reset, reverse.

A meter is seeded again when its whole amount is paid (WA-PROG-3.1, WA-NEX-3.1). Meter and reserve are whole
units of 1/10,000 cent; payments to players are whole cents. Every function returns a new meter and a record
of what moved, so each unit can be traced.
"""

from fractions import Fraction

import msgspec

from fourcard.money import MoneyError, Odds, OddsKind, Rounding
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.rulebook import AwardSource

UNITS_PER_CENT = 10_000
STORED_METER_FIELDS = {"reset_amount": "seed", "whole_meter_wins": "taken", "reversed_wins": "undone"}
STORED_PAYMENT_FIELDS = {
    "whole_meter": "whole",
    "reset_units": "seeded",
    "reserve_units": "from_reserve",
    "wins_before": "taken",
}
"""Names in stored meters and payments where they differ."""


class Meter(msgspec.Struct, frozen=True, kw_only=True, rename=STORED_METER_FIELDS):
    """Progressive meter: amount, reserve and reset seed."""

    amount: int
    """Units in the meter."""
    reserve: int = 0
    """Units set aside for the next reset (WA-REC-7)."""
    reset_amount: int | None = None
    """Cents that the house adds when the whole meter has been won."""
    whole_meter_wins: int = 0
    """How often the whole meter has been won, reversed wins included."""
    reversed_wins: tuple[int, ...] = ()
    """Indexes of the reversed wins, counted from 0."""

    def __post_init__(self) -> None:
        """Reject negative amounts (R59)."""
        if min(self.amount, self.reserve, self.reset_amount or 0, self.whole_meter_wins) < 0:
            raise MoneyError("A meter, its reserve and its seed can never be below zero.")

    @property
    def whole_cents(self) -> int:
        """Return the whole cents, which awards are priced at; a fraction stays in the meter (R97)."""
        return self.amount // UNITS_PER_CENT

    def won_since(self, taken: int) -> bool:
        """Say whether the whole meter has been won since then and the win stands."""
        return any(win not in self.reversed_wins for win in range(taken, self.whole_meter_wins))


class Contribution(msgspec.Struct, frozen=True, kw_only=True, rename={"wins_before": "taken"}):
    """Contribution of one stake, in units: the three parts add up to the stake."""

    to_meter: int
    to_reserve: int
    to_house: int
    wins_before: int
    """How often the meter had been won when the stake came in."""


class Payment(msgspec.Struct, frozen=True, kw_only=True, rename=STORED_PAYMENT_FIELDS):
    """Payment of one award: amounts in cents, reset amounts in units."""

    from_meter: int = 0
    from_tray: int = 0
    meter_to_tray: int = 0
    """Cents that the meter refunds to the tray, which paid a share of it (R60)."""
    whole_meter: bool = False
    """Whether the whole meter was won and then reset."""
    reset_units: int = 0
    """Units of seed and reserve that it was reset to."""
    reserve_units: int = 0
    """Units of these that came from the reserve."""
    shortfall: int = 0
    """Cents that the tray paid because the meter ran dry (R59)."""
    wins_before: int = 0
    """How often the meter had been won before."""

    @property
    def amount(self) -> int:
        """Return the cents that the player received."""
        return self.from_meter + self.from_tray

    @property
    def meter_units(self) -> int:
        """Return the units that the payment takes from the meter."""
        return (self.from_meter + self.meter_to_tray) * UNITS_PER_CENT


def contribute(
    meter: Meter, stake: int, rate: Fraction, reserve_rate: Fraction = Fraction(0)
) -> tuple[Meter, Contribution]:
    """Add a stake's shares to meter and reserve; the house gets the rest, with fractions of a unit."""
    units = stake * UNITS_PER_CENT
    part, whole = rate.as_integer_ratio()
    kept, of = reserve_rate.as_integer_ratio()
    to_meter, to_reserve = units * part // whole, units * kept // of
    if min(stake, part, kept) < 0 or part * of + kept * whole > whole * of:
        raise MoneyError("A stake and its shares cannot be negative, nor the shares more than the stake.")
    grown = msgspec.structs.replace(meter, amount=meter.amount + to_meter, reserve=meter.reserve + to_reserve)
    return grown, Contribution(
        to_meter=to_meter,
        to_reserve=to_reserve,
        to_house=units - to_meter - to_reserve,
        wins_before=meter.whole_meter_wins,
    )


def price_meter_award(meter: Meter, odds: Odds, stake: int) -> int:
    """Return the whole cents of an award: a share of what the meter shows (R97), or odds on the stake."""
    return odds.pays(stake, Rounding.DOWN, meter.whole_cents)


def pay_meter_award(meter: Meter, odds: Odds, stake: int, source: AwardSource) -> tuple[Meter, Payment]:
    """Pay an award from meter or tray and return the new meter.

    The whole meter is paid from the meter only and resets it (MD-11D10di, SM-PROG-4.1, R58); a share lowers
    the meter even if the tray pays it (R60). A fixed award lowers the meter only if it is
    paid from it, and never below zero: the tray pays the rest (R59).
    """
    due = price_meter_award(meter, odds, stake)
    if odds.kind is OddsKind.METER:
        if odds.value == 1:
            return _pay_whole_meter(meter, due)
        return _lowered(meter, due), _share_payment(meter, due, source)
    if source == "tray":
        return meter, Payment(from_tray=due, wins_before=meter.whole_meter_wins)
    held = min(due, meter.whole_cents)
    short = due - held
    return _lowered(meter, held), Payment(
        from_meter=held, from_tray=short, shortfall=short, wins_before=meter.whole_meter_wins
    )


def _share_payment(meter: Meter, due: int, source: AwardSource) -> Payment:
    """Return the payment of a share: from the meter, or from the tray, which the meter refunds."""
    if source == "meter":
        return Payment(from_meter=due, wins_before=meter.whole_meter_wins)
    return Payment(from_tray=due, meter_to_tray=due, wins_before=meter.whole_meter_wins)


def _lowered(meter: Meter, cents: int) -> Meter:
    return msgspec.structs.replace(meter, amount=meter.amount - cents * UNITS_PER_CENT)


def _pay_whole_meter(meter: Meter, due: int) -> tuple[Meter, Payment]:
    """Pay the displayed amount and reset the meter to seed plus reserve (WA-REC-7)."""
    if meter.reset_amount is None:
        raise RefusedError(refuse(Code.RESET_NOT_GIVEN, ("R58",)))
    seeded = meter.reset_amount * UNITS_PER_CENT + meter.reserve
    empty = _lowered(meter, due)
    reset = msgspec.structs.replace(
        empty, amount=empty.amount + seeded, reserve=0, whole_meter_wins=meter.whole_meter_wins + 1
    )
    return reset, Payment(
        from_meter=due,
        whole_meter=True,
        reset_units=seeded,
        reserve_units=meter.reserve,
        wins_before=meter.whole_meter_wins,
    )


def reverse_contribution(meter: Meter, contribution: Contribution) -> tuple[Meter, int]:
    """Reverse a void round's contribution and return the units that the house must bear.

    If the meter has been won meanwhile the new seed is left alone (R66), and nothing falls below zero.
    """
    owed = contribution.to_meter + contribution.to_reserve
    if meter.won_since(contribution.wins_before):
        return meter, owed
    from_meter = min(contribution.to_meter, meter.amount)
    from_reserve = min(contribution.to_reserve, meter.reserve)
    back = msgspec.structs.replace(
        meter, amount=meter.amount - from_meter, reserve=meter.reserve - from_reserve
    )
    return back, owed - from_meter - from_reserve


def reverse_payment(meter: Meter, payment: Payment) -> tuple[Meter, int]:
    """Reverse an award and return the units that the house must bear because the meter lacks them.

    What the meter paid returns to it. If that was the whole meter and nobody has won it since, the seed goes
    back too; after a later win the reset stays.
    """
    amount = meter.amount + payment.meter_units
    if not payment.whole_meter:
        return msgspec.structs.replace(meter, amount=amount), 0
    undone = (*meter.reversed_wins, payment.wins_before)
    if meter.won_since(payment.wins_before + 1):
        return msgspec.structs.replace(meter, amount=amount, reversed_wins=undone), 0
    back = msgspec.structs.replace(
        meter,
        amount=max(0, amount - payment.reset_units),
        reserve=meter.reserve + payment.reserve_units,
        reversed_wins=undone,
    )
    return back, max(0, payment.reset_units - amount)


def meter_after_payment(meter: Meter, payment: Payment) -> Meter:
    """Return the meter after a payment; after a whole-meter award it restarts from seed and reserve."""
    amount = meter.amount - payment.meter_units + payment.reset_units
    reserve = meter.reserve - payment.reserve_units
    return msgspec.structs.replace(
        meter, amount=amount, reserve=reserve, whole_meter_wins=meter.whole_meter_wins + payment.whole_meter
    )

"""The progressive's arithmetic, pure and exact: contribute, price an award, pay it, reset, reverse.

A meter and its reserve are whole units of a ten-thousandth of a cent; what a player is paid is whole cents.
Every function returns a new meter beside a record of what moved, so that each unit can be followed.
"""

from fractions import Fraction

import msgspec

from fourcard.money import MoneyError, Odds, OddsKind, Rounding
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.rulebook import AwardSource

UNITS_PER_CENT = 10_000


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """A progressive meter: what it holds, what lies in reserve, and what it starts from anew."""

    amount: int
    """Units in the meter."""
    reserve: int = 0
    """Units kept aside for the next start (WA-REC-7)."""
    seed: int | None = None
    """The cents that the house puts in when the whole meter has been won."""
    taken: int = 0
    """How often the whole meter has been won; a win that is taken back was won nevertheless."""
    undone: tuple[int, ...] = ()
    """Which of these wins were taken back, the first being 0."""

    def __post_init__(self) -> None:
        """Keep a meter and its reserve from falling below zero (R59)."""
        if min(self.amount, self.reserve, self.seed or 0, self.taken) < 0:
            raise MoneyError("A meter, its reserve and its seed can never be below zero.")

    @property
    def displayed(self) -> int:
        """Return the whole cents that the meter shows; a fraction stays in it unseen (R97)."""
        return self.amount // UNITS_PER_CENT

    def won_since(self, taken: int) -> bool:
        """Say whether somebody has won the whole meter since, and still has it."""
        return any(win not in self.undone for win in range(taken, self.taken))


class Contribution(msgspec.Struct, frozen=True, kw_only=True):
    """Where one stake went, in units: the three parts make up the whole of it."""

    to_meter: int
    to_reserve: int
    to_house: int
    taken: int
    """How often the meter had been won when the stake came in."""


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What one award moved, in cents, and what it put into the meter anew, in units."""

    from_meter: int = 0
    from_tray: int = 0
    meter_to_tray: int = 0
    """What the meter gave back to the tray that had paid a share of it (R60)."""
    whole: bool = False
    """Whether this was the whole meter, which then started anew."""
    seeded: int = 0
    """Units of seed and reserve with which it started."""
    from_reserve: int = 0
    shortfall: int = 0
    """The part that the tray paid because the meter ran dry (R59)."""
    taken: int = 0
    """How often the meter had been won before."""

    @property
    def amount(self) -> int:
        """Return the cents that the player received."""
        return self.from_meter + self.from_tray


def contribute(
    meter: Meter, stake: int, rate: Fraction, reserve_rate: Fraction = Fraction(0)
) -> tuple[Meter, Contribution]:
    """Add a stake's shares to meter and reserve; what is under a unit, and the rest, is the house's."""
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
        taken=meter.taken,
    )


def price(meter: Meter, odds: Odds, stake: int) -> int:
    """Return the whole cents of an award: a share of what the meter shows (R97), or so much for 1."""
    return odds.pays(stake, Rounding.DOWN, meter.displayed)


def pay(meter: Meter, odds: Odds, stake: int, source: AwardSource) -> tuple[Meter, Payment]:
    """Pay an award out of meter or tray and return the meter as it then stands.

    The whole meter comes out of the meter alone, which then starts anew (MD-11D10di, SM-PROG-4.1, R58); a
    part of it lowers the meter whatever hands it over (R60). A fixed award lowers the meter only if it is
    paid from it, and never below zero: the tray pays the rest (R59).
    """
    due = price(meter, odds, stake)
    if odds.kind is OddsKind.METER:
        if odds.value == 1:
            return _start_anew(meter, due, source)
        return _lowered(meter, due), _handed_over(meter, due, source)
    if source == "tray":
        return meter, Payment(from_tray=due, taken=meter.taken)
    held = min(due, meter.displayed)
    short = due - held
    return _lowered(meter, held), Payment(
        from_meter=held, from_tray=short, shortfall=short, taken=meter.taken
    )


def _handed_over(meter: Meter, due: int, source: AwardSource) -> Payment:
    """Return who hands a share over: the meter, or the tray that the meter makes whole."""
    if source == "meter":
        return Payment(from_meter=due, taken=meter.taken)
    return Payment(from_tray=due, meter_to_tray=due, taken=meter.taken)


def _lowered(meter: Meter, cents: int) -> Meter:
    return msgspec.structs.replace(meter, amount=meter.amount - cents * UNITS_PER_CENT)


def _start_anew(meter: Meter, due: int, source: AwardSource) -> tuple[Meter, Payment]:
    """Pay the whole of what is shown, and start with seed and reserve together (WA-REC-7)."""
    if source == "tray":
        raise RefusedError(refuse(Code.WHOLE_METER_FROM_TRAY, ("MD-11D10di",)))
    if meter.seed is None:
        raise RefusedError(refuse(Code.RESET_NOT_GIVEN, ("R58",)))
    seeded = meter.seed * UNITS_PER_CENT + meter.reserve
    empty = _lowered(meter, due)
    anew = msgspec.structs.replace(empty, amount=empty.amount + seeded, reserve=0, taken=meter.taken + 1)
    return anew, Payment(
        from_meter=due, whole=True, seeded=seeded, from_reserve=meter.reserve, taken=meter.taken
    )


def reverse_contribution(meter: Meter, contribution: Contribution) -> tuple[Meter, int]:
    """Take a void round's contribution back and return the units that the house bears instead.

    If the meter has been won meanwhile the new seed is left alone (R66), and nothing falls below zero.
    """
    owed = contribution.to_meter + contribution.to_reserve
    if meter.won_since(contribution.taken):
        return meter, owed
    from_meter = min(contribution.to_meter, meter.amount)
    from_reserve = min(contribution.to_reserve, meter.reserve)
    back = msgspec.structs.replace(
        meter, amount=meter.amount - from_meter, reserve=meter.reserve - from_reserve
    )
    return back, owed - from_meter - from_reserve


def reverse_payment(meter: Meter, payment: Payment) -> tuple[Meter, int]:
    """Take an award back and return the units that the house bears because the meter no longer has them.

    What the meter paid returns to it. If it paid the whole meter, and nobody has won it since, the seed goes
    back too; after a later win that start is another's and stays.
    """
    amount = meter.amount + (payment.from_meter + payment.meter_to_tray) * UNITS_PER_CENT
    if not payment.whole:
        return msgspec.structs.replace(meter, amount=amount), 0
    undone = (*meter.undone, payment.taken)
    if meter.won_since(payment.taken + 1):
        return msgspec.structs.replace(meter, amount=amount, undone=undone), 0
    back = msgspec.structs.replace(
        meter,
        amount=max(0, amount - payment.seeded),
        reserve=meter.reserve + payment.from_reserve,
        undone=undone,
    )
    return back, max(0, payment.seeded - amount)

"""Money as integer cents, odds as exact fractions, and rounding that always has a name.

Nothing here is a float. A payment is the stake times an exact fraction; where that leaves part of a cent
the caller names the rounding (R33: down by default).
"""

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from fourcard.refusals import BadInputError

CENTS_PER_DOLLAR = 100


class MoneyError(BadInputError):
    """Invalid amount, share or odds."""


class Rounding(StrEnum):
    """Rounding of part of a cent."""

    DOWN = "down"
    UP = "up"
    HALF_UP = "half_up"
    HALF_EVEN = "half_even"

    def whole(self, amount: Fraction) -> int:
        """Return a non-negative amount of cents as whole cents."""
        if amount < 0:
            raise MoneyError(f"Only amounts of zero or more are rounded, not {amount}.")
        floor, rest = divmod(amount, 1)
        if self is Rounding.UP:
            return floor + (rest > 0)
        if self is Rounding.HALF_UP:
            return floor + (rest >= Fraction(1, 2))
        if self is Rounding.HALF_EVEN:
            return round(amount)
        return floor


class OddsKind(StrEnum):
    """How an award is quoted."""

    TO = "to"
    """Winnings on top of the stake, which the player keeps."""
    FOR = "for"
    """Everything that comes back; the stake is not returned as well (MA-13a1.2, SM-PROG-3.1, WA-PAY-R)."""
    METER = "meter"
    """A share of the progressive meter; the stake is not returned."""
    FIXED = "fixed"
    """An amount of money whatever the stake."""


# Looked up once: on Python 3.11 finding a member of an enum takes longer than the payment itself.
_METER, _FIXED = OddsKind.METER, OddsKind.FIXED


class Odds(str):
    """Odds of one paytable row: the printed text with its exact value.

    Written ``3 to 2``, ``300 for 1``, ``100% of meter`` or ``$100``; any other text is refused.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "Odds":
        """Accept only a valid text."""
        _meaning(text)
        return super().__new__(cls, text)

    @property
    def kind(self) -> OddsKind:
        """Return how the award is quoted."""
        return _meaning(self)[0]

    @property
    def value(self) -> Fraction:
        """Return units per unit staked, the share of the meter, or cents, depending on the kind."""
        return _meaning(self)[1]

    def pays(self, stake: int, rounding: Rounding, meter: int | None = None) -> int:
        """Return the award in whole cents for a stake and the meter in cents."""
        kind, value = _meaning(self)
        if stake < 0:
            raise MoneyError(f"A stake cannot be {dollars(stake)}.")
        if kind is _METER:
            if meter is None:
                raise MoneyError(f"The award {self} needs the amount of the meter.")
            return rounding.whole(value * meter)
        if kind is _FIXED:
            return rounding.whole(value)
        return stake * value.numerator if value.denominator == 1 else rounding.whole(value * stake)

    def at_least(self, other: "Odds") -> bool:
        """Say whether this award is quoted the same way as another and at least as large."""
        return self.kind is other.kind and self.value >= other.value


_NUMBER = r"([1-9][0-9]{0,2}(?:,[0-9]{3}){1,4}|0|[1-9][0-9]{0,14})"
_RATIO = re.compile(rf"{_NUMBER} (to|for) {_NUMBER}")
_SHARE = re.compile(r"((?:0|[1-9][0-9]{0,2})(?:\.[0-9]+)?)%")
_METER_SHARE = re.compile(_SHARE.pattern + " of meter")
_DOLLARS = re.compile(rf"\${_NUMBER}(?:\.([0-9][0-9]))?")


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


@lru_cache(maxsize=4096)
def _meaning(text: str) -> tuple[OddsKind, Fraction]:
    """Return the kind and exact value of an award's text."""
    if match := _RATIO.fullmatch(text):
        won, kind, staked = _whole(match[1]), OddsKind(match[2]), _whole(match[3])
        if won > 0 and staked > 0:
            return kind, Fraction(won, staked)
    elif share := _METER_SHARE.fullmatch(text):
        if 0 < (part := Fraction(share[1]) / 100) <= 1:
            return OddsKind.METER, part
    elif _DOLLARS.fullmatch(text) and (cents := parse_dollars(text)) > 0:
        return OddsKind.FIXED, Fraction(cents)
    raise MoneyError(
        f"{text!r} is not an award; write it like '3 to 2', '300 for 1', '100% of meter' or '$100'."
    )


def parse_share(text: str) -> Fraction:
    """Return a share from 0% to 100% as an exact fraction."""
    match = _SHARE.fullmatch(text)
    if match is None or (share := Fraction(match[1]) / 100) > 1:
        raise MoneyError(f"{text!r} is not a share; write one from '0%' to '100%', such as '12.5%'.")
    return share


def share_text(share: Fraction) -> str:
    """Return a share exactly as a person writes it, such as ``12.5%``."""
    percent = share * 100
    exact = Decimal(percent.numerator) / Decimal(percent.denominator)
    return f"{exact.normalize():f}%" if Fraction(exact) == percent else f"{percent}%"


def parse_dollars(text: str) -> int:
    """Return the cents of an amount such as ``$1,000`` or ``$2.50``."""
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise MoneyError(f"{text!r} is not an amount; write it like '$1,000' or '$2.50'.")
    return _whole(match[1]) * CENTS_PER_DOLLAR + int(match[2] or 0)


def dollars(cents: int) -> str:
    """Return cents as a person writes them: ``$1,000`` or ``$2.50``."""
    whole, rest = divmod(abs(cents), CENTS_PER_DOLLAR)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{rest:02}" if rest else "")

"""Figures of reports as people and scripts read them: exact money, shares, and moments."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from fourcard.meter import UNITS_PER_CENT
from fourcard.money import CENTS_PER_DOLLAR

PLACES = 6
"""Digits after the point of a dollar that a unit has."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Share = dict[str, object] | None


def exact_dollars(units: int) -> str:
    """Return units as dollars without rounding anything away: ``$1,000``, ``$2.50`` or ``-$0.123456``."""
    whole, rest = divmod(abs(units), UNITS_PER_CENT * CENTS_PER_DOLLAR)
    digits = f"{rest:0{PLACES}}".rstrip("0").ljust(2, "0") if rest else ""
    return f"{'-' if units < 0 else ''}${whole:,}{f'.{digits}' if digits else ''}"


def share(part: int, whole: int) -> Fraction | None:
    """Return a part of a whole exactly, or None where there is no whole, or less than none."""
    return Fraction(part, whole) if whole > 0 else None


def share_answer(found: Fraction | None) -> Share:
    """Return a share as scripts read it."""
    return None if found is None else {"fraction": str(found), "value": float(found)}


def moment(at: int) -> str:
    """Return a moment as people write it, to the second, in UTC."""
    return (EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S")

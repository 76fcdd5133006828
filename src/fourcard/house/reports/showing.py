"""Report formats: exact amounts, shares and times as text and as JSON data."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from fourcard.meter import UNITS_PER_CENT
from fourcard.money import CENTS_PER_DOLLAR

PLACES = 6
"""Decimal places of a dollar that one unit needs."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Share = dict[str, object] | None


def exact_dollars(units: int) -> str:
    """Format units as dollars without rounding: ``$1,000``, ``$2.50`` or ``-$0.123456``."""
    whole, rest = divmod(abs(units), UNITS_PER_CENT * CENTS_PER_DOLLAR)
    digits = f"{rest:0{PLACES}}".rstrip("0").ljust(2, "0") if rest else ""
    return f"{'-' if units < 0 else ''}${whole:,}{f'.{digits}' if digits else ''}"


def share(part: int, whole: int) -> Fraction | None:
    """Return a part of a whole as a fraction; None where the whole is not positive."""
    return Fraction(part, whole) if whole > 0 else None


def share_answer(value: Fraction | None) -> Share:
    """Return a share as JSON data."""
    return None if value is None else {"fraction": str(value), "value": float(value)}


def moment(at: int) -> str:
    """Format a time to the second, in UTC."""
    return (EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S")

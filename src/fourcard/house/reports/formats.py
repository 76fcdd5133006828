"""Report formats: exact amounts, shares, times and gaming days."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from fourcard.house.running_totals import HOUR
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import CENTS_PER_DOLLAR
from fourcard.refusals import BadInputError

PLACES = 6
"""Decimal places of a dollar that one unit needs."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def exact_dollars(units: int) -> str:
    """Format units as dollars without rounding: ``$1,000``, ``$2.50`` or ``-$0.123456``."""
    whole, rest = divmod(abs(units), UNITS_PER_CENT * CENTS_PER_DOLLAR)
    digits = f"{rest:0{PLACES}}".rstrip("0").ljust(2, "0") if rest else ""
    return f"{'-' if units < 0 else ''}${whole:,}{f'.{digits}' if digits else ''}"


def share_of(part: int, whole: int) -> Fraction | None:
    """Return a part of a whole as a fraction; None where the whole is not positive."""
    return Fraction(part, whole) if whole > 0 else None


def format_time(at: int) -> str:
    """Format a time to the second, in UTC."""
    return (EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S")


DAY = 24 * HOUR
DayNumber = int
"""Days since 1970-01-01."""


def day_number(at: int, begins: int = 0) -> DayNumber:
    """Return the gaming day of a time; days start ``begins`` hours after midnight UTC."""
    return (at - check_hour(begins) * HOUR) // DAY


def day_name(number: DayNumber) -> str:
    """Return the date of a day, such as ``2026-01-31``."""
    return date.fromordinal(EPOCH.toordinal() + number).isoformat()


def parse_day(name: str) -> DayNumber:
    """Parse a date as a day number."""
    try:
        parsed = date.fromisoformat(name)
    except ValueError:
        raise BadInputError(f"'{name}' is not a date; write it like 2026-01-31.") from None
    return parsed.toordinal() - EPOCH.toordinal()


def day_start(number: DayNumber, begins: int = 0) -> int:
    """Return the time at which a day starts; it ends when the next one starts."""
    return number * DAY + check_hour(begins) * HOUR


def parse_time(text: str) -> int:
    """Parse a date or a date with a time; the default zone is UTC."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError(
            f"'{text}' is not a time; write it like 2026-01-31 or 2026-01-31T18:30."
        ) from None
    aware = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)
    since = aware - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000 + since.microseconds // 1_000


def check_hour(begins: int) -> int:
    """Return the hour at which days start; refuse one outside 0 to 23."""
    if not 0 <= begins < 24:
        raise BadInputError(f"A gaming day starts at an hour from 0 to 23, not at {begins}.")
    return begins

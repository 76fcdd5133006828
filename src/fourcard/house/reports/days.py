"""Gaming days: each begins at midnight UTC, or so many hours later, and is called by that date."""

from datetime import UTC, date, datetime

from fourcard.errors import BadInputError
from fourcard.house.reports.showing import EPOCH

HOUR = 3_600_000
DAY = 24 * HOUR
Number = int
"""A day counted from the first of 1970."""


def day_number(at: int, begins: int = 0) -> Number:
    """Return the gaming day of a moment, where days begin so many hours after midnight UTC."""
    return (at - checked_hour(begins) * HOUR) // DAY


def day_name(number: Number) -> str:
    """Return the date of a day: ``2026-01-31``."""
    return date.fromordinal(EPOCH.toordinal() + number).isoformat()


def numbered(name: str) -> Number:
    """Return the day that a date names."""
    try:
        found = date.fromisoformat(name)
    except ValueError:
        raise BadInputError(f"'{name}' is no day; write it like 2026-01-31.") from None
    return found.toordinal() - EPOCH.toordinal()


def beginning(number: Number, begins: int = 0) -> int:
    """Return the moment at which a day begins; it ends when the next one does."""
    return number * DAY + checked_hour(begins) * HOUR


def moment_named(text: str) -> int:
    """Return the moment that a date, or a date with a time, names; in UTC unless it says another zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"'{text}' is no moment; write it like 2026-01-31 or 2026-01-31T18:30.") from None
    aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    since = aware - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000 + since.microseconds // 1_000


def checked_hour(begins: int) -> int:
    """Return the hour at which days begin, or refuse one that no clock shows."""
    if not 0 <= begins < 24:
        raise BadInputError(f"A day begins at an hour from 0 to 23, not at {begins}.")
    return begins

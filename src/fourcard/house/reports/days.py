"""Gaming days: a day starts at midnight UTC or some hours later, and is named by that date."""

from datetime import UTC, date, datetime

from fourcard.errors import BadInputError
from fourcard.house.reports.showing import EPOCH

HOUR = 3_600_000
DAY = 24 * HOUR
Number = int
"""Days since 1970-01-01."""


def day_number(at: int, begins: int = 0) -> Number:
    """Return the gaming day of a time; days start ``begins`` hours after midnight UTC."""
    return (at - checked_hour(begins) * HOUR) // DAY


def day_name(number: Number) -> str:
    """Return the date of a day, such as ``2026-01-31``."""
    return date.fromordinal(EPOCH.toordinal() + number).isoformat()


def numbered(name: str) -> Number:
    """Parse a date as a day number."""
    try:
        parsed = date.fromisoformat(name)
    except ValueError:
        raise BadInputError(f"'{name}' is not a date; write it like 2026-01-31.") from None
    return parsed.toordinal() - EPOCH.toordinal()


def beginning(number: Number, begins: int = 0) -> int:
    """Return the time at which a day starts; it ends when the next one starts."""
    return number * DAY + checked_hour(begins) * HOUR


def moment_named(text: str) -> int:
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


def checked_hour(begins: int) -> int:
    """Return the hour at which days start; refuse one outside 0 to 23."""
    if not 0 <= begins < 24:
        raise BadInputError(f"A gaming day starts at an hour from 0 to 23, not at {begins}.")
    return begins

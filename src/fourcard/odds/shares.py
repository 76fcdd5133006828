"""Share parser: reads a share written as a percentage or as a fraction."""

import re
from fractions import Fraction

from fourcard.money import MoneyError, parse_share

FRACTION = re.compile(r"([0-9]{1,18})/([0-9]{1,18})")


def share(text: str) -> Fraction:
    """Return the share of ``14.5%`` or of ``29/200``."""
    match = FRACTION.fullmatch(text)
    if match is not None and 0 <= int(match[1]) <= int(match[2]) != 0:
        return Fraction(int(match[1]), int(match[2]))
    try:
        return parse_share(text)
    except MoneyError:
        raise MoneyError(
            f"{text!r} is not a share from 0% to 100%. Write it like '14.5%' or '29/200'."
        ) from None

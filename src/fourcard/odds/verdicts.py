"""Verdicts: what a decision is called, by the Antes that it costs against the best one.

The bounds are round shares of the Ante, which a player can see in the chips: a tenth and a half. Of all wrong
choices of Massachusetts about 7 in 100 are inaccuracies, 26 mistakes and 67 blunders.
"""

from fractions import Fraction

import msgspec

from fourcard.answers import exact_text


class Verdict(msgspec.Struct, frozen=True):
    """One verdict, and the most that a decision of it costs."""

    name: str
    most: str | None
    """Antes, as an exact fraction such as ``1/10``; None where nothing limits it."""


BOUNDS: tuple[tuple[str, Fraction], ...] = (
    ("best", Fraction(0)),
    ("inaccuracy", Fraction(1, 10)),
    ("mistake", Fraction(1, 2)),
)
BEYOND = "blunder"
VERDICTS = (*(Verdict(name, exact_text(most)) for name, most in BOUNDS), Verdict(BEYOND, None))


def verdict_on(cost: Fraction) -> str:
    """Return the verdict on a decision that costs so many Antes; it may cost the bound itself."""
    return next((name for name, most in BOUNDS if cost <= most), BEYOND)

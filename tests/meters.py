"""Meters as their tests write them: in cents and units, with the kinds of award that there are."""

from fourcard.meter import Meter
from fourcard.money import Odds

CENT = 10_000
"""The units of one cent, written out here a second time."""
WHOLE, TENTH, FOUR_OF_A_KIND = Odds("100% of meter"), Odds("10% of meter"), Odds("300 for 1")


def cents(amount: int, units: int = 0, undone: tuple[int, ...] = (), **more: int) -> Meter:
    """Return a meter of so many cents, and units on top of them."""
    return Meter(amount=amount * CENT + units, undone=undone, **more)

"""Distributions: outcomes of a wager with exact counts, and the edge, frequency and variance they give."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.answers import InWords


class WagerOutcome(msgspec.Struct, frozen=True):
    """One possible outcome of a wager."""

    hand: InWords
    """The paytable row that is won, or a name for losing."""
    count: int
    of: int
    pays: str | None
    """What the row pays, as printed; None if the stake is lost."""
    net: Fraction
    """The player's gain or loss per unit staked."""
    decision: str | UnsetType = UNSET
    """The player's decision, in the base game."""
    result: str | UnsetType = UNSET
    """Its result against the dealer."""
    bonus: str | UnsetType = UNSET
    """What the Automatic Bonus pays for the hand."""
    beaten: str | UnsetType = UNSET
    """Whose hand is beaten, for the Bad Beat Bonus."""

    @property
    def probability(self) -> Fraction:
        """Return the probability of this outcome."""
        return Fraction(self.count, self.of)

    @property
    def contribution(self) -> Fraction:
        """Return what it adds to the player's expected gain per unit staked."""
        return self.probability * self.net


class Distribution(msgspec.Struct, frozen=True):
    """All outcomes of a wager of one unit."""

    outcomes: Sequence[WagerOutcome]

    def __post_init__(self) -> None:
        """Check that the probabilities add up to one."""
        assert sum(each.probability for each in self.outcomes) == 1, "probabilities must add up to one"

    @property
    def mean(self) -> Fraction:
        """Return the player's expected gain per unit staked."""
        return sum((each.contribution for each in self.outcomes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """Return the house's expected gain per unit staked."""
        return -self.mean

    @property
    def hit_frequency(self) -> Fraction:
        """Return how often a row of the table is paid."""
        return sum((each.probability for each in self.outcomes if each.pays is not None), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Return the variance of the gain per unit staked."""
        square = sum((each.contribution * each.net for each in self.outcomes), Fraction(0))
        return square - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """Return the square root of the variance, as a float."""
        return sqrt(self.variance)

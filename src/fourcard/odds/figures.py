"""What the odds answer: exact figures, outcomes with their counts, and everything that follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True)
class Outcome:
    """One thing that can happen to a wager."""

    hand: str
    """The row of the table that is won, or what loses."""
    count: int
    of: int
    pays: str | None
    """What the row pays, as printed; None where the stake is lost."""
    net: Fraction
    """What the player gains or loses on each unit staked."""
    detail: Mapping[str, str] = field(default_factory=dict)
    """What else tells outcomes apart, such as the decision taken."""

    @property
    def probability(self) -> Fraction:
        """Return how likely it is."""
        return Fraction(self.count, self.of)

    @property
    def contribution(self) -> Fraction:
        """Return what it adds to the player's expected gain on a unit staked."""
        return self.probability * self.net

    def answer(self) -> dict[str, object]:
        """Return the outcome as scripts read it."""
        return {
            "hand": self.hand,
            **self.detail,
            "count": self.count,
            "of": self.of,
            "pays": self.pays,
            "net": exact(self.net),
        }


@dataclass(frozen=True)
class Distribution:
    """All outcomes of a wager of one unit."""

    outcomes: Sequence[Outcome]

    def __post_init__(self) -> None:
        """Make sure that something always happens, and only one thing."""
        assert sum(each.probability for each in self.outcomes) == 1, "probabilities must add up to one"

    @property
    def mean(self) -> Fraction:
        """Return the player's expected gain on a unit staked."""
        return sum((each.contribution for each in self.outcomes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """Return what the house expects to keep of a unit staked."""
        return -self.mean

    @property
    def hit_frequency(self) -> Fraction:
        """Return how often a row of the table is paid."""
        return sum((each.probability for each in self.outcomes if each.pays is not None), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Return the variance of the gain on a unit staked."""
        square = sum((each.contribution * each.net for each in self.outcomes), Fraction(0))
        return square - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """Return the square root of the variance, which is seldom a fraction."""
        return sqrt(self.variance)


def exact(value: Fraction) -> dict[str, object]:
    """Return an exact figure as scripts read it: the fraction, and its value as near as a float comes."""
    return {"fraction": f"{value.numerator}/{value.denominator}", "value": float(value)}

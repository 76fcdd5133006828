"""Volatility: volatility index, confidence bands of the actual return, and when they are reliable."""

from collections import defaultdict
from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.odds.figures import Distribution, Outcome, exact

Z90, Z95 = 1.645, 1.96
ROUNDS = tuple(10**power for power in range(3, 8))
MATERIAL = Fraction(1, 100)
"""The share of the variance from which an award is material."""
FEW_HITS = 10
"""With fewer expected hits of the rarest material award a normal band is not reliable."""


class Award(msgspec.Struct, frozen=True):
    """One amount that can be won, and the hands that win it."""

    hands: tuple[str, ...]
    net: Fraction
    probability: Fraction

    def answer(self) -> dict[str, object]:
        """Return the award as JSON data."""
        return {"hands": list(self.hands), "net": exact(self.net), "probability": exact(self.probability)}


class Band(msgspec.Struct, frozen=True):
    """The confidence band of the actual return after a number of rounds, at 90% and 95%."""

    rounds: int
    low90: float
    high90: float
    low95: float
    high95: float
    expected_hits: float | None
    """The expected hits of the rarest material award; None where there is no such award."""
    meter_moved: bool = False
    """Whether a jackpot is expected by then, so that the meter will have moved."""

    @property
    def reliable(self) -> bool:
        """Return whether the rarest material award is frequent enough and the meter has not moved."""
        return not self.meter_moved and (self.expected_hits is None or self.expected_hits >= FEW_HITS)

    def answer(self) -> dict[str, object]:
        """Return the band as JSON data."""
        return {
            "rounds": self.rounds,
            "90%": {"low": self.low90, "high": self.high90},
            "95%": {"low": self.low95, "high": self.high95},
            "expected_hits": self.expected_hits,
            "meter_moved": self.meter_moved,
            "reliable": self.reliable,
        }


def volatility_index(standard_deviation: float) -> float:
    """Return the volatility index: the standard deviation times the normal quantile of 90%."""
    return Z90 * standard_deviation


def rarest_material(found: Distribution) -> Award | None:
    """Return the rarest award that makes up at least 1% of the variance."""
    mean, variance = found.mean, found.variance
    by_net: dict[Fraction, list[Outcome]] = defaultdict(list)
    for each in found.outcomes:
        if each.net > 0 and each.count:
            by_net[each.net].append(each)
    awards = [
        Award(
            tuple(dict.fromkeys(each.hand for each in same)),
            net,
            sum((e.probability for e in same), Fraction(0)),
        )
        for net, same in by_net.items()
    ]
    material = [each for each in awards if each.probability * (each.net - mean) ** 2 >= MATERIAL * variance]
    return min(material, key=lambda each: each.probability, default=None)


def bands(
    mean_return: Fraction, standard_deviation: float, rarest: Award | None, least: Fraction
) -> tuple[Band, ...]:
    """Return the bands of the actual return of a unit, never below the least possible return."""
    return tuple(_band(rounds, mean_return, standard_deviation, rarest, least) for rounds in ROUNDS)


def band_at(
    rounds: float, mean_return: Fraction, deviation: float, z: float, least: Fraction
) -> tuple[float, float]:
    """Return the low and high end of one band after a number of rounds."""
    half = z * deviation / sqrt(rounds)
    return max(float(least), float(mean_return) - half), float(mean_return) + half


def _band(rounds: int, mean: Fraction, deviation: float, rarest: Award | None, least: Fraction) -> Band:
    low90, high90 = band_at(rounds, mean, deviation, Z90, least)
    low95, high95 = band_at(rounds, mean, deviation, Z95, least)
    hits = None if rarest is None else float(rounds * rarest.probability)
    return Band(rounds, low90, high90, low95, high95, hits)

"""Jackpot edges: the house edge of one progressive stake by meter, by other players, and in the long run."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.money import OddsKind
from fourcard.odds.figures import exact
from fourcard.odds.par.measures import volatility_index
from fourcard.odds.progressive import Progressive
from fourcard.rules.nodes import Paytable

ALONE = 0
PAST = Fraction(5, 4)
"""How far beyond the break-even a chart goes."""
AVERAGE_WON = "average when won"


class AtMeter(msgspec.Struct, frozen=True):
    """The house edge at a meter amount, alone and at a full table."""

    name: str
    meter: Fraction
    alone: Fraction
    full: Fraction

    def answer(self) -> dict[str, object]:
        """Return the point as JSON data."""
        return {
            "name": self.name,
            "meter": exact(self.meter),
            "house_edge_alone": exact(self.alone),
            "house_edge_full_table": exact(self.full),
        }


class ByOthers(msgspec.Struct, frozen=True):
    """The progressive with a number of other players, each of whose hands may pay Envy."""

    others: int
    house_edge: Fraction
    standard_deviation: float
    break_even: Fraction | None
    long_run: Fraction | None

    @property
    def volatility_index(self) -> float:
        """Return the volatility index of one round."""
        return volatility_index(self.standard_deviation)

    def answer(self) -> dict[str, object]:
        """Return the case as JSON data."""
        return {
            "others": self.others,
            "house_edge": exact(self.house_edge),
            "standard_deviation": self.standard_deviation,
            "volatility_index": self.volatility_index,
            "break_even_meter": None if self.break_even is None else exact(self.break_even),
            "long_run_house_edge": None if self.long_run is None else exact(self.long_run),
        }


class Link(msgspec.Struct, frozen=True):
    """One progressive stake at one table: the inputs of its odds."""

    table: Paytable
    envy: Paytable | None
    stake: int
    most_others: int
    rate: Fraction | None
    """The share of each wager for meter and reserve; None where fixed awards come out of the meter too."""
    seed: int
    reset: int

    def at(self, meter: int, others: int) -> Progressive:
        """Return the odds at a meter in cents with a number of other players."""
        return Progressive(self.table, self.envy, self.stake, meter, others)

    def edge(self, meter: Fraction, others: int) -> Fraction:
        """Return the house edge at any fraction of a cent in the meter; it is linear in the meter."""
        low, high = (self.at(cents, others).house_edge for cents in (0, 1))
        return low + (high - low) * meter

    def point(self, name: str, meter: Fraction) -> AtMeter:
        """Return the named edges at a meter."""
        return AtMeter(name, meter, self.edge(meter, ALONE), self.edge(meter, self.most_others))

    def with_others(self, others: int) -> ByOthers:
        """Return the figures with a number of other players, the meter at its reset."""
        found = self.at(self.reset, others)
        long_run = None if self.rate is None else found.long_run(self.rate, self.reset)
        return ByOthers(others, found.house_edge, sqrt(found.variance), found.break_even_meter, long_run)

    @property
    def by_others(self) -> tuple[ByOthers, ...]:
        """Return the figures for each number of other players that the table has room for."""
        return tuple(self.with_others(others) for others in range(self.most_others + 1))

    @property
    def average_top_award(self) -> Fraction | None:
        """Return the average meter when it is won; None where other awards come out of it too."""
        top = self.at(self.reset, ALONE).top
        shares = [odds for odds in self.table.pays.values() if odds.kind is OddsKind.METER]
        if top is None or self.rate is None or len(shares) > 1:
            return None
        return self.reset + self.rate * self.stake / top.probability

    @property
    def meters(self) -> tuple[AtMeter, ...]:
        """Return the named meter amounts, each once."""
        named: dict[Fraction, str] = {}
        for name, meter in self._named():
            if meter is not None and meter >= 0:
                named.setdefault(meter, name)
        return tuple(self.point(name, meter) for meter, name in named.items())

    def _named(self) -> Iterator[tuple[str, Fraction | None]]:
        yield "seed" if self.seed != self.reset else "seed and reset", Fraction(self.seed)
        yield "reset", Fraction(self.reset)
        yield AVERAGE_WON, self.average_top_award
        if self.most_others:
            full = self.at(self.reset, self.most_others)
            yield f"break-even with {self.most_others} others", full.break_even_meter
        yield "break-even alone", self.at(self.reset, ALONE).break_even_meter

    @property
    def line(self) -> tuple[AtMeter, ...]:
        """Return the ends of the line from an empty meter to beyond the break-even; empty without one."""
        alone = self.at(self.reset, ALONE).break_even_meter
        if alone is None or alone <= 0:
            return ()
        most = max(alone, Fraction(self.reset), self.average_top_award or Fraction(0)) * PAST
        return self.point("", Fraction(0)), self.point("", most)

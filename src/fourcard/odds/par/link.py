"""One stake of a progressive: its house edge by meter, by other players, and over many jackpots."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from fourcard.money import OddsKind
from fourcard.odds.figures import exact
from fourcard.odds.par.measures import volatility_index
from fourcard.odds.progressive import Progressive
from fourcard.rules.nodes import Paytable

ALONE = 0
PAST = Fraction(5, 4)
"""How far past the break-even a chart goes."""
AVERAGE_WON = "average when won"


@dataclass(frozen=True)
class AtMeter:
    """The house edge with the meter at an amount, nobody else playing and with everybody."""

    name: str
    meter: Fraction
    alone: Fraction
    full: Fraction

    def answer(self) -> dict[str, object]:
        """Return the point as scripts read it."""
        return {
            "name": self.name,
            "meter": exact(self.meter),
            "house_edge_alone": exact(self.alone),
            "house_edge_full_table": exact(self.full),
        }


@dataclass(frozen=True)
class ByOthers:
    """The progressive with so many other players, each of whose hands may bring Envy."""

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
        """Return the case as scripts read it."""
        return {
            "others": self.others,
            "house_edge": exact(self.house_edge),
            "standard_deviation": self.standard_deviation,
            "volatility_index": self.volatility_index,
            "break_even_meter": None if self.break_even is None else exact(self.break_even),
            "long_run_house_edge": None if self.long_run is None else exact(self.long_run),
        }


@dataclass(frozen=True)
class Link:
    """One stake at one table: what the odds of the progressive are asked with."""

    table: Paytable
    envy: Paytable | None
    stake: int
    most_others: int
    rate: Fraction | None
    """What meter and reserve take of each wager; None where fixed awards come out of the meter too."""
    seed: int
    reset: int

    def at(self, meter: int, others: int) -> Progressive:
        """Return the wager with the meter at so many cents and so many other players."""
        return Progressive(self.table, self.envy, self.stake, meter, others)

    def edge(self, meter: Fraction, others: int) -> Fraction:
        """Return the house edge at a meter of any fraction of a cent: it falls in a straight line."""
        low, high = (self.at(cents, others).house_edge for cents in (0, 1))
        return low + (high - low) * meter

    def point(self, name: str, meter: Fraction) -> AtMeter:
        """Return the edges at a meter."""
        return AtMeter(name, meter, self.edge(meter, ALONE), self.edge(meter, self.most_others))

    def with_others(self, others: int) -> ByOthers:
        """Return the wager with so many other players, the meter at its reset."""
        found = self.at(self.reset, others)
        long_run = None if self.rate is None else found.long_run(self.rate, self.reset)
        return ByOthers(others, found.house_edge, sqrt(found.variance), found.break_even_meter, long_run)

    @property
    def by_others(self) -> tuple[ByOthers, ...]:
        """Return the wager alone, and with each number of others that the table has room for."""
        return tuple(self.with_others(others) for others in range(self.most_others + 1))

    @property
    def average_top_award(self) -> Fraction | None:
        """Return what the whole meter is on average when it is won, where nothing else comes out of it."""
        top = self.at(self.reset, ALONE).top
        shares = [odds for odds in self.table.pays.values() if odds.kind is OddsKind.METER]
        if top is None or self.rate is None or len(shares) > 1:
            return None
        return self.reset + self.rate * self.stake / top.probability

    @property
    def meters(self) -> tuple[AtMeter, ...]:
        """Return the meters that matter, each once."""
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
        """Return the ends of the line from an empty meter to past the break-even; none without one."""
        alone = self.at(self.reset, ALONE).break_even_meter
        if alone is None or alone <= 0:
            return ()
        most = max(alone, Fraction(self.reset), self.average_top_award or Fraction(0)) * PAST
        return self.point("", Fraction(0)), self.point("", most)

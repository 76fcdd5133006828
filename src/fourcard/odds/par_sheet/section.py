"""PAR section: the tables, measures, confidence bands and comparisons of one wager."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Literal

import msgspec

from fourcard.odds.distribution import Distribution, WagerOutcome, exact_json
from fourcard.odds.report import OddsReport
from fourcard.rules.cited import WagerName
from fourcard.rules.worst_case_loss import WorstLoss

Z90, Z95 = 1.645, 1.96
BAND_ROUNDS = tuple(10**power for power in range(3, 8))
MATERIAL_SHARE = Fraction(1, 100)
"""The share of the variance from which an award is material."""
MIN_RELIABLE_HITS = 10
"""With fewer expected hits of the rarest material award a normal band is not reliable."""


class MaterialAward(msgspec.Struct, frozen=True):
    """One amount that can be won, and the hands that win it."""

    hands: tuple[str, ...]
    net: Fraction
    probability: Fraction

    def answer(self) -> dict[str, object]:
        """Return the award as JSON data."""
        return {
            "hands": list(self.hands),
            "net": exact_json(self.net),
            "probability": exact_json(self.probability),
        }


class ConfidenceBand(msgspec.Struct, frozen=True):
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
        return not self.meter_moved and (
            self.expected_hits is None or self.expected_hits >= MIN_RELIABLE_HITS
        )

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


def rarest_material_award(found: Distribution) -> MaterialAward | None:
    """Return the rarest award that makes up at least 1% of the variance."""
    mean, variance = found.mean, found.variance
    by_net: dict[Fraction, list[WagerOutcome]] = defaultdict(list)
    for each in found.outcomes:
        if each.net > 0 and each.count:
            by_net[each.net].append(each)
    awards = [
        MaterialAward(
            tuple(dict.fromkeys(each.hand for each in same)),
            net,
            sum((e.probability for e in same), Fraction(0)),
        )
        for net, same in by_net.items()
    ]
    material = [
        each for each in awards if each.probability * (each.net - mean) ** 2 >= MATERIAL_SHARE * variance
    ]
    return min(material, key=lambda each: each.probability, default=None)


def confidence_bands(
    mean_return: Fraction, standard_deviation: float, rarest: MaterialAward | None, least: Fraction
) -> tuple[ConfidenceBand, ...]:
    """Return the bands of the actual return of a unit, never below the least possible return."""
    return tuple(_band(rounds, mean_return, standard_deviation, rarest, least) for rounds in BAND_ROUNDS)


def band_at(
    rounds: float, mean_return: Fraction, deviation: float, z: float, least: Fraction
) -> tuple[float, float]:
    """Return the low and high end of one band after a number of rounds."""
    half = z * deviation / sqrt(rounds)
    return max(float(least), float(mean_return) - half), float(mean_return) + half


def _band(
    rounds: int, mean: Fraction, deviation: float, rarest: MaterialAward | None, least: Fraction
) -> ConfidenceBand:
    low90, high90 = band_at(rounds, mean, deviation, Z90, least)
    low95, high95 = band_at(rounds, mean, deviation, Z95, least)
    hits = None if rarest is None else float(rounds * rarest.probability)
    return ConfidenceBand(rounds, low90, high90, low95, high95, hits)


FigureUnit = Literal["share", "chance", "cents"]


class OurFigure(msgspec.Struct, frozen=True):
    """Our figure on one basis, for a figure that a source prints."""

    basis: str
    value: Fraction
    unit: FigureUnit = "share"

    def answer(self) -> dict[str, object]:
        """Return the figure as JSON data."""
        return {"basis": self.basis, "unit": self.unit, **exact_json(self.value)}


class FigureComparison(msgspec.Struct, frozen=True):
    """A figure that a source prints, and ours beside it."""

    measure: str
    printed: str
    clause: str
    ours: tuple[OurFigure, ...]

    def answer(self) -> dict[str, object]:
        """Return both as JSON data."""
        return {
            "measure": self.measure,
            "printed": self.printed,
            "clause": self.clause,
            "counted": [each.answer() for each in self.ours],
        }


def compare_published(report: OddsReport, **ours: tuple[OurFigure, ...]) -> tuple[FigureComparison, ...]:
    """Return every printed figure with our own."""
    return tuple(
        FigureComparison(measure, figure.text, figure.clause, ours.get(measure, ()))
        for measure, figure in (report.published or {}).items()
    )


class WorstRound(msgspec.Struct, frozen=True):
    """An upper bound on the house's loss in one round by the wagers of a section, with a full table."""

    by_wager: Mapping[WagerName, int]
    without_maximum: tuple[WagerName, ...]

    @property
    def bound(self) -> int | None:
        """Return the cents, or None where no maximum is posted."""
        return None if self.without_maximum else sum(self.by_wager.values())

    def answer(self) -> dict[str, object]:
        """Return the bound as JSON data."""
        return {
            "bound": self.bound,
            "by_wager": dict(self.by_wager),
            "without_maximum": list(self.without_maximum),
        }


def worst_round(loss: WorstLoss, *names: WagerName) -> WorstRound:
    """Return the part of a round's worst loss that some wagers cause."""
    found = {name: loss.by_wager[name] for name in names if name in loss.by_wager}
    return WorstRound(found, tuple(name for name in loss.unbounded if name in names))


class ParRow(msgspec.Struct, frozen=True):
    """One row of a table: its frequency and its result."""

    name: str
    pays: str | None
    count: int
    of: int
    back: Fraction
    """What is handed back per unit, including a stake that is kept."""
    net: Fraction
    wagered: Fraction = Fraction(1)
    """The average total wager, of which the return is a share."""

    @property
    def probability(self) -> Fraction:
        """Return the probability of the row."""
        return Fraction(self.count, self.of)

    @property
    def to_return(self) -> Fraction:
        """Return the contribution of the row to the return."""
        return self.probability * self.back / self.wagered

    @property
    def to_edge(self) -> Fraction:
        """Return the contribution of the row to the house edge, negative for an award."""
        return -self.probability * self.net

    def answer(self) -> dict[str, object]:
        """Return the row as JSON data."""
        return {
            "row": self.name,
            "pays": self.pays,
            "count": self.count,
            "of": self.of,
            "probability": exact_json(self.probability),
            "net": exact_json(self.net),
            "comes_back": exact_json(self.back),
            "contribution_to_return": exact_json(self.to_return),
            "contribution_to_house_edge": exact_json(self.to_edge),
        }


class ParTable(msgspec.Struct, frozen=True):
    """Rows that are counted together."""

    title: str
    rows: tuple[ParRow, ...]
    clauses: tuple[str, ...]
    whole: bool = True
    """Whether exactly one row always happens; otherwise the rows add to another table."""

    @property
    def of(self) -> int:
        """Return the number of combinations."""
        return self.rows[0].of

    def answer(self) -> dict[str, object]:
        """Return the table as JSON data."""
        return {
            "title": self.title,
            "whole": self.whole,
            "of": self.of,
            "rows": [row.answer() for row in self.rows],
            "clauses": list(self.clauses),
        }


class ParSection(msgspec.Struct, frozen=True):
    """The section of one wager, at one stake where the stake matters."""

    title: str
    report: OddsReport
    limits: str
    tables: tuple[ParTable, ...]
    worst: WorstRound
    unit: str = "stake"
    """The unit of edge, deviation and bands."""
    stake: int | None = None
    average_wager: Fraction = Fraction(1)
    published: tuple[FigureComparison, ...] = ()
    details: Mapping[str, object] = msgspec.field(default_factory=dict)
    """Further JSON data that only this wager has."""

    @property
    def house_edge(self) -> Fraction:
        """Return the house edge per unit."""
        return self.report.house_edge

    @property
    def element_of_risk(self) -> Fraction:
        """Return the house edge per amount wagered."""
        return self.house_edge / self.average_wager

    @property
    def returned(self) -> Fraction:
        """Return the return: the share of all wagers that comes back."""
        return 1 - self.element_of_risk

    @property
    def standard_deviation(self) -> float:
        """Return the standard deviation of one round, in units."""
        return sqrt(self.report.variance)

    @property
    def volatility_index(self) -> float:
        """Return the volatility index of one round."""
        return volatility_index(self.standard_deviation)

    @property
    def rarest(self) -> MaterialAward | None:
        """Return the award that decides from when the bands are reliable."""
        return rarest_material_award(self.report.distribution)

    @property
    def bands(self) -> tuple[ConfidenceBand, ...]:
        """Return the confidence bands of the actual return of a unit."""
        return confidence_bands(
            1 - self.house_edge, self.standard_deviation, self.rarest, self.minimum_return
        )

    @property
    def band_note(self) -> str:
        """Return how to read the bands where more than the unit is wagered; otherwise empty."""
        if self.average_wager == 1:
            return ""
        return (
            f"Around 100% less the house edge of one {self.unit}; the return of {float(self.returned):.2%} "
            "is of all that is wagered."
        )

    @property
    def minimum_return(self) -> Fraction:
        """Return the least possible return of a unit."""
        return 1 + min(each.net for each in self.report.outcomes)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return every clause that the section is based on or compared with."""
        tables = (clause for table in self.tables for clause in table.clauses)
        return tuple(
            dict.fromkeys((*self.report.clauses, *tables, *(each.clause for each in self.published)))
        )

    def answer(self) -> dict[str, object]:
        """Return the section as JSON data."""
        return {
            "wager": self.report.wager,
            "title": self.title,
            "paytable": self.report.paytable,
            "limits": self.limits,
            "stake": self.stake,
            "unit": self.unit,
            "house_edge": exact_json(self.house_edge),
            "average_wager": exact_json(self.average_wager),
            "element_of_risk": exact_json(self.element_of_risk),
            "return": exact_json(self.returned),
            "hit_frequency": exact_json(self.report.hit_frequency),
            "variance": exact_json(self.report.variance),
            "standard_deviation": self.standard_deviation,
            "volatility_index": self.volatility_index,
            "tables": [table.answer() for table in self.tables],
            "confidence": {
                "rarest_material_award": None if self.rarest is None else self.rarest.answer(),
                "bands": [band.answer() for band in self.bands],
            },
            "worst_round": self.worst.answer(),
            **self.details,
            "published": [each.answer() for each in self.published],
            "outcomes": [each.answer() for each in self.report.outcomes],
            "assumptions": list(self.report.assumptions),
            "clauses": list(self.clauses),
        }

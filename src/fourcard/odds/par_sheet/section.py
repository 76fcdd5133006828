"""PAR section: the tables, measures, confidence bands and comparisons of one wager."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from fourcard.answers import exact_text
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.published_figures import BasisFigure
from fourcard.odds.report import OddsReport
from fourcard.rules.worst_case_loss import WorstLoss
from fourcard.wagers import WagerName

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


class Interval(msgspec.Struct, frozen=True):
    """The ends of a confidence band."""

    low: float
    high: float


class ConfidenceBand(msgspec.Struct, frozen=True, rename={"at90": "90%", "at95": "95%"}):
    """The confidence band of the actual return after a number of rounds, at 90% and 95%."""

    rounds: int
    at90: Interval
    at95: Interval
    expected_hits: float | None
    """The expected hits of the rarest material award; None where there is no such award."""
    meter_moved: bool
    """Whether a jackpot is expected by then, so that the meter will have moved."""
    reliable: bool
    """Whether the rarest material award is frequent enough and the meter has not moved."""


class Confidence(msgspec.Struct, frozen=True):
    """The bands of the actual return, and the award that decides from when they are reliable."""

    rarest_material_award: MaterialAward | None
    bands: tuple[ConfidenceBand, ...]


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


def confidence(
    mean_return: Fraction,
    standard_deviation: float,
    rarest: MaterialAward | None,
    least: Fraction,
    jackpot: Fraction = Fraction(0),
) -> Confidence:
    """Return the bands of the actual return of a unit, never below the least possible return.

    ``jackpot`` is the probability of winning a share of the meter, which moves it.
    """
    bands = []
    for rounds in BAND_ROUNDS:
        at90, at95 = (
            Interval(*band_at(rounds, mean_return, standard_deviation, z, least)) for z in (Z90, Z95)
        )
        hits = None if rarest is None else float(rounds * rarest.probability)
        moved = rounds * jackpot >= 1
        reliable = not moved and (hits is None or hits >= MIN_RELIABLE_HITS)
        bands.append(ConfidenceBand(rounds, at90, at95, hits, moved, reliable))
    return Confidence(rarest, tuple(bands))


def band_at(
    rounds: float, mean_return: Fraction, deviation: float, z: float, least: Fraction
) -> tuple[float, float]:
    """Return the low and high end of one band after a number of rounds."""
    half = z * deviation / sqrt(rounds)
    return max(float(least), float(mean_return) - half), float(mean_return) + half


FigureUnit = Literal["share", "chance", "cents"]


class OurFigure(BasisFigure, frozen=True):
    """Our figure on one basis, for a figure that a source prints."""

    unit: FigureUnit


def our_figure(basis: str, value: Fraction, unit: FigureUnit = "share") -> OurFigure:
    """Return an exact figure on one basis."""
    return OurFigure(basis, exact_text(value), float(value), unit)


class FigureComparison(msgspec.Struct, frozen=True):
    """A figure that a source prints, and ours beside it."""

    measure: str
    printed: str
    clause: str
    counted: tuple[OurFigure, ...]


def compare_published(report: OddsReport, **ours: tuple[OurFigure, ...]) -> tuple[FigureComparison, ...]:
    """Return every printed figure with our own."""
    return tuple(
        FigureComparison(measure, figure.printed, figure.clause, ours.get(measure, ()))
        for measure, figure in (report.published or {}).items()
    )


class WorstRound(msgspec.Struct, frozen=True):
    """An upper bound on the house's loss in one round by the wagers of a section, with a full table."""

    bound: int | None
    """In cents; None where no maximum is posted."""
    by_wager: dict[WagerName, int]
    without_maximum: tuple[WagerName, ...]


def worst_round(loss: WorstLoss, *names: WagerName) -> WorstRound:
    """Return the part of a round's worst loss that some wagers cause."""
    found = {name: loss.by_wager[name] for name in names if name in loss.by_wager}
    unbounded = tuple(name for name in loss.without_maximum if name in names)
    return WorstRound(None if unbounded else sum(found.values()), found, unbounded)


class ParRow(msgspec.Struct, frozen=True):
    """One row of a table: its frequency and its result."""

    row: str
    pays: str | None
    count: int
    of: int
    probability: Fraction
    net: Fraction
    comes_back: Fraction
    """What is handed back per unit, including a stake that is kept."""
    contribution_to_return: Fraction
    contribution_to_house_edge: Fraction
    """Negative for an award."""


def par_row(
    name: str,
    pays: str | None,
    count: int,
    of: int,
    back: Fraction,
    net: Fraction,
    wagered: Fraction = Fraction(1),
) -> ParRow:
    """Return a counted row; its return is a share of the average total wager."""
    chance = Fraction(count, of)
    return ParRow(name, pays, count, of, chance, net, back, chance * back / wagered, -chance * net)


class ParTable(msgspec.Struct, frozen=True):
    """Rows that are counted together."""

    title: str
    whole: bool
    """Whether exactly one row always happens; otherwise the rows add to another table."""
    of: int
    """The number of combinations."""
    rows: tuple[ParRow, ...]
    clauses: tuple[str, ...]


def par_table(
    title: str, rows: Iterable[ParRow], clauses: tuple[str, ...], *, whole: bool = True
) -> ParTable:
    """Return rows as a table."""
    listed = tuple(rows)
    return ParTable(title, whole, listed[0].of, listed, clauses)


class ParSection(msgspec.Struct, frozen=True, kw_only=True, rename={"returned": "return"}):
    """The section of one wager, at one stake where the stake matters."""

    wager: WagerName
    title: str
    paytable: str
    limits: str
    stake: int | None
    unit: str
    """The unit of edge, deviation and bands."""
    house_edge: Fraction
    """Per unit."""
    average_wager: Fraction
    element_of_risk: Fraction
    """The house edge per amount wagered."""
    returned: Fraction
    """The share of all wagers that comes back."""
    hit_frequency: Fraction
    variance: Fraction
    standard_deviation: float
    volatility_index: float
    tables: tuple[ParTable, ...]
    confidence: Confidence
    worst_round: WorstRound
    decisions: dict[str, Fraction] | UnsetType = UNSET
    results: dict[str, Fraction] | UnsetType = UNSET
    bonus_hit_frequency: Fraction | UnsetType = UNSET
    bonus_value: Fraction | UnsetType = UNSET
    published: tuple[FigureComparison, ...]
    outcomes: tuple[WagerOutcome, ...]
    assumptions: tuple[str, ...]
    clauses: tuple[str, ...]
    """Every clause that the section is based on or compared with."""

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
        return minimum_return(self.outcomes)


def minimum_return(outcomes: Iterable[WagerOutcome]) -> Fraction:
    """Return the least that comes back of a unit."""
    return 1 + min(each.net for each in outcomes)


def section_figures(
    report: OddsReport,
    tables: tuple[ParTable, ...],
    published: tuple[FigureComparison, ...],
    *,
    average_wager: Fraction = Fraction(1),
    jackpot: Fraction = Fraction(0),
) -> dict[str, Any]:
    """Return the fields of a section that follow from a report and its tables."""
    edge, deviation = report.house_edge, report.standard_deviation
    rarest = rarest_material_award(report.distribution)
    cited = (*report.clauses, *(clause for table in tables for clause in table.clauses))
    return {
        "wager": report.wager,
        "paytable": report.paytable,
        "house_edge": edge,
        "average_wager": average_wager,
        "element_of_risk": edge / average_wager,
        "returned": 1 - edge / average_wager,
        "hit_frequency": report.hit_frequency,
        "variance": report.variance,
        "standard_deviation": deviation,
        "volatility_index": volatility_index(deviation),
        "tables": tables,
        "confidence": confidence(1 - edge, deviation, rarest, minimum_return(report.outcomes), jackpot),
        "decisions": report.decisions,
        "results": report.results,
        "bonus_hit_frequency": report.bonus_hit_frequency,
        "bonus_value": report.bonus_value,
        "published": published,
        "outcomes": report.outcomes,
        "assumptions": report.assumptions,
        "clauses": tuple(dict.fromkeys((*cited, *(each.clause for each in published)))),
    }

"""PAR section: the tables, measures and comparisons of one wager."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.odds.figures import exact
from fourcard.odds.par.beside import Published, Worst
from fourcard.odds.par.measures import Award, Band, bands, rarest_material, volatility_index
from fourcard.odds.report import Report


class Row(msgspec.Struct, frozen=True):
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
            "probability": exact(self.probability),
            "net": exact(self.net),
            "comes_back": exact(self.back),
            "contribution_to_return": exact(self.to_return),
            "contribution_to_house_edge": exact(self.to_edge),
        }


class Table(msgspec.Struct, frozen=True):
    """Rows that are counted together."""

    title: str
    rows: tuple[Row, ...]
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


class Section(msgspec.Struct, frozen=True):
    """The section of one wager, at one stake where the stake matters."""

    title: str
    report: Report
    limits: str
    tables: tuple[Table, ...]
    worst: Worst
    unit: str = "stake"
    """The unit of edge, deviation and bands."""
    stake: int | None = None
    average_wager: Fraction = Fraction(1)
    published: tuple[Published, ...] = ()
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
    def rarest(self) -> Award | None:
        """Return the award that decides from when the bands are reliable."""
        return rarest_material(self.report.distribution)

    @property
    def bands(self) -> tuple[Band, ...]:
        """Return the confidence bands of the actual return of a unit."""
        return bands(1 - self.house_edge, self.standard_deviation, self.rarest, self.least_return)

    @property
    def reliance(self) -> str:
        """Return how to read the bands where more than the unit is wagered; otherwise empty."""
        if self.average_wager == 1:
            return ""
        return (
            f"Around 100% less the house edge of one {self.unit}; the return of {float(self.returned):.2%} "
            "is of all that is wagered."
        )

    @property
    def least_return(self) -> Fraction:
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
            "house_edge": exact(self.house_edge),
            "average_wager": exact(self.average_wager),
            "element_of_risk": exact(self.element_of_risk),
            "return": exact(self.returned),
            "hit_frequency": exact(self.report.hit_frequency),
            "variance": exact(self.report.variance),
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

"""What a course of the meter showed, beside what is exactly expected of it."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import fmean

from fourcard.meter import UNITS_PER_CENT
from fourcard.odds.figures import exact
from fourcard.odds.meter_cycle import is_whole
from fourcard.odds.meter_year.course import Course
from fourcard.odds.meter_year.spread import average_error
from fourcard.odds.meter_year.start import average_from
from fourcard.odds.progressive import hit_covariance
from fourcard.wagers.wager import odds_by_row


@dataclass(frozen=True)
class Count:
    """How often something happened, beside how often it was to be expected."""

    count: int
    expected: Fraction
    standard_error: float

    @property
    def z(self) -> float | None:
        """Return by how many standard errors the count is off; None where nothing else was possible."""
        off = float(self.count - self.expected)
        return off / self.standard_error if self.standard_error else None

    def answer(self) -> dict[str, object]:
        """Return the count as scripts read it."""
        return {
            "count": self.count,
            "expected": exact(self.expected),
            "standard_error": self.standard_error,
            "z": self.z,
        }


@dataclass(frozen=True)
class AverageWin:
    """The cents of the whole meter when it was won, on average, beside what was to be expected."""

    average: float | None
    standard_error: float | None
    """Of the average of so many wagers, as chance has it."""
    long_run: Fraction | None
    """Over many wins, as ``fourcard odds progressive`` has it."""
    this_long: float | None
    """Over so many wagers from this start."""

    @property
    def z(self) -> float | None:
        """Return by how many standard errors the average is off what so many wagers lead to."""
        if self.average is None or self.this_long is None or not self.standard_error:
            return None
        return (self.average - self.this_long) / self.standard_error

    def answer(self) -> dict[str, object]:
        """Return the average as scripts read it."""
        return {
            "average": self.average,
            "standard_error": self.standard_error,
            "expected": self.this_long,
            "expected_in_the_long_run": None if self.long_run is None else exact(self.long_run),
            "z": self.z,
        }


@dataclass(frozen=True)
class Measured:
    """A course of the meter and all that it is held against."""

    course: Course

    @cached_property
    def hits(self) -> dict[str, Count]:
        """Return, for each row, how often it was hit."""
        return {row: self._count((row,)) for row in self.course.hits}

    @cached_property
    def wins(self) -> Count:
        """Return how often the whole meter was won."""
        pays = odds_by_row(self.course.linked.table)
        return self._count([row for row, odds in pays.items() if is_whole(odds)])

    @cached_property
    def average_win(self) -> AverageWin:
        """Return what the whole meter was when it was won."""
        course, cycle = self.course, self.course.linked.cycle
        return AverageWin(
            fmean(win.amount for win in course.wins) if course.wins else None,
            average_error(cycle, course.plan.wagers),
            cycle.average_win,
            average_from(cycle, course.linked.start, course.plan.wagers),
        )

    def _count(self, rows: Collection[str]) -> Count:
        """Return how often any of some rows was hit; hands of one deck are not independent."""
        course, seats = self.course, self.course.plan.players
        chance = sum((course.linked.cycle.chances[row] for row in rows), Fraction(0))
        together = hit_covariance(course.linked.table, rows) if seats > 1 else Fraction(0)
        a_round = seats * chance * (1 - chance) + seats * (seats - 1) * together
        return Count(
            sum(course.hits[row] for row in rows),
            chance * course.plan.wagers,
            sqrt(course.plan.rounds * a_round),
        )

    def answer(self) -> dict[str, object]:
        """Return everything as scripts read it."""
        course, linked = self.course, self.course.linked
        pays, terms = odds_by_row(linked.table), linked.terms
        return {
            **course.plan.answer(),
            "stake": linked.stake,
            "seed": course.seed,
            "seconds": course.seconds,
            "terms": {
                "rate": exact(terms.rate),
                "reserve": exact(terms.reserve),
                "seed": linked.start,
                "reset": terms.seed,
                "fixed_awards": terms.fixed_awards,
            },
            "contributions": course.contributed // UNITS_PER_CENT,
            "hits": [{"row": row, "pays": pays[row], **each.answer()} for row, each in self.hits.items()],
            "wins": self.wins.answer(),
            "average_win": self.average_win.answer(),
            "meter": {
                "highest": course.highest // UNITS_PER_CENT,
                "average": course.average_meter,
                "final": course.meter.displayed,
                "reserve": course.meter.reserve // UNITS_PER_CENT,
            },
            "paid": {
                "total": course.from_meter + course.from_tray,
                "from_meter": course.from_meter,
                "from_tray": course.from_tray,
                "shortfall": course.shortfall,
            },
            "law": self.law(),
            "won": [
                {"round": win.round, "position": win.position, "amount": win.amount} for win in course.wins
            ],
        }

    def law(self) -> dict[str, object]:
        """Return both sides of the law that nothing is lost, in units of a ten-thousandth of a cent."""
        course = self.course
        return {
            "meter": course.meter.amount,
            "reserve": course.meter.reserve,
            "paid_from_meter": course.from_meter * UNITS_PER_CENT,
            "seeds": course.seeded,
            "contributions": course.contributed,
            "holds": course.conserved,
            "units_per_cent": UNITS_PER_CENT,
        }

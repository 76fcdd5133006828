"""Jackpot results: the counts and averages of a run, compared with their exact expectations."""

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import fmean

import msgspec

from fourcard.meter import UNITS_PER_CENT
from fourcard.odds.figures import exact
from fourcard.odds.meter_cycle import is_whole
from fourcard.odds.meter_year.course import Course
from fourcard.odds.meter_year.spread import average_error
from fourcard.odds.meter_year.start import average_from
from fourcard.odds.progressive import hit_covariance
from fourcard.wagers.wager import odds_by_row


class Count(msgspec.Struct, frozen=True):
    """An observed count, compared with its expectation."""

    count: int
    expected: Fraction
    standard_error: float

    @property
    def z(self) -> float | None:
        """Return the deviation in standard errors; None if the standard error is zero."""
        off = float(self.count - self.expected)
        return off / self.standard_error if self.standard_error else None

    def answer(self) -> dict[str, object]:
        """Return the count as JSON data."""
        return {
            "count": self.count,
            "expected": exact(self.expected),
            "standard_error": self.standard_error,
            "z": self.z,
        }


class AverageWin(msgspec.Struct, frozen=True):
    """The average meter in cents when it was won, compared with its expectation."""

    average: float | None
    standard_error: float | None
    """The standard error of the average over this number of wagers."""
    long_run: Fraction | None
    """The expectation over many wins, as ``fourcard odds progressive`` reports it."""
    this_long: float | None
    """The expectation over this number of wagers from this start."""

    @property
    def z(self) -> float | None:
        """Return the deviation from the expectation over this number of wagers, in standard errors."""
        if self.average is None or self.this_long is None or not self.standard_error:
            return None
        return (self.average - self.this_long) / self.standard_error

    def answer(self) -> dict[str, object]:
        """Return the average as JSON data."""
        return {
            "average": self.average,
            "standard_error": self.standard_error,
            "expected": self.this_long,
            "expected_in_the_long_run": None if self.long_run is None else exact(self.long_run),
            "z": self.z,
        }


class Measured(msgspec.Struct, frozen=True, dict=True):
    """The figures of a run and their exact expectations."""

    course: Course

    @cached_property
    def hits(self) -> dict[str, Count]:
        """Return, for each row, how often it was hit."""
        return {row: self._count((row,)) for row in self.course.hits}

    @cached_property
    def wins(self) -> Count:
        """Return the count of wins of the whole meter."""
        pays = odds_by_row(self.course.linked.table)
        return self._count([row for row, odds in pays.items() if is_whole(odds)])

    @cached_property
    def average_win(self) -> AverageWin:
        """Return the average meter when it was won."""
        course, cycle = self.course, self.course.linked.cycle
        return AverageWin(
            fmean(win.amount for win in course.wins) if course.wins else None,
            average_error(cycle, course.plan.wagers),
            cycle.average_win,
            average_from(cycle, course.linked.start, course.plan.wagers),
        )

    def _count(self, rows: Collection[str]) -> Count:
        """Return the count of hits of some rows; hands of one deck are not independent."""
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
        """Return all figures as JSON data."""
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
        """Return both sides of the conservation law, in units of a ten-thousandth of a cent."""
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

"""Comparisons of a PAR section: figures that the sources print, and the worst loss of a round."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from fourcard.odds.figures import exact
from fourcard.odds.report import Report
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.nodes import WagerName

Unit = Literal["share", "chance", "cents"]


class Ours(msgspec.Struct, frozen=True):
    """Our figure on one basis, for a figure that a source prints."""

    basis: str
    value: Fraction
    unit: Unit = "share"

    def answer(self) -> dict[str, object]:
        """Return the figure as JSON data."""
        return {"basis": self.basis, "unit": self.unit, **exact(self.value)}


class Published(msgspec.Struct, frozen=True):
    """A figure that a source prints, and ours beside it."""

    measure: str
    printed: str
    clause: str
    ours: tuple[Ours, ...]

    def answer(self) -> dict[str, object]:
        """Return both as JSON data."""
        return {
            "measure": self.measure,
            "printed": self.printed,
            "clause": self.clause,
            "counted": [each.answer() for each in self.ours],
        }


def published_beside(report: Report, **ours: tuple[Ours, ...]) -> tuple[Published, ...]:
    """Return every printed figure with our own."""
    return tuple(
        Published(measure, figure.text, figure.clause, ours.get(measure, ()))
        for measure, figure in (report.published or {}).items()
    )


class Worst(msgspec.Struct, frozen=True):
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


def worst_of(loss: WorstLoss, *names: WagerName) -> Worst:
    """Return the part of a round's worst loss that some wagers cause."""
    found = {name: loss.by_wager[name] for name in names if name in loss.by_wager}
    return Worst(found, tuple(name for name in loss.unbounded if name in names))

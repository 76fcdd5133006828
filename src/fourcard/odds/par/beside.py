"""What is held beside the figures of a wager: what the sources print, and what a round can cost at most."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from fourcard.odds.figures import exact
from fourcard.odds.report import Report
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.nodes import WagerName

Unit = Literal["share", "chance", "cents"]


@dataclass(frozen=True)
class Ours:
    """What we count where a source prints a figure, on one basis."""

    basis: str
    value: Fraction
    unit: Unit = "share"

    def answer(self) -> dict[str, object]:
        """Return the figure as scripts read it."""
        return {"basis": self.basis, "unit": self.unit, **exact(self.value)}


@dataclass(frozen=True)
class Published:
    """A figure that a source prints, and ours beside it."""

    measure: str
    printed: str
    clause: str
    ours: tuple[Ours, ...]

    def answer(self) -> dict[str, object]:
        """Return both as scripts read them."""
        return {
            "measure": self.measure,
            "printed": self.printed,
            "clause": self.clause,
            "counted": [each.answer() for each in self.ours],
        }


def published_beside(report: Report, **ours: tuple[Ours, ...]) -> tuple[Published, ...]:
    """Return every printed figure with what we count for it."""
    return tuple(
        Published(measure, figure.text, figure.clause, ours.get(measure, ()))
        for measure, figure in (report.published or {}).items()
    )


@dataclass(frozen=True)
class Worst:
    """What the wagers of a section cannot cost the house more than in one round, the whole table playing."""

    by_wager: Mapping[WagerName, int]
    without_maximum: tuple[WagerName, ...]

    @property
    def bound(self) -> int | None:
        """Return the cents, or None where no maximum is posted."""
        return None if self.without_maximum else sum(self.by_wager.values())

    def answer(self) -> dict[str, object]:
        """Return the bound as scripts read it."""
        return {
            "bound": self.bound,
            "by_wager": dict(self.by_wager),
            "without_maximum": list(self.without_maximum),
        }


def worst_of(loss: WorstLoss, *names: WagerName) -> Worst:
    """Return the part of a round's worst loss that some wagers make."""
    found = {name: loss.by_wager[name] for name in names if name in loss.by_wager}
    return Worst(found, tuple(name for name in loss.unbounded if name in names))

"""Table results by gaming day: inventory, drop, win and hold, in total and by wager.

The win is what a count at the end of a day finds:

    win = drop + closing + credits - opening - fills

The ledger proves it by the wagers. A tray changes only by fills, credits and count variances, by chips sold
from it, and by wagers taken and paid; a drop box only by payments for chips, and by variances. Chips with
players, in play or carried to the cage left the tray when they were bought, and are neither won nor lost. So
for every table and every day, to the cent:

    win = sum over all wagers (taken - paid + what a meter paid) + variances of tray and drop
    sum over all wagers (taken - paid) = bought - cashed - what the chips outside the tray gained

The first is what the house won, the second what the players lost: they differ by what meters paid to players
and by variances.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Literal

import msgspec

from fourcard.house.reports.showing import moment, share, share_answer
from fourcard.rules.nodes import WAGERS, WagerName

Counted = Literal["opening", "closing", "drop"]


class Count(msgspec.Struct, frozen=True):
    """A count of the tray or of a drop box, and the amount that the ledger expected."""

    at: int
    of: Counted
    cents: int
    expected: int

    @property
    def variance(self) -> int:
        """Return the counted amount less the expected one."""
        return self.cents - self.expected

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "variance": self.variance, "moment": moment(self.at)}


class WagerResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager in cents, without void rounds."""

    wager: WagerName
    handle: int = 0
    """The stakes that stood."""
    taken: int = 0
    paid: int = 0
    """What players were paid, without the stakes that they kept."""
    by_meter: int = 0
    """The part of it that a meter paid."""

    @property
    def win(self) -> int:
        """Return what the table won; negative where it lost."""
        return self.taken - self.paid + self.by_meter

    @property
    def hold(self) -> Fraction | None:
        """Return the win as a share of the handle; None for a wager without stakes of its own."""
        return share(self.win, self.handle)

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "win": self.win, "hold": share_answer(self.hold)}


class TableDay(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one gaming day, or a total of several, in cents."""

    table: str
    day: str
    rounds: int = 0
    """Rounds that were completed."""
    voids: int = 0
    opening: int = 0
    fills: int = 0
    credits: int = 0
    closing: int = 0
    drop: int = 0
    """What was paid for chips, corrected by the counts of the drop box."""
    collected: int = 0
    bought: int = 0
    cashed: int = 0
    out_before: int = 0
    """Chips with players and in play at the start of the day."""
    out_after: int = 0
    tray_variance: int = 0
    drop_variance: int = 0
    counts: tuple[Count, ...] = ()
    wagers: tuple[WagerResult, ...] = ()

    @property
    def win(self) -> int:
        """Return the win by inventory and drop."""
        return self.drop + self.closing + self.credits - self.opening - self.fills

    @property
    def hold(self) -> Fraction | None:
        """Return the win as a share of the drop."""
        return share(self.win, self.drop)

    @property
    def of_wagers(self) -> int:
        """Return the win by wagers."""
        return sum(each.win for each in self.wagers)

    @property
    def variance(self) -> int:
        """Return the variance of all counts."""
        return self.tray_variance + self.drop_variance

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        figures = {"win": self.win, "hold": share_answer(self.hold), "win_of_wagers": self.of_wagers}
        listed = {"counts": [each.answer() for each in self.counts]}
        wagers = {"wagers": [each.answer() for each in self.wagers]}
        return {**msgspec.to_builtins(self), **figures, **listed, **wagers}


ADDED = (
    "rounds", "voids", "fills", "credits", "drop", "collected", "bought", "cashed", "tray_variance",
    "drop_variance",
)  # fmt: skip
"""The figures that are summed over days and tables."""


def total(days: Sequence[TableDay]) -> TableDay:
    """Sum days of tables into one, from each table's first opening to its last closing."""
    ordered = sorted(days, key=attrgetter("day"))
    first = {each.table: each for each in reversed(ordered)}.values()
    last = {each.table: each for each in ordered}.values()
    return TableDay(
        table="",
        day="",
        **{name: sum(getattr(each, name) for each in days) for name in ADDED},
        opening=sum(each.opening for each in first),
        closing=sum(each.closing for each in last),
        out_before=sum(each.out_before for each in first),
        out_after=sum(each.out_after for each in last),
        counts=tuple(count for each in ordered for count in each.counts),
        wagers=added(wager for each in days for wager in each.wagers),
    )


def added(wagers: Iterable[WagerResult]) -> tuple[WagerResult, ...]:
    """Sum the results of each wager, in layout order."""
    sums: dict[WagerName, WagerResult] = {}
    for each in wagers:
        known = sums.get(each.wager, WagerResult(wager=each.wager))
        sums[each.wager] = WagerResult(
            wager=each.wager,
            handle=known.handle + each.handle,
            taken=known.taken + each.taken,
            paid=known.paid + each.paid,
            by_meter=known.by_meter + each.by_meter,
        )
    return tuple(sums[name] for name in WAGERS if name in sums)

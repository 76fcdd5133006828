"""Results of tables by gaming day: inventory, drop, win and hold, and every wager with its own.

The win is what a count at the end of a day finds:

    win = drop + closing + credits - opening - fills

The ledger proves it by the wagers. A tray changes only by fills, credits and variances of counts, by chips
that are bought out of it, and by what wagers bring and take; a box only by what is paid for chips, and by
variances. Chips that are with players, in play or carried to the cage left the tray when they were bought,
and are neither won nor lost. So for every table and every day, to the cent:

    win = sum over all wagers (taken - paid + what a meter paid) + variances of tray and drop
    sum over all wagers (taken - paid) = bought - cashed - what the chips outside the tray gained

The first is what the house won, the second what its players lost: they differ by what meters paid to players
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
    """A count of the tray or of a drop box, and what the books said beside it."""

    at: int
    of: Counted
    cents: int
    expected: int

    @property
    def variance(self) -> int:
        """Return what was found more than the books said, or less."""
        return self.cents - self.expected

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        return {**msgspec.to_builtins(self), "variance": self.variance, "moment": moment(self.at)}


class WagerResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one wager did, void rounds left out, in cents."""

    wager: WagerName
    handle: int = 0
    """What was staked and stood."""
    taken: int = 0
    paid: int = 0
    """What players were paid, stakes that they kept left out."""
    by_meter: int = 0
    """What of it a meter bore."""

    @property
    def win(self) -> int:
        """Return what the table won or, below zero, lost."""
        return self.taken - self.paid + self.by_meter

    @property
    def hold(self) -> Fraction | None:
        """Return the win a cent staked; a wager without stakes of its own has none."""
        return share(self.win, self.handle)

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        return {**msgspec.to_builtins(self), "win": self.win, "hold": share_answer(self.hold)}


class TableDay(msgspec.Struct, frozen=True, kw_only=True):
    """One table on one gaming day, in cents; several of them in a total."""

    table: str
    day: str
    rounds: int = 0
    """Rounds that were played to their end."""
    voids: int = 0
    opening: int = 0
    fills: int = 0
    credits: int = 0
    closing: int = 0
    drop: int = 0
    """What was paid in for chips, with what counts of the box found more or less."""
    collected: int = 0
    bought: int = 0
    cashed: int = 0
    out_before: int = 0
    """Chips with players and in play when the day began."""
    out_after: int = 0
    tray_variance: int = 0
    drop_variance: int = 0
    counts: tuple[Count, ...] = ()
    wagers: tuple[WagerResult, ...] = ()

    @property
    def win(self) -> int:
        """Return what the table won, as a count finds it."""
        return self.drop + self.closing + self.credits - self.opening - self.fills

    @property
    def hold(self) -> Fraction | None:
        """Return the win a cent of drop."""
        return share(self.win, self.drop)

    @property
    def of_wagers(self) -> int:
        """Return the win as the wagers say it."""
        return sum(each.win for each in self.wagers)

    @property
    def variance(self) -> int:
        """Return what counts found more than the books said."""
        return self.tray_variance + self.drop_variance

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        figures = {"win": self.win, "hold": share_answer(self.hold), "win_of_wagers": self.of_wagers}
        listed = {"counts": [each.answer() for each in self.counts]}
        wagers = {"wagers": [each.answer() for each in self.wagers]}
        return {**msgspec.to_builtins(self), **figures, **listed, **wagers}


ADDED = (
    "rounds", "voids", "fills", "credits", "drop", "collected", "bought", "cashed", "tray_variance",
    "drop_variance",
)  # fmt: skip
"""The figures of a day that add up over days and tables."""


def total(days: Sequence[TableDay]) -> TableDay:
    """Return several days of some tables as one, from each table's first opening to its last closing."""
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
    """Return results of wagers with those of the same wager as one, in the order of the layout."""
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

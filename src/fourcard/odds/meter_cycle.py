"""Jackpot long run, exactly: how often each row is hit, and the average meter when it is won.

Every wager adds its share of the stake to the meter, and then its hand is paid. Let ``m`` be the average
meter when a hand is paid, ``p`` the probability of winning the whole meter, and ``q`` and ``s`` the
probability and the share of a partial award. If hands are independent, a hand does not depend on the meter
before it, so all awards are paid from ``m`` on average. In the long run contributions equal payments:

    rate x stake + reserve x stake + p x seed  =  p x m  +  q x s x m  +  fixed awards from the meter

because each win adds the seed and the whole reserve (WA-REC-7). This gives ``m``. The hit counts hold even
if hands are dependent; so does ``m`` if only whole meters are paid.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from fourcard.money import Odds, OddsKind, share_text
from fourcard.odds.figures import exact
from fourcard.odds.printed import TableError
from fourcard.odds.progressive import Progressive
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.rulebook import AwardSource
from fourcard.wagers.wager import odds_by_row

WHOLE = 1
NOTHING = Fraction(0)


class MeterTerms(msgspec.Struct, frozen=True):
    """The terms of a meter: its shares of each stake, its seed, and what pays fixed awards."""

    rate: Fraction
    reserve: Fraction
    seed: int
    """The cents that the house adds when the whole meter has been won."""
    fixed_awards: AwardSource = "tray"

    def __post_init__(self) -> None:
        """Refuse negative figures and shares above the whole stake (P9)."""
        if min(self.rate, self.reserve) < 0 or self.seed < 0:
            raise TableError("The rate, the reserve and the seed of a meter cannot be negative.")
        total = self.rate + self.reserve
        if total > WHOLE:
            raise RefusedError(refuse(Code.RATES_OVER_WHOLE, ("P9",), total=share_text(total)))


class MeterCycle(msgspec.Struct, frozen=True, dict=True):
    """The long run of a progressive wager and the meter that it feeds."""

    wager: Progressive
    terms: MeterTerms

    @cached_property
    def chances(self) -> Mapping[str, Fraction]:
        """Return the probability of each row of the paytable."""
        return {each.hand: each.probability for each in self.wager.own.outcomes if each.pays is not None}

    @property
    def wagers_per_hit(self) -> dict[str, Fraction | None]:
        """Return the average number of wagers per hit of each row; None for an impossible row."""
        return {row: 1 / chance if chance else None for row, chance in self.chances.items()}

    @property
    def win_chance(self) -> Fraction:
        """Return the probability that a wager wins the whole meter."""
        return sum((chance for odds, chance in self.rows if is_whole(odds)), NOTHING)

    @property
    def wagers_between_wins(self) -> Fraction | None:
        """Return the average number of wagers between two wins of the whole meter; None if no row wins it."""
        return 1 / self.win_chance if self.win_chance else None

    @property
    def shares_taken(self) -> Fraction:
        """Return the average share of the meter that partial awards take per wager."""
        parts = (
            odds.value * chance
            for odds, chance in self.rows
            if odds.kind is OddsKind.METER and not is_whole(odds)
        )
        return sum(parts, NOTHING)

    @property
    def fixed_taken(self) -> Fraction:
        """Return the average cents that fixed awards take out of the meter per wager."""
        fixed = ((odds, chance) for odds, chance in self.rows if odds.kind is not OddsKind.METER)
        return sum((chance * self.fixed_cents(odds) for odds, chance in fixed), NOTHING)

    @property
    def average_win(self) -> Fraction | None:
        """Return the average meter in cents when it is won, over many wins.

        None if no row wins it, or if fixed awards take out more than is added (R59).
        """
        if not self.win_chance:
            return None
        taken = self.win_chance + self.shares_taken
        found = (self.added(self.terms.rate) + self.added(self.terms.reserve) + self.kept) / taken
        return found if found >= 0 else None

    @property
    def kept(self) -> Fraction:
        """Return the average seed less the average fixed award per wager, in cents."""
        return self.win_chance * self.terms.seed - self.fixed_taken

    def answer(self) -> dict[str, object]:
        """Return the cycle as JSON data."""
        terms = self.terms
        return {
            "rate": exact(terms.rate),
            "reserve": exact(terms.reserve),
            "seed": terms.seed,
            "fixed_awards": terms.fixed_awards,
            "wagers_per_hit": {row: _exactly(wagers) for row, wagers in self.wagers_per_hit.items()},
            "wagers_between_wins": _exactly(self.wagers_between_wins),
            "average_win": _exactly(self.average_win),
            "assumptions": list(self.assumptions),
        }

    @property
    def assumptions(self) -> Iterator[str]:
        """Yield the assumptions of the figures."""
        yield "Each wager adds its share, then its hand is paid; hands count as independent."
        yield "After a win the meter restarts from the seed plus the whole reserve (WA-REC-7)."
        yield "A share lowers the meter by what it pays (R60); cents are not rounded (R97)."
        if self.terms.fixed_awards == "meter":
            yield "Fixed awards come out of the meter, here even below zero; a real one stops at zero (R59)."
        if self.win_chance and self.average_win is None:
            yield "They take out more than wagers and seeds add: the meter runs dry and has no average."

    @property
    def rows(self) -> Iterator[tuple[Odds, Fraction]]:
        """Yield the award and the probability of each row."""
        pays = odds_by_row(self.wager.table)
        return ((pays[row], chance) for row, chance in self.chances.items())

    def added(self, share: Fraction) -> Fraction:
        """Return a share of the stake in cents."""
        return share * self.wager.stake

    def fixed_cents(self, odds: Odds) -> Fraction:
        """Return the cents that a fixed award takes out of the meter; none if the tray pays it."""
        if self.terms.fixed_awards == "tray":
            return NOTHING
        return odds.value if odds.kind is OddsKind.FIXED else odds.value * self.wager.stake


def is_whole(odds: Odds) -> bool:
    """Return whether an award is the whole meter."""
    return odds.kind is OddsKind.METER and odds.value == WHOLE


def _exactly(figure: Fraction | None) -> dict[str, object] | None:
    return None if figure is None else exact(figure)

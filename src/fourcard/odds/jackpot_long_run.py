"""Jackpot long run, exactly: how often each row is hit, and the average meter when it is won.

Every wager adds its share of the stake to the meter, and then its hand is paid. Let ``m`` be the average
meter when a hand is paid, ``p`` the probability of winning the whole meter, and ``q`` and ``s`` the
probability and the share of a partial award. If hands are independent, a hand does not depend on the meter
before it, so all awards are paid from ``m`` on average. In the long run contributions equal payments:

    rate x stake + reserve x stake + p x seed  =  p x m  +  q x s x m  +  fixed awards from the meter

because each win adds the seed and the whole reserve (WA-REC-7). This gives ``m``. The hit counts hold even
if hands are dependent; so does ``m`` if only whole meters are paid.

The standard error of the average win: the amounts of successive wins are not independent, because a larger
reserve before one win makes the next larger. Let ``M`` be the meter and ``V`` the reserve when a hand is
paid, and ``a`` the share of payments that are whole meters. Then a win's ``M - m``, plus the hand's change in
``a (M + V)``, has an average of zero for any ``M`` and ``V``. The terms of successive wagers are therefore
uncorrelated, and the variance per wager follows from the first two moments of ``M``.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import sqrt

import msgspec
import numpy as np

from fourcard.money import Odds, OddsKind, share_text
from fourcard.odds.paytable_lookup import PaytableError
from fourcard.odds.progressive import ProgressiveOdds
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.rulebook import AwardSource
from fourcard.settlers.wager_settler import odds_by_row

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
            raise PaytableError("The rate, the reserve and the seed of a meter cannot be negative.")
        total = self.rate + self.reserve
        if total > WHOLE:
            raise RefusedError(refuse(Code.RATES_OVER_WHOLE, ("P9",), total=share_text(total)))


class MeterCycleReport(msgspec.Struct, frozen=True):
    """The long run of a progressive's meter."""

    rate: Fraction
    reserve: Fraction
    seed: int
    """In cents."""
    fixed_awards: AwardSource
    wagers_per_hit: dict[str, Fraction | None]
    """By row; None for an impossible row."""
    wagers_between_wins: Fraction | None
    """Between two wins of the whole meter."""
    average_win: Fraction | None
    """In cents; None if no row wins the meter, or if fixed awards take out more than is added (R59)."""
    assumptions: tuple[str, ...]


class MeterCycle(msgspec.Struct, frozen=True, dict=True):
    """The long run of a progressive wager and the meter that it feeds."""

    wager: ProgressiveOdds
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
        return sum((chance for odds, chance in self.rows if is_whole_meter(odds)), NOTHING)

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
            if odds.kind is OddsKind.METER and not is_whole_meter(odds)
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
        found = (
            self.share_cents(self.terms.rate) + self.share_cents(self.terms.reserve) + self.seeds_less_fixed
        ) / taken
        return found if found >= 0 else None

    @property
    def seeds_less_fixed(self) -> Fraction:
        """Return the average seed less the average fixed award per wager, in cents."""
        return self.win_chance * self.terms.seed - self.fixed_taken

    def report(self) -> MeterCycleReport:
        """Return the figures of the long run."""
        terms = self.terms
        return MeterCycleReport(
            terms.rate,
            terms.reserve,
            terms.seed,
            terms.fixed_awards,
            self.wagers_per_hit,
            self.wagers_between_wins,
            self.average_win,
            tuple(self.assumptions),
        )

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

    def share_cents(self, share: Fraction) -> Fraction:
        """Return a share of the stake in cents."""
        return share * self.wager.stake

    def fixed_cents(self, odds: Odds) -> Fraction:
        """Return the cents that a fixed award takes out of the meter; none if the tray pays it."""
        if self.terms.fixed_awards == "tray":
            return NOTHING
        return odds.value if odds.kind is OddsKind.FIXED else odds.value * self.wager.stake


def is_whole_meter(odds: Odds) -> bool:
    """Return whether an award is the whole meter."""
    return odds.kind is OddsKind.METER and odds.value == WHOLE


class _PartialAward(msgspec.Struct, frozen=True):
    """What a hand that does not win the whole meter leaves of it: a share, less an amount."""

    chance: Fraction
    left: Fraction
    taken: Fraction


def average_win_error(cycle: MeterCycle, wagers: int) -> float | None:
    """Return the standard error of the average win over a number of wagers, in cents."""
    variance = variance_per_wager(cycle)
    if variance is None or variance < 0:
        return None
    return sqrt(variance / wagers) / float(cycle.win_chance)


def variance_per_wager(cycle: MeterCycle) -> Fraction | None:
    """Return the variance that one wager adds to the sum of deviations of wins from their average."""
    mean = cycle.average_win
    if mean is None:
        return None
    square = second_moment(cycle, mean)
    win, seed = cycle.win_chance, cycle.terms.seed
    added = cycle.share_cents(cycle.terms.rate) + cycle.share_cents(cycle.terms.reserve)
    part = win / (win + cycle.shares_taken)
    total = win * _mean_square(1 - part, part * (seed + added) - mean, mean, square)
    for each in _partial_awards(cycle):
        total += each.chance * part**2 * _mean_square(each.left - 1, added - each.taken, mean, square)
    return total


def second_moment(cycle: MeterCycle, mean: Fraction) -> Fraction:
    """Return the long-run average square of the meter when a hand is paid."""
    win, rate = cycle.win_chance, cycle.share_cents(cycle.terms.rate)
    reserve, reserve_square = _reserve_moments(cycle)
    total = win * _mean_square(Fraction(1), cycle.terms.seed + rate, reserve, reserve_square)
    square_left = NOTHING
    for each in _partial_awards(cycle):
        total += each.chance * _mean_square(each.left, rate - each.taken, mean, NOTHING)
        square_left += each.chance * each.left**2
    return total / (1 - square_left)


def _reserve_moments(cycle: MeterCycle) -> tuple[Fraction, Fraction]:
    """Return the mean and the average square of the reserve, which grows linearly until the next win."""
    win, each = cycle.win_chance, cycle.share_cents(cycle.terms.reserve)
    return each / win, each**2 * (2 - win) / win**2


def _partial_awards(cycle: MeterCycle) -> list[_PartialAward]:
    """Return every effect of a hand on the meter except winning it whole."""
    found = [
        _PartialAward(chance, 1 - odds.value, NOTHING)
        if odds.kind is OddsKind.METER
        else _PartialAward(chance, Fraction(1), cycle.fixed_cents(odds))
        for odds, chance in cycle.rows
        if not is_whole_meter(odds)
    ]
    nothing = 1 - cycle.win_chance - sum((each.chance for each in found), NOTHING)
    return [*found, _PartialAward(nothing, Fraction(1), NOTHING)]


def _mean_square(slope: Fraction, plus: Fraction, mean: Fraction, square: Fraction) -> Fraction:
    """Return the average square of ``slope x M + plus`` from the moments of ``M``."""
    return slope**2 * square + 2 * slope * plus * mean + plus**2


def expected_average_from(cycle: MeterCycle, start: int, wagers: int) -> float | None:
    """Return the expected average meter in cents over a number of wagers from a start in cents.

    The expected meter and reserve follow from those one wager earlier: each wager adds its share, a win
    replaces the meter by seed and reserve, and shares and fixed awards lower it.
    """
    if cycle.average_win is None:
        return None
    win, stay = float(cycle.win_chance), float(1 - cycle.win_chance - cycle.shares_taken)
    rate, reserve = float(cycle.share_cents(cycle.terms.rate)), float(cycle.share_cents(cycle.terms.reserve))
    # Maps (meter, reserve, sum of meters so far, 1) to the same vector one wager later.
    step = np.array(
        [
            [stay, win, 0, rate + float(cycle.seeds_less_fixed)],
            [0, 1 - win, 0, reserve],
            [1, 0, 1, 0],
            [0, 0, 0, 1],
        ]
    )
    found = np.linalg.matrix_power(step, wagers) @ np.array([start + rate, reserve, 0, 1])
    return float(found[2]) / wagers

"""Variance of the average win: its standard error over a given number of wagers.

The amounts of successive wins are not independent: a larger reserve before one win makes the next larger.
Let ``M`` be the meter and ``V`` the reserve when a hand is paid, ``m`` the average of ``M``, and ``a`` the
share of payments that are whole meters. Then a win's ``M - m``, plus the hand's change in ``a (M + V)``, has
an average of zero for any ``M`` and ``V``. The terms of successive wagers are therefore uncorrelated, and
the variance per wager follows from the first two moments of ``M``.
"""

from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.money import OddsKind
from fourcard.odds.meter_cycle import NOTHING, MeterCycle, is_whole


class _PartialAward(msgspec.Struct, frozen=True):
    """What a hand that does not win the whole meter leaves of it: a share, less an amount."""

    chance: Fraction
    left: Fraction
    taken: Fraction


def average_error(cycle: MeterCycle, wagers: int) -> float | None:
    """Return the standard error of the average win over a number of wagers, in cents."""
    variance = variance_of_a_wager(cycle)
    if variance is None or variance < 0:
        return None
    return sqrt(variance / wagers) / float(cycle.win_chance)


def variance_of_a_wager(cycle: MeterCycle) -> Fraction | None:
    """Return the variance that one wager adds to the sum of deviations of wins from their average."""
    mean = cycle.average_win
    if mean is None:
        return None
    square = second_moment(cycle, mean)
    win, seed = cycle.win_chance, cycle.terms.seed
    added = cycle.added(cycle.terms.rate) + cycle.added(cycle.terms.reserve)
    part = win / (win + cycle.shares_taken)
    total = win * _square(1 - part, part * (seed + added) - mean, mean, square)
    for each in _partial_awards(cycle):
        total += each.chance * part**2 * _square(each.left - 1, added - each.taken, mean, square)
    return total


def second_moment(cycle: MeterCycle, mean: Fraction) -> Fraction:
    """Return the long-run average square of the meter when a hand is paid."""
    win, rate = cycle.win_chance, cycle.added(cycle.terms.rate)
    reserve, reserve_square = _reserve_moments(cycle)
    total = win * _square(Fraction(1), cycle.terms.seed + rate, reserve, reserve_square)
    square_left = NOTHING
    for each in _partial_awards(cycle):
        total += each.chance * _square(each.left, rate - each.taken, mean, NOTHING)
        square_left += each.chance * each.left**2
    return total / (1 - square_left)


def _reserve_moments(cycle: MeterCycle) -> tuple[Fraction, Fraction]:
    """Return the mean and the average square of the reserve, which grows linearly until the next win."""
    win, each = cycle.win_chance, cycle.added(cycle.terms.reserve)
    return each / win, each**2 * (2 - win) / win**2


def _partial_awards(cycle: MeterCycle) -> list[_PartialAward]:
    """Return every effect of a hand on the meter except winning it whole."""
    found = [
        _PartialAward(chance, 1 - odds.value, NOTHING)
        if odds.kind is OddsKind.METER
        else _PartialAward(chance, Fraction(1), cycle.fixed_cents(odds))
        for odds, chance in cycle.rows
        if not is_whole(odds)
    ]
    nothing = 1 - cycle.win_chance - sum((each.chance for each in found), NOTHING)
    return [*found, _PartialAward(nothing, Fraction(1), NOTHING)]


def _square(slope: Fraction, plus: Fraction, mean: Fraction, square: Fraction) -> Fraction:
    """Return the average square of ``slope x M + plus`` from the moments of ``M``."""
    return slope**2 * square + 2 * slope * plus * mean + plus**2

"""Transient of a new meter: its expected average over a number of wagers from a given start."""

import numpy as np

from fourcard.odds.meter_cycle import MeterCycle


def average_from(cycle: MeterCycle, start: int, wagers: int) -> float | None:
    """Return the expected average meter in cents over a number of wagers from a start in cents.

    The expected meter and reserve follow from those one wager earlier: each wager adds its share, a win
    replaces the meter by seed and reserve, and shares and fixed awards lower it.
    """
    if cycle.average_win is None:
        return None
    win, stay = float(cycle.win_chance), float(1 - cycle.win_chance - cycle.shares_taken)
    rate, reserve = float(cycle.added(cycle.terms.rate)), float(cycle.added(cycle.terms.reserve))
    # Maps (meter, reserve, sum of meters so far, 1) to the same vector one wager later.
    step = np.array(
        [
            [stay, win, 0, rate + float(cycle.kept)],
            [0, 1 - win, 0, reserve],
            [1, 0, 1, 0],
            [0, 0, 0, 1],
        ]
    )
    found = np.linalg.matrix_power(step, wagers) @ np.array([start + rate, reserve, 0, 1])
    return float(found[2]) / wagers

"""What a meter that has just been started comes to: a year begins with a young meter and an empty reserve."""

import numpy as np

from fourcard.odds.meter_cycle import MeterCycle


def average_from(cycle: MeterCycle, start: int, wagers: int) -> float | None:
    """Return the cents that so many wagers find on average, the meter starting at so many cents.

    Meter and reserve as a wager finds them follow, on average, from those that the wager before found: each
    adds its part, a win swaps the meter for seed and reserve, shares and fixed awards lower it.
    """
    if cycle.average_win is None:
        return None
    win, stay = float(cycle.win_chance), float(1 - cycle.win_chance - cycle.shares_taken)
    rate, reserve = float(cycle.added(cycle.terms.rate)), float(cycle.added(cycle.terms.reserve))
    # From meter, reserve, sum of the meters so far, and 1, to the same a wager later.
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

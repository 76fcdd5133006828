"""Definitions printed on a PAR sheet: its terms, and how its figures are computed."""

from fourcard.odds.par.measures import FEW_HITS, MATERIAL, Z90, Z95

DEFINITIONS = {
    "Combinations": (
        "Every deal is counted, none sampled: a figure is an exact fraction, shown rounded. Only what is "
        "marked as estimated comes from a simulation, and it carries its standard error."
    ),
    "House edge": (
        "What the house expects to keep of one unit: of the stake, or of the Ante in the base game."
    ),
    "Return": (
        "The share of all money wagered that comes back, stakes included: one less the house edge. In the"
        " base game, where Play adds to the Ante, one less the element of risk."
    ),
    "Element of risk": "The house edge divided by the average of all that is wagered in a round.",
    "Contribution": (
        "To the return: the probability of a row times what it hands back. To the house edge: the "
        "probability times what the house keeps, negative for an award. Each column adds up to its total."
    ),
    "Hit frequency": (
        "How often a row of the paytable is paid; in the base game, how often a round is a gain."
    ),
    "Standard deviation": "The square root of the variance of one round's result, in units.",
    "Volatility index": (f"The standard deviation times {Z90}, the normal quantile of a confidence of 90%."),
    "Confidence band": (
        f"The return of a unit, give or take {Z90} (90%) or {Z95} (95%) standard deviations divided by the"
        " square root of the rounds, and never less than can come back at all: the normal approximation."
    ),
    "Not reliable": (
        f"A band is marked while the rarest award that makes up {float(MATERIAL):.0%} of the variance or "
        f"more is expected fewer than {FEW_HITS} times. Actual results are then far from normal: "
        "by then most tables have not paid the award at all, a few have paid it once."
    ),
    "Worst single round": (
        "A bound, not a result: every position stakes the posted maximum and wins by the best row (P4). "
        "Shares of the meter are not counted, reseeding it is."
    ),
    "Long-run edge": (
        "The house edge of a progressive over many jackpots: meter and reserve pay out all that they take"
        " in, and each jackpot costs the house one reset."
    ),
}
"""In the order in which the terms appear."""

"""Simulation results: edges with their standard errors, from sums over whole rounds.

The positions of one round share a dealer and a deck, so errors are computed from rounds, never from
positions.
"""

from math import sqrt

import msgspec

from fourcard.odds.lowering import Column
from fourcard.odds.simulation.playing import Square, Sums
from fourcard.odds.simulation.seating import Seating
from fourcard.rules.nodes import WAGERS, WagerName

SIDES = ("aces_up", "bad_beat", "six_card", "cover_all", "progressive", "envy")
DECISIONS = ("fold", "1x", "2x", "3x")


class Totals(msgspec.Struct, frozen=True):
    """Sums over all rounds so far, added up in the order of the blocks."""

    rounds: int = 0
    nets: tuple[int, ...] = (0,) * len(Column)
    plays: tuple[int, ...] = (0,) * len(DECISIONS)
    played: int = 0
    squares: tuple[float, ...] = (0.0,) * (len(Column) + len(Square))

    def plus(self, rounds: int, sums: Sums) -> "Totals":
        """Return the totals with one more block."""
        return Totals(
            self.rounds + rounds,
            tuple(a + b for a, b in zip(self.nets, sums.nets.tolist(), strict=True)),
            tuple(a + b for a, b in zip(self.plays, sums.plays.tolist(), strict=True)),
            self.played + int(sums.played[0]),
            tuple(a + b for a, b in zip(self.squares, sums.squares.tolist(), strict=True)),
        )


class Estimate(msgspec.Struct, frozen=True):
    """An estimated house edge with its standard error."""

    edge: float
    standard_error: float | None
    """None after a single round."""
    standard_deviation: float | None
    """Of one round's result, per unit staked."""
    net: int
    """The players' total gain in cents."""
    staked: int

    def answer(self) -> dict[str, object]:
        """Return the estimate as JSON data."""
        return {
            "edge": self.edge,
            "standard_error": self.standard_error,
            "standard_deviation": self.standard_deviation,
            "net": self.net,
            "staked": self.staked,
        }


def estimates(seating: Seating, totals: Totals) -> dict[str, Estimate]:
    """Return the estimate of each wager made.

    ``ante`` is the whole base game (Ante, Play and Automatic Bonus) per unit of Ante. Envy has no stake of
    its own; it is given per unit of the progressive stake, alone and together with the progressive. ``all``
    is everything per unit staked before the deal.
    """
    stakes, nets, squares = seating.stakes, totals.nets, totals.squares
    found: dict[str, Estimate] = {}
    base = nets[Column.ANTE] + nets[Column.PLAY] + nets[Column.AUTOMATIC_BONUS]
    if "ante" in stakes:
        found["ante"] = _estimate(seating, totals, base, squares[Square.BASE], stakes["ante"])
    for name in SIDES:
        column = Column[name.upper()]
        stake = stakes.get("progressive", 0) if name == "envy" else stakes.get(WAGERS[column], 0)
        if stake and (name != "envy" or (seating.players > 1 and seating.game.offers("envy"))):
            found[name] = _estimate(seating, totals, nets[column], squares[column], stake)
    if "envy" in found:
        net = nets[Column.PROGRESSIVE] + nets[Column.ENVY]
        shared = squares[Square.SHARED]
        found["progressive_and_envy"] = _estimate(seating, totals, net, shared, stakes["progressive"])
    found["all"] = _estimate(seating, totals, sum(nets), squares[Square.ALL], sum(stakes.values()))
    return found


def _estimate(seating: Seating, totals: Totals, net: int, square: float, stake: int) -> Estimate:
    rounds, staked = totals.rounds, stake * seating.players
    deviation = _deviation(rounds, float(net), square)
    return Estimate(
        edge=-net / (rounds * staked),
        standard_error=None if deviation is None else deviation / sqrt(rounds) / staked,
        standard_deviation=None if deviation is None else deviation / staked,
        net=net,
        staked=rounds * staked,
    )


def _deviation(rounds: int, total: float, square: float) -> float | None:
    """Return the standard deviation of one round's result, in cents."""
    if rounds < 2:
        return None
    return sqrt(max(0.0, square - total * total / rounds) / (rounds - 1))


class BaseFigures(msgspec.Struct, frozen=True):
    """Further figures of the base game, by default per unit of Ante."""

    parts: dict[WagerName, float]
    """The player's gain on Ante, Play and Automatic Bonus."""
    average_wager: float
    element_of_risk: float
    """The house's gain per unit wagered, Play included."""
    element_of_risk_error: float | None
    decisions: dict[str, float]
    """The frequency of each decision."""

    def answer(self) -> dict[str, object]:
        """Return the figures as JSON data."""
        return {
            "parts": self.parts,
            "average_wager": self.average_wager,
            "element_of_risk": self.element_of_risk,
            "element_of_risk_error": self.element_of_risk_error,
            "decisions": self.decisions,
        }


def base_figures(seating: Seating, totals: Totals) -> BaseFigures | None:
    """Return the figures of the base game, or None if there is no Ante."""
    ante = seating.stakes.get("ante", 0) * seating.players
    if not ante:
        return None
    rounds, played, squares = totals.rounds, totals.played, totals.squares
    antes = rounds * ante
    net = sum(totals.nets[: Column.AUTOMATIC_BONUS + 1])
    risk = -net / (antes + played)
    error = None
    if rounds > 1:
        products = ante * net + squares[Square.BASE_AND_PLAYED]
        wagers = ante * ante * rounds + 2 * ante * played + squares[Square.PLAYED]
        rest = squares[Square.BASE] + 2 * risk * products + risk * risk * wagers
        error = sqrt(max(0.0, rest) * rounds / (rounds - 1)) / (antes + played)
    parts = {name: totals.nets[WAGERS.index(name)] / antes for name in WAGERS[: Column.AUTOMATIC_BONUS + 1]}
    decided = sum(totals.plays)
    shares = {name: count / decided for name, count in zip(DECISIONS, totals.plays, strict=True)}
    return BaseFigures(parts, 1 + played / antes, risk, error, shares)

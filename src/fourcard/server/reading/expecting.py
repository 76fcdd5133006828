"""Expected value of a round's wagers: mean and standard deviation from the exact odds of its game.

Ante, Play and Automatic Bonus count together, under the best strategy. Envy is part of the progressive, at
the meter of that round. Cover All is estimated by simulation.
"""

from collections.abc import Mapping
from functools import partial
from math import sqrt

import msgspec

from fourcard.odds.base_game import base_game
from fourcard.odds.cover_all import cover_all, cover_all_table
from fourcard.odds.figures import Distribution
from fourcard.odds.par.side import chosen_of
from fourcard.odds.progressive import MOST_OTHERS, Progressive
from fourcard.odds.report import Report, aces_up_report, bad_beat_report, six_card_report
from fourcard.odds.strategies import contest_of, optimal, spots_of
from fourcard.rules.game import Game
from fourcard.rules.nodes import WagerName
from fourcard.server.reading.keeping import Kept

SOLVED: tuple[WagerName, ...] = ("ante", "bad_beat")
"""Wagers whose odds need the solved game."""
PRECISION = 0.002
METERS = (0, 1_000_000, 2_000_000)
"""Meters in cents at which the progressive is counted: the mean is linear in the meter, the variance
quadratic."""


class Worth(msgspec.Struct, frozen=True):
    """Mean and standard deviation per unit staked."""

    mean: float
    sd: float


class Line(msgspec.Struct, frozen=True):
    """A progressive at one stake as a function of the meter, exact from three points."""

    means: tuple[float, ...]
    variances: tuple[float, ...]

    def at(self, meter: int) -> Worth:
        """Return mean and standard deviation at a meter."""
        x = meter / METERS[1]
        mean = self.means[0] + (self.means[1] - self.means[0]) * x
        first, second, third = self.variances
        bend = (third - 2 * second + first) / 2
        variance = first + (second - first - bend) * x + bend * x * x
        return Worth(mean, sqrt(max(variance, 0.0)))


class Seated(msgspec.Struct, frozen=True):
    """What the value of wagers depends on, apart from the game."""

    dealt_in: int
    meter: int | None
    """What the meter showed, in cents; None if unknown."""
    solved: bool
    """Whether the game is solved."""


_worths: Kept[Worth] = Kept(512, waiting=32)
_lines: Kept[Line] = Kept(64, waiting=32)


def expected(
    game: Game, wagers: Mapping[WagerName, int], seated: Seated
) -> tuple[float, float, tuple[WagerName, ...]]:
    """Return mean and standard deviation of wagers in cents, and the wagers left out.

    Standard deviations are added, an upper bound for the round.
    """
    mean = sd = 0.0
    left_out: list[WagerName] = []
    for wager, stake in wagers.items():
        if wager in ("play", "automatic_bonus", "envy"):
            continue
        worth = worth_of(game, wager, stake, seated)
        if worth is None:
            left_out.append(wager)
        else:
            mean, sd = mean + worth.mean * stake, sd + worth.sd * stake
    return mean, sd, tuple(left_out)


def worth_of(game: Game, wager: WagerName, stake: int, seated: Seated) -> Worth | None:
    """Return mean and standard deviation of a wager per unit, or None if unknown now."""
    if wager in SOLVED and not seated.solved:
        return None
    if wager == "progressive":
        return _progressive(game, stake, seated)
    if wager == "cover_all":
        players = min(seated.dealt_in, 6)
        return _worths.get((game.hash, wager, players), partial(_cover_all, players))
    counted = {"ante": _ante, "aces_up": _aces_up, "bad_beat": _bad_beat}.get(wager)
    if counted is not None:
        return _worths.get((game.hash, wager), partial(counted, game))
    return _worths.get((game.hash, wager, stake), partial(_six_card, game, stake))


def _from_distribution(found: Distribution) -> Worth:
    return Worth(float(found.mean), found.standard_deviation)


def _from_report(found: Report) -> Worth:
    return Worth(-float(found.house_edge), found.standard_deviation)


def _ante(game: Game) -> Worth:
    return _from_distribution(base_game(spots_of(contest_of(game)), optimal).distribution)


def _aces_up(game: Game) -> Worth:
    return _from_report(aces_up_report(chosen_of(game, "aces_up")))


def _bad_beat(game: Game) -> Worth:
    tie_wins = game.settings.get("bad_beat_tie") == "wins"
    return _from_report(bad_beat_report(chosen_of(game, "bad_beat"), tie_wins=tie_wins))


def _six_card(game: Game, stake: int) -> Worth:
    low_ace = game.settings.get("six_card_low_ace") is not False
    return _from_report(six_card_report(chosen_of(game, "six_card"), stake, low_ace=low_ace))


def _cover_all(players: int) -> Worth:
    found = cover_all(cover_all_table(players), players, PRECISION, 1)
    return Worth(-found.house_edge, found.standard_deviation)


def _progressive(game: Game, stake: int, seated: Seated) -> Worth | None:
    if seated.meter is None:
        return None
    others = min(seated.dealt_in - 1, MOST_OTHERS) if game.envy else 0
    key = game.hash, stake, others
    return _lines.get(key, partial(_line, game, stake, others)).at(seated.meter)


def _line(game: Game, stake: int, others: int) -> Line:
    envy = game.envy_for(stake) if game.envy else None
    found = [Progressive(game.tables["progressive"], envy, stake, meter, others) for meter in METERS]
    means = tuple(-float(each.house_edge) for each in found)
    return Line(means, tuple(float(each.variance) for each in found))

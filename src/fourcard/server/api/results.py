"""Result routes: a player's results over time next to their expected value.

Ante, Play and Automatic Bonus count together, under the best strategy. Envy is part of the progressive, at
the meter of that round. Cover All is estimated by simulation.
"""

from collections.abc import Mapping
from functools import partial
from math import sqrt
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.house.auth.identity import Actor
from fourcard.house.round_index import IndexedRound
from fourcard.odds.base_game import base_game
from fourcard.odds.cover_all import cover_all, find_cover_all_paytable
from fourcard.odds.distribution import Distribution
from fourcard.odds.paytable_lookup import paytable_ref
from fourcard.odds.progressive import MAX_OTHERS, ProgressiveOdds
from fourcard.odds.report import DOLLAR, depends_on_stake, odds_in_game
from fourcard.odds.states_cache import available_states
from fourcard.odds.strategies import base_terms_of, decision_points, optimal
from fourcard.rules.game import Game
from fourcard.server.api.compute_cache import SingleFlightCache
from fourcard.server.api.params import AfterParam
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories, round_page
from fourcard.server.error_handlers import error_responses
from fourcard.wagers import SPECIFICATIONS, WAGERS, WagerName

PRECISION = 0.002
SAMPLE_METERS = (0, 1_000_000, 2_000_000)
"""Meters in cents at which the progressive is counted: the mean is linear in the meter, the variance
quadratic."""


class WagerValue(msgspec.Struct, frozen=True):
    """Mean and standard deviation per unit staked."""

    mean: float
    sd: float


class ProgressiveValue(msgspec.Struct, frozen=True):
    """A progressive at one stake as a function of the meter, exact from three points."""

    means: tuple[float, ...]
    variances: tuple[float, ...]

    def at(self, meter: int) -> WagerValue:
        """Return mean and standard deviation at a meter."""
        x = meter / SAMPLE_METERS[1]
        mean = self.means[0] + (self.means[1] - self.means[0]) * x
        first, second, third = self.variances
        bend = (third - 2 * second + first) / 2
        variance = first + (second - first - bend) * x + bend * x * x
        return WagerValue(mean, sqrt(max(variance, 0.0)))


class RoundConditions(msgspec.Struct, frozen=True):
    """What the value of wagers depends on, apart from the game."""

    dealt_in: int
    meter: int | None
    """What the meter showed, in cents; None if unknown."""
    solved: bool
    """Whether the game is solved."""


_values: SingleFlightCache[WagerValue] = SingleFlightCache(512, waiting=32)
_progressive_values: SingleFlightCache[ProgressiveValue] = SingleFlightCache(64, waiting=32)


def expected_value(
    game: Game, wagers: Mapping[WagerName, int], seated: RoundConditions
) -> tuple[float, float, tuple[WagerName, ...]]:
    """Return mean and standard deviation of wagers in cents, and the wagers left out.

    Standard deviations are added, an upper bound for the round.
    """
    mean = sd = 0.0
    left_out: list[WagerName] = []
    for wager, stake in wagers.items():
        if not SPECIFICATIONS[wager].placed:
            continue
        worth = wager_value(game, wager, stake, seated)
        if worth is None:
            left_out.append(wager)
        else:
            mean, sd = mean + worth.mean * stake, sd + worth.sd * stake
    return mean, sd, tuple(left_out)


def wager_value(game: Game, wager: WagerName, stake: int, seated: RoundConditions) -> WagerValue | None:
    """Return mean and standard deviation of a wager per unit, or None if unknown now."""
    if SPECIFICATIONS[wager].odds == "solved" and not seated.solved:
        return None
    if wager == "progressive":
        return _progressive(game, stake, seated)
    if wager == "cover_all":
        players = _players_priced(game, seated.dealt_in)
        if not players:
            return None
        return _values.get((game.hash, wager, players), partial(_cover_all, game, players))
    if wager == "ante":
        return _values.get((game.hash, wager), partial(_ante, game))
    at = stake if depends_on_stake(paytable_ref(game, wager).pays) else DOLLAR
    return _values.get((game.hash, wager, at), partial(_side_bet, game, wager, at))


def _from_distribution(found: Distribution) -> WagerValue:
    return WagerValue(float(found.mean), found.standard_deviation)


def _side_bet(game: Game, wager: WagerName, stake: int) -> WagerValue:
    found = odds_in_game(game, wager, stake)
    return WagerValue(-float(found.house_edge), found.standard_deviation)


def _ante(game: Game) -> WagerValue:
    return _from_distribution(base_game(decision_points(base_terms_of(game)), optimal).distribution)


def _players_priced(game: Game, dealt_in: int) -> int:
    """Return the largest number of players up to those dealt in that the rulebook prints odds for."""
    rules = game.rulebook.wagers.cover_all
    assert rules is not None
    printed = (players for players in range(1, dealt_in + 1) if rules.column(players) is not None)
    return max(printed, default=0)


def _cover_all(game: Game, players: int) -> WagerValue:
    paytable = find_cover_all_paytable(players, None, game.rulebook)
    found = cover_all(paytable, players, PRECISION, 1, game=game)
    return WagerValue(-float(found.house_edge), found.standard_deviation)


def _progressive(game: Game, stake: int, seated: RoundConditions) -> WagerValue | None:
    if seated.meter is None:
        return None
    others = min(seated.dealt_in - 1, MAX_OTHERS) if game.envy else 0
    key = game.hash, stake, others
    return _progressive_values.get(key, partial(_progressive_value, game, stake, others)).at(seated.meter)


def _progressive_value(game: Game, stake: int, others: int) -> ProgressiveValue:
    envy = game.envy_for(stake) if game.envy else None
    found = [
        ProgressiveOdds(game.tables["progressive"], envy, stake, meter, others) for meter in SAMPLE_METERS
    ]
    means = tuple(-float(each.house_edge) for each in found)
    return ProgressiveValue(means, tuple(float(each.variance) for each in found))


TAGS = ["history"]
EXPLANATION = (
    "The expected value is the average gain by the exact odds of the table's game, Ante and Play with the "
    "best strategy. The spread of a round is the sum of its wagers' spreads, which is an upper bound."
)
MAX_ROUNDS = 1_000
ManyRounds = Annotated[int, Parameter(ge=1, le=MAX_ROUNDS, description="Maximum number of rounds.")]
ESTIMATE_NOTE = "Cover All is estimated by simulation."


class RoundResult(msgspec.Struct, frozen=True):
    """One round of a player, in cents."""

    table: str
    number: int
    at: int
    net: int
    wagered: int
    expected: float
    sd: float


class RoundResults(msgspec.Struct, frozen=True):
    """Rounds of a player, oldest first."""

    rounds: tuple[RoundResult, ...]
    notes: tuple[str, ...]
    """Notes on these rounds, as sentences."""
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


@get(
    "/api/results",
    summary="Your results over time, next to expected values",
    tags=TAGS,
    responses=error_responses(400, 401, 429, 503),
    sync_to_thread=True,
)
def list_results(
    reports: NamedDependency[Reports],
    actor: NamedDependency[Actor],
    limit: ManyRounds = MAX_ROUNDS,
    after: AfterParam = None,
) -> RoundResults:
    """Return your rounds with net, expected value and standard deviation."""
    if actor.kind != "player":
        return RoundResults((), (EXPLANATION,), None)
    return reports.odds.run(player_results, actor.person, limit, after)


def player_results(histories: Histories, player: str, limit: int, after: str | None) -> RoundResults:
    """Return a page of a player's rounds with their expected values."""
    with histories.store.reading() as reading:
        page = round_page(reading, player, None, limit, after, newest_first=False)
    rounds, left_out = page.items, set[WagerName]()
    solved = available_states() is not None
    found = list[RoundResult]()
    for each in rounds:
        seated = RoundConditions(each.dealt_in, None if each.meter is None else each.meter.shown, solved)
        found.append(_result(histories, each, player, seated, left_out))
    estimated = any("cover_all" in _wagers(each, player) for each in rounds)
    return RoundResults(tuple(found), _notes(left_out, estimated=estimated), page.next)


def _wagers(found: IndexedRound, player: str) -> set[WagerName]:
    return {wager for place in found.positions_of(player) for wager in place.wagers}


def _result(
    histories: Histories, found: IndexedRound, player: str, seated: RoundConditions, left_out: set[WagerName]
) -> RoundResult:
    """Return the result of one round; a void round has no net and no expected value."""
    places = found.positions_of(player)
    mean = sd = 0.0
    for place in () if found.void else places:
        game = histories.game(found.game)
        gain, spread, missing = expected_value(game, place.wagers, seated)
        mean, sd = mean + gain, sd + spread
        left_out.update(missing)
    net, wagered = sum(place.net for place in places), sum(place.wagered for place in places)
    return RoundResult(found.table, found.number, found.at, net, wagered, mean, sd)


def _notes(left_out: set[WagerName], *, estimated: bool) -> tuple[str, ...]:
    notes = [EXPLANATION, ESTIMATE_NOTE] if estimated else [EXPLANATION]
    missing = [SPECIFICATIONS[wager] for wager in WAGERS if wager in left_out]
    waiting = [each.label for each in missing if each.odds == "solved"]
    unknown = [each.label for each in missing if each.odds != "solved"]
    if waiting:
        notes.append(f"Not included until the game is solved: {' and '.join(waiting)}.")
    if unknown:
        notes.append(f"Not included where the meter is unknown: {' and '.join(unknown)}.")
    return tuple(notes)

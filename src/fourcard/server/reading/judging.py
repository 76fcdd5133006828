"""Decision cost: compares a player's decision with the best one of the game.

Rules and posted limits bound the best decision. Chips do not, because a player can buy more before deciding;
the missing amount is reported.
"""

from collections.abc import Iterator

import msgspec

from fourcard.odds.advice import advice
from fourcard.odds.choices import Options
from fourcard.odds.strategies import contest_of
from fourcard.rules.game import Game
from fourcard.rules.limits import plays_allowed
from fourcard.server.reading.summaries import PlaceKept, RoundKept


class Judged(msgspec.Struct, frozen=True):
    """The best choice, and the cost of the actual one in cents."""

    best: str
    cost: float
    values: dict[str, float]
    """Value of each allowed choice, in cents."""
    short: int
    """Cents missing for the best choice."""


class Cost(msgspec.Struct, frozen=True):
    """One decision and its cost in cents."""

    found: RoundKept
    place: PlaceKept
    cost: float


def key_of(found: RoundKept, place: PlaceKept) -> tuple[str, int, int]:
    """Return the key of a decision."""
    return found.table, found.number, place.position


def decisions_of(found: RoundKept, player: str) -> Iterator[PlaceKept]:
    """Yield the positions of a round where a player decided."""
    for place in found.of(player):
        decided = place.decision is not None and place.money is not None and place.own
        if decided and found.up is not None and place.wagers.get("ante"):
            yield place


def judged(game: Game, found: RoundKept, place: PlaceKept) -> Judged | None:
    """Return the cost of a decision, or None if only a fold was allowed."""
    assert found.up is not None
    assert place.decision is not None
    assert place.money is not None
    ante = place.wagers["ante"]
    plays = plays_allowed(game, ante)
    if not plays:
        return None
    options = Options(advice(place.cards, found.up, contest_of(game)), ante, plays, place.money)
    values = {each.name: float(each.worth) for each in options.choices if each.allowed}
    best = options.best
    return Judged(best.name, float(options.cost(place.decision)), values, best.short)

"""What a player's decisions cost: each held against the best that the chips at that moment allowed.

The chips are those that the journal says the player had when deciding, and the Play wagers those that the
rules and the posted limits allow; where nothing but a fold was possible there was no decision.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fourcard.odds.advice import advice
from fourcard.odds.choices import Options
from fourcard.odds.strategies import contest_of
from fourcard.rules.game import Game
from fourcard.rules.limits import plays_allowed
from fourcard.server.reading.summaries import PlaceKept, RoundKept


class Judged(NamedTuple):
    """The best choice, and what the one that was made cost against it, in cents."""

    best: str
    cost: float
    values: dict[str, float]
    """What each choice that could be made was worth, in cents."""


class Cost(NamedTuple):
    """One decision, and the cents that it cost."""

    found: RoundKept
    place: PlaceKept
    cost: float


def key_of(found: RoundKept, place: PlaceKept) -> tuple[str, int, int]:
    """Return what tells a decision from every other one."""
    return found.table, found.number, place.position


def decisions_of(found: RoundKept, player: str) -> Iterator[PlaceKept]:
    """Yield the places of a round at which a player decided."""
    for place in found.of(player):
        decided = place.decision is not None and place.money is not None and place.own
        if decided and found.up is not None and place.wagers.get("ante"):
            yield place


def judged(game: Game, found: RoundKept, place: PlaceKept) -> Judged | None:
    """Return what a decision cost, or None where there was nothing to decide."""
    assert found.up is not None
    assert place.decision is not None
    assert place.money is not None
    ante = place.wagers["ante"]
    plays = plays_allowed(game, ante, place.money)
    if not plays:
        return None
    options = Options(advice(place.cards, found.up, contest_of(game)), ante, plays)
    values = {name: float(value) for name, value in options.open.items()}
    return Judged(options.best, float(options.cost(place.decision)), values)

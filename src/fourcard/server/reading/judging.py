"""What a player's decisions cost: each is compared with the best decision of the game.

Rules and posted limits bound the best decision; chips do not, because more can be bought before deciding.
What the chips of that moment lacked for it, as the journal says, is told beside it.
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
    """What each choice that the game allowed was worth, in cents."""
    short: int
    """The cents that the player's chips lacked for the best choice."""


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
    """Return what a decision cost, or None where the game allowed nothing but a fold."""
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

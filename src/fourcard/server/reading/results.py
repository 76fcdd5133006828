"""A player's results over time, each beside what was to be expected of it."""

import msgspec
from litestar import get

from fourcard.house.actors import Actor
from fourcard.odds.table import known_states
from fourcard.rules.nodes import WAGER_LABELS, WAGERS, WagerName
from fourcard.server.documented import problems
from fourcard.server.reading.expecting import SOLVED, Seated, expected
from fourcard.server.reading.given import GivenActor, GivenHistories
from fourcard.server.reading.histories import Histories
from fourcard.server.reading.summaries import RoundKept

TAGS = ["history"]
NOTE = (
    "Expected is what the wagers gain on average by the exact odds of the table's game, Ante and Play under "
    "the best strategy. The spread of a round is the sum of those of its wagers, which is the most it can be."
)
ESTIMATED = "Cover All is estimated by simulation."


class Result(msgspec.Struct, frozen=True):
    """One round of a player, in cents."""

    table: str
    number: int
    at: int
    net: int
    wagered: int
    expected: float
    sd: float


class Results(msgspec.Struct, frozen=True):
    """All rounds of a player, the oldest first."""

    rounds: list[Result]
    note: str


@get(
    "/api/results",
    summary="Own results over time, beside what was expected",
    tags=TAGS,
    responses=problems(401, 429, 503),
    sync_to_thread=True,
)
def list_results(histories: GivenHistories, actor: GivenActor) -> Results:
    """Return every own round with its net, what was expected of it and the standard deviation of that."""
    if actor.kind != "player":
        return Results([], NOTE)
    rounds = [each for _, each in histories.newest(actor.person)][::-1]
    meters = histories.meters.shown() if any("progressive" in _wagers(each, actor) for each in rounds) else {}
    left_out: set[WagerName] = set()
    solved = known_states() is not None
    found = list[Result]()
    for each in rounds:
        seated = Seated(each.dealt_in, meters.get((each.table, each.number)), solved)
        found.append(_result(histories, each, actor.person, seated, left_out))
    estimated = any("cover_all" in _wagers(each, actor) for each in rounds)
    return Results(found, _note(left_out, estimated=estimated))


def _wagers(found: RoundKept, actor: Actor) -> set[WagerName]:
    return {wager for place in found.of(actor.person) for wager in place.wagers}


def _result(
    histories: Histories, found: RoundKept, player: str, seated: Seated, left_out: set[WagerName]
) -> Result:
    """Return one round; one that was void brings and expects nothing."""
    places = found.of(player)
    mean = sd = 0.0
    for place in () if found.void else places:
        game = histories.game(found.game)
        gain, spread, missing = expected(game, place.wagers, seated)
        mean, sd = mean + gain, sd + spread
        left_out.update(missing)
    net, wagered = sum(place.net for place in places), sum(place.wagered for place in places)
    return Result(found.table, found.number, found.at, net, wagered, mean, sd)


def _note(left_out: set[WagerName], *, estimated: bool) -> str:
    told = [NOTE, ESTIMATED] if estimated else [NOTE]
    waiting = [WAGER_LABELS[wager] for wager in WAGERS if wager in left_out and wager in SOLVED]
    unknown = [WAGER_LABELS[wager] for wager in WAGERS if wager in left_out and wager not in SOLVED]
    if waiting:
        told.append(f"Nothing is expected of {' and '.join(waiting)} yet: the game is being solved.")
    if unknown:
        told.append(f"Nothing is expected of {' and '.join(unknown)} where its meter is not known.")
    return " ".join(told)

"""Result routes: a player's results over time next to their expected value."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import Parameter

from fourcard.house.actors import Actor
from fourcard.odds.table import known_states
from fourcard.rules.nodes import WAGER_LABELS, WAGERS, WagerName
from fourcard.server.documented import problems
from fourcard.server.reading.asking import After, paged
from fourcard.server.reading.expecting import SOLVED, Seated, expected
from fourcard.server.reading.histories import Histories, cursor_of
from fourcard.server.reading.summaries import RoundKept

TAGS = ["history"]
NOTE = (
    "The expected value is the average gain by the exact odds of the table's game, Ante and Play with the "
    "best strategy. The spread of a round is the sum of its wagers' spreads, which is an upper bound."
)
MOST_ROUNDS = 1_000
ManyRounds = Annotated[int, Parameter(ge=1, le=MOST_ROUNDS, description="Maximum number of rounds.")]
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
    """Rounds of a player, oldest first."""

    rounds: tuple[Result, ...]
    notes: tuple[str, ...]
    """Notes on these rounds, as sentences."""
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


@get(
    "/api/results",
    summary="Your results over time, next to expected values",
    tags=TAGS,
    responses=problems(400, 401, 429, 503),
    sync_to_thread=True,
)
def list_results(
    histories: NamedDependency[Histories],
    actor: NamedDependency[Actor],
    limit: ManyRounds = MOST_ROUNDS,
    after: After = None,
) -> Results:
    """Return your rounds with net, expected value and standard deviation."""
    if actor.kind != "player":
        return Results((), (NOTE,), None)
    page = paged((each for _, each in histories.oldest(actor.person)), cursor_of, limit, after)
    rounds, left_out = page.items, set[WagerName]()
    meters = histories.meters.shown() if any("progressive" in _wagers(each, actor) for each in rounds) else {}
    solved = known_states() is not None
    found = list[Result]()
    for each in rounds:
        seated = Seated(each.dealt_in, meters.get((each.table, each.number)), solved)
        found.append(_result(histories, each, actor.person, seated, left_out))
    estimated = any("cover_all" in _wagers(each, actor) for each in rounds)
    return Results(tuple(found), _notes(left_out, estimated=estimated), page.next)


def _wagers(found: RoundKept, actor: Actor) -> set[WagerName]:
    return {wager for place in found.of(actor.person) for wager in place.wagers}


def _result(
    histories: Histories, found: RoundKept, player: str, seated: Seated, left_out: set[WagerName]
) -> Result:
    """Return the result of one round; a void round has no net and no expected value."""
    places = found.of(player)
    mean = sd = 0.0
    for place in () if found.void else places:
        game = histories.game(found.game)
        gain, spread, missing = expected(game, place.wagers, seated)
        mean, sd = mean + gain, sd + spread
        left_out.update(missing)
    net, wagered = sum(place.net for place in places), sum(place.wagered for place in places)
    return Result(found.table, found.number, found.at, net, wagered, mean, sd)


def _notes(left_out: set[WagerName], *, estimated: bool) -> tuple[str, ...]:
    notes = [NOTE, ESTIMATED] if estimated else [NOTE]
    waiting = [WAGER_LABELS[wager] for wager in WAGERS if wager in left_out and wager in SOLVED]
    unknown = [WAGER_LABELS[wager] for wager in WAGERS if wager in left_out and wager not in SOLVED]
    if waiting:
        notes.append(f"Not included until the game is solved: {' and '.join(waiting)}.")
    if unknown:
        notes.append(f"Not included where the meter is unknown: {' and '.join(unknown)}.")
    return tuple(notes)

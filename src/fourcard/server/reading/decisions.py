"""Decision routes: how many decisions were right, what the others cost, and the worst mistakes."""

import msgspec
from litestar import get
from litestar.di import NamedDependency

from fourcard.cards import card_text, cards_text
from fourcard.house.actors import Actor
from fourcard.server.documented import problems
from fourcard.server.pages import Page
from fourcard.server.reading.asking import DEFAULT_LIMIT, After, Limit, Table, paged
from fourcard.server.reading.histories import Histories
from fourcard.server.reading.judging import Cost, decisions_of, judged, key_of
from fourcard.server.reading.solving import Solver

TAGS = ["coach"]
MOST_COUNTED = 200
"""How many decisions are counted one by one while the game is not solved."""


class Mistake(msgspec.Struct, frozen=True):
    """A decision that was not the best one, amounts in cents."""

    table: str
    number: int
    position: int
    hand: str
    up: str
    ante: int
    chose: str
    best: str
    cost: float
    values: dict[str, float]
    short: int
    """Cents missing for the best choice at the time."""


class Decisions(msgspec.Struct, frozen=True):
    """All own decisions, and the mistakes, most expensive first."""

    decisions: int
    right: int
    cost: float
    """Cost of all mistakes, in cents."""
    mistakes: Page[Mistake]


@get(
    "/api/decisions",
    summary="Your decisions, and what mistakes cost",
    tags=TAGS,
    responses=problems(400, 401, 404, 429, 503),
    sync_to_thread=True,
)
def list_decisions(
    histories: NamedDependency[Histories],
    solver: NamedDependency[Solver],
    actor: NamedDependency[Actor],
    table: Table = None,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> Decisions:
    """Compare each of your decisions with the best one and return what it cost."""
    if actor.kind != "player":
        return Decisions(0, 0, 0.0, Page((), None))
    costs = _costs(histories, solver, actor.person, table)
    mistakes_made = sorted((each for each in costs if each.cost > 0), key=lambda each: -each.cost)
    page = paged(mistakes_made, _cursor, limit, after)
    mistakes = Page(tuple(_mistake(histories, each) for each in page.items), page.next)
    total = sum(each.cost for each in mistakes_made)
    return Decisions(len(costs), len(costs) - len(mistakes_made), total, mistakes)


def _costs(histories: Histories, solver: Solver, player: str, table: str | None) -> list[Cost]:
    """Return the cost of each decision, newest first; known costs are reused."""
    decisions = [
        (each, place) for _, each in histories.newest(player, table) for place in decisions_of(each, player)
    ]
    known = histories.costs
    if sum(key_of(*each) not in known for each in decisions) > MOST_COUNTED:
        solver.states()
    for each in decisions:
        if key_of(*each) not in known:
            found = judged(histories.game(each[0].game), *each)
            known[key_of(*each)] = None if found is None else found.cost
    costs = ((found, place, known[key_of(found, place)]) for found, place in decisions)
    return [Cost(found, place, cost) for found, place, cost in costs if cost is not None]


def _cursor(each: Cost) -> str:
    return ":".join(map(str, key_of(each.found, each.place)))


def _mistake(histories: Histories, each: Cost) -> Mistake:
    found = judged(histories.game(each.found.game), each.found, each.place)
    assert found is not None
    assert each.found.up is not None
    return Mistake(
        table=each.found.table,
        number=each.found.number,
        position=each.place.position,
        hand=cards_text(each.place.cards),
        up=card_text(each.found.up),
        ante=each.place.wagers["ante"],
        chose=each.place.choice or "fold",
        best=found.best,
        cost=found.cost,
        values=found.values,
        short=found.short,
    )

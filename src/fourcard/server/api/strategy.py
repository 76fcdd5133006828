"""Strategy routes: the chart and the strategies to memorise, and how well a player decides in each cell."""

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

from fourcard.hands import best_hand
from fourcard.house.auth.identity import Actor, printable
from fourcard.house.house import House
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.strategy_chart import chart_cell_of
from fourcard.odds.strategy_data import StrategyData, strategy_json
from fourcard.server.api.compute_cache import SingleFlightCache, Solver
from fourcard.server.api.data import TAGS as DATA_TAGS
from fourcard.server.api.data import send_data_file
from fourcard.server.api.decisions import decision_costs
from fourcard.server.api.game_lookup import contest_for, contest_key
from fourcard.server.api.params import DataFileParam, NameParam, RulebookParam, TableParam, not_found
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories
from fourcard.server.data_files import STRATEGY_FOLDER, DataFile, data_file, data_makers
from fourcard.server.error_handlers import error_responses

TAGS = ["coach"]
_answers: SingleFlightCache[bytes] = SingleFlightCache(8)
_files: SingleFlightCache[DataFile] = SingleFlightCache(64, waiting=32)
STRATEGY = ResponseSpec(StrategyData, description="The chart and the strategies.", generate_examples=False)


@get(
    "/api/strategy",
    summary="The best decision by hand and up card",
    tags=TAGS,
    responses={**error_responses(400, 404, 429, 503), 200: STRATEGY},
    sync_to_thread=True,
)
def strategy(
    house: NamedDependency[House],
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    table: TableParam = None,
    bonus: NameParam = None,
    rulebook: RulebookParam = None,
) -> Response[bytes]:
    """Return the strategy chart of a table's game or a bonus table, and strategies to memorise."""
    terms = contest_for(house.store, table, bonus, rulebook).contest
    solver.states()
    found = _answers.get(contest_key(terms), lambda: reports.odds.run(compute_strategy, terms))
    return Response(found, media_type="application/json")


def compute_strategy(_histories: Histories, terms: BaseTerms) -> bytes:
    """Compute the strategy data of some terms."""
    return strategy_json(terms)


@get(
    "/data/strategy/{name:str}",
    summary="The chart and the strategies of a rulebook and a bonus table",
    tags=DATA_TAGS,
    responses={**error_responses(404, 429, 503), 200: STRATEGY},
    sync_to_thread=True,
)
def send_strategy(
    request: Request[Any, Any, Any],
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    name: DataFileParam,
) -> Response[bytes]:
    """Return the strategy of a rulebook and a bonus table, such as `maryland-standard.json`."""
    path = f"{STRATEGY_FOLDER}/{name}"
    if path not in data_makers():
        raise not_found(f"no data file '{printable(path)}'")
    solver.states()
    return send_data_file(request, path, _files.get(path, lambda: reports.odds.run(make_file, path)))


def make_file(_histories: Histories, path: str) -> DataFile:
    """Make a data file that takes long."""
    found = data_file(path)
    assert found is not None
    return found


class CellAccuracy(msgspec.Struct, frozen=True):
    """A player's decisions in one cell of the strategy chart."""

    hand: str
    up: str
    decisions: int
    best: int
    """How many were the best one."""
    lost: float
    """Cost of the others, in Antes."""


class AccuracyAnswer(msgspec.Struct, frozen=True):
    """A player's decisions by cell of the strategy chart; each is judged by the terms of its own table."""

    cells: tuple[CellAccuracy, ...]


@get(
    "/api/decisions/cells",
    summary="Your decisions by cell of the strategy chart",
    tags=TAGS,
    responses=error_responses(401, 429, 503),
    sync_to_thread=True,
)
def list_cells(
    reports: NamedDependency[Reports], solver: NamedDependency[Solver], actor: NamedDependency[Actor]
) -> AccuracyAnswer:
    """Compare each of your decisions with the best one, and add them up by hand and up card."""
    if actor.kind != "player":
        return AccuracyAnswer(())
    return reports.pages.run(player_accuracy, actor.person, solver.started_progress())


def player_accuracy(histories: Histories, player: str, solved: float) -> AccuracyAnswer:
    """Return a player's decisions by cell, if enough of the game is solved."""
    costs: dict[tuple[str, str], list[float]] = {}
    for each in decision_costs(histories, player, None, solved):
        assert each.round.up is not None
        cell = chart_cell_of(best_hand(each.place.cards), each.round.up)
        costs.setdefault(cell, []).append(float(each.antes))
    return AccuracyAnswer(
        tuple(
            CellAccuracy(hand, up, len(lost), lost.count(0), sum(lost)) for (hand, up), lost in costs.items()
        )
    )

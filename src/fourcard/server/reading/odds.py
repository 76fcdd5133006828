"""Odds routes: exact odds of every wager and paytable, custom paytables, strategies, printed figures."""

from typing import Any

import msgspec
from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from fourcard.errors import BadInputError
from fourcard.house.house import House
from fourcard.odds.audit import audit_printed
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.contest import multiple_text
from fourcard.odds.cover_all import cover_all
from fourcard.odds.figures import exact
from fourcard.odds.question import odds_of
from fourcard.odds.simulation.running import available_threads
from fourcard.odds.spots import Spots
from fourcard.odds.strategies import OPTIMAL, names, says, strategy_named
from fourcard.provenance import fingerprint
from fourcard.server.documented import problems
from fourcard.server.pages import Page
from fourcard.server.reading.asking import Book, Name
from fourcard.server.reading.figures import Exact, OddsAnswer, PublishedAnswer, StrategyAnswer
from fourcard.server.reading.games import contest_meant, terms_of
from fourcard.server.reading.keeping import Kept
from fourcard.server.reading.odds_asked import (
    OddsAsked,
    OwnTable,
    Wager,
    check_options,
    cover_all_chosen,
    odds_asked,
    question_of,
)
from fourcard.server.reading.odds_index import OddsIndex, odds_index
from fourcard.server.reading.solving import Solver

TAGS = ["odds"]
SOLVED = ("ante", "bad_beat")
"""Wagers whose odds need the solved game."""
ODDS_QUERY = {"odds_query": Provide(odds_asked, sync_to_thread=False)}
MOST_BLOCKS = 1_000
"""Most simulation blocks of an estimate: twice what any printed table needs at the finest precision."""
TOO_FINE = "This paytable varies too much for such a precise estimate; choose a larger 'precision'."
_odds: Kept[OddsAnswer] = Kept(256)
_estimates: Kept[OddsAnswer] = Kept(32)
_strategies: Kept[tuple[StrategyAnswer, ...]] = Kept(16)
_published: Kept[PublishedAnswer] = Kept(1)


@get(
    "/api/odds",
    summary="Every wager with its printed paytables, every strategy",
    tags=TAGS,
    responses=problems(429),
    sync_to_thread=True,
)
def list_odds() -> OddsIndex:
    """Return every wager, paytable and strategy that can be requested."""
    return odds_index()


@get(
    "/api/odds/{wager:str}",
    summary="The odds of a wager",
    tags=TAGS,
    responses=problems(400, 404, 429, 503),
    dependencies=ODDS_QUERY,
    sync_to_thread=True,
)
def show_odds(
    solver: NamedDependency[Solver], wager: FromPath[Wager], odds_query: NamedDependency[OddsAsked]
) -> OddsAnswer:
    """Return the odds of `fourcard odds` for a wager with a printed table."""
    return _answer(solver, wager, odds_query, None)


@post(
    "/api/odds/{wager:str}",
    summary="The odds of a wager with a custom paytable",
    tags=TAGS,
    responses=problems(400, 404, 413, 429, 503),
    status_code=200,
    dependencies=ODDS_QUERY,
    sync_to_thread=True,
)
def count_odds(
    solver: NamedDependency[Solver],
    wager: FromPath[Wager],
    odds_query: NamedDependency[OddsAsked],
    data: JSONBody[OwnTable],
) -> OddsAnswer:
    """Return the odds of a wager with a custom paytable; nothing is stored."""
    return _answer(solver, wager, odds_query, data)


def _answer(
    solver: Solver, wager: FromPath[Wager], odds_query: OddsAsked, own: OwnTable | None
) -> OddsAnswer:
    check_options(wager, odds_query)
    rows = None if own is None else (own.cards, tuple(own.pays.items()))
    key = wager, msgspec.structs.astuple(odds_query), rows
    if wager == "cover_all":
        return _estimates.get(key, lambda: _estimate(odds_query, own))
    if wager in SOLVED:
        solver.states()
    question = question_of(wager, odds_query, own)
    return _odds.get(key, lambda: _odds_answer(odds_of(question).answer()))


def _estimate(odds_query: OddsAsked, own: OwnTable | None) -> OddsAnswer:
    chosen, players = cover_all_chosen(odds_query, own)
    precision, seed = odds_query.precision or 0.001, 1 if odds_query.seed is None else odds_query.seed
    threads = max(1, available_threads() - 1)
    return _odds_answer(
        cover_all(chosen, players, precision, seed, threads=threads, step=_BlockLimit().step).answer()
    )


class _BlockLimit:
    """Stops an estimate that takes too long, because anyone may request one."""

    def __init__(self) -> None:
        self._blocks = 0

    def step(self, _share: float) -> None:
        """Count a block of rounds, or refuse to continue."""
        self._blocks += 1
        if self._blocks > MOST_BLOCKS:
            raise BadInputError(TOO_FINE)


def _odds_answer(answer: dict[str, Any]) -> OddsAnswer:
    return msgspec.convert({**answer, "fingerprint": fingerprint()}, OddsAnswer)


@get(
    "/api/published",
    summary="Every printed figure next to ours",
    tags=TAGS,
    responses=problems(429, 503),
    sync_to_thread=True,
)
def list_published(solver: NamedDependency[Solver]) -> PublishedAnswer:
    """Return every printed figure next to ours, as `fourcard published` does."""
    solver.states()
    return _published.get("", _audit)


def _audit() -> PublishedAnswer:
    figures = [each.answer() for each in audit_printed()]
    return msgspec.convert({"figures": figures, "fingerprint": fingerprint()}, PublishedAnswer)


@get(
    "/api/strategies",
    summary="Strategies compared",
    tags=TAGS,
    responses=problems(400, 404, 429, 503),
    sync_to_thread=True,
)
def list_strategies(
    house: NamedDependency[House], solver: NamedDependency[Solver], bonus: Name = None, rulebook: Book = None
) -> Page[StrategyAnswer]:
    """Return the result of every named strategy with a bonus table, best first."""
    terms, states = contest_meant(house.store, None, bonus, rulebook), solver.states()
    found = _strategies.get(terms_of(terms.contest), lambda: _compare(Spots(states, terms.contest)))
    return Page(found, None)


def _compare(spots: Spots) -> tuple[StrategyAnswer, ...]:
    games = {name: base_game(spots, strategy_named(name)) for name in names()}
    best = games[OPTIMAL].house_edge
    ordered = sorted(games.items(), key=lambda each: (each[0] != OPTIMAL, each[1].house_edge))
    return tuple(_strategy(name, game, _exact(game.house_edge - best)) for name, game in ordered)


def _strategy(name: str, game: BaseGame, cost: Exact) -> StrategyAnswer:
    return StrategyAnswer(
        name=name,
        says=says(name),
        ev_per_ante=_exact(game.ev_per_ante),
        house_edge=_exact(game.house_edge),
        element_of_risk=_exact(game.element_of_risk),
        average_wager=_exact(game.average_wager),
        cost=cost,
        decisions={multiple_text(each): _exact(share) for each, share in game.decisions.items()},
    )


def _exact(value: Any) -> Exact:
    return msgspec.convert(exact(value), Exact)

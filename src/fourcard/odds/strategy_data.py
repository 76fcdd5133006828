"""Strategy data: what the strategy page shows: the chart with values, and the strategies to memorise.

Computing it takes seconds, so the encoded answer is cached in a file of the user's cache folder.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec

from fourcard.answers import json_bytes
from fourcard.cards import RANKS
from fourcard.documents.files import write_atomic
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.odds.disk_cache import cache_folder, core_sources, source_digest
from fourcard.odds.paytable_lookup import NO_BONUS, default_rulebooks
from fourcard.odds.states_cache import MAX_AGE_SECONDS
from fourcard.odds.strategies import DecisionPoints, decision_points, optimal
from fourcard.odds.strategy_chart import ChartCell, RowMask, StrategyChart
from fourcard.odds.strategy_search import RuleStrategy, rule_strategies
from fourcard.rules.paytables import paytable, selectable_tables

BONUS = "automatic_bonus"
LENGTHS = (5, 6, 8)
"""The numbers of rules of the strategies to memorise."""


class StrategyEdge(msgspec.Struct, frozen=True):
    """What a way to play costs, on an Ante of one unit."""

    house_edge: Fraction
    element_of_risk: Fraction
    average_wager: Fraction


class StrategyData(msgspec.Struct, frozen=True):
    """The strategy chart of some terms: rows are kinds of hand, strongest first; columns are up cards."""

    pays: dict[str, str]
    """Payouts of the Automatic Bonus by row; empty without one."""
    ups: tuple[str, ...]
    """Ranks of the up cards, from two up."""
    hands: tuple[str, ...]
    strengths: tuple[tuple[int, int], ...]
    """The lowest and the highest strength of each row, as `fourcard rank` gives it."""
    cells: tuple[tuple[ChartCell, ...], ...]
    optimal: StrategyEdge
    """The best decision in every state."""
    chart: StrategyEdge
    """The decisions of this chart with its exceptions."""
    memorise: tuple[RuleStrategy, ...]
    """Strategies of few rules, the shortest first."""


def strategy_data(terms: BaseTerms) -> StrategyData:
    """Compute the chart and the strategies of some terms."""
    points = decision_points(terms)
    chart = StrategyChart(points)
    cells, across = chart.cells, len(RANKS)
    return StrategyData(
        pays={str(row): str(odds) for row, odds in terms.bonus.items()},
        ups=tuple(RANKS),
        hands=tuple(chart.rows),
        strengths=tuple(_strengths(points, row) for row in chart.rows.values()),
        cells=tuple(cells[at : at + across] for at in range(0, len(cells), across)),
        optimal=_edge(base_game(points, optimal)),
        chart=_edge(base_game(points, chart.decide)),
        memorise=rule_strategies(points, LENGTHS),
    )


def _strengths(points: DecisionPoints, row: RowMask) -> tuple[int, int]:
    held = points.strengths[row]
    return int(held.min()), int(held.max())


def _edge(game: BaseGame) -> StrategyEdge:
    return StrategyEdge(game.house_edge, game.element_of_risk, game.average_wager)


def strategy_json(terms: BaseTerms) -> bytes:
    """Return the strategy data of some terms as JSON: read from the cache, or computed and cached."""
    path = cache_folder() / f"strategy-{_sources()}-{_terms_digest(terms)}.json"
    with suppress(OSError):
        return path.read_bytes()
    found = json_bytes(strategy_data(terms))
    with suppress(OSError):
        write_atomic(path, (found,))
        for expired in _expired(path.parent):
            expired.unlink(missing_ok=True)
    return found


def strategy_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield the name of each data file, such as ``maryland-standard.json``, and what makes it."""
    for rulebook in default_rulebooks():
        tables = selectable_tables(rulebook, BONUS)
        for bonus in tables or (NO_BONUS,):
            pays = paytable(rulebook, BONUS, bonus).pays if tables else {}
            terms = base_terms(rulebook, pays)
            yield f"{rulebook.id}-{bonus}.json", partial(strategy_json, terms)


def _sources() -> str:
    return source_digest((*Path(__file__).parent.glob("*.py"), *core_sources()))


def _terms_digest(terms: BaseTerms) -> str:
    return hashlib.sha256(json_bytes(terms)).hexdigest()[:16]


def _expired(folder: Path) -> list[Path]:
    oldest = time.time() - MAX_AGE_SECONDS
    return [each for each in folder.glob("strategy-*.json") if each.stat().st_mtime < oldest]

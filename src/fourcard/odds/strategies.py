"""Strategies: optimal, best without the up card, published ones, and those of a user's file."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.contest import Contest, contest
from fourcard.odds.printed import is_file
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.rows import kinds
from fourcard.odds.spots import Decisions, Spots, Strategy, decided
from fourcard.odds.states import COMPLETIONS, UP_CARDS
from fourcard.odds.strategy_rules import StrategyError, StrategyFile, read_strategy
from fourcard.odds.table import all_states
from fourcard.rules.game import Game
from fourcard.wagers.wager import odds_by_row

OPTIMAL, BLIND = "optimal", "blind"
PUBLISHED = Path(__file__).parent / "published_strategies"
DESCRIPTIONS = {
    OPTIMAL: "The best decision in every state, counted exactly.",
    BLIND: "The best decision for each hand without looking at the up card.",
}


def optimal(spots: Spots) -> Decisions:
    """Take the decision of the highest value at every point; the smaller wager if several are equal."""
    return _best_by_wins(spots.contest, spots.kinds[:, None], spots.beaten, COMPLETIONS)


def blind(spots: Spots) -> Decisions:
    """Take the decision of the highest value averaged over all up cards."""
    wins = spots.beaten.sum(axis=1, dtype=np.int64)
    return _best_by_wins(spots.contest, spots.kinds, wins, COMPLETIONS * UP_CARDS)[:, None]


def _best_by_wins(
    terms: Contest, held: NDArray[np.uint8], wins: NDArray[np.uint32] | NDArray[np.int64], of: int
) -> Decisions:
    least, most = np.array([terms.thresholds(kind, of) for kind in kinds()], np.int64).T
    found = np.where(wins > most[held], terms.most, np.where(wins > least[held], terms.least, 0))
    return found.astype(np.uint8)


@cache
def published() -> Mapping[str, StrategyFile]:
    """Return the published strategies, by name."""
    found = {path.stem: read_strategy(path) for path in sorted(PUBLISHED.glob("*.toml"))}
    return MappingProxyType(found)


def names() -> tuple[str, ...]:
    """Return the names of the built-in strategies."""
    return OPTIMAL, *published(), BLIND


def strategy_named(name: str) -> Strategy:
    """Return a strategy by its name or from a file."""
    if name == OPTIMAL:
        return optimal
    if name == BLIND:
        return blind
    if name in published():
        return published()[name]
    if is_file(name):
        return read_strategy(Path(name))
    raise StrategyError(f"{name!r} is not a strategy. Choose {', '.join(names())}, or name a TOML file.")


def title(name: str) -> str:
    """Return a strategy's display name; for a file, the name that it contains."""
    chosen = strategy_named(name)
    return chosen.name if isinstance(chosen, StrategyFile) else name


def says(name: str) -> str:
    """Return a one-sentence description of a strategy."""
    chosen = strategy_named(name)
    return chosen.says if isinstance(chosen, StrategyFile) else DESCRIPTIONS[name]


def contest_of(game: Game) -> Contest:
    """Return the base terms of a game, with its Automatic Bonus if it has one."""
    table = game.tables.get("automatic_bonus")
    return contest(game.rulebook, {} if table is None else odds_by_row(table))


def spots_of(terms: Contest, step: Step = no_progress) -> Spots:
    """Return all decision points under the given terms; solves the game first if it is not cached."""
    return Spots(all_states(step), terms)


def decisions(strategy: str, game: Game, step: Step = no_progress) -> Decisions:
    """Return the decisions of a strategy at every point of a game."""
    chosen = strategy_named(strategy)
    return decided(chosen, spots_of(contest_of(game), step))

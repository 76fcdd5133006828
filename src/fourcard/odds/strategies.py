"""The strategies: the best there is, the best without the up card, the published ones, and one's own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourcard.odds.contest import Contest, contest
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.rows import kinds
from fourcard.odds.spots import Decisions, Spots, Strategy, decided
from fourcard.odds.states import COMPLETIONS, UP_CARDS
from fourcard.odds.strategy_rules import StrategyError, StrategyFile, read_strategy
from fourcard.odds.table import all_states
from fourcard.rules.game import Game

OPTIMAL, BLIND = "optimal", "blind"
PUBLISHED = Path(__file__).parent / "published_strategies"
SAYS = {
    OPTIMAL: "The best decision in every state, counted exactly.",
    BLIND: "The best decision for each hand without looking at the up card.",
}


def optimal(spots: Spots) -> Decisions:
    """Take the decision of the highest value in every spot, and the smaller of equal ones."""
    return _by_wins(spots.contest, spots.kinds[:, None], spots.beaten, COMPLETIONS)


def blind(spots: Spots) -> Decisions:
    """Take the decision of the highest value over all up cards together."""
    wins = spots.beaten.sum(axis=1, dtype=np.int64)
    return _by_wins(spots.contest, spots.kinds, wins, COMPLETIONS * UP_CARDS)[:, None]


def _by_wins(
    terms: Contest, held: NDArray[np.uint8], wins: NDArray[np.uint32] | NDArray[np.int64], of: int
) -> Decisions:
    least, most = np.array([terms.thresholds(kind, of) for kind in kinds()], np.int64).T
    found = np.where(wins > most[held], terms.most, np.where(wins > least[held], terms.least, 0))
    return found.astype(np.uint8)


@cache
def published() -> Mapping[str, StrategyFile]:
    """Return the strategies that others have published, by name."""
    return {path.stem: read_strategy(path) for path in sorted(PUBLISHED.glob("*.toml"))}


def names() -> tuple[str, ...]:
    """Return the names of the strategies that need no file."""
    return OPTIMAL, *published(), BLIND


def strategy_named(name: str) -> Strategy:
    """Return a strategy by its name or from its file."""
    if name == OPTIMAL:
        return optimal
    if name == BLIND:
        return blind
    if name in published():
        return published()[name]
    if Path(name).suffix == ".toml" or Path(name).is_file():
        return read_strategy(Path(name))
    raise StrategyError(f"{name!r} is not a strategy; choose {', '.join(names())} or name a TOML file.")


def says(name: str) -> str:
    """Return what a strategy is, in a sentence."""
    chosen = strategy_named(name)
    return chosen.says if isinstance(chosen, StrategyFile) else SAYS[name]


def contest_of(game: Game) -> Contest:
    """Return the contest of a game, with its Automatic Bonus if it has one."""
    table = game.tables.get("automatic_bonus")
    return contest(
        game.rulebook, {} if table is None else {str(row): odds for row, odds in table.pays.items()}
    )


def spots_of(terms: Contest, step: Step = no_progress) -> Spots:
    """Return every spot of a contest; the table is solved first where it has not been kept."""
    return Spots(all_states(step), terms)


def decisions(strategy: str, game: Game, step: Step = no_progress) -> Decisions:
    """Return what a strategy decides in every spot of a game."""
    chosen = strategy_named(strategy)
    return decided(chosen, spots_of(contest_of(game), step))

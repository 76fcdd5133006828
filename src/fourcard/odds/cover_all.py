"""Cover All, estimated: up to seven hands of one deck are too many to count, so whole rounds are simulated.

Only three of a kind or better pays (MA-12b), which nobody folds who plays well, so that no strategy matters.
Rounds are played until the house edge is as certain as asked; the same seed gives the same estimate.
"""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import sqrt

import numpy as np

from fourcard.errors import BadInputError
from fourcard.odds.lowering import Column
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.side_bets import LOSES
from fourcard.odds.simulation.chance import generator
from fourcard.odds.simulation.dealing import shoe_of
from fourcard.odds.simulation.deciding import play_always
from fourcard.odds.simulation.playing import Table, play_rounds, room_for
from fourcard.odds.simulation.running import BLOCK, ROUNDS, available_threads
from fourcard.odds.simulation.seating import Seating
from fourcard.rules.loading import rulebook
from fourcard.rules.nodes import Paytable
from fourcard.rules.options import Options, game_of
from fourcard.rules.rulebook import Rulebook

BOOK = "massachusetts"
TABLE = "matrix"
STAKE = 100
BEST_PRECISION = 1e-5
"""Finer than this would take hours."""


@dataclass(frozen=True)
class CoverAllEstimate:
    """What simulated rounds say of Cover All for a number of players."""

    book: Rulebook
    column: Paytable
    players: int
    seed: int
    nets: Counter[int]
    """Rounds by what a stake of a dollar gained, in cents."""

    @property
    def rounds(self) -> int:
        """Return how many rounds were played."""
        return self.nets.total()

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return where the odds stand."""
        return self.column.clauses

    @cached_property
    def house_edge(self) -> float:
        """Return the estimated share of a stake that the house keeps."""
        return -sum(net * n for net, n in self.nets.items()) / self.rounds / STAKE

    @cached_property
    def standard_deviation(self) -> float:
        """Return the spread of one wager, on each unit staked."""
        square = sum(net * net * n for net, n in self.nets.items()) / self.rounds / STAKE**2
        return sqrt(max(0.0, square - self.house_edge**2))

    @property
    def standard_error(self) -> float:
        """Return how uncertain the house edge is."""
        return self.standard_deviation / sqrt(self.rounds)

    @property
    def hit_frequency(self) -> float:
        """Return how often some row was paid."""
        return 1 - self.nets[-STAKE] / self.rounds

    def answer(self) -> dict[str, object]:
        """Return the estimate as scripts read it: a standard error stands where a fraction would."""
        hits = self.hit_frequency
        return {
            "wager": "cover_all",
            "paytable": TABLE,
            "rulebook": self.book.id,
            "edition": self.book.edition,
            "players": self.players,
            "house_edge": {"value": self.house_edge, "standard_error": self.standard_error},
            "hit_frequency": {"value": hits, "standard_error": sqrt(hits * (1 - hits) / self.rounds)},
            "standard_deviation": self.standard_deviation,
            "outcomes": [
                {"hand": hand, "count": self.nets[net], "of": self.rounds, "pays": pays}
                for hand, pays, net in self.rows()
            ],
            "published": None,
            "rounds": self.rounds,
            "seed": self.seed,
            "clauses": list(self.clauses),
        }

    def rows(self) -> Iterator[tuple[str, str | None, int]]:
        """Yield every row with what it pays and its net gain on a dollar, and losing last."""
        for row, odds in self.column.pays.items():
            yield row, str(odds), int(odds.value * STAKE)
        yield LOSES, None, -STAKE


def cover_all(
    players: int, precision: float, seed: int, *, threads: int | None = None, step: Step = no_progress
) -> CoverAllEstimate:
    """Return the odds of Cover All to a wanted standard error of its house edge."""
    book = rulebook(BOOK)
    rules = book.wagers.cover_all
    assert rules is not None
    column = rules.column(players)
    if column is None:
        raise BadInputError(f"No column of Cover All is printed for {players} players (R46).")
    if not BEST_PRECISION <= precision < 1:
        raise BadInputError(f"The precision must be from {BEST_PRECISION} to 1, not {precision}.")
    game = game_of(BOOK, None, Options(cover_all=TABLE), {})
    seating = Seating(game, {"ante": STAKE, "cover_all": STAKE}, players)
    found, nets = CoverAllEstimate(book, column, players, seed, Counter()), Counter[int]()
    done = 0.0
    for block in _blocks(seating.table(play_always(1)), players, seed, threads or available_threads()):
        nets += block
        found = CoverAllEstimate(book, column, players, seed, nets.copy())
        now = min(1.0, (precision / found.standard_error) ** 2) if found.standard_error else 1.0
        step(max(0.0, now - done))
        done = max(done, now)
        if found.standard_error <= precision:
            break
    return found


def _blocks(table: Table, players: int, seed: int, threads: int) -> Iterator[Counter[int]]:
    """Yield the rounds of one block after the other by net gain, some of them played at once."""

    def play(block: int) -> Counter[int]:
        room = room_for(players, BLOCK)
        play_rounds(table, shoe_of(generator(seed, ROUNDS, block)), room, BLOCK)
        values, times = np.unique(room.results.nets[::players, Column.COVER_ALL], return_counts=True)
        return Counter(dict(zip(values.tolist(), times.tolist(), strict=True)))

    with ThreadPoolExecutor(threads) as pool:
        for first in count(0, threads):
            yield from pool.map(play, range(first, first + threads))

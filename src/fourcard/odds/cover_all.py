"""Cover All estimate: simulates whole rounds, because up to seven hands of one deck are too many to count.

Only three of a kind or better pays (MA-12b), which no sensible player folds, so the strategy does not
matter. Rounds are played until the house edge reaches the precision; the same seed gives the same estimate.
"""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import sqrt

import msgspec
import numpy as np

from fourcard.odds.figures import Distribution, Outcome
from fourcard.odds.lowering import Lowered
from fourcard.odds.printed import Chosen, TableError, own_table
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.rows import kind_of_strength, kinds
from fourcard.odds.side_bets import LOSES, on_a_stake
from fourcard.odds.simulation.chance import checked_seed, generator
from fourcard.odds.simulation.dealing import deal, room_for_deals, shoe_of
from fourcard.odds.simulation.ranking import evaluators, rank, room_for_ranks
from fourcard.odds.simulation.running import BLOCK, ROUNDS, available_threads
from fourcard.odds.simulation.seating import Seating
from fourcard.rules.loading import rulebook
from fourcard.rules.options import Options, game_of
from fourcard.rules.rulebook import Rulebook

MATRIX = "matrix"
BOOK = "massachusetts"
STAKE = 100
BEST_PRECISION = 1e-5
"""A smaller standard error would take hours."""
LEAST_BLOCKS = 16
"""About a million rounds, so that no estimate stops before the rare rows have occurred."""


class CoverAllEstimate(msgspec.Struct, frozen=True, dict=True):
    """The estimated odds of Cover All for a number of players."""

    chosen: Chosen
    players: int
    seed: int
    tables: Counter[int]
    """The number of rounds by the kinds of hand at the table, as bits."""

    @property
    def rounds(self) -> int:
        """Return the number of rounds played."""
        return self.tables.total()

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses of the paytable."""
        return self.chosen.table.clauses

    @cached_property
    def rows(self) -> dict[str, int]:
        """Return how often each row was the highest at the table; losing rounds come last."""
        found = dict.fromkeys((*self.chosen.pays, LOSES), 0)
        for held, times in self.tables.items():
            present = [kind for index, kind in enumerate(kinds()) if held >> index & 1]
            row = next((row for row in self.chosen.pays if any(row in kind for kind in present)), LOSES)
            found[row] += times
        return found

    @cached_property
    def distribution(self) -> Distribution:
        """Return the rows as outcomes with their observed frequencies."""
        net, pays = on_a_stake(STAKE), self.chosen.pays
        paid = [Outcome(row, self.rows[row], self.rounds, str(odds), net(odds)) for row, odds in pays.items()]
        return Distribution((*paid, Outcome(LOSES, self.rows[LOSES], self.rounds, None, Fraction(-1))))

    @property
    def house_edge(self) -> float:
        """Return the estimated house edge."""
        return float(self.distribution.house_edge)

    @property
    def standard_deviation(self) -> float:
        """Return the standard deviation of one wager per unit staked."""
        return self.distribution.standard_deviation

    @property
    def standard_error(self) -> float:
        """Return the standard error of the house edge."""
        return self.standard_deviation / sqrt(self.rounds)

    @property
    def hit_frequency(self) -> float:
        """Return how often any row was paid."""
        return float(self.distribution.hit_frequency)

    def answer(self) -> dict[str, object]:
        """Return the estimate as JSON data, with standard errors instead of fractions."""
        hits = self.hit_frequency
        return {
            "wager": "cover_all",
            "paytable": self.chosen.id,
            "rulebook": self.chosen.book.id,
            "edition": self.chosen.book.edition,
            "players": self.players,
            "house_edge": {"value": self.house_edge, "standard_error": self.standard_error},
            "hit_frequency": {"value": hits, "standard_error": sqrt(hits * (1 - hits) / self.rounds)},
            "standard_deviation": self.standard_deviation,
            "outcomes": [each.answer() for each in self.distribution.outcomes],
            "published": None,
            "rounds": self.rounds,
            "seed": self.seed,
            "clauses": list(self.clauses),
        }


def cover_all_table(players: int, named: str | None = None, book: Rulebook | None = None) -> Chosen:
    """Return the paytable for a number of players: the printed column (R5), or a custom one."""
    if book is not None and book.wagers.cover_all is None:
        raise TableError(f"The rulebook {book.id} has no Cover All.")
    home = book or rulebook(BOOK)
    rules = home.wagers.cover_all
    assert rules is not None
    column = rules.column(players)
    if column is None:
        raise TableError(f"Cover All has no printed column for {players} players (R46).")
    if named is None or named == MATRIX:
        return Chosen("cover_all", MATRIX, column, home)
    return own_table("cover_all", named, home)


def cover_all(
    chosen: Chosen,
    players: int,
    precision: float,
    seed: int,
    *,
    threads: int | None = None,
    step: Step = no_progress,
) -> CoverAllEstimate:
    """Estimate the odds of Cover All to a given standard error of its house edge."""
    if not BEST_PRECISION <= precision < 1:
        raise TableError(f"The precision must be from {BEST_PRECISION} to 1, not {precision}.")
    game = game_of(BOOK, None, Options(cover_all=MATRIX), {})
    compiled = Seating(game, {"ante": STAKE, "cover_all": STAKE}, players).lowered()
    seen, done = Counter[int](), 0.0
    found = CoverAllEstimate(chosen, players, checked_seed(seed), seen)
    for number, block in enumerate(_blocks(compiled, players, found.seed, threads or available_threads()), 1):
        seen += block
        found = CoverAllEstimate(chosen, players, found.seed, seen.copy())
        error = found.standard_error
        now = min(1.0, number / LEAST_BLOCKS, (precision / error) ** 2 if error else 1.0)
        step(max(0.0, now - done))
        done = max(done, now)
        if error <= precision and number >= LEAST_BLOCKS:
            break
    return found


def _blocks(game: Lowered, players: int, seed: int, threads: int) -> Iterator[Counter[int]]:
    """Yield, block after block, the counts of rounds by the kinds at the table; blocks run in parallel."""
    tables, kind = evaluators(game), kind_of_strength()

    def play(block: int) -> Counter[int]:
        deals, ranks = room_for_deals(BLOCK, players), room_for_ranks(BLOCK, players)
        deal(shoe_of(generator(seed, ROUNDS, block)), deals, BLOCK, players)
        rank(game, tables, deals, ranks, BLOCK, players)
        hands = np.column_stack([ranks.players.reshape(BLOCK, players), ranks.dealers])
        present = np.bitwise_or.reduce(np.int64(1) << kind[hands].astype(np.int64), axis=1)
        values, times = np.unique(present, return_counts=True)
        return Counter(dict(zip(values.tolist(), times.tolist(), strict=True)))

    with ThreadPoolExecutor(threads) as pool:
        for first in count(0, threads):
            yield from pool.map(play, range(first, first + threads))

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
from msgspec.structs import replace

from fourcard.answers import Estimate
from fourcard.odds.compile_game import CompiledGame
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.hand_kinds import hand_kinds, kind_of_strength
from fourcard.odds.paytable_lookup import PaytableError, PaytableRef, default_rulebooks, read_custom_paytable
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.side_bets import LOSES, net_per_unit
from fourcard.odds.simulation.dealing import deal, deal_buffers, generator_state, new_shoe, seed_or_random
from fourcard.odds.simulation.kernel import evaluator_tables, rank_buffers, rank_hands
from fourcard.odds.simulation.runner import BLOCK, ROUNDS_PURPOSE, available_threads
from fourcard.odds.simulation.table_setup import TableSetup
from fourcard.rules.game import Game
from fourcard.rules.line_options import LineOptions, game_of
from fourcard.rules.rulebook import Rulebook
from fourcard.rules.submission import WagerLimits

MATRIX = "matrix"
STAKE = 100
BEST_PRECISION = 1e-5
"""A smaller standard error would take hours."""
LEAST_BLOCKS = 16
"""About a million rounds, so that no estimate stops before the rare rows have occurred."""


class CoverAllEstimate(msgspec.Struct, frozen=True, dict=True):
    """The estimated odds of Cover All for a number of players."""

    paytable: PaytableRef
    players: int
    seed: int
    tables: Counter[int]
    """The number of rounds by the kinds of hand at the table, as bits."""

    @property
    def rounds(self) -> int:
        """Return the number of rounds played."""
        return self.tables.total()

    @cached_property
    def rows(self) -> dict[str, int]:
        """Return how often each row was the highest at the table; losing rounds come last."""
        found = dict.fromkeys((*self.paytable.pays, LOSES), 0)
        for held, times in self.tables.items():
            present = [kind for index, kind in enumerate(hand_kinds()) if held >> index & 1]
            row = next((row for row in self.paytable.pays if any(row in kind for kind in present)), LOSES)
            found[row] += times
        return found

    @cached_property
    def distribution(self) -> Distribution:
        """Return the rows as outcomes with their observed frequencies."""
        net, pays = net_per_unit(STAKE), self.paytable.pays
        paid = [
            WagerOutcome(row, self.rows[row], self.rounds, str(odds), net(odds)) for row, odds in pays.items()
        ]
        return Distribution((*paid, WagerOutcome(LOSES, self.rows[LOSES], self.rounds, None, Fraction(-1))))

    @property
    def house_edge(self) -> Estimate:
        """Return the estimated house edge."""
        return Estimate(self.distribution.house_edge, self.standard_deviation / sqrt(self.rounds))

    @property
    def standard_deviation(self) -> float:
        """Return the standard deviation of one wager per unit staked."""
        return self.distribution.standard_deviation

    @property
    def hit_frequency(self) -> Estimate:
        """Return how often any row was paid."""
        return estimated_share(self.distribution.hit_frequency, self.rounds)


def estimated_share(share: Fraction, rounds: int) -> Estimate:
    """Return the share of some rounds as an estimate of a probability."""
    value = float(share)
    return Estimate(share, sqrt(value * (1 - value) / rounds))


def find_cover_all_paytable(
    players: int, named: str | None = None, chosen_rulebook: Rulebook | None = None
) -> PaytableRef:
    """Return the paytable for a number of players: the printed column (R5), or a custom one."""
    if chosen_rulebook is not None and chosen_rulebook.wagers.cover_all is None:
        raise PaytableError(f"The rulebook {chosen_rulebook.id} has no Cover All.")
    home = chosen_rulebook or next(each for each in default_rulebooks() if each.wagers.cover_all is not None)
    rules = home.wagers.cover_all
    assert rules is not None
    column = rules.column(players)
    if column is None:
        raise PaytableError(f"Cover All has no printed column for {players} players (R46).")
    if named is None or named == MATRIX:
        return PaytableRef("cover_all", MATRIX, column, home)
    return read_custom_paytable("cover_all", named, home)


def cover_all(
    chosen: PaytableRef,
    players: int,
    precision: float,
    seed: int,
    *,
    game: Game | None = None,
    threads: int | None = None,
    step: ProgressCallback = no_progress,
) -> CoverAllEstimate:
    """Estimate the odds of Cover All to a given standard error of its house edge.

    The rounds are of a pinned game, or by default of the paytable's rulebook.
    """
    if not BEST_PRECISION <= precision < 1:
        raise PaytableError(f"The precision must be from {BEST_PRECISION} to 1, not {precision}.")
    home = chosen.rulebook
    game = game or game_of(home.id, home.edition, LineOptions(cover_all=MATRIX), {})
    game = replace(game, submission=replace(game.submission, limits=WagerLimits()))
    compiled = TableSetup(game, {"ante": STAKE, "cover_all": STAKE}, players).compile()
    seen, done = Counter[int](), 0.0
    found = CoverAllEstimate(chosen, players, seed_or_random(seed), seen)
    for number, block in enumerate(
        _played_blocks(compiled, players, found.seed, threads or available_threads()), 1
    ):
        seen += block
        found = CoverAllEstimate(chosen, players, found.seed, seen.copy())
        error = found.house_edge.standard_error
        now = min(1.0, number / LEAST_BLOCKS, (precision / error) ** 2 if error else 1.0)
        step(max(0.0, now - done))
        done = max(done, now)
        if error <= precision and number >= LEAST_BLOCKS:
            break
    return found


def _played_blocks(game: CompiledGame, players: int, seed: int, threads: int) -> Iterator[Counter[int]]:
    """Yield, block after block, the counts of rounds by the kinds at the table; blocks run in parallel."""
    tables, kind = evaluator_tables(game), kind_of_strength()

    def play(block: int) -> Counter[int]:
        deals, ranks = deal_buffers(BLOCK, players), rank_buffers(BLOCK, players)
        deal(new_shoe(generator_state(seed, ROUNDS_PURPOSE, block)), deals, BLOCK, players)
        rank_hands(game, tables, deals, ranks, BLOCK, players)
        hands = np.column_stack([ranks.players.reshape(BLOCK, players), ranks.dealers])
        present = np.bitwise_or.reduce(np.int64(1) << kind[hands].astype(np.int64), axis=1)
        values, times = np.unique(present, return_counts=True)
        return Counter(dict(zip(values.tolist(), times.tolist(), strict=True)))

    with ThreadPoolExecutor(threads) as pool:
        for first in count(0, threads):
            yield from pool.map(play, range(first, first + threads))

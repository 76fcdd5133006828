"""Simulation runner: plays rounds in blocks on all threads, estimates edges with errors, and exports rounds.

A block's cards depend only on the seed and the block number, and blocks are added up in order, so the same
seed gives the same result with any number of threads. The positions of one round share a dealer and a deck,
so errors are computed from rounds, never from positions.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from math import sqrt
from threading import local
from typing import Any

import msgspec
from msgspec.structs import asdict

from fourcard.cards import card_text, cards_text
from fourcard.odds.compile_game import COLUMNS, WagerColumn
from fourcard.odds.simulation.dealing import generator_state, new_shoe, seed_or_random
from fourcard.odds.simulation.kernel import (
    BatchBuffers,
    BlockSums,
    KernelInputs,
    SquareColumn,
    batch_buffers,
    empty_sums,
    play_block,
    play_rounds,
)
from fourcard.odds.simulation.strategy_kernel import Decisions
from fourcard.odds.simulation.table_setup import TableSetup
from fourcard.refusals import BadInputError
from fourcard.rules.line_options import options_of
from fourcard.wagers import BASE_GAME, SPECIFICATIONS, WagerName

DECISIONS = ("fold", "1x", "2x", "3x")


class SimulationTotals(msgspec.Struct, frozen=True):
    """Sums over all rounds so far, added up in the order of the blocks."""

    rounds: int = 0
    nets: tuple[int, ...] = (0,) * len(WagerColumn)
    plays: tuple[int, ...] = (0,) * len(DECISIONS)
    played: int = 0
    squares: tuple[float, ...] = (0.0,) * (len(WagerColumn) + len(SquareColumn))

    def with_block(self, rounds: int, sums: BlockSums) -> "SimulationTotals":
        """Return the totals with one more block."""
        return SimulationTotals(
            self.rounds + rounds,
            tuple(a + b for a, b in zip(self.nets, sums.nets.tolist(), strict=True)),
            tuple(a + b for a, b in zip(self.plays, sums.plays.tolist(), strict=True)),
            self.played + int(sums.played[0]),
            tuple(a + b for a, b in zip(self.squares, sums.squares.tolist(), strict=True)),
        )


class EdgeEstimate(msgspec.Struct, frozen=True):
    """An estimated house edge with its standard error."""

    edge: float
    standard_error: float | None
    """None after a single round."""
    standard_deviation: float | None
    """Of one round's result, per unit staked."""
    net: int
    """The players' total gain in cents."""
    staked: int


class BaseEstimate(EdgeEstimate, frozen=True):
    """The estimate of the base game with further figures, by default per unit of Ante."""

    parts: dict[WagerName, float]
    """The player's gain on Ante, Play and Automatic Bonus."""
    average_wager: float
    element_of_risk: float
    """The house's gain per unit wagered, Play included."""
    element_of_risk_error: float | None
    decisions: dict[str, float]
    """The frequency of each decision."""


def estimates(seating: TableSetup, totals: SimulationTotals) -> dict[str, EdgeEstimate]:
    """Return the estimate of each wager made.

    ``ante`` is the whole base game (Ante, Play and Automatic Bonus) per unit of Ante. Envy has no stake of
    its own; it is given per unit of the progressive stake, alone and together with the progressive. ``all``
    is everything per unit staked before the deal.
    """
    stakes, nets, squares = seating.stakes, totals.nets, totals.squares
    found: dict[str, EdgeEstimate] = {}
    base = nets[WagerColumn.ANTE] + nets[WagerColumn.PLAY] + nets[WagerColumn.AUTOMATIC_BONUS]
    if "ante" in stakes:
        edge = _estimate(seating, totals, base, squares[SquareColumn.BASE], stakes["ante"])
        found["ante"] = _base_estimate(seating, totals, edge)
    for name, column in COLUMNS.items():
        if name in BASE_GAME:
            continue
        stake = stakes.get(SPECIFICATIONS[name].pays_on or name, 0)
        if stake and (name != "envy" or (seating.players > 1 and seating.game.offers("envy"))):
            found[name] = _estimate(seating, totals, nets[column], squares[column], stake)
    if "envy" in found:
        net = nets[WagerColumn.PROGRESSIVE] + nets[WagerColumn.ENVY]
        shared = squares[SquareColumn.SHARED]
        found["progressive_and_envy"] = _estimate(seating, totals, net, shared, stakes["progressive"])
    found["all"] = _estimate(seating, totals, sum(nets), squares[SquareColumn.ALL], sum(stakes.values()))
    return found


def _estimate(
    seating: TableSetup, totals: SimulationTotals, net: int, square: float, stake: int
) -> EdgeEstimate:
    rounds, staked = totals.rounds, stake * seating.players
    deviation = _deviation(rounds, float(net), square)
    return EdgeEstimate(
        edge=-net / (rounds * staked),
        standard_error=None if deviation is None else deviation / sqrt(rounds) / staked,
        standard_deviation=None if deviation is None else deviation / staked,
        net=net,
        staked=rounds * staked,
    )


def _deviation(rounds: int, total: float, square: float) -> float | None:
    """Return the standard deviation of one round's result, in cents."""
    if rounds < 2:
        return None
    return sqrt(max(0.0, square - total * total / rounds) / (rounds - 1))


def _base_estimate(seating: TableSetup, totals: SimulationTotals, edge: EdgeEstimate) -> BaseEstimate:
    ante = seating.stakes["ante"] * seating.players
    rounds, played, squares = totals.rounds, totals.played, totals.squares
    antes, net = rounds * ante, edge.net
    risk = -net / (antes + played)
    error = None
    if rounds > 1:
        products = ante * net + squares[SquareColumn.BASE_AND_PLAYED]
        wagers = ante * ante * rounds + 2 * ante * played + squares[SquareColumn.PLAYED]
        rest = squares[SquareColumn.BASE] + 2 * risk * products + risk * risk * wagers
        error = sqrt(max(0.0, rest) * rounds / (rounds - 1)) / (antes + played)
    parts = {name: totals.nets[COLUMNS[name]] / antes for name in BASE_GAME}
    decided = rounds * seating.players
    shares = {name: count / decided for name, count in zip(DECISIONS, totals.plays, strict=True)}
    return BaseEstimate(
        **asdict(edge),
        parts=parts,
        average_wager=1 + played / antes,
        element_of_risk=risk,
        element_of_risk_error=error,
        decisions=shares,
    )


BLOCK = 1 << 16
"""Rounds per random generator."""
MAX_ROUNDS = 10**12
QUEUED_BLOCKS = 3
"""Blocks submitted per thread before waiting for the first."""
ROUNDS_PURPOSE = 0
"""Generator purpose for the rounds of a simulation; sessions use another number."""
TotalsCallback = Callable[[SimulationTotals], None]


class PrecisionGoal(msgspec.Struct, frozen=True):
    """A standard error of one wager's edge at which to stop early."""

    wager: str
    precision: float

    def is_reached(self, seating: TableSetup, totals: SimulationTotals) -> bool:
        """Return whether the estimate has reached the precision."""
        error = estimates(seating, totals)[self.wager].standard_error
        return error is not None and 0 < error <= self.precision


class Simulation(msgspec.Struct, frozen=True):
    """The totals of a simulation."""

    setup: TableSetup
    totals: SimulationTotals
    seed: int
    threads: int
    seconds: float
    interrupted: bool
    """Whether the user stopped it; the totals then cover only complete blocks."""


def available_threads() -> int:
    """Return how many threads can run in parallel."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    seating: TableSetup,
    decisions: Decisions,
    rounds: int,
    *,
    seed: int | None = None,
    threads: int | None = None,
    goal: PrecisionGoal | None = None,
    progress: TotalsCallback | None = None,
) -> Simulation:
    """Play rounds under a strategy; with a goal, stop as soon as it is reached."""
    _check_arguments(seating, rounds, threads, goal)
    used_seed, workers = seed_or_random(seed), threads or available_threads()
    table = seating.kernel_inputs(decisions)
    play_block(
        table,
        new_shoe(generator_state(used_seed, ROUNDS_PURPOSE, 0)),
        batch_buffers(seating.players),
        empty_sums(),
        0,
        seating.players,
    )
    started, totals, interrupted = time.perf_counter(), SimulationTotals(), False
    try:
        for size, sums in _blocks(table, seating.players, rounds, used_seed, workers):
            totals = totals.with_block(size, sums)
            if progress is not None:
                progress(totals)
            if goal is not None and goal.is_reached(seating, totals):
                break
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(seating, totals, used_seed, workers, time.perf_counter() - started, interrupted)


def _check_arguments(
    seating: TableSetup, rounds: int, threads: int | None, goal: PrecisionGoal | None
) -> None:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise BadInputError(f"The number of rounds must be from 1 to {MAX_ROUNDS:,}, not {rounds:,}.")
    if threads is not None and threads < 1:
        raise BadInputError(f"The number of threads must be at least 1, not {threads}.")
    if goal is None:
        return
    if not goal.precision > 0:
        raise BadInputError(f"The precision must be above zero, not {goal.precision}.")
    known = estimates(seating, SimulationTotals(rounds=1))
    if goal.wager not in known:
        raise BadInputError(f"'{goal.wager}' is not estimated here. Choose one of: {', '.join(known)}.")


def _blocks(
    table: KernelInputs, seats: int, rounds: int, seed: int, threads: int
) -> Iterator[tuple[int, BlockSums]]:
    """Yield the sums of every block in order, while later blocks are being played."""
    per_thread = local()

    def play(block: int, size: int) -> tuple[int, BlockSums]:
        room: BatchBuffers | None = getattr(per_thread, "room", None)
        if room is None:
            room = per_thread.room = batch_buffers(seats)
        sums = empty_sums()
        play_block(table, new_shoe(generator_state(seed, ROUNDS_PURPOSE, block)), room, sums, size, seats)
        return size, sums

    sizes = ((block, min(BLOCK, rounds - first)) for block, first in enumerate(range(0, rounds, BLOCK)))
    waiting: deque[Future[tuple[int, BlockSums]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for block, size in sizes:
                waiting.append(pool.submit(play, block, size))
                if len(waiting) > QUEUED_BLOCKS * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()


ROUNDS_PER_BATCH = 1_024
"""Rounds dealt at a time; divides the number of rounds in a block."""
MAX_LINES = 1_000_000


def check_export_size(rounds: int) -> None:
    """Refuse more rounds than can be exported."""
    if rounds > MAX_LINES:
        raise BadInputError(f"At most {MAX_LINES:,} rounds can be exported, not {rounds:,}.")


def export_rounds(seating: TableSetup, decisions: Decisions, rounds: int, seed: int) -> Iterator[bytes]:
    """Yield the rounds that a simulation with this seed plays, one JSON object per line."""
    check_export_size(rounds)
    table, seats = seating.kernel_inputs(decisions), seating.players
    common = _common_fields(seating)
    room = batch_buffers(seats, ROUNDS_PER_BATCH)
    encode = msgspec.json.Encoder().encode
    shoe = new_shoe(generator_state(seed, ROUNDS_PURPOSE, 0))
    for first in range(0, rounds, ROUNDS_PER_BATCH):
        if first and first % BLOCK == 0:
            shoe = new_shoe(generator_state(seed, ROUNDS_PURPOSE, first // BLOCK))
        some = min(ROUNDS_PER_BATCH, rounds - first)
        play_rounds(table, shoe, room, some)
        players, dealers = room.deals.players.tolist(), room.deals.dealer.tolist()
        plays, bonus = room.results.plays.tolist(), room.deals.bonus.tolist()
        for turn in range(some):
            rows = range(turn * seats, (turn + 1) * seats)
            line = {
                "id": first + turn + 1,
                **common,
                "seats": [
                    _seat_fields(seating, row - rows.start + 1, players[row], plays[row]) for row in rows
                ],
                "dealer": cards_text(dealers[turn]),
            }
            if "six_card" in seating.stakes:
                line["bonus_card"] = card_text(bonus[turn])
            yield encode(line) + b"\n"


def _seat_fields(seating: TableSetup, position: int, cards: list[int], play: int) -> dict[str, object]:
    seat: dict[str, object] = {
        "position": position,
        "cards": cards_text(cards),
        "wagers": dict(seating.stakes),
    }
    if "ante" in seating.stakes:
        seat["play"] = play * seating.stakes["ante"]
    return seat


def _common_fields(seating: TableSetup) -> dict[str, Any]:
    """Return the fields of every line: rulebook, options, settings and meter."""
    game = seating.game
    common: dict[str, Any] = {
        "rulebook": game.rulebook.id,
        "edition": game.rulebook.edition,
        "options": options_of(game),
        "settings": dict(game.submission.settings),
    }
    if "progressive" in seating.stakes:
        common |= {"meter": seating.meter_shown, "reset": seating.reset_shown}
    return common

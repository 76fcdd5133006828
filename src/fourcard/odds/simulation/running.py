"""Simulation runner: plays rounds in blocks of fixed size on all threads, and estimates after each block.

A block's cards depend only on the seed and the block number, and blocks are added up in order, so the same
seed gives the same result with any number of threads.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local

import msgspec

from fourcard.errors import BadInputError
from fourcard.odds.simulation.chance import checked_seed, generator
from fourcard.odds.simulation.dealing import shoe_of
from fourcard.odds.simulation.deciding import Decisions
from fourcard.odds.simulation.playing import Room, Sums, Table, no_sums, play_block, room_for
from fourcard.odds.simulation.results import Totals, estimates
from fourcard.odds.simulation.seating import Seating

BLOCK = 1 << 16
"""Rounds per random generator."""
MOST_ROUNDS = 10**12
AHEAD = 3
"""Blocks submitted per thread before waiting for the first."""
ROUNDS = 0
"""Generator purpose for the rounds of a simulation; sessions use another number."""
Progress = Callable[[Totals], None]


class Goal(msgspec.Struct, frozen=True):
    """A standard error of one wager's edge at which to stop early."""

    wager: str
    precision: float

    def reached(self, seating: Seating, totals: Totals) -> bool:
        """Return whether the estimate has reached the precision."""
        error = estimates(seating, totals)[self.wager].standard_error
        return error is not None and 0 < error <= self.precision


class Simulation(msgspec.Struct, frozen=True):
    """The totals of a simulation."""

    seating: Seating
    totals: Totals
    seed: int
    threads: int
    seconds: float
    interrupted: bool
    """Whether the user stopped it; the totals then cover only complete blocks."""


def available_threads() -> int:
    """Return how many threads can run in parallel."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    seating: Seating,
    decisions: Decisions,
    rounds: int,
    *,
    seed: int | None = None,
    threads: int | None = None,
    goal: Goal | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play rounds under a strategy; with a goal, stop as soon as it is reached."""
    _check(seating, rounds, threads, goal)
    used_seed, workers = checked_seed(seed), threads or available_threads()
    table = seating.table(decisions)
    play_block(
        table,
        shoe_of(generator(used_seed, ROUNDS, 0)),
        room_for(seating.players),
        no_sums(),
        0,
        seating.players,
    )
    started, totals, interrupted = time.perf_counter(), Totals(), False
    try:
        for size, sums in _blocks(table, seating.players, rounds, used_seed, workers):
            totals = totals.plus(size, sums)
            if progress is not None:
                progress(totals)
            if goal is not None and goal.reached(seating, totals):
                break
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(seating, totals, used_seed, workers, time.perf_counter() - started, interrupted)


def _check(seating: Seating, rounds: int, threads: int | None, goal: Goal | None) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInputError(f"The number of rounds must be from 1 to {MOST_ROUNDS:,}, not {rounds:,}.")
    if threads is not None and threads < 1:
        raise BadInputError(f"The number of threads must be at least 1, not {threads}.")
    if goal is None:
        return
    if not goal.precision > 0:
        raise BadInputError(f"The precision must be above zero, not {goal.precision}.")
    known = estimates(seating, Totals(rounds=1))
    if goal.wager not in known:
        raise BadInputError(f"'{goal.wager}' is not estimated here. Choose one of: {', '.join(known)}.")


def _blocks(table: Table, seats: int, rounds: int, seed: int, threads: int) -> Iterator[tuple[int, Sums]]:
    """Yield the sums of every block in order, while later blocks are being played."""
    per_thread = local()

    def play(block: int, size: int) -> tuple[int, Sums]:
        room: Room | None = getattr(per_thread, "room", None)
        if room is None:
            room = per_thread.room = room_for(seats)
        sums = no_sums()
        play_block(table, shoe_of(generator(seed, ROUNDS, block)), room, sums, size, seats)
        return size, sums

    sizes = ((block, min(BLOCK, rounds - first)) for block, first in enumerate(range(0, rounds, BLOCK)))
    waiting: deque[Future[tuple[int, Sums]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for block, size in sizes:
                waiting.append(pool.submit(play, block, size))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()

"""Running: rounds in blocks of fixed size over all threads, with the estimate so far after each block.

A block's cards follow from the seed and the block's number, and blocks are added up in their order, so that
the same seed gives the same answer whatever the number of threads.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import local

from fourcard.errors import BadInputError
from fourcard.odds.simulation.chance import checked_seed, generator
from fourcard.odds.simulation.dealing import shoe_of
from fourcard.odds.simulation.deciding import Decisions
from fourcard.odds.simulation.playing import Room, Sums, Table, no_sums, play_block, room_for
from fourcard.odds.simulation.results import Totals, estimates
from fourcard.odds.simulation.seating import Seating

BLOCK = 1 << 16
"""Rounds of one generator."""
MOST_ROUNDS = 10**12
AHEAD = 3
"""Blocks begun for each thread before the first of them is waited for."""
ROUNDS = 0
"""The purpose of a generator that deals the rounds of a simulation; sessions have another."""
Progress = Callable[[Totals], None]


@dataclass(frozen=True)
class Goal:
    """When to stop before all rounds are played: at a standard error of one wager's edge."""

    wager: str
    precision: float

    def reached(self, seating: Seating, totals: Totals) -> bool:
        """Say whether the estimate is as certain as was asked."""
        error = estimates(seating, totals)[self.wager].standard_error
        return error is not None and 0 < error <= self.precision


@dataclass(frozen=True)
class Simulation:
    """Simulated rounds, added up."""

    seating: Seating
    totals: Totals
    seed: int
    threads: int
    seconds: float
    interrupted: bool
    """Whether somebody stopped it; what it holds until then is whole."""


def available_threads() -> int:
    """Return how many threads can run at once."""
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
    """Play rounds under a strategy; with a goal, as many as it takes and no more than given."""
    _check(seating, rounds, threads, goal)
    chosen, workers = checked_seed(seed), threads or available_threads()
    table = seating.table(decisions)
    play_block(
        table, shoe_of(generator(chosen, ROUNDS, 0)), room_for(seating.players), no_sums(), 0, seating.players
    )
    begun, totals, interrupted = time.perf_counter(), Totals(), False
    try:
        for size, sums in _blocks(table, seating.players, rounds, chosen, workers):
            totals = totals.plus(size, sums)
            if progress is not None:
                progress(totals)
            if goal is not None and goal.reached(seating, totals):
                break
    except KeyboardInterrupt:
        interrupted = True
    return Simulation(seating, totals, chosen, workers, time.perf_counter() - begun, interrupted)


def _check(seating: Seating, rounds: int, threads: int | None, goal: Goal | None) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInputError(f"The number of rounds must be from 1 to {MOST_ROUNDS:,}, not {rounds:,}.")
    if threads is not None and threads < 1:
        raise BadInputError(f"At least one thread must play, not {threads}.")
    if goal is None:
        return
    if not goal.precision > 0:
        raise BadInputError(f"A standard error to stop at must be above zero, not {goal.precision}.")
    known = estimates(seating, Totals(rounds=1))
    if goal.wager not in known:
        raise BadInputError(f"'{goal.wager}' is not estimated here; there are {', '.join(known)}.")


def _blocks(table: Table, seats: int, rounds: int, seed: int, threads: int) -> Iterator[tuple[int, Sums]]:
    """Yield the sums of every block in order, while later ones are being played."""
    kept = local()

    def play(block: int, size: int) -> tuple[int, Sums]:
        room: Room | None = getattr(kept, "room", None)
        if room is None:
            room = kept.room = room_for(seats)
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

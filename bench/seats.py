"""Live players of a house, run as a separate process: they connect, play for a while, and report.

The process prints a line when all players are connected and waits for a line. It prints another when
measuring starts, after the warm-up, and at the end it prints the result.
"""

import asyncio
import sys
import time
from random import Random

import msgspec
import uvloop

from bench.children import READY
from bench.founding import Seat
from bench.seat import Company, Notes, Player

TICK = 0.01
"""Seconds between two checks of this process's own delay."""
AT_ONCE = 20
"""Connections opened at the same time."""


class Load(msgspec.Struct, frozen=True):
    """The players, their pace, and the durations in seconds."""

    port: int
    seats: tuple[Seat, ...]
    every: float
    warm: float
    span: float


class Found(msgspec.Struct, frozen=True):
    """The result of one measurement."""

    span: float
    acts: int
    rounds: int
    messages: int
    bytes: int
    refused: int
    answered: list[float]
    """Seconds from sending a command to its answer."""
    seen: list[float]
    """Seconds from the answer to a decision to its push to each other seat; negative if the push is first."""
    late: list[float]
    """Seconds by which this process was delayed."""
    cpu: float


async def run(load: Load) -> Found:
    """Connect all players, and play."""
    notes, tables = Notes(), dict[str, Company]()
    players = [
        Player(seat, tables.setdefault(seat.table, Company()), notes, load.every) for seat in load.seats
    ]
    tasks = list[asyncio.Task[None]]()
    for place in range(0, len(players), AT_ONCE):
        some = players[place : place + AT_ONCE]
        tasks += [asyncio.create_task(player.listen(load.port)) for player in some]
        await asyncio.gather(*(player.seen() for player in some))
    _say(READY)
    await asyncio.to_thread(sys.stdin.readline)
    tasks += [asyncio.create_task(_sit_in(company, load.every)) for company in tables.values()]
    await asyncio.sleep(load.warm)
    _say(READY)
    found = await _measured(load, notes)
    for task in tasks:
        if task.done() and task.exception() is not None:
            raise RuntimeError("a player's connection was lost during the measurement") from task.exception()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


async def _sit_in(company: Company, every: float) -> None:
    """Start a table after a random part of the pace, so that tables do not act at the same time."""
    await asyncio.sleep(Random(company.players[0].seat.table).uniform(0, every))
    await asyncio.gather(*(player.play() for player in company.players))


async def _measured(load: Load, notes: Notes) -> Found:
    before, cpu, begin = dict(notes.rounds), time.process_time(), time.perf_counter()
    notes.noting = True
    late = await _lateness(load.span)
    notes.noting = False
    return Found(
        span=time.perf_counter() - begin,
        acts=notes.acts,
        rounds=sum(number - before[table] for table, number in notes.rounds.items()),
        messages=notes.messages,
        bytes=notes.bytes,
        refused=notes.refused,
        answered=notes.answered,
        seen=notes.seen,
        late=late,
        cpu=time.process_time() - cpu,
    )


async def _lateness(span: float) -> list[float]:
    """Return the delay of this process at many points in time."""
    late, end = list[float](), time.perf_counter() + span
    while (now := time.perf_counter()) < end:
        await asyncio.sleep(TICK)
        late.append(time.perf_counter() - now - TICK)
    return late


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    _say(msgspec.json.encode(uvloop.run(run(msgspec.json.decode(sys.stdin.readline(), type=Load)))).decode())

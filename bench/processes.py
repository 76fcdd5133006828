"""Several house processes on one PostgreSQL: durable rounds per second, tables divided between them.

Each process has its own command service and its own bots, as in the measurement of one writer. Processes,
bots and PostgreSQL share the cores of the machine, so the CPU of each is printed next to the rate, and that
of all other programs too: compare only runs in which the others used little. While the processes play, what
their database sessions wait for is sampled.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from typing import Self

import msgspec
import psycopg
from rich.table import Table as Figures

from bench.measurement import (
    TimedWork,
    WorkerGroup,
    busy_seconds,
    cpu_seconds,
    run_worker,
    table_of,
    worker_group,
)
from bench.rounds import AutoplayTables, bare_insert_rate, stored_rows
from fourcard.house.store.address import open_store
from tests.kit.postgres import Server, server

GAME = "shuffle-master"
TABLES = 240
"""Tables of all processes together."""
ROUNDS = 3
"""Rounds at each table in one run."""
RUNS = 3
PROCESSES = (1, 2)
AIM = 1.3
SAMPLE_SECONDS = 0.005
WAITS_SHOWN = 5
BARE_ROWS, BARE_COMMIT = 4_000, 120
"""Rows of the bare inserts, and how many share a commit: one for each table of a process."""
WAITS = (
    "SELECT CASE state WHEN 'idle in transaction' THEN state "
    "ELSE coalesce(wait_event_type || ' ' || wait_event, 'working') END "
    "FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'"
)


class ProcessRun(msgspec.Struct, frozen=True):
    """One run: the work, CPU seconds of house processes, PostgreSQL and other programs, and sampled waits."""

    work: TimedWork
    house_cpu: tuple[float, ...]
    database_cpu: float
    other_cpu: float
    waits: Counter[str]

    @property
    def span(self) -> float:
        """Return the seconds that it took."""
        return self.work.end - self.work.begin

    @property
    def rate(self) -> float:
        """Return the rounds per second."""
        return self.work.done / self.span


class WaitSampler:
    """Samples what the sessions of a database wait for, in a thread."""

    def __init__(self, url: str) -> None:
        """Take a database."""
        self.found: Counter[str] = Counter()
        self._url, self._over = url, threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        """Start sampling."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop sampling."""
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as session:
            while not self._over.wait(SAMPLE_SECONDS):
                self.found.update(event for (event,) in session.execute(WAITS))


def processes() -> Figures:
    """Compare durable rounds per second of one process and of two, with what they cost and wait for."""
    figures = table_of(
        f"durable rounds of 7 positions on PostgreSQL, {TABLES} tables of {GAME} divided between processes, "
        f"the least disturbed of {RUNS} runs of {ROUNDS} rounds a table; aim {AIM} times one process",
        "what",
        *(f"{count} house process{'es' * (count > 1)}" for count in PROCESSES),
    )
    with server() as postgres:
        measured = _measure(postgres)
    one = measured[0][0].rate
    columns = [_column(run, one, bare) for run, bare in measured]
    for row in zip(*(column.items() for column in columns), strict=True):
        figures.add_row(row[0][0], *(figure for _, figure in row))
    return figures


def _measure(postgres: Server) -> list[tuple[ProcessRun, float]]:
    """Play with each number of processes in turn, and return the run that others disturbed least."""
    urls = [postgres.fresh() for _ in PROCESSES]
    with ExitStack() as stack:
        groups = [
            stack.enter_context(worker_group("bench.processes", _shares(url, count)))
            for url, count in zip(urls, PROCESSES, strict=True)
        ]
        for group in groups:
            group.timed(1)
        turns = [[_run(postgres, *each) for each in zip(urls, groups, strict=True)] for _ in range(RUNS)]
    quiet = [min(runs, key=lambda run: run.other_cpu / run.span) for runs in zip(*turns, strict=True)]
    return [(run, _bare_rate(url)) for run, url in zip(quiet, urls, strict=True)]


def _shares(url: str, count: int) -> list[list[str]]:
    """Return the arguments of each process: the database, its first table, and how many it has."""
    share = TABLES // count
    return [[url, str(number * share), str(share)] for number in range(count)]


def _bare_rate(url: str) -> float:
    """Return the rate of bare inserts of the rows of a journal."""
    store = open_store(url, writing=False)
    rows = stored_rows(store)[:BARE_ROWS]
    store.close()
    return bare_insert_rate(url, rows, BARE_COMMIT)


def _run(postgres: Server, url: str, group: WorkerGroup) -> ProcessRun:
    with WaitSampler(url) as sampler:
        house, database = cpu_by_process(group.pids), cpu_by_process(postgres.processes())
        busy = busy_seconds()
        work = group.timed(ROUNDS)
        house_cpu, database_cpu = cpu_since(house), cpu_since(database, postgres.processes())
        others = busy_seconds() - busy - sum(house_cpu) - sum(database_cpu)
    return ProcessRun(work, tuple(house_cpu), sum(database_cpu), others, sampler.found)


def cpu_by_process(pids: Iterable[int]) -> dict[int, float]:
    """Return the CPU seconds so far of those processes that run; PostgreSQL's own come and go."""
    found = dict[int, float]()
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            found[pid] = cpu_seconds(pid)
    return found


def cpu_since(before: Mapping[int, float], pids: Iterable[int] = ()) -> list[float]:
    """Return the CPU seconds used since by each process that still runs, new ones included."""
    return [seconds - before.get(pid, 0.0) for pid, seconds in cpu_by_process({*before, *pids}).items()]


def _column(run: ProcessRun, one: float, bare: float) -> dict[str, str]:
    work, span, sampled = run.work, run.span, sum(run.waits.values())
    waits = (f"{count / sampled:.0%} {event}" for event, count in run.waits.most_common(WAITS_SHOWN))
    return {
        "rounds/s": f"{run.rate:,.0f}",
        "times one process": f"{run.rate / one:.2f}",
        "commits/s": f"{work.commits / span:,.0f}",
        "requests per commit": f"{work.commands / work.commits:.0f}",
        "CPU of each house process, of one core": ", ".join(f"{used / span:.0%}" for used in run.house_cpu),
        "CPU of PostgreSQL, of one core": f"{run.database_cpu / span:.0%}",
        "CPU of other programs, of one core": f"{run.other_cpu / span:.0%}",
        "CPU of the house per round, ms": f"{sum(run.house_cpu) / work.done * 1_000:.1f}",
        "CPU of PostgreSQL per round, ms": f"{run.database_cpu / work.done * 1_000:.1f}",
        "time of the database sessions": "\n".join(waits),
        "bare rows/s": f"{bare:,.0f}",
    }


def main(url: str, first: int, tables: int) -> None:
    """Play at some tables of a house, as many rounds as each line of standard input says."""
    store = open_store(url)
    floor = AutoplayTables(store, GAME, tables, first)

    def play(rounds: int) -> TimedWork:
        commits, begin = floor.group_commit.batches, time.perf_counter()
        floor.play(rounds)
        done = floor.group_commit.batches - commits
        return TimedWork(begin, time.perf_counter(), rounds * tables, floor.commands, done)

    run_worker(play)
    floor.group_commit.close()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

"""Live seats on PostgreSQL: what a round costs with one server process and with two.

Two workers share one address: the system gives a connection to either, and the worker that accepts it passes
it on to the one that deals at its table. Two processes with ports of their own stand for a proxy that sends
the connections of one table to one process: there nothing is passed on, and the leases follow the viewers.
Players, PostgreSQL and other programs use the same cores, so read the CPU and not the latency.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from rich.table import Table as Figures

from bench.live_players import LiveLoad, LiveResult
from bench.measurement import (
    ServerProcess,
    WorkerProcess,
    busy_seconds,
    child_pids,
    fourcard_command,
    free_port,
    running_server,
    table_of,
)
from bench.processes import cpu_by_process, cpu_since
from bench.setup_house import set_up_house
from tests.kit.postgres import Server, server

SEATS = 500
EVERY, WARM, SPAN = 2.5, 8.0, 20.0
"""Seconds between two acts of a seat, before the measurement, and of the measurement."""


class Layout(msgspec.Struct, frozen=True):
    """How many servers there are, each with a port of its own, and the workers of each."""

    name: str
    servers: int
    workers: int


LAYOUTS = (Layout("1 worker", 1, 1), Layout("2 workers", 1, 2), Layout("2 processes, by table", 2, 1))


class LiveRun(msgspec.Struct, frozen=True):
    """What the players noted, and the CPU seconds of server processes, PostgreSQL and other programs."""

    found: LiveResult
    house_cpu: tuple[float, ...]
    database_cpu: float
    other_cpu: float


def live_workers(seats: int = SEATS, span: float = SPAN, layouts: tuple[Layout, ...] = LAYOUTS) -> Figures:
    """Compare the cost of live seats with one process and with two."""
    figures = table_of(
        f"live rounds, `fourcard serve --house --pace 0` on PostgreSQL, {seats} seats, "
        f"one action per seat every {EVERY} s, {span:.0f} s",
        "what",
        *(layout.name for layout in layouts),
    )
    with server() as postgres:
        runs = [_measure(postgres, layout, seats, span) for layout in layouts]
    one = _cost(runs[0])
    columns = [_column(run, seats, one) for run in runs]
    for row in zip(*(column.items() for column in columns), strict=True):
        figures.add_row(row[0][0], *(figure for _, figure in row))
    return figures


def _measure(postgres: Server, layout: Layout, count: int, span: float) -> LiveRun:
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder, url = Path(name), postgres.fresh()
        seats = set_up_house(url, count, folder / "key")
        servers = [stack.enter_context(_serving(url, folder, layout.workers)) for _ in range(layout.servers)]
        for each in servers:
            each.await_solver()
        load = LiveLoad(tuple(each.port for each in servers), tuple(seats), EVERY, WARM, span)
        return _play(postgres, servers, load)


@contextmanager
def _serving(url: str, folder: Path, workers: int) -> Iterator[ServerProcess]:
    port = free_port()
    where = ("--database", url, "--key", folder / "key", "--port", port, "--workers", workers)
    command = fourcard_command("serve", "--house", *where, "--pace", 0)
    with running_server(command, port, folder / f"{port}.log") as process:
        yield process


def _play(postgres: Server, servers: list[ServerProcess], load: LiveLoad) -> LiveRun:
    players = WorkerProcess("bench.live_players", [])
    try:
        players.send(msgspec.json.encode(load).decode())
        players.wait()
        players.send("play")
        players.wait()
        pids = [pid for each in servers for pid in (each.pid, *child_pids(each.pid))]
        house, database = cpu_by_process(pids), cpu_by_process(postgres.processes())
        busy = busy_seconds()
        found = players.answer(LiveResult)
        house_cpu = tuple(used for used in cpu_since(house) if used > found.span / 100)
        database_cpu = sum(cpu_since(database, postgres.processes()))
        others = busy_seconds() - busy - sum(house_cpu) - database_cpu - found.cpu
    finally:
        players.close()
    return LiveRun(found, house_cpu, database_cpu, others)


def _cost(run: LiveRun) -> float:
    """Return the CPU seconds of the server a round."""
    return sum(run.house_cpu) / max(1, run.found.rounds)


def _column(run: LiveRun, seats: int, one: float) -> dict[str, str]:
    found, cost = run.found, _cost(run)
    span, house = found.span, sum(run.house_cpu)
    return {
        "actions/s": f"{found.acts / span:,.0f}",
        "share of the pace": f"{found.acts / seats / span * EVERY:.0%}",
        "rounds/s": f"{found.rounds / span:.1f}",
        "command to its answer, p50 ms": f"{found.answered.p50 * 1_000:.1f}",
        "command to its answer, p99 ms": f"{found.answered.p99 * 1_000:.1f}",
        "CPU of each server process, of one core": ", ".join(f"{used / span:.0%}" for used in run.house_cpu),
        "CPU of PostgreSQL, of one core": f"{run.database_cpu / span:.0%}",
        "CPU of the seats, of one core": f"{found.cpu / span:.0%}",
        "CPU of other programs, of one core": f"{run.other_cpu / span:.0%}",
        "CPU of the server per action, ms": f"{house / max(1, found.acts) * 1_000:.2f}",
        "CPU of the server per round, ms": f"{cost * 1_000:.0f}",
        "CPU of PostgreSQL per round, ms": f"{run.database_cpu / max(1, found.rounds) * 1_000:.0f}",
        "seats at the same load of each, times one worker": f"{len(run.house_cpu) * one / cost:.2f}",
    }

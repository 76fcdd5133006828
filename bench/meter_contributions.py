"""Meter contributions per second, compared with the rate at which the database updates a single row.

A contribution is a progressive stake that COIN IN locks in at a table: it is decided, written to the journals
of table and meter, posted to the ledger, and added to the meter. All tables share one meter, so on PostgreSQL
every process waits for the same row. The limit is one bare update of one row per transaction, from the same
number of connections, measured in the same run.
"""

from statistics import median

from rich.table import Table as Figures

from bench.coin_in_load import hire_staff
from bench.measurement import TimedWork, WorkerGroup, table_of, worker_group
from bench.raw_db_updates import prepare
from bench.rounds import databases

TABLES = 240
RUNS = 5
UPDATES = 480
"""Bare updates of one run, from all connections together."""
SIZES = (60, 1)
"""The maximum number of commands per commit: grouped, and one at a time."""
AIM = 0.5


def contributions() -> Figures:
    """Compare contributions per second with bare updates of one row."""
    figures = table_of(
        f"contributions to one meter, {TABLES} tables, median of {RUNS}; aim {AIM:.0%} of bare updates",
        "database, connections",
        "commands per commit",
        "commits/s",
        "commands/s",
        "contributions/s",
        "bare updates/s",
        "of that",
    )
    with databases() as kinds:
        for kind, connections in (("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 8)):
            for row in _measure_contributions(kinds[kind](), kinds[kind](), connections):
                figures.add_row(f"{kind}, {connections}", *row)
    return figures


def _measure_contributions(url: str, bare: str, connections: int) -> list[tuple[str, ...]]:
    """Measure both commit sizes and the bare updates in turn, so that all run under the same load."""
    hire_staff(url)
    prepare(bare)
    share = TABLES // connections
    tables = [[url, str(number * share), str(share)] for number in range(connections)]
    with (
        worker_group("bench.coin_in_load", tables) as house,
        worker_group("bench.raw_db_updates", [[bare]] * connections) as rows,
    ):
        _run(house, rows, connections)
        runs = [_run(house, rows, connections) for _ in range(RUNS)]
    updates = [run[0] for run in runs]
    return [_row([run[place] for run in runs], updates) for place, _ in enumerate(SIZES, 1)]


def _run(house: WorkerGroup, rows: WorkerGroup, connections: int) -> list[TimedWork]:
    return [rows.timed(UPDATES // connections), *(house.timed(size) for size in SIZES)]


def _row(runs: list[TimedWork], updates: list[TimedWork]) -> tuple[str, ...]:
    rates = [_rate(run, run.done) for run in runs]
    bare = [_rate(run, run.done) for run in updates]
    return (
        f"{runs[0].commands / runs[0].commits:.0f}",
        f"{median(_rate(run, run.commits) for run in runs):,.0f}",
        f"{median(_rate(run, run.commands) for run in runs):,.0f}",
        f"{median(rates):,.0f}",
        f"{median(bare):,.0f}",
        f"{median(rate / limit for rate, limit in zip(rates, bare, strict=True)):.0%}",
    )


def _rate(run: TimedWork, count: int) -> float:
    return count / (run.end - run.begin)

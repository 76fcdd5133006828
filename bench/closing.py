"""Closing days: the size of a house before and after, how long it takes, and what play beside it notices."""

import sqlite3
import threading
import time
from contextlib import closing as closed_after
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from bench.measurement import quantile, table_of
from bench.rounds import GAMES, AutoplayTables, event_count
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.clock_entropy import SystemClock
from fourcard.house.commands import Deposit
from fourcard.house.decision import player_stream
from fourcard.house.head_signatures import HouseKey
from fourcard.house.house import House
from fourcard.house.reports.formats import DAY
from fourcard.house.segments import KEEP_DAYS
from fourcard.house.store.address import open_store

TABLES = 100
EVENTS = 100_000
SERVED_REST = 4.0
"""How long a server rests after each part, in the time that the part took."""
COMMAND_SECONDS = 0.01
"""Seconds between two commands of somebody who plays beside it."""


def closing_days() -> Table:
    """Close a day of a hundred thousand events as fast as possible, and another beside play."""
    figures = table_of(
        f"closing a day, {TABLES} tables, SQLite",
        "how", "events", "MB before", "MB after", "seconds", "CPU", "commands beside", "p50 ms", "p99 ms",
        "p99 ms without",
    )  # fmt: skip
    for name, rest in (("house close-days", 0.0), ("a server", SERVED_REST)):
        with TemporaryDirectory() as folder:
            file, clock = Path(folder) / "house.db", LaterClock()
            house = House(open_store(file), HouseKey(bytes(32)), clock)
            floor = AutoplayTables(house.store, GAMES[0], TABLES)
            while event_count(house.store) < EVENTS:
                floor.play(1)
            floor.group_commit.close()
            clock.ahead = (KEEP_DAYS + 1) * DAY
            figures.add_row(name, f"{event_count(house.store):,}", *_closed(house, file, rest))
            report = audit(house.store)
            house.close()
            if not report.clean or report.counts.segments < 1:
                raise RuntimeError(f"The audit found {report.findings[:3]}")
    return figures


class LaterClock(SystemClock):
    """The machine's clock, which can be set ahead."""

    ahead = 0

    def now(self) -> int:
        """Return the milliseconds since the epoch."""
        return super().now() + self.ahead


def _closed(house: House, file: Path, rest: float) -> list[str]:
    """Close everything; return the figures of a row."""
    player = next(iter(_players(house)))
    quiet, before = _latencies(house, player, threading.Event(), 3.0), _megabytes(file)
    over, beside = threading.Event(), list[float]()
    playing = threading.Thread(target=lambda: beside.extend(_latencies(house, player, over, 600.0)))
    closer = house.day_closer(KEEP_DAYS, rest=rest)
    if rest:
        playing.start()
    wall, own = time.perf_counter(), time.process_time()
    days = [*closer.close_due()]
    wall, own = time.perf_counter() - wall, time.process_time() - own
    over.set()
    if rest:
        playing.join()
    if not days:
        raise RuntimeError("No day was closed.")
    told = [f"{quantile(beside, share) * 1000:.1f}" for share in (0.5, 0.99)] if beside else ["", ""]
    return [
        f"{before:.1f}", f"{_megabytes(file):.1f}", f"{wall:.1f}", f"{own:.1f}", f"{len(beside):,}", *told,
        f"{quantile(quiet, 0.99) * 1000:.1f}",
    ]  # fmt: skip


def _players(house: House) -> list[str]:
    with house.store.reading() as reading:
        return [stream.removeprefix("player/") for stream in reading.streams_of("player")]


def _latencies(house: House, name: str, over: threading.Event, most: float) -> list[float]:
    """Give a command again and again; return how long each took."""
    taken, end = list[float](), time.perf_counter() + most
    while not over.is_set() and time.perf_counter() < end:
        begin = time.perf_counter()
        house.do(player_stream(name), Deposit(cents=1, role="supervisor"), BOT_STAFF)
        taken.append(time.perf_counter() - begin)
        over.wait(COMMAND_SECONDS)
    return taken


def _megabytes(file: Path) -> float:
    """Return how much of a database is in use."""
    with closed_after(sqlite3.connect(file)) as database:
        pages, free, size = (
            int(database.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * size / 1e6

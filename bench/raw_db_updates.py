"""Raw database updates: the maximum rate of durable one-row updates through the bare driver."""

import sqlite3
import sys
import time
from collections.abc import Callable

import psycopg

from bench.measurement import TimedWork, run_worker

NAME = "link"
UNITS = 250_000
"""The units that a dollar adds to a meter at a rate of 25%."""


def prepare(url: str) -> None:
    """Create the table with its one row."""
    make = "CREATE TABLE one_row (name TEXT PRIMARY KEY, amount BIGINT NOT NULL)"
    fill = f"INSERT INTO one_row VALUES ('{NAME}', 0)"
    if _is_file(url):
        connection = _open(url)
        connection.execute(make)
        connection.execute(fill)
        connection.close()
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(make)
        server.execute(fill.encode())


def _is_file(url: str) -> bool:
    return "://" not in url


def _open(url: str) -> sqlite3.Connection:
    """Open a file with the same settings as a house."""
    connection = sqlite3.connect(url, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return connection


def _updater(url: str) -> Callable[[], object]:
    """Return a function that updates the row and commits."""
    if not _is_file(url):
        server = psycopg.connect(url, autocommit=True)
        add = "UPDATE one_row SET amount = amount + %s WHERE name = %s"
        return lambda: server.execute(add, (UNITS, NAME))
    connection = _open(url)

    def update() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE one_row SET amount = amount + ? WHERE name = ?", (UNITS, NAME))
        connection.execute("COMMIT")

    return update


def main(url: str) -> None:
    """Time the number of updates that the parent process requests."""
    update = _updater(url)

    def work(updates: int) -> TimedWork:
        begin = time.perf_counter()
        for _ in range(updates):
            update()
        return TimedWork(begin, time.perf_counter(), updates, updates, updates)

    run_worker(work)


if __name__ == "__main__":
    main(sys.argv[1])

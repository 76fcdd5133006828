"""What a database takes at most on one row: an update a transaction by the bare driver, no less durable."""

import sqlite3
import sys
import time
from collections.abc import Callable

import psycopg

from bench.children import Timed, serve

NAME = "link"
UNITS = 250_000
"""What a dollar brings to a meter at a rate of a quarter."""


def prepare(url: str) -> None:
    """Make the table with its one row."""
    make = "CREATE TABLE one_row (name TEXT PRIMARY KEY, amount BIGINT NOT NULL)"
    fill = f"INSERT INTO one_row VALUES ('{NAME}', 0)"
    if _is_file(url):
        connection = _opened(url)
        connection.execute(make)
        connection.execute(fill)
        connection.close()
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(make)
        server.execute(fill.encode())


def _is_file(url: str) -> bool:
    return "://" not in url


def _opened(url: str) -> sqlite3.Connection:
    """Open a file with the settings of a house's own."""
    connection = sqlite3.connect(url, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return connection


def _updating(url: str) -> Callable[[], object]:
    """Return what adds to the row and commits."""
    if not _is_file(url):
        server = psycopg.connect(url, autocommit=True)
        add = "UPDATE one_row SET amount = amount + %s WHERE name = %s"
        return lambda: server.execute(add, (UNITS, NAME))
    connection = _opened(url)

    def update() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE one_row SET amount = amount + ? WHERE name = ?", (UNITS, NAME))
        connection.execute("COMMIT")

    return update


def main(url: str) -> None:
    """Time as many updates as are asked for."""
    update = _updating(url)

    def work(updates: int) -> Timed:
        begin = time.perf_counter()
        for _ in range(updates):
            update()
        return Timed(begin, time.perf_counter(), updates, updates, updates)

    serve(work)


if __name__ == "__main__":
    main(sys.argv[1])

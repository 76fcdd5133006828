"""Durable rounds: whole rounds of a house on real databases, compared with bare inserts.

Seven players sit at each table; every human action is a separate command with its own key. One writer commits
the waiting commands in groups. The limit is the same journal rows inserted into a bare table of that
database, committed in groups of the same size.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event

import msgspec
from rich.table import Table as Figures
from sqlalchemy import create_engine, text

from bench.measuring import table_of
from fourcard.house.commands import Deposit, HireStaff, InstallTable, RegisterPlayer
from fourcard.house.desk import Desk
from fourcard.house.outcome import STAFF, player_stream, table_stream
from fourcard.house.ports import SystemClock, SystemEntropy
from fourcard.house.records import Recorded
from fourcard.house.rehearsal import CREW, FLOOR, Rehearsal
from fourcard.house.requests import Answer, Reply, Request
from fourcard.house.store.contract import Store
from fourcard.house.store.sql import open_store
from fourcard.house.writer import Writer
from fourcard.rules.examples import examples
from tests.postgres import server

SEATS = 7
MANY = 500
ROUNDS = 1_500
"""The number of measured rounds, over all tables."""
GAMES = ("shuffle-master", "massachusetts")
START_LIMIT = 10.0
START_EVENTS = 1_000_000


class Floor:
    """Tables of one game that play automatically through one writer."""

    def __init__(self, store: Store, game: str, tables: int) -> None:
        """Install tables and register players, many per commit."""
        self.desk = Desk(store, SystemClock(), SystemEntropy())
        self.writer = Writer(self.desk)
        keys = f"{time.time_ns():x}"
        self.bots = [_seated(number, keys) for number in range(tables)]
        self.commands = self._playing = 0
        self.thought = 0.0
        """Seconds that the bots took for their decisions."""
        self._over = Event()
        submission = examples()[game].read_text(encoding="utf-8")
        crew = HireStaff(person="crew", name="Crew", roles=CREW.roles)
        floor = HireStaff(person="floor", name="Floor", roles=FLOOR.roles)
        requests = [Request(STAFF, crew, CREW), Request(STAFF, floor, CREW)]
        for bots in self.bots:
            requests.append(Request(table_stream(bots.table), InstallTable(submission=submission), CREW))
            for player in bots.players.values():
                requests.append(Request(player_stream(player), RegisterPlayer(name=player), CREW))
                money = Deposit(cents=10**9, role="supervisor")
                requests.append(Request(player_stream(player), money, CREW))
        for place in range(0, len(requests), MANY):
            self.desk.execute(requests[place : place + MANY])

    def play(self, rounds: int) -> float:
        """Play a number of rounds at every table, and return the seconds taken."""
        self._over.clear()
        self.commands, self.thought, self._playing = 0, 0.0, len(self.bots)
        begin = time.perf_counter()
        for bots in self.bots:
            self._next(bots, self._number(bots) + rounds)
        self._over.wait()
        return time.perf_counter() - begin

    def _number(self, bots: Rehearsal) -> int:
        return self.desk.library.table(bots.table).state.number

    def _next(self, bots: Rehearsal, until: int) -> None:
        """Submit the next command of a table; its reply triggers the following one."""
        book = self.desk.library.table(bots.table)
        if book.state.number >= until and book.state.round is None:
            self._playing -= 1
            if not self._playing:
                self._over.set()
            return
        self.commands += 1
        begin = time.perf_counter()
        request = bots.next(book)
        self.thought += time.perf_counter() - begin
        self.writer.submit(request, lambda reply: self._replied(reply, bots, until))

    def _replied(self, reply: Reply, bots: Rehearsal, until: int) -> None:
        if not isinstance(reply, Answer):
            self._over.set()
            raise TypeError(f"a bot's command was refused: {reply}")
        self._next(bots, until)


def _seated(number: int, keys: str) -> Rehearsal:
    players = {position: f"p{number}-{position}" for position in range(1, SEATS + 1)}
    return Rehearsal(f"t{number}", players, Random(number), keys)


@contextmanager
def databases() -> Iterator[dict[str, Callable[[], str]]]:
    """Yield functions that create an empty database of each kind."""
    with TemporaryDirectory() as folder, server() as postgres:
        files = iter(range(1_000))
        yield {
            "SQLite": lambda: str(Path(folder) / f"house{next(files)}.db"),
            "PostgreSQL": postgres.fresh,
        }


def durable_rounds() -> Figures:
    """Compare durable rounds per second with the rate of bare inserts."""
    figures = table_of(
        f"durable rounds of {SEATS} positions, every human action a command, one writer",
        "database, game, tables",
        "rounds/s",
        "without bot time",
        "commands per round",
        "commands/s",
        "per commit",
        "bare rows/s",
        "of that",
    )
    with databases() as kinds:
        for kind, fresh in kinds.items():
            for game in GAMES:
                for tables in (1, MANY):
                    figures.add_row(f"{kind}, {game}, {tables}", *_measured(fresh(), game, tables))
    return figures


def _measured(url: str, game: str, tables: int) -> tuple[str, ...]:
    rounds = max(1, (ROUNDS if tables > 1 else ROUNDS // 25) // tables)
    store = open_store(url)
    floor = Floor(store, game, tables)
    floor.play(1)
    groups, events = floor.writer.groups, _events(store)
    taken = floor.play(rounds)
    commits, played = floor.writer.groups - groups, rounds * tables
    rows = _events(store) - events
    bare = _bare(url, _some(store, 5_000), max(1, rows // commits))
    floor.writer.close()
    store.close()
    return (
        f"{played / taken:,.0f}",
        f"{played / (taken - floor.thought):,.0f}",
        f"{floor.commands / played:.0f}",
        f"{floor.commands / taken:,.0f}",
        f"{floor.commands / commits:.0f}",
        f"{bare:,.0f}",
        f"{rows / taken / bare:.0%}",
    )


def _events(store: Store) -> int:
    with store.reading() as reading:
        return sum(head.sequence for head in reading.streams().values())


def _some(store: Store, count: int) -> list[Recorded]:
    found = list[Recorded]()
    with store.reading() as reading:
        for stream in reading.streams():
            found += reading.events(stream)
            if len(found) >= count:
                break
    return found[:count]


def _bare(url: str, records: list[Recorded], size: int) -> float:
    """Return the rate of bare inserts of such rows, committed in groups of a size."""
    address = (
        f"sqlite:///{url}" if "://" not in url else url.replace("postgresql://", "postgresql+psycopg://")
    )
    engine = create_engine(address)
    names = Recorded.__struct_fields__
    with engine.begin() as connection:
        kinds = ("BIGINT" if name in ("sequence", "command", "version", "at") else "TEXT" for name in names)
        bodies = {"body", "hash"}
        blob = "BLOB" if engine.dialect.name == "sqlite" else "BYTEA"
        columns = ", ".join(
            f'"{name}" {blob if name in bodies else kind}' for name, kind in zip(names, kinds, strict=True)
        )
        connection.execute(text("DROP TABLE IF EXISTS bare"))
        connection.execute(text(f"CREATE TABLE bare ({columns})"))
    rows = [msgspec.structs.asdict(record) for record in records]
    insert = text(f"INSERT INTO bare VALUES ({', '.join(f':{name}' for name in names)})")
    begin = time.perf_counter()
    for place in range(0, len(rows), size):
        with engine.begin() as connection:
            connection.execute(insert, rows[place : place + size])
    taken = time.perf_counter() - begin
    engine.dispose()
    return len(rows) / taken


def starting() -> Figures:
    """Measure the start of a house with a long journal, until the first command is committed."""
    figures = table_of(
        f"start on a long journal; limit {START_LIMIT:.0f} s", "events", "tables", "seconds", "of the limit"
    )
    with TemporaryDirectory() as folder:
        url = str(Path(folder) / "long.db")
        store = open_store(url)
        floor = Floor(store, GAMES[0], MANY)
        while _events(store) < START_EVENTS:
            floor.play(10)
        events = _events(store)
        floor.writer.close()
        store.close()
        begin = time.perf_counter()
        store = open_store(url)
        desk = Desk(store, SystemClock(), SystemEntropy())
        for bots in floor.bots:
            bots.keys = "started"
            request = bots.next(desk.table(bots.table))
            desk.do(request.stream, request.command, request.actor)
        taken = time.perf_counter() - begin
        store.close()
    figures.add_row(f"{events:,}", f"{MANY}", f"{taken:.2f}", f"{taken / START_LIMIT:.0%}")
    return figures

"""Whole rounds: at a table in memory, compared with settling, and in a house, compared with bare inserts.

At the table every command goes through ``Table.do``; the peer only settles the finished rounds. In the house
every human action is a separate command with its own key, and one writer commits the waiting commands in
groups; the limit is the same journal rows inserted into a bare table in groups of the same size.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from msgspec.structs import astuple
from rich.table import Table as Figures
from sqlalchemy import create_engine, text

from bench.measurement import seconds, table_of
from fourcard.cards import DECK
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF, TableBots
from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.command_service import CommandService
from fourcard.house.commands import Deposit, HireStaff, InstallTable, RegisterPlayer
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.finished_rounds import SettleLine, settle_line_of
from fourcard.house.group_commit import GroupCommit
from fourcard.house.journal import JournalRecord
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.house.store.address import open_store
from fourcard.house.store.compression import row_of_record
from fourcard.house.store.interface import Store
from fourcard.house.store.sealing import StoreKey
from fourcard.house.table_state import HouseTable
from fourcard.rules.game import Game
from fourcard.rules.submission import examples
from fourcard.settle_files.settle import answer_line, encode_answer
from fourcard.table.bots import PlayerSpot, varied_bots
from fourcard.table.commands import TableCommand
from fourcard.table.events import TableEvent
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.postgres import server
from tests.kit.support import game

TABLE_ROUNDS = 200
TABLE_RUNS = 3
PLAIN: dict[WagerName, int] = {"ante": 2500, "aces_up": 500}
EVERY: dict[WagerName, int] = {**PLAIN, "six_card": 100, "progressive": 100}
MEASURED: tuple[tuple[str, str, dict[WagerName, int]], ...] = (
    ("massachusetts", "from a shoe", PLAIN),
    ("maryland", "from the hand", PLAIN),
    ("shuffle-master", "by machine", PLAIN),
    ("maryland-everything", "by machine, every wager", EVERY),
)
DECISIONS = (0, 1, 3)
"""The Play wagers in Antes, taken in turn; 0 is a fold."""


class TableRounds(Table):
    """Rounds of one game with seven players, and the number of their commands."""

    def __init__(self, made: Game, wagers: dict[WagerName, int]) -> None:
        """Seat seven players at an open table; decks and decisions are the same in every run."""
        chance = Random(4)
        super().__init__(made, lambda: chance.sample(DECK, len(DECK)))
        self.wagers, self.decisions = dict.fromkeys(range(1, 8), wagers), cycle(DECISIONS)
        self.meter, self.commands = self.local_meter.meter, 0
        self.lines: list[SettleLine] = []
        for position in self.wagers:
            self.seat(position, f"p{position}")
        self.commands = 0

    def play(self, rounds: int, *, keep: bool = False) -> None:
        """Play a number of rounds; ``keep`` stores them as lines."""
        for _ in range(rounds):
            played = self.play_round(self.wagers, self._choose)
            if keep:
                self.lines.append(settle_line_of(played, self.meter))

    def _choose(self, _spot: PlayerSpot) -> int:
        self.meter = self.local_meter.meter
        return next(self.decisions)

    def do(self, command: TableCommand) -> list[TableEvent]:
        """Execute and count a command."""
        self.commands += 1
        return super().do(command)


def _settle_lines(lines: list[bytes]) -> None:
    for line in lines:
        encode_answer(answer_line(line))


def whole_rounds() -> Figures:
    """Compare rounds per second at the table with lines per second of settling alone."""
    figures = table_of(
        f"seven-position rounds through the table, one core, median of {TABLE_RUNS}",
        "game",
        "commands per round",
        "rounds/s",
        "commands/s",
        "settled as lines/s",
        "times slower",
    )
    for name, how, wagers in MEASURED:
        kept = TableRounds(game(name), wagers)
        kept.play(TABLE_ROUNDS, keep=True)
        lines = [json.dumps(line).encode() for line in kept.lines]
        rate = TABLE_ROUNDS / seconds(partial(TableRounds(game(name), wagers).play, TABLE_ROUNDS), TABLE_RUNS)
        peer = TABLE_ROUNDS / seconds(partial(_settle_lines, lines), TABLE_RUNS)
        commands = kept.commands / TABLE_ROUNDS
        figures.add_row(
            f"{name}, {how}",
            f"{commands:.0f}",
            f"{rate:,.0f}",
            f"{rate * commands:,.0f}",
            f"{peer:,.0f}",
            f"{peer / rate:.1f}",
        )
    return figures


SEATS = 7
MANY_TABLES = 500
DURABLE_ROUNDS = 1_500
"""The number of measured rounds, over all tables."""
GAMES = ("shuffle-master", "massachusetts")
START_LIMIT = 6.0
START_EVENTS = 1_000_000


class TimedKey(StoreKey):
    """A key that measures what signing, verifying and sealing take."""

    seconds = 0.0

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        begin = time.perf_counter()
        signature = super().sign(message)
        self.seconds += time.perf_counter() - begin
        return signature

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Say whether this key has signed a message."""
        begin = time.perf_counter()
        right = super().verifies(signature, message)
        self.seconds += time.perf_counter() - begin
        return right


BENCH_KEY = TimedKey(bytes(32))
"""The key that signs the commits of measured houses."""


class AutoplayTables:
    """Tables of one game that play automatically through one writer."""

    def __init__(self, store: Store, game: str, tables: int, first: int = 0) -> None:
        """Install tables and register players, many per commit; `first` is the number of the first table."""
        store.key = BENCH_KEY
        self.service = CommandService(store, SystemClock(), SystemEntropy())
        self.group_commit = GroupCommit(self.service)
        keys = f"{time.time_ns():x}"
        self.bots = [_seated_bots(number, keys) for number in range(first, first + tables)]
        self.commands = self._playing = 0
        self.bot_seconds = 0.0
        """Seconds that the bots took for their decisions."""
        self._over = Event()
        submission = examples()[game].read_text(encoding="utf-8")
        crew = HireStaff(person="crew", name="Crew", roles=BOT_STAFF.roles)
        floor = HireStaff(person="floor", name="Floor", roles=BOT_FLOORPERSON.roles)
        requests = [Request(STAFF, crew, BOT_STAFF), Request(STAFF, floor, BOT_STAFF)]
        for bots in self.bots:
            requests.append(Request(table_stream(bots.table), InstallTable(submission=submission), BOT_STAFF))
            for player in bots.players.values():
                requests.append(Request(player_stream(player), RegisterPlayer(name=player), BOT_STAFF))
                money = Deposit(cents=10**9, role="supervisor")
                requests.append(Request(player_stream(player), money, BOT_STAFF))
        for place in range(0, len(requests), MANY_TABLES):
            self.service.execute(requests[place : place + MANY_TABLES])

    def play(self, rounds: int) -> float:
        """Play a number of rounds at every table, and return the seconds taken."""
        self._over.clear()
        self.commands, self.bot_seconds, self._playing = 0, 0.0, len(self.bots)
        begin = time.perf_counter()
        for bots in self.bots:
            self._next(bots, rounds_over(self.service.cache.table(bots.table)) + rounds)
        self._over.wait()
        return time.perf_counter() - begin

    def _next(self, bots: TableBots, until: int) -> None:
        """Submit the next command of a table; its reply triggers the following one."""
        book = self.service.cache.table(bots.table)
        if rounds_over(book) >= until:
            self._playing -= 1
            if not self._playing:
                self._over.set()
            return
        self.commands += 1
        begin = time.perf_counter()
        request = bots.next(book)
        self.bot_seconds += time.perf_counter() - begin
        self.group_commit.submit(request, lambda reply: self._replied(reply, bots, until))

    def _replied(self, reply: Reply, bots: TableBots, until: int) -> None:
        if not isinstance(reply, CommandResult):
            self._over.set()
            raise TypeError(f"a bot's command was refused: {reply}")
        self._next(bots, until)


def rounds_over(table: HouseTable) -> int:
    """Return how many rounds of a table are over; the staff begins the next one in the same record."""
    return table.state.round_number - (table.state.round is not None)


def _seated_bots(number: int, keys: str) -> TableBots:
    players = {position: f"p{number}-{position}" for position in range(1, SEATS + 1)}
    return TableBots(f"t{number}", players, varied_bots(number), keys, in_runs=True)


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
        "requests per round",
        "journal kB per round",
        "requests/s",
        "per commit",
        "signing, us a request",
        "bare rows/s",
        "of that",
    )
    with databases() as kinds:
        for kind, fresh in kinds.items():
            for game in GAMES:
                for tables in (1, MANY_TABLES):
                    figures.add_row(
                        f"{kind}, {game}, {tables}", *_measure_durable_rounds(fresh(), game, tables)
                    )
    return figures


def _measure_durable_rounds(url: str, game: str, tables: int) -> tuple[str, ...]:
    rounds = max(1, (DURABLE_ROUNDS if tables > 1 else DURABLE_ROUNDS // 25) // tables)
    store = open_store(url)
    floor = AutoplayTables(store, game, tables)
    floor.play(1)
    groups, before = floor.group_commit.batches, _journal_size(store)
    BENCH_KEY.seconds = 0.0
    taken = floor.play(rounds)
    signing = BENCH_KEY.seconds
    commits, played = floor.group_commit.batches - groups, rounds * tables
    rows, size = (after - first for after, first in zip(_journal_size(store), before, strict=True))
    bare = bare_insert_rate(url, stored_rows(store)[:5_000], max(1, rows // commits))
    floor.group_commit.close()
    store.close()
    return (
        f"{played / taken:,.0f}",
        f"{played / (taken - floor.bot_seconds):,.0f}",
        f"{floor.commands / played:.0f}",
        f"{size / played / 1_000:.1f}",
        f"{floor.commands / taken:,.0f}",
        f"{floor.commands / commits:.0f}",
        f"{signing / floor.commands * 1e6:.0f} ({signing / taken:.1%})",
        f"{bare:,.0f}",
        f"{rows / taken / bare:.0%}",
    )


def _journal_size(store: Store) -> tuple[int, int]:
    """Return the number of stored records, and the bytes of records and commits; a number counts eight."""
    rows = stored_rows(store)
    with store.reading() as reading:
        commits = [astuple(each) for each in reading.commits()]
    values = (each for row in (*rows, *commits) for each in row if each is not None)
    return len(rows), sum(8 if isinstance(each, int) else len(each) for each in values)


def stored_rows(store: Store) -> list[tuple[Any, ...]]:
    """Return the rows of a journal as they are stored."""
    with store.reading() as reading:
        return [
            row_of_record(each) for stream in reading.streams() for each in reading.stored_records(stream)
        ]


def event_count(store: Store) -> int:
    """Return the number of events in a journal."""
    with store.reading() as reading:
        return sum(head.sequence for head in reading.streams().values())


def bare_insert_rate(url: str, stored: list[tuple[Any, ...]], size: int) -> float:
    """Return the rate of bare inserts of such rows, committed in groups of a size."""
    address = (
        f"sqlite:///{url}" if "://" not in url else url.replace("postgresql://", "postgresql+psycopg://")
    )
    engine = create_engine(address)
    names = JournalRecord.__struct_fields__
    rows = [dict(zip(names, row, strict=True)) for row in stored]
    kinds = {int: "BIGINT", str: "TEXT", bytes: "BLOB" if engine.dialect.name == "sqlite" else "BYTEA"}
    columns = ", ".join(
        f'"{name}" {kinds[next((type(row[name]) for row in rows if row[name] is not None), bytes)]}'
        for name in names
    )
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE IF EXISTS bare"))
        connection.execute(text(f"CREATE TABLE bare ({columns})"))
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
        f"start on a long journal; limit {START_LIMIT:.0f} s",
        "events",
        "tables",
        "seconds",
        "signatures, s",
        "of the limit",
    )
    with TemporaryDirectory() as folder:
        url = str(Path(folder) / "long.db")
        store = open_store(url)
        floor = AutoplayTables(store, GAMES[0], MANY_TABLES)
        while event_count(store) < START_EVENTS:
            floor.play(10)
        events = event_count(store)
        floor.group_commit.close()
        store.close()
        BENCH_KEY.seconds = 0.0
        begin = time.perf_counter()
        store = open_store(url)
        store.key = BENCH_KEY
        desk = CommandService(store, SystemClock(), SystemEntropy())
        for bots in floor.bots:
            bots.keys = "started"
            request = bots.next(desk.table(bots.table))
            desk.do(request.stream, request.command, request.actor)
        taken = time.perf_counter() - begin
        store.close()
    signing = f"{BENCH_KEY.seconds:.2f}"
    figures.add_row(f"{events:,}", f"{MANY_TABLES}", f"{taken:.2f}", signing, f"{taken / START_LIMIT:.0%}")
    return figures

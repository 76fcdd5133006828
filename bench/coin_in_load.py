"""COIN IN load: a worker process that prepares tables with progressive stakes and presses COIN IN.

Only the COIN IN commands are timed: they are decided, journaled, posted to the ledger and added to the
meter. Afterwards the rounds are called off and the games ended, so that the same tables can be used again.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bench.measurement import TimedWork, run_worker
from bench.rounds import BENCH_KEY
from fourcard.house.autopilot import (
    BOT_FLOORPERSON,
    BOT_STAFF,
    author_of,
    next_staff_command,
)
from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.command_service import CommandService
from fourcard.house.commands import BuyIn, Deposit, FillTray, HireStaff, InstallTable, RegisterPlayer
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.route_command import CommandResult, Request
from fourcard.house.store.address import open_store
from fourcard.house.table_state import HouseTable
from fourcard.progressive.console import Press
from fourcard.round.commands import CallOff, PlaceWager, TakeSeat
from fourcard.round.events import ProgressiveLocked
from fourcard.rules.submission import examples
from fourcard.table.commands import BeginRound
from fourcard.wagers import WagerName

GAME = "shuffle-master-everything"
METER = "link"
SEATS = 7
COMMANDS_PER_COMMIT = 500
"""Commands per commit while tables are prepared."""
FLOAT, STACK = 5_000_000, 500_000
STAKES: dict[WagerName, int] = {"ante": 2_500, "progressive": 100}


class Contributors:
    """The tables of one process, linked to one meter, with seven players each."""

    def __init__(self, url: str, first: int, tables: int) -> None:
        """Open tables, numbered from ``first``, and seat their players."""
        self.store = open_store(url)
        self.store.key = BENCH_KEY
        self.service = CommandService(self.store, SystemClock(), SystemEntropy())
        self.tables = [f"t{number}" for number in range(first, first + tables)]
        self.presses = 0
        self._execute(request for table in self.tables for request in _install_requests(table))
        self._until(lambda book: book.state.phase == "open")
        self._execute(request for table in self.tables for request in _seat_requests(table))
        self._prepare()

    def _prepare(self) -> None:
        """Advance to the point before COIN IN, with a chip on every sensor."""
        self._until(lambda book: isinstance(next_staff_command(book), BeginRound))
        self._execute(request for table in self.tables for request in _wager_requests(table))

    def press(self, size: int) -> TimedWork:
        """Time COIN IN at every table, ``size`` commands per commit."""
        self.presses += 1
        coin_in = Press(button="coin_in", key=f"coin-in-{self.presses}")
        coins = [_request(table, coin_in) for table in self.tables]
        groups = [coins[place : place + size] for place in range(0, len(coins), size)]
        begin = time.perf_counter()
        replies = [reply for group in groups for reply in self.service.execute(group)]
        end = time.perf_counter()
        events = [event for reply in replies for event in _accepted(reply).events]
        stakes = sum(len(event.stakes) for event in events if isinstance(event, ProgressiveLocked))
        return TimedWork(begin, end, stakes, len(coins), len(groups))

    def clear(self) -> None:
        """Call the rounds off; ending the games comes before the tables are prepared again."""
        self._execute(_request(table, CallOff(role="floorperson")) for table in self.tables)
        self._prepare()

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def _until(self, done: Callable[[HouseTable], bool]) -> None:
        """Execute the next command of every table until it is done."""
        while waiting := [book for book in self._books() if not done(book)]:
            self._execute(_request(book.name, next_staff_command(book)) for book in waiting)

    def _books(self) -> Iterator[HouseTable]:
        return (self.service.cache.table(name) for name in self.tables)

    def _execute(self, requests: Iterable[Request]) -> None:
        """Execute commands, many per commit; a refusal is an error of the benchmark."""
        batch = [*requests]
        for place in range(0, len(batch), COMMANDS_PER_COMMIT):
            for reply in self.service.execute(batch[place : place + COMMANDS_PER_COMMIT]):
                _accepted(reply)


def hire_staff(url: str) -> None:
    """Hire the staff that all processes use."""
    store = open_store(url)
    store.key = BENCH_KEY
    desk = CommandService(store, SystemClock(), SystemEntropy())
    for actor in (BOT_STAFF, BOT_FLOORPERSON):
        desk.do(STAFF, HireStaff(person=actor.person, name=actor.person, roles=actor.roles), BOT_STAFF)
    store.close()


def _request(table: str, command: Any) -> Request:
    return Request(table_stream(table), command, author_of(command))


def _accepted(reply: object) -> CommandResult:
    if not isinstance(reply, CommandResult):
        raise TypeError(f"a command was refused: {reply}")
    return reply


def _players(table: str) -> dict[int, str]:
    return {position: f"{table}-p{position}" for position in range(1, SEATS + 1)}


def _install_requests(table: str) -> Iterator[Request]:
    submission = examples()[GAME].read_text(encoding="utf-8")
    yield _request(table, InstallTable(submission=submission, meter=METER))
    yield _request(table, FillTray(cents=FLOAT, slip="F1", role="supervisor"))
    for player in _players(table).values():
        yield Request(player_stream(player), RegisterPlayer(name=player), BOT_STAFF)
        yield Request(player_stream(player), Deposit(cents=STACK, role="supervisor"), BOT_STAFF)


def _seat_requests(table: str) -> Iterator[Request]:
    for position, player in _players(table).items():
        yield _request(table, BuyIn(player=player, cents=STACK, by=player, role="player"))
        yield _request(table, TakeSeat(position=position, player=player, by=player, role="player"))


def _wager_requests(table: str) -> Iterator[Request]:
    yield _request(table, BeginRound())
    for position, player in _players(table).items():
        for wager, amount in STAKES.items():
            placed = PlaceWager(position=position, wager=wager, amount=amount, by=player, role="player")
            yield _request(table, placed)


def main(url: str, first: int, tables: int) -> None:
    """Press COIN IN at some tables as often, and with as many commands per commit, as requested."""
    contributors = Contributors(url, first, tables)
    run_worker(contributors.press, contributors.clear)
    contributors.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

"""Soak: hundreds of live seats play for an hour while the server is killed every two minutes.

`make soak MINUTES=60` runs `fourcard serve --house` on a new house and kills it with SIGKILL again and again;
in the last quarter it runs on, to show a leak. Players in a process of their own reconnect and go on, and
note what the server promised. One line a minute shows load, latency, memory and the size of the database. At
the end the notes are compared with the journal, and the house is audited; the exit status is 1 if a check
failed.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, get_args

import msgspec
import psycopg

from bench.measurement import (
    ServerProcess,
    WorkerProcess,
    fourcard_command,
    free_port,
    proportional_bytes,
    quantile,
)
from bench.setup_house import set_up_house
from bench.soak_checks import SoakCheck, check_house, check_latency, check_memory, read_notes
from bench.soak_players import SoakFigures, SoakLoad
from fourcard.house.house import use_key
from fourcard.house.store.address import open_store
from tests.kit.postgres import server

StoreKind = Literal["sqlite", "postgres"]
QUIET_SHARE = 0.25
"""The last part of a soak, in which nothing is killed."""
SAMPLE_AGE = 0.75
"""When memory is measured in each life of a server, as a part of the time between two kills."""
TICK = 0.05
HEAD = (
    "minute  acts/s  p50 ms  p99 ms  recovered  within s  refused  RSS MB  PSS MB"
    "  at age s  database MB  kills"
)
"""Recovered commands are those whose connection was lost before their answer."""
Say = Callable[[str], None]


class SoakPlan(msgspec.Struct, frozen=True):
    """How long a soak lasts, in seconds of served time, with how many seats, and what happens in it."""

    seconds: float
    seats: int = 500
    every: float = 2.5
    """Seconds between two acts of a seat."""
    kill_every: float = 120.0
    report_every: float = 60.0
    store: StoreKind = "sqlite"

    @property
    def quiet_from(self) -> float:
        """Return when the last kill has been."""
        return self.seconds * (1 - QUIET_SHARE)


class SoakHouse(msgspec.Struct, frozen=True):
    """Where a house is, and how large it is."""

    database: str
    key: Path
    size: Callable[[], int]


class KilledServer:
    """A served house that is killed and started again."""

    def __init__(self, house: SoakHouse, log: Path) -> None:
        """Start serving."""
        self.port, self.kills, self._log = free_port(), 0, log
        where = ("--database", house.database, "--key", house.key, "--port", self.port)
        self._command = fourcard_command("serve", "--house", *where, "--pace", 0)
        self._process = self._started()

    def _started(self) -> ServerProcess:
        process = ServerProcess(self._command, self.port, self._log)
        process.answers("/health")
        self.started_at = time.monotonic()
        return process

    @property
    def age(self) -> float:
        """Return the seconds since its last start."""
        return time.monotonic() - self.started_at

    def memory(self) -> tuple[int, int]:
        """Return its resident and its proportional memory in bytes."""
        return self._process.memory(), proportional_bytes(self._process.pid)

    def kill(self) -> None:
        """Kill it and start it again."""
        self._process.kill()
        self.kills += 1
        self._process = self._started()

    def end(self) -> None:
        """End it as an operator would."""
        self._process.end()


class Soak:
    """A soak under way, and what was measured in it."""

    def __init__(self, plan: SoakPlan, house: SoakHouse, folder: Path) -> None:
        """Create the house and start its server and its players."""
        self._plan, self._house, self._notes = plan, house, folder / "notes"
        self.seats = tuple(set_up_house(house.database, plan.seats, house.key))
        self._same_age, self._quiet, self._p99 = list[int](), list[int](), list[float]()
        """Resident memory at the same age after each start, and later without kills; p99 of each report."""
        self._serving = KilledServer(house, folder / "log")

    def run(self, say: Say) -> None:
        """Let the players play, kill the server, and report, until the time is over."""
        players = WorkerProcess("bench.soak_players", [])
        try:
            load = SoakLoad(self._serving.port, self.seats, self._plan.every, str(self._notes))
            players.send(msgspec.json.encode(load).decode())
            players.wait()
            self._play(players, say)
        finally:
            players.close()
            self._serving.end()

    def _play(self, players: WorkerProcess, say: Say) -> None:
        plan, serving, begin = self._plan, self._serving, time.monotonic()
        reported, sampled = 0.0, -1
        while (now := time.monotonic() - begin) < plan.seconds:
            killing, grown = now < plan.quiet_from, serving.age >= plan.kill_every * SAMPLE_AGE
            if killing and grown and sampled != serving.kills:
                sampled = serving.kills
                self._same_age.append(serving.memory()[0])
            if killing and serving.age >= plan.kill_every:
                serving.kill()
                begin += serving.started_at - begin - now  # only served time counts
            if now - reported >= plan.report_every:
                players.send("report")
                say(self._line(now, now - reported, players.answer(SoakFigures)))
                reported = now
                if grown and not killing:
                    self._quiet.append(serving.memory()[0])
            time.sleep(TICK)

    def _line(self, now: float, span: float, figures: SoakFigures) -> str:
        """Return the line of a report."""
        answered, (resident, proportional) = figures.answered or [0.0], self._serving.memory()
        p50, p99 = quantile(answered, 0.5), quantile(answered, 0.99)
        self._p99.append(p99)
        return (
            f"{now / 60:6.1f}{figures.acts / span:8.1f}{p50 * 1e3:8.1f}{p99 * 1e3:8.1f}"
            f"{len(figures.recovered):11d}{max(figures.recovered, default=0.0):10.1f}"
            f"{sum(figures.refused.values()):9d}{resident / 1e6:8.0f}{proportional / 1e6:8.0f}"
            f"{self._serving.age:10.0f}{self._house.size() / 1e6:13.1f}{self._serving.kills:7d}"
        )

    def checks(self) -> list[SoakCheck]:
        """Return the checks of what was measured, and of the house that is left."""
        players, notes = {seat.player for seat in self.seats}, read_notes(self._notes)
        with closing(open_store(self._house.database, writing=False)) as store:
            use_key(store, self._house.key)
            return [
                check_memory("memory at the same age", self._same_age),
                check_memory("memory without kills", self._quiet),
                check_latency(self._p99),
                *check_house(store, notes, players),
            ]


def soak(plan: SoakPlan, say: Say) -> list[SoakCheck]:
    """Run a soak and return its checks."""
    with tempfile.TemporaryDirectory() as name, new_house(plan.store, Path(name)) as house:
        running = Soak(plan, house, Path(name))
        say(HEAD)
        running.run(say)
        return running.checks()


@contextmanager
def new_house(kind: StoreKind, folder: Path) -> Iterator[SoakHouse]:
    """Yield the place of a new house."""
    key = folder / "house.key"
    if kind == "sqlite":
        file = folder / "house.db"
        yield SoakHouse(str(file), key, lambda: sum(each.stat().st_size for each in folder.glob("house.db*")))
        return
    with server() as postgres:
        url = postgres.fresh()
        yield SoakHouse(url, key, lambda: _database_size(url))


def _database_size(url: str) -> int:
    with psycopg.connect(url, autocommit=True) as session:
        (size,) = session.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
        return int(size)


def main(arguments: list[str] | None = None) -> int:
    """Run a soak from the command line, and return 1 if a check failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seats", type=int, default=500)
    parser.add_argument("--kill-every", type=float, default=120.0, help="seconds between two kills")
    parser.add_argument("--store", choices=get_args(StoreKind), default="sqlite")
    options = parser.parse_args(arguments)
    if options.minutes <= 0 or options.seats < 1 or options.kill_every <= 0:
        parser.error("a soak needs minutes, a seat at least, and seconds between two kills")
    plan = SoakPlan(
        options.minutes * 60, seats=options.seats, kill_every=options.kill_every, store=options.store
    )
    print(f"soak of {options.minutes:g} minutes: {plan.seats} seats on {plan.store}", flush=True)
    checks = soak(plan, lambda line: print(line, flush=True))
    for check in checks:
        print(check)
    return int(not all(check.passed for check in checks))


if __name__ == "__main__":
    sys.exit(main())

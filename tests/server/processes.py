"""Real `fourcard serve` processes: started, stopped and killed, and the houses they serve."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from fourcard.house.actors import CONSOLE, Actor
from fourcard.house.auditing.audit import audit
from fourcard.house.commands import CountTray, Deposit, FillTray, HireStaff, InstallTable, RegisterPlayer
from fourcard.house.house import House, open_house
from fourcard.house.outcome import STAFF, player_stream, table_stream
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading
from fourcard.house.store.sql import open_store
from fourcard.server.floor.deeds import DEALER
from fourcard.table.commands import OpenTable
from fourcard.table.session import BACKS
from tests.houses import submission_text

TABLE = "main"
PATIENCE = 120.0
"""Seconds for a process to start listening; it takes about two on an idle machine."""
CREW = Actor(CONSOLE, "staff", ("dealer", "floorperson", "supervisor", "executive", "administrator"))
MONEY, FLOAT = 10_000_000, 100_000_000


class Process:
    """One server process."""

    def __init__(
        self,
        log: Path,
        *options: str,
        before: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Take arguments, a command to run it with, and environment variables."""
        self.port, self.log, self.options = free_port(), log, options
        self._before, self._environment = before, environment or {}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def number(self) -> int:
        """Return the process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def address(self) -> str:
        """Return its URL."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it; `listen` waits until it listens."""
        command = [str(Path(sys.executable).parent / "fourcard"), "serve", "--port", str(self.port)]
        own = {name: value for name, value in os.environ.items() if not name.startswith("FOURCARD_")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._before, *command, *self.options],
                cwd=self.log.parent,
                env={**own, **self._environment},
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def listen(self) -> None:
        """Wait until the process answers."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process is not None and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://{self.address}/ready", timeout=5):
                    return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"fourcard serve does not listen:\n{self.said()}")

    def told(self, part: str) -> str:
        """Return the first word of the output that contains a text, waiting for it."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = [word for word in self.said().split() if part in word]
            if found:
                return found[0]
            time.sleep(0.02)
        raise AssertionError(f"fourcard serve does not say {part}:\n{self.said()}")

    def said(self) -> str:
        """Return all output of the process."""
        return self.log.read_text(encoding="utf-8")

    def ended(self) -> int:
        """Wait until it ends and return its exit status."""
        process, self._process = self._process, None
        assert process is not None
        return process.wait(timeout=PATIENCE)

    def stop(self) -> int:
        """Stop it with a signal and return its exit status."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        return process.wait(timeout=PATIENCE)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def founded(url: str, key: Path, example: str, players: tuple[str, ...]) -> dict[str, str]:
    """Create a hosted house with an open table; return a token for every player."""
    with open_house(url, key) as house:
        house.do(STAFF, HireStaff(person=CONSOLE, name="Console", roles=CREW.roles), CREW)
        house.do(STAFF, HireStaff(person=DEALER.person, name="Dealer", roles=DEALER.roles), CREW)
        for name in players:
            house.do(player_stream(name), RegisterPlayer(name=name.title()), CREW)
            house.do(player_stream(name), Deposit(cents=MONEY, role="supervisor"), CREW)
        _open(house, example)
        return {name: house.sign_in.admit("player", name) for name in players}


def _open(house: House, example: str) -> None:
    stream = table_stream(TABLE)
    house.do(stream, InstallTable(submission=submission_text(example)), CREW)
    house.do(stream, FillTray(cents=FLOAT, slip="F1", role="supervisor"), CREW)
    house.do(stream, CountTray(occasion="opening", cents=FLOAT, role="floorperson"), CREW)
    state = house.desk.table(TABLE).state
    decks = BACKS[: state.game.submission.dealing.decks]
    house.do(stream, OpenTable(decks=decks, role="floorperson"), CREW)


class Kept:
    """Final state of a house after all its servers ended."""

    def __init__(self, url: str, tables: tuple[str, ...] = (TABLE,)) -> None:
        """Audit a house and read its tables and balances."""
        store = open_store(url, writing=False)
        try:
            self.report = audit(store)
            with store.reading() as reading:
                self.records = [record for table in tables for record in _records(reading, table)]
                self.balances = dict(reading.balances())
        finally:
            store.close()

    def check(self) -> None:
        """Assert that the audit finds nothing and no money was lost or created."""
        assert self.report.clean, self.report.findings
        assert self.report.counts.rounds > 0
        assert sum(self.balances.values()) == 0

    def keyed(self, key: str) -> list[Recorded]:
        """Return the records with a command key."""
        return [record for record in self.records if record.key == key]


def _records(reading: Reading, table: str) -> list[Recorded]:
    return [*reading.events(table_stream(table))]

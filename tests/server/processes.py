"""Real `fourcard serve` processes, the houses they serve, and players over live connections."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from fourcard.house.audit.auditor import audit
from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.autopilot import HOUSE_DEALER_ACTOR
from fourcard.house.commands import CountTray, Deposit, FillTray, HireStaff, InstallTable, RegisterPlayer
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.house import House, key_beside, open_house, use_key
from fourcard.house.journal import JournalRecord
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import ReadTransaction
from fourcard.odds.disk_cache import CACHE_VARIABLE
from fourcard.table.autopilot import open_command
from tests.kit.houses import submission_text
from tests.kit.table_copy import TableCopy
from tests.kit.waiting import PATIENCE, PROCESS_PATIENCE

RETRY, BREATH, TOO_FAST = 0.05, 0.06, 1.0
"""Seconds before reconnecting, between two commands, and after a rate limit."""
BUY_IN = 50_000


class ConnectedPlayer:
    """A player at one table who acts as soon as possible."""

    def __init__(self, name: str, token: str, addresses: Sequence[str], table: str, position: int) -> None:
        """Take server addresses; the next one is used when a connection is lost."""
        self.name, self.token, self.table, self.position = name, token, table, position
        self.addresses, self.chance = list(addresses), Random(name)
        self.seen: dict[str, Any] = {}
        """The last table message."""
        self.shown: dict[int, bytes] = {}
        """By round, its result as everybody sees it."""
        self.told: list[str] = []
        self.answered: dict[str, int] = {}
        """By key, the sequence of each completed command."""
        self.refused: list[dict[str, Any]] = []
        self.waiting: dict[str, dict[str, Any]] = {}
        """By key, the commands without an answer."""
        self.connections = 0
        self.moved = asyncio.Event()
        self.plays = True
        self._keys = count(1)
        self._connection: ClientConnection | None = None
        self._resumes = False
        """Whether the next message is the first of a connection, with the narration of the whole round."""

    async def reconnect(self) -> None:
        """Close the connection; `live` opens another."""
        if self._connection is not None:
            await self._connection.close()

    async def live(self) -> None:
        """Play until cancelled."""
        while True:
            try:
                await self._connected(self.addresses[0])
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(RETRY)
            self.addresses.append(self.addresses.pop(0))

    async def _connected(self, address: str) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"ws://{address}/api/tables/{self.table}/live"
        async with connect(url, additional_headers=headers, open_timeout=PATIENCE, close_timeout=1) as live:
            self.connections += 1
            self._connection = live
            self._resumes = True
            copy = TableCopy()
            for said in tuple(self.waiting.values()):
                await live.send(msgspec.json.encode(said).decode())
            async for message in live:
                await self._heard(live, copy.take(message))

    async def _heard(self, live: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "table":
            self._look(message)
        elif kind == "done":
            said = self.waiting.pop(message["key"], {})
            if "command" in said:
                self.answered[message["key"]] = message["sequence"]
        elif message.get("refusal", {}).get("name") == "house_in_trouble" or kind == "trouble":
            await asyncio.sleep(TOO_FAST if kind == "trouble" else RETRY)
            for said in tuple(self.waiting.values()):
                await live.send(msgspec.json.encode(said).decode())
            return
        else:
            self.refused.append(message)
            self.waiting.pop(message["key"], None)
        await self._act(live)
        self.moved.set()

    def _look(self, message: dict[str, Any]) -> None:
        self.seen = message
        told = [said["text"] for said in message["told"]]
        if self._resumes and told and told[0].startswith("Round ") and told[0] in self.told:
            del self.told[self.told.index(told[0]) :]
        self._resumes = False
        self.told += told
        view = message["view"]
        if view["last"] is not None:
            places = [{**place, "cards": None, "hand": None} for place in view["last"]["places"]]
            ended = {**view["last"], "places": places, "moved": len(view["last"]["moved"])}
            self.shown[view["number"] - (view["round"] is not None)] = msgspec.json.encode(ended)

    async def _act(self, live: ClientConnection) -> None:
        """Send the next command once everything before it is answered."""
        if self.waiting or not self.plays or not self.seen:
            return
        said = self._next(self.seen, self.seen["view"], self.seen["you"])
        if said is not None:
            said = {"key": f"{self.name}-{next(self._keys)}", **said}
            self.waiting[str(said["key"])] = said
            await asyncio.sleep(BREATH)
            await live.send(msgspec.json.encode(said).decode())

    def _next(self, seen: dict[str, Any], view: dict[str, Any], you: dict[str, Any]) -> dict[str, Any] | None:
        if you["chips"] < BUY_IN // 5 and view["round"] is None:
            return _command("buy_in", player=self.name, cents=BUY_IN)
        if not you["positions"]:
            free = str(self.position) not in view["seats"] and you["chips"] >= BUY_IN // 5
            bought = _command("buy_in", player=self.name, cents=BUY_IN)
            return _command("take_seat", position=self.position, player=self.name) if free else bought
        return None if view["round"] is None else self._in_round(seen, view)

    def _in_round(self, seen: dict[str, Any], view: dict[str, Any]) -> dict[str, Any] | None:
        current_round, number = view["round"], view["number"]
        place = next(each for each in current_round["places"] if each["position"] == self.position)
        if current_round["bets_open"] and "ante" not in place["wagers"]:
            least = (each for each in seen["chances"]["may"] if each.get("wager") == "ante")
            return next(({"command": each} for each in least if each["kind"] == "place_wager"), None)
        if current_round["bets_open"] and not seen["you"]["ready"]:
            return {"ready": number}
        if current_round["deciding"] != self.position:
            return None
        plays = seen["chances"]["plays"].get(str(self.position))
        if plays is None or self.chance.random() < 0.3:
            return _command("fold", position=self.position)
        return _command(
            "play", position=self.position, amount=self.chance.choice((plays["least"], plays["most"]))
        )

    async def until(self, what: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(patience):
            while not what():
                self.moved.clear()
                await self.moved.wait()

    @property
    def round(self) -> int:
        """Return the number of the current or last round."""
        return int(self.seen["view"]["number"]) if self.seen else 0

    @property
    def phase(self) -> str:
        """Return the phase of the current round; empty between rounds."""
        current_round = self.seen["view"]["round"] if self.seen else None
        return "" if current_round is None else str(current_round["phase"])


def _command(kind: str, **fields: Any) -> dict[str, Any]:
    return {"command": {"kind": kind, **fields}}


TABLE = "main"
CREW = Actor(CONSOLE, "staff", ("dealer", "floorperson", "supervisor", "executive", "administrator"))
MONEY, FLOAT = 10_000_000, 100_000_000


class ServeProcess:
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
        """Start it; `listen` waits until it listens.

        It finds the game solved in the cache of the tests: otherwise every process would solve it again.
        """
        command = [str(Path(sys.executable).parent / "fourcard"), "serve", "--port", str(self.port)]
        own = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("FOURCARD_") or name == CACHE_VARIABLE
        }
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
        until = time.monotonic() + PROCESS_PATIENCE
        while time.monotonic() < until and self._process is not None and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://{self.address}/ready", timeout=5):
                    return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"fourcard serve does not listen:\n{self.output()}")

    def wait_for_output(self, part: str) -> str:
        """Return the first word of the output that contains a text, waiting for it."""
        until = time.monotonic() + PROCESS_PATIENCE
        while time.monotonic() < until:
            found = [word for word in self.output().split() if part in word]
            if found:
                return found[0]
            time.sleep(0.02)
        raise AssertionError(f"fourcard serve does not say {part}:\n{self.output()}")

    def output(self) -> str:
        """Return all output of the process."""
        return self.log.read_text(encoding="utf-8")

    def wait_for_exit(self) -> int:
        """Wait until it ends and return its exit status."""
        process, self._process = self._process, None
        assert process is not None
        return process.wait(timeout=PROCESS_PATIENCE)

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
        return process.wait(timeout=PROCESS_PATIENCE)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def create_hosted_house(url: str, key: Path, example: str, players: tuple[str, ...]) -> dict[str, str]:
    """Create a hosted house with an open table; return a token for every player."""
    with open_house(url, key) as house:
        house.do(STAFF, HireStaff(person=CONSOLE, name="Console", roles=CREW.roles), CREW)
        house.do(
            STAFF,
            HireStaff(person=HOUSE_DEALER_ACTOR.person, name="Dealer", roles=HOUSE_DEALER_ACTOR.roles),
            CREW,
        )
        for name in players:
            house.do(player_stream(name), RegisterPlayer(name=name.title()), CREW)
            house.do(player_stream(name), Deposit(cents=MONEY, role="supervisor"), CREW)
        _open(house, example)
        return {name: house.sign_in.issue_by_link("player", name) for name in players}


def _open(house: House, example: str) -> None:
    stream = table_stream(TABLE)
    house.do(stream, InstallTable(submission=submission_text(example)), CREW)
    house.do(stream, FillTray(cents=FLOAT, slip="F1", role="supervisor"), CREW)
    house.do(stream, CountTray(occasion="opening", cents=FLOAT, role="floorperson"), CREW)
    state = house.service.table(TABLE).state
    house.do(stream, open_command(state.game), CREW)


class FinalHouse:
    """Final state of a house after all its servers ended."""

    def __init__(self, url: str, tables: tuple[str, ...] = (TABLE,), key: Path | None = None) -> None:
        """Audit a house and read its tables and balances, with its key."""
        store = open_store(url, writing=False)
        try:
            use_key(store, key or key_beside(url))
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

    def keyed(self, key: str) -> list[JournalRecord]:
        """Return the records with a command key."""
        return [record for record in self.records if record.key == key]


def _records(reading: ReadTransaction, table: str) -> list[JournalRecord]:
    return [*reading.events(table_stream(table))]

"""A served house: the real `fourcard serve`, staff who use the API, and seeds that deal a wanted hand."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from fourcard.cards import parse_card, rank_of, suit_of
from fourcard.dealing import deal_plan
from fourcard.house.decision import table_stream
from fourcard.house.head_signatures import read_key
from fourcard.house.house import key_beside
from fourcard.house.shuffle_algorithm import ShuffleInput, order_of
from fourcard.house.store.sealing import StoreKey
from fourcard.rules.game import Game
from tests.kit.waiting import PROCESS_PATIENCE

LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter/\S+")


class BrowserHouse:
    """A server process with its database in a folder."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        """Choose a free port; call `start` to start the server."""
        self.folder, self.options, self.port = folder, options, _free_port()
        self.environment = environment
        self.player = self.staff = ""
        self.log = folder / "serve.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """Return the path of the database."""
        return self.folder / "house.db"

    def start(self) -> None:
        """Start the server and wait for its two sign-in links."""
        command = [str(Path(sys.executable).parent / "fourcard"), "serve"]
        command += ["--database", str(self.database), "--port", str(self.port), "--no-browser", *self.options]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("FOURCARD_DATABASE")
        }
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment | self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.player, self.staff = self._links()

    def _links(self) -> tuple[str, str]:
        assert self._process is not None
        until = time.monotonic() + PROCESS_PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            match LINK.findall(self.output()):
                case [player, staff, *_]:
                    return player, staff
            time.sleep(0.02)
        raise AssertionError(f"fourcard serve did not print two links:\n{self.output()}")

    def output(self) -> str:
        """Return the server's output since its last start."""
        return self.log.read_text(encoding="utf-8")

    def stop(self) -> int:
        """Stop the server with SIGTERM and return its exit status."""
        return self._stop_with(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        self._stop_with(signal.SIGKILL)

    def _stop_with(self, sent: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(sent)
        return process.wait(timeout=PROCESS_PATIENCE)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


MAX_STEPS = 20
MANNED = ("jackpot", "document")
"""What the auto-dealer leaves to people."""


class StaffClient:
    """API client of a member of staff."""

    def __init__(self, house: BrowserHouse) -> None:
        """Sign in by the staff link."""
        headers = {"origin": house.address}
        self._client = httpx.Client(base_url=house.address, headers=headers, timeout=20, verify=False)
        assert self._client.get(house.staff).status_code == 303
        self._commands = 0

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self._client.close()

    def table_state(self, table: str) -> dict[str, Any]:
        """Return the state of a table as staff see it."""
        answer = self._client.get(f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def waits_for_staff(self, table: str) -> bool:
        """Return whether a table waits for staff."""
        waiting = self.table_state(table)["waiting"]
        return waiting is not None and waiting["for"] in MANNED

    def confirm_win(self, table: str) -> list[str]:
        """Confirm a progressive win, and return the commands that this took."""
        done = list[str]()
        while self.waits_for_staff(table):
            assert len(done) < MAX_STEPS, done
            seen = self.table_state(table)
            following = seen["console"]["next"] or self._document_step(seen)
            self.command(table, following["command"])
            done.append(following["command"]["kind"])
            self._wait_until_settled(table, seen["sequence"])
        return done

    def _document_step(self, seen: dict[str, Any]) -> dict[str, Any]:
        (command,) = [each for each in seen["chances"]["may"] if each["kind"] == "complete_document"]
        return {"command": command}

    def _wait_until_settled(self, table: str, before: int) -> None:
        """Wait until the auto-dealer has done all it can."""
        last = before
        for _ in range(50):
            seen = self.table_state(table)
            if seen["sequence"] == last and seen["waiting"] is not None:
                return
            last = seen["sequence"]
            time.sleep(0.05)

    def command(self, table: str, command: dict[str, Any]) -> None:
        """Send a command that must succeed."""
        self._commands += 1
        body = {"key": f"staff-{self._commands}", "command": command}
        answer = self._client.post(f"/api/tables/{table}/commands", json=body)
        assert answer.status_code == 200, answer.text


ACE = rank_of(parse_card("As"))
Wanted = Callable[[Sequence[int]], bool]


def next_secret(database: Path, table: str) -> tuple[int, bytes]:
    """Return the number and the secret of a table's next shuffle, from the database and the house's key."""
    asked = "SELECT number, secret FROM secrets WHERE stream = ? ORDER BY number DESC LIMIT 1"
    house = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        number, sealed = house.execute(asked, (table_stream(table),)).fetchone()
    finally:
        house.close()
    secret = StoreKey(read_key(key_beside(str(database))).secret).open(table_stream(table), number, sealed)
    assert secret is not None
    return number, secret


def lucky_seed(
    database: Path,
    seen: dict[str, Any],
    game: Game,
    own: int,
    wanted: Wanted,
    others: Collection[int] = (),
) -> str:
    """Return a seed of 32 hexadecimal digits for which the round under way deals a wanted hand to a position.

    The house is not changed: the test knows the secret, so it can search. The proof of the round holds.
    """
    table, view = seen["table"], seen["view"]
    number, secret = next_secret(database, table)
    places = places_of(game, {own, *others}, own)
    for attempt in count():
        seed = f"{attempt:032x}"
        seeds = ((view["seats"][str(own)], seed),)
        order = order_of(secret, ShuffleInput(table, number, seeds, view["number"]))
        if wanted([order[place] for place in places]):
            return seed
    raise AssertionError


def is_straight_flush(cards: Sequence[int]) -> bool:
    """Return whether a hand wins 10% of the meter: a straight flush, but not a royal flush."""
    ranks = {rank_of(card) for card in cards}
    in_sequence = max(ranks) - min(ranks) == len(cards) - 1
    return in_sequence and max(ranks) != ACE and len({suit_of(card) for card in cards}) == 1


def places_of(game: Game, positions: Collection[int], own: int) -> list[int]:
    """Return the places in the deck of the cards that a position gets."""
    places, dealt = list[int](), 0
    for move in deal_plan(game, positions).moves:
        if move.name == "deal":
            places += range(dealt, dealt + move.count) if move.to == own else ()
            dealt += move.count
    return places

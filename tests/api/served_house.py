"""A really served house on a local port, with people of every role and live connections."""

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

import httpx
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.auth.security import SECURITY
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import (
    BOT_FLOORPERSON,
    BOT_STAFF,
    HOUSE_DEALER_ACTOR,
    TableBots,
    WaitReason,
    next_staff_command,
)
from fourcard.house.clock_entropy import Clock, SystemClock, SystemEntropy
from fourcard.house.commands import (
    BuyIn,
    CountTray,
    Deposit,
    FillTray,
    HireStaff,
    InstallTable,
    PersonKind,
    RegisterPlayer,
    StaffRole,
)
from fourcard.house.decision import HOUSE, STAFF, player_stream, table_stream
from fourcard.house.head_signatures import KEY_BYTES, HouseKey
from fourcard.house.house import House
from fourcard.house.store.address import open_store
from fourcard.house.store.memory import MemoryStore
from fourcard.odds.state_counts import StateTable
from fourcard.round.commands import PlaceWager, TakeSeat
from fourcard.server.api import Solver
from fourcard.server.api.params import busy_refusal
from fourcard.server.app import Application
from fourcard.server.authn import LinkSecrets
from fourcard.server.run import GuardedServer, ListenAddress, Shutdown
from fourcard.server.settings import PaceSettings, RequestLimits, ServerSettings
from fourcard.table.bots import varied_bots
from fourcard.table.commands import BeginRound, OpenTable
from tests.kit.houses import submission_text
from tests.kit.table_copy import TableCopy
from tests.kit.waiting import PATIENCE

PASSWORD = "correct horse battery"
PLAYERS = ("ann", "bob")
STAFF_PEOPLE: Mapping[str, StaffRole] = {
    "dan": "dealer",
    "flo": "floorperson",
    "sue": "supervisor",
    "eve": "executive",
    "otto": "auditor",
    "ada": "administrator",
}
PEOPLE: Mapping[str, PersonKind] = {
    **dict.fromkeys(PLAYERS, "player"),
    **dict.fromkeys(STAFF_PEOPLE, "staff"),
}
CREW = Actor(CONSOLE, "staff", ("dealer", "floorperson", "supervisor", "executive", "administrator"))
"""Who sets the house up before it is served."""
TABLE = "main"
MONEY, STACK, FLOAT = 1_000_000, 100_000, 10_000_000
GENEROUS = RequestLimits(
    requests=1e6, burst=10**6, commands=1e6, command_burst=10**6, sign_ins=1e6, sign_in_burst=10**6
)
QUICK = ServerSettings(mode="house", bots=0, opens=False, pace=PaceSettings(0), limits=GENEROUS)
"""Settings of a hosted house that deals without pauses and without rate limits."""
_keys = count(1)


class MovableClock(SystemClock):
    """The machine's clock, which a test can advance."""

    def __init__(self) -> None:
        """Start with the real time."""
        self.moved = 0

    def now(self) -> int:
        """Return the milliseconds since the epoch plus what a test added."""
        return super().now() + self.moved


class UnsolvedSolver(Solver):
    """A solver that never finishes, as at the first start of a house."""

    def start(self) -> None:
        """Do nothing, to leave the processors to the tests."""

    @property
    def ready(self) -> bool:
        """Return that the game is not solved, whatever another test solved."""
        return False

    def states(self) -> StateTable:
        """Refuse to answer yet."""
        raise busy_refusal("the game is being solved; try again in a moment.")


def create_house(path: Path | None = None, clock: Clock | None = None) -> House:
    """Create a house with a table and people of every role, in a file or in memory."""
    store = MemoryStore() if path is None else open_store(str(path))
    cheap = partial(SignIn, terms=AuthPolicy(cost=TEST_COST))
    with patch("fourcard.house.house.SignIn", cheap):
        house = House(store, HouseKey(SystemEntropy().draw(KEY_BYTES)), clock)
    _people(house)
    return house


def _people(house: House) -> None:
    house.do(STAFF, HireStaff(person=CONSOLE, name="Console", roles=CREW.roles), CREW)
    house.do(
        STAFF,
        HireStaff(
            person=HOUSE_DEALER_ACTOR.person, name="Dealer of the house", roles=HOUSE_DEALER_ACTOR.roles
        ),
        CREW,
    )
    for person, role in STAFF_PEOPLE.items():
        house.do(STAFF, HireStaff(person=person, name=person.title(), roles=(role,)), CREW)
    for person in PLAYERS:
        house.do(player_stream(person), RegisterPlayer(name=person.title()), CREW)
        house.do(player_stream(person), Deposit(cents=MONEY, role="supervisor"), CREW)
    for person, kind in PEOPLE.items():
        assert house.sign_in.set_password(kind, person, PASSWORD) is None


def install_table(house: House, table: str = TABLE, example: str = "massachusetts-everything") -> None:
    """Install a table, fill its tray and open it."""
    stream = table_stream(table)
    house.do(stream, InstallTable(submission=submission_text(example)), CREW)
    house.do(stream, FillTray(cents=FLOAT, slip="F1", role="supervisor"), CREW)
    house.do(stream, CountTray(occasion="opening", cents=FLOAT, role="floorperson"), CREW)
    house.do(stream, OpenTable(decks=("red", "blue"), role="floorperson"), CREW)


def keyed_table(house: House, table: str, example: str, *, progressive: bool = False) -> None:
    """Open a table with cards keyed in by a dealer; seat Ann and let her bet."""
    stream = table_stream(table)
    house.do(stream, InstallTable(submission=submission_text(example), cards="keyed"), CREW)
    house.do(stream, FillTray(cents=FLOAT, slip="F1", role="supervisor"), CREW)
    while isinstance(opening := next_staff_command(house.service.table(table)), CountTray | OpenTable):
        house.do(stream, opening, CREW)
    seat_players(house, table, ("ann",))
    while not isinstance(command := next_staff_command(house.service.table(table)), BeginRound | None):
        house.do(stream, command, CREW)
    house.do(stream, BeginRound(count_stub=True), CREW)
    house.do(stream, PlaceWager(position=1, wager="ante", amount=1000), CREW)
    if progressive:
        house.do(stream, PlaceWager(position=1, wager="progressive", amount=100), CREW)


def seat_players(house: House, table: str = TABLE, players: tuple[str, ...] = PLAYERS) -> None:
    """Sell chips to players and seat them from position 1 on."""
    for position, name in enumerate(players, 1):
        own = Actor(name, "player")
        house.do(table_stream(table), BuyIn(player=name, cents=STACK), own)
        house.do(table_stream(table), TakeSeat(position=position, player=name), own)


def play_rounds(house: House, rounds: int, table: str = TABLE, players: tuple[str, ...] = PLAYERS) -> None:
    """Let players play whole rounds before the house is served."""
    for who in (BOT_STAFF, BOT_FLOORPERSON):
        if house.service.staff().employed(who.person) is None:
            house.do(STAFF, HireStaff(person=who.person, name=who.person.title(), roles=who.roles), CREW)
    bots = TableBots(table, dict(enumerate(players, 1)), varied_bots(1))
    while True:
        state = house.service.table(table).state
        if state.round_number >= rounds and state.round is None:
            return
        request = bots.next(house.service.table(table))
        house.service.do(request.stream, request.command, request.actor)


class ServedHouse:
    """A house served by Granian on its own thread, as a context manager."""

    def __init__(
        self, house: House, settings: ServerSettings = QUICK, links: LinkSecrets | None = None
    ) -> None:
        """Take an open house."""
        self.house, self.settings = house, settings
        self.serving = Application(house, settings, links)
        self.serving.solver = UnsolvedSolver()
        self.port = _free_port()
        self._ending: Shutdown | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._up = threading.Event()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="served", daemon=True)

    @property
    def address(self) -> str:
        """Return its URL."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        """Serve the house."""
        self._thread.start()
        assert self._up.wait(PATIENCE), "The house is not served."
        if self._fault is not None:
            raise AssertionError("The house cannot be served.") from self._fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving and make sure that it ended."""
        self.close()

    def ask_to_close(self) -> None:
        """Ask the server to stop, as one signal does."""
        ending, self._ending = self._ending, None
        if ending is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(ending.request)

    def close(self) -> None:
        """Stop the server and wait until it ended."""
        self.ask_to_close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "The server did not end."

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001  whoever waits for the house is told
            self._fault = error
        finally:
            self._up.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        place = ListenAddress(port=self.port)
        guarded = GuardedServer(self.serving.app(), place, self.settings.connections)
        self._ending = Shutdown(guarded.server, self.serving.close_live)
        await guarded.run(self._up.set)

    def token(self, person: str) -> str:
        """Sign in with the password and return the token."""
        with self.client() as nobody:
            answer = nobody.post("/api/sign-in", json=credentials(person))
        assert answer.status_code == 200, answer.text
        return answer.headers["x-fourcard-token"]

    def client(self, person: str = "", **headers: str) -> httpx.Client:
        """Return a signed-in browser client, or an anonymous one."""
        cookies = {self.serving.authenticator.cookie_name: self.token(person)} if person else {}
        scheme = "https" if self.settings.secure else "http"
        return self.program(cookies, origin=f"{scheme}://127.0.0.1:{self.port}", **headers)

    def program(self, cookies: dict[str, str] | None = None, **headers: str) -> httpx.Client:
        """Return a client that sends only the given headers."""
        jar = httpx.Cookies()
        for name, value in (cookies or {}).items():
            jar.set(name, value, domain="127.0.0.1")
        return httpx.Client(
            base_url=self.address,
            headers=headers,
            cookies=jar,
            timeout=PATIENCE,
            verify=False,
            trust_env=False,
        )

    def heads(self) -> dict[str, int]:
        """Return the sequence of every stream with events, without signatures, sign-ins and the log."""
        with self.house.store.reading() as reading:
            found = reading.streams()
        return {
            name: head.sequence
            for name, head in found.items()
            if head.sequence and name not in (HOUSE, SECURITY)
        }


def credentials(person: str, password: str = PASSWORD) -> dict[str, str]:
    """Return the body of a sign-in."""
    return {"kind": PEOPLE.get(person, "player"), "person": person, "password": password}


def new_key() -> str:
    """Return a new command key."""
    return f"test-{next(_keys)}"


def keyed_command(kind: str, **fields: Any) -> dict[str, Any]:
    """Return a command under a new key, as a client sends it."""
    return {"key": new_key(), "command": {"kind": kind, **fields}}


@contextmanager
def served_house(
    path: Path | None = None, *, rounds: int = 0, clock: Clock | None = None, **choices: Any
) -> Iterator[ServedHouse]:
    """Serve a new house with an open table where some rounds were played."""
    house = create_house(path, clock)
    install_table(house)
    if rounds:
        play_rounds(house, rounds)
    with ServedHouse(house, replace(QUICK, **choices)) as served:
        yield served


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


SOON = 30.0


class LiveViewer:
    """A live connection of somebody to a table."""

    def __init__(
        self,
        served: ServedHouse,
        person: str = "",
        *,
        table: str = TABLE,
        token: str = "",
        origin: str | None = "own",
        headers: dict[str, str] | None = None,
    ) -> None:
        """Connect as a signed-in person (default: from the house's own page)."""
        found = token or (served.token(person) if person else "")
        cookie = {"Cookie": f"{served.serving.authenticator.cookie_name}={found}"} if found else {}
        self.token, self.copy = found, TableCopy()
        self._socket = connect(
            f"ws://127.0.0.1:{served.port}/api/tables/{table}/live",
            origin=None if origin is None else Origin(served.address if origin == "own" else origin),
            additional_headers=cookie if headers is None else headers,
            max_size=None,
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
            legacy=True,
        )

    def __enter__(self) -> Self:
        """Connect."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect."""
        self._socket.close()

    def send(self, message: object) -> None:
        """Send text or bytes as they are, anything else as JSON."""
        self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def send_raw(self, text: bytes) -> None:
        """Send bytes as a text frame, even if they are not valid UTF-8."""
        with self._socket.send_context():
            self._socket.protocol.send_text(text)

    def receive(self, *kinds: str, within: float = SOON) -> dict[str, Any]:
        """Return the next message, optionally of certain kinds; after a change, the whole table."""
        until = time.monotonic() + within
        while True:
            found = self.copy.take(self._socket.recv(timeout=max(0.0, until - time.monotonic())))
            if not kinds or found["kind"] in kinds:
                return found

    def answer(self, message: object) -> dict[str, Any]:
        """Send a message and return its answer, skipping table updates."""
        self.send(message)
        return self.receive("done", "refused", "trouble")

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command under a new key and return its answer."""
        return self.answer({"key": new_key(), "command": {"kind": kind, **fields}})

    def until(self, phase: str) -> dict[str, Any]:
        """Return the first message in which the current round is in a phase."""
        while True:
            found = self.receive("table")
            current_round = found["view"]["round"]
            if current_round is not None and current_round["phase"] == phase:
                return found

    def until_sequence(self, sequence: int) -> dict[str, Any]:
        """Return the table once it includes the event with a sequence."""
        while not self.copy.message or self.copy.message["sequence"] < sequence:
            self.receive("table")
        return self.copy.message

    def closed(self, within: float = SOON) -> int:
        """Return the close code."""
        return self.close_reason(within)[0]

    def close_reason(self, within: float = SOON) -> tuple[int, str]:
        """Return the close code and reason."""
        until = time.monotonic() + within
        try:
            while True:
                self._socket.recv(timeout=max(0.0, until - time.monotonic()))
        except ConnectionClosed as error:
            return (error.rcvd.code, error.rcvd.reason) if error.rcvd is not None else (1006, "")

    def is_alive(self) -> bool:
        """Return whether the connection still answers."""
        return bool(self.answer({"key": "alive", "ready": -1})["kind"] == "refused")


def settled_heads(served: ServedHouse, table: str = TABLE) -> dict[str, int]:
    """Return the heads of all streams once the dealer only waits."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        before = served.heads()
        watch = served.serving.floor.tables[table]
        if watch.sequence == before[watch.stream] and isinstance(
            served.serving.floor.next_action_for(watch.snapshot), WaitReason
        ):
            time.sleep(0.02)
            if served.heads() == before:
                return before
        time.sleep(0.005)
    raise AssertionError("The table did not come to rest.")


@contextmanager
def assert_no_errors() -> Iterator[list[logging.LogRecord]]:
    """Fail if anything is logged with a traceback; return the log."""
    found = list[logging.LogRecord]()

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith("websockets"):
                found.append(record)

    handler, root = Keeping(), logging.getLogger()
    root.addHandler(handler)
    try:
        yield found
    finally:
        root.removeHandler(handler)
    faults = [record.getMessage() for record in found if record.exc_info or record.levelno >= logging.ERROR]
    assert faults == []

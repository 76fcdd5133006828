"""Players of a soak, run as a separate process: they play on while the server is killed and started again.

A player whose connection is lost connects again, and sends every command without an answer again under its
key. What the server promised is noted in a file: each command that was sent, each that was answered, and the
result of each round as the player saw it. The process answers each line of standard input with its figures
since the last one; at the end of its input it stops.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, TextIO

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench.live_players import CONNECTIONS_AT_ONCE, FOLD_SHARE, PLACED_WAGERS
from bench.measurement import READY
from bench.setup_house import SeatedPlayer
from fourcard.server.floor.changes import apply_change

RECONNECT_SECONDS = 0.5
TROUBLE_SECONDS = 0.5
"""Seconds after which a command is repeated that the house could not store, or that came too soon."""
LAST_ANSWERS_SECONDS = 30.0
"""Seconds for the answers that are missing at the end."""
BUY_IN = 500_000
FEW_CHIPS = 100_000
"""Cents under which a player buys more chips."""


class SoakLoad(msgspec.Struct, frozen=True):
    """The players, their pace in seconds, and the file for their notes."""

    port: int
    seats: tuple[SeatedPlayer, ...]
    every: float
    notes: str


class SoakNote(msgspec.Struct, frozen=True, array_like=True):
    """One line of the notes: a command that was sent or answered, or the net result of a round."""

    kind: str
    """`sent`, `done` or `net`."""
    table: str
    name: str
    """The key of the command, or the player of the result."""
    number: int = 0
    """The sequence of an answered command, or the number of the round."""
    cents: int = 0


class SoakFigures(msgspec.Struct, frozen=True):
    """What the players did since the last report."""

    acts: int
    answered: list[float]
    """Seconds from a command to its answer on the same connection."""
    recovered: list[float]
    """Seconds from a command to its answer where the connection was lost in between."""
    refused: dict[str, int]
    connections: int


class SoakNotebook:
    """The notes and figures of all players."""

    def __init__(self, file: TextIO) -> None:
        """Write the notes to a file."""
        self._file, self._encoder = file, msgspec.json.Encoder()
        self.acts = self.connections = 0
        self.answered, self.recovered, self.refused = list[float](), list[float](), dict[str, int]()

    def add(self, *values: Any) -> None:
        """Write a note."""
        self._file.write(self._encoder.encode(SoakNote(*values)).decode() + "\n")

    def add_refusal(self, answer: dict[str, Any]) -> None:
        """Count a refused command by its reason."""
        name = answer["refusal"]["name"]
        self.refused[name] = self.refused.get(name, 0) + 1

    def take(self) -> SoakFigures:
        """Return the figures since the last call, and start again."""
        found = SoakFigures(self.acts, self.answered, self.recovered, self.refused, self.connections)
        self.acts = self.connections = 0
        self.answered, self.recovered, self.refused = [], [], {}
        return found


class SoakPlayer:
    """A live player who plays on after a lost connection, and notes what the server promised."""

    def __init__(self, seat: SeatedPlayer, every: float, book: SoakNotebook) -> None:
        """Take a seat, the pace and the common notes."""
        self.seat, self._every, self._book, self._chance = seat, every, book, Random(seat.player)
        self._table: dict[str, Any] = {}
        """The table as the player has it; empty before the first message."""
        self._changed = asyncio.Event()
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._unanswered: dict[str, str] = {}
        """By key, the messages without an answer."""
        self._sent = self._connected = self._ready_at = self._noted = 0
        self._socket: ClientConnection | None = None
        self._stopped = False

    def stop(self) -> None:
        """Send nothing new from now on."""
        self._stopped = True

    async def wait_for_message(self) -> None:
        """Wait for the first message."""
        await self._changed.wait()

    async def play(self) -> None:
        """Act whenever possible, but not more often than the pace allows."""
        while True:
            while not (acts := self._acts()):
                self._changed.clear()
                await self._changed.wait()
            began = time.perf_counter()
            for act in acts:
                await self._send(act)
            self._book.acts += 1
            await asyncio.sleep(max(0.0, began + self._every - time.perf_counter()))

    async def stay(self, port: int) -> None:
        """Stay connected until cancelled."""
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                await self.listen(port)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def listen(self, port: int) -> None:
        """Connect, send what has no answer again, and receive messages until the connection ends."""
        uri = f"ws://127.0.0.1:{port}/api/tables/{self.seat.table}/live"
        headers = {"Authorization": f"Bearer {self.seat.token}"}
        async with connect(
            uri, additional_headers=headers, compression=None, max_size=None, ping_interval=None
        ) as socket:
            self._socket = socket
            self._connected += 1
            self._book.connections += 1
            for said in tuple(self._unanswered.values()):
                await socket.send(said)
            async for message in socket:
                self._receive(msgspec.json.decode(message))

    def _receive(self, message: dict[str, Any]) -> None:
        """Keep the table, or pass an answer on to whom it is for."""
        if message["kind"] in ("table", "change"):
            whole = message["kind"] == "table"
            self._table = message if whole else apply_change(self._table, message)
            self._note_result()
            self._changed.set()
            return
        answered = self._answers.pop(message["key"], None)
        if answered is not None and not answered.done():
            answered.set_result(message)

    def _acts(self) -> list[dict[str, Any]]:
        """Return the next messages: chips and a seat if they are missing, then wagers or the decision."""
        if not self._table or self._stopped:
            return []
        view, you, position = self._table["view"], self._table["you"], self.seat.position
        if you["chips"] < FEW_CHIPS and (view["round"] is None or view["round"]["bets_open"]):
            return [_command("buy_in", player=self.seat.player, cents=BUY_IN)]
        if position not in you["positions"]:
            taken = str(position) in view["seats"]
            return [] if taken else [_command("take_seat", position=position, player=self.seat.player)]
        if view["round"] is not None and view["round"]["deciding"] == position:
            return [self._decision(position)]
        return self._wagers(view) or [*self._ready_again(view, you)]

    def _wagers(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the wagers of a position without any, and the ready signal."""
        position, wagers = self.seat.position, dict[str, int]()
        places = view["round"]["places"] if view["round"] is not None and view["round"]["bets_open"] else ()
        if any(not place["wagers"] for place in places if place["position"] == position):
            wagers = {
                may["wager"]: may["amount"]
                for may in self._table["chances"]["may"]
                if may["kind"] == "place_wager" and may["wager"] in PLACED_WAGERS
            }
        placed = _command("place_wagers", position=position, wagers=wagers)
        return [placed, {"ready": view["number"]}] if wagers else []

    def _decision(self, position: int) -> dict[str, Any]:
        plays = self._table["chances"]["plays"].get(str(position))
        if plays is None or self._chance.random() < FOLD_SHARE:
            return _command("fold", position=position)
        return _command("play", position=position, amount=plays["least"])

    def _ready_again(self, view: dict[str, Any], you: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the ready signal again if a killed server has forgotten it, once a connection."""
        if view["round"] is None or not view["round"]["bets_open"] or you["ready"]:
            return
        if self._ready_at != self._connected:
            self._ready_at = self._connected
            yield {"ready": view["number"]}

    async def _send(self, what: dict[str, Any]) -> None:
        """Send a message under a key of its own until it is answered, and note the answer."""
        self._sent += 1
        key, command = f"{self.seat.player}-{self._sent}", "command" in what
        said = self._unanswered[key] = msgspec.json.encode({"key": key, **what}).decode()
        if command:
            self._book.add("sent", self.seat.table, key)
        began, connection = time.perf_counter(), self._connected
        answer = await self._answer(key, said)
        while _is_trouble(answer):
            await asyncio.sleep(TROUBLE_SECONDS)
            answer = await self._answer(key, said)
        del self._unanswered[key]
        taken = time.perf_counter() - began
        if answer["kind"] != "done":
            self._book.add_refusal(answer)
            return
        book = self._book
        (book.answered if connection == self._connected else book.recovered).append(taken)
        if command:
            self._book.add("done", self.seat.table, key, answer["sequence"])

    async def _answer(self, key: str, said: str) -> dict[str, Any]:
        """Send a message and return its answer, which can come on a later connection."""
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[key] = answered
        assert self._socket is not None
        with suppress(WebSocketException):
            await self._socket.send(said)
        return await answered

    def _note_result(self) -> None:
        """Note the player's result of the last round, once."""
        view = self._table["view"] if self._table else None
        if view is None or view["last"] is None:
            return
        number = view["number"] - (view["round"] is not None)
        if number <= self._noted:
            return
        self._noted = number
        for place in view["last"]["places"]:
            if place["player"] == self.seat.player and place["wagers"]:
                self._book.add("net", self.seat.table, self.seat.player, number, place["net"])

    @property
    def is_answered(self) -> bool:
        """Return whether every message has its answer."""
        return not self._unanswered


def _command(kind: str, **fields: Any) -> dict[str, Any]:
    return {"command": {"kind": kind, **fields}}


def _is_trouble(answer: dict[str, Any]) -> bool:
    """Return whether a command must be sent again: the store failed, or the rate limit was exceeded."""
    return answer["kind"] == "trouble" or answer.get("refusal", {}).get("name") in (
        "house_in_trouble",
        "too_fast",
    )


async def play(load: SoakLoad) -> None:
    """Connect all players and let them play until standard input ends."""
    with Path(load.notes).open("w", encoding="utf-8") as file:
        book = SoakNotebook(file)
        players = [SoakPlayer(seat, load.every, book) for seat in load.seats]
        connected = list[asyncio.Task[None]]()
        for place in range(0, len(players), CONNECTIONS_AT_ONCE):
            some = players[place : place + CONNECTIONS_AT_ONCE]
            connected += [asyncio.create_task(player.stay(load.port)) for player in some]
            await asyncio.gather(*(player.wait_for_message() for player in some))
        playing = [asyncio.create_task(player.play()) for player in players]
        print(READY, flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(msgspec.json.encode(book.take()).decode(), flush=True)
        await _finish(players, playing, connected)


async def _finish(
    players: list[SoakPlayer], playing: list[asyncio.Task[None]], connected: list[asyncio.Task[None]]
) -> None:
    """Send nothing new, wait for the missing answers, and disconnect."""
    for player in players:
        player.stop()
    end = time.monotonic() + LAST_ANSWERS_SECONDS
    while not all(player.is_answered for player in players) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    for task in (*playing, *connected):
        task.cancel()
    for found in await asyncio.gather(*playing, *connected, return_exceptions=True):
        if isinstance(found, Exception):
            raise found


if __name__ == "__main__":
    uvloop.run(play(msgspec.json.decode(sys.stdin.readline(), type=SoakLoad)))

"""Live players of a house, run as a separate process: they connect, play for a while, and report latencies.

The process prints a line when all players are connected and waits for a line. It prints another when
measuring starts, after the warm-up, and at the end it prints the result. Every player keeps the whole table
and applies each change to it, as the page does.
"""

import asyncio
import sys
import time
from collections import deque
from random import Random
from typing import Any

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from bench.measurement import READY
from bench.setup_house import SeatedPlayer
from fourcard.server.floor.changes import apply_change

REMEMBERED = 60
"""The number of pushes whose time a player remembers."""
PLACED_WAGERS = ("ante", "aces_up")


class LatencyRecords:
    """The measurements of all players of a process, in seconds."""

    def __init__(self) -> None:
        """Start empty, with recording off."""
        self.recording = False
        self.answered, self.seen = list[float](), list[float]()
        self.acts = self.refused = self.messages = self.bytes = 0
        self.rounds: dict[str, int] = {}
        """By table, the number of the last round seen."""


class TablePlayers:
    """The players at one table."""

    def __init__(self) -> None:
        """Start without players."""
        self.players = list["LivePlayer"]()

    def record_decision(
        self, player: "LivePlayer", sequence: int, done: float, notes: LatencyRecords
    ) -> None:
        """Let every other player at the table record when the decision was seen, counted from its answer."""
        for other in self.players:
            if other is not player:
                other.await_push(sequence, done, notes)


class LivePlayer:
    """One player, with one connection."""

    def __init__(
        self, seat: SeatedPlayer, company: TablePlayers, notes: LatencyRecords, every: float
    ) -> None:
        """Join the players of a table."""
        self.seat, self._company, self._notes, self._every = seat, company, notes, every
        self._chance = Random(seat.player)
        self._table: dict[str, Any] = {}
        """The table as the player has it; empty before the first message."""
        self._changed = asyncio.Event()
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._pushes = deque[tuple[int, float]](maxlen=REMEMBERED)
        self._awaited = list[tuple[int, float]]()
        self._sent = 0
        self._socket: ClientConnection | None = None
        company.players.append(self)

    async def listen(self, port: int) -> None:
        """Connect, and receive messages until the connection ends."""
        uri = f"ws://127.0.0.1:{port}/api/tables/{self.seat.table}/live"
        signed_in = {"Authorization": f"Bearer {self.seat.token}"}
        async with connect(
            uri, additional_headers=signed_in, compression=None, max_size=None, ping_interval=None
        ) as socket:
            self._socket = socket
            async for message in socket:
                self._receive(message)

    async def wait_for_message(self) -> None:
        """Wait for the first message."""
        await self._changed.wait()

    async def play(self) -> None:
        """Act whenever possible, but not more often than the pace allows."""
        while True:
            acts = await self._turn()
            began = time.perf_counter()
            for act in acts:
                await self._send(act)
            self._notes.acts += self._notes.recording
            await asyncio.sleep(max(0.0, began + self._every - time.perf_counter()))

    async def _turn(self) -> list[dict[str, Any]]:
        while not (acts := self._acts()):
            self._changed.clear()
            await self._changed.wait()
        return acts

    def _acts(self) -> list[dict[str, Any]]:
        """Return the player's next messages: all wagers and the ready signal, or the decision."""
        table, position = self._table, self.seat.position
        current_round = table["view"]["round"] if table else None
        if current_round is None:
            return []
        if current_round["deciding"] == position:
            return [self._decision(position)]
        if not current_round["bets_open"] or any(
            each["wagers"] for each in current_round["places"] if each["position"] == position
        ):
            return []
        wagers = {
            may["wager"]: may["amount"]
            for may in table["chances"]["may"]
            if may["kind"] == "place_wager" and may["position"] == position and may["wager"] in PLACED_WAGERS
        }
        command = {"kind": "place_wagers", "position": position, "wagers": wagers}
        return [{"command": command}, {"ready": table["view"]["number"]}] if wagers else []

    def _decision(self, position: int) -> dict[str, Any]:
        plays = self._table["chances"]["plays"].get(str(position))
        if plays is None or self._chance.random() < 0.4:
            return {"command": {"kind": "fold", "position": position}}
        return {"command": {"kind": "play", "position": position, "amount": plays["least"]}}

    async def _send(self, what: dict[str, Any]) -> None:
        """Send a message with a unique key, and record the time to its answer."""
        assert self._socket is not None
        self._sent += 1
        key = f"{self.seat.player}-{self._sent}"
        answered = self._answers[key] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        await self._socket.send(msgspec.json.encode({"key": key, **what}).decode())
        answer = await answered
        done = time.perf_counter()
        if not self._notes.recording:
            return
        if answer["kind"] != "done":
            self._notes.refused += 1
            return
        self._notes.answered.append(done - began)
        if what.get("command", {}).get("kind") in ("play", "fold"):
            self._company.record_decision(self, answer["sequence"], done, self._notes)

    def await_push(self, sequence: int, done: float, notes: LatencyRecords) -> None:
        """Record when a push with this sequence was seen; it can arrive before the answer."""
        known = next((at for reached, at in self._pushes if reached >= sequence), None)
        if known is None:
            self._awaited.append((sequence, done))
        else:
            notes.seen.append(known - done)

    def _receive(self, message: str | bytes) -> None:
        heard, now = msgspec.json.decode(message), time.perf_counter()
        if self._notes.recording:
            self._notes.messages += 1
            self._notes.bytes += len(message)
        if heard["kind"] == "table":
            self._table = heard
        elif heard["kind"] == "change":
            self._table = apply_change(self._table, heard)
        else:
            answered = self._answers.pop(heard["key"], None)
            if answered is not None and not answered.done():
                answered.set_result(heard)
            return
        self._pushes.append((heard["sequence"], now))
        self._notes.rounds[self.seat.table] = self._table["view"]["number"]
        if self._awaited:
            self._reached(heard["sequence"], now)
        self._changed.set()

    def _reached(self, sequence: int, now: float) -> None:
        seen = [done for awaited, done in self._awaited if awaited <= sequence]
        self._notes.seen += [now - done for done in seen]
        self._awaited = [each for each in self._awaited if each[0] > sequence]


DELAY_CHECK_SECONDS = 0.01
"""Seconds between two checks of this process's own delay."""
CONNECTIONS_AT_ONCE = 20
"""Connections opened at the same time."""


class LiveLoad(msgspec.Struct, frozen=True):
    """The players, their pace, and the durations in seconds."""

    port: int
    seats: tuple[SeatedPlayer, ...]
    every: float
    warm: float
    span: float


class LiveResult(msgspec.Struct, frozen=True):
    """The result of one measurement."""

    span: float
    acts: int
    rounds: int
    messages: int
    bytes: int
    refused: int
    answered: list[float]
    """Seconds from sending a command to its answer."""
    seen: list[float]
    """Seconds from the answer to a decision to its push to each other seat; negative if the push is first."""
    late: list[float]
    """Seconds by which this process was delayed."""
    cpu: float


async def run_players(load: LiveLoad) -> LiveResult:
    """Connect all players, and play."""
    notes, tables = LatencyRecords(), dict[str, TablePlayers]()
    players = [
        LivePlayer(seat, tables.setdefault(seat.table, TablePlayers()), notes, load.every)
        for seat in load.seats
    ]
    tasks = list[asyncio.Task[None]]()
    for place in range(0, len(players), CONNECTIONS_AT_ONCE):
        some = players[place : place + CONNECTIONS_AT_ONCE]
        tasks += [asyncio.create_task(player.listen(load.port)) for player in some]
        await asyncio.gather(*(player.wait_for_message() for player in some))
    _say(READY)
    await asyncio.to_thread(sys.stdin.readline)
    tasks += [asyncio.create_task(_start_table(company, load.every)) for company in tables.values()]
    await asyncio.sleep(load.warm)
    _say(READY)
    found = await _measure_players(load, notes)
    for task in tasks:
        if task.done() and task.exception() is not None:
            raise RuntimeError("a player's connection was lost during the measurement") from task.exception()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


async def _start_table(company: TablePlayers, every: float) -> None:
    """Start a table after a random part of the pace, so that tables do not act at the same time."""
    await asyncio.sleep(Random(company.players[0].seat.table).uniform(0, every))
    await asyncio.gather(*(player.play() for player in company.players))


async def _measure_players(load: LiveLoad, notes: LatencyRecords) -> LiveResult:
    before, cpu, begin = dict(notes.rounds), time.process_time(), time.perf_counter()
    notes.recording = True
    late = await _lateness(load.span)
    notes.recording = False
    return LiveResult(
        span=time.perf_counter() - begin,
        acts=notes.acts,
        rounds=sum(number - before[table] for table, number in notes.rounds.items()),
        messages=notes.messages,
        bytes=notes.bytes,
        refused=notes.refused,
        answered=notes.answered,
        seen=notes.seen,
        late=late,
        cpu=time.process_time() - cpu,
    )


async def _lateness(span: float) -> list[float]:
    """Return the delay of this process at many points in time."""
    late, end = list[float](), time.perf_counter() + span
    while (now := time.perf_counter()) < end:
        await asyncio.sleep(DELAY_CHECK_SECONDS)
        late.append(time.perf_counter() - now - DELAY_CHECK_SECONDS)
    return late


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    _say(
        msgspec.json.encode(
            uvloop.run(run_players(msgspec.json.decode(sys.stdin.readline(), type=LiveLoad)))
        ).decode()
    )

"""Live player: one player on a live connection who wagers and decides at a pace, and records latencies.

Only the fields that the player needs are decoded. The time to each answer, and the time until the other
players saw a decision, go into the records that all players of the process share.
"""

import asyncio
import time
from collections import deque
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from bench.founding import Seat
from bench.heard import Heard

REMEMBERED = 60
"""The number of pushes whose time a player remembers."""
PLACED = ("ante", "aces_up")

_decoder = msgspec.json.Decoder(Heard)


class Notes:
    """The measurements of all players of a process, in seconds."""

    def __init__(self) -> None:
        """Start empty, with recording off."""
        self.noting = False
        self.answered, self.seen = list[float](), list[float]()
        self.acts = self.refused = self.messages = self.bytes = 0
        self.rounds: dict[str, int] = {}
        """By table, the number of the last round seen."""


class Company:
    """The players at one table."""

    def __init__(self) -> None:
        """Start without players."""
        self.players = list["Player"]()

    def decided(self, player: "Player", sequence: int, done: float, notes: Notes) -> None:
        """Let every other player at the table record when the decision was seen, counted from its answer."""
        for other in self.players:
            if other is not player:
                other.await_push(sequence, done, notes)


class Player:
    """One player, with one connection."""

    def __init__(self, seat: Seat, company: Company, notes: Notes, every: float) -> None:
        """Join the players of a table."""
        self.seat, self._company, self._notes, self._every = seat, company, notes, every
        self._chance = Random(seat.player)
        self._last: Heard | None = None
        self._changed = asyncio.Event()
        self._answers: dict[str, asyncio.Future[Heard]] = {}
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
                self._take(message)

    async def seen(self) -> None:
        """Wait for the first message."""
        await self._changed.wait()

    async def play(self) -> None:
        """Act whenever possible, but not more often than the pace allows."""
        while True:
            acts = await self._turn()
            began = time.perf_counter()
            for act in acts:
                await self._say(act)
            self._notes.acts += self._notes.noting
            await asyncio.sleep(max(0.0, began + self._every - time.perf_counter()))

    async def _turn(self) -> list[dict[str, Any]]:
        while not (acts := self._acts()):
            self._changed.clear()
            await self._changed.wait()
        return acts

    def _acts(self) -> list[dict[str, Any]]:
        """Return the player's next messages: all wagers and the ready signal, or the decision."""
        last, position = self._last, self.seat.position
        if last is None or last.view is None or last.view.round is None:
            return []
        under_way = last.view.round
        if under_way.deciding == position:
            return [self._decision(last, position)]
        if not under_way.bets_open or any(
            each.wagers for each in under_way.places if each.position == position
        ):
            return []
        wagers = [
            {
                "command": {
                    "kind": "place_wager",
                    "position": position,
                    "wager": may.wager,
                    "amount": may.amount,
                }
            }
            for may in last.chances.may
            if may.kind == "place_wager" and may.position == position and may.wager in PLACED
        ]
        return [*wagers, {"ready": last.view.number}] if wagers else []

    def _decision(self, last: Heard, position: int) -> dict[str, Any]:
        plays = last.chances.plays.get(position)
        if plays is None or self._chance.random() < 0.4:
            return {"command": {"kind": "fold", "position": position}}
        return {"command": {"kind": "play", "position": position, "amount": plays.least}}

    async def _say(self, what: dict[str, Any]) -> None:
        """Send a message with a unique key, and record the time to its answer."""
        assert self._socket is not None
        self._sent += 1
        key = f"{self.seat.player}-{self._sent}"
        answered = self._answers[key] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        await self._socket.send(msgspec.json.encode({"key": key, **what}).decode())
        answer = await answered
        done = time.perf_counter()
        if not self._notes.noting:
            return
        if answer.kind != "done":
            self._notes.refused += 1
            return
        self._notes.answered.append(done - began)
        if what.get("command", {}).get("kind") in ("play", "fold"):
            self._company.decided(self, answer.sequence, done, self._notes)

    def await_push(self, sequence: int, done: float, notes: Notes) -> None:
        """Record when a push with this sequence was seen; it can arrive before the answer."""
        known = next((at for reached, at in self._pushes if reached >= sequence), None)
        if known is None:
            self._awaited.append((sequence, done))
        else:
            notes.seen.append(known - done)

    def _take(self, message: str | bytes) -> None:
        heard, now = _decoder.decode(message), time.perf_counter()
        if self._notes.noting:
            self._notes.messages += 1
            self._notes.bytes += len(message)
        if heard.kind != "table":
            answered = self._answers.pop(heard.key, None)
            if answered is not None and not answered.done():
                answered.set_result(heard)
            return
        self._last = heard
        self._pushes.append((heard.sequence, now))
        if heard.view is not None:
            self._notes.rounds[self.seat.table] = heard.view.number
        if self._awaited:
            self._reached(heard.sequence, now)
        self._changed.set()

    def _reached(self, sequence: int, now: float) -> None:
        seen = [done for awaited, done in self._awaited if awaited <= sequence]
        self._notes.seen += [now - done for done in seen]
        self._awaited = [each for each in self._awaited if each[0] > sequence]

"""A player over a live connection who reconnects and resends unanswered commands."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

RETRY, BREATH, TOO_FAST = 0.05, 0.06, 1.0
"""Seconds before reconnecting, between two commands, and after a rate limit."""
STACK = 50_000


class Person:
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
        async with connect(url, additional_headers=headers, open_timeout=60, close_timeout=1) as live:
            self.connections += 1
            for said in tuple(self.waiting.values()):
                await live.send(msgspec.json.encode(said).decode())
            async for message in live:
                await self._heard(live, msgspec.json.decode(message))

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
        self.told += [said["text"] for said in message["told"]]
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
        if you["chips"] < STACK // 5 and view["round"] is None:
            return _command("buy_in", player=self.name, cents=STACK)
        if not you["positions"]:
            free = str(self.position) not in view["seats"] and you["chips"] >= STACK // 5
            bought = _command("buy_in", player=self.name, cents=STACK)
            return _command("take_seat", position=self.position, player=self.name) if free else bought
        return None if view["round"] is None else self._in_round(seen, view)

    def _in_round(self, seen: dict[str, Any], view: dict[str, Any]) -> dict[str, Any] | None:
        under_way, number = view["round"], view["number"]
        place = next(each for each in under_way["places"] if each["position"] == self.position)
        if under_way["bets_open"] and "ante" not in place["wagers"]:
            least = (each for each in seen["chances"]["may"] if each.get("wager") == "ante")
            return next(({"command": each} for each in least if each["kind"] == "place_wager"), None)
        if under_way["bets_open"] and not seen["you"]["ready"]:
            return {"ready": number}
        if under_way["deciding"] != self.position:
            return None
        plays = seen["chances"]["plays"].get(str(self.position))
        if plays is None or self.chance.random() < 0.3:
            return _command("fold", position=self.position)
        return _command(
            "play", position=self.position, amount=self.chance.choice((plays["least"], plays["most"]))
        )

    async def until(self, what: Callable[[], bool], patience: float = 60.0) -> None:
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
        under_way = self.seen["view"]["round"] if self.seen else None
        return "" if under_way is None else str(under_way["phase"])


def _command(kind: str, **fields: Any) -> dict[str, Any]:
    return {"command": {"kind": kind, **fields}}

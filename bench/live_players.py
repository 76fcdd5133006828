"""Live players of a house, run as a separate process: they connect, play for a while, and report latencies.

The process prints a line when all players are connected and waits for a line. It prints another when
measuring starts, after the warm-up, and at the end it prints the result. A player decodes of each message
only what its next act depends on, so that thousands of them fit on a part of a core.
"""

import asyncio
import sys
import time
from collections import deque
from itertools import cycle
from random import Random

import msgspec
import uvloop

from bench.measurement import READY, quantile
from bench.raw_websocket import RawWebSocket
from bench.setup_house import SeatedPlayer

REMEMBERED = 20
"""The number of pushes whose time a player remembers."""
PLACED_WAGERS = ("ante", "aces_up")
FOLD_SHARE = 0.4
"""The share of hands that a player folds."""
CONNECT_SECONDS = 20.0
"""Seconds within which a connection must bring its first message."""
_encoder = msgspec.json.Encoder()


class Offer(msgspec.Struct, frozen=True):
    """A command that a player may send now, as far as it matters here."""

    kind: str
    position: int | None = None
    wager: str | None = None
    amount: int | None = None


class PlayLimits(msgspec.Struct, frozen=True):
    """The least Play wager of a position."""

    least: int


class SeenActions(msgspec.Struct, frozen=True):
    """What a player may do, decoded only when the player acts."""

    may: msgspec.Raw = msgspec.Raw(b"[]")
    plays: msgspec.Raw = msgspec.Raw(b"{}")


class SeenRound(msgspec.Struct, frozen=True):
    """What a player looks at in a round."""

    bets_open: bool
    deciding: int | None


class SeenView(msgspec.Struct, frozen=True):
    """What a player looks at in the view of a table."""

    number: int
    round: SeenRound | None


class Message(msgspec.Struct, frozen=True):
    """Any message of the server: a table, a change, or the answer to a message of the player."""

    kind: str
    key: str = ""
    sequence: int = 0
    view: SeenView | None = None
    chances: SeenActions | None = None
    set: tuple[tuple[tuple[str | int, ...], msgspec.Raw], ...] = ()


_message = msgspec.json.Decoder(Message)
_actions = msgspec.json.Decoder(SeenActions)
_round = msgspec.json.Decoder(SeenRound | None)
_offers = msgspec.json.Decoder(list[Offer])
_plays = msgspec.json.Decoder(dict[int, PlayLimits])


class SeenTable:
    """The part of a table that decides about a player's next act."""

    def __init__(self) -> None:
        """Start without a table."""
        self.number, self.bets_open = 0, False
        self.deciding: int | None = None
        self._chances = SeenActions()

    def offers(self) -> list[Offer]:
        """Return the commands that the player may send."""
        return _offers.decode(self._chances.may)

    def least_play(self, position: int) -> int | None:
        """Return the least Play wager of a position, or None if it can only fold."""
        found = _plays.decode(self._chances.plays).get(position)
        return None if found is None else found.least

    def take(self, message: Message) -> None:
        """Take a whole table, or a change."""
        if message.view is not None:
            self.number, self._chances = message.view.number, message.chances or SeenActions()
            self._take_round(message.view.round)
        for path, value in message.set:
            if path[0] == "chances":
                self._change_chances(path[1:], value)
            elif path[0] == "view":
                self._change_view(path[1:], value)

    def _take_round(self, found: SeenRound | None) -> None:
        self.bets_open, self.deciding = (False, None) if found is None else (found.bets_open, found.deciding)

    def _change_chances(self, path: tuple[str | int, ...], value: msgspec.Raw) -> None:
        before = self._chances
        if not path:
            self._chances = _actions.decode(value)
        elif path == ("may",):
            self._chances = SeenActions(value, before.plays)
        elif path == ("plays",):
            self._chances = SeenActions(before.may, value)

    def _change_view(self, path: tuple[str | int, ...], value: msgspec.Raw) -> None:
        if path == ("number",):
            self.number = msgspec.json.decode(value, type=int)
        elif path == ("round",):
            self._take_round(_round.decode(value))
        elif path == ("round", "bets_open"):
            self.bets_open = msgspec.json.decode(value, type=bool)
        elif path == ("round", "deciding"):
            self.deciding = msgspec.json.decode(value, type=int | None)


class LatencyRecords:
    """The measurements of all players of a process, in seconds."""

    def __init__(self) -> None:
        """Start empty, with recording off."""
        self.recording = False
        self.answered, self.seen = list[float](), list[float]()
        self.acts = self.refused = self.messages = self.bytes = 0
        self.rounds: dict[str, int] = {}
        """By table, the number of the last round seen."""


class SentMessage(msgspec.Struct, frozen=True):
    """A message that waits to be sent, or for its answer."""

    content: dict[str, object]
    decides: bool = False
    """Whether it is a decision, which the other players at the table wait to see."""


class LivePlayer:
    """One player, with one connection; acts as soon as it can, but not more often than its pace allows."""

    def __init__(
        self, seat: SeatedPlayer, company: list["LivePlayer"], notes: LatencyRecords, every: float
    ) -> None:
        """Join the players of a table."""
        self.seat, self._company, self._notes, self._every = seat, company, notes, every
        self._loop, self._chance = asyncio.get_running_loop(), Random(seat.player)
        self.seen_first: asyncio.Future[None] = self._loop.create_future()
        self._table, self._waiting = SeenTable(), deque[SentMessage]()
        self._asked: SentMessage | None = None
        self._sent_at, self._free_at, self._sent, self._bet_in = 0.0, float("inf"), 0, 0
        self._pushes = deque[tuple[int, float]](maxlen=REMEMBERED)
        self._awaited = list[tuple[int, float]]()
        self.socket: RawWebSocket | None = None
        company.append(self)

    async def connect(self, port: int, address: str) -> None:
        """Connect from an address, and wait for the first message."""
        path = f"/api/tables/{self.seat.table}/live"
        _, self.socket = await self._loop.create_connection(
            lambda: RawWebSocket(f"127.0.0.1:{port}", path, self.seat.token, self._receive),
            "127.0.0.1",
            port,
            local_addr=(address, 0),
        )
        ends: list[asyncio.Future[None] | asyncio.Future[str]] = [self.seen_first, self.socket.ended]
        await asyncio.wait(ends, timeout=CONNECT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not self.seen_first.done() or self.socket.ended.done():
            raise RuntimeError(f"a player cannot connect: {self.lost_because}")

    @property
    def lost_because(self) -> str:
        """Return why the connection ended; empty while it lasts."""
        ended = self.socket is not None and self.socket.ended.done()
        return self.socket.ended.result() if ended and self.socket is not None else ""

    def start(self) -> None:
        """Start to play."""
        self._free_at = 0.0
        self._act()

    def stop(self) -> None:
        """Stop playing, and disconnect."""
        self._free_at = float("inf")
        if self.socket is not None:
            self.socket.close()

    def _act(self) -> None:
        """Send the next messages if it is time and there is something to do."""
        now = self._loop.time()
        if now < self._free_at or self._asked is not None:
            return
        messages = self._next_messages()
        if messages:
            self._free_at = now + self._every
            self._loop.call_at(self._free_at, self._act)
            self._notes.acts += self._notes.recording
            self._waiting.extend(messages)
            self._send_next()

    def _next_messages(self) -> list[SentMessage]:
        """Return the next messages: all wagers and the ready signal, or the decision."""
        table, position = self._table, self.seat.position
        if table.deciding == position:
            return [SentMessage({"command": self._decision(position)}, decides=True)]
        if not table.bets_open or self._bet_in == table.number:
            return []
        wagers = {
            offer.wager: offer.amount
            for offer in table.offers()
            if offer.kind == "place_wager" and offer.position == position and offer.wager in PLACED_WAGERS
        }
        command = {"kind": "place_wagers", "position": position, "wagers": wagers}
        return [SentMessage({"command": command}), SentMessage({"ready": table.number})] if wagers else []

    def _decision(self, position: int) -> dict[str, object]:
        least = self._table.least_play(position)
        if least is None or self._chance.random() < FOLD_SHARE:
            return {"kind": "fold", "position": position}
        return {"kind": "play", "position": position, "amount": least}

    def _send_next(self) -> None:
        """Send a message with a unique key."""
        assert self.socket is not None
        self._asked, self._sent = self._waiting.popleft(), self._sent + 1
        self._sent_at = time.perf_counter()
        self.socket.send(_encoder.encode({"key": f"{self.seat.player}-{self._sent}", **self._asked.content}))

    def _receive(self, text: bytes) -> None:
        message, now = _message.decode(text), time.perf_counter()
        if self._notes.recording:
            self._notes.messages += 1
            self._notes.bytes += len(text)
        if message.kind in ("table", "change"):
            self._take_table(message, now)
        else:
            self._take_answer(message, now)
        self._act()

    def _take_table(self, message: Message, now: float) -> None:
        self._table.take(message)
        self._pushes.append((message.sequence, now))
        self._notes.rounds[self.seat.table] = self._table.number
        if self._awaited:
            self._note_seen(message.sequence, now)
        if not self.seen_first.done():
            self.seen_first.set_result(None)

    def _take_answer(self, answer: Message, now: float) -> None:
        """Record the time to an answer, and send what comes next; after a refusal nothing does."""
        asked, self._asked = self._asked, None
        assert asked is not None
        if answer.kind != "done":
            self._notes.refused += self._notes.recording
            self._waiting.clear()
            return
        if self._notes.recording:
            self._notes.answered.append(now - self._sent_at)
            if asked.decides:
                for other in self._company:
                    if other is not self:
                        other.await_push(answer.sequence, now)
        if self._waiting:
            self._bet_in = self._table.number
            self._send_next()

    def await_push(self, sequence: int, done: float) -> None:
        """Record when a push with this sequence was seen; it can arrive before the answer."""
        known = next((at for reached, at in self._pushes if reached >= sequence), None)
        if known is None:
            self._awaited.append((sequence, done))
        else:
            self._notes.seen.append(known - done)

    def _note_seen(self, sequence: int, now: float) -> None:
        self._notes.seen += [now - done for awaited, done in self._awaited if awaited <= sequence]
        self._awaited = [each for each in self._awaited if each[0] > sequence]


DELAY_CHECK_SECONDS = 0.01
"""Seconds between two checks of this process's own delay."""
CONNECTIONS_AT_ONCE = 20
"""Connections opened at the same time."""
SEATS_PER_ADDRESS = 200
"""Players who share an address, because a house limits new connections from one address."""


class LiveLoad(msgspec.Struct, frozen=True):
    """The players, their pace, and the durations in seconds."""

    ports: tuple[int, ...]
    """Where to connect; players at the same table use the same port."""
    seats: tuple[SeatedPlayer, ...]
    every: float
    warm: float
    span: float


class Latencies(msgspec.Struct, frozen=True):
    """How many latencies were measured, and two of their quantiles in seconds."""

    count: int
    p50: float
    p99: float


class LiveResult(msgspec.Struct, frozen=True):
    """The result of one measurement."""

    span: float
    acts: int
    rounds: int
    messages: int
    bytes: int
    refused: int
    answered: Latencies
    """From sending a command to its answer."""
    seen: Latencies
    """From the answer to a decision to its push to each other seat; negative if the push is first."""
    late: Latencies
    """By which this process was delayed."""
    cpu: float


async def run_players(load: LiveLoad) -> LiveResult:
    """Connect all players, and play."""
    notes, tables = LatencyRecords(), dict[str, list[LivePlayer]]()
    players = [LivePlayer(seat, tables.setdefault(seat.table, []), notes, load.every) for seat in load.seats]
    ports = dict(zip(tables, cycle(load.ports), strict=False))
    for place in range(0, len(players), CONNECTIONS_AT_ONCE):
        address = f"127.0.0.{2 + place // SEATS_PER_ADDRESS}"
        some = players[place : place + CONNECTIONS_AT_ONCE]
        await asyncio.gather(*(player.connect(ports[player.seat.table], address) for player in some))
    _say(READY)
    await asyncio.to_thread(sys.stdin.readline)
    for table, company in tables.items():
        _start_table(table, company, load.every)
    await asyncio.sleep(load.warm)
    _say(READY)
    found = await _measure_players(load, notes)
    lost = [player.lost_because for player in players if player.lost_because]
    if lost:
        raise RuntimeError(f"{len(lost)} players lost their connection: {lost[0]}")
    for player in players:
        player.stop()
    return found


def _start_table(table: str, company: list[LivePlayer], every: float) -> None:
    """Start a table after a random part of the pace, so that tables do not act at the same time."""
    after = Random(table).uniform(0, every)
    for player in company:
        asyncio.get_running_loop().call_later(after, player.start)


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
        answered=_latencies(notes.answered),
        seen=_latencies(notes.seen),
        late=_latencies(late),
        cpu=time.process_time() - cpu,
    )


def _latencies(seconds: list[float]) -> Latencies:
    found = seconds or [0.0]
    return Latencies(len(seconds), quantile(found, 0.5), quantile(found, 0.99))


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

"""One house in the storm: groups of commands, and after every one of them a look at everything."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from random import Random

from fourcard.house.house import House
from fourcard.house.ports import SeededEntropy, SimulatedClock
from fourcard.house.requests import FaultError
from fourcard.house.signing import KEY_BYTES, HouseKey
from fourcard.house.store.contract import StoreError
from tests.storm.asked import Asked
from tests.storm.clients import Clients
from tests.storm.crowd import Crowd
from tests.storm.floor import Floor
from tests.storm.moments import caught
from tests.storm.opening import beginning
from tests.storm.stores import Opening
from tests.storm.tally import BrokenError, Tally, demand
from tests.storm.watching import watched
from tests.storm.weather import Weather
from tests.storm.whole import look_at_all
from tests.storm.witness import News

MOST_TO_END = 3_000
RESTARTS, SIGNATURES, WHOLE_LOOKS = 0.004, 0.006, 0.00602
"""Chances, one upon the other, of what happens between two groups."""


class Storm:
    """A house that is played in while everything goes wrong that can."""

    def __init__(self, seed: str, tables: int, open_store: Opening, tally: Tally) -> None:
        """Take the seed of everything, how many tables there are, and how the store is opened."""
        self.chance, self.tally = Random(seed), tally
        self._open = open_store
        self.clock, self.entropy = SimulatedClock(), SeededEntropy(seed)
        self.real = open_store()
        self.weather = Weather(self.real, self.chance, tally, self.clock)
        self.witness = watched(tally)
        self.clients = Clients(self.witness, tally)
        self.floors = [Floor(f"t{number}", self.chance) for number in range(tables)]
        self.crowd = Crowd(self.witness, self.clients, self.floors, self.chance, "k")
        self.key = HouseKey(self.entropy.draw(KEY_BYTES))
        self.house = self._founded()
        self.step = 0
        self.last: deque[list[Asked]] = deque(maxlen=8)

    @property
    def rounds(self) -> int:
        """Return how many rounds were played, void ones among them."""
        return self.tally.seen["rounds"]

    def run(self, rounds: int, told: Callable[[], None] = lambda: None) -> None:
        """Set the house up, play so many rounds, and end those that are under way."""
        self._look()
        for request in beginning(self.chance, len(self.floors)):
            self.perform([Asked(request, "proper")], calm=True)
            while self.clients.unknown:
                self.perform(self.crowd.proper([], self.clock.at), calm=True)
        while self.rounds < rounds:
            sort = self.chance.random()
            if sort < RESTARTS:
                self.restart()
            elif sort < SIGNATURES:
                self.sign()
            elif sort < WHOLE_LOOKS:
                self.look_at_all()
            self.perform(self.crowd.group(self.clock.at))
            told()
        self.end()
        self.look_at_all()

    def look_at_all(self) -> None:
        """Check the whole house."""
        look_at_all(self.real, self.witness, self.tally)

    def end(self) -> None:
        """Let everybody do what is proper until no round is under way and no answer is missing."""
        for _ in range(MOST_TO_END):
            going = [floor for floor in self.floors if self._under_way(floor)]
            if not going and not self.clients.unknown:
                return
            self.perform(self.crowd.proper(going, self.clock.at), calm=True)
        raise BrokenError("a round does not end")

    def _under_way(self, floor: Floor) -> bool:
        return self.witness.table(floor.name).state.round is not None

    def restart(self) -> None:
        """Lose everything that is not in the store, as in a crash."""
        self.tally.seen["restarts"] += 1
        caught(self.witness, self.tally, "restarts")
        self.real.close()
        self.real = self._open()
        self.weather.over(self.real)
        self.house = self._founded()
        if self.chance.random() < 0.3:
            self.weather.lie_in_wait()

    def _founded(self) -> House:
        """Open the house, as often as it takes."""
        while True:
            self.weather.begin(calm=False)
            try:
                return House(self.weather.store, self.key, self.clock, self.entropy)
            except StoreError:
                demand(bool(self.weather.fired), "a house does not open")

    def sign(self) -> None:
        """Sign the heads, which may fail as everything may."""
        self.weather.begin(calm=False)
        try:
            self.house.sign()
        except StoreError:
            demand(bool(self.weather.fired), "heads are not signed")
        self._look()

    def _look(self) -> News:
        with self.real.reading() as reading:
            return self.witness.look(reading)

    def perform(self, asked: list[Asked], *, calm: bool = False) -> None:
        """Execute a group, and look at everything."""
        self.step += 1
        self.tally.seen["groups"] += 1
        self.last.append(asked)
        known = {each.place for each in asked if each.place in self.witness.keys}
        self.weather.begin(calm)
        replies = self.house.desk.execute([each.request for each in asked])
        ours = [reply for reply in replies if isinstance(reply, FaultError)]
        demand(not ours, "a command met a fault of the program", *ours)
        news = self._look()
        self.clients.heard(asked, replies, news, known, self.weather.fired)
        self.witness.compare(self.house.desk, news)

    def digest(self) -> str:
        """Return one hash over the heads of all streams, and so over the whole journal."""
        with self.real.reading() as reading:
            heads = sorted(reading.streams().items())
        return sha256(
            "".join(f"{name} {head.sequence} {head.hash.hex()}\n" for name, head in heads).encode()
        ).hexdigest()

    def close(self) -> None:
        """Let go of the store."""
        with suppress(OSError):
            self.real.close()

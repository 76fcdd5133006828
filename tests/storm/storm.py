"""The storm: houses driven by random command groups, with every invariant checked after each."""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from random import Random
from unittest.mock import patch

from fourcard.house import house, unit_of_work
from fourcard.house.audit.auditor import audit
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.decision import HOUSE
from fourcard.house.head_signatures import KEY_BYTES, HouseKey
from fourcard.house.house import House
from fourcard.house.route_command import InternalError
from fourcard.house.store.interface import Store, StoreError
from tests.storm.checks import difference, watched
from tests.storm.clients import Clients
from tests.storm.commands import Asked
from tests.storm.commands_of_all import Crowd
from tests.storm.counts import BrokenError, Tally, demand
from tests.storm.failure import Failure, failure
from tests.storm.faults import Weather
from tests.storm.observer import News, Witness
from tests.storm.setup import Plan, beginning
from tests.storm.stores import Ground, Opening
from tests.storm.summary import caught
from tests.storm.table_commands import StormTable


def look_at_all(store: Store, witness: Witness, tally: Tally) -> None:
    """Check everything that takes too long to be checked after every step."""
    look_at_states(store, witness)
    _look_at_transfers(store, witness)
    report = audit(store)
    demand(report.clean, "the audit found something", *report.findings[:5])
    demand(
        report.counts.events == sum(head.sequence for head in witness.heads.values()), "not all was audited"
    )
    tally.checked["whole houses replayed and audited"] += 1
    tally.checked["events audited"] += report.counts.events


def look_at_states(store: Store, witness: Witness) -> None:
    """Find what a fresh desk makes of snapshots and journal the same as what every event has made."""
    desk = CommandService(store, SimulatedClock(), SeededEntropy("unused"))
    streams = sorted(stream for stream in witness.books if stream != HOUSE)
    desk.catch_up(streams)
    for stream in streams:
        demand(desk.cache.heads[stream] == witness.heads[stream], "a fresh desk stands elsewhere", stream)
        demand(desk.cache.states[stream] == witness.books[stream], "a fresh desk has another state", stream)


def _look_at_transfers(store: Store, witness: Witness) -> None:
    """Find every movement in the ledger, and the balances their sums."""
    held: dict[str, int] = {}
    count = 0
    with store.reading() as reading:
        for transfer in reading.transfers():
            count += 1
            held[transfer.giver] = held.get(transfer.giver, 0) - transfer.amount
            held[transfer.taker] = held.get(transfer.taker, 0) + transfer.amount
        balances = reading.balances()
    demand(count == witness.moves, "the ledger has another number of movements", count, witness.moves)
    wrong = difference(balances, held)
    demand(not wrong, "the movements do not add up to the balances", wrong)


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
        self.floors = [StormTable(f"t{number}", self.chance) for number in range(tables)]
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

    def _under_way(self, floor: StormTable) -> bool:
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
        replies = self.house.service.execute([each.request for each in asked])
        ours = [reply for reply in replies if isinstance(reply, InternalError)]
        demand(not ours, "a command met a fault of the program", *ours)
        news = self._look()
        self.clients.heard(asked, replies, news, known, self.weather.fired)
        self.witness.compare(self.house.service, news)

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


SNAPSHOT_EVERY = 50
"""Snapshots come twenty times as often as in a real house, so that most restarts go by one."""
Told = Callable[[str], None]
"""Is told now and then how far a storm has come."""


def brave(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Play every house of a storm, and return what broke if something did."""
    with unusual():
        for number, rounds in plan.houses():
            found = _house(plan, number, rounds, place, tally, told)
            if found is not None:
                return found
    return None


def _house(plan: Plan, number: int, rounds: int, place: Ground, tally: Tally, told: Told) -> Failure | None:
    storm = Storm(f"{plan.seed}/{number}", plan.tables, place.opening(), Tally())
    try:
        storm.run(rounds, lambda: told(f"house {number}: {storm.rounds:,} rounds, {storm.step:,} steps"))
    except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
        commands = (each.told() for group in storm.last for each in group)
        return failure(f"house {number}, step {storm.step}", error, plan.again(number), commands)
    else:
        tally.digests.append(storm.digest())
        return None
    finally:
        tally.add(storm.tally)
        storm.close()


@contextmanager
def unusual() -> Iterator[None]:
    """Take snapshots often, spare the slow passwords of nobody, and keep the log quiet about lost notes."""
    log = logging.getLogger("fourcard.security")
    before, log.disabled = log.disabled, True
    try:
        snapshots = patch.object(unit_of_work, "SNAPSHOT_EVERY", SNAPSHOT_EVERY)
        with snapshots, patch.object(house, "SignIn", lambda *_told: None):
            yield
    finally:
        log.disabled = before

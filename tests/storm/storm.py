"""Storm: houses driven by random command batches, with every invariant checked after each."""

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
from tests.kit.audited_houses import stored_commands
from tests.kit.invariants import BrokenError, require
from tests.storm.checks import checking_observer, difference
from tests.storm.clients import ClientModel, StormCommand
from tests.storm.commands import CommandGenerator
from tests.storm.counts import Counts, Failure, describe_failure
from tests.storm.faults import FaultInjector
from tests.storm.observer import NewEvents, Observer
from tests.storm.setup import OpenStore, Plan, StoreFactory, setup_requests
from tests.storm.summary import count_win_moments
from tests.storm.table_commands import StormTable

DECIDED_AGAIN = "decided again: "


def check_house(store: Store, observer: Observer, counts: Counts) -> None:
    """Check everything that takes too long to be checked after every step."""
    check_states(store, observer)
    _check_transfers(store, observer)
    report = audit(store)
    # A storm sets the clock back at will, where a house would ask somebody to confirm it.
    found = [each for each in report.findings if each.what != "time"]
    require(not found, "the audit found something", *found[:5])
    require(
        report.counts.events == sum(head.sequence for head in observer.heads.values()), "not all was audited"
    )
    require(report.counts.not_redecided == 0, "a command is stored without what was asked")
    counts.checked["whole houses replayed and audited"] += 1
    counts.checked["events audited"] += report.counts.events
    counts.checked["commands decided again"] += report.counts.commands
    for kind, number in stored_commands(store).items():
        counts.checked[f"{DECIDED_AGAIN}{kind}"] += number


def check_states(store: Store, observer: Observer) -> None:
    """Find what a fresh desk makes of snapshots and journal the same as what every event has made."""
    desk = CommandService(store, SimulatedClock(), SeededEntropy("unused"))
    streams = sorted(stream for stream in observer.books if stream != HOUSE)
    desk.catch_up(streams)
    for stream in streams:
        require(desk.cache.heads[stream] == observer.heads[stream], "a fresh desk stands elsewhere", stream)
        require(desk.cache.states[stream] == observer.books[stream], "a fresh desk has another state", stream)


def _check_transfers(store: Store, observer: Observer) -> None:
    """Find every movement in the ledger, and the balances their sums."""
    held: dict[str, int] = {}
    count = 0
    with store.reading() as reading:
        for transfer in reading.transfers():
            count += 1
            held[transfer.giver] = held.get(transfer.giver, 0) - transfer.units
            held[transfer.taker] = held.get(transfer.taker, 0) + transfer.units
        balances = reading.balances()
    require(count == observer.moves, "the ledger has another number of movements", count, observer.moves)
    wrong = difference(balances, held)
    require(not wrong, "the movements do not add up to the balances", wrong)


MAX_TO_END = 3_000
RESTARTS, SIGNATURES, HOUSE_CHECKS = 0.004, 0.006, 0.00602
"""Chances, one upon the other, of what happens between two batches."""


class Storm:
    """A house that is played in while everything goes wrong that can."""

    def __init__(self, seed: str, tables: int, open_store: OpenStore, counts: Counts) -> None:
        """Take the seed of everything, how many tables there are, and how the store is opened."""
        self.chance, self.counts = Random(seed), counts
        self._open = open_store
        self.clock, self.entropy = SimulatedClock(), SeededEntropy(seed)
        self.real = open_store()
        self.faults = FaultInjector(self.real, self.chance, counts, self.clock)
        self.observer = checking_observer(counts)
        self.clients = ClientModel(self.observer, counts)
        self.tables = [StormTable(f"t{number}", self.chance) for number in range(tables)]
        self.generator = CommandGenerator(self.observer, self.clients, self.tables, self.chance, "k")
        self.key = HouseKey(self.entropy.draw(KEY_BYTES))
        self.house = self._open_house()
        self.step = 0
        self.last: deque[list[StormCommand]] = deque(maxlen=8)

    @property
    def rounds(self) -> int:
        """Return how many rounds were played, void ones among them."""
        return self.counts.seen["rounds"]

    def run(self, rounds: int, progress: Callable[[], None] = lambda: None) -> None:
        """Set the house up, play so many rounds, and end those that are under way."""
        self._read_journal()
        for request in setup_requests(self.chance, len(self.tables)):
            self.send([StormCommand(request, "proper")], calm=True)
            while self.clients.unanswered:
                self.send(self.generator.proper_batch([], self.clock.at), calm=True)
        while self.rounds < rounds:
            sort = self.chance.random()
            if sort < RESTARTS:
                self.restart()
            elif sort < SIGNATURES:
                self.sign()
            elif sort < HOUSE_CHECKS:
                self.check_house()
            self.send(self.generator.next_batch(self.clock.at))
            progress()
        self.finish_rounds()
        self.check_house()

    def check_house(self) -> None:
        """Check the whole house."""
        check_house(self.real, self.observer, self.counts)

    def finish_rounds(self) -> None:
        """Let everybody do what is proper until no round is under way and no answer is missing."""
        for _ in range(MAX_TO_END):
            going = [table for table in self.tables if self._is_under_way(table)]
            if not going and not self.clients.unanswered:
                return
            # A clock that was set back is set right: until it catches up, a deal may wait for a seed.
            stamps = (self.observer.table(each.name).state.at for each in self.tables)
            self.clock.at = max(self.clock.at, *stamps)
            self.send(self.generator.proper_batch(going, self.clock.at), calm=True)
        raise BrokenError("a round does not end")

    def _is_under_way(self, table: StormTable) -> bool:
        return self.observer.table(table.name).state.round is not None

    def restart(self) -> None:
        """Lose everything that is not in the store, as in a crash."""
        self.counts.seen["restarts"] += 1
        count_win_moments(self.observer, self.counts, "restarts")
        self.real.close()
        self.real = self._open()
        self.faults.attach(self.real)
        self.house = self._open_house()
        if self.chance.random() < 0.3:
            self.faults.plan_read_fault()

    def _open_house(self) -> House:
        """Open the house, as often as it takes."""
        while True:
            self.faults.begin_step(calm=False)
            try:
                return House(self.faults.store, self.key, self.clock, self.entropy)
            except StoreError:
                require(bool(self.faults.fired), "a house does not open")

    def sign(self) -> None:
        """Sign the heads, which may fail as everything may."""
        self.faults.begin_step(calm=False)
        try:
            self.house.sign()
        except StoreError:
            require(bool(self.faults.fired), "heads are not signed")
        self._read_journal()

    def _read_journal(self) -> NewEvents:
        with self.real.reading() as reading:
            return self.observer.read_new(reading)

    def send(self, batch: list[StormCommand], *, calm: bool = False) -> None:
        """Execute a batch, and check everything."""
        self.step += 1
        self.counts.seen["groups"] += 1
        self.last.append(batch)
        known = {each.place for each in batch if each.place in self.observer.keys}
        self.faults.begin_step(calm)
        replies = self.house.service.execute([each.request for each in batch])
        ours = [reply for reply in replies if isinstance(reply, InternalError)]
        require(not ours, "a command met a fault of the program", *ours)
        new_events = self._read_journal()
        self.clients.check_replies(batch, replies, new_events, known, self.faults.fired)
        self.observer.compare(self.house.service, new_events)

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
Progress = Callable[[str], None]
"""Reports now and then how far a storm has come."""


def run_houses(plan: Plan, place: StoreFactory, counts: Counts, progress: Progress) -> Failure | None:
    """Play every house of a storm, and return what broke if something did."""
    with storm_settings():
        for number, rounds in plan.houses():
            found = _run_house(plan, number, rounds, place, counts, progress)
            if found is not None:
                return found
    return None


def _run_house(
    plan: Plan, number: int, rounds: int, place: StoreFactory, counts: Counts, progress: Progress
) -> Failure | None:
    storm = Storm(f"{plan.seed}/{number}", plan.tables, place.opener(), Counts())
    try:
        storm.run(rounds, lambda: progress(f"house {number}: {storm.rounds:,} rounds, {storm.step:,} steps"))
    except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
        commands = (each.describe() for batch in storm.last for each in batch)
        return describe_failure(
            f"house {number}, step {storm.step}", error, plan.replay_command(number), commands
        )
    else:
        counts.digests.append(storm.digest())
        return None
    finally:
        counts.add(storm.counts)
        storm.close()


@contextmanager
def storm_settings() -> Iterator[None]:
    """Take snapshots often, spare the slow passwords of nobody, and keep the log quiet about lost notes."""
    log = logging.getLogger("fourcard.security")
    before, log.disabled = log.disabled, True
    try:
        snapshots = patch.object(unit_of_work, "SNAPSHOT_EVERY", SNAPSHOT_EVERY)
        with snapshots, patch.object(house, "SignIn", lambda *_args: None):
            yield
    finally:
        log.disabled = before

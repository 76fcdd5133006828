"""Simulated floors: fixed clock, repeatable entropy, a dealer stepped by hand; several on one store."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_STAFF, HOUSE_DEALER_ACTOR, WaitReason
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.commands import BuyIn, Deposit, HireStaff, InstallTable, RegisterPlayer, StaffRole
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.head_signatures import KEY_BYTES, HouseKey
from fourcard.house.house import House
from fourcard.house.journal import JournalRecord
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.house.shuffle_algorithm import ShuffleInput
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.round.commands import TakeSeat
from fourcard.round.state import RoundState
from fourcard.server.app import Application
from fourcard.server.floor.bus import Bus, OnAttempt, OnCommit, OnMoved, OnReady, OnRevoked
from fourcard.server.floor.dealer_loop import DealerLoop
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.projections import LiveSnapshot, TableProjection
from fourcard.server.floor.push import Subscription
from fourcard.server.settings import PaceSettings, ServerSettings
from fourcard.table.state import TableState
from tests.kit.houses import submission_text
from tests.kit.table_copy import TableCopy
from tests.kit.waiting import PATIENCE

TABLE = "main"
MONEY, STACK = 10_000_000, 1_000_000
MAX_TRIES = 3
"""How often the house retries a command, such as a buy-in of a bot without an account."""
STAFF_PEOPLE: Mapping[str, StaffRole] = {
    "dan": "dealer",
    "flo": "floorperson",
    "sue": "supervisor",
    "eve": "executive",
    "otto": "auditor",
    "ada": "administrator",
}
SETTINGS = ServerSettings(bots=2, pace=PaceSettings(0, wagering=20_000, deciding=45_000))
Orders = Callable[[int], Sequence[int]]
"""Returns the card order of a shuffle by its number."""


def staff(person: str) -> Actor:
    """Return a signed-in member of staff."""
    return Actor(person, "staff", (STAFF_PEOPLE[person],))


def player(person: str) -> Actor:
    """Return a signed-in player."""
    return Actor(person, "player")


def by_house(command: AnyCommand) -> Request:
    """Return a command as a request of the house dealer."""
    return Request(table_stream(TABLE), command, HOUSE_DEALER_ACTOR)  # type: ignore[arg-type]


def simulated_house(
    example: str, players: Sequence[str] = (), store: Store | None = None, clock: SimulatedClock | None = None
) -> House:
    """Create a house with a table, staff of every role, and players with accounts."""
    key = HouseKey(SeededEntropy("key").draw(KEY_BYTES))
    with patch("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST))):
        house = House(store or MemoryStore(), key, clock or SimulatedClock(), SeededEntropy(1))
    house.service.do(STAFF, HireStaff(person=BOT_STAFF.person, name="Crew", roles=BOT_STAFF.roles), BOT_STAFF)
    house.service.do(
        STAFF,
        HireStaff(person=HOUSE_DEALER_ACTOR.person, name="Dealer", roles=HOUSE_DEALER_ACTOR.roles),
        BOT_STAFF,
    )
    for person, role in STAFF_PEOPLE.items():
        house.service.do(STAFF, HireStaff(person=person, name=person.title(), roles=(role,)), BOT_STAFF)
    for name in players:
        house.service.do(player_stream(name), RegisterPlayer(name=name.title()), BOT_STAFF)
        house.service.do(player_stream(name), Deposit(cents=MONEY, role="supervisor"), BOT_STAFF)
    house.service.do(table_stream(TABLE), InstallTable(submission=submission_text(example)), BOT_STAFF)
    return house


class SteppedDealer(DealerLoop):
    """A dealer who does one command at a time, so that a test can look between two of a run."""

    async def submit(self, action: Request, snapshot: LiveSnapshot) -> Reply:
        """Run one command, and nothing that follows it."""
        return await self.floor.submit(action.stream, action.command, action.actor, snapshot.sequence)


class SimulatedFloor:
    """A floor with one table, driven step by step."""

    def __init__(self, house: House, settings: ServerSettings = SETTINGS, bus: Bus | None = None) -> None:
        """Take a house; `open` starts the floor."""
        self.house = house
        self.serving = Application(house, settings, bus=bus)
        self.floor = self.serving.floor
        self.watch: TableProjection
        self.dealer: DealerLoop
        self.name, self.keys = "people", 0

    @property
    def clock(self) -> SimulatedClock:
        """Return the manual clock."""
        assert isinstance(self.house.clock, SimulatedClock)
        return self.house.clock

    @property
    def state(self) -> TableState:
        """Return the last committed table state."""
        return self.watch.state.state

    @property
    def round(self) -> RoundState:
        """Return the current round."""
        assert self.state.round is not None
        return self.state.round

    async def open(self) -> None:
        """Start following the house."""
        await self.floor.start()
        self.watch = self.floor.tables[TABLE]
        self.dealer = SteppedDealer(self.floor, self.watch)

    async def close(self) -> None:
        """Stop following and close the house."""
        self.floor.stop()
        await asyncio.to_thread(self.house.close)

    def next(self) -> Request | WaitReason:
        """Return the next action, or what the table waits for."""
        return self.floor.next_action_for(self.watch.snapshot)

    async def seat(self, places: Mapping[int, str], chips: int = STACK) -> None:
        """Sell chips to players and seat them, once the table is open."""
        while isinstance(self.next(), Request):
            await self.dealer.step()
        for position, name in places.items():
            await self.done(BuyIn(player=name, cents=chips), player(name))
            await self.done(TakeSeat(position=position, player=name), player(name))

    async def do(self, command: AnyCommand, actor: Actor) -> Reply:
        """Submit a command of somebody under a new key and let the floor process it."""
        self.keys += 1
        reply = await self.floor.submit(
            self.watch.stream, replace(command, key=f"{self.name}-{self.keys}"), actor
        )
        self.floor.notify_viewers(TABLE)
        return reply

    async def done(self, command: AnyCommand, actor: Actor) -> CommandResult:
        """Submit a command that must be accepted."""
        reply = await self.do(command, actor)
        assert isinstance(reply, CommandResult), reply
        return reply

    async def look(self, actor: Actor) -> "SimulatedViewer":
        """Let somebody look at the table; the first message has come when this returns."""
        viewer = SimulatedViewer(await self.floor.subscribe(self.watch, actor))
        first = asyncio.ensure_future(viewer.next())
        await asyncio.sleep(0)
        self.floor.pushes[TABLE].push()
        await first
        return viewer

    async def work(self) -> WaitReason:
        """Run all automatic commands and return what the table then waits for."""
        done = Counter[int]()
        while True:
            following = self.next()
            if isinstance(following, WaitReason):
                return following
            done[self.watch.sequence] += 1
            assert done[self.watch.sequence] < MAX_TRIES, following
            await self.dealer.step()


class SimulatedViewer:
    """Somebody who looks at a simulated table and takes messages when the test wants."""

    def __init__(self, subscription: Subscription) -> None:
        """Take a new subscription."""
        self.subscription, self.copy = subscription, TableCopy()

    @property
    def message(self) -> dict[str, Any]:
        """Return the table as this viewer has it."""
        return self.copy.message

    async def next(self) -> dict[str, Any]:
        """Wait until the floor pushes by itself, and return the table then."""
        async with asyncio.timeout(PATIENCE):
            return self.copy.take(await self.subscription.next_message())

    async def take(self) -> list[bytes]:
        """Take every waiting message, and return them as they were sent."""
        first = len(self.copy.received)
        while self.subscription.waiting:
            self.copy.take(await self.subscription.next_message())
        return self.copy.received[first:]

    async def push(self) -> list[bytes]:
        """Push the table now, and return what comes."""
        self.subscription.push.push()
        return await self.take()

    def leave(self, floor: Floor) -> None:
        """Look no longer."""
        floor.unsubscribe(self.subscription)


@contextmanager
def dealt_in_order(orders: Orders) -> Iterator[None]:
    """Make the shuffles of houses give certain orders; everything else stays unchanged."""

    def order_of(_secret: bytes, shuffle: ShuffleInput) -> tuple[int, ...]:
        return tuple(orders(shuffle.number))

    with patch("fourcard.house.state_cache.order_of", order_of):
        yield


def on_floor(
    deeds: Callable[[SimulatedFloor], Awaitable[None]],
    example: str = "massachusetts-everything",
    seats: Mapping[int, str] | None = None,
    settings: ServerSettings = SETTINGS,
) -> None:
    """Run an action on a floor with seated people (default: two)."""
    places = {1: "ann", 3: "bob"} if seats is None else seats

    async def happen() -> None:
        at = SimulatedFloor(simulated_house(example, tuple({*places.values(), "dee"})), settings)
        await at.open()
        try:
            await at.seat(places)
            await deeds(at)
        finally:
            await at.close()

    asyncio.run(happen())


class BusWire:
    """Connects buses: all hear every message, unless they are disconnected."""

    def __init__(self) -> None:
        """Start without buses."""
        self.buses: list[TwinBus] = []
        self.said: list[tuple[str, str, int]] = []

    def moved(self, stream: str, sequence: int) -> None:
        """Announce a commit to all."""
        for bus in self.buses:
            if bus.heard is not None:
                bus.heard(stream, sequence)

    def ready(self, *said: str | int) -> None:
        """Announce a ready player to all."""
        table, player, number = said
        self.said.append((str(table), str(player), int(number)))
        for bus in self.buses:
            if bus.readied is not None:
                bus.readied(*self.said[-1])


class TwinBus:
    """A bus on a wire; the test decides about the lease."""

    def __init__(self, wire: BusWire) -> None:
        """Connect to a wire."""
        self.wire, self.holds = wire, True
        self.heard: OnCommit | None = None
        self.readied: OnReady | None = None
        wire.buses.append(self)

    def start(
        self,
        heard: OnCommit,
        readied: OnReady,
        _revoked: OnRevoked,
        _tried: OnAttempt,
        _moved: OnMoved,
    ) -> None:
        """Start listening and ask who is ready."""
        self.heard, self.readied = heard, readied
        self.wire.ready("", "", 0)

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell everybody that a player is ready."""
        self.wire.ready(table, player, number)

    def attempt(self, _kind: str, _person: str, _address: str, _outcome: str) -> None:
        """Tell nobody: these floors sign nobody in."""

    def lease(self, _table: str) -> bool:
        """Return what the test decided."""
        return self.holds

    def view(self, _table: str, _viewed: bool) -> None:
        """Tell nobody: the test decides about the lease."""

    def holder(self, _table: str) -> int | None:
        """Name no process: these floors have no connections."""
        return None

    def look_again(self) -> None:
        """Keep what the test decided."""

    def close(self) -> None:
        """Stop listening."""
        self.heard = self.readied = None


class TwinFloor(SimulatedFloor):
    """A floor that announces its house's commits to the others."""

    def __init__(self, house: House, wire: BusWire, settings: ServerSettings) -> None:
        """Connect to a wire."""
        self.bus = TwinBus(wire)
        super().__init__(house, settings, self.bus)
        self.name = f"people-of-{len(wire.buses)}"
        self._wire = wire

    async def open(self) -> None:
        """Start following and announcing."""
        await super().open()
        follower = self.house.service.commit_listener
        assert follower is not None

        def told(records: Sequence[JournalRecord], *details: Any) -> None:
            follower(records, *details)
            for stream, sequence in {each.stream: each.sequence for each in records}.items():
                self._wire.moved(stream, sequence)

        self.house.service.commit_listener = told


def reopened_house(house: House, seed: int = 2, store: Store | None = None) -> House:
    """Open a house again like another process, on the same store or a second one to its database."""
    with patch("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST))):
        return House(store or house.store, house.key, house.clock, SeededEntropy(seed))


def on_twins(
    deeds: Callable[[TwinFloor, TwinFloor], Awaitable[None]],
    example: str = "massachusetts-everything",
    settings: ServerSettings = SETTINGS,
    address: str = "",
) -> None:
    """Run an action on two floors of one house, in memory or a database, with two people seated."""

    async def happen() -> None:
        stores = [open_store(address) for _ in range(2)] if address else [None, None]
        wire, house = BusWire(), simulated_house(example, ("ann", "bob", "dee"), stores[0])
        one, other = (
            TwinFloor(house, wire, settings),
            TwinFloor(reopened_house(house, store=stores[1]), wire, settings),
        )
        await one.open()
        await other.open()
        try:
            await one.seat({1: "ann", 3: "bob"})
            await deeds(one, other)
        finally:
            await one.close()
            await other.close()

    asyncio.run(happen())


async def wait_until(done: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(patience):
        while not done():
            await asyncio.sleep(0.002)

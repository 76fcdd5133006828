"""Simulated floor: fixed clock, repeatable entropy, and a dealer that is stepped by hand."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from msgspec.structs import replace

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.commands import BuyIn, Deposit, HireStaff, InstallTable, RegisterPlayer, StaffRole
from fourcard.house.house import House
from fourcard.house.outcome import STAFF, player_stream, table_stream
from fourcard.house.passwords import CHEAP
from fourcard.house.ports import SeededEntropy, SimulatedClock
from fourcard.house.rehearsal import CREW
from fourcard.house.requests import Answer, Reply
from fourcard.house.sign_in import SignIn, Terms
from fourcard.house.signing import KEY_BYTES, HouseKey
from fourcard.house.store.contract import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.round.commands import TakeSeat
from fourcard.round.state import RoundState
from fourcard.server.app import Serving
from fourcard.server.floor.bus import Bus
from fourcard.server.floor.dealer import HouseDealer
from fourcard.server.floor.deeds import DEALER, Deed, Wait
from fourcard.server.floor.watching import Watch
from fourcard.server.settings import Pace, Settings
from fourcard.table.state import TableState
from tests.houses import submission_text

TABLE = "main"
MONEY, STACK = 10_000_000, 1_000_000
MOST_TRIES = 3
"""How often the house retries a command, such as a buy-in of a bot without an account."""
STAFF_PEOPLE: Mapping[str, StaffRole] = {
    "dan": "dealer",
    "flo": "floorperson",
    "sue": "supervisor",
    "eve": "executive",
    "otto": "auditor",
    "ada": "administrator",
}
SETTINGS = Settings(bots=2, pace=Pace(0, wagering=20_000, deciding=45_000))
Orders = Callable[[int], Sequence[int]]
"""Returns the card order of a shuffle by its number."""


def staff(person: str) -> Actor:
    """Return a signed-in member of staff."""
    return Actor(person, "staff", (STAFF_PEOPLE[person],))


def player(person: str) -> Actor:
    """Return a signed-in player."""
    return Actor(person, "player")


def founded(
    example: str, players: Sequence[str] = (), store: Store | None = None, clock: SimulatedClock | None = None
) -> House:
    """Create a house with a table, staff of every role, and players with accounts."""
    key = HouseKey(SeededEntropy("key").draw(KEY_BYTES))
    with patch("fourcard.house.house.SignIn", partial(SignIn, terms=Terms(cost=CHEAP))):
        house = House(store or MemoryStore(), key, clock or SimulatedClock(), SeededEntropy(1))
    house.desk.do(STAFF, HireStaff(person=CREW.person, name="Crew", roles=CREW.roles), CREW)
    house.desk.do(STAFF, HireStaff(person=DEALER.person, name="Dealer", roles=DEALER.roles), CREW)
    for person, role in STAFF_PEOPLE.items():
        house.desk.do(STAFF, HireStaff(person=person, name=person.title(), roles=(role,)), CREW)
    for name in players:
        house.desk.do(player_stream(name), RegisterPlayer(name=name.title()), CREW)
        house.desk.do(player_stream(name), Deposit(cents=MONEY, role="supervisor"), CREW)
    house.desk.do(table_stream(TABLE), InstallTable(submission=submission_text(example)), CREW)
    return house


class SimulatedFloor:
    """A floor with one table, driven step by step."""

    def __init__(self, house: House, settings: Settings = SETTINGS, bus: Bus | None = None) -> None:
        """Take a house; `open` starts the floor."""
        self.house = house
        self.serving = Serving(house, settings, bus=bus)
        self.floor = self.serving.floor
        self.watch: Watch
        self.dealer: HouseDealer
        self.name, self.keys = "people", 0

    @property
    def clock(self) -> SimulatedClock:
        """Return the manual clock."""
        assert isinstance(self.house.clock, SimulatedClock)
        return self.house.clock

    @property
    def state(self) -> TableState:
        """Return the last committed table state."""
        return self.watch.book.state

    @property
    def round(self) -> RoundState:
        """Return the current round."""
        assert self.state.round is not None
        return self.state.round

    async def open(self) -> None:
        """Start following the house."""
        await self.floor.start()
        self.watch = self.floor.tables[TABLE]
        self.dealer = HouseDealer(self.floor, self.watch)

    async def close(self) -> None:
        """Stop following and close the house."""
        self.floor.stop()
        await asyncio.to_thread(self.house.close)

    def next(self) -> Deed | Wait:
        """Return the next action, or what the table waits for."""
        return self.floor.next(self.watch)

    async def seat(self, places: Mapping[int, str], chips: int = STACK) -> None:
        """Sell chips to players and seat them, once the table is open."""
        while isinstance(self.next(), Deed):
            await self.dealer.step()
        for position, name in places.items():
            await self.done(BuyIn(player=name, cents=chips), player(name))
            await self.done(TakeSeat(position=position, player=name), player(name))

    async def do(self, command: AnyCommand, actor: Actor) -> Reply:
        """Submit a command of somebody under a new key and let the floor process it."""
        self.keys += 1
        reply = await self.floor.do(
            self.watch.stream, replace(command, key=f"{self.name}-{self.keys}"), actor
        )
        self.floor.show(TABLE)
        return reply

    async def done(self, command: AnyCommand, actor: Actor) -> Answer:
        """Submit a command that must be accepted."""
        reply = await self.do(command, actor)
        assert isinstance(reply, Answer), reply
        return reply

    async def work(self) -> Wait:
        """Run all automatic commands and return what the table then waits for."""
        done = Counter[int]()
        while True:
            following = self.next()
            if isinstance(following, Wait):
                return following
            done[self.watch.sequence] += 1
            assert done[self.watch.sequence] < MOST_TRIES, following
            await self.dealer.step()


@contextmanager
def dealt_in_order(orders: Orders) -> Iterator[None]:
    """Make the shuffles of houses give certain orders; everything else stays unchanged."""

    def order_of(_secret: bytes, _table: str, number: int, _seeds: object) -> tuple[int, ...]:
        return tuple(orders(number))

    with patch("fourcard.house.shuffling.order_of", order_of):
        yield


def on_floor(
    deeds: Callable[[SimulatedFloor], Awaitable[None]],
    example: str = "massachusetts-everything",
    seats: Mapping[int, str] | None = None,
    settings: Settings = SETTINGS,
) -> None:
    """Run an action on a floor with seated people (default: two)."""
    places = {1: "ann", 3: "bob"} if seats is None else seats

    async def happen() -> None:
        at = SimulatedFloor(founded(example, tuple({*places.values(), "dee"})), settings)
        await at.open()
        try:
            await at.seat(places)
            await deeds(at)
        finally:
            await at.close()

    asyncio.run(happen())

"""Several floors on one store in one process, connected by an in-memory bus like processes on a database."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from unittest.mock import patch

from fourcard.house.house import House
from fourcard.house.passwords import CHEAP
from fourcard.house.ports import SeededEntropy
from fourcard.house.records import Recorded
from fourcard.house.sign_in import SignIn, Terms
from fourcard.house.store.contract import Store
from fourcard.house.store.sql import open_store
from fourcard.server.floor.bus import Heard, Readied
from fourcard.server.settings import Settings
from tests.server.simulated import SETTINGS, SimulatedFloor, founded


class Wire:
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

    def __init__(self, wire: Wire) -> None:
        """Connect to a wire."""
        self.wire, self.holds = wire, True
        self.heard: Heard | None = None
        self.readied: Readied | None = None
        wire.buses.append(self)

    def start(self, heard: Heard, readied: Readied) -> None:
        """Start listening and ask who is ready."""
        self.heard, self.readied = heard, readied
        self.wire.ready("", "", 0)

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell everybody that a player is ready."""
        self.wire.ready(table, player, number)

    def lease(self, _table: str) -> bool:
        """Return what the test decided."""
        return self.holds

    def close(self) -> None:
        """Stop listening."""
        self.heard = self.readied = None


class Twin(SimulatedFloor):
    """A floor that announces its house's commits to the others."""

    def __init__(self, house: House, wire: Wire, settings: Settings) -> None:
        """Connect to a wire."""
        self.bus = TwinBus(wire)
        super().__init__(house, settings, self.bus)
        self.name = f"people-of-{len(wire.buses)}"
        self._wire = wire

    async def open(self) -> None:
        """Start following and announcing."""
        await super().open()
        follower = self.house.desk.follower
        assert follower is not None

        def told(records: Sequence[Recorded], events: Sequence[object]) -> None:
            follower(records, events)
            for stream, sequence in {each.stream: each.sequence for each in records}.items():
                self._wire.moved(stream, sequence)

        self.house.desk.follower = told


def beside(house: House, seed: int = 2, store: Store | None = None) -> House:
    """Open a house again like another process, on the same store or a second one to its database."""
    with patch("fourcard.house.house.SignIn", partial(SignIn, terms=Terms(cost=CHEAP))):
        return House(store or house.store, house.key, house.clock, SeededEntropy(seed))


def on_twins(
    deeds: Callable[[Twin, Twin], Awaitable[None]],
    example: str = "massachusetts-everything",
    settings: Settings = SETTINGS,
    address: str = "",
) -> None:
    """Run an action on two floors of one house, in memory or a database, with two people seated."""

    async def happen() -> None:
        stores = [open_store(address) for _ in range(2)] if address else [None, None]
        wire, house = Wire(), founded(example, ("ann", "bob", "dee"), stores[0])
        one, other = Twin(house, wire, settings), Twin(beside(house, store=stores[1]), wire, settings)
        await one.open()
        await other.open()
        try:
            await one.seat({1: "ann", 3: "bob"})
            await deeds(one, other)
        finally:
            await one.close()
            await other.close()

    asyncio.run(happen())


async def settled(done: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(patience):
        while not done():
            await asyncio.sleep(0.002)

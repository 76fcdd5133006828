"""The dealers of a process: one for every table that the house deals at, those that are opened later too."""

import asyncio

from fourcard.server.floor.dealer import HouseDealer
from fourcard.server.floor.floor import Floor

LOOK_EVERY = 1.0
"""Seconds between two looks for tables that nobody minds yet."""


class Minding:
    """Sets a dealer to every table, and lets all of them finish what they are at in the end."""

    def __init__(self, floor: Floor) -> None:
        """Mind the tables of a floor."""
        self._floor = floor
        self._dealers: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, where the house deals by itself."""
        if self._floor.settings.deals:
            self._looking = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        while True:
            for name, watch in tuple(self._floor.tables.items()):
                if name not in self._dealers:
                    dealer = HouseDealer(self._floor, watch)
                    self._dealers[name] = asyncio.get_running_loop().create_task(dealer.run())
            await asyncio.sleep(LOOK_EVERY)

    async def stop(self) -> None:
        """Stop every dealer; a command that was handed in is finished by the writer all the same."""
        tasks = [each for each in (self._looking, *self._dealers.values()) if each is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._dealers, self._looking = {}, None

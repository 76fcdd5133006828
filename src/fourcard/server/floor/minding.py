"""Dealer supervisor: runs one dealer loop per table, also for tables installed later."""

import asyncio

from fourcard.server.floor.dealer import HouseDealer
from fourcard.server.floor.floor import Floor

LOOK_EVERY = 1.0
"""Seconds between two searches for new tables."""


class Minding:
    """Starts a dealer for every table and stops all of them at shutdown."""

    def __init__(self, floor: Floor) -> None:
        """Take a floor."""
        self._floor = floor
        self._dealers: dict[str, asyncio.Task[None]] = {}
        self._search: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start, if the house deals automatically."""
        if self._floor.settings.deals:
            self._search = asyncio.get_running_loop().create_task(self._start_dealers())

    async def _start_dealers(self) -> None:
        while True:
            for name, projection in tuple(self._floor.tables.items()):
                if name not in self._dealers:
                    dealer = HouseDealer(self._floor, projection)
                    self._dealers[name] = asyncio.get_running_loop().create_task(dealer.run())
            await asyncio.sleep(LOOK_EVERY)

    async def stop(self) -> None:
        """Stop every dealer; commands already submitted still finish."""
        tasks = [each for each in (self._search, *self._dealers.values()) if each is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._dealers, self._search = {}, None

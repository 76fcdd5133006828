"""Dealer loop: lets the house dealer act at each table until a person must act, shows it, and waits."""

import asyncio
import logging
from contextlib import suppress

from msgspec.structs import replace

from fourcard.house.autopilot import HOUSE_DEALER_ACTOR, DealerRun, WaitReason, funding_commands
from fourcard.house.commands import BuyIn
from fourcard.house.decision import player_stream
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.projections import LiveSnapshot, TableProjection
from fourcard.server.settings import SECOND

RETRY_SECONDS = 5.0
"""Seconds until a refused command is tried again although nothing changed."""
LEASE_SECONDS = 1.0
"""Seconds between two attempts to get the lease of a table."""
_log = logging.getLogger(__name__)


class DealerLoop:
    """Automatic dealer of one table, while its process holds the lease."""

    def __init__(self, floor: Floor, projection: TableProjection) -> None:
        """Take a table."""
        self.floor, self.projection = floor, projection
        self._changed = floor.dealer_wakeups[projection.table]

    async def run(self) -> None:
        """Deal until the floor closes; an error is logged and the table tried again later."""
        while True:
            if not self.floor.bus.lease(self.projection.table):
                await asyncio.sleep(LEASE_SECONDS)
                continue
            try:
                await self.step()
            except Exception:  # noqa: BLE001  an error at one table must not stop the others
                _log.exception("The dealer of a table had an error and continues.")
                await asyncio.sleep(RETRY_SECONDS)

    async def step(self) -> None:
        """Run the next commands once everything before is read and shown, or wait until something changes."""
        self._changed.clear()
        await self.floor.read_tables((self.projection.table,))
        while left := self.projection.show():
            await self._wait_for_change(left)
            self._changed.clear()
        snapshot = self.projection.snapshot
        action = self.floor.next_action_for(snapshot)
        if isinstance(action, WaitReason):
            await self._wait(action)
            return
        reply = await self.submit(action, snapshot)
        if not isinstance(reply, CommandResult) and not await self._has_moved(snapshot.sequence):
            await self._handle_refusal(action, reply)

    async def submit(self, action: Request, snapshot: LiveSnapshot) -> Reply:
        """Run a command and all that follow automatically, if the table has not changed since."""
        floor = self.floor
        ready, timers = floor.ready_in(snapshot.state.name), snapshot.timers

        def run() -> DealerRun:
            return DealerRun(floor.settings, ready, timers, floor.house.clock)

        return await floor.submit(action.stream, action.command, action.actor, snapshot.sequence, run)

    async def _has_moved(self, sequence: int) -> bool:
        """Read new events; return whether the table changed, so that the next command is chosen again."""
        with suppress(BadInputError):
            await self.floor.catch_up(self.projection)
        return self.projection.sequence != sequence

    async def _wait(self, reason: WaitReason) -> None:
        self.floor.notify_viewers(self.projection.table)
        limits = [each for each in (reason.until, reason.seat_until) if each is not None]
        seconds = (min(limits) - self.floor.house.clock.now()) / SECOND if limits else None
        await self._wait_for_change(None if seconds is None else max(0.0, seconds))

    async def _wait_for_change(self, seconds: float | None) -> None:
        """Wait until something changes at the table, or for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def _handle_refusal(self, action: Request, reply: Reply) -> None:
        """Handle a refusal: give a bot money, or wait."""
        if (
            isinstance(action.command, BuyIn)
            and isinstance(reply, Refusal)
            and await self._fund_bot(action.command, reply)
        ):
            return
        if isinstance(reply, Refusal) and reply.code is Code.DECK_TOO_OLD:
            return
        _log.warning("The dealer of table %s was refused: %s", self.projection.table, reply)
        self.floor.notify_viewers(self.projection.table)
        await self._wait_for_change(RETRY_SECONDS)

    async def _fund_bot(self, buy_in: BuyIn, refusal: Refusal) -> bool:
        """Give a bot an account or money; return whether it lacked either."""
        reply: Reply | None = None
        for command in funding_commands(buy_in, refusal):
            kind = command.__struct_config__.tag
            keyed = replace(command, key=f"house-{kind}-{self.projection.table}-{self.projection.sequence}")
            reply = await self.floor.submit(player_stream(buy_in.player), keyed, HOUSE_DEALER_ACTOR)
        if reply is not None and not isinstance(reply, CommandResult):
            _log.warning("A deposit for a bot failed: %s", reply)
            await self._wait_for_change(RETRY_SECONDS)
        return reply is not None


TABLE_SEARCH_SECONDS = 1.0
"""Seconds between two searches for new tables."""


class DealerSupervisor:
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
                    dealer = DealerLoop(self._floor, projection)
                    self._dealers[name] = asyncio.get_running_loop().create_task(dealer.run())
            await asyncio.sleep(TABLE_SEARCH_SECONDS)

    async def stop(self) -> None:
        """Stop every dealer; commands already submitted still finish."""
        tasks = [each for each in (self._search, *self._dealers.values()) if each is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._dealers, self._search = {}, None

"""Dealer loop: runs the next automatic command of one table at a visible pace, or waits."""

import asyncio
import logging
from contextlib import suppress

from msgspec.structs import replace

from fourcard.errors import BadInputError
from fourcard.house.commands import BuyIn, Deposit, RegisterPlayer
from fourcard.house.outcome import player_stream
from fourcard.house.requests import Answer, Reply
from fourcard.refusals import Code, Refusal
from fourcard.server.floor.deeds import DEALER, Deed, Wait
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.pace import pause
from fourcard.server.floor.watching import Watch
from fourcard.server.settings import SECOND

PATIENCE = 5.0
"""Seconds until a refused command is tried again although nothing changed."""
LEASE_EVERY = 1.0
"""Seconds between two attempts to get the lease of a table."""
PURSE = 1_000_000_00
"""Deposit of a bot that has run out of money, in cents."""
POOR = (Code.PLAYER_UNKNOWN, Code.MONEY_SHORT)
"""Refusals for a bot without an account or without enough money."""
_log = logging.getLogger(__name__)


class HouseDealer:
    """Automatic dealer of one table, while its process holds the lease."""

    def __init__(self, floor: Floor, projection: Watch) -> None:
        """Take a table."""
        self.floor, self.watch = floor, projection
        self._changed = floor.stirred[projection.table]

    async def run(self) -> None:
        """Deal until the floor closes; an error is logged and the table tried again later."""
        while True:
            if not self.floor.bus.lease(self.watch.table):
                await asyncio.sleep(LEASE_EVERY)
                continue
            try:
                await self.step()
            except Exception:  # noqa: BLE001  an error at one table must not stop the others
                _log.exception("The dealer of a table had an error and continues.")
                await asyncio.sleep(PATIENCE)

    async def step(self) -> None:
        """Run the next command, or wait until something changes."""
        self._changed.clear()
        snapshot = self.watch.at
        action = self.floor.next_at(snapshot)
        if isinstance(action, Wait):
            await self._wait(action)
            return
        reply = await self.do(action, snapshot.sequence)
        if isinstance(reply, Answer) and not reply.repeated:
            await self._pause(pause(reply.events))
        elif not await self._has_moved(snapshot.sequence):
            await self._handle_refusal(action, reply)

    async def do(self, action: Deed, sequence: int) -> Reply:
        """Run a command only if the table has not changed since, so that two dealers run it once."""
        command = replace(action.command, key=f"house-{sequence}")
        return await self.floor.do(self.watch.stream, command, action.actor, upon=sequence)

    async def _has_moved(self, sequence: int) -> bool:
        """Read new events; return whether the table changed, so that the next command is chosen again."""
        with suppress(BadInputError):
            await self.floor.read_on(self.watch)
        return self.watch.sequence != sequence

    async def _pause(self, length: int) -> None:
        """Show what happened to viewers and wait so that they can see it."""
        if length:
            self.floor.show(self.watch.table)
            await asyncio.sleep(length * self.floor.settings.pace.factor / SECOND)

    async def _wait(self, reason: Wait) -> None:
        self.floor.show(self.watch.table)
        limits = [each for each in (reason.until, reason.seat_until) if each is not None]
        seconds = (min(limits) - self.floor.house.clock.now()) / SECOND if limits else None
        await self._wait_for_change(None if seconds is None else max(0.0, seconds))

    async def _wait_for_change(self, seconds: float | None) -> None:
        """Wait until something changes at the table, or for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def _handle_refusal(self, action: Deed, reply: Reply) -> None:
        """Handle a refusal: give a bot money, or wait."""
        if isinstance(action.command, BuyIn) and isinstance(reply, Refusal) and reply.code in POOR:
            await self._fund_bot(action.command, reply)
            return
        if isinstance(reply, Refusal) and reply.code is Code.DECK_TOO_OLD:
            return
        cause = "it ran before" if isinstance(reply, Answer) else reply
        _log.warning("The dealer of table %s was refused: %s", self.watch.table, cause)
        self.floor.show(self.watch.table)
        await self._wait_for_change(PATIENCE)

    async def _fund_bot(self, buy_in: BuyIn, refusal: Refusal) -> None:
        """Open an account for a bot, or deposit what it needs to buy in."""
        stream, key = player_stream(buy_in.player), f"house-{self.watch.table}-{self.watch.sequence}"
        if refusal.code is Code.PLAYER_UNKNOWN:
            await self.floor.do(stream, RegisterPlayer(name=buy_in.player, role="supervisor"), DEALER)
        purse = Deposit(cents=max(PURSE, buy_in.cents), role="supervisor", key=key)
        paid = await self.floor.do(stream, purse, DEALER)
        if not isinstance(paid, Answer):
            _log.warning("A deposit for a bot failed: %s", paid)
            await self._wait_for_change(PATIENCE)

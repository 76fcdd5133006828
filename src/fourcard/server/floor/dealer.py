"""The dealer of the house at one table: does what is due, at a pace to be followed, and waits for people."""

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
"""Seconds after which what was refused is looked at again, though nothing has changed."""
LEASE_EVERY = 1.0
"""Seconds between two attempts to mind a table that another process minds."""
PURSE = 1_000_000_00
"""What a bot brings when it has nothing left, in cents."""
POOR = (Code.PLAYER_UNKNOWN, Code.MONEY_SHORT)
"""Refusals that say that a bot has no account, or not enough on it."""
_log = logging.getLogger(__name__)


class HouseDealer:
    """Minds one table for as long as its process holds the lease."""

    def __init__(self, floor: Floor, watch: Watch) -> None:
        """Take a table."""
        self.floor, self.watch = floor, watch
        self._stirred = floor.stirred[watch.table]

    async def run(self) -> None:
        """Deal until the floor closes; a fault is noted, and the table tried again after a while."""
        while True:
            if not self.floor.bus.lease(self.watch.table):
                await asyncio.sleep(LEASE_EVERY)
                continue
            try:
                await self.step()
            except Exception:  # noqa: BLE001  one table's fault must not end the others
                _log.exception("The dealer of a table met a fault, and goes on.")
                await asyncio.sleep(PATIENCE)

    async def step(self) -> None:
        """Do one thing that is due, or wait until something changes."""
        self._stirred.clear()
        seen = self.watch.at
        following = self.floor.next_at(seen)
        if isinstance(following, Wait):
            await self._wait(following)
            return
        reply = await self.do(following, seen.sequence)
        if isinstance(reply, Answer) and not reply.repeated:
            await self._pause(pause(reply.events))
        elif not await self._passed(seen.sequence):
            await self._refused(following, reply)

    async def do(self, deed: Deed, sequence: int) -> Reply:
        """Do something upon the state that it was decided on or not at all: two dealers do it once."""
        command = replace(deed.command, key=f"house-{sequence}")
        return await self.floor.do(self.watch.stream, command, deed.actor, upon=sequence)

    async def _passed(self, sequence: int) -> bool:
        """Read on, and say whether the table stands elsewhere by now, so that everything is decided anew."""
        with suppress(BadInputError):
            await self.floor.read_on(self.watch)
        return self.watch.sequence != sequence

    async def _pause(self, length: int) -> None:
        """Show what happened where it is worth a look, and let it be seen."""
        if length:
            self.floor.show(self.watch.table)
            await asyncio.sleep(length * self.floor.settings.pace.factor / SECOND)

    async def _wait(self, following: Wait) -> None:
        self.floor.show(self.watch.table)
        limits = [each for each in (following.until, following.seat_until) if each is not None]
        left = (min(limits) - self.floor.house.clock.now()) / SECOND if limits else None
        await self._changed(None if left is None else max(0.0, left))

    async def _changed(self, seconds: float | None) -> None:
        """Wait until something changes at the table, or so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stirred.wait()

    async def _refused(self, deed: Deed, reply: Reply) -> None:
        """See to what a refusal asks for though the table has not moved: a bot's account, or patience."""
        if isinstance(deed.command, BuyIn) and isinstance(reply, Refusal) and reply.code in POOR:
            await self._endow(deed.command, reply)
            return
        if isinstance(reply, Refusal) and reply.code is Code.DECK_TOO_OLD:
            return
        said = "it was done before" if isinstance(reply, Answer) else reply
        _log.warning("The dealer of table %s was refused: %s", self.watch.table, said)
        self.floor.show(self.watch.table)
        await self._changed(PATIENCE)

    async def _endow(self, wanted: BuyIn, refusal: Refusal) -> None:
        """Open an account for a bot, or pay into it once for what it wants to buy."""
        stream, key = player_stream(wanted.player), f"house-{self.watch.table}-{self.watch.sequence}"
        if refusal.code is Code.PLAYER_UNKNOWN:
            await self.floor.do(stream, RegisterPlayer(name=wanted.player, role="supervisor"), DEALER)
        purse = Deposit(cents=max(PURSE, wanted.cents), role="supervisor", key=key)
        paid = await self.floor.do(stream, purse, DEALER)
        if not isinstance(paid, Answer):
            _log.warning("A bot could not be given money: %s", paid)
            await self._changed(PATIENCE)

"""Dealer loop: runs the next automatic command of each table at a visible pace, or waits."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress

from msgspec.structs import replace

from fourcard.house.autopilot import HOUSE_DEALER_ACTOR, WaitReason, funding_commands
from fourcard.house.commands import BuyIn
from fourcard.house.decision import player_stream
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal
from fourcard.round import events as of_round
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.projections import TableProjection
from fourcard.server.settings import SECOND
from fourcard.table import events as of_table

EVENT_PAUSES: dict[type, int] = {
    of_table.RoundBegan: 60,
    of_round.SeatTaken: 150,
    of_round.WagerPlaced: 120,
    of_round.CardsDealt: 130,
    of_round.UpCardTurned: 450,
    of_round.PlayMade: 350,
    of_round.HandFolded: 350,
    of_round.WagersSettled: 420,
    of_round.AwardPaid: 900,
    of_round.AwardAwaited: 600,
    of_round.RoundVoided: 900,
    of_round.RoundEnded: 900,
}
ACT_PAUSES = {
    "reveal_dealer": 800,
    "reveal_bonus_card": 500,
    "announce_dealer": 300,
    "reveal_hand": 350,
    "collect_forfeits": 300,
    "take": 300,
    "pay": 500,
    "settle": 500,
    "settle_last": 400,
}
"""Acts of a settlement that viewers should see: cards turned and money moved."""


def pause_after(events: Iterable[object]) -> int:
    """Return the longest pause of some events; most need none."""
    return max((_event_pause(event) for event in events), default=0)


def _event_pause(event: object) -> int:
    if isinstance(event, of_round.ActPerformed):
        return ACT_PAUSES.get(event.act, 0)
    return EVENT_PAUSES.get(type(event), 0)


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
        """Run the next command, or wait until something changes."""
        self._changed.clear()
        snapshot = self.projection.snapshot
        action = self.floor.next_action_for(snapshot)
        if isinstance(action, WaitReason):
            await self._wait(action)
            return
        reply = await self.submit(action, snapshot.sequence)
        if isinstance(reply, CommandResult) and not reply.repeated:
            await self._pause(pause_after(reply.events))
        elif not await self._has_moved(snapshot.sequence):
            await self._handle_refusal(action, reply)

    async def submit(self, action: Request, sequence: int) -> Reply:
        """Run a command only if the table has not changed since, so that two dealers run it once."""
        command = replace(action.command, key=f"house-{sequence}")
        return await self.floor.submit(action.stream, command, action.actor, expected_sequence=sequence)

    async def _has_moved(self, sequence: int) -> bool:
        """Read new events; return whether the table changed, so that the next command is chosen again."""
        with suppress(BadInputError):
            await self.floor.catch_up(self.projection)
        return self.projection.sequence != sequence

    async def _pause(self, length: int) -> None:
        """Show what happened to viewers and wait so that they can see it."""
        if length:
            self.floor.notify_viewers(self.projection.table)
            await asyncio.sleep(length * self.floor.settings.pace.factor / SECOND)

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
        cause = "it ran before" if isinstance(reply, CommandResult) else reply
        _log.warning("The dealer of table %s was refused: %s", self.projection.table, cause)
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

"""Floor: projections of every table, subscriptions of viewers, and submission of commands."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import suppress

from fourcard.house.account_state import AccountState
from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.autopilot import WaitReason, next_action
from fourcard.house.decision import meter_stream, player_stream, table_stream
from fourcard.house.house import House
from fourcard.house.journal import JournalRecord
from fourcard.house.meter_state import MeterState
from fourcard.house.route_command import Reply, Request
from fourcard.house.store.interface import StoreError
from fourcard.house.table_state import HouseTable
from fourcard.refusals import BadInputError
from fourcard.server.floor.bus import Bus
from fourcard.server.floor.messages import TableContext, TableMessage, table_message
from fourcard.server.floor.projections import LiveSnapshot, Projection, Projections, TableProjection
from fourcard.server.settings import ServerSettings

RETRY_READ_SECONDS = 2.0
"""Seconds until reading a stream is tried again after an error."""
_log = logging.getLogger(__name__)


class Subscription:
    """Subscription of a viewer to a table: signals changes and tracks the narration already sent."""

    def __init__(self, floor: "Floor", projection: TableProjection, actor: Actor) -> None:
        """Start at the first narration line of the current round."""
        self._floor, self.projection, self.actor = floor, projection, actor
        self.changed = asyncio.Event()
        self.changed.set()
        self._last_sent = projection.snapshot.round_start_line

    def message(self) -> TableMessage:
        """Return the table as it is now, with the narration since the last message."""
        self.changed.clear()
        snapshot = self.projection.snapshot
        since, self._last_sent = self._last_sent, snapshot.last_line
        return self._floor.message(snapshot, self.actor, since)


class Floor:
    """All live tables of a process."""

    def __init__(self, house: House, settings: ServerSettings, bus: Bus) -> None:
        """Take a house, its settings and the bus to other processes."""
        self.house, self.settings, self.bus = house, settings, bus
        self.tables: dict[str, TableProjection] = {}
        self.ready: dict[str, tuple[int, frozenset[str]]] = {}
        """By table: a round number and the players who are done betting in it."""
        self.dealer_wakeups: dict[str, asyncio.Event] = {}
        """By table: set when something changed that its dealer may wait for."""
        self._projections = Projections()
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._account_subscribers: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._catching_up: set[str] = set()
        self._tasks: set[asyncio.Task[object]] = set()

    async def start(self) -> None:
        """Start following every table of the house."""
        self._loop = asyncio.get_running_loop()
        self.house.service.commit_listener = self._on_commit
        self.bus.start(self._on_bus_commit, self._on_ready)
        await self._follow_all()

    async def _follow_all(self) -> None:
        """Follow the tables that are not followed yet."""
        for table in await asyncio.to_thread(self._installed_tables):
            try:
                await self.follow_table(table)
            except BadInputError:
                _log.exception("A table cannot be followed; the others continue.")

    def _installed_tables(self) -> list[str]:
        with self.house.store.reading() as reading:
            return sorted(each.removeprefix(table_stream("")) for each in reading.streams_of("table"))

    def stop(self) -> None:
        """Stop following."""
        self.house.service.commit_listener = None
        self.bus.close()
        for task in self._tasks:
            task.cancel()

    async def follow_table(self, table: str) -> TableProjection | None:
        """Return the projection of a table, or None if there is no such table."""
        known = self.tables.get(table)
        if known is not None:
            return known
        state, _ = await asyncio.to_thread(self.house.service.committed_state, table_stream(table))
        if not isinstance(state, HouseTable):
            return None
        projection = self._projections.add(TableProjection(table, self.house.service))
        await asyncio.to_thread(projection.start)
        if projection.state.meter:
            await self._follow(meter_stream(projection.state.meter))
        self.dealer_wakeups.setdefault(table, asyncio.Event())
        self._subscriptions.setdefault(table, set())
        return self.tables.setdefault(table, projection)

    async def _follow(self, stream: str) -> None:
        """Follow a meter or an account; it is up to date when this returns."""
        projection = self._projections.get(stream) or self._projections.add(
            Projection(stream, self.house.service)
        )
        if not projection.started:
            await asyncio.to_thread(projection.start)

    async def subscribe(self, projection: TableProjection, actor: Actor) -> Subscription:
        """Subscribe a person to a table; end the subscription with `unsubscribe`."""
        if actor.kind == "player":
            stream = player_stream(actor.person)
            self._account_subscribers[stream] = self._account_subscribers.get(stream, 0) + 1
            try:
                await self._follow(stream)
            except BaseException:
                self._release_account(stream)
                raise
        subscription = Subscription(self, projection, actor)
        self._subscriptions[projection.table].add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription."""
        self._subscriptions[subscription.projection.table].discard(subscription)
        if subscription.actor.kind == "player":
            self._release_account(player_stream(subscription.actor.person))

    def _release_account(self, stream: str) -> None:
        """Stop following an account when its last subscription ends."""
        self._account_subscribers[stream] -= 1
        if not self._account_subscribers[stream]:
            del self._account_subscribers[stream]
            self._projections.remove(stream)

    def notify_viewers(self, table: str) -> None:
        """Signal a change to every viewer of a table."""
        for subscription in self._subscriptions.get(table, ()):
            subscription.changed.set()

    def message(self, snapshot: LiveSnapshot, actor: Actor, since: int) -> TableMessage:
        """Return a table as a person may see it."""
        account = self._projections.get(player_stream(actor.person)) if actor.kind == "player" else None
        cents = account.state.cents if account is not None and isinstance(account.state, AccountState) else 0
        return table_message(snapshot, actor, self.table_context(snapshot), cents, since)

    def table_context(self, snapshot: LiveSnapshot) -> TableContext:
        """Return the context of a table: time, next action, ready players and meter."""
        meter = self.meter(snapshot.state.meter)
        shown, closed = (None, "") if meter is None else (meter.displayed, meter.closed_reason)
        return TableContext(
            self.house.clock.now(),
            self.next_action_for(snapshot),
            self.ready_players(snapshot),
            shown,
            closed,
        )

    def shift_timers(self, by: int) -> None:
        """Shift time limits with the clock so that nobody loses or gains time; callable from any thread."""
        for table, projection in tuple(self.tables.items()):
            projection.shift_timers(by)
            self._call_on_loop(self._wake_dealer, table)
            self._call_on_loop(self.notify_viewers, table)

    def meter(self, name: str) -> MeterState | None:
        """Return the last committed state of a meter."""
        projection = self._projections.get(meter_stream(name)) if name else None
        return (
            projection.state if projection is not None and isinstance(projection.state, MeterState) else None
        )

    def ready_players(self, snapshot: LiveSnapshot) -> frozenset[str]:
        """Return the players who are done betting in the current round."""
        number, players = self.ready.get(snapshot.state.name, (0, frozenset()))
        return players if snapshot.state.state.round_number == number else frozenset()

    def next_action_for(self, snapshot: LiveSnapshot) -> Request | WaitReason:
        """Return the next automatic request for a table snapshot, or what it waits for."""
        return next_action(
            snapshot.state,
            self.ready_players(snapshot),
            snapshot.timers,
            self.house.clock.now(),
            self.settings,
        )

    async def submit(
        self, stream: str, command: AnyCommand, actor: Actor, expected_sequence: int | None = None
    ) -> Reply:
        """Submit a command to the house and return its reply after the commit.

        With `expected_sequence`, the command runs only if the stream is still at that sequence.
        """
        loop = asyncio.get_running_loop()
        replied: asyncio.Future[Reply] = loop.create_future()

        def done(reply: Reply) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if replied.done() else replied.set_result(reply))

        try:
            self.house.group_commit.submit(Request(stream, command, actor, expected_sequence), done)  # type: ignore[arg-type]
        except StoreError as error:
            return error
        return await replied

    def _on_commit(self, records: Sequence[JournalRecord], events: Sequence[object]) -> None:
        """Apply what this process committed; called on the writer's thread."""
        changed, behind = self._projections.apply_commit(records, events)
        begun = {record.stream for record in records} - changed - behind
        self._call_on_loop(
            self._on_change, changed | {each for each in begun if each.startswith(table_stream(""))}, behind
        )

    def _on_bus_commit(self, stream: str, sequence: int) -> None:
        """Apply what another process committed; an empty stream means that anything may be missing."""
        if not stream:
            self._call_on_loop(self._catch_up_all)
            return
        projection = self._projections.get(stream)
        table = stream.startswith(table_stream(""))
        if (projection is None and table) or (projection is not None and projection.sequence < sequence):
            self._call_on_loop(self._on_change, set(), {stream})

    def _catch_up_all(self) -> None:
        """Read new events of every stream and find new tables."""
        self._on_change(set(), self._projections.names())
        self._start_task(self._follow_all())

    def _on_ready(self, table: str, player: str, number: int) -> None:
        """Note a ready player; an empty table means that another process asks who is ready."""
        self._call_on_loop(*(self._add_ready, table, player, number) if table else (self._announce_ready,))

    def _announce_ready(self) -> None:
        """Tell other processes again who is ready in the current rounds."""
        for table, projection in self.tables.items():
            for player in self.ready_players(projection.snapshot):
                self.bus.ready(table, player, self.ready[table][0])

    def _call_on_loop(self, what: object, *details: object) -> None:
        """Call a function on the event loop's thread, unless the loop has ended."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(what, *details)  # type: ignore[arg-type]

    def _add_ready(self, table: str, player: str, number: int) -> None:
        known, players = self.ready.get(table, (0, frozenset()))
        if number < known or (number == known and player in players):
            return
        self.ready[table] = (number, players | {player} if known == number else frozenset((player,)))
        self._wake_dealer(table)
        self.notify_viewers(table)

    def _on_change(self, changed: set[str], behind: set[str]) -> None:
        for stream in changed:
            self._notify(stream)
        for stream in behind - self._catching_up:
            self._catching_up.add(stream)
            self._start_task(self._catch_up(stream))

    def _start_task(self, coroutine: Coroutine[object, object, object]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, stream: str) -> None:
        """Read what other processes wrote to a stream; on errors try again later."""
        while True:
            self._catching_up.discard(stream)
            try:
                await self._read_new_events(stream)
            except BadInputError:
                _log.exception("Reading a stream failed; it is tried again.")
            else:
                break
            self._catching_up.add(stream)
            await asyncio.sleep(RETRY_READ_SECONDS)
        self._notify(stream)
        self.notify_viewers(stream.removeprefix(table_stream("")))

    async def catch_up(self, projection: TableProjection) -> None:
        """Read new events of a table from the store, although no process announced them."""
        before = projection.sequence
        await self._read_new_events(projection.stream)
        if projection.sequence != before:
            self._notify(projection.stream)
            self.notify_viewers(projection.table)

    async def _read_new_events(self, stream: str) -> None:
        projection = self._projections.get(stream)
        if projection is not None:
            await asyncio.to_thread(self._read, projection)
        elif stream.startswith(table_stream("")):
            await self.follow_table(stream.removeprefix(table_stream("")))

    def _read(self, projection: Projection) -> None:
        projection.start()
        with self.house.store.reading() as reading:
            projection.catch_up(reading)

    def _notify(self, stream: str) -> None:
        """Wake whoever waits for a table, its meter or an account."""
        family, _, name = stream.partition("/")
        if family == "table":
            self._notify_table(name)
        elif family == "meter":
            for table, projection in self.tables.items():
                if projection.state.meter == name:
                    self.notify_viewers(table)
        elif family == "player":
            for subscriptions in self._subscriptions.values():
                for subscription in subscriptions:
                    if subscription.actor.person == name:
                        subscription.changed.set()

    def _notify_table(self, table: str) -> None:
        """Wake the dealer of a table; a new table or meter is followed from now on."""
        projection = self.tables.get(table)
        if projection is None:
            self._start_task(self.follow_table(table))
            return
        meter = meter_stream(projection.state.meter)
        if projection.state.meter and self._projections.get(meter) is None:
            self._start_task(self._follow(meter))
        self._wake_dealer(table)

    def _wake_dealer(self, table: str) -> None:
        event = self.dealer_wakeups.get(table)
        if event is not None:
            event.set()

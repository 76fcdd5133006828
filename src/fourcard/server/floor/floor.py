"""Floor: projections of every table, its push to viewers, and submission of commands."""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import replace

from fourcard.house.account_state import AccountState
from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.auth.staff import StaffState
from fourcard.house.autopilot import ReadyPlayers, WaitReason, next_action
from fourcard.house.decision import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.house import House
from fourcard.house.journal import JournalRecord, StreamHead
from fourcard.house.meter_state import MeterState
from fourcard.house.route_command import Autopilot, Reply, Request
from fourcard.house.state_cache import StreamState
from fourcard.house.store.interface import StoreError
from fourcard.house.table_state import HouseTable
from fourcard.refusals import BadInputError
from fourcard.server.floor.bus import Bus
from fourcard.server.floor.messages import TableContext, TableMessage
from fourcard.server.floor.projections import LiveSnapshot, Projection, Projections, TableProjection
from fourcard.server.floor.push import Subscription, TablePush
from fourcard.server.floor.table_pace import Speed
from fourcard.server.sessions import Sessions
from fourcard.server.settings import ServerSettings

MAX_IDLE_ACCOUNTS = 1_000
"""How many accounts are followed that no viewer of a table needs; those unused for longest are dropped."""
METER_SECONDS = 0.2
"""Seconds from a contribution at one table until the others with the same meter show it, or read it first."""
READ_SECONDS = 0.01
"""Seconds from hearing of another process's commit until it is read, together with others."""
ANY_SEQUENCE = sys.maxsize
"""How far a stream is behind if that is unknown."""
RETRY_READ_SECONDS = 2.0
"""Seconds until reading a stream is tried again after an error."""
READ_FAILED = "Reading a stream failed; it is tried again."
_log = logging.getLogger(__name__)


WAIT_KNOWN = 1_000
"""Milliseconds for which a table is known to wait, while nothing changes there."""


class TableWait(msgspec.Struct, frozen=True):
    """What a table waited for at a time; its dealer and the push to its viewers both want to know."""

    snapshot: LiveSnapshot
    ready: frozenset[str]
    at: int
    reason: WaitReason

    def holds(self, snapshot: LiveSnapshot, ready: frozenset[str], now: int) -> bool:
        """Say whether the table still waits for the same."""
        ends = (self.at + WAIT_KNOWN, self.reason.until, self.reason.seat_until)
        return (
            self.snapshot is snapshot
            and self.ready == ready
            and self.at <= now < min(end for end in ends if end is not None)
        )


def _is_meter(stream: str) -> bool:
    return stream.startswith(meter_stream(""))


class Floor:
    """All live tables of a process."""

    def __init__(self, house: House, settings: ServerSettings, bus: Bus) -> None:
        """Take a house, its settings and the bus to other processes."""
        self.house, self.settings, self.bus = house, settings, bus
        self.sessions = Sessions(house)
        self.tables: dict[str, TableProjection] = {}
        self.ready: dict[str, ReadyPlayers] = {}
        """By table, the players who are done betting in a round."""
        self.dealer_wakeups: dict[str, asyncio.Event] = {}
        """By table: set when something changed that its dealer may wait for."""
        self._projections = Projections()
        self.pushes: dict[str, TablePush] = {}
        """By table: its push to viewers."""
        self._waits: dict[str, TableWait] = {}
        """By table, what it waited for when that was last found out."""
        self._account_users: dict[str, Counter[str]] = {}
        """By account: at which tables its owner looks now, and how often; a request names no table."""
        self._idle_accounts: dict[str, None] = {}
        """Accounts that are still followed although nobody needs them, those unused for longest first."""
        self._changed_meters: set[str] = set()
        """Meters that changed since their tables were last pushed."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._behind: dict[str, int] = {}
        """Streams with events of other processes, and how far; read soon if used, or else when asked for."""
        self._catching_up: set[bool] = set()
        """Whether meters are being caught up, and all other streams."""
        self._being_read: dict[str, asyncio.Future[None]] = {}
        """Streams that are read right now, and what tells that it is done."""
        self._showing: set[str] = set()
        """Tables that show what was committed, a while after it was."""
        self._tasks: set[asyncio.Task[object]] = set()

    async def start(self) -> None:
        """Start following every table of the house."""
        self._loop = asyncio.get_running_loop()
        self.house.service.commit_listener = self._on_commit
        self.house.sign_in.revocation_listener = self.sessions.forget
        self.house.sign_in.attempt_listener = self.bus.attempt
        self.bus.start(
            self._on_bus_commit,
            self._on_ready,
            self.sessions.forget,
            self.house.sign_in.count_attempt,
            self._on_moved,
        )
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
        self.house.sign_in.revocation_listener = None
        self.house.sign_in.attempt_listener = None
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
        projection = self._projections.add(
            TableProjection(table, self.house.service, self.settings.pace.factor)
        )
        await asyncio.to_thread(projection.start)
        if projection.state.meter:
            await self._follow(meter_stream(projection.state.meter))
        self.dealer_wakeups.setdefault(table, asyncio.Event())
        self.pushes.setdefault(table, TablePush(projection, self))
        self.bus.lease(table)
        return self.tables.setdefault(table, projection)

    async def _follow(self, stream: str) -> Projection:
        """Return the projection of the staff, a meter or an account, followed and up to date."""
        projection = self._projections.get(stream) or self._projections.add(
            Projection(stream, self.house.service)
        )
        if not projection.started:
            await asyncio.to_thread(projection.start)
        await self.read_missing((stream,))
        return projection

    async def subscribe(self, projection: TableProjection, actor: Actor) -> Subscription:
        """Subscribe a person to a table; end the subscription with `unsubscribe`."""
        if actor.kind == "player":
            await self._use_account(player_stream(actor.person), projection.table)
            projection.pace.connect(actor.person)
        push = self.pushes[projection.table]
        subscription = push.add(actor)
        self.bus.view(projection.table, push.has_viewers)
        try:
            await self.read_tables((projection.table,))
        except BaseException:
            self.unsubscribe(subscription)
            raise
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription."""
        push = subscription.push
        push.remove(subscription)
        self.bus.view(push.projection.table, push.has_viewers)
        if subscription.actor.kind == "player":
            player, projection = subscription.actor.person, push.projection
            if not push.is_viewed_by(player):
                projection.pace.disconnect(player)
            self._release_account(player_stream(player), projection.table)

    def choose_speed(self, subscription: Subscription, speed: Speed) -> None:
        """Note the speed that a player wants, and go on at the table's new pace."""
        projection, actor = subscription.push.projection, subscription.actor
        if actor.kind == "player":
            projection.pace.choose(actor.person, speed)
            self._change_pace(projection)

    def skip(self, subscription: Subscription) -> None:
        """Note that a player wants no pause until the table next waits for a person.

        While it waits for one already, there is nothing to skip.
        """
        projection, actor = subscription.push.projection, subscription.actor
        if actor.kind == "player" and (projection.show() or not self._waits_for_person(projection)):
            projection.pace.skip(actor.person)
            self._change_pace(projection)

    def _change_pace(self, projection: TableProjection) -> None:
        self._show(projection.table)
        self._wake_dealer(projection.table)

    def _waits_for_person(self, projection: TableProjection) -> bool:
        action = self.next_action_for(projection.snapshot)
        return isinstance(action, WaitReason) and action.for_ != "seeds"

    async def show(self, projection: TableProjection, actor: Actor) -> TableMessage:
        """Return a table once as a person may see it, with the narration of its round."""
        cents = (await self.account(actor.person)).cents if actor.kind == "player" else 0
        return self.pushes[projection.table].message(actor, cents)

    async def account(self, player: str) -> AccountState:
        """Return the account of a player after the last commit."""
        stream = player_stream(player)
        found = self._projections.get(stream)
        if found is None or not found.started or stream in self._behind:
            found = await self._use_account(stream)
            self._release_account(stream)
        elif stream in self._idle_accounts:
            self._idle_accounts[stream] = self._idle_accounts.pop(stream)
        assert isinstance(found.state, AccountState)
        return found.state

    async def staff(self) -> StaffState:
        """Return the staff after the last commit."""
        found = await self._follow(STAFF)
        assert isinstance(found.state, StaffState)
        return found.state

    async def _use_account(self, stream: str, table: str = "") -> Projection:
        """Follow an account until `_release_account` and for a while longer."""
        self._idle_accounts.pop(stream, None)
        self._account_users.setdefault(stream, Counter())[table] += 1
        try:
            return await self._follow(stream)
        except BaseException:
            self._release_account(stream, table)
            raise

    def _release_account(self, stream: str, table: str = "") -> None:
        """Keep an account that nobody needs any more, and drop the one unused for longest instead."""
        tables = self._account_users[stream]
        tables[table] -= 1
        if not tables[table]:
            del tables[table]
        if tables:
            return
        del self._account_users[stream]
        self._idle_accounts[stream] = None
        if len(self._idle_accounts) > MAX_IDLE_ACCOUNTS:
            self._drop_idle_account(next(iter(self._idle_accounts)))

    def _drop_idle_account(self, stream: str) -> None:
        del self._idle_accounts[stream]
        self._projections.remove(stream)

    def notify_viewers(self, table: str) -> None:
        """Push a table soon, because something changed."""
        push = self.pushes.get(table)
        if push is not None:
            push.notify()

    def account_cents(self, player: str) -> int:
        """Return the cents in a player's account, while it is followed."""
        account = self._projections.get(player_stream(player))
        return account.state.cents if account is not None and isinstance(account.state, AccountState) else 0

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

    def choose_bots(self, bots: int) -> None:
        """Choose how many bots join people at each table; they come and go between rounds."""
        self.settings = replace(self.settings, bots=bots)
        self._waits.clear()
        for table in self.tables:
            self._wake_dealer(table)

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

    def ready_in(self, table: str) -> ReadyPlayers:
        """Return the players of a table who are done betting, with their round."""
        return self.ready.get(table, ReadyPlayers())

    def ready_players(self, snapshot: LiveSnapshot) -> frozenset[str]:
        """Return the players who are done betting in the current round."""
        return self.ready_in(snapshot.state.name).of(snapshot.state)

    def next_action_for(self, snapshot: LiveSnapshot) -> Request | WaitReason:
        """Return the next automatic request for a table snapshot, or what it waits for."""
        ready, now, table = self.ready_players(snapshot), self.house.clock.now(), snapshot.state
        known = self._waits.get(table.name)
        if known is not None and known.holds(snapshot, ready, now):
            return known.reason
        action = next_action(table, ready, snapshot.timers, now, self.settings)
        if isinstance(action, WaitReason):
            self._waits[table.name] = TableWait(snapshot, ready, now, action)
        return action

    async def submit(
        self,
        stream: str,
        command: AnyCommand,
        actor: Actor,
        expected_sequence: int | None = None,
        then: Callable[[], Autopilot] | None = None,
    ) -> Reply:
        """Submit a command to the house and return its reply after the commit.

        With `expected_sequence`, the command runs only if the stream is still at that sequence; `then` starts
        the autopilot whose commands follow in the same record.
        """
        loop = asyncio.get_running_loop()
        replied: asyncio.Future[Reply] = loop.create_future()

        def done(reply: Reply) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if replied.done() else replied.set_result(reply))

        try:
            request = Request(stream, command, actor, expected_sequence, then=then)  # type: ignore[arg-type]
            self.house.group_commit.submit(request, done)
        except StoreError as error:
            return error
        return await replied

    def _on_commit(
        self, records: Sequence[JournalRecord], events: Sequence[object], states: Sequence[StreamState]
    ) -> None:
        """Apply what this process committed; called on the writer's thread."""
        written = {record.stream for record in records}
        if STAFF in written:
            self.sessions.distrust()
        changed, behind = self._projections.apply_commit(records, events, states)
        begun = written - changed - behind
        self._call_on_loop(
            self._on_change, changed | {each for each in begun if each.startswith(table_stream(""))}, behind
        )

    def _on_bus_commit(self, stream: str, sequence: int) -> None:
        """Note what another process committed; an empty stream means that anything may be missing.

        What nobody uses here is read when somebody asks for it, so that a process works for its own tables.
        """
        if stream in ("", STAFF):
            self.sessions.distrust()
        if not stream:
            self._call_on_loop(self._catch_up_all)
            return
        projection = self._projections.get(stream)
        table = stream.startswith(table_stream(""))
        if (projection is None and table) or (projection is not None and projection.sequence < sequence):
            self._behind[stream] = sequence
            if self._is_used(stream):
                self._call_on_loop(self._read_soon, _is_meter(stream))

    def _is_used(self, stream: str) -> bool:
        """Say whether somebody here needs a stream now; callable from any thread."""
        family, _, name = stream.partition("/")
        if family == "table":
            return name not in self.tables or self._is_table_used(name)
        if family == "meter":
            return any(
                self._is_table_used(table)
                for table, projection in tuple(self.tables.items())
                if projection.state.meter == name
            )
        return family != "player" or stream in self._account_users

    def _is_table_used(self, table: str) -> bool:
        """Say whether a table has viewers here or this process deals there."""
        return self.pushes[table].has_viewers or self.bus.lease(table)

    def _on_moved(self, table: str) -> None:
        """Send the viewers of a table to the worker that takes it over."""
        self._call_on_loop(self._move_viewers, table)

    def _move_viewers(self, table: str) -> None:
        push = self.pushes.get(table)
        if push is not None:
            push.move_viewers()

    def _catch_up_all(self) -> None:
        """Read new events of every stream in use and find new tables."""
        for account in tuple(self._idle_accounts):
            self._drop_idle_account(account)
        self._on_change(set(), self._projections.names())
        self._start_task(self._follow_all())

    def _on_ready(self, table: str, player: str, number: int) -> None:
        """Note a ready player; an empty table means that another process asks who is ready."""
        self._call_on_loop(*(self._add_ready, table, player, number) if table else (self._announce_ready,))

    def _announce_ready(self) -> None:
        """Tell other processes again who is ready in the current rounds."""
        for table, projection in self.tables.items():
            for player in self.ready_players(projection.snapshot):
                self.bus.ready(table, player, self.ready[table].round_number)

    def _call_on_loop(self, what: object, *details: object) -> None:
        """Call a function on the event loop's thread, unless the loop has ended."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(what, *details)  # type: ignore[arg-type]

    def _add_ready(self, table: str, player: str, number: int) -> None:
        known = self.ready_in(table)
        ready = known.adding(number, player)
        if ready == known:
            return
        self.ready[table] = ready
        self._wake_dealer(table)
        self.notify_viewers(table)

    def _on_change(self, changed: set[str], behind: set[str]) -> None:
        for stream in changed:
            self._notify(stream)
        if behind:
            self._behind |= dict.fromkeys(behind, ANY_SEQUENCE)
            for meters in {*map(_is_meter, behind)}:
                self._read_soon(meters)

    def _read_soon(self, meters: bool) -> None:
        """Read what other processes wrote to streams in use, either to meters or to all others."""
        if meters not in self._catching_up:
            self._catching_up.add(meters)
            self._start_task(self._catch_up_used(meters))

    def _start_task(self, coroutine: Coroutine[object, object, object]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up_used(self, meters: bool) -> None:
        """Read what other processes wrote to streams in use, all of a moment together, until nothing is left.

        A process also hears of its own commits, often before it has applied them: a moment later it has.
        Many processes contribute to a shared meter all the time, so meters are read less often.
        """
        failed = set[str]()
        try:
            while True:
                await asyncio.sleep(METER_SECONDS if meters else READ_SECONDS)
                missing = self._missing(self._behind.copy())
                streams = {each for each in missing if _is_meter(each) is meters and self._is_used(each)}
                if streams <= failed:
                    break
                failed |= await self._read_and_notify(streams - failed)
        finally:
            self._catching_up.discard(meters)
        if failed:
            self._start_task(self._read_later(failed))

    def _missing(self, streams: Iterable[str]) -> set[str]:
        """Return which of some streams have events that are not read yet."""
        found = set[str]()
        for stream in streams:
            until, projection = self._behind.get(stream), self._projections.get(stream)
            if until is not None and projection is not None and projection.sequence >= until:
                del self._behind[stream]
            elif until is not None:
                found.add(stream)
        return found

    async def _read_and_notify(self, streams: set[str]) -> set[str]:
        """Read what is missing of streams and tell who waits for it; return those that cannot be read."""
        for stream in streams:
            self._behind.pop(stream, None)
        done = asyncio.get_running_loop().create_future()
        self._being_read |= dict.fromkeys(streams, done)
        failed = streams
        try:
            failed = await asyncio.to_thread(self._read_all, streams)
            failed |= await self._follow_new(streams)
        finally:
            self._behind |= dict.fromkeys(failed, ANY_SEQUENCE)
            for stream in streams:
                del self._being_read[stream]
            done.set_result(None)
        for stream in streams - failed:
            self._notify(stream)
            self.notify_viewers(stream.removeprefix(table_stream("")))
        return failed

    async def read_missing(self, streams: Iterable[str]) -> None:
        """Read what other processes wrote to streams, before somebody looks at them."""
        wanted = {*streams}
        while reads := {self._being_read[each] for each in wanted & self._being_read.keys()}:
            await asyncio.wait(reads)
        missing = self._missing(wanted)
        if missing and await self._read_and_notify(missing):
            raise StoreError("The house cannot read its journal right now.")

    async def read_tables(self, tables: Iterable[str] | None = None) -> None:
        """Read what is missing of some tables, or of all, and of their meters."""
        if self._behind or self._being_read:
            names = tuple(self.tables if tables is None else tables)
            await self.read_missing(map(table_stream, names))
            meters = {self.tables[name].state.meter for name in names if name in self.tables}
            await self.read_missing(map(meter_stream, meters))

    async def _read_later(self, streams: set[str]) -> None:
        """Try again a while after an error."""
        await asyncio.sleep(RETRY_READ_SECONDS)
        self._on_change(set(), streams)

    async def _follow_new(self, streams: set[str]) -> set[str]:
        """Follow tables that other processes installed; return those that cannot be followed."""
        failed = set[str]()
        for stream in streams:
            if stream.startswith(table_stream("")) and self._projections.get(stream) is None:
                try:
                    await self.follow_table(stream.removeprefix(table_stream("")))
                except BadInputError:
                    _log.exception(READ_FAILED)
                    failed.add(stream)
        return failed

    def _read_all(self, streams: set[str]) -> set[str]:
        """Read new events of followed streams in one transaction; return the streams that cannot be read."""
        followed = [each for each in map(self._projections.get, streams) if each is not None]
        failed = {each.stream for each in followed if not self._attempt(each.start)}
        try:
            with self.house.store.reading() as reading:
                heads = reading.streams([each.stream for each in followed])
                for each in followed:
                    head = heads.get(each.stream, StreamHead()).sequence
                    read = each.restart if each.is_far_behind(head) else partial(each.catch_up, reading)
                    if each.stream not in failed and not self._attempt(read):
                        failed.add(each.stream)
        except StoreError:
            _log.exception(READ_FAILED)
            return streams
        return failed

    def _attempt(self, read: Callable[[], None]) -> bool:
        """Read a stream; an error is logged, and the stream read again later."""
        try:
            read()
        except Exception:  # noqa: BLE001  one stream that cannot be read must not stop the others
            _log.exception(READ_FAILED)
            return False
        return True

    async def catch_up(self, projection: TableProjection) -> None:
        """Read new events of a table from the store, although no process announced them."""
        before = projection.sequence
        await asyncio.to_thread(self._read, projection)
        if projection.sequence != before:
            self._notify(projection.stream)
            self.notify_viewers(projection.table)

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
            self._notify_meter(name)
        elif family == "player":
            for table in self._account_users.get(stream, ()):
                self.notify_viewers(table)

    def _notify_meter(self, meter: str) -> None:
        """Push the tables of a meter soon; many contributions to a shared meter become one push."""
        if not self._changed_meters:
            asyncio.get_running_loop().call_later(METER_SECONDS, self._show_meters)
        self._changed_meters.add(meter)

    def _show_meters(self) -> None:
        """Push every table whose meter changed."""
        changed, self._changed_meters = self._changed_meters, set()
        for table, projection in self.tables.items():
            if projection.state.meter in changed:
                self.notify_viewers(table)

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
        if projection.pace.house_factor and table not in self._showing:
            self._show(table)

    def _show(self, table: str) -> None:
        """Show what is due of a table to its viewers, and come back when more is due."""
        projection = self.tables[table]
        left = projection.show()
        if not left and projection.pace.skips and self._waits_for_person(projection):
            projection.pace.end_skip()
        self.notify_viewers(table)
        self._showing.discard(table)
        if left and self._loop is not None:
            self._showing.add(table)
            self._loop.call_later(left, self._show, table)

    def _wake_dealer(self, table: str) -> None:
        event = self.dealer_wakeups.get(table)
        if event is not None:
            event.set()

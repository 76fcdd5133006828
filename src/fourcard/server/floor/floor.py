"""The floor: every table as it is followed, who looks at it, and the way for commands to the desk."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import suppress

from fourcard.errors import BadInputError
from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.house import House
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import meter_stream, player_stream, table_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.records import Recorded
from fourcard.house.requests import Reply, Request
from fourcard.house.store.contract import StoreError
from fourcard.house.table_book import TableBook
from fourcard.server.floor import messages
from fourcard.server.floor.bus import Bus
from fourcard.server.floor.deeds import Deed, Wait, next_deed
from fourcard.server.floor.following import Followed, Following
from fourcard.server.floor.messages import Moment, TableMessage
from fourcard.server.floor.watching import Seen, Watch
from fourcard.server.settings import Settings

AGAIN = 2.0
"""Seconds after which a stream is read again that could not be read."""
_log = logging.getLogger(__name__)


class Look:
    """Somebody who looks at a table: wakes when there is something new, and knows what was told before."""

    def __init__(self, floor: "Floor", watch: Watch, actor: Actor) -> None:
        """Begin before the first word of the round under way."""
        self._floor, self.watch, self.actor = floor, watch, actor
        self.changed = asyncio.Event()
        self.changed.set()
        self._told = watch.at.round_began

    def message(self) -> TableMessage:
        """Return the table as it is now, with what was told since the last message."""
        self.changed.clear()
        seen = self.watch.at
        since, self._told = self._told, seen.spoken
        return self._floor.message(seen, self.actor, since)


class Floor:
    """All live tables of a process."""

    def __init__(self, house: House, settings: Settings, bus: Bus) -> None:
        """Serve a house."""
        self.house, self.settings, self.bus = house, settings, bus
        self.tables: dict[str, Watch] = {}
        self.ready: dict[str, tuple[int, frozenset[str]]] = {}
        """By table, the number of a round and the players who are content that its bets close."""
        self.stirred: dict[str, asyncio.Event] = {}
        """By table, set when something changed there that its dealer may wait for."""
        self._followed = Followed()
        self._looks: dict[str, set[Look]] = {}
        self._accounts: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._behind: set[str] = set()
        self._errands: set[asyncio.Task[object]] = set()

    async def start(self) -> None:
        """Follow every table of the house from now on."""
        self._loop = asyncio.get_running_loop()
        self.house.desk.follower = self._committed
        self.bus.start(self._heard, self._readied)
        await self._watch_all()

    async def _watch_all(self) -> None:
        """Follow the tables that are not followed yet."""
        for table in await asyncio.to_thread(self._installed):
            try:
                await self.watch(table)
            except BadInputError:
                _log.exception("A table cannot be followed; the others go on.")

    def _installed(self) -> list[str]:
        with self.house.store.reading() as reading:
            prefix = table_stream("")
            names = reading.streams()
            return sorted(each.removeprefix(prefix) for each in names if each.startswith(prefix))

    def stop(self) -> None:
        """Follow nothing any more."""
        self.house.desk.follower = None
        self.bus.close()
        for errand in self._errands:
            errand.cancel()

    async def watch(self, table: str) -> Watch | None:
        """Return a table that is followed, or None where there is none of that name."""
        known = self.tables.get(table)
        if known is not None:
            return known
        book, _ = await asyncio.to_thread(self.house.desk.standing, table_stream(table))
        if not isinstance(book, TableBook):
            return None
        watch = self._followed.add(Watch(table, self.house.desk))
        await asyncio.to_thread(watch.begin)
        if watch.book.meter:
            await self._follow(meter_stream(watch.book.meter))
        self.stirred.setdefault(table, asyncio.Event())
        self._looks.setdefault(table, set())
        return self.tables.setdefault(table, watch)

    async def _follow(self, stream: str) -> None:
        """Follow a meter or an account, as it stands by the end of this."""
        following = self._followed.get(stream) or self._followed.add(Following(stream, self.house.desk))
        if not following.begun:
            await asyncio.to_thread(following.begin)

    async def look(self, watch: Watch, actor: Actor) -> Look:
        """Let somebody look at a table until the look is ended."""
        if actor.kind == "player":
            stream = player_stream(actor.person)
            self._accounts[stream] = self._accounts.get(stream, 0) + 1
            try:
                await self._follow(stream)
            except BaseException:
                self._let_go(stream)
                raise
        look = Look(self, watch, actor)
        self._looks[watch.table].add(look)
        return look

    def end(self, look: Look) -> None:
        """Let somebody look no more."""
        self._looks[look.watch.table].discard(look)
        if look.actor.kind == "player":
            self._let_go(player_stream(look.actor.person))

    def _let_go(self, stream: str) -> None:
        """Follow an account no more once nobody looks by it."""
        self._accounts[stream] -= 1
        if not self._accounts[stream]:
            del self._accounts[stream]
            self._followed.drop(stream)

    def show(self, table: str) -> None:
        """Show a table to whoever looks at it."""
        for look in self._looks.get(table, ()):
            look.changed.set()

    def message(self, seen: Seen, actor: Actor, since: int) -> TableMessage:
        """Return a table as somebody may see it."""
        account = self._followed.get(player_stream(actor.person)) if actor.kind == "player" else None
        cents = account.book.cents if account is not None and isinstance(account.book, PlayerBook) else 0
        return messages.message(seen, actor, self.moment(seen), cents, since)

    def moment(self, seen: Seen) -> Moment:
        """Return what is known beside a table now."""
        meter = self.meter(seen.book.meter)
        shown, closed = (None, "") if meter is None else (meter.displayed, meter.closed)
        return Moment(self.house.clock.now(), self.next_at(seen), self.ready_at(seen), shown, closed)

    def move_moments(self, by: int) -> None:
        """Let everybody have the time that was left, though the clock was moved; any thread may call it."""
        for table, watch in tuple(self.tables.items()):
            watch.move_moments(by)
            self._call(self._stir, table)
            self._call(self.show, table)

    def meter(self, name: str) -> MeterBook | None:
        """Return a meter as it was committed last."""
        following = self._followed.get(meter_stream(name)) if name else None
        return following.book if following is not None and isinstance(following.book, MeterBook) else None

    def ready_at(self, seen: Seen) -> frozenset[str]:
        """Return who is content that the bets of the round under way close."""
        number, players = self.ready.get(seen.book.table, (0, frozenset()))
        return players if seen.book.state.number == number else frozenset()

    def next(self, watch: Watch) -> Deed | Wait:
        """Return what happens next at a table by itself, or what it waits for."""
        return self.next_at(watch.at)

    def next_at(self, seen: Seen) -> Deed | Wait:
        """Return what happens next at a table as it was seen."""
        return next_deed(seen.book, self.ready_at(seen), seen.moments, self.house.clock.now(), self.settings)

    async def do(self, stream: str, command: AnyCommand, actor: Actor, upon: int | None = None) -> Reply:
        """Hand a command to the desk and return its reply, which comes after the commit.

        What was decided upon a sequence of the stream is done there or not at all.
        """
        loop = asyncio.get_running_loop()
        replied: asyncio.Future[Reply] = loop.create_future()

        def done(reply: Reply) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if replied.done() else replied.set_result(reply))

        try:
            self.house.writer.submit(Request(stream, command, actor, upon), done)  # type: ignore[arg-type]
        except StoreError as error:
            return error
        return await replied

    def _committed(self, records: Sequence[Recorded], events: Sequence[object]) -> None:
        """Follow what this process committed; it is called on the writer's thread."""
        moved, missing = self._followed.committed(records, events)
        begun = {record.stream for record in records} - moved - missing
        self._call(
            self._moved, moved | {each for each in begun if each.startswith(table_stream(""))}, missing
        )

    def _heard(self, stream: str, sequence: int) -> None:
        """Follow what another process committed; without a stream, whatever may have been missed."""
        if not stream:
            self._call(self._missed)
            return
        following = self._followed.get(stream)
        table = stream.startswith(table_stream(""))
        if (following is None and table) or (following is not None and following.sequence < sequence):
            self._call(self._moved, set(), {stream})

    def _missed(self) -> None:
        """Read on everywhere, and find the tables that were installed meanwhile."""
        self._moved(set(), self._followed.names())
        self._send(self._watch_all())

    def _readied(self, table: str, player: str, number: int) -> None:
        """Note who is ready; without a table, another process asks who is."""
        self._call(*(self._now_ready, table, player, number) if table else (self._tell_ready,))

    def _tell_ready(self) -> None:
        """Say again who is ready in the rounds under way."""
        for table, watch in self.tables.items():
            for player in self.ready_at(watch.at):
                self.bus.ready(table, player, self.ready[table][0])

    def _call(self, what: object, *details: object) -> None:
        """Do something on the loop's own thread, unless it has ended."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(what, *details)  # type: ignore[arg-type]

    def _now_ready(self, table: str, player: str, number: int) -> None:
        known, players = self.ready.get(table, (0, frozenset()))
        if number < known or (number == known and player in players):
            return
        self.ready[table] = (number, players | {player} if known == number else frozenset((player,)))
        self._stir(table)
        self.show(table)

    def _moved(self, moved: set[str], missing: set[str]) -> None:
        for stream in moved:
            self._tell(stream)
        for stream in missing - self._behind:
            self._behind.add(stream)
            self._send(self._catch_up(stream))

    def _send(self, errand: Coroutine[object, object, object]) -> None:
        """Let something be done beside everything else."""
        task = asyncio.get_running_loop().create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _catch_up(self, stream: str) -> None:
        """Read what other processes wrote to a stream; where that fails, it is tried again after a while."""
        while True:
            self._behind.discard(stream)
            try:
                await self._read_on(stream)
            except BadInputError:
                _log.exception("A stream could not be caught up with, and is tried again.")
            else:
                break
            self._behind.add(stream)
            await asyncio.sleep(AGAIN)
        self._tell(stream)
        self.show(stream.removeprefix(table_stream("")))

    async def read_on(self, watch: Watch) -> None:
        """Read what the store holds of a table beyond what is known here, though nobody told of it."""
        before = watch.sequence
        await self._read_on(watch.stream)
        if watch.sequence != before:
            self._tell(watch.stream)
            self.show(watch.table)

    async def _read_on(self, stream: str) -> None:
        following = self._followed.get(stream)
        if following is not None:
            await asyncio.to_thread(self._read, following)
        elif stream.startswith(table_stream("")):
            await self.watch(stream.removeprefix(table_stream("")))

    def _read(self, following: Following) -> None:
        following.begin()
        with self.house.store.reading() as reading:
            following.catch_up(reading)

    def _tell(self, stream: str) -> None:
        """Wake whoever waits for a table, for its meter, or for an account."""
        family, _, name = stream.partition("/")
        if family == "table":
            self._tell_of_table(name)
        elif family == "meter":
            for table, watch in self.tables.items():
                if watch.book.meter == name:
                    self.show(table)
        elif family == "player":
            for looks in self._looks.values():
                for look in looks:
                    if look.actor.person == name:
                        look.changed.set()

    def _tell_of_table(self, table: str) -> None:
        """Wake the dealer of a table; one that is new, or has a new meter, is followed from now on."""
        watch = self.tables.get(table)
        if watch is None:
            self._send(self.watch(table))
            return
        meter = meter_stream(watch.book.meter)
        if watch.book.meter and self._followed.get(meter) is None:
            self._send(self._follow(meter))
        self._stir(table)

    def _stir(self, table: str) -> None:
        event = self.stirred.get(table)
        if event is not None:
            event.set()

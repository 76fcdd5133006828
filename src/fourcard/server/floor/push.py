"""Push of a table to its viewers: each public change is encoded once, with a small private part per group.

A viewer gets the whole table first, then changes. Changes that a slow connection cannot take in time are
dropped, and it gets the whole table when it is ready again.
"""

import asyncio
from collections import deque
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import WaitReason
from fourcard.round.view import ViewPath
from fourcard.server.floor.changes import Change, ChangedPaths, differences, private_changes
from fourcard.server.floor.messages import (
    OfferedCommand,
    PlayerBasis,
    PrivateBasis,
    PublicTable,
    TableContext,
    TableMessage,
    ViewerGroup,
    allowed_actions,
    console_message,
    group_of,
    narration_lines,
    player_actions,
    player_offers,
    private_basis,
    private_values,
    public_table,
    table_message,
    waiting_view,
)
from fourcard.server.floor.projections import LiveSnapshot, TableProjection

PUSH_INTERVAL = 0.1
"""Seconds between two pushes of a table, so that a burst of changes becomes few messages."""
PUSH_BURST = 0.3
"""Seconds of intervals that a quiet table saves up, so that all that follows from one act is sent at once."""
LATE_TIMES, LATE_MOST = 4.0, 0.4
"""How many times the delay of a push is waited in addition before the next, and for how many seconds at most:
a busy house sends fewer and larger changes."""
PUSH_DELAY = 0.02
"""Seconds before a push, so that a command and what the dealer does at once are sent together."""
MAX_WAITING = 8
"""Changes that wait for a slow connection before they are dropped for the whole table."""
MAX_VISITORS = 8
"""Groups per table whose private part is kept although they have no connection."""
WAITING_LEFT: ViewPath = ("waiting", "left")
_encoder = msgspec.json.Encoder()


class TableMovedError(Exception):
    """Another worker serves the table now; its viewers reach it with a new connection."""


class PushSource(Protocol):
    """What a push needs besides the table itself."""

    def table_context(self, snapshot: LiveSnapshot) -> TableContext:
        """Return time, next action, ready players and meter of a table."""
        ...

    def account_cents(self, player: str) -> int:
        """Return the cents in a player's account."""
        ...


class Subscription:
    """A viewer of a table, and the messages that wait to be sent."""

    def __init__(self, push: "TablePush", actor: Actor) -> None:
        """Start without the table: the first message has all of it."""
        self.push, self.actor, self.group = push, actor, group_of(actor)
        self.version = 0
        """Version of the last message; 0 if the next one must have the whole table."""
        self.last_line: int | None = None
        """Number of the last narration line sent; None before the first message."""
        self._waiting = deque[tuple[str, int]]()
        self._wakeup: asyncio.Future[None] | None = None
        self._error: Exception | None = None

    async def next_message(self) -> str:
        """Return the next message once there is one."""
        while not self._waiting:
            if self._error is not None:
                raise self._error
            if not self.version:
                self.push.notify()
            self._wakeup = asyncio.get_running_loop().create_future()
            try:
                await self._wakeup
            finally:
                self._wakeup = None
        text, self.last_line = self._waiting.popleft()
        return text

    @property
    def waiting(self) -> bool:
        """Say whether a message waits to be sent."""
        return bool(self._waiting)

    @property
    def takes_whole(self) -> bool:
        """Say whether the whole table is missing, and can be sent now."""
        return not self.version and self._wakeup is not None

    def request_whole(self) -> None:
        """Send the whole table next, with the narration of its round."""
        self._waiting.clear()
        self.version, self.last_line = 0, None
        if self._wakeup is not None:
            self.push.notify()

    def add_change(self, text: str, version: int, last_line: int) -> None:
        """Send a change next, unless this viewer must get the whole table."""
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
            self.version = 0
        elif self.version:
            self.add(text, version, last_line)

    def fail(self, error: Exception) -> None:
        """End the messages with an error."""
        self._error = error
        self._wake()

    def add(self, text: str, version: int, last_line: int) -> None:
        """Send a message next."""
        self._waiting.append((text, last_line))
        self.version = version
        self._wake()

    def _wake(self) -> None:
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)


class EncodedChange(msgspec.Struct, frozen=True, rename={"from_": "from", "changes": "set"}):
    """A `TableChange` whose larger parts are encoded already."""

    from_: int
    version: int
    sequence: int
    told: msgspec.Raw
    changes: msgspec.Raw
    kind: Literal["change"] = "change"


class PublicChange(msgspec.Struct, frozen=True):
    """What every viewer gets of a push, encoded once."""

    sequence: int
    last_line: int
    told: msgspec.Raw
    changes: bytes
    """The changes, encoded and separated by commas."""

    def joined(self, private: list[Change], version: int) -> str:
        """Return the message for a group, with its private changes after the public ones."""
        parts = (self.changes, _encoder.encode(private)[1:-1])
        joined = msgspec.Raw(b"[%b]" % b",".join(part for part in parts if part))
        change = EncodedChange(version - 1, version, self.sequence, self.told, joined)
        return _encoder.encode(change).decode()


class PushedTable(msgspec.Struct, frozen=True):
    """A table as it stands at one push."""

    snapshot: LiveSnapshot
    context: TableContext
    public: PublicTable
    basis: PrivateBasis
    """What the private values of its players depend on."""

    @property
    def until(self) -> int | None:
        """Return when the table stops waiting, if it waits for a limited time."""
        action = self.context.next
        return action.until if isinstance(action, WaitReason) else None

    def is_of(self, snapshot: LiveSnapshot, context: TableContext) -> bool:
        """Say whether a table with this snapshot and context looks the same, apart from the time left."""
        return self.snapshot is snapshot and replace(context, now=self.context.now) == self.context

    def has_moved(self, before: "PushedTable") -> bool:
        """Say whether journal, narration or time limit moved on since the push before."""
        return (self.snapshot.sequence, self.snapshot.last_line, self.until) != (
            before.snapshot.sequence,
            before.snapshot.last_line,
            before.until,
        )


KNOWN_OFFERS = 6
"""Lists of offered commands that a player's part keeps, those unused for longest first."""


class PrivatePart:
    """What a group of viewers sees beyond the public part; built again only when it can have changed."""

    def __init__(self, group: ViewerGroup) -> None:
        """Start without values."""
        self.group = group
        self._basis: object = None
        self._values: dict[ViewPath, Any] = {}
        self._known_offers = deque[tuple[object, tuple[OfferedCommand, ...]]](maxlen=KNOWN_OFFERS)

    def values(self, at: PushedTable, account: int) -> dict[ViewPath, Any]:
        """Return the private values; the same object while nothing changed."""
        player, table, context = self.group.player, at.snapshot.state, at.context
        basis = (
            at.basis.of(table, player, account, context, at.public)
            if player
            else (table.state, table.console, context.meter, context.closed)
        )
        if basis != self._basis:
            self._basis, self._values = basis, self._build(at, basis)
        return self._values

    def _build(self, at: PushedTable, basis: object) -> dict[ViewPath, Any]:
        table = at.snapshot.state
        if isinstance(basis, PlayerBasis):
            allowed = player_actions(table, self.group.player, self._offers(at))
            return private_values(table, self.group, at.public, allowed, basis.seat)
        allowed = allowed_actions(table, self.group)
        return private_values(table, self.group, at.public, allowed, console_message(table, at.context))

    def _offers(self, at: PushedTable) -> tuple[OfferedCommand, ...]:
        """Return the commands that a player may send; most come again in every round."""
        needed = at.basis.commands.of(self.group.player)
        for number, known in enumerate(self._known_offers):
            if known[0] == needed:
                del self._known_offers[number]
                break
        else:
            known = needed, player_offers(at.snapshot.state.state, self.group.player)
        self._known_offers.append(known)
        return known[1]


class GroupPush:
    """Viewers who see the same, and their private part of the table at the last push."""

    def __init__(self, private: PrivatePart) -> None:
        """Start without viewers."""
        self.private, self.members = private, set[Subscription]()
        self.version = 1
        """Number of the last message; only what these viewers see counts, so that it tells them no more."""
        self.account: int | None = None
        """Cents in the player's account at the last push; None before the first."""
        self._values: dict[ViewPath, Any] | None = None

    def update(self, at: PushedTable, account: int, changed: ChangedPaths) -> list[Change]:
        """Take the private part as it is now; return what these viewers need besides the public changes."""
        self.account = account
        before, self._values = self._values, self.private.values(at, account)
        return [] if before is None else [*private_changes(before, self._values, at.public, changed)]

    def send(self, public: PublicChange, private: list[Change]) -> None:
        """Send a change to all viewers of the group who have the table."""
        self.version += 1
        text = public.joined(private, self.version)
        for subscription in self.members:
            subscription.add_change(text, self.version, public.last_line)


class TablePush:
    """Push of one table: sends its changes to all viewers, at most once per interval."""

    def __init__(self, projection: TableProjection, source: PushSource) -> None:
        """Start without viewers."""
        self.projection, self._source = projection, source
        self._groups: dict[ViewerGroup, GroupPush] = {}
        self._shown: PushedTable | None = None
        """The table as it was last built."""
        self._last: PushedTable | None = None
        """The table as the viewers have it."""
        self._visitors: dict[ViewerGroup, PrivatePart] = {}
        """The private parts of those who looked without a subscription, those unused for longest first."""
        self._scheduled: asyncio.Handle | None = None
        self._due = self._next_at = 0.0

    def message(self, actor: Actor, account: int) -> TableMessage:
        """Return the table as a person may see it now, with the narration of its round."""
        at, group = self._now(), group_of(actor)
        values, since = self._private_part(group).values(at, account), at.snapshot.round_start_line
        return table_message(at.snapshot, at.public, values, since, 0)

    def _private_part(self, group: ViewerGroup) -> PrivatePart:
        """Return the private part of a group, and keep that of a visitor for a while."""
        if group in self._groups:
            return self._groups[group].private
        private = self._visitors[group] = self._take_visitor(group)
        if len(self._visitors) > MAX_VISITORS:
            del self._visitors[next(iter(self._visitors))]
        return private

    def _take_visitor(self, group: ViewerGroup) -> PrivatePart:
        return self._visitors.pop(group) if group in self._visitors else PrivatePart(group)

    def add(self, actor: Actor) -> Subscription:
        """Add a viewer."""
        subscription = Subscription(self, actor)
        group = subscription.group
        if group not in self._groups:
            self._groups[group] = GroupPush(self._take_visitor(group))
        self._groups[group].members.add(subscription)
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Remove a viewer; without viewers nothing is pushed."""
        members = self._groups[subscription.group].members
        members.discard(subscription)
        if not members:
            del self._groups[subscription.group]
        if not self._groups:
            self._last = None
            self._cancel()

    def is_viewed_by(self, player: str) -> bool:
        """Say whether a player looks at the table."""
        return any(group.player == player for group in self._groups)

    @property
    def has_viewers(self) -> bool:
        """Say whether anybody looks at the table; callable from any thread."""
        return bool(self._groups)

    def move_viewers(self) -> None:
        """End every subscription, because another worker serves the table from now on."""
        for subscription in self._subscriptions():
            subscription.fail(TableMovedError())

    def notify(self) -> None:
        """Push soon, because something may have changed or a viewer needs the whole table."""
        if self._scheduled is None and self._groups:
            loop = asyncio.get_running_loop()
            self._due = max(loop.time() + PUSH_DELAY, self._next_at)
            self._scheduled = loop.call_at(self._due, self.push)

    def push(self) -> None:
        """Send what changed to viewers who are up to date, and the whole table to those who need it."""
        now = asyncio.get_running_loop().time()
        late = max(0.0, now - self._due) if self._scheduled is not None else 0.0
        self._cancel()
        self._next_at = max(self._next_at, now - PUSH_BURST) + PUSH_INTERVAL
        if late > PUSH_DELAY:
            self._next_at = now + PUSH_INTERVAL + min(LATE_TIMES * late, LATE_MOST)
        try:
            if self._groups:
                self._push()
        except Exception as error:  # noqa: BLE001  each connection logs it and ends
            self._last = None
            for subscription in self._subscriptions():
                subscription.fail(error)

    def _cancel(self) -> None:
        if self._scheduled is not None:
            self._scheduled.cancel()
            self._scheduled = None

    def _subscriptions(self) -> list[Subscription]:
        return [each for group in self._groups.values() for each in group.members]

    def _push(self) -> None:
        at = self._now()
        accounts = {group: self._account(group) for group in self._groups.values()}
        same = all(group.account == account for group, account in accounts.items())
        if self._last is None or not same or not self._last.is_of(at.snapshot, at.context):
            self._send_changes(at, accounts)
        for group in self._groups.values():
            for subscription in group.members:
                if subscription.takes_whole:
                    self._send_whole(subscription, group, at)

    def _account(self, group: GroupPush) -> int:
        player = group.private.group.player
        return self._source.account_cents(player) if player else 0

    def _now(self) -> PushedTable:
        """Return the table as it is now, built again only where it changed."""
        snapshot, known = self.projection.snapshot, self._shown
        context = self._source.table_context(snapshot)
        if known is None:
            public, basis = public_table(snapshot, context), private_basis(snapshot.state.state)
        elif known.is_of(snapshot, context):
            public, basis = replace(known.public, waiting=waiting_view(context)), known.basis
        else:
            public = public_table(snapshot, context, (known.snapshot, known.public))
            basis = private_basis(snapshot.state.state, known.basis)
        self._shown = PushedTable(snapshot, context, public, basis)
        return self._shown

    def _send_changes(self, at: PushedTable, accounts: dict[GroupPush, int]) -> None:
        """Send the changes since the last push; passing time alone is none, because clients count it."""
        before, self._last = self._last, at
        found = () if before is None else differences(before.public, at.public)
        public = [change for change in found if change[0] != WAITING_LEFT]
        changed = ChangedPaths(public)
        private = {group: group.update(at, account, changed) for group, account in accounts.items()}
        if before is None:
            return
        for_all, encoded = bool(public) or at.has_moved(before), None
        for group, own in private.items():
            if for_all or own:
                encoded = encoded or _public_change(before, at, public)
                group.send(encoded, own)

    def _send_whole(self, subscription: Subscription, group: GroupPush, at: PushedTable) -> None:
        since, values = subscription.last_line, group.private.values(at, group.account or 0)
        since = at.snapshot.round_start_line if since is None else since
        message = table_message(at.snapshot, at.public, values, since, group.version)
        subscription.add(_encoder.encode(message).decode(), group.version, at.snapshot.last_line)


def _public_change(before: PushedTable, at: PushedTable, changes: list[Change]) -> PublicChange:
    """Return the public changes between two pushes, always with the time that is left."""
    if before.public.waiting is not None and at.public.waiting is not None:
        changes = [*changes, (WAITING_LEFT, at.public.waiting.left)]
    lines = narration_lines(at.snapshot, before.snapshot.last_line)
    told = msgspec.Raw(_encoder.encode(lines))
    return PublicChange(at.snapshot.sequence, at.snapshot.last_line, told, _encoder.encode(changes)[1:-1])

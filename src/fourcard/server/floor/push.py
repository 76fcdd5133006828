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
    AllowedActions,
    ConsoleMessage,
    PublicTable,
    TableContext,
    ViewerGroup,
    allowed_actions,
    allowed_basis,
    console_message,
    group_of,
    narration_lines,
    private_values,
    public_table,
    table_message,
)
from fourcard.server.floor.projections import LiveSnapshot, TableProjection

PUSH_INTERVAL = 0.1
"""Seconds between two pushes of a table, so that a burst of changes becomes few messages."""
PUSH_DELAY = 0.02
"""Seconds before a push, so that a command and what the dealer does at once are sent together."""
MAX_WAITING = 8
"""Changes that wait for a slow connection before they are dropped for the whole table."""
WAITING_LEFT: ViewPath = ("waiting", "left")
_encoder = msgspec.json.Encoder()


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
    console: ConsoleMessage | None
    """The console, if staff look at the table."""

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


class GroupPush:
    """Viewers who see the same, and their private part of the table at the last push."""

    def __init__(self, group: ViewerGroup) -> None:
        """Start without viewers."""
        self.group, self.members = group, set[Subscription]()
        self.version = 1
        """Number of the last message; only what these viewers see counts, so that it tells them no more."""
        self.account: int | None = None
        """Cents in the player's account at the last push; None before the first."""
        self._values: dict[ViewPath, Any] | None = None
        self._basis: object = None
        self._allowed = AllowedActions()

    def update(self, at: PushedTable, account: int, changed: ChangedPaths) -> list[Change]:
        """Build the private part again; return what these viewers need besides the public changes."""
        self.account = account
        before, self._values = self._values, self._build(at, account)
        return [] if before is None else [*private_changes(before, self._values, at.public, changed)]

    def send(self, public: PublicChange, private: list[Change]) -> None:
        """Send a change to all viewers of the group who have the table."""
        self.version += 1
        text = public.joined(private, self.version)
        for subscription in self.members:
            subscription.add_change(text, self.version, public.last_line)

    def _build(self, at: PushedTable, account: int) -> dict[ViewPath, Any]:
        table = at.snapshot.state
        basis = allowed_basis(table, self.group)
        if self._values is None or (basis is not self._basis and basis != self._basis):
            self._basis, self._allowed = basis, allowed_actions(table, self.group)
        return private_values(table, self.group, at.context, at.public, account, self._allowed, at.console)


class TablePush:
    """Push of one table: sends its changes to all viewers, at most once per interval."""

    def __init__(self, projection: TableProjection, source: PushSource) -> None:
        """Start without viewers."""
        self.projection, self._source = projection, source
        self._groups: dict[ViewerGroup, GroupPush] = {}
        self._last: PushedTable | None = None
        self._scheduled: asyncio.Handle | None = None
        self._next_at = 0.0

    def add(self, actor: Actor) -> Subscription:
        """Add a viewer."""
        subscription = Subscription(self, actor)
        self._groups.setdefault(subscription.group, GroupPush(subscription.group)).members.add(subscription)
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Remove a viewer; without viewers nothing is kept."""
        members = self._groups[subscription.group].members
        members.discard(subscription)
        if not members:
            del self._groups[subscription.group]
        if not self._groups:
            self._last = None
            self._cancel()

    def notify(self) -> None:
        """Push soon, because something may have changed or a viewer needs the whole table."""
        if self._scheduled is None and self._groups:
            loop = asyncio.get_running_loop()
            self._scheduled = loop.call_at(max(loop.time() + PUSH_DELAY, self._next_at), self.push)

    def push(self) -> None:
        """Send what changed to viewers who are up to date, and the whole table to those who need it."""
        self._cancel()
        self._next_at = asyncio.get_running_loop().time() + PUSH_INTERVAL
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
        snapshot = self.projection.snapshot
        context = self._source.table_context(snapshot)
        accounts = {group: self._account(group) for group in self._groups.values()}
        same = all(group.account == account for group, account in accounts.items())
        if self._last is None or not same or not self._last.is_of(snapshot, context):
            self._send_changes(self._table_now(snapshot, context), accounts)
        for group in self._groups.values():
            for subscription in group.members:
                if subscription.takes_whole:
                    self._send_whole(subscription, group, snapshot, context)

    def _account(self, group: GroupPush) -> int:
        player = group.group.player
        return self._source.account_cents(player) if player else 0

    def _table_now(self, snapshot: LiveSnapshot, context: TableContext) -> PushedTable:
        staff = any(not group.player for group in self._groups)
        console = console_message(snapshot.state, context) if staff else None
        return PushedTable(snapshot, context, public_table(snapshot, context), console)

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

    def _send_whole(
        self, subscription: Subscription, group: GroupPush, snapshot: LiveSnapshot, context: TableContext
    ) -> None:
        since, account = subscription.last_line, group.account or 0
        since = snapshot.round_start_line if since is None else since
        message = table_message(snapshot, group.group, context, account, since, group.version)
        subscription.add(_encoder.encode(message).decode(), group.version, snapshot.last_line)


def _public_change(before: PushedTable, at: PushedTable, changes: list[Change]) -> PublicChange:
    """Return the public changes between two pushes, always with the time that is left."""
    if before.public.waiting is not None and at.public.waiting is not None:
        changes = [*changes, (WAITING_LEFT, at.public.waiting.left)]
    lines = narration_lines(at.snapshot, before.snapshot.last_line)
    told = msgspec.Raw(_encoder.encode(lines))
    return PublicChange(at.snapshot.sequence, at.snapshot.last_line, told, _encoder.encode(changes)[1:-1])

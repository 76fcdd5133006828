"""PostgreSQL bus: commits arrive by LISTEN; a table lease is an advisory lock of a session.

A lease ends with its session, so others take over when a process dies. Each process also holds a shared lock
for every table that somebody views there, so that all see where a lease belongs (`lease_plan`). A dealer's
command runs only if the table has not changed, so two processes that both believe they hold a lease do
everything once.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
import psycopg
from sqlalchemy.engine import make_url

from fourcard.house.auth.sign_in import AttemptOutcome
from fourcard.house.commands import PersonKind
from fourcard.house.store.postgres import CHANNEL, REVOCATION_CHANNEL
from fourcard.rules.safe_convert import safe_convert
from fourcard.server.floor.bus import (
    OnAttempt,
    OnCommit,
    OnMoved,
    OnReady,
    OnRevoked,
    WorkerSockets,
    new_process_number,
)
from fourcard.server.floor.lease_plan import LeaseHolders, LeasePlan, plan_leases

READY_CHANNEL = "fourcard_ready"
ATTEMPT_CHANNEL = "fourcard_sign_ins"
HEARTBEAT_SECONDS = 1.0
"""Seconds between two checks of the session that holds the leases."""
LEASE_TRUST_SECONDS = 3.0
"""Seconds for which a lease is trusted after the last check."""
BALANCE_SECONDS = 0.1
"""Seconds between two looks at all leases while somebody waits for one; otherwise a heartbeat."""
MOVING_SECONDS = 3.0
"""Seconds for which a process leaves a table alone that it has handed over."""
MAX_QUEUED = 10_000
"""How many messages are queued while the database is unreachable."""
JOIN_GROUP = "SELECT pg_advisory_lock_shared(hashtext(%s), %s)"
"""A lock that each process holds under its number, so that they can be counted and told apart."""
LIST_HOLDERS = (
    "WITH locks AS (SELECT pid, mode, objsubid, classid::bigint AS high, objid::bigint AS low FROM pg_locks "
    "WHERE locktype = 'advisory' AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())), "
    "processes AS (SELECT pid, low AS number FROM locks "
    "WHERE objsubid = 2 AND high = hashtext(%(group)s) & 4294967295) "
    "SELECT number, NULL, false FROM processes UNION ALL "
    "SELECT number, name, mode = 'ShareLock' FROM unnest(%(tables)s::text[]) AS wanted (name) "
    "CROSS JOIN unnest(ARRAY[' lease ', ' viewers ']) AS purposes (purpose) "
    "JOIN locks ON objsubid = 1 AND (high << 32) | low = hashtextextended(%(group)s || purpose || name, 0) "
    "JOIN processes USING (pid)"
)
"""Each process; then each lease with its holder, and each table with a process that has viewers of it."""
TAKE_LEASES = (
    "SELECT name FROM unnest(%s::text[]) AS wanted (name) "
    "WHERE pg_try_advisory_lock(hashtextextended(%s || ' lease ' || name, 0)) LIMIT %s"
)
GIVE_BACK_LEASES = (
    "SELECT pg_advisory_unlock(hashtextextended(%s || ' lease ' || name, 0)) "
    "FROM unnest(%s::text[]) AS given (name)"
)
SHOW_VIEWERS = (
    "SELECT pg_advisory_lock_shared(hashtextextended(%s || ' viewers ' || name, 0)) "
    "FROM unnest(%s::text[]) AS viewed (name)"
)
HIDE_VIEWERS = (
    "SELECT pg_advisory_unlock_shared(hashtextextended(%s || ' viewers ' || name, 0)) "
    "FROM unnest(%s::text[]) AS left_alone (name)"
)
NOTIFY = "SELECT pg_notify(channel, body) FROM unnest(%s::text[], %s::text[]) AS waiting (channel, body)"
CONNECTION_OPTIONS: Mapping[str, Any] = {
    "application_name": "fourcard",
    "connect_timeout": 5,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
    "options": "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3",
}
"""Timeouts that end a session, and with it the leases, soon after either end disappears."""
CONNECTION_LOST = "The connection to the other processes was lost (%s) and is opened again."
_log = logging.getLogger(__name__)
Session = psycopg.Connection[Any]
Receivers = Mapping[str, Callable[[str], None]]
"""By channel, the function that takes its messages."""


NO_HOLDERS = LeaseHolders(frozenset(), {}, {})


class ReadyNotice(msgspec.Struct, frozen=True):
    """Message between processes: a player is done betting, or (empty) a question who is."""

    table: str = ""
    player: str = ""
    number: int = 0


class AttemptNotice(msgspec.Struct, frozen=True):
    """Message between processes: a person's password is tried from an address, or what came of it."""

    process: int
    """The sender, which has counted the attempt itself."""
    kind: PersonKind
    person: str
    address: str
    outcome: AttemptOutcome


class PostgresBus:
    """Bus over the database, with two sessions, each in its own thread."""

    def __init__(self, address: str, sockets: WorkerSockets | None = None, *, deals: bool = True) -> None:
        """Take the database address, and how workers reach each other; nothing is opened yet.

        Processes without an automatic dealer have leases of their own, so that they stop no dealer.
        """
        url = make_url(address).set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._options = {key: value for key, value in CONNECTION_OPTIONS.items() if key not in url.query}
        self.number = new_process_number() if sockets is None else sockets.number
        self._reaches = (lambda _number: False) if sockets is None else sockets.reaches
        self._group = "fourcard dealers" if deals else "fourcard tables"
        self._closed, self._wake = threading.Event(), threading.Event()
        self._wanted: set[str] = set()
        self._viewed: set[str] = set()
        """Tables with viewers in this process."""
        self._leases: set[str] = set()
        self._shown: set[str] = set()
        """Tables that the session shows others as viewed here."""
        self._moving: dict[str, float] = {}
        """Tables that were handed over with their viewers, and until when they are left alone."""
        self._found = NO_HOLDERS
        self._checked_at = 0.0
        """When the leases were last checked."""
        self._balanced_at = 0.0
        """When this process last looked at the leases of all."""
        self._balance_soon = False
        self._joined = False
        """Whether the session counts as one of the group."""
        self._outbox: deque[tuple[str, msgspec.Struct]] = deque(maxlen=MAX_QUEUED)
        """Messages to send, each with its channel."""
        self._on_ready: OnReady | None = None
        self._on_moved: OnMoved = lambda _table: None
        self._threads: list[threading.Thread] = []

    def start(
        self,
        on_commit: OnCommit,
        on_ready: OnReady,
        on_revoked: OnRevoked,
        on_attempt: OnAttempt,
        on_moved: OnMoved,
    ) -> None:
        """Start listening, sending and holding leases."""
        self._on_ready, self._on_moved = on_ready, on_moved
        receivers: Receivers = {
            CHANNEL: partial(_receive_commit, on_commit),
            READY_CHANNEL: partial(_receive_ready, on_ready),
            REVOCATION_CHANNEL: partial(_receive_revocation, on_revoked),
            ATTEMPT_CHANNEL: partial(_receive_attempt, on_attempt, self.number),
        }
        for work in (partial(self._listen, on_commit, receivers), self._send_loop):
            thread = threading.Thread(target=self._run_worker, args=(work,), name="fourcard-bus", daemon=True)
            self._threads.append(thread)
            thread.start()

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell this process that a player is ready, and the others as soon as possible."""
        if self._on_ready is not None:
            self._on_ready(table, player, number)
        self._send(READY_CHANNEL, ReadyNotice(table, player, number))

    def attempt(self, kind: PersonKind, person: str, address: str, outcome: AttemptOutcome) -> None:
        """Tell every other process that a person's password is tried."""
        self._send(ATTEMPT_CHANNEL, AttemptNotice(self.number, kind, person, address, outcome))

    def _send(self, channel: str, notice: msgspec.Struct) -> None:
        """Send a message as soon as possible."""
        self._outbox.append((channel, notice))
        self._wake.set()

    def lease(self, table: str) -> bool:
        """Return whether this process holds the lease of a table; keep trying to get it."""
        if table not in self._wanted:
            self._wanted.add(table)
            self.look_again()
        return table in self._leases and self._is_fresh()

    def view(self, table: str, viewed: bool) -> None:
        """Say whether this process has viewers of a table: its lease follows them."""
        (self._viewed.add if viewed else self._viewed.discard)(table)
        if viewed and table not in self._leases:
            self.look_again()

    def holder(self, table: str) -> int | None:
        """Return the number of the process that holds the lease of a table, if that is known."""
        if not self._is_fresh():
            return None
        found = self.number if table in self._leases else self._found.holders.get(table)
        return None if found == self.number and table not in self._leases else found

    def look_again(self) -> None:
        """Look at the leases of all processes soon."""
        self._balance_soon = True
        self._wake.set()

    def _is_fresh(self) -> bool:
        return time.monotonic() - self._checked_at < LEASE_TRUST_SECONDS

    def close(self) -> None:
        """Stop listening and release every lease."""
        self._closed.set()
        self._wake.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _connect(self) -> Session:
        return psycopg.connect(self._address, autocommit=True, **self._options)

    def _run_worker(self, work: Callable[[Session], None]) -> None:
        """Run a worker until the end; reconnect after any error, logging each kind once."""
        failed = ""
        while not self._closed.is_set():
            began = math.inf
            try:
                with self._connect() as session:
                    began = time.monotonic()
                    work(session)
            except Exception as error:  # noqa: BLE001  a process that hears nothing would deal from old states
                found = type(error).__name__
                if found != failed or time.monotonic() - began > LEASE_TRUST_SECONDS:
                    _log.warning(CONNECTION_LOST, found, exc_info=not isinstance(error, psycopg.Error))
                failed = found
                self._closed.wait(HEARTBEAT_SECONDS)

    def _send_loop(self, session: Session) -> None:
        """Hold leases and send messages until the end; a lost session loses its leases."""
        self._joined, self._balanced_at = False, 0.0
        try:
            while not self._closed.is_set():
                self._beat(session)
                self._wake.wait(BALANCE_SECONDS if self._balance_soon else HEARTBEAT_SECONDS)
                self._wake.clear()
        finally:
            self._leases, self._shown, self._found = set(), set(), NO_HOLDERS

    def _beat(self, session: Session) -> None:
        """Send queued messages, which also checks the session, and look at the leases when that is due."""
        now, waiting = time.monotonic(), [*self._outbox]
        bodies = [msgspec.json.encode(notice).decode() for _, notice in waiting]
        session.execute(NOTIFY, ([channel for channel, _ in waiting], bodies))
        self._checked_at = now
        for _ in waiting:
            self._outbox.popleft()
        every = BALANCE_SECONDS if self._balance_soon else HEARTBEAT_SECONDS
        if self._wanted and now - self._balanced_at >= every:
            self._balance_soon, self._balanced_at = False, now
            self._balance(session, {*self._wanted})

    def _balance(self, session: Session, wanted: set[str]) -> None:
        """Give leases back and take others, as planned from who holds what."""
        if not self._joined:
            session.execute(JOIN_GROUP, (self._group, self.number))
            self._joined = True
        viewed = self._viewed_here()
        self._show_viewers(session, viewed)
        self._found = self._list_holders(session, wanted)
        plan = plan_leases(self.number, wanted, self._leases, viewed, self._found, self._reaches)
        self._give_back(session, plan)
        if plan.take and plan.take_most > 0:
            candidates = [each for each in plan.take if each not in self._moving]
            free = session.execute(TAKE_LEASES, (candidates, self._group, plan.take_most))
            self._leases |= {name for (name,) in free}

    def _viewed_here(self) -> set[str]:
        """Return the tables with viewers in this process, without those that it is handing over."""
        now = time.monotonic()
        self._moving = {table: until for table, until in self._moving.items() if until > now}
        return self._viewed.copy() - self._moving.keys()

    def _show_viewers(self, session: Session, viewed: set[str]) -> None:
        """Let the other processes see which tables have viewers here."""
        for change, tables in ((SHOW_VIEWERS, viewed - self._shown), (HIDE_VIEWERS, self._shown - viewed)):
            if tables:
                session.execute(change, (self._group, [*tables]))
        self._shown = viewed

    def _list_holders(self, session: Session, wanted: set[str]) -> LeaseHolders:
        processes, holders, viewers = {self.number}, dict[str, int](), dict[str, set[int]]()
        for number, table, views in session.execute(
            LIST_HOLDERS, {"group": self._group, "tables": [*wanted]}
        ):
            if table is None:
                processes.add(number)
            elif views:
                viewers.setdefault(table, set()).add(number)
            else:
                holders[table] = number
        return LeaseHolders(frozenset(processes), holders, viewers)

    def _give_back(self, session: Session, plan: LeasePlan) -> None:
        """Give leases back, and send viewers to the workers that have or get the others."""
        self._leases -= {*plan.give}
        self._moving |= dict.fromkeys(plan.move, time.monotonic() + MOVING_SECONDS)
        self._show_viewers(session, self._shown - {*plan.move})
        if plan.give:
            session.execute(GIVE_BACK_LEASES, (self._group, [*plan.give]))
        for table in plan.move:
            self._on_moved(table)

    def _listen(self, on_commit: OnCommit, receivers: Receivers, session: Session) -> None:
        """Listen until the end; after a lost session anything may have been missed."""
        for channel in receivers:
            session.execute(f"LISTEN {channel}".encode())
        on_commit("", 0)
        session.execute(NOTIFY, ([READY_CHANNEL], [msgspec.json.encode(ReadyNotice()).decode()]))
        self._receive(session, receivers)

    def _receive(self, session: Session, receivers: Receivers) -> None:
        while not self._closed.is_set():
            for notice in session.notifies(timeout=HEARTBEAT_SECONDS / 2, stop_after=1):
                try:
                    receivers[notice.channel](notice.payload)
                except (ValueError, msgspec.MsgspecError):
                    _log.warning("An invalid message from another process was ignored.")


def _receive_commit(on_commit: OnCommit, payload: str) -> None:
    for line in payload.split("\n"):
        stream, _, sequence = line.rpartition(" ")
        on_commit(stream, int(sequence))


def _receive_ready(on_ready: OnReady, payload: str) -> None:
    message = msgspec.json.decode(payload, type=ReadyNotice)
    on_ready(message.table, message.player, message.number)


def _receive_attempt(on_attempt: OnAttempt, process: int, payload: str) -> None:
    notice = msgspec.json.decode(payload, type=AttemptNotice)
    if notice.process != process:
        on_attempt(notice.kind, notice.person, notice.address, notice.outcome)


def _receive_revocation(on_revoked: OnRevoked, payload: str) -> None:
    kind, _, person = payload.partition("/")
    on_revoked(safe_convert(kind, PersonKind), person)  # type: ignore[arg-type]

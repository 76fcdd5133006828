"""PostgreSQL bus: commits arrive by LISTEN; a table lease is an advisory lock of a session.

A lease ends with its session, so others take over when a process dies. Processes hold equal shares of the
tables: whoever holds more gives some back. A dealer's command runs only if the table has not changed, so two
processes that both believe they hold a lease do everything once.
"""

import logging
import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
import psycopg
from sqlalchemy.engine import make_url

from fourcard.house.store.interface import PersonKind
from fourcard.house.store.postgres import CHANNEL, REVOCATION_CHANNEL
from fourcard.rules.safe_convert import safe_convert
from fourcard.server.floor.bus import OnAttempt, OnCommit, OnReady, OnRevoked

READY_CHANNEL = "fourcard_ready"
ATTEMPT_CHANNEL = "fourcard_sign_ins"
HEARTBEAT_SECONDS = 1.0
"""Seconds between two checks of the session that holds the leases."""
LEASE_TRUST_SECONDS = 3.0
"""Seconds for which a lease is trusted after the last check."""
MAX_QUEUED = 10_000
"""How many messages are queued while the database is unreachable."""
JOIN_DEALERS = "SELECT pg_advisory_lock_shared(hashtext('fourcard dealers'), 0)"
"""A lock that every process with a dealer holds, so that they can be counted."""
COUNT_DEALERS = (
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND objid = 0 "
    "AND classid::bigint = hashtext('fourcard dealers') & 4294967295 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
TAKE_LEASES = (
    "SELECT name FROM unnest(%s::text[]) AS wanted (name) "
    "WHERE pg_try_advisory_lock(hashtextextended('fourcard table ' || name, 0)) LIMIT %s"
)
GIVE_BACK_LEASES = (
    "SELECT pg_advisory_unlock(hashtextextended('fourcard table ' || name, 0)) "
    "FROM unnest(%s::text[]) AS given (name)"
)
NOTIFY = "SELECT pg_notify(%s, %s)"
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


class ReadyNotice(msgspec.Struct, frozen=True):
    """Message between processes: a player is done betting, or (empty) a question who is."""

    table: str = ""
    player: str = ""
    number: int = 0


class AttemptNotice(msgspec.Struct, frozen=True):
    """Message between processes: a person's password is tried, or (not failed) it was right."""

    process: str
    """The sender, which has counted the attempt itself."""
    kind: PersonKind
    person: str
    failed: bool


class PostgresBus:
    """Bus over the database, with two sessions, each in its own thread."""

    def __init__(self, address: str) -> None:
        """Take the database address; nothing is opened yet."""
        url = make_url(address).set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._options = {key: value for key, value in CONNECTION_OPTIONS.items() if key not in url.query}
        self._closed, self._wake = threading.Event(), threading.Event()
        self._wanted: set[str] = set()
        self._leases: set[str] = set()
        self._checked_at = 0.0
        """When the leases were last checked."""
        self._counted = False
        """Whether the session counts as a dealer's."""
        self._outbox: deque[tuple[str, msgspec.Struct]] = deque(maxlen=MAX_QUEUED)
        """Messages to send, each with its channel."""
        self._process = secrets.token_hex(8)
        self._on_ready: OnReady | None = None
        self._threads: list[threading.Thread] = []

    def start(
        self, on_commit: OnCommit, on_ready: OnReady, on_revoked: OnRevoked, on_attempt: OnAttempt
    ) -> None:
        """Start listening, sending and holding leases."""
        self._on_ready = on_ready
        receivers: Receivers = {
            CHANNEL: partial(_receive_commit, on_commit),
            READY_CHANNEL: partial(_receive_ready, on_ready),
            REVOCATION_CHANNEL: partial(_receive_revocation, on_revoked),
            ATTEMPT_CHANNEL: partial(_receive_attempt, on_attempt, self._process),
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

    def attempt(self, kind: PersonKind, person: str, failed: bool) -> None:
        """Tell every other process that a person's password is tried."""
        self._send(ATTEMPT_CHANNEL, AttemptNotice(self._process, kind, person, failed))

    def _send(self, channel: str, notice: msgspec.Struct) -> None:
        """Send a message as soon as possible."""
        self._outbox.append((channel, notice))
        self._wake.set()

    def lease(self, table: str) -> bool:
        """Return whether this process holds the lease of a table; keep trying to get it."""
        if table not in self._wanted:
            self._wanted.add(table)
            self._wake.set()
        return table in self._leases and time.monotonic() - self._checked_at < LEASE_TRUST_SECONDS

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
        self._counted = False
        try:
            while not self._closed.is_set():
                self._beat(session)
                self._wake.wait(HEARTBEAT_SECONDS)
                self._wake.clear()
        finally:
            self._leases = set()

    def _beat(self, session: Session) -> None:
        """Check the session, take free leases, and send queued messages."""
        now = time.monotonic()
        session.execute("SELECT true")
        self._checked_at = now
        if self._wanted:
            self._balance(session, {*self._wanted})
        while self._outbox:
            channel, notice = self._outbox[0]
            session.execute(NOTIFY, (channel, msgspec.json.encode(notice).decode()))
            self._outbox.popleft()

    def _balance(self, session: Session, wanted: set[str]) -> None:
        """Take free leases up to this process's share, or give back those above it."""
        if not self._counted:
            session.execute(JOIN_DEALERS)
            self._counted = True
        (dealers,) = session.execute(COUNT_DEALERS).fetchone() or (1,)
        missing = math.ceil(len(wanted) / dealers) - len(self._leases)
        if missing > 0:
            free = session.execute(TAKE_LEASES, ([*(wanted - self._leases)], missing))
            self._leases |= {name for (name,) in free}
        elif missing < 0:
            given = sorted(self._leases)[missing:]
            self._leases -= {*given}
            session.execute(GIVE_BACK_LEASES, (given,))

    def _listen(self, on_commit: OnCommit, receivers: Receivers, session: Session) -> None:
        """Listen until the end; after a lost session anything may have been missed."""
        for channel in receivers:
            session.execute(f"LISTEN {channel}".encode())
        on_commit("", 0)
        session.execute(NOTIFY, (READY_CHANNEL, msgspec.json.encode(ReadyNotice()).decode()))
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


def _receive_attempt(on_attempt: OnAttempt, process: str, payload: str) -> None:
    notice = msgspec.json.decode(payload, type=AttemptNotice)
    if notice.process != process:
        on_attempt(notice.kind, notice.person, notice.failed)


def _receive_revocation(on_revoked: OnRevoked, payload: str) -> None:
    kind, _, person = payload.partition("/")
    on_revoked(safe_convert(kind, PersonKind), person)  # type: ignore[arg-type]

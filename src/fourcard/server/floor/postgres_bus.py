"""The bus of a house in PostgreSQL: commits are heard by LISTEN, a table's lease is a lock of a session.

A lease ends with its session, so that another process goes on where one has died. What a dealer does is done
upon the state that it was decided on or not at all: two that both believe to hold a lease do everything once.
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

from fourcard.house.store.postgres_session import CHANNEL
from fourcard.server.floor.bus import Heard, Readied

READY_CHANNEL = "fourcard_ready"
BEAT = 1.0
"""Seconds between two looks at the session that holds the leases."""
FRESH = 3.0
"""Seconds for which a lease is believed after the last look."""
MOST_SAID = 10_000
"""How much is kept to be said while the database cannot be reached."""
LOCK = "SELECT pg_try_advisory_lock(hashtext('fourcard table'), hashtext(%s))"
SAY = "SELECT pg_notify(%s, %s)"
CONNECTING: Mapping[str, Any] = {
    "application_name": "fourcard",
    "connect_timeout": 5,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
    "options": "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3",
}
"""A session ends soon after either end has gone without a word, and with it the leases."""
LOST = "What joins this process to the others was lost by %s, and is begun again."
_log = logging.getLogger(__name__)
Session = psycopg.Connection[Any]


class Readiness(msgspec.Struct, frozen=True):
    """That a player is content that bets close, as one process tells the others; or a question who is."""

    table: str = ""
    player: str = ""
    number: int = 0


class PostgresBus:
    """Hears and tells through the database, by two sessions of its own, each with its thread."""

    def __init__(self, address: str) -> None:
        """Take the address of the database; nothing is opened yet."""
        url = make_url(address).set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._details = {key: value for key, value in CONNECTING.items() if key not in url.query}
        self._closed, self._wake = threading.Event(), threading.Event()
        self._wanted: set[str] = set()
        self._held: set[str] = set()
        self._seen = 0.0
        """When the leases were last looked at."""
        self._said: deque[Readiness] = deque(maxlen=MOST_SAID)
        self._readied: Readied | None = None
        self._threads: list[threading.Thread] = []

    def start(self, heard: Heard, readied: Readied) -> None:
        """Begin to listen, to tell and to hold leases."""
        self._readied = readied
        for work in (partial(self._listen, heard, readied), self._tell):
            thread = threading.Thread(target=self._keep, args=(work,), name="fourcard-bus", daemon=True)
            self._threads.append(thread)
            thread.start()

    def ready(self, table: str, player: str, number: int) -> None:
        """Tell this process that a player is ready, and the others as soon as that can be."""
        if self._readied is not None:
            self._readied(table, player, number)
        self._said.append(Readiness(table, player, number))
        self._wake.set()

    def lease(self, table: str) -> bool:
        """Say whether this process minds a table, and want it from now on."""
        if table not in self._wanted:
            self._wanted.add(table)
            self._wake.set()
        return table in self._held and time.monotonic() - self._seen < FRESH

    def close(self) -> None:
        """Stop listening, and let every lease go."""
        self._closed.set()
        self._wake.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _session(self) -> Session:
        return psycopg.connect(self._address, autocommit=True, **self._details)

    def _keep(self, work: Callable[[Session], None]) -> None:
        """Work until the end, with a new session after whatever went wrong, which is logged once."""
        failed = ""
        while not self._closed.is_set():
            began = math.inf
            try:
                with self._session() as session:
                    began = time.monotonic()
                    work(session)
            except Exception as error:  # noqa: BLE001  who hears nothing any more would deal upon old states
                found = type(error).__name__
                if found != failed or time.monotonic() - began > FRESH:
                    _log.warning(LOST, found, exc_info=not isinstance(error, psycopg.Error))
                failed = found
                self._closed.wait(BEAT)

    def _tell(self, session: Session) -> None:
        """Hold leases and say what is to be said until the end; what a lost session held is lost."""
        try:
            while not self._closed.is_set():
                self._look(session)
                self._wake.wait(BEAT)
                self._wake.clear()
        finally:
            self._held = set()

    def _look(self, session: Session) -> None:
        """Find the session alive, take what nobody holds, and say what waits to be said."""
        now = time.monotonic()
        session.execute("SELECT true")
        self._seen = now
        for table in self._wanted - self._held:
            found = session.execute(LOCK, (table,)).fetchone()
            if found is not None and found[0]:
                self._held.add(table)
        while self._said:
            session.execute(SAY, (READY_CHANNEL, msgspec.json.encode(self._said[0]).decode()))
            self._said.popleft()

    def _listen(self, heard: Heard, readied: Readied, session: Session) -> None:
        """Hear until the end; after a session was lost, anything may have been missed."""
        session.execute(f"LISTEN {CHANNEL}".encode())
        session.execute(f"LISTEN {READY_CHANNEL}".encode())
        heard("", 0)
        session.execute(SAY, (READY_CHANNEL, msgspec.json.encode(Readiness()).decode()))
        self._hear(session, heard, readied)

    def _hear(self, session: Session, heard: Heard, readied: Readied) -> None:
        while not self._closed.is_set():
            for notice in session.notifies(timeout=BEAT / 2, stop_after=1):
                try:
                    _take(notice, heard, readied)
                except (ValueError, msgspec.MsgspecError):
                    _log.warning("Something was said to this house that cannot be read.")


def _take(notice: psycopg.Notify, heard: Heard, readied: Readied) -> None:
    if notice.channel == CHANNEL:
        stream, _, sequence = notice.payload.rpartition(" ")
        heard(stream, int(sequence))
    else:
        said = msgspec.json.decode(notice.payload, type=Readiness)
        readied(said.table, said.player, said.number)

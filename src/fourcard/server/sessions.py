"""Sessions: who has signed in, kept in memory, so that a request of a known session reads no database.

A session is dropped as soon as this process hears that it has ended: from its own commits at once, from other
processes through the bus. Should such a message be lost, the store is read again within `MAX_AGE`.
"""

from collections.abc import Iterable
from itertools import islice
from threading import Lock

import msgspec

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import PersonKind
from fourcard.house.house import House

MAX_AGE = 5_000
"""Milliseconds for which a session is believed after it was read."""
RECHECK_SECONDS = 2.0
"""Seconds between two readings of the sessions in use, so that their requests need not wait for one."""
MAX_SESSIONS = 10_000
"""How many sessions are kept; those unused for longest are dropped first."""


class Session(msgspec.Struct):
    """A valid sign-in as it was last read."""

    actor: Actor
    ends: int
    read_at: int
    epoch: int
    """How often `Sessions.distrust` had been called before it was read."""
    used: bool = True
    """Whether it was used since it was read."""


class Sessions:
    """The sessions that one process knows; every method can be called from any thread."""

    def __init__(self, house: House) -> None:
        """Start without sessions."""
        self._house, self._clock = house, house.clock
        self._lock = Lock()
        self._sessions: dict[str, Session] = {}
        """By token hash, those unused for longest first."""
        self._epoch = self._forgotten = 0

    def last_known(self, key: str) -> Actor | None:
        """Return the person of a token hash when it was last read; the session may have ended since."""
        found = self._sessions.get(key)
        return None if found is None else found.actor

    def current(self, key: str) -> Actor | None:
        """Return the person of a token hash if memory is enough to tell, or None."""
        found, now = self._sessions.get(key), self._clock.now()
        if found is None or found.epoch != self._epoch or not 0 <= now - found.read_at < MAX_AGE:
            return None
        found.used = True
        return found.actor if now < found.ends else None

    def read(self, key: str) -> Actor | None:
        """Return the person of a token hash as the store tells it now, and keep the session.

        It is not kept if somebody's sign-ins ended meanwhile, which could be this one.
        """
        forgotten = self._forgotten
        found = self._read([key]).get(key)
        with self._lock:
            self._sessions.pop(key, None)
            if found is not None and forgotten == self._forgotten:
                self._sessions[key] = found
                for oldest in tuple(islice(self._sessions, max(0, len(self._sessions) - MAX_SESSIONS))):
                    del self._sessions[oldest]
        return None if found is None else found.actor

    def recheck(self) -> None:
        """Read the sessions in use again; a server calls it every few seconds."""
        with self._lock:
            used = {key: each for key, each in self._sessions.items() if each.used}
        found = self._read(used) if used else {}
        with self._lock:
            for key, before in used.items():
                if self._sessions.get(key) is before:
                    del self._sessions[key]
                    if key in found:
                        found[key].used = False
                        self._sessions[key] = found[key]

    def _read(self, keys: Iterable[str]) -> dict[str, Session]:
        """Return the valid ones of some sessions from the store."""
        epoch, now = self._epoch, self._clock.now()
        tokens = self._house.sign_in.valid_tokens(keys)
        actors = self._house.holders(tokens)
        return {key: Session(actor, tokens[key].ends, now, epoch) for key, actor in actors.items()}

    def forget(self, kind: PersonKind, person: str) -> None:
        """Drop every session of a person, whose sign-ins have ended."""
        with self._lock:
            self._forgotten += 1
            for key, each in tuple(self._sessions.items()):
                if (each.actor.kind, each.actor.person) == (kind, person):
                    del self._sessions[key]

    def distrust(self) -> None:
        """Have every session read again before its next use: roles may have changed."""
        with self._lock:
            self._epoch += 1

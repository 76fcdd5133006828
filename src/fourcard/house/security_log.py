"""Security log: refused permissions and sign-ins, with a limit on stored notes.

It is separate from the journal, because a table's stream holds only what happened at the table.
"""

import logging
from collections import Counter
from threading import Lock

import msgspec

from fourcard.house.actors import legible
from fourcard.house.ports import Clock
from fourcard.house.store.contract import SecurityNote, Store

MINUTE = 60_000
MOST_A_MINUTE = 60
"""Notes stored in a minute by all people together; the summary is extra."""
MOST_BY_ONE = 10
"""Notes stored in a minute by one person, so nobody can hide another person's notes."""
MOST_REMEMBERED = 1_024
"""Different notes remembered to count repeats."""
LONGEST_REASON = 200
SUMMARY = ("security log", "notes left out")
Key = tuple[str, str, str]

logger = logging.getLogger("fourcard.security")


class _Seen(msgspec.Struct):
    """When a note was stored, and how often it was repeated since."""

    at: int
    repeated: int = 0


class SecurityLog:
    """Stores each kind of note once a minute, up to a limit a minute, and counts the others."""

    def __init__(self, store: Store, clock: Clock, most_a_minute: int = MOST_A_MINUTE) -> None:
        """Take the store, the clock, and the limit of notes a minute."""
        self._store, self._clock, self._most = store, clock, most_a_minute
        self._lock = Lock()
        self._seen: dict[Key, _Seen] = {}
        self._minute, self._stored, self._left_out = 0, Counter[str](), 0

    def note(self, by: str, what: str, reason: str) -> None:
        """Write or count a note; it never raises an error."""
        key = (legible(by), legible(what), legible(reason, LONGEST_REASON))
        with self._lock:
            notes = self._due(key, self._clock.now())
        self._keep(notes)

    def flush(self) -> None:
        """Store the number of notes left out so far, for example before the house closes."""
        with self._lock:
            self._left_out += sum(seen.repeated for seen in self._seen.values())
            self._seen.clear()
            notes = self._summary(self._clock.now())
        self._keep(notes)

    def _due(self, key: Key, now: int) -> list[SecurityNote]:
        """Return the notes to store now, and count the others."""
        seen = self._seen.get(key)
        if seen is not None and _within_a_minute(seen.at, now):
            seen.repeated += 1
            return []
        notes = []
        if not _within_a_minute(self._minute, now):
            self._minute = now
            self._stored.clear()
            notes = self._summary(now)
        if self._stored[key[0]] >= MOST_BY_ONE or self._stored.total() >= self._most:
            self._left_out += 1
            return notes
        self._stored[key[0]] += 1
        self._remember(key, now)
        return [*notes, SecurityNote(now, *key, repeated=seen.repeated if seen is not None else 0)]

    def _summary(self, now: int) -> list[SecurityNote]:
        left_out, self._left_out = self._left_out, 0
        return [SecurityNote(now, "", *SUMMARY, repeated=left_out)] if left_out else []

    def _remember(self, key: Key, now: int) -> None:
        """Remember a note as the newest, and forget the oldest ones except their count."""
        self._seen.pop(key, None)
        while len(self._seen) >= MOST_REMEMBERED:
            oldest = next(iter(self._seen))
            self._left_out += self._seen.pop(oldest).repeated
        self._seen[key] = _Seen(now)

    def _keep(self, notes: list[SecurityNote]) -> None:
        """Store notes; a failure is logged, and the notes count as left out."""
        if not notes:
            return
        try:
            with self._store.writing() as writing:
                for note in notes:
                    writing.note_security(note)
        except Exception:
            logger.exception("%d notes of the security log could not be stored", len(notes))
            with self._lock:
                self._left_out += sum(note.repeated + (note.what != SUMMARY[0]) for note in notes)


def _within_a_minute(then: int, now: int) -> bool:
    """Say whether two times are within a minute, in either direction."""
    return abs(now - then) < MINUTE

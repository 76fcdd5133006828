"""The security log: what was refused for want of permission, and who signed in; bounded whatever comes.

It stands beside the journal: a table's stream holds what happened at the table, and nothing that did not.
"""

import logging
from collections import Counter
from dataclasses import dataclass
from threading import Lock

from fourcard.house.actors import legible
from fourcard.house.ports import Clock
from fourcard.house.store.contract import SecurityNote, Store

MINUTE = 60_000
MOST_A_MINUTE = 60
"""How many notes are stored in a minute, whoever they are about; the summary comes on top."""
MOST_BY_ONE = 10
"""How many of them are about one person, so that nobody's noise hides what becomes of another."""
MOST_REMEMBERED = 1_024
"""How many different notes are remembered in order to count what repeats them."""
LONGEST_REASON = 200
SUMMARY = ("security log", "notes left out")
Key = tuple[str, str, str]

logger = logging.getLogger("fourcard.security")


@dataclass(slots=True)
class _Seen:
    """When a note was stored, and how often the same has come since."""

    at: int
    repeated: int = 0


class SecurityLog:
    """Stores notes, of the same kind one a minute and altogether some a minute, and counts the others."""

    def __init__(self, store: Store, clock: Clock, most_a_minute: int = MOST_A_MINUTE) -> None:
        """Take where notes are stored, the clock, and how many are stored in a minute."""
        self._store, self._clock, self._most = store, clock, most_a_minute
        self._lock = Lock()
        self._seen: dict[Key, _Seen] = {}
        self._minute, self._stored, self._left_out = 0, Counter[str](), 0

    def note(self, by: str, what: str, reason: str) -> None:
        """Note something, or count it; nothing that goes wrong in here comes out."""
        key = (legible(by), legible(what), legible(reason, LONGEST_REASON))
        with self._lock:
            notes = self._due(key, self._clock.now())
        self._keep(notes)

    def flush(self) -> None:
        """Store how many notes were left out and counted so far, as before the house closes."""
        with self._lock:
            self._left_out += sum(seen.repeated for seen in self._seen.values())
            self._seen.clear()
            notes = self._summary(self._clock.now())
        self._keep(notes)

    def _due(self, key: Key, now: int) -> list[SecurityNote]:
        """Return what has to be stored now, having counted what has not."""
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
        """Remember a note as the newest, and forget the oldest ones but for their count."""
        self._seen.pop(key, None)
        while len(self._seen) >= MOST_REMEMBERED:
            oldest = next(iter(self._seen))
            self._left_out += self._seen.pop(oldest).repeated
        self._seen[key] = _Seen(now)

    def _keep(self, notes: list[SecurityNote]) -> None:
        """Store notes; where that fails the process's own log says so, and they count as left out."""
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
    """Say whether two moments are close, whichever way a clock was set between them."""
    return abs(now - then) < MINUTE

"""Security stream: who has which password, who is signed in, and the security log.

Its events are chained and signed like those of every other stream. The database stores password hashes in a
table of their own, and the stream only their digests: a hash that was changed there opens nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec

from fourcard.house.clock_entropy import Clock, Entropy
from fourcard.house.commands import PersonKind
from fourcard.house.events import (
    PasswordStored,
    SecurityEvent,
    SecurityNoted,
    SignInIssued,
    SignInsEnded,
)
from fourcard.house.journal import SECURITY_CODEC, StreamHead
from fourcard.house.store.interface import ReadTransaction, Store, WriteTransaction

SECURITY = "security"
"""The name of the stream."""


class Token(msgspec.Struct, frozen=True, gc=False):
    """A sign-in that has not ended; only the hash of its token is known."""

    hash: str
    kind: PersonKind
    person: str
    issued: int
    ends: int


class SecurityNote(msgspec.Struct, frozen=True):
    """A refused permission, or a sign-in."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int = 0
    """How often the same note was left out since the one before."""


class SecurityState(msgspec.Struct, frozen=True):
    """Passwords and sign-ins after an event."""

    passwords: Mapping[str, str] = {}
    """The digest of each stored password hash, by kind and person."""
    tokens: Mapping[str, Token] = {}
    """The sign-ins that have not ended, by the hash of their token."""

    def password(self, kind: PersonKind, person: str) -> str:
        """Return the digest of a person's password hash; empty if there is none."""
        return self.passwords.get(person_key(kind, person), "")

    def tokens_of(self, kind: PersonKind, person: str) -> list[str]:
        """Return the token hashes of a person's sign-ins that have not ended."""
        return [hash_ for hash_, each in self.tokens.items() if (each.kind, each.person) == (kind, person)]


def person_key(kind: str, person: str) -> str:
    """Return the key of a person."""
    return f"{kind}/{person}"


def password_digest(stored: str) -> str:
    """Return the digest of a stored password hash; empty for a person who cannot sign in."""
    return sha256(stored.encode("utf-8", "surrogatepass")).hexdigest() if stored else ""


def evolve(state: SecurityState, event: SecurityEvent) -> SecurityState:
    """Return the state after an event; a new sign-in drops those whose time is over."""
    if isinstance(event, SecurityNoted):
        return state
    if isinstance(event, PasswordStored):
        key = person_key(event.person_kind, event.person)
        return SecurityState({**state.passwords, key: event.digest}, state.tokens)
    tokens: dict[str, Token]
    if isinstance(event, SignInIssued):
        tokens = {hash_: each for hash_, each in state.tokens.items() if each.ends > event.issued}
        tokens[event.token] = Token(event.token, event.person_kind, event.person, event.issued, event.ends)
    else:
        ended = [event.token] if event.token else state.tokens_of(event.person_kind, event.person)
        tokens = {hash_: each for hash_, each in state.tokens.items() if hash_ not in ended}
    return SecurityState(state.passwords, tokens)


def end_sign_ins(state: SecurityState, kind: PersonKind, person: str) -> list[SecurityEvent]:
    """Return the event that ends every sign-in of a person, if there is one."""
    return [SignInsEnded(kind, person)] if state.tokens_of(kind, person) else []


def new_password(state: SecurityState, kind: PersonKind, person: str, stored: str) -> list[SecurityEvent]:
    """Return what a new password hash, or the loss of one, leads to."""
    return [PasswordStored(kind, person, password_digest(stored)), *end_sign_ins(state, kind, person)]


DecideSecurity = Callable[[SecurityState, WriteTransaction], Sequence[SecurityEvent]]
"""Returns events on the newest state, and writes what belongs to them in the same transaction."""


class SecurityJournal(Protocol):
    """Reads and writes the security stream of a house."""

    store: Store
    clock: Clock
    entropy: Entropy

    def security_state(self) -> SecurityState:
        """Return the newest committed state."""
        ...

    def append_security(self, decide: DecideSecurity) -> None:
        """Append the events that are decided on the newest state."""
        ...


def security_notes(reading: ReadTransaction, last: int = 100) -> list[SecurityNote]:
    """Return the newest notes of the security log, the newest first."""
    span, end = max(last, 1), reading.streams([SECURITY]).get(SECURITY, StreamHead()).sequence
    while True:
        notes = [
            SecurityNote(record.at, event.by, event.what, event.reason, event.repeated)
            for record in reading.events(SECURITY, max(0, end - span))
            if isinstance(event := SECURITY_CODEC.decode(record), SecurityNoted)
        ]
        if len(notes) >= last or span >= end:
            return notes[::-1][:last]
        span *= 4

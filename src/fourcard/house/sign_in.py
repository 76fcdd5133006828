"""Sign-in: passwords, lockouts and session tokens; only hashes are stored."""

import math
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

import msgspec
from msgspec.structs import replace

from fourcard.house.actors import CONSOLE
from fourcard.house.commands import is_name
from fourcard.house.passwords import NO_PASSWORD, SAFE, Passwords, Profile, weakness
from fourcard.house.ports import Clock, Entropy
from fourcard.house.security_log import SecurityLog
from fourcard.house.store.contract import Credential, PersonKind, Store, StoreError, Token
from fourcard.refusals import Code, Refusal, refuse

SECOND = 1_000
MINUTE = 60_000
TOKEN_BYTES = 32
TOKEN_LENGTH = 43
"""Characters of 32 bytes in URL-safe Base64, without padding."""
MOST_REMEMBERED = 10_000
"""Names and tokens kept in memory."""
UNKNOWN = "(unknown)"
"""Stands for an unknown name in the log: people type passwords into the name field."""
Name = tuple[PersonKind, str]
Keep = Callable[[Credential], None]


class Terms(msgspec.Struct, frozen=True):
    """Time limits in milliseconds, and the number of failures that lock a name."""

    lifetime: int = 12 * 60 * MINUTE
    failures: int = 5
    window: int = 15 * MINUTE
    lock: int = 15 * MINUTE
    recheck: int = SECOND
    """How long a token is trusted without a check whether another process revoked it."""
    cost: Profile = SAFE
    """The cost of a password hash."""


class _Tries(msgspec.Struct):
    """The failures of one name, and when they locked it."""

    failed: list[int] = []
    locked: int | None = None


class Attempts:
    """Counts failed sign-ins by name; an attempt counts as failed until it succeeds."""

    def __init__(self, terms: Terms) -> None:
        """Start empty."""
        self._terms, self._lock = terms, Lock()
        self._tries: dict[Name, _Tries] = {}

    def begin(self, name: Name, now: int) -> int:
        """Count an attempt and return 0, or return how long the name is still locked."""
        with self._lock:
            tries = self._tries.pop(name, None) or _Tries()
            self._make_room(now)
            self._tries[name] = tries
            if tries.locked is not None and self._lasts(tries.locked, now, self._terms.lock):
                return min(self._terms.lock, tries.locked + self._terms.lock - now)
            kept = [] if tries.locked is not None else tries.failed
            tries.failed = [*(at for at in kept if self._lasts(at, now, self._terms.window)), now]
            tries.locked = now if len(tries.failed) >= self._terms.failures else None
            return 0

    def forget(self, name: Name) -> None:
        """Forget the failures of a name."""
        with self._lock:
            self._tries.pop(name, None)

    def _make_room(self, now: int) -> None:
        """Forget expired failures if there are too many names, then the names unused for longest.

        A tenth goes at once, so a flood of names is cheap. Locked names go last.
        """
        if len(self._tries) < MOST_REMEMBERED:
            return
        longest = max(self._terms.window, self._terms.lock)
        tries = {
            name: each for name, each in self._tries.items() if self._lasts(each.failed[-1], now, longest)
        }
        if len(tries) >= MOST_REMEMBERED:
            free = [name for name, each in tries.items() if each.locked is None] or [*tries]
            for name in free[: MOST_REMEMBERED // 10]:
                del tries[name]
        self._tries = tries

    @staticmethod
    def _lasts(since: int, now: int, span: int) -> bool:
        """Say whether a time span still lasts, even if the clock was set back."""
        return abs(now - since) < span


class _Held(msgspec.Struct, frozen=True):
    """A token that was recently checked in the store."""

    name: Name
    ends: int
    checked: int


class SignIn:
    """Issues tokens for passwords, and returns the person of a token."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        log: SecurityLog | None = None,
        terms: Terms | None = None,
    ) -> None:
        """Take store, clock and entropy; log and policy have defaults."""
        self._store, self._clock, self._entropy = store, clock, entropy
        self._log, self._terms = log or SecurityLog(store, clock), terms or Terms()
        self._passwords = Passwords(entropy, self._terms.cost)
        self._attempts = Attempts(self._terms)
        self._lock, self._held, self._revocations = Lock(), dict[str, _Held](), 0

    def set_password(
        self, kind: PersonKind, person: str, password: str, keep: Keep | None = None
    ) -> Refusal | None:
        """Set a person's password, and end every sign-in.

        A house that notes it in its journal passes ``keep`` to store it in the same commit.
        """
        console = kind == "staff" and person == CONSOLE
        refusal = refuse(Code.CONSOLE_PASSWORD) if console else weakness(person, password)
        if refusal is None:
            (keep or self._keep)(Credential(kind, person, self._passwords.hash(password)))
            self._believe_anew(kind, person)
            self._log.note(person, f"{kind} password", "set")
        return refusal

    def forget(self, kind: PersonKind, person: str) -> None:
        """Delete a person's password and end every sign-in, for example after a dismissal."""
        self._keep(Credential(kind, person, NO_PASSWORD))
        self._believe_anew(kind, person)
        self._log.note(person, f"{kind} password", "taken away")

    def sign_in(self, kind: PersonKind, person: str, password: str) -> str | Refusal:
        """Return a new token for the right password; a refusal is the same for every name."""
        name, now = (kind, person if is_name(person) else ""), self._clock.now()
        credential = self._credential(name)
        by, what = person if credential is not None else UNKNOWN, f"{kind} sign-in"
        wait = self._attempts.begin(name, now)
        if wait:
            self._log.note(by, what, "locked")
            return refuse(Code.SIGN_IN_LOCKED, wait=_minutes(wait))
        try:
            token = self._token_for(name, credential, password, now)
        except StoreError:
            self._attempts.forget(name)
            raise
        if token is None:
            self._log.note(by, what, "failed")
            return refuse(Code.SIGN_IN_FAILED)
        self._attempts.forget(name)
        self._log.note(by, what, "succeeded")
        return token

    def admit(self, kind: PersonKind, person: str, lifetime: int | None = None) -> str:
        """Return a new token for a person who used a link of this machine, without a password."""
        token, now = self._drawn(), self._clock.now()
        ends = now + (self._terms.lifetime if lifetime is None else lifetime)
        with self._store.writing() as writing:
            writing.put_token(Token(_digest(token), kind, person, issued=now, ends=ends))
        self._log.note(person, f"{kind} sign-in", "by link")
        return token

    def _drawn(self) -> str:
        return urlsafe_b64encode(self._entropy.draw(TOKEN_BYTES)).rstrip(b"=").decode()

    def who(self, token: str) -> Name | Refusal:
        """Return the person of a token, or refuse an unknown, expired or revoked one."""
        key, now = _digest(token), self._clock.now()
        held = self._held.get(key)
        if held is None or not 0 <= now - held.checked < self._terms.recheck:
            held = self._looked_up(key, now)
        return held.name if held is not None and now < held.ends else refuse(Code.TOKEN_INVALID)

    def revoke(self, token: str) -> bool:
        """End one sign-in, and say whether it was valid until now."""
        key, now = _digest(token), self._clock.now()
        with self._store.writing() as writing:
            kept = writing.token(key)
            holds = kept is not None and not kept.revoked and now < kept.ends
            if kept is not None and holds:
                writing.put_token(replace(kept, revoked=max(now, 1)))
        self._drop_held()
        return holds

    def is_signed_in(self, kind: PersonKind, person: str) -> bool:
        """Say whether a person has any valid sign-in."""
        now = self._clock.now()
        with self._store.reading() as reading:
            own = [each for each in reading.tokens() if (each.kind, each.person) == (kind, person)]
        return any(not each.revoked and now < each.ends for each in own)

    def revoke_all(self, kind: PersonKind, person: str) -> int:
        """End every sign-in of a person, and return how many there were."""
        with self._store.writing() as writing:
            count = writing.revoke_tokens(kind, person, max(self._clock.now(), 1))
        self._drop_held()
        return count

    def _keep(self, credential: Credential) -> None:
        with self._store.writing() as writing:
            writing.put_credential(credential)
            writing.revoke_tokens(credential.kind, credential.person, max(self._clock.now(), 1))

    def _believe_anew(self, kind: PersonKind, person: str) -> None:
        """Forget cached tokens, and failures with the old password."""
        self._drop_held()
        self._attempts.forget((kind, person))

    def _credential(self, name: Name) -> Credential | None:
        if not name[1]:
            return None
        with self._store.reading() as reading:
            return reading.credential(*name)

    def _token_for(self, name: Name, credential: Credential | None, password: str, now: int) -> str | None:
        """Return a new token, or None for a wrong password; try again if it was changed meanwhile."""
        if not self._passwords.verify(credential.password if credential else None, password):
            return None
        assert credential is not None
        stale = self._passwords.is_stale(credential.password)
        renewed = replace(credential, password=self._passwords.hash(password)) if stale else None
        token = self._drawn()
        with self._store.writing() as writing:
            current = writing.credential(*name)
            if current == credential:
                ends = now + self._terms.lifetime
                writing.put_token(Token(_digest(token), *name, issued=now, ends=ends))
                if renewed is not None:
                    writing.put_credential(renewed)
                return token
        return self._token_for(name, current, password, now)

    def _looked_up(self, key: str, now: int) -> _Held | None:
        """Read a token from the store; the result is cached unless something was revoked meanwhile."""
        revocations = self._revocations
        with self._store.reading() as reading:
            kept = reading.token(key)
        found = _Held((kept.kind, kept.person), kept.ends, now) if kept and not kept.revoked else None
        with self._lock:
            self._held.pop(key, None)
            if found is not None and revocations == self._revocations:
                if len(self._held) >= MOST_REMEMBERED:
                    self._held.clear()
                self._held[key] = found
        return found

    def _drop_held(self) -> None:
        """Forget all cached tokens, including those being read."""
        with self._lock:
            self._revocations += 1
            self._held.clear()


def _digest(token: str) -> str:
    """Return the stored hash of a token; an invalid token has the hash of nothing."""
    plausible = len(token) == TOKEN_LENGTH and token.isascii()
    return sha256(token.encode() if plausible else b"").hexdigest()


def _minutes(span: int) -> str:
    count = math.ceil(span / MINUTE)
    return "1 minute" if count == 1 else f"{count} minutes"

"""Sign-in: passwords, lockouts, session tokens and the security log; only hashes are stored."""

import logging
import math
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from threading import BoundedSemaphore, Lock
from typing import Literal

import msgspec
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION
from msgspec.structs import replace

from fourcard.house.auth.identity import CONSOLE, printable
from fourcard.house.auth.security import (
    SecurityJournal,
    SecurityState,
    Token,
    new_password,
    password_digest,
)
from fourcard.house.clock_entropy import Entropy
from fourcard.house.commands import PersonKind, is_name
from fourcard.house.events import PasswordStored, SecurityEvent, SecurityNoted, SignInIssued, SignInsEnded
from fourcard.house.store.interface import Credential, StoreError, WriteTransaction
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse

SHORTEST_PASSWORD = 12
MAX_PASSWORD_LENGTH = 256
"""Longest password in characters, so a sender cannot make a sign-in arbitrarily expensive."""
SALT_BYTES = 16
MAX_HASHES_AT_ONCE = 4
"""Hashes computed in parallel, so a crowd of sign-ins does not take all memory."""


class HashCost(msgspec.Struct, frozen=True):
    """The cost of a hash: passes over the memory, KiB of memory, and parallel lanes."""

    passes: int
    memory: int
    lanes: int


SAFE_COST = HashCost(passes=3, memory=65_536, lanes=4)
"""RFC 9106's recommendation for little memory: 64 MiB."""
TEST_COST = HashCost(passes=1, memory=8, lanes=1)
"""For tests and simulations only: it protects nothing."""
ALTERED_PASSWORD = "The stored password of %s %s is not the one that was set; nobody can sign in with it."
CREDENTIAL_READS = 3
"""How often a password is read before it counts as altered: it may be changed right then."""
NO_PASSWORD = ""
"""Stored instead of a hash for a person who cannot sign in."""


class PasswordHashes:
    """Hashes and verifies passwords with Argon2id."""

    def __init__(self, entropy: Entropy, profile: HashCost = SAFE_COST) -> None:
        """Take the entropy for salts, and the cost of a hash."""
        self._entropy = entropy
        self._hasher = PasswordHasher(
            time_cost=profile.passes,
            memory_cost=profile.memory,
            parallelism=profile.lanes,
            salt_len=SALT_BYTES,
            type=Type.ID,
        )
        self._at_once = BoundedSemaphore(MAX_HASHES_AT_ONCE)
        self._nobody = self._hash_of_no_password(profile)

    def _hash_of_no_password(self, profile: HashCost) -> str:
        """Return a hash with drawn bytes for its digest; it takes as long to verify as a computed one."""
        digest = sha256(self._entropy.draw(SHORTEST_PASSWORD)).digest()
        salt, digest_text = _unpadded(self._entropy.draw(SALT_BYTES)), _unpadded(digest)
        cost = f"m={profile.memory},t={profile.passes},p={profile.lanes}"
        return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${digest_text}"

    def hash(self, password: str) -> str:
        """Return the hash of a password."""
        with self._at_once:
            return self._hasher.hash(_password_bytes(password), salt=self._entropy.draw(SALT_BYTES))

    def verify(self, kept: str | None, password: str) -> bool:
        """Say whether a password matches its hash; a person without one takes just as long."""
        if len(password) > MAX_PASSWORD_LENGTH:
            return False
        try:
            with self._at_once:
                self._hasher.verify(kept or self._nobody, _password_bytes(password))
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    def is_stale(self, kept: str) -> bool:
        """Say whether a hash was made at another cost, and should be renewed."""
        return self._hasher.check_needs_rehash(kept)


def password_refusal(person: str, password: str) -> Refusal | None:
    """Return why a password is too weak for a person, or None."""
    reason = _weakness(person, password)
    return refuse(Code.PASSWORD_WEAK, reason=reason) if reason is not None else None


def _weakness(person: str, password: str) -> str | None:
    plain = unicodedata.normalize("NFKC", password)
    if len(password) > MAX_PASSWORD_LENGTH or len(plain) > MAX_PASSWORD_LENGTH:
        return f"it has more than {MAX_PASSWORD_LENGTH} characters"
    if len(plain) < SHORTEST_PASSWORD:
        return f"it has fewer than {SHORTEST_PASSWORD} characters"
    if any(0xD800 <= ord(char) <= 0xDFFF for char in plain):
        return "it is not text"
    folded = plain.casefold()
    if len({*folded}) == 1:
        return "it is one character, repeated"
    if not folded.replace(person.casefold(), "").strip():
        return "it is the name"
    return None


def _unpadded(data: bytes) -> str:
    """Return bytes as a hash of Argon2 encodes them."""
    return b64encode(data).rstrip(b"=").decode("ascii")


def _password_bytes(password: str) -> bytes:
    """Return a password's bytes, the same for the same characters on every keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


MINUTE = 60_000
MAX_PER_MINUTE = 60
"""Notes stored in a minute by all people together; the summary is extra."""
MAX_BY_ONE = 10
"""Notes stored in a minute by one person, so nobody can hide another person's notes."""
MAX_REPEATS_REMEMBERED = 1_024
"""Different notes remembered to count repeats."""
MAX_REASON_LENGTH = 200
SUMMARY = ("security log", "notes left out")
NoteKey = tuple[str, str, str]

logger = logging.getLogger("fourcard.security")


class _RepeatedNote(msgspec.Struct):
    """When a note was stored, and how often it was repeated since."""

    at: int
    repeated: int = 0


class SecurityLog:
    """Stores each kind of note once a minute, up to a limit a minute, and counts the others."""

    def __init__(self, journal: SecurityJournal, most_a_minute: int = MAX_PER_MINUTE) -> None:
        """Take what writes the security stream, and the limit of notes a minute."""
        self._journal, self._clock, self._most = journal, journal.clock, most_a_minute
        self._lock = Lock()
        self._seen: dict[NoteKey, _RepeatedNote] = {}
        self._minute, self._stored, self._left_out = 0, Counter[str](), 0

    def note(self, by: str, what: str, reason: str) -> None:
        """Write or count a note; it never raises an error."""
        key = (printable(by), printable(what), printable(reason, MAX_REASON_LENGTH))
        with self._lock:
            notes = self._notes_to_store(key, self._clock.now())
        self._store_notes(notes)

    def flush(self) -> None:
        """Store the number of notes left out so far, for example before the house closes."""
        with self._lock:
            self._left_out += sum(seen.repeated for seen in self._seen.values())
            self._seen.clear()
            notes = self._summary()
        self._store_notes(notes)

    def _notes_to_store(self, key: NoteKey, now: int) -> list[SecurityNoted]:
        """Return the notes to store now, and count the others."""
        seen = self._seen.get(key)
        if seen is not None and _within_a_minute(seen.at, now):
            seen.repeated += 1
            return []
        notes = []
        if not _within_a_minute(self._minute, now):
            self._minute = now
            self._stored.clear()
            notes = self._summary()
        if self._stored[key[0]] >= MAX_BY_ONE or self._stored.total() >= self._most:
            self._left_out += 1
            return notes
        self._stored[key[0]] += 1
        self._remember(key, now)
        return [*notes, SecurityNoted(*key, repeated=seen.repeated if seen is not None else 0)]

    def _summary(self) -> list[SecurityNoted]:
        left_out, self._left_out = self._left_out, 0
        return [SecurityNoted("", *SUMMARY, repeated=left_out)] if left_out else []

    def _remember(self, key: NoteKey, now: int) -> None:
        """Remember a note as the newest, and forget the oldest ones except their count."""
        self._seen.pop(key, None)
        while len(self._seen) >= MAX_REPEATS_REMEMBERED:
            oldest = next(iter(self._seen))
            self._left_out += self._seen.pop(oldest).repeated
        self._seen[key] = _RepeatedNote(now)

    def _store_notes(self, notes: list[SecurityNoted]) -> None:
        """Store notes; a failure is logged, and the notes count as left out."""
        if not notes:
            return
        try:
            self._journal.append_security(lambda _state, _writing: notes)
        except Exception:
            logger.exception("%d notes of the security log could not be stored", len(notes))
            with self._lock:
                self._left_out += sum(note.repeated + (note.what != SUMMARY[0]) for note in notes)


def _within_a_minute(then: int, now: int) -> bool:
    """Say whether two times are within a minute, in either direction."""
    return abs(now - then) < MINUTE


TOKEN_BYTES = 32
TOKEN_LENGTH = 43
"""Characters of 32 bytes in URL-safe Base64, without padding."""
MAX_REMEMBERED = 10_000
"""Names, and names with an address, kept in memory."""
MAX_KNOWN_ADDRESSES = 8
"""Addresses remembered for one name, from which it has signed in."""
UNKNOWN = "(unknown)"
"""Stands for an unknown name in the log: people type passwords into the name field."""
PersonName = tuple[PersonKind, str]
SignInSource = tuple[PersonKind, str, str]
"""A name and the address that tries it; the command line has an empty address."""
AttemptOutcome = Literal["tried", "right", "forgiven", "reset"]
"""An attempt that counts as failed; a right password; no fault of the person; a new password."""
StoreCredential = Callable[[Credential], None]
RevocationListener = Callable[[PersonKind, str], None]
AttemptListener = Callable[[PersonKind, str, str, AttemptOutcome], None]
"""Called with a person whose password is tried, the address that tries it, and what came of it."""


class AuthPolicy(msgspec.Struct, frozen=True):
    """Time limits in milliseconds, and the number of failures that lock or slow a name."""

    lifetime: int = 12 * 60 * MINUTE
    failures: int = 5
    """Failures of a name from one address that lock it for that address."""
    window: int = 15 * MINUTE
    lock: int = 15 * MINUTE
    name_failures: int = 50
    """Failures of a name from all addresses after which it is slowed for addresses that it does not know."""
    name_pause: int = MINUTE // 2
    """Time between two attempts of a name that is slowed."""
    cost: HashCost = SAFE_COST
    """The cost of a password hash."""


class _Failures(msgspec.Struct):
    """The failures of one name from one address, and when they locked it."""

    failed: list[int] = []
    locked: int | None = None


class _NameHistory(msgspec.Struct):
    """What is known of one name: a bucket of failures that empties slowly, and its own addresses."""

    level: float = 0.0
    at: int = 0
    known: list[str] = []
    """Addresses from which the right password came, the last one at the end."""


class Attempts:
    """Counts failed sign-ins by name and address; an attempt counts as failed until it succeeds.

    One address locks a name for itself only. Attempts from many addresses slow the name down for all but
    those from which it has signed in before, so that nobody can lock a person out.
    """

    def __init__(self, terms: AuthPolicy) -> None:
        """Start empty."""
        self._terms, self._lock = terms, Lock()
        self._failures: dict[SignInSource, _Failures] = {}
        self._names: dict[PersonName, _NameHistory] = {}

    def begin(self, name: PersonName, now: int, address: str = "") -> int:
        """Count an attempt and return 0, or return how long the name is still locked or slowed."""
        with self._lock:
            tries = self._tries((*name, address), now)
            if tries.locked is not None and self._lasts(tries.locked, now, self._terms.lock):
                return min(self._terms.lock, tries.locked + self._terms.lock - now)
            wait = self._fill(name, now, address)
            if wait:
                return wait
            kept = [] if tries.locked is not None else tries.failed
            tries.failed = [*(at for at in kept if self._lasts(at, now, self._terms.window)), now]
            tries.locked = now if len(tries.failed) >= self._terms.failures else None
            return 0

    def forgive(self, name: PersonName, address: str = "") -> None:
        """Forget the failures of a name from one address, and the last one from all."""
        with self._lock:
            self._failures.pop((*name, address), None)
            history = self._names.get(name)
            if history is not None and address not in history.known:
                history.level = max(0.0, history.level - 1)

    def succeed(self, name: PersonName, address: str = "") -> None:
        """Forgive the failures of an address from which the right password came, and remember it."""
        self.forgive(name, address)
        with self._lock:
            history = self._history(name)
            others = [each for each in history.known if each != address]
            history.known = [*others, address][-MAX_KNOWN_ADDRESSES:]

    def reset(self, name: PersonName) -> None:
        """Forget everything about a name, for example after a new password."""
        with self._lock:
            self._names.pop(name, None)
            for source in [each for each in self._failures if each[:2] == name]:
                del self._failures[source]

    def _tries(self, source: SignInSource, now: int) -> _Failures:
        tries = self._failures.pop(source, None) or _Failures()
        self._make_room(now)
        self._failures[source] = tries
        return tries

    def _history(self, name: PersonName) -> _NameHistory:
        """Return what is known of a name, as the newest; beyond the limit the oldest is forgotten."""
        history = self._names.pop(name, None) or _NameHistory()
        if len(self._names) >= MAX_REMEMBERED:
            del self._names[next(iter(self._names))]
        self._names[name] = history
        return history

    def _fill(self, name: PersonName, now: int, address: str) -> int:
        """Count an attempt from an address that a name does not know; return 0, or how long to wait."""
        history = self._history(name)
        if address in history.known:
            return 0
        history.level = max(0.0, history.level - abs(now - history.at) / self._terms.name_pause)
        history.at = now
        over = history.level - (self._terms.name_failures - 1)
        if over > 0:
            return math.ceil(over * self._terms.name_pause)
        history.level += 1
        return 0

    def _make_room(self, now: int) -> None:
        """Forget expired failures if there are too many names, then the names unused for longest.

        A tenth goes at once, so a flood of names is cheap. Locked names go last.
        """
        if len(self._failures) < MAX_REMEMBERED:
            return
        longest = max(self._terms.window, self._terms.lock)
        tries = {
            source: each
            for source, each in self._failures.items()
            if each.failed and self._lasts(each.failed[-1], now, longest)
        }
        if len(tries) >= MAX_REMEMBERED:
            free = [source for source, each in tries.items() if each.locked is None] or [*tries]
            for source in free[: MAX_REMEMBERED // 10]:
                del tries[source]
        self._failures = tries

    @staticmethod
    def _lasts(since: int, now: int, span: int) -> bool:
        """Say whether a time span still lasts, even if the clock was set back."""
        return abs(now - since) < span


class SignIn:
    """Issues tokens for passwords, and reads, revokes and counts them in the store."""

    def __init__(self, journal: SecurityJournal, log: SecurityLog, terms: AuthPolicy | None = None) -> None:
        """Take what reads and writes the security stream, and the log; the policy has a default."""
        self._journal, self._log, self._terms = journal, log, terms or AuthPolicy()
        self._store, self._clock, self._entropy = journal.store, journal.clock, journal.entropy
        self._passwords = PasswordHashes(journal.entropy, self._terms.cost)
        self._attempts = Attempts(self._terms)
        self.revocation_listener: RevocationListener | None = None
        """Callback that gets each person whose sign-ins this process has ended, after the commit."""
        self.attempt_listener: AttemptListener | None = None
        """Callback that gets each attempt to sign in with a name that has a password."""

    def set_password(
        self, kind: PersonKind, person: str, password: str, keep: StoreCredential | None = None
    ) -> Refusal | None:
        """Set a person's password, and end every sign-in.

        A house that notes it in its journal passes ``keep`` to store it in the same commit.
        """
        console = kind == "staff" and person == CONSOLE
        refusal = refuse(Code.CONSOLE_PASSWORD) if console else password_refusal(person, password)
        if refusal is None:
            (keep or self._store_credential)(Credential(kind, person, self._passwords.hash(password)))
            self._forget_old_password(kind, person)
            self._log.note(person, f"{kind} password", "set")
        return refusal

    def note_dismissal(self, kind: PersonKind, person: str) -> None:
        """Note that a dismissal has taken away a password and ended every sign-in."""
        self._forget_old_password(kind, person)
        self._log.note(person, f"{kind} password", "taken away")

    def sign_in(self, kind: PersonKind, person: str, password: str, address: str = "") -> str | Refusal:
        """Return a new token for the right password; a refusal is the same for every name.

        The address is the client's; the command line has none.
        """
        name, now = (kind, person if is_name(person) else ""), self._clock.now()
        credential = self._credential(name)
        by, what = person if credential is not None else UNKNOWN, f"{kind} sign-in"
        wait = self._attempts.begin(name, now, address)
        if wait:
            self._log.note(by, what, "locked")
            return refuse(Code.SIGN_IN_LOCKED, wait=_minutes(wait))
        self._tell_attempt(credential, address, "tried")
        try:
            token = self._token_for(name, credential, password, now)
        except StoreError:
            self._attempts.forgive(name, address)
            self._tell_attempt(credential, address, "forgiven")
            raise
        if token is None:
            self._log.note(by, what, "failed")
            return refuse(Code.SIGN_IN_FAILED)
        self._attempts.succeed(name, address)
        self._tell_attempt(credential, address, "right")
        self._log.note(by, what, "succeeded")
        return token

    def count_attempt(self, kind: PersonKind, person: str, address: str, outcome: AttemptOutcome) -> None:
        """Count an attempt at another process, or what came of it."""
        name = (kind, person)
        if outcome == "tried":
            self._attempts.begin(name, self._clock.now(), address)
        elif outcome == "reset":
            self._attempts.reset(name)
        elif outcome == "right":
            self._attempts.succeed(name, address)
        else:
            self._attempts.forgive(name, address)

    def _tell_attempt(self, credential: Credential | None, address: str, outcome: AttemptOutcome) -> None:
        """Tell the listener of an attempt; a name without a password is never told, as it may be one."""
        if self.attempt_listener is not None and credential is not None:
            self.attempt_listener(credential.kind, credential.person, address, outcome)

    def issue_by_link(self, kind: PersonKind, person: str, lifetime: int | None = None) -> str:
        """Return a new token for a person who used a link of this machine, without a password."""
        token, now = self._new_token(), self._clock.now()
        ends = now + (self._terms.lifetime if lifetime is None else lifetime)
        issued = SignInIssued(kind, person, token_hash(token), now, ends)
        self._journal.append_security(lambda _state, _writing: [issued])
        self._log.note(person, f"{kind} sign-in", "by link")
        return token

    def _new_token(self) -> str:
        return urlsafe_b64encode(self._entropy.draw(TOKEN_BYTES)).rstrip(b"=").decode()

    def valid_tokens(self, hashes: Iterable[str]) -> dict[str, Token]:
        """Return, by hash, the tokens that are valid now: issued, not over and not ended."""
        known, now = self._journal.security_state().tokens, self._clock.now()
        found = {hash_: known[hash_] for hash_ in hashes if hash_ in known}
        return {hash_: each for hash_, each in found.items() if now < each.ends}

    def revoke(self, token: str) -> bool:
        """End one sign-in, and say whether it was valid until now."""
        found = self.valid_tokens((token_hash(token),)).get(token_hash(token))
        return found is not None and self._end_sign_ins(found.kind, found.person, found.hash) > 0

    def is_signed_in(self, kind: PersonKind, person: str) -> bool:
        """Say whether a person has any valid sign-in."""
        return bool(self.valid_tokens(self._journal.security_state().tokens_of(kind, person)))

    def revoke_all(self, kind: PersonKind, person: str) -> int:
        """End every sign-in of a person, and return how many there were."""
        return self._end_sign_ins(kind, person)

    def _end_sign_ins(self, kind: PersonKind, person: str, only: str = "") -> int:
        """End the sign-ins of a person, or only one; return how many there were."""
        ended = 0

        def decide(state: SecurityState, writing: WriteTransaction) -> list[SecurityEvent]:
            nonlocal ended
            ended = len([each for each in state.tokens_of(kind, person) if only in ("", each)])
            if ended:
                writing.announce_sign_out(kind, person)
            return [SignInsEnded(kind, person, only)] if ended else []

        self._journal.append_security(decide)
        self._tell_listener(kind, person)
        return ended

    def _store_credential(self, credential: Credential) -> None:
        kind, person = credential.kind, credential.person

        def decide(state: SecurityState, writing: WriteTransaction) -> list[SecurityEvent]:
            writing.put_credential(credential)
            writing.announce_sign_out(kind, person)
            return new_password(state, kind, person, credential.password)

        self._journal.append_security(decide)

    def _forget_old_password(self, kind: PersonKind, person: str) -> None:
        """Forget failures with the old password, and tell that its sign-ins have ended."""
        self._tell_listener(kind, person)
        self._attempts.reset((kind, person))
        self._tell_attempt(Credential(kind, person, NO_PASSWORD), "", "reset")

    def _tell_listener(self, kind: PersonKind, person: str) -> None:
        if self.revocation_listener is not None:
            self.revocation_listener(kind, person)

    def _credential(self, name: PersonName) -> Credential | None:
        if not name[1]:
            return None
        for _ in range(CREDENTIAL_READS):
            with self._store.reading() as reading:
                found = reading.credential(*name)
            stored = "" if found is None else found.password
            if password_digest(stored) == self._journal.security_state().password(*name):
                return found
        logger.error(ALTERED_PASSWORD, *name)
        self._log.note(name[1], f"{name[0]} password", "altered in the database")
        return None

    def _token_for(
        self, name: PersonName, credential: Credential | None, password: str, now: int
    ) -> str | None:
        """Return a new token, or None for a wrong password; try again if it was changed meanwhile."""
        if not self._passwords.verify(credential.password if credential else None, password):
            return None
        assert credential is not None
        stale = self._passwords.is_stale(credential.password)
        renewed = replace(credential, password=self._passwords.hash(password)) if stale else None
        token = self._new_token()
        ends, stored = now + self._terms.lifetime, password_digest(credential.password)
        issued: list[SecurityEvent] = [SignInIssued(*name, token_hash(token), now, ends)]
        changed = False

        def decide(state: SecurityState, writing: WriteTransaction) -> list[SecurityEvent]:
            nonlocal changed
            changed = state.password(*name) != stored
            if changed:
                return []
            if renewed is None:
                return issued
            writing.put_credential(renewed)
            return [PasswordStored(*name, password_digest(renewed.password)), *issued]

        self._journal.append_security(decide)
        return self._token_for(name, self._credential(name), password, now) if changed else token


def token_hash(token: str) -> str:
    """Return the stored hash of a token; an invalid token has the hash of nothing."""
    plausible = len(token) == TOKEN_LENGTH and token.isascii()
    return sha256(token.encode() if plausible else b"").hexdigest()


def _minutes(span: int) -> str:
    count = math.ceil(span / MINUTE)
    return "1 minute" if count == 1 else f"{count} minutes"

"""Passwords: strength rules, Argon2 hashes, and verification that does not show who exists."""

import unicodedata
from threading import BoundedSemaphore

import msgspec
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from fourcard.house.ports import Entropy
from fourcard.refusals import Code, Refusal, refuse

LEAST = 12
MOST = 256
"""Longest password in characters, so a sender cannot make a sign-in arbitrarily expensive."""
SALT_BYTES = 16
MOST_AT_ONCE = 4
"""Hashes computed in parallel, so a crowd of sign-ins does not take all memory."""


class Profile(msgspec.Struct, frozen=True):
    """The cost of a hash: passes over the memory, KiB of memory, and parallel lanes."""

    passes: int
    memory: int
    lanes: int


SAFE = Profile(passes=3, memory=65_536, lanes=4)
"""RFC 9106's recommendation for little memory: 64 MiB."""
CHEAP = Profile(passes=1, memory=8, lanes=1)
"""For tests and simulations only: it protects nothing."""
NO_PASSWORD = ""
"""Stored instead of a hash for a person who cannot sign in."""


class Passwords:
    """Hashes and verifies passwords with Argon2id."""

    def __init__(self, entropy: Entropy, profile: Profile = SAFE) -> None:
        """Take the entropy for salts, and the cost of a hash."""
        self._entropy = entropy
        self._hasher = PasswordHasher(
            time_cost=profile.passes,
            memory_cost=profile.memory,
            parallelism=profile.lanes,
            salt_len=SALT_BYTES,
            type=Type.ID,
        )
        self._at_once = BoundedSemaphore(MOST_AT_ONCE)
        self._nobody = self.hash(entropy.draw(LEAST).hex())

    def hash(self, password: str) -> str:
        """Return the hash of a password."""
        with self._at_once:
            return self._hasher.hash(_plain(password), salt=self._entropy.draw(SALT_BYTES))

    def verify(self, kept: str | None, password: str) -> bool:
        """Say whether a password matches its hash; a person without one takes just as long."""
        if len(password) > MOST:
            return False
        try:
            with self._at_once:
                self._hasher.verify(kept or self._nobody, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    def is_stale(self, kept: str) -> bool:
        """Say whether a hash was made at another cost, and should be renewed."""
        return self._hasher.check_needs_rehash(kept)


def weakness(person: str, password: str) -> Refusal | None:
    """Return why a password is too weak for a person, or None."""
    reason = _reason(person, password)
    return refuse(Code.PASSWORD_WEAK, reason=reason) if reason is not None else None


def _reason(person: str, password: str) -> str | None:
    plain = unicodedata.normalize("NFKC", password)
    if len(password) > MOST or len(plain) > MOST:
        return f"it has more than {MOST} characters"
    if len(plain) < LEAST:
        return f"it has fewer than {LEAST} characters"
    if any(0xD800 <= ord(char) <= 0xDFFF for char in plain):
        return "it is not text"
    folded = plain.casefold()
    if len({*folded}) == 1:
        return "it is one character, repeated"
    if not folded.replace(person.casefold(), "").strip():
        return "it is the name"
    return None


def _plain(password: str) -> bytes:
    """Return a password's bytes, the same for the same characters on every keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")

"""Passwords: which are too weak, how they are kept, and how they are compared without telling who exists."""

import unicodedata
from dataclasses import dataclass
from threading import BoundedSemaphore

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from fourcard.house.ports import Entropy
from fourcard.refusals import Code, Refusal, refuse

LEAST = 12
MOST = 256
"""How long a password is, in characters; a longest one keeps a sign-in from costing what the sender likes."""
SALT_BYTES = 16
MOST_AT_ONCE = 4
"""Hashes that are worked out side by side, so that a crowd at the door does not take all memory."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one hash costs: passes over the memory, KiB of memory, and lanes side by side."""

    passes: int
    memory: int
    lanes: int


SAFE = Profile(passes=3, memory=65_536, lanes=4)
"""What RFC 9106 recommends where memory is short: 64 MiB."""
CHEAP = Profile(passes=1, memory=8, lanes=1)
"""For tests and simulations only: it protects nothing."""
NO_PASSWORD = ""
"""Kept instead of a hash for a person who cannot sign in."""


class Passwords:
    """Hashes passwords with Argon2id and compares them."""

    def __init__(self, entropy: Entropy, profile: Profile = SAFE) -> None:
        """Take where salts come from and what a hash costs."""
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
        """Return the hash by which a password is kept."""
        with self._at_once:
            return self._hasher.hash(_plain(password), salt=self._entropy.draw(SALT_BYTES))

    def verify(self, kept: str | None, password: str) -> bool:
        """Say whether a password is the one kept; who has none takes just as long to be refused."""
        if len(password) > MOST:
            return False
        try:
            with self._at_once:
                self._hasher.verify(kept or self._nobody, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    def is_stale(self, kept: str) -> bool:
        """Say whether a hash was made at another cost than today's, and should be made again."""
        return self._hasher.check_needs_rehash(kept)


def weakness(person: str, password: str) -> Refusal | None:
    """Return why a password cannot be a person's, or None."""
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
    """Return a password's bytes, the same for the same characters however a keyboard made them."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")

"""Sealing: what nobody may read before its time is stored under AES-GCM.

A table's record with a card that is not shown yet is sealed with the secret of its shuffle, so that anybody
can open it once the journal has revealed that secret. Secrets themselves are sealed with the house's key,
which is not in the database.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace

from fourcard.house.events import SecretRevealed
from fourcard.house.journal import (
    RECORD_KIND,
    SALT_BYTES,
    SALTED_VERSION,
    SEALED_KIND,
    JournalRecord,
    UnreadableEventError,
    codec_of,
    unpack_events,
)
from fourcard.house.store.compression import compress_body, decompress_body

RECORD_PURPOSE, SECRET_PURPOSE = b"fourcard-record-1", b"fourcard-secret-1"
"""What a key is derived for."""
SALT_WORD = "fourcard-salt-1"
KEY_BYTES, NONCE_BYTES, NUMBER_BYTES = 32, 12, 8
SEALED_VERSION = 1
REVEALED_KIND = str(SecretRevealed.__struct_config__.tag)
_REVEALED = f'"{REVEALED_KIND}"'.encode()
FindSecret = Callable[[str, int], bytes | None]
"""Returns the secret of a shuffle by stream and number, or None where it is not known."""


class Sealer:
    """Seals bytes with a key that is derived from a secret for one purpose."""

    def __init__(self, secret: bytes, purpose: bytes) -> None:
        """Derive the keys."""
        derived = HKDF(SHA256(), 2 * KEY_BYTES, None, purpose).derive(secret)
        self._cipher, self._nonce_key = AESGCM(derived[:KEY_BYTES]), derived[KEY_BYTES:]

    def seal(self, plain: bytes, place: bytes) -> bytes:
        """Return sealed bytes that open only at the same place.

        The nonce follows from place and content: no two contents share one, even after a rollback.
        """
        nonce = hmac.digest(self._nonce_key, sha256(place).digest() + plain, "sha256")[:NONCE_BYTES]
        return nonce + self._cipher.encrypt(nonce, plain, place)

    def open(self, sealed: bytes, place: bytes) -> bytes | None:
        """Return what was sealed at a place; None if it was altered or sealed with another secret."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place)
        except (InvalidTag, ValueError):
            return None


class StoreKey:
    """The key of the house, as a store needs it: seals the secrets of shuffles, and signs commits."""

    def __init__(self, key: bytes) -> None:
        """Take the bytes of the house's key."""
        self._sealer = Sealer(key, SECRET_PURPOSE)
        self._private = Ed25519PrivateKey.from_private_bytes(key)
        self._public = self._private.public_key()

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self._private.sign(message)

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Say whether this key has signed a message."""
        try:
            self._public.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def seal(self, stream: str, number: int, secret: bytes) -> bytes:
        """Return a secret as it is stored."""
        return self._sealer.seal(secret, _place(stream, number))

    def open(self, stream: str, number: int, sealed: bytes) -> bytes | None:
        """Return a stored secret; None if it was sealed with another key, or altered."""
        return self._sealer.open(sealed, _place(stream, number))


class SecretReader(Protocol):
    """Where the stored secrets of shuffles are read."""

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return a secret as it is stored, or None."""
        ...


class SecretFinder:
    """Finds the secrets of shuffles that are not revealed yet, each read once."""

    def __init__(self, reading: SecretReader, key: StoreKey | None) -> None:
        """Take the reader and the key of the house; without that, no secret is found."""
        self._reading, self._key = reading, key
        self._found: dict[tuple[str, int], bytes | None] = {}

    def __call__(self, stream: str, number: int) -> bytes | None:
        """Return a secret by stream and shuffle, or None."""
        if self._key is None:
            return None
        place = (stream, number)
        if place not in self._found:
            sealed = self._reading.secret(stream, number)
            self._found[place] = None if sealed is None else self._key.open(stream, number, sealed)
        return self._found[place]


def _place(*parts: object) -> bytes:
    return msgspec.json.encode(parts)


@lru_cache(maxsize=4_096)
def _record_sealer(secret: bytes) -> Sealer:
    return Sealer(secret, RECORD_PURPOSE)


def salt_for(secret: bytes, stream: str, events: Sequence[JournalRecord]) -> str:
    """Return the salt of a record of some events, without which its hash would let their cards be guessed."""
    bodies = b"".join(each.body for each in events)
    message = _place(SALT_WORD, stream, events[-1].sequence) + bodies
    return hmac.digest(secret, message, "sha256")[:SALT_BYTES].hex()


def _record_place(record: JournalRecord) -> bytes:
    r = record
    return _place(r.stream, r.sequence, r.command_sequence, r.at, r.by, r.role, r.key)


def seal_record(record: JournalRecord, shuffle: int, secret: bytes) -> JournalRecord:
    """Return a salted record sealed with the secret of a shuffle; its hash stays that of the open record."""
    sealed = _record_sealer(secret).seal(compress_body(record.body), _record_place(record))
    return replace(
        record, kind=SEALED_KIND, version=SEALED_VERSION, body=shuffle.to_bytes(NUMBER_BYTES) + sealed
    )


def shuffle_of(record: JournalRecord) -> int:
    """Return the shuffle whose secret opens a sealed record."""
    return int.from_bytes(record.body[:NUMBER_BYTES])


def open_record(record: JournalRecord, secret: bytes) -> JournalRecord | None:
    """Return a sealed record as it was; None if it was altered, or the secret is another one's."""
    body = _record_sealer(secret).open(record.body[NUMBER_BYTES:], _record_place(record))
    if body is None or record.version != SEALED_VERSION:
        return None
    return replace(record, kind=RECORD_KIND, version=SALTED_VERSION, body=decompress_body(body))


def open_records(records: Iterable[JournalRecord], find_secret: FindSecret) -> Iterator[JournalRecord]:
    """Yield the records of a stream, opened by known secrets or by those that later records reveal.

    What cannot be opened yet, or was altered, stays sealed.
    """
    waiting = list[JournalRecord]()
    for record in records:
        found = record
        if record.kind == SEALED_KIND:
            secret = find_secret(record.stream, shuffle_of(record))
            opened = None if secret is None else open_record(record, secret)
            if opened is None:
                waiting.append(record)
                continue
            found = opened
        if waiting:
            waiting.append(found)
            if _reveals(found):
                yield from _opened(waiting)
                waiting = []
        else:
            yield found
    yield from _opened(waiting)


def _opened(records: list[JournalRecord]) -> list[JournalRecord]:
    """Return records opened from the last to the first: a secret is revealed after what it seals."""
    known, found = dict[int, bytes](), list[JournalRecord]()
    for record in reversed(records):
        opened: JournalRecord | None = record
        if record.kind == SEALED_KIND:
            secret = known.get(shuffle_of(record))
            opened = None if secret is None else open_record(record, secret)
        found.append(opened or record)
        if opened is not None and _reveals(opened):
            known |= _revealed_secrets(opened)
    return found[::-1]


def _reveals(record: JournalRecord) -> bool:
    return _REVEALED in record.body


def _revealed_secrets(record: JournalRecord) -> dict[int, bytes]:
    """Return the secrets that a readable record reveals, by shuffle."""
    try:
        events = [each for each in unpack_events(record) if each.kind == REVEALED_KIND]
        shown = [codec_of(record.stream).decode(each) for each in events]
        return {each.shuffle: bytes.fromhex(each.secret) for each in shown}
    except (UnreadableEventError, ValueError):
        return {}

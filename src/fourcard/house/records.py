"""Journal record: an event with its position, author and time, chained to the record before it."""

from hashlib import sha256

import msgspec

GENESIS = bytes(32)
"""The hash before the first event of a stream."""


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event as the journal stores it; the fields are in the order of the columns."""

    stream: str
    sequence: int
    """Its position in the stream, from 1 without a gap."""
    command: int
    """The sequence of the first event of the same command."""
    kind: str
    version: int
    at: int
    """Milliseconds since the epoch."""
    by: str
    role: str
    key: str
    """The command's idempotency key, on its first event; otherwise empty."""
    digest: str
    """The SHA-256 of the command with the key, in hexadecimal; otherwise empty."""
    game: str
    """The hash of the pinned game, if there is one."""
    body: bytes
    """The event in JSON."""
    hash: bytes = b""
    """SHA-256 over the previous hash and all fields above."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The head of a stream: its last sequence and hash."""

    sequence: int = 0
    hash: bytes = GENESIS


_encoder = msgspec.json.Encoder()


def link(before: bytes, record: Recorded) -> bytes:
    """Return the hash that chains a record to the one before it.

    It is the SHA-256 of the previous hash, the fields up to the game as a JSON list, and the body.
    """
    r = record
    fields = (
        r.stream, r.sequence, r.command, r.kind, r.version, r.at, r.by, r.role, r.key, r.digest, r.game,
    )  # fmt: skip
    return sha256(before + _encoder.encode(fields) + r.body).digest()

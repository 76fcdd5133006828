"""Signed commits: every transaction that appends to the journal signs the heads it has moved.

A commit signs the SHA-256 of a word, the digest and the signature of the commit before it in its chain, its
number and its heads. So the last signature of a chain covers all commits of it. Each open store has a chain
for every transaction that it runs at the same time; a new chain goes on from the newest commit that it finds.
"""

import threading
from collections.abc import Mapping
from hashlib import sha256

import msgspec

from fourcard.house.journal import StreamHead
from fourcard.house.store.sealing import StoreKey

WORD = b"fourcard-commit-1"
SNAPSHOT_WORD = b"fourcard-snapshot-1"
HASH_BYTES = 16
"""Bytes of a hash in a commit: enough that nobody finds another record with the same."""
BLOCK = 1_000
"""Numbers that a chain reserves at once, where several programs write."""


class Commit(msgspec.Struct, frozen=True, gc=False):
    """What one transaction appended to the journal, signed."""

    id: int
    previous: int
    """The commit before it in its chain; 0 if there is none."""
    heads: bytes
    digest: bytes
    signature: bytes


SignedHeads = dict[str, tuple[int, bytes]]
"""By stream, the sequence and the first bytes of the hash."""
NO_COMMIT = Commit(0, 0, b"", b"", b"")
_heads_decoder = msgspec.json.Decoder(list[tuple[str, int, str]])


def encode_heads(heads: Mapping[str, StreamHead]) -> bytes:
    """Return heads as a commit holds them, sorted by stream."""
    return msgspec.json.encode(
        [(name, head.sequence, head.hash[:HASH_BYTES].hex()) for name, head in sorted(heads.items())]
    )


def decode_heads(body: bytes) -> SignedHeads:
    """Return the heads of a commit; none if they cannot be read."""
    try:
        return {
            name: (sequence, bytes.fromhex(hash_)) for name, sequence, hash_ in _heads_decoder.decode(body)
        }
    except (msgspec.MsgspecError, UnicodeError, ValueError):
        return {}


def commit_digest(number: int, previous: Commit, heads: bytes) -> bytes:
    """Return what a commit signs."""
    return sha256(WORD + previous.digest + previous.signature + b"%d" % number + heads).digest()


def signed_commit(key: StoreKey, number: int, previous: Commit, heads: Mapping[str, StreamHead]) -> Commit:
    """Return the commit of some heads."""
    body = encode_heads(heads)
    digest = commit_digest(number, previous, body)
    return Commit(number, previous.id, body, digest, key.sign(digest))


def is_signed(key: StoreKey, commit: Commit, previous: Commit) -> bool:
    """Say whether a commit follows another one and is signed with a key."""
    follows = commit.digest == commit_digest(commit.id, previous, commit.heads)
    return follows and key.verifies(commit.signature, commit.digest)


def snapshot_message(stream: str, sequence: int, earlier_hash: bytes, body: bytes) -> bytes:
    """Return what is signed of a snapshot."""
    facts = (stream, sequence, earlier_hash.hex(), sha256(body).hexdigest())
    return SNAPSHOT_WORD + msgspec.json.encode(facts)


class CommitChain:
    """The commits of one writer, one after the other."""

    def __init__(self, first: int, last: Commit) -> None:
        """Take the first of the reserved numbers, and the commit to go on from."""
        self.next, self.end, self.last = first, first + BLOCK, last

    def sign(self, key: StoreKey, heads: Mapping[str, StreamHead]) -> Commit:
        """Return the next commit."""
        return signed_commit(key, self.next, self.last, heads)

    def advance(self, commit: Commit) -> bool:
        """Go on after a commit that is stored; say whether a number is left."""
        self.last, self.next = commit, commit.id + 1
        return self.next < self.end


VERIFIED_COMMITS = 1_000


class Verified:
    """What an open store has signed itself or verified, and the chains that no transaction uses now."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.heads: dict[str, bytes] = {}
        """By stream, the hash of a head."""
        self.commits: dict[int, SignedHeads] = {}
        """By number, the heads of the last commits that were verified."""
        self._chains: list[CommitChain] = []
        self._lock = threading.Lock()

    def take_chain(self) -> CommitChain | None:
        """Return a chain that nobody uses, or None."""
        with self._lock:
            return self._chains.pop() if self._chains else None

    def give_back(self, chain: CommitChain) -> None:
        """Let other transactions use a chain."""
        with self._lock:
            self._chains.append(chain)

    def add_commit(self, commit: Commit, heads: SignedHeads) -> None:
        """Remember a commit that was verified."""
        if len(self.commits) >= VERIFIED_COMMITS:
            self.commits = {}
        self.commits[commit.id] = heads

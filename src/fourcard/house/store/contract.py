"""What every store keeps and promises: whole transactions, a fence at each stream's head, and nothing lost.

A transaction is everything or nothing. ``heads`` takes the streams that will be written and keeps other
writers off them, in one fixed order; ``append`` refuses a sequence that is taken. Reading works beside
writing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

import msgspec

from fourcard.errors import BadInputError
from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded

Page = int
"""How many rows are read at a time."""
PersonKind = Literal["staff", "player"]


class StoreError(BadInputError):
    """The store cannot do what was asked; the sentence says why, and nothing was changed."""


class SequenceTakenError(StoreError):
    """Another writer was first: a stream's next sequence, or an idempotency key, is taken."""


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A state as it was after a sequence, so that a start need not read everything before it."""

    stream: str
    sequence: int
    body: bytes


class Credential(msgspec.Struct, frozen=True):
    """What a person signs in with."""

    kind: PersonKind
    person: str
    password: str
    """An Argon2 hash."""


class Token(msgspec.Struct, frozen=True):
    """A sign-in that holds until it ends or is revoked; only the hash of the token is kept."""

    hash: str
    kind: PersonKind
    person: str
    issued: int
    ends: int
    revoked: int = 0
    """When it was revoked, 0 if it was not."""


class SecurityNote(msgspec.Struct, frozen=True):
    """Something that was refused for want of permission, or a sign-in that failed."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int = 0
    """How many more of the same were left out since the note before."""


class Reading(Protocol):
    """What can be read, all of it as of one moment."""

    def streams(self, names: Iterable[str] | None = None) -> Mapping[str, Head]:
        """Return where every stream stands that has events, or those named, by the table of heads."""
        ...

    def events(self, stream: str, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of a stream after a sequence, in order."""
        ...

    def journal_streams(self) -> Sequence[str]:
        """Return every stream of which the journal holds an event, whatever the table of heads says."""
        ...

    def tally_kinds(self, kinds: Iterable[str]) -> Mapping[tuple[str, str], int]:
        """Return, by stream and kind, how many events of some kinds there are."""
        ...

    def answered(self, keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], Recorded]:
        """Return, by stream and idempotency key, the first event of each command that has been done."""
        ...

    def games(self) -> Mapping[str, bytes]:
        """Return every pinned game by its hash, in JSON."""
        ...

    def game(self, hash_: str) -> bytes | None:
        """Return one pinned game."""
        ...

    def secret(self, stream: str, number: int) -> bytes | None:
        """Return the secret of a shuffle that is not revealed yet."""
        ...

    def secrets(self) -> Mapping[tuple[str, int], bytes]:
        """Return every secret that is not revealed yet."""
        ...

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the newest snapshot of a stream."""
        ...

    def snapshots(self) -> Sequence[Snapshot]:
        """Return the newest snapshot of every stream that has one, by stream."""
        ...

    def transfers(self, account: str | None = None) -> Iterator[Transfer]:
        """Yield the movements of the ledger, of one account or all, by stream, sequence and number."""
        ...

    def balances(self) -> Mapping[str, int]:
        """Return what every account holds, in units, zeros left out."""
        ...

    def credential(self, kind: PersonKind, person: str) -> Credential | None:
        """Return what a person signs in with."""
        ...

    def credentials(self) -> Sequence[Credential]:
        """Return what everybody signs in with, by kind and person."""
        ...

    def token(self, hash_: str) -> Token | None:
        """Return a sign-in by the hash of its token."""
        ...

    def tokens(self) -> Sequence[Token]:
        """Return every sign-in, by hash."""
        ...

    def security_notes(self, last: int = 100) -> Sequence[SecurityNote]:
        """Return the newest notes of the security log, the newest first."""
        ...


class Writing(Reading, Protocol):
    """A transaction that writes; what it reads is what it will write upon."""

    def heads(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return where streams stand, and keep other writers off them until the end; new ones stand at 0."""
        ...

    def steady(self, streams: Iterable[str]) -> Mapping[str, Head]:
        """Return where streams stand, and let nobody move them until the end, though others may look too.

        It comes before ``heads``, so that no two transactions ever wait for each other.
        """
        ...

    def append(self, events: Sequence[Recorded]) -> None:
        """Add events to their streams, each where its stream stands, and move the heads."""
        ...

    def rewrite_head(self, stream: str) -> None:
        """Write where a stream stands once more, unchanged, so that a commit proves that it can write."""
        ...

    def post(self, transfers: Sequence[Transfer]) -> None:
        """Add movements to the ledger and to the balances."""
        ...

    def keep_game(self, hash_: str, body: bytes) -> None:
        """Keep a pinned game; one that is kept already stays."""
        ...

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Keep the secret of a shuffle until it is revealed."""
        ...

    def forget_secret(self, stream: str, number: int) -> None:
        """Forget a secret that has been revealed in the journal."""
        ...

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in place of the one before."""
        ...

    def put_credential(self, credential: Credential) -> None:
        """Keep what a person signs in with, in place of what was there."""
        ...

    def put_token(self, token: Token) -> None:
        """Keep a sign-in, in place of the same one."""
        ...

    def revoke_tokens(self, kind: PersonKind, person: str, at: int) -> int:
        """Revoke every sign-in of a person that holds still, and return how many."""
        ...

    def note_security(self, note: SecurityNote) -> None:
        """Add a note to the security log."""
        ...


class Store(Protocol):
    """A place where a house keeps everything."""

    name: str
    """What it is, as a person calls it: no password in it."""

    def reading(self) -> AbstractContextManager[Reading]:
        """Open a view of one moment."""
        ...

    def writing(self) -> AbstractContextManager[Writing]:
        """Open a transaction; it is committed at the end, and rolled back if anything is raised."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...

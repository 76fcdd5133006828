"""Audit checkpoint: what an audit without findings knows at its end, signed, so that the next one goes on.

It holds the end, the row counts and the folded state of every stream, the ledger's balances, and what the
checks remember. It is used only by the same program, for the same house, where the journal still fits it.
"""

import msgspec
from msgspec.structs import replace

from fourcard.fingerprints import fingerprint
from fourcard.house.audit.report import AuditCounts, RestoreEntry, RotationEntry
from fourcard.house.decision import HOUSE
from fourcard.house.head_signatures import HouseIdentity
from fourcard.house.meter_state import RoundMeterEffects
from fourcard.house.shuffle_algorithm import ShuffleInput
from fourcard.house.signed_files import FileSigner, SignedFileError, open_frame, read_header, sign_file
from fourcard.house.store.interface import StreamRows, TableHour
from fourcard.meter import Meter

CHECKPOINT_FORMAT = "fourcard-checkpoint-1"


class CommittedShuffle(msgspec.Struct):
    """One shuffle since its commitment."""

    commitment: str
    algorithm: str
    committed: int
    """The event that committed to it."""
    drawn: int | None = None
    """The event that drew it."""
    input: ShuffleInput | None = None
    """What its order depends on besides the secret."""
    order: tuple[int, ...] | None = None


class TableProgress(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks of a table remember besides its state."""

    at: int
    """No later event of the table has an earlier time."""
    shuffles: dict[int, CommittedShuffle]
    """Shuffles whose secret is not revealed yet, by number."""
    drawn: int
    expected: tuple[int, int] | None
    """The shuffle and the deck whose order must come next."""
    awards: tuple[Meter, ...]
    """The meter before each award of the current round."""
    round_snapshot: tuple[int, msgspec.Raw] | None
    """The sequence before the round under way, and the table there: its snapshot may be stored later."""
    hour: TableHour | None
    """The totals of its newest hour."""
    effects: RoundMeterEffects | None
    """What the meter showed and held for the round under way."""


class StreamCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One stream at the checkpoint."""

    rows: StreamRows
    """Its rows in the store; the last record is where the next audit goes on."""
    stores_commands: bool = False
    """Whether its commands are stored; those of 0.1 are not."""
    state: msgspec.Raw
    """Its folded state in JSON; null where it has none."""
    table: TableProgress | None = None


class SegmentEnd(msgspec.Struct, frozen=True):
    """The last segment that was checked: its day since 1970-01-01, and the SHA-256 of its header."""

    day: int = -1
    digest: str = ""


class CommitProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far the signed commits were checked."""

    last: int = 0
    """The highest number of a commit."""
    count: int = 0
    """How many commits there were up to that number."""
    ends: dict[int, tuple[str, str]] = {}
    """Digest and signature of the last commit of each chain, by its number."""
    heads: dict[str, tuple[int, int]] = {}
    """By stream, the last sequence that was signed, and its commit."""
    rotations: int = 0
    """How often the key was rotated by then."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an audit needs to go on."""

    counts: AuditCounts
    """What was checked up to here, by all audits since the first event."""
    streams: dict[str, StreamCheckpoint]
    balances: dict[str, int]
    games: tuple[str, ...]
    """Games that were ever used."""
    authors: tuple[tuple[str, str], ...]
    """Everyone ever employed, with each role that the person could act in."""
    unreleased: tuple[str, ...]
    restores: tuple[RestoreEntry, ...]
    rotations: tuple[RotationEntry, ...]
    signed: dict[str, int]
    """By stream, the last sequence that a signature of the house covers."""
    signed_at: int | None
    """When the heads were signed last."""
    segments: SegmentEnd = SegmentEnd()
    commits: CommitProgress = CommitProgress()
    set_back: int = 0
    """The most milliseconds by which somebody has confirmed that the clock was set back."""
    witnesses: dict[str, str] = {}
    """The addresses of the house's witnesses by name."""


class CheckpointFacts(msgspec.Struct, frozen=True):
    """The facts in the header of a checkpoint."""

    fingerprint: str
    """The program that wrote it."""
    events: int
    """How many events it covers."""


class SignedCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint that was verified, with when and by which program it was written."""

    at: int
    public_key: str
    facts: CheckpointFacts
    content: Checkpoint


NO_CHECKPOINT = Checkpoint(
    counts=AuditCounts(), streams={}, balances={}, games=(), authors=(), unreleased=(), restores=(),
    rotations=(), signed={}, signed_at=None,
)  # fmt: skip
"""Where an audit starts that reads everything."""


class UnusableCheckpointError(Exception):
    """A checkpoint that an audit cannot go on from; ``suspicious`` where it may have been tampered with."""

    def __init__(self, sentence: str, *, suspicious: bool = True) -> None:
        """Say why."""
        super().__init__(sentence)
        self.sentence, self.suspicious = sentence, suspicious
        self.written_at: int | None = None
        """When it was written, where its signature is genuine."""


SUMMED_COUNTS = (
    "events", "commands", "not_redecided", "rounds", "shuffles", "settlements", "transfers", "pairs",
    "signatures", "snapshots", "hours", "indexed", "segments", "commits",
)  # fmt: skip
"""Counts that add up from audit to audit; the others are of what there is now."""


def add_counts(before: AuditCounts, now: AuditCounts) -> AuditCounts:
    """Return what was checked up to now, given what was checked before."""
    return replace(now, **{name: getattr(before, name) + getattr(now, name) for name in SUMMED_COUNTS})


def write_checkpoint(checkpoint: Checkpoint, signer: FileSigner, at: int) -> bytes:
    """Return a checkpoint as a signed file."""
    facts = CheckpointFacts(fingerprint(), checkpoint.counts.events)
    return sign_file(signer, CHECKPOINT_FORMAT, at, facts, msgspec.json.encode(checkpoint))


def read_checkpoint(file: bytes, identity: HouseIdentity | None) -> SignedCheckpoint:
    """Return the checkpoint in a signed file of this house and this program, or raise why it is unusable."""
    if identity is None:
        raise UnusableCheckpointError("The house was never founded, so nothing can have been signed.")
    try:
        header, frame = read_header(file, CHECKPOINT_FORMAT)
        content = open_frame(header, frame, identity.house, identity.public_keys)
        facts = msgspec.json.decode(header.facts, type=CheckpointFacts)
    except (SignedFileError, msgspec.MsgspecError) as error:
        raise UnusableCheckpointError(str(error)) from None
    if facts.fingerprint != fingerprint():
        sentence = f"Another program wrote it: {facts.fingerprint}."
        raise UnusableCheckpointError(sentence, suspicious=False)
    try:
        found = msgspec.json.decode(content, type=Checkpoint)
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnusableCheckpointError(f"Its content cannot be read: {error}.") from None
    own = found.streams.get(HOUSE)
    if header.public_key != identity.key_at(0 if own is None else own.rows.records.last):
        raise UnusableCheckpointError("It is signed with another key than the house had when it was written.")
    return SignedCheckpoint(header.at, header.public_key, facts, found)

"""Audit report: counts of what was checked, findings with their places, and event differences as text."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import msgspec

from fourcard.cards import DECK_SIZE, cards_text
from fourcard.house.events import HouseRestored
from fourcard.house.running_totals import HOUR

FindingKind = Literal[
    "altered",
    "missing",
    "inserted",
    "unreadable",
    "envelope",
    "repeated",
    "author",
    "signature",
    "anchor",
    "witness",
    "checkpoint",
    "time",
    "game",
    "rules",
    "deal",
    "shuffle",
    "settlement",
    "void",
    "overdrawn",
    "fraction",
    "meter",
    "pair",
]
"""Kinds of findings; docs/laboratory/audit.md explains each."""
FINDING_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
StoredData = Literal[
    "events", "streams", "transfers", "balances", "games", "secrets", "snapshots", "meters", "totals",
    "rounds", "anchor", "witness", "checkpoint", "segments", "commits", "passwords", "schema",
]  # fmt: skip
"""The stored data that a finding is about."""
MAX_LISTED = 100
"""How many findings of one kind in one stream are listed; the others are only counted."""


def format_time(at: int) -> str:
    """Format a time in UTC; a number outside the calendar is shown as it is."""
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"moment {at}"


class FindingPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """The place of a finding."""

    kept: StoredData
    name: str = ""
    """The stream, account, game, meter or object of the schema."""
    sequence: int | None = None
    """The event, the shuffle of a secret, the hour of totals (since the epoch), or the number of a round or
    of a statement.
    """
    number: int | None = None
    """Which movement of an event."""

    def __str__(self) -> str:
        """Return the place as text."""
        texts = {
            "events": self.name if self.sequence is None else f"{self.name}, event {self.sequence}",
            "transfers": f"transfer {self.number} of {self.name}, event {self.sequence}",
            "secrets": f"secret of {self.name}, shuffle {self.sequence}",
            "totals": f"totals of {self.name}, {format_time((self.sequence or 0) * HOUR)}",
            "rounds": f"index of {self.name}, round {self.sequence}",
            "anchor": f"anchor, {self.name}" if self.name else "anchor",
            "witness": f"witness {self.name}" + (f", statement {self.sequence}" if self.sequence else ""),
            "checkpoint": "checkpoint",
            "commits": f"commit {self.sequence}",
            "schema": self.name,
            "segments": f"segment of {self.name}",
            "streams": f"head of {self.name}",
            "balances": f"balance of {self.name}",
            "snapshots": f"snapshot of {self.name}",
        }
        return texts.get(self.kept) or f"{self.kept.removesuffix('s')} {self.name}"


class AuditFinding(msgspec.Struct, frozen=True):
    """A fault: its place, its kind, and a sentence that explains it."""

    place: FindingPlace
    what: FindingKind
    sentence: str


class AuditCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How much was checked, so that an empty list of findings cannot be mistaken for an audit."""

    streams: int = 0
    events: int = 0
    commands: int = 0
    not_redecided: int = 0
    """Commands of 0.1, which stored their events without the command."""
    rounds: int = 0
    """Finished rounds, including void ones."""
    shuffles: int = 0
    """Deck orders recomputed from their secrets."""
    settlements: int = 0
    """Rounds settled again."""
    transfers: int = 0
    """Ledger transfers derived again from events."""
    accounts: int = 0
    meters: int = 0
    pairs: int = 0
    """Events that must appear in two streams."""
    signatures: int = 0
    snapshots: int = 0
    games: int = 0
    hours: int = 0
    """Hours of tables whose running totals were counted again."""
    indexed: int = 0
    """Rounds compared with the index."""
    secrets: int = 0
    """Unrevealed secrets that were compared with their commitments."""
    segments: int = 0
    """Segments of closed days that were compared with their signed lists."""
    commits: int = 0
    """Signed commits whose chain was checked."""
    passwords: int = 0
    """Stored password hashes that were compared with their digests in the journal."""
    schema_objects: int = 0
    """Tables, indexes, triggers and other objects of the database, with those that are missing."""


class RestoreEntry(msgspec.Struct, frozen=True):
    """One restore of the house from an older state: when, and the recorded event."""

    at: int
    moment: str
    recorded: HouseRestored


class RotationEntry(msgspec.Struct, frozen=True):
    """One rotation of the house's key: when, and the new public key."""

    at: int
    moment: str
    public_key: str


class WitnessCompared(msgspec.Struct, frozen=True):
    """What was compared with one witness: its statements of this house, and the time of the newest one."""

    source: str
    statements: int
    first: int
    last: int
    until: str


class AuditStart(msgspec.Struct, frozen=True, kw_only=True):
    """Where an audit started, and what earlier audits had verified before it."""

    events: int = 0
    """How many events the checkpoint covers; 0 where the audit started at the first event."""
    at: int | None = None
    """When the checkpoint was written."""
    moment: str = ""
    public_key: str = ""
    """The key that signed the checkpoint."""
    counts: AuditCounts = AuditCounts()
    """What was verified up to the checkpoint."""
    reason: str = ""
    """Why a checkpoint was not used, if there was one."""


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an audit."""

    house: str
    """The id of the house; empty where no founding event is readable."""
    public_key: str
    """The key that signs now."""
    start: AuditStart
    counts: AuditCounts
    """What this audit has checked, after its start."""
    findings: tuple[AuditFinding, ...]
    cannot_exclude: tuple[str, ...]
    restores: tuple[RestoreEntry, ...] = ()
    """Every restore of the house from an older state."""
    rotations: tuple[RotationEntry, ...] = ()
    """Every rotation of the house's key that the key before it signed."""
    unreleased: tuple[str, ...] = ()
    """Every installation of a rulebook that is not part of the release, in a sentence (P39)."""
    witnesses: tuple[WitnessCompared, ...] = ()
    """What every given witness was compared for."""
    unlisted: int = 0
    """How many findings are counted but not listed."""

    @property
    def clean(self) -> bool:
        """Return whether there are no findings."""
        return not self.findings


class Findings:
    """Collects findings; repeats of one kind in one stream are only counted after a limit."""

    def __init__(self) -> None:
        """Start without findings."""
        self.listed: list[AuditFinding] = []
        self.unlisted = 0
        self._seen: Counter[tuple[str, str, FindingKind]] = Counter()

    def add(self, place: FindingPlace, what: FindingKind, sentence: str) -> None:
        """Add a finding."""
        group = place.kept, place.name, what
        self._seen[group] += 1
        if self._seen[group] <= MAX_LISTED:
            self.listed.append(AuditFinding(place, what, sentence))
        else:
            self.unlisted += 1


MAX_LENGTH = 200
"""Longer values are cut."""
FIELD_NAMES = {"to": "place", "by": "author", "at": "moment"}


def event_name(event: Any) -> str:
    """Return the name of an event in words: ``wager placed``."""
    return str(type(event).__struct_config__.tag).replace("_", " ")


def describe_difference(event: Any, must: Any) -> str:
    """Describe how an event differs from the expected one."""
    if type(event) is not type(must):
        wanted = event_name(must) if hasattr(must, "__struct_fields__") else _format_value(must)
        return f"It is {event_name(event)}, and must be {wanted}."
    parts = [
        f"its {FIELD_NAMES.get(name, name)} must be {_format_value(wanted)}, not {_format_value(has)}"
        for name in event.__struct_fields__
        if (has := getattr(event, name)) != (wanted := getattr(must, name))
    ]
    return f"By the rules {'; '.join(parts)}."


def _format_value(value: object) -> str:
    """Format a value: cards as cards, anything else as JSON, cut where it is long."""
    text = cards_text(value) if _are_cards(value) else msgspec.json.encode(value).decode()  # type: ignore[arg-type]
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."


def _are_cards(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(_is_card(each) for each in value)


def _is_card(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < DECK_SIZE

"""Audit report: counts of what was checked, findings with their places, and the limits of the audit."""

from collections import Counter
from datetime import UTC, datetime
from typing import Literal, get_args

import msgspec

from fourcard.house.events import HouseRestored

Kind = Literal[
    "altered",
    "missing",
    "inserted",
    "unreadable",
    "envelope",
    "repeated",
    "author",
    "signature",
    "anchor",
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
KINDS: tuple[Kind, ...] = get_args(Kind)
Kept = Literal[
    "events", "streams", "transfers", "balances", "games", "secrets", "snapshots", "meters", "anchor"
]
"""The stored data that a finding is about."""
MOST_LISTED = 100
"""How many findings of one kind in one stream are listed; the others are only counted."""


def moment(at: int) -> str:
    """Format a time in UTC; a number outside the calendar is shown as it is."""
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"moment {at}"


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """The place of a finding."""

    kept: Kept
    name: str = ""
    """The stream, account, game or meter."""
    sequence: int | None = None
    """The event, or the shuffle of a secret."""
    number: int | None = None
    """Which movement of an event."""

    def __str__(self) -> str:
        """Return the place as text."""
        if self.kept == "events":
            return self.name if self.sequence is None else f"{self.name}, event {self.sequence}"
        if self.kept == "transfers":
            return f"transfer {self.number} of {self.name}, event {self.sequence}"
        if self.kept == "secrets":
            return f"secret of {self.name}, shuffle {self.sequence}"
        if self.kept == "anchor":
            return f"anchor, {self.name}" if self.name else "anchor"
        what = "head" if self.kept == "streams" else self.kept.removesuffix("s")
        return f"{what} of {self.name}" if what in ("head", "balance", "snapshot") else f"{what} {self.name}"


class Finding(msgspec.Struct, frozen=True):
    """A fault: its place, its kind, and a sentence that explains it."""

    place: Place
    what: Kind
    sentence: str


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much was checked, so that an empty list of findings cannot be mistaken for an audit."""

    streams: int = 0
    events: int = 0
    commands: int = 0
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
    secrets: int = 0
    """Unrevealed secrets that were compared with their commitments."""


class Restore(msgspec.Struct, frozen=True):
    """One restore of the house from an older state: when, and the recorded event."""

    at: int
    moment: str
    recorded: HouseRestored


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an audit."""

    house: str
    """The id of the house; empty where no founding event is readable."""
    public_key: str
    counts: Counts
    findings: tuple[Finding, ...]
    cannot_exclude: tuple[str, ...]
    restores: tuple[Restore, ...] = ()
    """Every restore of the house from an older state."""
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
        self.listed: list[Finding] = []
        self.unlisted = 0
        self._seen: Counter[tuple[str, str, Kind]] = Counter()

    def add(self, place: Place, what: Kind, sentence: str) -> None:
        """Add a finding."""
        group = place.kept, place.name, what
        self._seen[group] += 1
        if self._seen[group] <= MOST_LISTED:
            self.listed.append(Finding(place, what, sentence))
        else:
            self.unlisted += 1

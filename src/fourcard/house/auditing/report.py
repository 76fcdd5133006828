"""What an audit looked at, what it found and where, and what it cannot exclude."""

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
"""What can be wrong; the audit's page of the documents says what each means."""
KINDS: tuple[Kind, ...] = get_args(Kind)
Kept = Literal[
    "events", "streams", "transfers", "balances", "games", "secrets", "snapshots", "meters", "anchor"
]
"""Where things are kept."""
MOST_LISTED = 100
"""Findings of one kind in one stream that are told one by one; of the others only the number."""


def moment(at: int) -> str:
    """Return a moment as a person reads it, whatever number stands for it."""
    try:
        return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"moment {at}"


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where something was found."""

    kept: Kept
    name: str = ""
    """The stream, account, game or meter."""
    sequence: int | None = None
    """The event, or the shuffle of a secret."""
    number: int | None = None
    """Which movement of an event."""

    def __str__(self) -> str:
        """Return the place as a person reads it."""
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
    """Something that is not as it must be: where, what, and a sentence about it."""

    place: Place
    what: Kind
    sentence: str


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much was looked at, so that nobody takes silence for an audit."""

    streams: int = 0
    events: int = 0
    commands: int = 0
    rounds: int = 0
    """Rounds that are finished, void ones among them."""
    shuffles: int = 0
    """Orders worked out anew from their secrets."""
    settlements: int = 0
    """Rounds settled anew."""
    transfers: int = 0
    """Movements of money worked out anew."""
    accounts: int = 0
    meters: int = 0
    pairs: int = 0
    """Events that two streams must have in common."""
    signatures: int = 0
    snapshots: int = 0
    games: int = 0
    secrets: int = 0
    """Secrets not revealed yet that were held against their commitments."""


class Restore(msgspec.Struct, frozen=True):
    """One time that the house went on from an older state: when, and what was recorded of it."""

    at: int
    moment: str
    recorded: HouseRestored


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an audit."""

    house: str
    """The name that the house was founded under, empty where nothing tells it."""
    public_key: str
    counts: Counts
    findings: tuple[Finding, ...]
    cannot_exclude: tuple[str, ...]
    restores: tuple[Restore, ...] = ()
    """Every time that the house went on from an older state."""
    unlisted: int = 0
    """Findings beyond those that are told one by one."""

    @property
    def clean(self) -> bool:
        """Say whether nothing was found."""
        return not self.findings


class Findings:
    """Gathers findings, and only counts those that say the same of the same stream too often."""

    def __init__(self) -> None:
        """Begin with none."""
        self.listed: list[Finding] = []
        self.unlisted = 0
        self._seen: Counter[tuple[str, str, Kind]] = Counter()

    def add(self, place: Place, what: Kind, sentence: str) -> None:
        """Note something."""
        like = place.kept, place.name, what
        self._seen[like] += 1
        if self._seen[like] <= MOST_LISTED:
            self.listed.append(Finding(place, what, sentence))
        else:
            self.unlisted += 1

"""Audit context: what the parts of one audit share, and the data that they collect for each other."""

from collections import Counter

from fourcard.house.actors import AnyCommand
from fourcard.house.auditing.ledger import Ledger
from fourcard.house.auditing.pairs import Pairs
from fourcard.house.auditing.pinned import Pinned
from fourcard.house.auditing.report import Findings, Kind, Place
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import HOUSE
from fourcard.house.permissions import named, permissions
from fourcard.house.records import Recorded
from fourcard.house.store.contract import Reading

OF_HOUSE = ("table_restored", "meter_restored")
"""Events that the house itself causes; they must match a restore in the house's own stream."""


def role_fault(record: Recorded, command: AnyCommand) -> str | None:
    """Return why a command is not allowed in its role, or None."""
    row = permissions().commands[str(type(command).__struct_config__.tag)]
    if record.role in row.roles:
        return None
    return f"Nobody may {named(command)} as {record.role}."


class Case:
    """The shared state of one running audit."""

    def __init__(self, reading: Reading, findings: Findings) -> None:
        """Read what the store holds besides the journal."""
        self.findings, self.tally = findings, Counter[str]()
        self.games = Pinned(reading.games(), findings)
        self.ledger = Ledger(reading.transfers(), findings)
        self.pairs = Pairs(findings)
        self.secrets = dict(reading.secrets())
        """Stored secrets that no commitment has used yet."""
        self.snapshots = {each.stream: each for each in reading.snapshots()}
        """Snapshots that were not compared with a state yet."""
        self.players: set[str] = set()
        """Players with an account."""
        self.authors: set[tuple[str, str]] = set()
        """Everyone ever employed here, with each role that the person could act in."""
        self.meters: dict[str, MeterBook] = {}
        self.restores: set[int] = set()
        """The numbers of the restores in the house's own stream."""

    def note(self, record: Recorded, what: Kind, sentence: str) -> None:
        """Add a finding about an event."""
        self.findings.add(Place("events", record.stream, record.sequence), what, sentence)

    def authored(self, record: Recorded) -> None:
        """Check that the author of a command had an account, or was employed in its role."""
        by, role = record.by, record.role
        if (by, role) == (HOUSE, HOUSE) and record.kind in OF_HOUSE:
            return
        known = by in self.players if role == "player" else (by, role) in self.authors
        if not known and self.authors:
            self.note(record, "author", f"'{by}' never had the right to act as {role} here.")

    def forget(self, stream: str, table: str) -> None:
        """Drop what other streams and the store hold for a table that cannot be replayed."""
        self.pairs.forget(table)
        for key in [key for key in self.secrets if key[0] == stream]:
            del self.secrets[key]

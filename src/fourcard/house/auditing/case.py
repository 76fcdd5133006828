"""What the parts of an audit share: one view of the store, and everything that is gathered on the way."""

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
"""What the house does by itself; it is held to the restores that its own stream records."""


def role_fault(record: Recorded, command: AnyCommand) -> str | None:
    """Return what is wrong with the role in which a command was given, whoever gave it."""
    row = permissions().commands[str(type(command).__struct_config__.tag)]
    if record.role in row.roles:
        return None
    return f"Nobody may {named(command)} as {record.role}."


class Case:
    """One audit under way."""

    def __init__(self, reading: Reading, findings: Findings) -> None:
        """Look at what is kept beside the journal."""
        self.findings, self.tally = findings, Counter[str]()
        self.games = Pinned(reading.games(), findings)
        self.ledger = Ledger(reading.transfers(), findings)
        self.pairs = Pairs(findings)
        self.secrets = dict(reading.secrets())
        """Secrets that nothing has asked for yet."""
        self.snapshots = {each.stream: each for each in reading.snapshots()}
        """Snapshots that have not been held against a state yet."""
        self.players: set[str] = set()
        """Who has an account."""
        self.authors: set[tuple[str, str]] = set()
        """Who was ever employed here, in each role that the person could act in."""
        self.meters: dict[str, MeterBook] = {}
        self.restores: set[int] = set()
        """The restores that the house's own stream records."""

    def note(self, record: Recorded, what: Kind, sentence: str) -> None:
        """Note something about an event."""
        self.findings.add(Place("events", record.stream, record.sequence), what, sentence)

    def authored(self, record: Recorded) -> None:
        """Note a command by somebody who never had an account, or was never employed to act so."""
        by, role = record.by, record.role
        if (by, role) == (HOUSE, HOUSE) and record.kind in OF_HOUSE:
            return
        known = by in self.players if role == "player" else (by, role) in self.authors
        if not known and self.authors:
            self.note(record, "author", f"'{by}' never had the right to act as {role} here.")

    def forget(self, stream: str, table: str) -> None:
        """Ask nothing more of what is kept for a table that cannot be replayed."""
        self.pairs.forget(table)
        for key in [key for key in self.secrets if key[0] == stream]:
            del self.secrets[key]

"""Witness check: verifies the statements at a witness, and compares every head ever stated with the journal.

The stored hashes of the stated part of each stream are read once more for it, also before a checkpoint.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from fourcard.house.audit.report import FindingPlace, Findings, RestoreEntry, WitnessCompared, format_time
from fourcard.house.head_signatures import HouseIdentity
from fourcard.house.journal import StreamHead
from fourcard.house.store.interface import ReadTransaction, StoreError
from fourcard.house.witness_statements import (
    WitnessPosition,
    WitnessStatement,
    is_genuine_statement,
    read_statement,
    statement_digest,
)

MAX_HEADS = 200_000
"""Heads in memory before they are compared."""


class StatementLines(Protocol):
    """A source of statements, which can be read again."""

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every statement."""
        ...


class WitnessSource(msgspec.Struct, frozen=True):
    """What an audit compares the journal with."""

    name: str
    """The folder, file or URL."""
    statements: StatementLines
    complete: bool = True
    """Whether it begins with the first statement; one file of several need not."""


class StatedHead(msgspec.Struct, frozen=True, order=True):
    """The head of a stream in a statement."""

    sequence: int
    hash: str
    number: int
    """The number of the statement."""
    at: int


class WitnessCheck:
    """Checks one witness."""

    def __init__(
        self,
        reading: ReadTransaction,
        identity: HouseIdentity | None,
        findings: Findings,
        restores: Sequence[RestoreEntry],
        source: WitnessSource,
    ) -> None:
        """Take the identity of the house, which holds its keys, and the restores of the house."""
        self._reading, self._findings, self._restores = reading, findings, restores
        self._source, self._identity = source, identity
        self._key = 0
        """Which of the house's keys signed the statement before."""
        self._last: WitnessPosition | None = WitnessPosition() if source.complete else None
        """The statement before; its digest is empty where it is not known."""
        self._heads: defaultdict[str, set[StatedHead]] = defaultdict(set)
        self._held = 0
        self._first = 0
        self._count = 0
        self.until = 0
        """The time of the newest statement of the house."""
        self.names: set[str] = set()
        """The names that the house has for this witness."""
        self.known: dict[str, int] = {}
        """By stream, the last sequence at which the journal has the stated hash."""

    @property
    def compared(self) -> WitnessCompared:
        """Return how much was compared."""
        last = 0 if self._last is None else self._last.number
        until = format_time(self.until) if self._count else ""
        return WitnessCompared(self._source.name, self._count, self._first, last, until)

    def run(self) -> None:
        """Check every statement."""
        for line in self._source.statements.lines():
            statement = read_statement(line)
            if statement is not None:  # a crash can cut a line short; a statement that is lost leaves a gap
                self._check(statement, statement_digest(line))
                if self._held >= MAX_HEADS:
                    self._compare_all()
        self._compare_all()
        if not self._count:
            self._findings.add(self._place(), "witness", "It holds no statement of this house.")

    def _check(self, statement: WitnessStatement, digest: str) -> None:
        number = statement.number
        genuine = self._is_genuine(statement)
        self._check_order(statement)
        self._last = WitnessPosition(number, digest)
        if not genuine:
            return
        if statement.at < self.until:
            sentence = f"Time goes back, from {format_time(self.until)} to {format_time(statement.at)}."
            self._note(number, sentence)
        self.until = max(self.until, statement.at)
        self._first = self._first or number
        self._count += 1
        self.names.add(statement.witness)
        for head in statement.heads:
            self._heads[head.stream].add(StatedHead(head.sequence, head.hash, number, statement.at))
        self._held += len(statement.heads)

    def _is_genuine(self, statement: WitnessStatement) -> bool:
        """Report a statement that this house did not sign; it is not used."""
        identity = self._identity
        keys = () if identity is None else identity.public_keys[self._key :]
        if identity is not None and (statement.house != identity.house or statement.public_key not in keys):
            self._note(statement.number, "It is another house's, or carries another key than this house's.")
            return False
        if not is_genuine_statement(statement):
            self._note(statement.number, "It is not signed with the key of the house: it proves nothing.")
            return False
        self._key += keys.index(statement.public_key) if keys else 0
        return True

    def _check_order(self, statement: WitnessStatement) -> None:
        """Report a gap or a fork before a statement."""
        last, number = self._last, statement.number
        if last is None:
            return
        if number > last.number + 1:
            missing = last.number + 1
            which = f"{missing} is" if missing == number - 1 else f"{missing} to {number - 1} are"
            self._note(number, f"There is a gap before it: statement {which} missing.")
        elif number <= last.number:
            self._note(number, f"There is a fork: it comes after statement {last.number}.")
        elif statement.previous != last.digest:
            sentence = f"There is a fork: it follows another statement {last.number} than the one here."
            self._note(number, sentence)

    def _compare_all(self) -> None:
        for stream in sorted(self._heads):
            try:
                self._compare(stream, sorted(self._heads[stream]))
            except StoreError as error:
                self._findings.add(self._place(), "witness", f"{stream} cannot be compared: {error}")
        self._heads.clear()
        self._held = 0

    def _compare(self, stream: str, heads: Sequence[StatedHead]) -> None:
        """Compare the stated heads of a stream with its stored records, in order."""
        records = self._reading.stored_records(stream, heads[0].sequence - 1)
        record = next(records, None)
        lost, other = list[StatedHead](), list[StatedHead]()
        for head in heads:
            while record is not None and record.sequence < head.sequence:
                record = next(records, None)
            if record is None:
                lost.append(head)
            elif (record.sequence, record.hash.hex()) != (head.sequence, head.hash):
                other.append(head)
            else:
                self.known[stream] = max(head.sequence, self.known.get(stream, 0))
        if other:
            what = f"It has another hash of {stream} at event {other[0].sequence}"
            self._note_heads(
                f"{what}: the journal was rewritten, or the house went two ways", other[0], other
            )
        if lost:
            ends = self._reading.streams([stream]).get(stream, StreamHead()).sequence
            what = f"It has event {lost[-1].sequence} of {stream}, and the journal ends at event {ends}"
            self._note_heads(f"{what}: the house was rolled back, or the end was cut off", lost[-1], lost)

    def _note_heads(self, sentence: str, head: StatedHead, heads: Sequence[StatedHead]) -> None:
        """Report stated heads of a stream at one of them, with the restores that were recorded since."""
        count = len({each.number for each in heads}) - 1
        others = f" {count:,} more {'statements say' if count > 1 else 'statement says'} the same."
        restores = [each.recorded.restore for each in self._restores if each.at >= head.at]
        since = f" Restore {restores[0]} is recorded since." if restores else ""
        self._note(head.number, f"{sentence}.{others if count else ''}{since}")

    def _note(self, number: int, sentence: str) -> None:
        self._findings.add(self._place(number), "witness", sentence)

    def _place(self, number: int | None = None) -> FindingPlace:
        return FindingPlace("witness", self._source.name, number)

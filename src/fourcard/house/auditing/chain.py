"""Hash chain check of one stream: sequence, hash, command envelope and signed heads of every event."""

from collections.abc import Mapping, Sequence

from fourcard.house.auditing.report import Findings, Kind, Place
from fourcard.house.records import GENESIS, Head, Recorded, link

Seal = tuple[str, str]
"""A signed hash of a stream at a sequence, in hexadecimal, and who signed it."""
Seals = Mapping[int, Sequence[Seal]]
BEFORE_ALL = -(2**62)
"""Below every sequence, so that rows inserted before the first event are read too."""


class Chain:
    """Checks the events of a stream from the first to the last."""

    def __init__(self, stream: str, head: Head | None, seals: Seals, findings: Findings) -> None:
        """Start before the first event, with the stored head and the signed hashes."""
        self.stream, self.head, self.findings = stream, head, findings
        self.last = 0
        self.hash = GENESIS
        """The stored hash of the last event."""
        self._seals, self._sealed = seals, 0
        self._expected_hash: bytes | None = None
        """The hash that the last event should have, where the stored one is wrong."""
        self._gap = False
        self._first: Recorded | None = None
        """The first known event of the current command."""
        self._keys: set[str] = set()
        self._end = 0 if head is None else head.sequence
        self._beyond = 0
        """The first event after the head."""

    @property
    def sealed(self) -> bool:
        """Return whether any event of the stream was signed."""
        return bool(self._seals)

    def follow(self, record: Recorded) -> None:
        """Check the next event."""
        sequence = record.sequence
        known = sequence == self.last + 1
        if not known:
            self._report_gap(record)
        if link(self.hash, record) != record.hash:
            self._report_unlinked(record)
        else:
            self._expected_hash = None
        if record.command == sequence:
            self._first = record
            if record.key or record.digest:
                self._check_key(record)
        elif known:
            self._check_envelope(record)
        else:
            self._first = record
        if sequence in self._seals:
            self._check_signed(record)
        if sequence > self._end and not self._beyond:
            self._beyond = sequence
        self.hash = record.hash
        self.last = max(self.last, sequence)

    def end(self) -> None:
        """Compare the end of the stream with its stored head and with signatures of later events."""
        self._check_head()
        beyond = [sequence for sequence in self._seals if sequence > self.last]
        if beyond:
            last = max(beyond)
            sentence = f"{self._span(last)} missing: {self._seals[last][0][1]} has signed event {last}."
            self._note(self.last + 1, "missing", sentence)

    def _report_gap(self, record: Recorded) -> None:
        """Report a gap, or an event at an impossible sequence."""
        if record.sequence <= self.last:
            self._note(record.sequence, "inserted", "It has an impossible sequence: no event can be there.")
            return
        self._note(self.last + 1, "missing", f"{self._span(record.sequence - 1)} missing.")
        self._gap = True

    def _span(self, until: int) -> str:
        first = self.last + 1
        return f"Event {first} is" if until == first else f"Events {first} to {until} are"

    def _report_unlinked(self, record: Recorded) -> None:
        """Report an event that is not chained to the one before; after an altered one either may fit."""
        unknown, self._gap = self._gap, False
        other, self._expected_hash = self._expected_hash, None
        if unknown or (other is not None and link(other, record) == record.hash):
            return
        self._note(record.sequence, "altered", f"The {record.kind} does not match its hash.")
        self._expected_hash = link(self.hash, record)

    def _check_key(self, record: Recorded) -> None:
        """Check the key and the digest of a command, which its first event carries."""
        if not (record.key and record.digest):
            self._note(record.sequence, "envelope", "It must carry both a key and a digest, or neither.")
        if record.key in self._keys:
            self._note(record.sequence, "repeated", f"The key '{record.key}' is used twice in the stream.")
        self._keys.add(record.key)

    def _check_envelope(self, record: Recorded) -> None:
        """Check an event that is not the first of its command."""
        if self._first is None or _envelope(record) != _envelope(self._first):
            sentence = f"It does not belong to the command of event {record.command}, as it claims."
            self._note(record.sequence, "envelope", sentence)
            self._first = record
        if record.key or record.digest:
            sentence = "Only the first event of a command may carry its key."
            self._note(record.sequence, "envelope", sentence)

    def _check_signed(self, record: Recorded) -> None:
        """Compare an event with its signed hashes."""
        found = record.hash.hex()
        broken = [who for sealed, who in self._seals[record.sequence] if sealed != found]
        if broken:
            since = f"between event {self._sealed + 1} and this one" if self._sealed else "up to this event"
            sentence = f"The stream was rewritten {since}: {broken[0]} has signed another hash."
            self._note(record.sequence, "altered", sentence)
        else:
            self._sealed = record.sequence

    def _check_head(self) -> None:
        place, head = Place("streams", self.stream), self.head
        if head is None and not self.last:
            return
        if head is None:
            self.findings.add(place, "missing", "The journal has events, but the table of heads has no row.")
        elif head.sequence > self.last:
            sentence = f"{self._span(head.sequence)} missing: the head stands at {head.sequence}."
            self._note(self.last + 1, "missing", sentence)
        elif head.sequence < self.last:
            sentence = f"The head stands at event {head.sequence}: it was moved back, or the rest was added."
            self._note(self._beyond, "inserted", sentence)
        elif head.hash != self.hash:
            self.findings.add(place, "altered", f"It has another hash than event {self.last}.")

    def _note(self, sequence: int, what: Kind, sentence: str) -> None:
        self.findings.add(Place("events", self.stream, sequence), what, sentence)


def _envelope(record: Recorded) -> tuple[int, int, str, str]:
    return record.command, record.at, record.by, record.role

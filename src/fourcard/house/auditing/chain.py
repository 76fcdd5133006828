"""The chain of one stream: every event in its place, with its hash, as part of its command, and as signed."""

from collections.abc import Mapping, Sequence

from fourcard.house.auditing.report import Findings, Kind, Place
from fourcard.house.records import GENESIS, Head, Recorded, link

Seal = tuple[str, str]
"""The hash that a stream had at a sequence, in hexadecimal, and who says so."""
Seals = Mapping[int, Sequence[Seal]]
BEFORE_ALL = -(2**62)
"""Rows that stand before the first event are read too."""


class Chain:
    """Follows the events of a stream from the first one on."""

    def __init__(self, stream: str, head: Head | None, seals: Seals, findings: Findings) -> None:
        """Begin before the first event, knowing where the stream must end and what was signed."""
        self.stream, self.head, self.findings = stream, head, findings
        self.last = 0
        self.hash = GENESIS
        """The hash of the last event, as it is kept."""
        self._seals, self._sealed = seals, 0
        self._other: bytes | None = None
        """The hash that the last event should have, where it has another."""
        self._gap = False
        self._first: Recorded | None = None
        """The first event of the command at hand that is known."""
        self._keys: set[str] = set()
        self._end = 0 if head is None else head.sequence
        self._beyond = 0
        """The first event after the head."""

    @property
    def sealed(self) -> bool:
        """Say whether anything of the stream was signed."""
        return bool(self._seals)

    def follow(self, record: Recorded) -> None:
        """Go on to the next event, and note what is wrong with it."""
        sequence = record.sequence
        known = sequence == self.last + 1
        if not known:
            self._out_of_place(record)
        if link(self.hash, record) != record.hash:
            self._unlinked(record)
        else:
            self._other = None
        if record.command == sequence:
            self._first = record
            if record.key or record.digest:
                self._keyed(record)
        elif known:
            self._continue(record)
        else:
            self._first = record
        if sequence in self._seals:
            self._hold(record)
        if sequence > self._end and not self._beyond:
            self._beyond = sequence
        self.hash = record.hash
        self.last = max(self.last, sequence)

    def end(self) -> None:
        """Hold the end of the stream against the table of heads and what was signed beyond it."""
        self._at_head()
        beyond = [sequence for sequence in self._seals if sequence > self.last]
        if beyond:
            last = max(beyond)
            sentence = f"{self._span(last)} missing: {self._seals[last][0][1]} has signed event {last}."
            self._note(self.last + 1, "missing", sentence)

    def _out_of_place(self, record: Recorded) -> None:
        """Note a gap, or an event that stands where none can be."""
        if record.sequence <= self.last:
            self._note(record.sequence, "inserted", "It stands where no event can stand.")
            return
        self._note(self.last + 1, "missing", f"{self._span(record.sequence - 1)} missing.")
        self._gap = True

    def _span(self, until: int) -> str:
        first = self.last + 1
        return f"Event {first} is" if until == first else f"Events {first} to {until} are"

    def _unlinked(self, record: Recorded) -> None:
        """Note an event that is not chained to the one before; of an altered one either hash may be right."""
        unknown, self._gap = self._gap, False
        other, self._other = self._other, None
        if unknown or (other is not None and link(other, record) == record.hash):
            return
        self._note(record.sequence, "altered", f"The {record.kind} does not have its hash.")
        self._other = link(self.hash, record)

    def _keyed(self, record: Recorded) -> None:
        """Look at the key and the digest of a command, which stand on its first event."""
        if not (record.key and record.digest):
            self._note(record.sequence, "envelope", "A key and the digest of its command stand together.")
        if record.key in self._keys:
            self._note(record.sequence, "repeated", f"The key '{record.key}' stands in the stream twice.")
        self._keys.add(record.key)

    def _continue(self, record: Recorded) -> None:
        """Look at an event that is not the first of its command."""
        if self._first is None or _envelope(record) != _envelope(self._first):
            sentence = f"It is not of one command with event {record.command}, as it says."
            self._note(record.sequence, "envelope", sentence)
            self._first = record
        if record.key or record.digest:
            sentence = "A key stands only on the first event of its command."
            self._note(record.sequence, "envelope", sentence)

    def _hold(self, record: Recorded) -> None:
        """Hold an event against what was signed of it."""
        found = record.hash.hex()
        broken = [who for sealed, who in self._seals[record.sequence] if sealed != found]
        if broken:
            since = f"between event {self._sealed + 1} and this one" if self._sealed else "up to this event"
            sentence = f"The stream was rewritten {since}: {broken[0]} has signed another hash."
            self._note(record.sequence, "altered", sentence)
        else:
            self._sealed = record.sequence

    def _at_head(self) -> None:
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

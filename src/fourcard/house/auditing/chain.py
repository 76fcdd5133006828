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

    def __init__(self, stream: str, seals: Seals, findings: Findings) -> None:
        """Begin before the first event, knowing what was signed."""
        self.stream, self.findings = stream, findings
        self.last = 0
        self.hash = GENESIS
        """The hash of the last event, as it is kept."""
        self._seals, self._sealed = seals, 0
        self._before: tuple[bytes, ...] = (GENESIS,)
        """What the next event may be chained to; nothing where an event is missing."""
        self._command = 0
        self._envelope = (0, "", "")
        self._keys: set[str] = set()

    def follow(self, record: Recorded) -> None:
        """Go on to the next event, and note what is wrong with it."""
        sequence = record.sequence
        known = sequence == self.last + 1
        if not known:
            self._out_of_place(record)
        self._linked(record)
        if record.command == sequence:
            self._begin(record)
        elif known:
            self._continue(record)
        else:
            self._command, self._envelope = record.command, (record.at, record.by, record.role)
        if sequence in self._seals:
            self._hold(record)
        self.last, self.hash = max(sequence, self.last), record.hash

    def end(self, head: Head | None) -> None:
        """Hold the end of the stream against the table of heads and what was signed beyond it."""
        self._at_head(head)
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
        self._before = ()

    def _span(self, until: int) -> str:
        first = self.last + 1
        return f"Event {first} is" if until == first else f"Events {first} to {until} are"

    def _linked(self, record: Recorded) -> None:
        """Work the hash out anew; after an altered event either of its two hashes may be the right one."""
        links = [link(before, record) for before in self._before]
        if record.hash in links or not links:
            self._before = (record.hash,)
            return
        self._note(record.sequence, "altered", f"The {record.kind} does not have its hash.")
        self._before = (record.hash, links[0])

    def _begin(self, record: Recorded) -> None:
        """Begin a command; only here stand its key and its digest."""
        self._command, self._envelope = record.command, (record.at, record.by, record.role)
        key = record.key
        if not key and not record.digest:
            return
        if not (key and record.digest):
            self._note(record.sequence, "envelope", "A key and the digest of its command stand together.")
        if key in self._keys:
            self._note(record.sequence, "repeated", f"The key '{key}' stands in the stream twice.")
        self._keys.add(key)

    def _continue(self, record: Recorded) -> None:
        if record.command != self._command or (record.at, record.by, record.role) != self._envelope:
            sentence = f"It is not of one command with event {record.command}, as it says."
            self._note(record.sequence, "envelope", sentence)
            self._command, self._envelope = record.command, (record.at, record.by, record.role)
        if record.key or record.digest:
            self._note(record.sequence, "envelope", "A key stands only on the first event of its command.")

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

    def _at_head(self, head: Head | None) -> None:
        place = Place("streams", self.stream)
        if head is None:
            self.findings.add(place, "missing", "The journal has events, but the table of heads has no row.")
        elif head.sequence > self.last:
            sentence = f"{self._span(head.sequence)} missing: the head stands at {head.sequence}."
            self._note(self.last + 1, "missing", sentence)
        elif head.sequence < self.last:
            sentence = f"The head stands at event {head.sequence}; what comes after it was added, or the head was moved."
            self._note(head.sequence + 1, "inserted", sentence)
        elif head.hash != self.hash:
            self.findings.add(place, "altered", f"It has another hash than event {self.last}.")

    def _note(self, sequence: int, what: Kind, sentence: str) -> None:
        self.findings.add(Place("events", self.stream, sequence), what, sentence)

"""Signature audit: the founding event, the signed heads in the house's own stream, and an outside anchor."""

from collections import defaultdict

from fourcard.house.auditing.chain import Seal
from fourcard.house.auditing.report import Findings, Kind, Place
from fourcard.house.events import HeadsSigned, HouseFounded, HouseRestored, SignedHead
from fourcard.house.outcome import HOUSE
from fourcard.house.records import Recorded
from fourcard.house.signing import Anchor, is_genuine, is_signed


class Signed:
    """Checks the house's own stream, and collects the signed hashes of the other streams."""

    def __init__(self, founded: HouseFounded | None, findings: Findings) -> None:
        """Start with the founding event, which holds the public key."""
        self.founded, self.findings = founded, findings
        self.seals: dict[str, dict[int, list[Seal]]] = defaultdict(lambda: defaultdict(list))
        self.last: Recorded | None = None
        """The newest event with signed heads."""
        self.until: dict[str, int] = {}
        """By stream, the last sequence that a signature of the house covers."""
        self.count = 0
        self.restores: list[tuple[Recorded, HouseRestored]] = []
        """Every restore of the house from an older state (P38)."""

    def follow(self, record: Recorded, event: object) -> None:
        """Check the next event of the house's stream."""
        if isinstance(event, HeadsSigned):
            self._signed(record, event)
        elif isinstance(event, HouseRestored):
            self._restored(record, event)
        elif record.sequence != 1:
            self._note(record.sequence, "inserted", "A house is founded once, and by its first event.")

    def _restored(self, record: Recorded, event: HouseRestored) -> None:
        """Record a restore; restores are numbered without a gap."""
        if event.restore != len(self.restores) + 1:
            self._note(record.sequence, "inserted", f"Restore {len(self.restores) + 1} is the next one.")
        self.restores.append((record, event))

    def end(self) -> None:
        """Report a house without a founding event, where nothing can be verified."""
        if self.founded is None:
            self._note(1, "missing", "The house was never founded: its name and its key are not known.")

    def _signed(self, record: Recorded, event: HeadsSigned) -> None:
        """Verify a signature; heads with a wrong signature are not used."""
        self.count += 1
        founded = self.founded
        if founded is None:
            return
        if not is_signed(founded.public_key, event.signature, founded.house, record.at, event.heads):
            self._note(record.sequence, "signature", "The heads are not signed with the key of the house.")
            return
        self.last = record
        for head in event.heads:
            self._seal(head, f"event {record.sequence} of {HOUSE}")
            self.until[head.stream] = max(head.sequence, self.until.get(head.stream, 0))

    def _seal(self, head: SignedHead, who: str) -> None:
        self.seals[head.stream][head.sequence].append((head.hash, who))

    def hold(self, anchor: Anchor) -> bool:
        """Use the heads of an anchor if it belongs to this house and is genuine; return whether it does."""
        founded, place = self.founded, Place("anchor")
        if founded is not None and anchor.public_key != founded.public_key:
            sentence = (
                "It carries another key than the house was founded with: one of them is another house's."
            )
            self.findings.add(place, "anchor", sentence)
            return False
        if founded is not None and anchor.house != founded.house:
            self.findings.add(place, "anchor", f"It is of the house {anchor.house}, not of {founded.house}.")
            return False
        if not is_genuine(anchor):
            self.findings.add(
                place, "anchor", "It is not signed with its key: it was altered and proves nothing."
            )
            return False
        for head in anchor.heads:
            self._seal(head, "the anchor")
        return True

    def _note(self, sequence: int, what: Kind, sentence: str) -> None:
        self.findings.add(Place("events", HOUSE, sequence), what, sentence)

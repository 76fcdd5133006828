"""The shuffles of one table: committed to in time, drawn with the seeds of then, true to their secrets."""

from collections.abc import Callable
from typing import Any

import msgspec

from fourcard.errors import BadInputError
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.report import Kind, Place
from fourcard.house.events import SecretRevealed, ShuffleCommitted, ShuffleDrawn, TableRestored
from fourcard.house.fairness import commitment_of, order_of
from fourcard.house.records import Recorded
from fourcard.house.shuffling import spent
from fourcard.house.table_book import AnyTable, TableBook
from fourcard.table.events import StepPrepared


class Shuffle(msgspec.Struct):
    """One shuffle, from its commitment on."""

    commitment: str
    committed: Recorded
    drawn: Recorded | None = None
    seeds: tuple[tuple[str, str], ...] = ()
    order: tuple[int, ...] | None = None


class Shuffles:
    """Follows the commitments, orders and revelations of a table."""

    def __init__(self, case: Case, table: str, stream: str) -> None:
        """Begin before the first commitment."""
        self.case, self.table, self.stream = case, table, stream
        self._open: dict[int, Shuffle] = {}
        """Shuffles whose secret is not revealed, by number."""
        self._drawn = 0
        self._expected: tuple[int, int] | None = None
        """The shuffle and the deck of which the order must come next."""
        self._seen: object = None
        self._retiring: int | None = None
        """The shuffle that a restore must retire, though no deck got its order from it."""
        self._looks: dict[type, Callable[[TableBook, Recorded, Any], None]] = {
            StepPrepared: self._prepared,
            ShuffleCommitted: self._committed,
            ShuffleDrawn: self._draw,
            SecretRevealed: self._revealed,
            TableRestored: self._restored,
        }

    def before(self, book: AnyTable, record: Recorded, event: Any) -> None:
        """Look at an event of the table, with the table as it was before it."""
        look = self._looks.get(type(event))
        if look is not None and isinstance(book, TableBook):
            look(book, record, event)
        elif self._expected is not None:
            self._idle(record)

    def after(self, book: AnyTable, record: Recorded) -> None:
        """Look at the table after a command: what is spent must be revealed by then."""
        if self._retiring is not None:
            self.case.note(record, "shuffle", f"The restore did not retire shuffle {self._retiring}.")
            self._retiring = None
        if not isinstance(book, TableBook):
            return
        now = (book.state.decks, book.state.round is None)
        if now == self._seen:
            return
        self._seen = now
        for number in spent(book):
            self.case.note(record, "shuffle", f"The secret of shuffle {number} had to be revealed by now.")

    def _idle(self, record: Recorded) -> None:
        """Note a shuffle that was drawn for nothing."""
        if self._expected is not None:
            self.case.note(record, "shuffle", f"Shuffle {self._expected[0]} gave no deck its order.")
            self._expected = None

    def _committed(self, book: TableBook, record: Recorded, event: ShuffleCommitted) -> None:
        """Hold commitments to be one ahead, and without a gap."""
        self._idle(record)
        if event.shuffle != book.shuffle + 1 or event.shuffle != self._drawn + 1:
            wanted = f"shuffle {self._drawn + 1} is the next to be committed to"
            self.case.note(record, "shuffle", f"It commits to shuffle {event.shuffle}; {wanted}.")
        self._open[event.shuffle] = Shuffle(event.commitment, record)

    def _draw(self, book: TableBook, record: Recorded, event: ShuffleDrawn) -> None:
        self._idle(record)
        known = self._open.get(event.shuffle)
        if known is None or known.drawn is not None or event.shuffle != book.shuffle:
            sentence = f"Shuffle {event.shuffle} is drawn without a commitment that was open."
            self.case.note(record, "shuffle", sentence)
        if event.seeds != tuple(sorted(book.seeds.items())):
            self.case.note(record, "shuffle", "The seeds are not those that players had chosen until then.")
        if known is not None:
            known.drawn, known.seeds = record, event.seeds
        self._drawn, self._expected = event.shuffle, (event.shuffle, event.deck)

    def _prepared(self, book: TableBook, record: Recorded, event: StepPrepared) -> None:
        """Take the order that a shuffle gave; only cards that a dealer keys in have none."""
        if event.mixed is None and event.order is None:
            return
        expected, self._expected = self._expected, None
        if expected is None:
            if book.cards == "built-in" or event.order is not None:
                self.case.note(record, "shuffle", "The deck got its order without a shuffle of the house.")
            return
        number, deck = expected
        if event.deck != deck or event.order is None:
            self.case.note(record, "shuffle", f"Shuffle {number} was drawn for deck {deck}, with an order.")
        if number in self._open:
            self._open[number].order = event.order

    def _restored(self, book: TableBook, record: Recorded, event: TableRestored) -> None:
        """Expect the secret of the next shuffle to be shown and never used (P38)."""
        del event
        self._idle(record)
        self._retiring = book.shuffle or None

    def _revealed(self, book: TableBook, record: Recorded, event: SecretRevealed) -> None:
        known = self._open.pop(event.shuffle, None)
        if known is not None and known.drawn is None and event.shuffle == self._retiring:
            self._retiring, self._drawn = None, event.shuffle
            place = Place("events", record.stream, record.sequence)
            self._hold(known, event.shuffle, _secret(event), place, "shuffle")
            return
        if known is None or known.drawn is None:
            self.case.note(record, "shuffle", f"Shuffle {event.shuffle} has nothing to reveal.")
            return
        if event.shuffle not in spent(book):
            sentence = f"The secret of shuffle {event.shuffle} is shown while its cards can still be dealt."
            self.case.note(record, "shuffle", sentence)
        place = Place("events", record.stream, record.sequence)
        self._hold(known, event.shuffle, _secret(event), place, "shuffle")

    def _hold(self, known: Shuffle, number: int, secret: bytes, place: Place, what: Kind) -> None:
        """Hold a secret against its commitment, and the order of the deck against the secret."""
        findings = self.case.findings
        try:
            fits = commitment_of(secret) == known.commitment
            order = order_of(secret, self.table, number, known.seeds) if known.drawn is not None else None
        except BadInputError as error:
            findings.add(place, what, str(error))
            return
        if not fits:
            sentence = f"It is not the secret that event {known.committed.sequence} committed to."
            findings.add(place, what, sentence)
        elif known.drawn is not None and order != known.order:
            sentence = f"Shuffle {number} gave the deck another order than its secret gives."
            self.case.note(known.drawn, "shuffle", sentence)
        self.case.tally["shuffles"] += known.drawn is not None

    def end(self) -> None:
        """Hold the secrets that are kept against the shuffles that are not revealed."""
        for number, known in self._open.items():
            place = Place("secrets", self.stream, number)
            secret = self.case.secrets.pop((self.stream, number), None)
            if secret is None:
                sentence = f"Event {known.committed.sequence} committed to it, and it was not revealed."
                self.case.findings.add(place, "missing", sentence)
            else:
                self.case.tally["secrets"] += 1
                self._hold(known, number, secret, place, "altered")


def _secret(event: SecretRevealed) -> bytes:
    """Return a secret as bytes, none where its text is not hexadecimal."""
    try:
        return bytes.fromhex(event.secret)
    except ValueError:
        return b""

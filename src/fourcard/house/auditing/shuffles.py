"""Shuffle check of one table: commitments in time, the right seeds, and orders that match their secrets."""

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
    """One shuffle since its commitment."""

    commitment: str
    committed: Recorded
    drawn: Recorded | None = None
    seeds: tuple[tuple[str, str], ...] = ()
    order: tuple[int, ...] | None = None


class Shuffles:
    """Checks the commitments, orders and revealed secrets of a table."""

    def __init__(self, context: Case, table: str, stream: str) -> None:
        """Start before the first commitment."""
        self.context, self.table, self.stream = context, table, stream
        self._open: dict[int, Shuffle] = {}
        """Shuffles whose secret is not revealed yet, by number."""
        self._drawn = 0
        self._expected: tuple[int, int] | None = None
        """The shuffle and the deck whose order must come next."""
        self._seen: object = None
        self._retiring: int | None = None
        """The unused shuffle that a restore must retire."""
        self._checks: dict[type, Callable[[TableBook, Recorded, Any], None]] = {
            StepPrepared: self._check_order,
            ShuffleCommitted: self._check_commitment,
            ShuffleDrawn: self._check_draw,
            SecretRevealed: self._check_reveal,
            TableRestored: self._on_restore,
        }

    def before(self, book: AnyTable, record: Recorded, event: Any) -> None:
        """Check an event, given the table before it."""
        check = self._checks.get(type(event))
        if check is not None and isinstance(book, TableBook):
            check(book, record, event)
        elif self._expected is not None:
            self._report_unused(record)

    def after(self, book: AnyTable, record: Recorded) -> None:
        """Check after a command that every spent shuffle is revealed."""
        if self._retiring is not None:
            self.context.note(record, "shuffle", f"The restore did not retire shuffle {self._retiring}.")
            self._retiring = None
        if not isinstance(book, TableBook):
            return
        now = (book.state.decks, book.state.round is None)
        if now == self._seen:
            return
        self._seen = now
        for number in spent(book):
            self.context.note(record, "shuffle", f"The secret of shuffle {number} had to be revealed by now.")

    def _report_unused(self, record: Recorded) -> None:
        """Report a shuffle that was drawn but not used."""
        if self._expected is not None:
            self.context.note(record, "shuffle", f"Shuffle {self._expected[0]} gave no deck its order.")
            self._expected = None

    def _check_commitment(self, book: TableBook, record: Recorded, event: ShuffleCommitted) -> None:
        """Check that commitments are one ahead, and without a gap."""
        self._report_unused(record)
        if event.shuffle != book.shuffle + 1 or event.shuffle != self._drawn + 1:
            wanted = f"shuffle {self._drawn + 1} is the next to be committed to"
            self.context.note(record, "shuffle", f"It commits to shuffle {event.shuffle}; {wanted}.")
        self._open[event.shuffle] = Shuffle(event.commitment, record)

    def _check_draw(self, book: TableBook, record: Recorded, event: ShuffleDrawn) -> None:
        self._report_unused(record)
        known = self._open.get(event.shuffle)
        if known is None or known.drawn is not None or event.shuffle != book.shuffle:
            sentence = f"Shuffle {event.shuffle} is drawn without a commitment that was open."
            self.context.note(record, "shuffle", sentence)
        if event.seeds != tuple(sorted(book.seeds.items())):
            self.context.note(record, "shuffle", "The seeds are not those that players had chosen by then.")
        if known is not None:
            known.drawn, known.seeds = record, event.seeds
        self._drawn, self._expected = event.shuffle, (event.shuffle, event.deck)

    def _check_order(self, book: TableBook, record: Recorded, event: StepPrepared) -> None:
        """Check that a deck order comes from a shuffle; cards keyed in by a dealer have none."""
        if event.mixed is None and event.order is None:
            return
        expected, self._expected = self._expected, None
        if expected is None:
            if book.cards == "built-in" or event.order is not None:
                self.context.note(record, "shuffle", "The deck got its order without a shuffle of the house.")
            return
        number, deck = expected
        if event.deck != deck or event.order is None:
            self.context.note(record, "shuffle", f"Shuffle {number} was drawn for deck {deck} and its order.")
        if number in self._open:
            self._open[number].order = event.order

    def _on_restore(self, book: TableBook, record: Recorded, event: TableRestored) -> None:
        """Expect the secret of the next shuffle to be revealed and never used (P38)."""
        del event
        self._report_unused(record)
        self._retiring = book.shuffle or None

    def _check_reveal(self, book: TableBook, record: Recorded, event: SecretRevealed) -> None:
        known = self._open.pop(event.shuffle, None)
        if known is not None and known.drawn is None and event.shuffle == self._retiring:
            self._retiring, self._drawn = None, event.shuffle
            place = Place("events", record.stream, record.sequence)
            self._check_secret(known, event.shuffle, _secret(event), place, "shuffle")
            return
        if known is None or known.drawn is None:
            self.context.note(record, "shuffle", f"Shuffle {event.shuffle} has nothing to reveal.")
            return
        if event.shuffle not in spent(book):
            sentence = (
                f"The secret of shuffle {event.shuffle} is revealed while its cards can still be dealt."
            )
            self.context.note(record, "shuffle", sentence)
        place = Place("events", record.stream, record.sequence)
        self._check_secret(known, event.shuffle, _secret(event), place, "shuffle")

    def _check_secret(self, known: Shuffle, number: int, secret: bytes, place: Place, what: Kind) -> None:
        """Compare a secret with its commitment, and the order of the deck with the secret."""
        findings = self.context.findings
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
            self.context.note(known.drawn, "shuffle", sentence)
        self.context.tally["shuffles"] += known.drawn is not None

    def end(self) -> None:
        """Compare the stored secrets with the shuffles that are not revealed."""
        for number, known in self._open.items():
            place = Place("secrets", self.stream, number)
            secret = self.context.secrets.pop((self.stream, number), None)
            if secret is None:
                sentence = f"Event {known.committed.sequence} committed to it; it was never revealed."
                self.context.findings.add(place, "missing", sentence)
            else:
                self.context.tally["secrets"] += 1
                self._check_secret(known, number, secret, place, "altered")


def _secret(event: SecretRevealed) -> bytes:
    """Return a secret as bytes; empty where its text is not hexadecimal."""
    try:
        return bytes.fromhex(event.secret)
    except ValueError:
        return b""

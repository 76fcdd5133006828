"""Stream replay: folds every event once, posts its money, and compares the state with a snapshot."""

from abc import ABC, abstractmethod
from typing import Any

import msgspec

from fourcard.errors import BadInputError
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.deciding import Happened
from fourcard.house.auditing.report import Place
from fourcard.house.library import Book, empty, fold
from fourcard.house.meter_book import MeterBook
from fourcard.house.postings import Move
from fourcard.house.records import Recorded
from fourcard.house.snapshots import encode_meter, encode_table
from fourcard.house.table_book import TableBook


class Replay(ABC):
    """Rebuilds the state of one stream, command by command."""

    def __init__(self, context: Case, stream: str) -> None:
        """Start with the state of an empty stream."""
        self.context, self.stream = context, stream
        self.name = stream.partition("/")[2]
        self.book: Book = empty(stream)
        self._snapshot = context.snapshots.pop(stream, None)

    def command(self, happened: list[Happened]) -> None:
        """Replay the events of one command."""
        for record, event in happened:
            self.event(record, event)

    @abstractmethod
    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""

    def fold(self, record: Recorded, event: Any, *, quietly: bool = False) -> list[Move] | None:
        """Fold an event and post its transfers; None where it cannot be folded, which is reported once."""
        try:
            self.book, moved = fold(self.book, event, self.context.games.game)
        except Exception as error:  # noqa: BLE001  an altered event can break anything; report it
            reason = str(error) if isinstance(error, BadInputError) else "the state before does not allow it."
            if not quietly:
                self.context.note(record, "rules", f"The {record.kind} cannot be replayed: {reason}")
            self.context.ledger.accept(record)
            return None
        if moved:
            self.context.ledger.post(record, moved)
        if record.game != self.game:
            self.context.note(record, "game", f"It names game '{record.game}' instead of '{self.game}'.")
        if self._snapshot is not None and record.sequence == self._snapshot.sequence:
            self._check_snapshot(self._snapshot.body)
        return moved

    @property
    def game(self) -> str:
        """Return the hash of the pinned game; only a table has one."""
        return ""

    def end(self) -> None:
        """Report a snapshot at an event that the stream does not have."""
        if self._snapshot is not None:
            sentence = f"It is of event {self._snapshot.sequence}, which the stream does not have."
            self.context.findings.add(Place("snapshots", self.stream), "inserted", sentence)

    def _check_snapshot(self, body: bytes) -> None:
        """Compare a snapshot with the replayed state."""
        self.context.tally["snapshots"] += 1
        self._snapshot = None
        place, right = Place("snapshots", self.stream), _snapshot_data(self.book)
        try:
            found = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeError) as error:
            self.context.findings.add(place, "unreadable", f"It cannot be read: {error}.")
            return
        if right is None:
            self.context.findings.add(place, "inserted", "A snapshot cannot be taken at that event.")
        elif found != right:
            names = sorted(name for name in {*found, *right} if found.get(name) != right.get(name))
            self.context.findings.add(place, "altered", f"It differs from the journal in {', '.join(names)}.")


def _snapshot_data(book: Book) -> dict[str, Any] | None:
    """Return the snapshot of a state as plain data; None where none can be taken."""
    if isinstance(book, MeterBook):
        return msgspec.json.decode(encode_meter(book))  # type: ignore[no-any-return]
    if isinstance(book, TableBook) and book.state.round is None:
        return msgspec.json.decode(encode_table(book))  # type: ignore[no-any-return]
    return None

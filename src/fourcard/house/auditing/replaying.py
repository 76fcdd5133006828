"""Replaying one stream: each event folded once, its money posted, its state held against a snapshot."""

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
    """Rebuilds the state of a stream, command by command."""

    def __init__(self, case: Case, stream: str) -> None:
        """Begin with the state of a stream without events."""
        self.case, self.stream = case, stream
        self.name = stream.partition("/")[2]
        self.book: Book = empty(stream)
        self._snapshot = case.snapshots.pop(stream, None)

    def command(self, happened: list[Happened]) -> None:
        """Replay the events of one command."""
        for record, event in happened:
            self.event(record, event)

    @abstractmethod
    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""

    def fold(self, record: Recorded, event: Any, *, quietly: bool = False) -> list[Move] | None:
        """Fold an event and post what it moved; None where nothing can be made of it, which is told once."""
        try:
            self.book, moved = fold(self.book, event, self.case.games.game)
        except Exception as error:  # noqa: BLE001  an altered event may break anything; that is to be told
            reason = str(error) if isinstance(error, BadInputError) else "nothing before it allows it."
            if not quietly:
                self.case.note(record, "rules", f"The {record.kind} cannot be replayed: {reason}")
            self.case.ledger.accept(record)
            return None
        if moved:
            self.case.ledger.post(record, moved)
        if record.game != self.game:
            self.case.note(record, "game", f"It names game '{record.game}' in place of '{self.game}'.")
        if self._snapshot is not None and record.sequence == self._snapshot.sequence:
            self._hold_snapshot(self._snapshot.body)
        return moved

    @property
    def game(self) -> str:
        """Return the game that is pinned now, which only a table has."""
        return ""

    def end(self) -> None:
        """Note a snapshot of a moment that never was."""
        if self._snapshot is not None:
            sentence = f"It is of event {self._snapshot.sequence}, which the stream does not have."
            self.case.findings.add(Place("snapshots", self.stream), "inserted", sentence)

    def _hold_snapshot(self, body: bytes) -> None:
        """Hold a snapshot against the state that the events give."""
        self.case.tally["snapshots"] += 1
        self._snapshot = None
        place, right = Place("snapshots", self.stream), _taken(self.book)
        try:
            found = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeError) as error:
            self.case.findings.add(place, "unreadable", f"It cannot be read: {error}.")
            return
        if right is None:
            self.case.findings.add(place, "inserted", "There can be no snapshot of that moment.")
        elif found != right:
            names = sorted(name for name in {*found, *right} if found.get(name) != right.get(name))
            self.case.findings.add(place, "altered", f"The journal says otherwise about {', '.join(names)}.")


def _taken(book: Book) -> dict[str, Any] | None:
    """Return the snapshot that a state must have, as plain data."""
    if isinstance(book, MeterBook):
        return msgspec.json.decode(encode_meter(book))  # type: ignore[no-any-return]
    if isinstance(book, TableBook) and book.state.round is None:
        return msgspec.json.decode(encode_table(book))  # type: ignore[no-any-return]
    return None

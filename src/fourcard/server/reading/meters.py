"""Meter history: what each progressive meter showed when the bets of a round were placed."""

from threading import Lock

from fourcard.house import meter_book
from fourcard.house.journal import METERS
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import StakesAdded
from fourcard.house.outcome import meter_stream
from fourcard.house.store.contract import Reading, Store


class MetersThen:
    """Follows the meters of a house and keeps what each showed by table and round."""

    def __init__(self, store: Store) -> None:
        """Read from a store on demand."""
        self._store = store
        self._books: dict[str, tuple[MeterBook, int]] = {}
        self._shown: dict[tuple[str, int], int] = {}
        self._lock = Lock()

    def shown(self) -> dict[tuple[str, int], int]:
        """Return the displayed cents by table and round number."""
        with self._lock, self._store.reading() as reading:
            prefix = meter_stream("")
            for stream, head in reading.streams().items():
                if stream.startswith(prefix):
                    self._extend(reading, stream, head.sequence)
        return self._shown

    def _extend(self, reading: Reading, stream: str, until: int) -> None:
        name = stream.removeprefix(meter_stream(""))
        book, sequence = self._books.get(stream, (MeterBook(name), 0))
        if sequence >= until:
            return
        for record in reading.events(stream, sequence):
            event = METERS.decode(record)
            book, _ = meter_book.evolve(book, event)
            sequence = record.sequence
            if isinstance(event, StakesAdded):
                self._shown[event.table, event.round] = book.displayed
        self._books[stream] = book, sequence

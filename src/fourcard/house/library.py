"""State cache: the current state of every stream, loaded from snapshot and journal."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fourcard.errors import BadInputError
from fourcard.house import meter_book, player_book, staff, table_book
from fourcard.house.journal import codec_of
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.ports import Entropy
from fourcard.house.postings import Move
from fourcard.house.records import Head, Recorded
from fourcard.house.snapshots import decode_meter, decode_table
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import Reading, Snapshot, StoreError
from fourcard.house.table_book import AnyTable, TableBook, UninstalledTable
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.game import Game
from fourcard.rules.pinned import decode_game

Book = AnyTable | MeterBook | PlayerBook | StaffState


class BrokenStreamError(StoreError):
    """The stored data of one stream is damaged; the other streams go on, and an audit says more."""

    def __init__(self, stream: str, fault: str, what: str = "journal") -> None:
        """Say which stream, and what is wrong with it."""
        super().__init__(f"The {what} of {stream} {fault}; run an audit.")


class PutBackError(StoreError):
    """The database has less than this process has written: it was rolled back, or a replica took over."""

    def __init__(self, stream: str, known: Head) -> None:
        """Say where it was noticed."""
        super().__init__(
            f"The database was rolled back to an older state: event {known.sequence} of {stream} was "
            "committed and is missing now. Nothing more is done; close the house and open it again."
        )


class Library:
    """The state and the head of every stream in use."""

    def __init__(self, entropy: Entropy) -> None:
        """Start empty."""
        self.entropy = entropy
        self.books: dict[str, Book] = {}
        self.heads: dict[str, Head] = {}
        self.marks: dict[str, tuple[int, Book]] = {}
        """Tables before the round under way, with the sequence, to become snapshots."""
        self.snapshots: dict[str, int] = {}
        """By stream, the sequence of its newest snapshot."""
        self._games: dict[str, Game] = {}
        self._secrets: dict[tuple[str, int], bytes] = {}
        self._reading: Reading | None = None

    def look(self, reading: Reading | None) -> None:
        """Set the transaction that reads what is missing, or None to stop reading."""
        self._reading = reading

    def drop(self, streams: Iterable[str]) -> None:
        """Forget streams whose last command has an unknown result."""
        for stream in streams:
            self.books.pop(stream, None)
            self.heads.pop(stream, None)
            self.marks.pop(stream, None)
            self.snapshots.pop(stream, None)
        self._secrets.clear()

    def bring(self, stream: str, head: Head) -> None:
        """Read a stream up to a head; if that fails, nothing has changed."""
        known = self.heads.get(stream)
        if known == head:
            return
        if known is not None and known.sequence >= head.sequence:
            raise PutBackError(stream, known)
        if known is not None:
            book = self._read_on(stream, self.books[stream], known, head, again=True)
        else:
            book = self._begun(stream, head)
        self.books[stream], self.heads[stream] = book, head

    def _begun(self, stream: str, head: Head) -> Book:
        """Return a stream at a head, from its snapshot or, if that is unusable, from the start."""
        assert self._reading is not None
        found = self._reading.snapshot(stream)
        if found is not None and found.sequence <= head.sequence:
            try:
                book = self._read_on(stream, self._of_snapshot(found), Head(found.sequence, b""), head)
            except BrokenStreamError:
                pass
            else:
                self.snapshots[stream] = found.sequence
                return book
        return self._read_on(stream, empty(stream), Head(), head)

    def _of_snapshot(self, snapshot: Snapshot) -> Book:
        """Return the state of a snapshot, or refuse an unusable one."""
        table = snapshot.stream.startswith("table/")
        book: Book | None
        try:
            book = decode_table(snapshot.body, self.game) if table else decode_meter(snapshot.body)
        except (ValueError, KeyError, ZeroDivisionError):
            book = None
        if book is None:
            raise BrokenStreamError(snapshot.stream, "cannot be read", "snapshot")
        return book

    def _read_on(self, stream: str, book: Book, known: Head, head: Head, *, again: bool = False) -> Book:
        """Apply the events of a stream up to a head; an event that cannot be applied means damage.

        If it is read again, the last known event must still be there.
        """
        last = known
        try:
            for record, event in self._events(stream, known.sequence - (again and known.sequence > 0)):
                if record.sequence > head.sequence:
                    break
                if record.sequence == known.sequence:
                    _refuse_other_past(record, known)
                    continue
                book, _ = fold(book, event, self.game)
                last = Head(record.sequence, record.hash)
        except StoreError:
            raise
        except Exception as error:
            raise BrokenStreamError(
                stream, f"cannot be replayed after event {last.sequence} ({error!r:.80})"
            ) from error
        if last.sequence != head.sequence:
            raise BrokenStreamError(stream, f"ends at event {last.sequence}, not at {head.sequence}")
        if last.hash and last.hash != head.hash:
            raise BrokenStreamError(stream, f"ends in a different event {head.sequence}")
        return book

    def _events(self, stream: str, after: int) -> Iterator[tuple[Recorded, Any]]:
        assert self._reading is not None
        codec = codec_of(stream)
        for record in self._reading.events(stream, after):
            yield record, codec.decode(record)

    def apply(self, stream: str, event: object) -> list[Move]:
        """Apply an event that is about to be written, and return its postings."""
        self.books[stream], moved = fold(self.books[stream], event, self.game)
        return moved

    def find_table(self, name: str) -> AnyTable:
        """Return a table, installed or not."""
        return self.books.get(table_stream(name)) or UninstalledTable(name)  # type: ignore[return-value]

    def table(self, name: str) -> TableBook:
        """Return an installed table, or raise a refusal."""
        book = self.find_table(name)
        if isinstance(book, UninstalledTable):
            raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=name))
        return book

    def meter(self, name: str) -> MeterBook:
        """Return a meter; an unknown one has no terms."""
        return self.books.get(meter_stream(name)) or MeterBook(name)  # type: ignore[return-value]

    def player(self, name: str) -> PlayerBook:
        """Return a player's account; an unknown one is not registered."""
        return self.books.get(player_stream(name)) or PlayerBook(name)  # type: ignore[return-value]

    def staff(self) -> StaffState:
        """Return the staff; it is empty before the first person is hired."""
        return self.books.get(STAFF) or StaffState()  # type: ignore[return-value]

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        known = self._games.get(hash_)
        if known is None:
            assert self._reading is not None
            body = self._reading.game(hash_)
            if body is None:
                raise BrokenStreamError(hash_, "is missing", "game")
            known = self.pin(hash_, body)
        return known

    def knows_game(self, hash_: str) -> bool:
        """Say whether a pinned game is cached."""
        return hash_ in self._games

    def pin(self, hash_: str, body: bytes) -> Game:
        """Cache a game, after a check that it matches its hash."""
        try:
            game = decode_game(body)
        except BadInputError as error:
            raise BrokenStreamError(hash_, f"cannot be read ({error})", "game") from error
        if game.hash != hash_:
            raise BrokenStreamError(hash_, f"was changed: it is {game.hash} now", "game")
        self._games[hash_] = game
        return game

    def secret(self, stream: str, number: int) -> bytes:
        """Return the secret of a shuffle that has been committed to."""
        known = self._secrets.get((stream, number))
        if known is None:
            assert self._reading is not None
            known = self._reading.secret(stream, number)
            if known is None:
                raise BrokenStreamError(f"shuffle {number} of {stream}", "is missing", "secret")
            self._secrets[stream, number] = known
        return known

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Cache a new secret."""
        self._secrets[stream, number] = secret

    def forget_secret(self, stream: str, number: int) -> None:
        """Forget a secret that is public now."""
        self._secrets.pop((stream, number), None)

    def draw(self, count: int) -> bytes:
        """Return random bytes."""
        return self.entropy.draw(count)


def _refuse_other_past(record: Recorded, known: Head) -> None:
    """Refuse an event that differs from the last known event of its stream."""
    if record.hash != known.hash:
        raise PutBackError(record.stream, known)


def empty(stream: str) -> Book:
    """Return the state of a stream without events."""
    family, _, name = stream.partition("/")
    if family == "table":
        return UninstalledTable(name)
    if family == "meter":
        return MeterBook(name)
    return PlayerBook(name) if family == "player" else StaffState()


def fold(book: Book, event: Any, games: Callable[[str], Game]) -> tuple[Book, list[Move]]:
    """Return a state after an event, and the postings."""
    if isinstance(book, TableBook | UninstalledTable):
        return table_book.evolve(book, event, games)
    if isinstance(book, MeterBook):
        return meter_book.evolve(book, event)
    if isinstance(book, PlayerBook):
        return player_book.evolve(book, event)
    return staff.evolve(book, event), []

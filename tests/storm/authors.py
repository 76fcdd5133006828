"""Authors under watch: every event is by somebody who may act so, at a moment that does not run backwards."""

from fourcard.house.outcome import HOUSE, STAFF, player_stream
from fourcard.house.permissions import acting_roles
from fourcard.house.player_book import PlayerBook
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen, Witness


class AuthorsWatch:
    """Knows who is employed and who has an account."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with nobody."""
        self.witness, self.tally = witness, tally
        self.moments: dict[str, int] = {}
        self._news: list[Seen] = []
        self._staffs = [StaffState()]
        """The staff as it was, and as it became since."""

    def saw(self, seen: Seen) -> None:
        """Look at the moment that a table knows."""
        book = seen.after
        if isinstance(book, StaffState):
            self._staffs.append(book)
        if isinstance(book, TableBook):
            last = self.moments.get(book.table, 0)
            demand(book.state.at >= last, "a table's time ran backwards", seen.record)
            self.moments[book.table] = book.state.at
        self._news.append(seen)

    def rest(self, _reading: Reading, _news: News) -> None:
        """Find every author employed when this was last looked at or since, or a player."""
        for seen in self._news:
            record = seen.record
            if record.stream in (HOUSE, STAFF):
                continue
            actors = [each for each in (staff.actor(record.by) for staff in self._staffs) if each is not None]
            book = self.witness.books.get(player_stream(record.by))
            plays = record.role == "player" and isinstance(book, PlayerBook) and book.registered
            works = any(record.role in acting_roles(actor) for actor in actors)
            demand(plays or works, "an event is by nobody who may", record)
            self.tally.checked["events by somebody who may"] += 1
        self._news.clear()
        del self._staffs[:-1]

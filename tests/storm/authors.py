"""Authors under watch: every event is by somebody who may act so, at a moment that does not run backwards."""

from fourcard.house.outcome import HOUSE, STAFF, player_stream
from fourcard.house.permissions import acting_roles
from fourcard.house.player_book import PlayerBook
from fourcard.house.store.contract import Reading
from tests.storm.people import FOUNDER
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen, Witness


class AuthorsWatch:
    """Knows who is employed and who has an account."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with the founder alone."""
        self.witness, self.tally = witness, tally
        self.moments: dict[str, int] = {}
        self._news: list[Seen] = []

    def saw(self, seen: Seen) -> None:
        """Look at the moment of an event at a table."""
        record = seen.record
        if record.stream.startswith("table/"):
            last = self.moments.get(record.stream, 0)
            demand(record.at >= last, "a table's time ran backwards", record)
            self.moments[record.stream] = record.at
        self._news.append(seen)

    def rest(self, _reading: Reading, _news: News) -> None:
        """Look at the authors once the staff of this commit is known."""
        staff = self.witness.staff()
        for seen in self._news:
            record = seen.record
            if record.stream in (HOUSE, STAFF):
                continue
            actor = staff.actor(record.by) or (FOUNDER if record.by == FOUNDER.person else None)
            book = self.witness.books.get(player_stream(record.by))
            plays = record.role == "player" and isinstance(book, PlayerBook) and book.registered
            works = actor is not None and record.role in acting_roles(actor)
            demand(plays or works, "an event is by nobody who may", record)
            self.tally.checked["events by somebody who may"] += 1
        self._news.clear()

"""What a decision may look at when it is made anew: a table as replayed, and a meter as it was."""

from msgspec.structs import replace

from fourcard.house.auditing.case import Case
from fourcard.house.auditing.pairs import Waiting
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import meter_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.staff import StaffState
from fourcard.house.table_book import AnyTable
from fourcard.rules.game import Game
from fourcard.rules.options import MOST_CENTS


class AuditBooks:
    """Stands in for the library of a desk, for one table at one moment."""

    def __init__(self, case: Case, book: AnyTable) -> None:
        """Take the table as it was before a command."""
        self._case, self._book = case, book

    def find_table(self, name: str) -> AnyTable:
        """Return the table that is replayed."""
        del name
        return self._book

    def meter(self, name: str) -> MeterBook:
        """Return the meter when it next heard of the table; its link and readings are looked at there."""
        found = before(self._case.pairs.next(meter_stream(name), self._book.table))
        return replace(found, closed="", restored=0)

    def player(self, name: str) -> PlayerBook:
        """Return an account of enough money; what it really held is looked at in its own stream."""
        return PlayerBook(name, cents=MOST_CENTS, registered=name in self._case.players)

    def staff(self) -> StaffState:
        """Return nobody: no decision at a table asks."""
        return StaffState()

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        return self._case.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        """Refuse: orders are taken as they are, and secrets are looked at for themselves."""
        raise LookupError(f"no decision anew asks for the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        """Refuse: nothing is left to chance here."""
        raise LookupError(f"no decision anew draws {count} bytes")


def before(waiting: Waiting | None) -> MeterBook:
    """Return the meter as it was before an event, an empty one where nobody knows."""
    return MeterBook("") if waiting is None or waiting.before is None else waiting.before

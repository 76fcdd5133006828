"""Replay state reader: the states that a decision reads when the audit makes it again."""

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
    """Replaces the state cache of the command service, for one table before one command."""

    def __init__(self, context: Case, book: AnyTable) -> None:
        """Take the table as it was before the command."""
        self._context, self._book = context, book

    def find_table(self, name: str) -> AnyTable:
        """Return the table under replay."""
        del name
        return self._book

    def meter(self, name: str) -> MeterBook:
        """Return the meter before its next event of this table; its link is checked in its own stream."""
        found = before(self._context.pairs.next(meter_stream(name), self._book.table))
        return replace(found, closed="", restored=0)

    def player(self, name: str) -> PlayerBook:
        """Return an account with enough money; its balance is checked in its own stream."""
        return PlayerBook(name, cents=MOST_CENTS, registered=name in self._context.players)

    def staff(self) -> StaffState:
        """Return no staff: decisions at a table do not need it."""
        return StaffState()

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        return self._context.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        """Fail: deck orders are taken from the journal, and secrets are checked separately."""
        raise LookupError(f"a replay never needs the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        """Fail: a replay draws no random bytes."""
        raise LookupError(f"a replay never draws {count} bytes")


def before(waiting: Waiting | None) -> MeterBook:
    """Return the meter before a waiting event; an empty one where there is none."""
    return MeterBook("") if waiting is None or waiting.before is None else waiting.before
